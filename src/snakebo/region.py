"""Regions of feasible settings, in the user's units, over named variables.

A region is declared with names only; a Space binds it to its variables. Points on the border are inside.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Self

import numpy as np

from snakebo.checks import Mask, Points, as_mapping, as_points, as_real, check_exact, check_known
from snakebo.errors import InputError, RegionError
from snakebo.grid import TOLERANCE, Grid


@dataclass(frozen=True)
class Region(ABC):
    """A set of feasible settings: what it contains and, if it knows, where its nearest point is."""

    names_bound: tuple[str, ...] = field(default=(), repr=False, compare=False, kw_only=True)
    grid: Grid | None = field(default=None, repr=False, compare=False, kw_only=True)

    def bind(self, names: Sequence[str], grid: Grid) -> Self:
        """Return this region over the given variables; raise InputError if it does not fit them."""
        bound = replace(self, names_bound=tuple(names), grid=grid)
        bound._check_fit()
        return bound

    @property
    def _bound(self) -> Grid:
        if self.grid is None:
            raise InputError(
                f"{type(self).__name__} is not bound to variables. Use it as Space(…, region=…)."
            )
        return self.grid

    def _check_fit(self) -> None:  # noqa: B027 - most regions fit any variables
        """Raise InputError if the region does not fit the variables it is bound to."""

    @abstractmethod
    def contains(self, X: Points) -> Mask:
        """Tell which points (n, d) are inside, border included."""

    def project(self, X: Points) -> Points:
        """Return points (n, d) of the region near `X`, or `X` itself where the region knows no way."""
        return X

    def bounds(self) -> tuple[Points, Points]:
        """Return the lows and highs, (d,) each, of a box around the region, in the user's units."""
        return self._bound.lows, self._bound.highs


@dataclass(frozen=True)
class Polygon(Region):
    """The inside of a polygon, minus its holes, over two variables (the first two unless named)."""

    vertices: Sequence[Sequence[float]]
    holes: Sequence[Sequence[Sequence[float]]] = ()
    variables: tuple[str, str] | None = None

    def __post_init__(self) -> None:
        from snakebo.polygon import build_shape

        build_shape(self.vertices, self.holes)
        object.__setattr__(self, "vertices", _as_ring(self.vertices))
        object.__setattr__(self, "holes", tuple(_as_ring(hole) for hole in self.holes))
        if self.variables is not None:
            names = tuple(self.variables) if isinstance(self.variables, Sequence) else ()
            if isinstance(self.variables, str) or len(names) != 2 or names[0] == names[1]:
                raise InputError(f"A polygon is over two different variables; got {self.variables!r}.")
            object.__setattr__(self, "variables", names)

    @cached_property
    def shape(self) -> Any:
        """The polygon as a Shapely geometry, in the user's units, outer ring counter-clockwise."""
        from snakebo.polygon import build_shape

        return build_shape(self.vertices, self.holes)

    def columns(self, names: Sequence[str]) -> list[int]:
        """Return the two columns, among variables of the given names, that the polygon is over."""
        if self.variables is None:
            if len(names) < 2:
                raise InputError(f"A polygon needs two variables; the space has {', '.join(names)} only.")
            return [0, 1]
        check_known(self.variables, names, "Polygon")
        return [names.index(name) for name in self.variables]

    def _check_fit(self) -> None:
        self._unit_shapes  # noqa: B018 - raises where the polygon misses the box

    @cached_property
    def _unit_shapes(self) -> tuple[Any, Any]:
        """The polygon in the unit square, whole and clipped to the bounds."""
        from snakebo.polygon import clip_to_unit, scale_to_unit

        columns = self.columns(self.names_bound)
        whole = scale_to_unit(self.shape, self._bound.lows[columns], self._bound.highs[columns])
        return whole, clip_to_unit(whole)

    def contains(self, X: Points) -> Mask:
        """Tell which points (n, d) are in the polygon or on its border."""
        from snakebo.polygon import covers

        U = self._bound.to_unit(X)[:, self.columns(self.names_bound)]
        return covers(self._unit_shapes[0], U, TOLERANCE)

    def project(self, X: Points) -> Points:
        """Return the nearest points (n, d) of the polygon within the bounds, measured in the unit cube."""
        from snakebo.polygon import move_inside

        columns = self.columns(self.names_bound)
        U = self._bound.to_unit(X)
        U[:, columns] = np.clip(move_inside(self._unit_shapes[1], U[:, columns]), 0.0, 1.0)
        moved = X.copy()
        moved[:, columns] = self._bound.from_unit(U)[:, columns]
        return moved

    def bounds(self) -> tuple[Points, Points]:
        """Return the box around the part of the polygon within the bounds."""
        corners = np.array([[0.0], [1.0]]).repeat(self._bound.dim, axis=1)
        corners[:, self.columns(self.names_bound)] = np.reshape(self._unit_shapes[1].bounds, (2, 2))
        lows, highs = self._bound.from_unit(corners)
        return lows, highs


