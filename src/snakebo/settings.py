"""All that defines a campaign before its first trial, checked once, where it enters."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from snakebo import methods
from snakebo.checks import as_real, as_whole
from snakebo.cost import Euclidean, MovementCost, as_cost
from snakebo.errors import InputError
from snakebo.space import Space

if TYPE_CHECKING:
    from snakebo.methods.method import Method

Direction = Literal["maximize", "minimize"]

_LARGEST = 1e150  # a value whose square still is a number
FRAME_COLUMNS = ("trial", "state", "cost", "spent", "attached", "reason")  # of Campaign.to_frame


@dataclass(frozen=True)
class Settings:
    """What a campaign is about; the arguments of `Campaign`, made uniform. Raises InputError."""

    space: Space
    budget: int
    method: Method
    cost: MovementCost
    seed: int
    start: Mapping[str, float] | None
    directions: Mapping[str, Direction]  # by objective, in order
    cost_budget: float | None
    protocol: Any  # a HyperparameterProtocol or a BoTorchModel
    proportions: tuple[float, ...]
    name: str

    @classmethod
    def read(
        cls, *, space: Any, budget: Any, method: Any, cost: Any, seed: Any, start: Any, direction: Any,
        objectives: Any, cost_budget: Any, protocol: Any, proportions: Any, name: Any,
    ) -> Settings:  # fmt: skip
        """Check the arguments of `Campaign`."""
        if not isinstance(space, Space):
            raise InputError(f"space must be a Space([Variable(name, low, high), …]); got {space!r}.")
        if not isinstance(name, str) or not name:
            raise InputError(f"name must be a non-empty text; got {name!r}.")
        if cost_budget is not None and as_real(cost_budget, "cost_budget") <= 0:
            raise InputError(f"cost_budget must be positive; got {cost_budget!r}.")
        chosen = methods.get(method)
        names = _objectives(objectives)
        _check_columns(space.names, names)
        if len(names) > 1 and not getattr(chosen, "several_objectives", True):
            raise InputError(
                f"The method {methods.name_of(chosen) or chosen!r} optimises one objective; the campaign has "
                f"{len(names)}. Use snake, eipu or trei."
            )
        return cls(
            space=space,
            budget=as_whole(budget, "budget", 1),
            method=chosen,
            cost=as_cost(Euclidean() if cost is None else cost).bind(space),
            seed=as_whole(seed, "seed", 0),
            start=None if start is None else space.mapping(space.point(start)),
            directions=_directions(direction, names),
            cost_budget=None if cost_budget is None else float(cost_budget),
            protocol=_protocol(protocol, chosen, space, len(names)),
            proportions=_proportions(proportions, names),
            name=name,
        )

    @property
    def objectives(self) -> tuple[str, ...]:
        """The names of the objectives."""
        return tuple(self.directions)

    @cached_property
    def signs(self) -> NDArray[np.float64]:
        """+1 for an objective to be maximised, −1 for one to be minimised."""
        return np.array([1.0 if each == "maximize" else -1.0 for each in self.directions.values()])

    def values(self, value: object) -> dict[str, float]:
        """Read a told value, or several by name; InputError unless all are there and finite."""
        if not isinstance(value, Mapping):
            if len(self.objectives) > 1:
                raise InputError(f"Expected values for {', '.join(self.objectives)} by name; got {value!r}.")
            value = {self.objectives[0]: value}
        if set(value) != set(self.objectives):
            given = ", ".join(map(str, value)) or "none"
            raise InputError(f"Expected values for {', '.join(self.objectives)}; got {given}.")
        return {name: _result(value[name], name) for name in self.objectives}

    def maximized(self, value: object) -> NDArray[np.float64]:
        """Read a value as `values` does and turn its sign (objectives,) so that more is better."""
        return np.array(list(self.values(value).values())) * self.signs


def _result(value: object, name: str) -> float:
    number = value if isinstance(value, bool | str | bytes) else as_plain(value)
    try:
        result = as_real(number, repr(name))
        if abs(result) > _LARGEST:
            raise InputError(f"{name!r} must lie within ±{_LARGEST:g}; got {result:g}.")
        return result
    except InputError as error:
        raise InputError(f"{error} A trial that gave no number is failed: fail(id, reason).") from None


def as_plain(value: object) -> object:
    """Numbers in other clothes (a tensor or an array of one element) as plain ones."""
    item = getattr(value, "item", None)
    try:
        return item() if callable(item) else value
    except (TypeError, ValueError, RuntimeError):
        return value


def _objectives(objectives: Any) -> tuple[str, ...]:
    names = (objectives,) if isinstance(objectives, str) else _as_tuple(objectives)
    texts = all(isinstance(name, str) and name for name in names)
    if isinstance(objectives, Mapping) or not names or not texts or len(set(names)) < len(names):
        raise InputError(
            f"objectives must be distinct, non-empty names, as in ('yield', 'purity'); got {objectives!r}. "
            "Say with direction= whether to maximize or to minimize."
        )
    return names


def _as_tuple(values: object) -> tuple[Any, ...]:
    """The elements of a sequence; none of what is not one."""
    return () if isinstance(values, str) or not isinstance(values, Iterable) else tuple(values)


def _check_columns(variables: tuple[str, ...], objectives: tuple[str, ...]) -> None:
    if both := [name for name in objectives if name in variables]:
        raise InputError(
            f"{', '.join(map(repr, both))} cannot be a variable and an objective; rename one of them."
        )
    if taken := [name for name in (*variables, *objectives) if name in FRAME_COLUMNS]:
        raise InputError(
            f"{', '.join(map(repr, taken))} is a column of every campaign's table already "
            f"({', '.join(FRAME_COLUMNS)}); choose another name."
        )


def _directions(direction: Any, objectives: tuple[str, ...]) -> dict[str, Direction]:
    given = direction if isinstance(direction, Mapping) else dict.fromkeys(objectives, direction)
    known = all(isinstance(each, str) and each in ("maximize", "minimize") for each in given.values())
    if set(given) != set(objectives) or not known:
        raise InputError(
            f"direction must be 'maximize' or 'minimize', or one of them for each of "
            f"{', '.join(objectives)}; got {direction!r}."
        )
    return {name: given[name] for name in objectives}


def _proportions(proportions: Sequence[float] | None, objectives: tuple[str, ...]) -> tuple[float, ...]:
    if proportions is None:
        return (1.0,) * len(objectives)
    shares = tuple(as_real(share, "a proportion") for share in _as_tuple(proportions))
    if len(shares) != len(objectives) or min(shares) < 0.0 or not 0.0 < sum(shares) < math.inf:
        raise InputError(
            f"proportions must be {len(objectives)} numbers ≥ 0, not all 0; got {proportions!r}."
        )
    return shares


def _protocol(protocol: Any, method: Method, space: Space, objectives: int) -> Any:
    from snakebo.surrogate.protocol import Cold, HyperparameterProtocol
    from snakebo.surrogate.user_model import BoTorchModel

    if protocol is None:
        protocol = getattr(method, "protocol", None) or "cold"
    if isinstance(protocol, str) and protocol == "cold":
        return Cold()
    if isinstance(protocol, str) and protocol == "paper":
        raise InputError(
            "The protocol 'paper' needs an educated guess: pass Paper(guess=…), "
            "or use optimize(f, protocol='paper')."
        )
    if isinstance(protocol, type) or not isinstance(protocol, HyperparameterProtocol | BoTorchModel):
        raise InputError(
            f"protocol must be 'cold', Cold(…), Paper(…), Fixed(…) or BoTorchModel(…); got {protocol!r}."
        )
    if isinstance(protocol, HyperparameterProtocol):
        protocol.check(space, objectives)
    return protocol
