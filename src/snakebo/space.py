"""The settings that can be tried: variables with bounds and units, and the region they must stay in.

Everything inside the package works in the unit cube; the user's units come in and go out here.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from snakebo.checks import Mask, Points, as_points, as_real, check_exact
from snakebo.errors import InputError
from snakebo.feasible import FeasibleSet
from snakebo.grid import TOLERANCE, Grid
from snakebo.region import Region

__all__ = ["Points", "Space", "Variable"]


@dataclass(frozen=True)
class Variable:
    """A setting between two bounds; `free` if changing it costs nothing, `step` if it is set in steps."""

    name: str
    low: float
    high: float
    unit: str = ""
    free: bool = False
    step: float | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name.strip():
            raise InputError(f"The name of a variable must be a non-empty text; got {self.name!r}.")
        for side in ("low", "high"):
            object.__setattr__(self, side, as_real(getattr(self, side), f"{side} of {self.name!r}"))
        if not self.low < self.high or math.isinf(self.high - self.low):
            raise InputError(f"{self.name!r} must have low < high; got low={self.low:g}, high={self.high:g}.")
        if not isinstance(self.unit, str):
            raise InputError(f"The unit of {self.name!r} must be a text; got {self.unit!r}.")
        if not isinstance(self.free, bool):
            raise InputError(f"free of {self.name!r} must be True or False; got {self.free!r}.")
        if self.step is not None:
            step = as_real(self.step, f"step of {self.name!r}")
            if not 0 < step <= (self.high - self.low) * (1 + TOLERANCE):
                raise InputError(
                    f"step of {self.name!r} must be positive and at most the range {self.high - self.low:g}; "
                    f"got {step:g}. Leave it out for a continuous variable."
                )
            object.__setattr__(self, "step", step)


@dataclass(frozen=True)
class Space:
    """Variables, and a region (or several, which must all hold) that settings stay in.

    Points are arrays (n, d), in the unit cube unless said otherwise. Nothing feasible is a RegionError.
    """

    variables: Sequence[Variable]
    region: Region | Sequence[Region] | None = None

    def __post_init__(self) -> None:
        variables = tuple(self.variables) if isinstance(self.variables, Sequence) else self.variables
        if not isinstance(variables, tuple) or not all(isinstance(each, Variable) for each in variables):
            raise InputError(f"Space needs a list of Variable(name, low, high); got {self.variables!r}.")
        if not variables:
            raise InputError("Space needs at least one variable; got an empty list.")
        names = [each.name for each in variables]
        if repeated := sorted({name for name in names if names.count(name) > 1}):
            raise InputError(f"Names of variables must differ; {', '.join(map(repr, repeated))} came twice.")
        object.__setattr__(self, "variables", variables)
        if isinstance(self.region, Sequence):
            object.__setattr__(self, "region", tuple(self.region) or None)
        self._feasible.check_room()

    def __repr__(self) -> str:
        lines = [f"    {each!r}," for each in self.variables]
        region = "" if self.region is None else f", region={self.region!r}"
        return "\n".join(["Space([", *lines, f"]{region})"])

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the variables, in order."""
        return tuple(each.name for each in self.variables)

    @property
    def dim(self) -> int:
        """The number of variables, d."""
        return len(self.variables)

    @cached_property
    def lows(self) -> Points:
        """The lower bounds (d,), in the user's units."""
        return _frozen([each.low for each in self.variables])

    @cached_property
    def highs(self) -> Points:
        """The upper bounds (d,), in the user's units."""
        return _frozen([each.high for each in self.variables])

    @cached_property
    def steps(self) -> Points:
        """The steps (d,), in the user's units; 0 for a continuous variable."""
        return _frozen([each.step or 0.0 for each in self.variables])

    @cached_property
    def costly(self) -> NDArray[np.bool_]:
        """Which variables (d,) cost something to change."""
        mask = np.array([not each.free for each in self.variables])
        mask.flags.writeable = False
        return mask

    @cached_property
    def _grid(self) -> Grid:
        return Grid(self.lows, self.highs, self.steps)

    @cached_property
    def _feasible(self) -> FeasibleSet:
        regions = () if self.region is None else self.region
        regions = tuple(regions) if isinstance(regions, Sequence) else (regions,)
        for region in regions:
            if not isinstance(region, Region):
                raise InputError(
                    f"region must be a Polygon, LinearInequalities, Predicate or Candidates; got {region!r}. "
                    "Wrap a function in Predicate."
                )
        return FeasibleSet(self._grid, tuple(region.bind(self.names, self._grid) for region in regions))

    def to_unit(self, X: ArrayLike) -> Points:
        """Map points (n, d) from the user's units to the unit cube."""
        return self._grid.to_unit(as_points(X, self.dim))

    def from_unit(self, U: ArrayLike) -> Points:
        """Map points (n, d) from the unit cube to the user's units; grid values come out as written."""
        return self._grid.from_unit(as_points(U, self.dim))

    def point(self, x: Mapping[str, object]) -> Points:
        """Return the array (d,), in the user's units, of a setting from outside; InputError if it is unfit.

        Bounds are checked, the region is not: an apparatus may have ended up outside of it.
        """
        if not isinstance(x, Mapping):
            raise InputError(f"A point must be a mapping from variable names to numbers; got {x!r}.")
        check_exact(x, self.names, "The point")
        values = np.empty(self.dim)
        for column, variable in enumerate(self.variables):
            value = as_real(x[variable.name], repr(variable.name))
            room = TOLERANCE * (variable.high - variable.low)
            if not variable.low - room <= value <= variable.high + room:
                raise InputError(
                    f"{variable.name!r} must be between {variable.low:g} and {variable.high:g}"
                    f"{_suffix(variable)}; got {value:g}. Correct the value, or declare wider bounds."
                )
            values[column] = min(max(value, variable.low), variable.high)
        return values

    def mapping(self, x: ArrayLike) -> dict[str, float]:
        """Return a point (d,) in the user's units as plain numbers by name."""
        return dict(
            zip(self.names, as_points(np.atleast_2d(np.asarray(x)), self.dim)[0].tolist(), strict=True)
        )

    def inside(self, U: ArrayLike) -> Mask:
        """Tell which points (n, d) keep the bounds and the region, borders included."""
        return self._feasible.inside(as_points(U, self.dim))

    def snap(self, U: ArrayLike) -> Points:
        """Round points (n, d) to the steps of the variables; the region is not looked at."""
        return self._grid.snap(as_points(U, self.dim))

    def project(self, U: ArrayLike) -> Points:
        """Return points (n, d) near `U` that are inside and on the steps."""
        return self._feasible.project(as_points(U, self.dim))

    def confine(self, U: ArrayLike) -> Points:
        """Return points (n, d) near `U` that are inside, between the steps too."""
        return self._feasible.confine(as_points(U, self.dim))

    @property
    def finite(self) -> Points | None:
        """All feasible points (n, d), where the region leaves few enough to list; None elsewhere."""
        return self._feasible.listed

    def uniform(self, n: int, rng: Generator) -> Points:
        """Draw n feasible points at random, on the steps; candidates without replacement while they last."""
        return self._feasible.uniform(_count(n), rng)

    def sobol(self, n: int, rng: Generator) -> Points:
        """Draw n feasible points of a scrambled Sobol sequence, on the steps; candidates as in `uniform`."""
        return self._feasible.sobol(_count(n), rng)


def _frozen(values: list[float]) -> Points:
    array = np.array(values, dtype=np.float64)
    array.flags.writeable = False
    return array


def _count(n: int) -> int:
    if isinstance(n, bool) or not isinstance(n, int | np.integer) or n < 0:
        raise InputError(f"The number of points must be a whole number, 0 or more; got {n!r}.")
    return int(n)


def _suffix(variable: Variable) -> str:
    return f" {variable.unit}" if variable.unit else ""
