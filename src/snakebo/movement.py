"""What a movement cost is, and how costs are checked, put together and made from plain functions."""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from snakebo.checks import Points, as_points, as_real, check_known
from snakebo.errors import CostError, InputError
from snakebo.space import Space

Costs = NDArray[np.float64]  # (n, m), or (n,) for pairs

_PAIRS_AT_ONCE = 16  # small blocks whose diagonal is kept


@dataclass(frozen=True)
class MovementCost(ABC):
    """The cost of moving between settings. A new kind gives `_matrix`, and `_names` if any."""

    space: Space | None = field(default=None, repr=False, compare=False, kw_only=True)

    @abstractmethod
    def _matrix(self, A: Points, B: Points) -> Any:
        """Return the costs (n, m); they are checked by the caller."""

    def _names(self) -> tuple[str, ...]:
        """Return the variables that the cost is declared for, if by name."""
        return ()

    def bind(self, space: Space) -> Self:
        """Return this cost over the variables of a space; InputError if it names others or free ones."""
        what, bound = type(self).__name__, replace(self, space=space)
        check_known(bound._names(), space.names, what)
        for variable in space.variables:
            if variable.free and variable.name in bound._names():
                raise InputError(
                    f"{what} charges for {variable.name!r}, which is free in the space. "
                    "Leave it out of the cost, or declare it without free=True."
                )
        return bound

    def __call__(self, A: ArrayLike, B: ArrayLike) -> Costs:
        """Return the costs (n, m) from rows of A (n, d) to rows of B (m, d); raise CostError for bad ones."""
        dim = None if self.space is None else self.space.dim
        A = as_points(A, dim)
        B = as_points(B, A.shape[1])
        return self._check(self._matrix(A, B), A, B)

    def pairs(self, A: ArrayLike, B: ArrayLike) -> Costs:
        """Return the costs (n,) from each row of A (n, d) to the same row of B (n, d)."""
        A, B = as_points(A), as_points(B)
        if A.shape != B.shape:
            raise InputError(f"pairs needs as many rows in A as in B; got {A.shape} and {B.shape}.")
        costs = np.empty(len(A))
        for first in range(0, len(A), _PAIRS_AT_ONCE):
            block = slice(first, first + _PAIRS_AT_ONCE)
            costs[block] = np.diagonal(self(A[block], B[block]))
        return costs

    def __add__(self, other: object) -> "Sum":
        return Sum(self, as_cost(other))

    def __radd__(self, other: object) -> "Sum":
        return Sum(as_cost(other), self)

    def __mul__(self, factor: float) -> "Scaled":
        return Scaled(self, factor)

    __rmul__ = __mul__

    def _check(self, matrix: Any, A: Points, B: Points) -> Costs:
        what = type(self).__name__
        try:
            numbers = np.asarray(matrix)
        except (TypeError, ValueError) as error:
            raise CostError(f"{what} must return a matrix of numbers; got {matrix!r}.") from error
        if numbers.dtype.kind not in "fiub":
            raise CostError(f"{what} must return a matrix of numbers, real ones; got one of {numbers.dtype}.")
        costs = numbers.astype(np.float64, copy=False)
        if costs.shape != (len(A), len(B)):
            raise CostError(
                f"{what} must return a matrix ({len(A)}, {len(B)}), a row for each row of A and a column for "
                f"each row of B; got shape {costs.shape}."
            )
        if costs.size and not (costs.min() >= 0.0 and costs.max() < math.inf):
            i, j = np.argwhere(~(np.isfinite(costs) & (costs >= 0.0)))[0]
            raise CostError(
                f"{what}: cost from {self._describe(A[i])} to {self._describe(B[j])} is {costs[i, j]:g}; "
                "a cost must be finite and not negative."
            )
        return costs

    def _describe(self, x: Points) -> str:
        names = self.space.names if self.space else [f"x{column}" for column in range(len(x))]
        return "{" + ", ".join(f"{name}: {value:g}" for name, value in zip(names, x, strict=True)) + "}"

    def _columns(self, dim: int) -> list[int]:
        """Return the columns of the variables that the cost is declared for."""
        names = self._names()
        if self.space is not None:
            return [self.space.names.index(name) for name in names]
        if len(names) != dim:
            raise InputError(
                f"{type(self).__name__} is about {', '.join(names)}, but points have {dim} columns. "
                "Use cost.bind(space), so that it knows which is which."
            )
        return list(range(dim))

    def _ranges(self, dim: int) -> Points:
        return np.ones(dim) if self.space is None else self.space.highs - self.space.lows


@dataclass(frozen=True, init=False)
class _Combination(MovementCost):
    """Several costs over the same settings."""

    costs: tuple[MovementCost, ...]

    def __init__(self, *costs: object, space: Space | None = None) -> None:
        if not costs:
            raise InputError(f"{type(self).__name__} needs at least one cost; got none.")
        object.__setattr__(self, "costs", tuple(as_cost(cost) for cost in costs))
        object.__setattr__(self, "space", space)

    def bind(self, space: Space) -> Self:
        """Return the combination of the costs, each bound to the space."""
        return type(self)(*(cost.bind(space) for cost in self.costs), space=space)


class Sum(_Combination):
    """The sum of several costs; `a + b` for short."""

    def _matrix(self, A: Points, B: Points) -> Costs:
        total = self.costs[0](A, B)
        for cost in self.costs[1:]:
            total = total + cost(A, B)
        return total


class Maximum(_Combination):
    """The largest of several costs, for what happens at the same time."""

    def _matrix(self, A: Points, B: Points) -> Costs:
        largest = self.costs[0](A, B)
        for cost in self.costs[1:]:
            largest = np.maximum(largest, cost(A, B))
        return largest


@dataclass(frozen=True)
class Scaled(MovementCost):
    """A cost times a number; `3.0 * cost` for short."""

    cost: MovementCost
    factor: float

    def __post_init__(self) -> None:
        factor = as_real(self.factor, "The factor of a cost")
        if factor < 0.0:
            raise InputError(f"The factor of a cost must not be negative; got {factor:g}.")
        object.__setattr__(self, "cost", as_cost(self.cost))
        object.__setattr__(self, "factor", factor)

    def bind(self, space: Space) -> Self:
        """Return the scaled cost, bound to the space."""
        return replace(self, cost=self.cost.bind(space), space=space)

    def _matrix(self, A: Points, B: Points) -> Costs:
        return self.factor * self.cost(A, B)


@dataclass(frozen=True)
class Function(MovementCost):
    """A plain function of (A, B), settings (n, d) and (m, d) in the user's units, to costs (n, m)."""

    function: Callable[[Points, Points], Any]

    def _matrix(self, A: Points, B: Points) -> Any:
        try:
            return self.function(A, B)
        except Exception as error:
            raise CostError(
                f"The cost function raised {type(error).__name__}: {error}. "
                f"It was given arrays of shapes {A.shape} and {B.shape}."
            ) from error


def as_cost(cost: object) -> MovementCost:
    """Return a movement cost as it is, a plain function of (A, B) as one; the rest is an InputError."""
    if isinstance(cost, MovementCost):
        return cost
    if isinstance(cost, type):
        raise InputError(f"A cost must be an object, not a class; write {cost.__name__}(…).")
    if callable(cost):
        return Function(cost)
    raise InputError(f"A cost must be a MovementCost or a function of (A, B); got {cost!r}.")


def path_length(cost: MovementCost, X: ArrayLike) -> float:
    """Return the cost of visiting the rows of X (n, d), in the user's units, in order."""
    points = as_points(X)
    return float(cost.pairs(points[:-1], points[1:]).sum())
