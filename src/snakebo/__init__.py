"""Bayesian optimization that plans a path: for experiments where moving costs something and results come late.

Names are loaded when first used, so that `import snakebo` takes no time and torch is imported only to fit.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from snakebo import errors, methods, problems
    from snakebo.campaign import Campaign
    from snakebo.cost import (
        Euclidean,
        FirstOrderResponse,
        Geodesic,
        Maximum,
        MovementCost,
        Norm,
        RampRate,
        Sum,
        Weighted,
    )
    from snakebo.errors import SnakeboError
    from snakebo.methods.method import Method
    from snakebo.methods.snake import SnAKe
    from snakebo.methods.snake_paper import SnAKePaper
    from snakebo.loop import Result, optimize
    from snakebo.region import Candidates, LinearInequalities, Polygon, Predicate
    from snakebo.space import Space, Variable
    from snakebo.surrogate.gp import Hyperparameters
    from snakebo.surrogate.paper_protocol import Paper
    from snakebo.surrogate.protocol import Cold, Fixed
    from snakebo.surrogate.user_model import BoTorchModel
    from snakebo.trial import State, Trial
    from snakebo.view import View

__version__ = "0.1.0"

_WHERE = {
    "campaign": ["Campaign"],
    "cost": [
        "Euclidean", "FirstOrderResponse", "Geodesic", "Maximum", "MovementCost", "Norm", "RampRate", "Sum", "Weighted",
    ],
    "errors": ["SnakeboError"],
    "methods.method": ["Method"],
    "methods.snake": ["SnAKe"],
    "methods.snake_paper": ["SnAKePaper"],
    "loop": ["Result", "optimize"],
    "region": ["Candidates", "LinearInequalities", "Polygon", "Predicate"],
    "space": ["Space", "Variable"],
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