def _as_ring(vertices: Sequence[Sequence[float]]) -> tuple[tuple[float, float], ...]:
    return tuple((float(x), float(y)) for x, y in vertices)


@dataclass(frozen=True)
class LinearInequalities(Region):
    """All settings with lower ≤ Σ coefficient · variable ≤ upper, as in ({"a": 1, "b": 2}, upper=5)."""

    coefficients: Mapping[str, float] = field(hash=False)
    upper: float = math.inf
    lower: float = -math.inf

    def __post_init__(self) -> None:
        given = as_mapping(self.coefficients, "The coefficients of LinearInequalities")
        numbers = {name: as_real(value, f"The coefficient of {name!r}") for name, value in given.items()}
        if not any(numbers.values()):
            raise InputError("At least one coefficient of LinearInequalities must differ from zero.")
        object.__setattr__(self, "coefficients", numbers)
        for side in ("lower", "upper"):
            number = as_real(getattr(self, side), f"{side} of LinearInequalities", finite=False)
            object.__setattr__(self, side, number)
        if math.isinf(self.lower) and math.isinf(self.upper):
            raise InputError("LinearInequalities needs a finite lower= or upper= bound.")
        if self.lower > self.upper:
            raise InputError(f"lower must not exceed upper; got lower={self.lower}, upper={self.upper}.")

    @cached_property
    def _unit_form(self) -> tuple[Points, float]:
        """The normal a (d,) and offset c with Σ coefficient · variable = a·u + c on the unit cube."""
        lows, highs = self._bound.lows, self._bound.highs
        normal = np.array([self.coefficients.get(name, 0.0) for name in self.names_bound])
        return normal * (highs - lows), float(normal @ lows)

    def _check_fit(self) -> None:
        check_known(self.coefficients, self.names_bound, "LinearInequalities")
        normal, offset = self._unit_form
        least, most = normal[normal < 0].sum() + offset, normal[normal > 0].sum() + offset
        if least > self.upper or most < self.lower:
            raise RegionError(
                f"{self!r} leaves nothing: within the bounds the sum runs from {least:g} to {most:g}. "
                "Widen the bounds or the inequality."
            )

    def contains(self, X: Points) -> Mask:
        """Tell which points (n, d) satisfy both inequalities."""
        normal, offset = self._unit_form
        total = self._bound.to_unit(X) @ normal + offset
        slack = TOLERANCE * float(np.abs(normal).sum())
        return np.asarray((total <= self.upper + slack) & (total >= self.lower - slack))

    def project(self, X: Points) -> Points:
        """Return the nearest points (n, d) that satisfy both within the bounds, measured in the unit cube."""
        normal, offset = self._unit_form
        U = np.clip(self._bound.to_unit(X), 0.0, 1.0)
        for sign, limit in ((1.0, self.upper - offset), (-1.0, offset - self.lower)):
            over = U @ (sign * normal) > limit
            if over.any():
                U[over] = _nearest_below(U[over], sign * normal, limit)
        return self._bound.from_unit(U)


def _nearest_below(U: Points, normal: Points, limit: float) -> Points:
    """Return the nearest points of the unit cube with normal·u ≤ limit: u − λ·normal, clipped, for some λ."""
    straight = U - np.outer((U @ normal - limit) / (normal @ normal), normal)
    clipped = np.clip(straight, 0.0, 1.0)
    left = (clipped != straight).any(axis=1)
    if left.any():
        start = U[left]
        short, long = np.zeros(len(start)), np.full(len(start), 1.0 / np.abs(normal[normal != 0]).min())
        for _ in range(100):
            middle = (short + long) / 2
            below = np.clip(start - np.outer(middle, normal), 0.0, 1.0) @ normal <= limit
            short, long = np.where(below, short, middle), np.where(below, middle, long)
        clipped[left] = np.clip(start - np.outer(long, normal), 0.0, 1.0)
    return clipped


