"""What it costs to move from one setting to the next.

Every cost is called as `cost(A, B)` with settings (n, d) and (m, d) in the user's units, and returns the
matrix (n, m) of costs from rows of A to rows of B. `bind(space)` tells it names, bounds and free variables.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from snakebo.checks import Points, as_mapping, as_real, as_reals
from snakebo.errors import InputError
from snakebo.movement import Costs, Function, Maximum, MovementCost, Scaled, Sum, as_cost, path_length
from snakebo.region import Polygon

__all__ = [
    "Euclidean", "FirstOrderResponse", "Function", "Geodesic", "Maximum", "MovementCost", "Norm", "RampRate",
    "Scaled", "Sum", "Weighted", "as_cost", "path_length",
]  # fmt: skip

_METRICS: dict[float, Literal["cityblock", "euclidean", "chebyshev"]] = {
    1.0: "cityblock",
    2.0: "euclidean",
    math.inf: "chebyshev",
}


@dataclass(frozen=True)
class Norm(MovementCost):
    """The p-norm of the change, in the unit cube over the costly variables; unbound, of all columns."""

    p: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "p", _as_order(self.p))

    def _matrix(self, A: Points, B: Points) -> Costs:
        costly = np.ones(A.shape[1], dtype=np.bool_) if self.space is None else self.space.costly
        return _distances(A[:, costly], B[:, costly], 1.0 / self._ranges(A.shape[1])[costly], self.p)


@dataclass(frozen=True)
class Euclidean(Norm):
    """The straight distance in the unit cube over the costly variables: `Norm(2)`."""

    p: float = field(default=2.0, init=False, repr=False)


@dataclass(frozen=True)
class Weighted(MovementCost):
    """The p-norm of weighted changes; a weight is the cost of a variable's whole range."""

    weights: Mapping[str, float] = field(hash=False)
    p: float = 2.0

    def __post_init__(self) -> None:
        given = as_mapping(self.weights, "The weights of Weighted")
        weights = {name: as_real(weight, f"The weight of {name!r}") for name, weight in given.items()}
        for name, weight in weights.items():
            if weight < 0.0:
                raise InputError(f"The weight of {name!r} must not be negative; got {weight:g}.")
        object.__setattr__(self, "weights", weights)
        object.__setattr__(self, "p", _as_order(self.p))

    def _names(self) -> tuple[str, ...]:
        return tuple(self.weights)

    def _matrix(self, A: Points, B: Points) -> Costs:
        columns = self._columns(A.shape[1])
        scale = np.array(list(self.weights.values())) / self._ranges(A.shape[1])[columns]
        return _distances(A[:, columns], B[:, columns], scale, self.p)


def _as_order(p: object) -> float:
    order = as_real(p, "p of a norm", finite=False)
    if order < 1.0:
        raise InputError(f"p of a norm must be 1 or more (math.inf is allowed); got {order:g}.")
    return order


def _distances(A: Points, B: Points, scale: Points, p: float) -> Costs:
    from scipy.spatial.distance import cdist

    if A.shape[1] == 0:
        return np.zeros((len(A), len(B)))
    A, B = A * scale, B * scale
    if p in _METRICS:
        return cdist(A, B, _METRICS[p])
    return cdist(A, B, "minkowski", p=p)


@dataclass(frozen=True)
class FirstOrderResponse(MovementCost):
    """Time for a reactor to settle (Folch et al. 2022, section 4.2), from (α, β, γ) of each variable.

    γ·min(β, |Δ|) + max(0, α·log(|Δ|/β)) on changes Δ in the user's units; the largest over the variables
    counts, or with combine="sum" all of them.
    """

    constants: Mapping[str, tuple[float, float, float]] = field(hash=False)
    combine: Literal["max", "sum"] = "max"

    def __post_init__(self) -> None:
        given = as_mapping(self.constants, "The constants of FirstOrderResponse")
        for name, values in given.items():
            alpha, beta, gamma = given[name] = as_reals(values, 3, f"{name!r}", "(alpha, beta, gamma)")
            if not (0.0 <= alpha < math.inf and 0.0 < beta < math.inf and 0.0 <= gamma < math.inf):
                raise InputError(
                    f"(alpha, beta, gamma) of {name!r} must be finite, alpha and gamma not negative and beta "
                    f"positive; got {given[name]}."
                )
        object.__setattr__(self, "constants", given)
        _check_combine(self.combine)

    def _names(self) -> tuple[str, ...]:
        return tuple(self.constants)

    def _matrix(self, A: Points, B: Points) -> Costs:
        from snakebo.response import settle

        columns, costs = self._columns(A.shape[1]), np.empty((len(A), len(B)))
        settle(
            A[:, columns],
            B[:, columns],
            np.array(list(self.constants.values())),
            self.combine == "sum",
            costs,
        )
        return costs


@dataclass(frozen=True)
class RampRate(MovementCost):
    """Minutes to move, at rates (up, down) per minute of each variable, in the user's units; inf is at once.

    All variables ramp at the same time, so the slowest counts; with combine="sum" one after the other.
    """

    rates: Mapping[str, tuple[float, float]] = field(hash=False)
    combine: Literal["max", "sum"] = "max"

    def __post_init__(self) -> None:
        given = as_mapping(self.rates, "The rates of RampRate")
        for name, values in given.items():
            given[name] = as_reals(values, 2, f"{name!r}", "(up_per_min, down_per_min)")
            if min(given[name]) <= 0.0:
                raise InputError(f"The rates (up, down) of {name!r} must be positive; got {given[name]}.")
        object.__setattr__(self, "rates", given)
        _check_combine(self.combine)

    def _names(self) -> tuple[str, ...]:
        return tuple(self.rates)

    def _matrix(self, A: Points, B: Points) -> Costs:
        from snakebo.response import ramp

        columns, costs = self._columns(A.shape[1]), np.empty((len(A), len(B)))
        ramp(A[:, columns], B[:, columns], np.array(list(self.rates.values())), self.combine == "sum", costs)
        return costs


def _check_combine(combine: str) -> None:
    if combine not in ("max", "sum"):
        raise InputError(f'combine must be "max" or "sum"; got {combine!r}.')


@dataclass(frozen=True)
class Geodesic(MovementCost):
    """The length of the shortest way inside a polygon, over its two variables, in the user's units."""

    polygon: Polygon

    def __post_init__(self) -> None:
        if not isinstance(self.polygon, Polygon):
            raise InputError(f"Geodesic needs a Polygon(vertices, holes, variables); got {self.polygon!r}.")

    def _names(self) -> tuple[str, ...]:
        if self.space is not None:
            return tuple(self.space.names[column] for column in self.polygon.columns(self.space.names))
        return self.polygon.variables or ("x", "y")

    def _matrix(self, A: Points, B: Points) -> Costs:
        from snakebo.geodesic import prepare_waters

        columns = self._columns(A.shape[1])
        waters = prepare_waters(self.polygon.vertices, self.polygon.holes)
        return waters.distances(A[:, columns], B[:, columns])
