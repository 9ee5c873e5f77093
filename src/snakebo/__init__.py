"""Bayesian optimization that plans a path, where moving costs something and results come late.

Names are loaded when first used, so that `import snakebo` takes no time and torch is imported only to fit.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # `as` makes a name public to type checkers
    from snakebo import errors as errors
    from snakebo import methods as methods
    from snakebo import problems as problems
    from snakebo.campaign import Campaign as Campaign
    from snakebo.client import connect as connect
    from snakebo.cost import Euclidean as Euclidean
    from snakebo.cost import FirstOrderResponse as FirstOrderResponse
    from snakebo.cost import Geodesic as Geodesic
    from snakebo.cost import Maximum as Maximum
    from snakebo.cost import MovementCost as MovementCost
    from snakebo.cost import Norm as Norm
    from snakebo.cost import RampRate as RampRate
    from snakebo.cost import Sum as Sum
    from snakebo.cost import Weighted as Weighted
    from snakebo.errors import SnakeboError as SnakeboError
    from snakebo.loop import EvaluationError as EvaluationError
    from snakebo.loop import Result as Result
    from snakebo.loop import optimize as optimize
    from snakebo.methods.method import Method as Method
    from snakebo.methods.snake import SnAKe as SnAKe
    from snakebo.methods.snake_paper import SnAKePaper as SnAKePaper
    from snakebo.region import Candidates as Candidates
    from snakebo.region import LinearInequalities as LinearInequalities
    from snakebo.region import Polygon as Polygon
    from snakebo.region import Predicate as Predicate
    from snakebo.space import Space as Space
    from snakebo.space import Variable as Variable
    from snakebo.storage import open_storage as open_storage
    from snakebo.surrogate.gp import Hyperparameters as Hyperparameters
    from snakebo.surrogate.paper_protocol import Paper as Paper
    from snakebo.surrogate.protocol import Cold as Cold
    from snakebo.surrogate.protocol import Fixed as Fixed
    from snakebo.surrogate.user_model import BoTorchModel as BoTorchModel
    from snakebo.trial import State as State
    from snakebo.trial import Trial as Trial
    from snakebo.view import View as View

__version__ = "0.1.0"

_WHERE = {
    "campaign": ["Campaign"],
    "client": ["connect"],
    "cost": [
        "Euclidean", "FirstOrderResponse", "Geodesic", "Maximum", "MovementCost", "Norm", "RampRate", "Sum",
        "Weighted",
    ],
    "errors": ["SnakeboError"],
    "methods.method": ["Method"],
    "methods.snake": ["SnAKe"],
    "methods.snake_paper": ["SnAKePaper"],
    "loop": ["EvaluationError", "Result", "optimize"],
    "region": ["Candidates", "LinearInequalities", "Polygon", "Predicate"],
    "space": ["Space", "Variable"],
    "storage": ["open_storage"],
    "surrogate.gp": ["Hyperparameters"],
    "surrogate.paper_protocol": ["Paper"],
    "surrogate.protocol": ["Cold", "Fixed"],
    "surrogate.user_model": ["BoTorchModel"],
    "trial": ["State", "Trial"],
    "view": ["View"],
}  # fmt: skip
_MODULE_OF = {name: module for module, names in _WHERE.items() for name in names}
_MODULES = ("errors", "methods", "problems")

__all__ = [*_MODULE_OF, *_MODULES]  # noqa: PLE0604


def __getattr__(name: str) -> Any:
    if name in _MODULE_OF:
        value = getattr(import_module(f"snakebo.{_MODULE_OF[name]}"), name)
    elif name in _MODULES:
        value = import_module(f"snakebo.{name}")
    else:
        raise AttributeError(f"module 'snakebo' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