@dataclass(frozen=True)
class Predicate(Region):
    """All settings for which a function of a mapping name → array (n,), in the user's units, is True."""

    function: Callable[[Mapping[str, Points]], Any]

    def __post_init__(self) -> None:
        if not callable(self.function):
            raise InputError(f"Predicate needs a function of a mapping name → array; got {self.function!r}.")

    def contains(self, X: Points) -> Mask:
        """Ask the function about the points (n, d)."""
        if len(X) == 0:
            return np.zeros(0, dtype=np.bool_)
        try:
            answer = np.asarray(self.function(dict(zip(self.names_bound, X.T, strict=True))))
        except Exception as error:
            raise InputError(
                f"The predicate raised {type(error).__name__}: {error}. It is given arrays (n,)."
            ) from error
        if answer.shape != (len(X),) or answer.dtype != np.bool_:
            raise InputError(
                f"The predicate must return booleans of shape ({len(X)},); "
                f"got {answer.dtype} of shape {answer.shape}. Use & and | between comparisons of arrays."
            )
        return answer


@dataclass(frozen=True)
class Candidates(Region):
    """A finite set of settings: mappings by name, an array (n, d) in the order of the space, a DataFrame."""

    points: Any
    names: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        names, rows = self.names, self.points
        if hasattr(rows, "columns"):
            names, rows = tuple(map(str, rows.columns)), rows.to_numpy()
        elif isinstance(rows, Sequence) and rows and isinstance(rows[0], Mapping):
            names = tuple(rows[0])
            rows = [_candidate_row(number, row, names) for number, row in enumerate(rows)]
        if len(rows) == 0:
            raise InputError("Candidates needs at least one point; got none.")
        array = as_points(rows, None if names is None else len(names))
        object.__setattr__(self, "names", names)
        object.__setattr__(self, "points", tuple(map(tuple, array.tolist())))

    def _check_fit(self) -> None:
        check_exact(self.names or self.names_bound, self.names_bound, "Candidates")
        array = self._ordered
        U = self._bound.to_unit(array)
        outside = ((U < -TOLERANCE) | (U > 1.0 + TOLERANCE)).any(axis=1)
        if outside.any():
            bad = int(np.flatnonzero(outside)[0])
            point = dict(zip(self.names_bound, array[bad].tolist(), strict=True))
            raise InputError(f"Candidate {bad} is out of bounds: {point}. Widen the bounds or leave it out.")

    @cached_property
    def _ordered(self) -> Points:
        array = as_points(self.points, self._bound.dim)
        order = self.names or self.names_bound
        return array[:, [order.index(name) for name in self.names_bound]]

    @cached_property
    def distinct(self) -> Points:
        """The candidates (n, d) in the user's units and the order of the variables, without duplicates."""
        _, first = np.unique(
            np.round(self._bound.to_unit(self._ordered) / TOLERANCE), axis=0, return_index=True
        )
        return np.asarray(np.clip(self._ordered[np.sort(first)], self._bound.lows, self._bound.highs))

    @cached_property
    def _tree(self) -> Any:
        from scipy.spatial import cKDTree

        return cKDTree(self._bound.to_unit(self.distinct))

    def contains(self, X: Points) -> Mask:
        """Tell which points (n, d) are candidates."""
        distance, _ = self._tree.query(self._bound.to_unit(X), p=np.inf)
        return np.asarray(distance <= TOLERANCE)

    def project(self, X: Points) -> Points:
        """Return the nearest candidates (n, d), measured in the unit cube."""
        return np.asarray(self.distinct[self._tree.query(self._bound.to_unit(X))[1]])


def _candidate_row(number: int, row: Mapping[str, object], names: tuple[str, ...]) -> list[float]:
    if not isinstance(row, Mapping):
        raise InputError(f"Candidate {number} is not a mapping like the others: {row!r}.")
    check_exact(row, names, f"Candidate {number}")
    return [as_real(row[name], f"{name!r} of candidate {number}") for name in names]
