"""The map between the user's units and the unit cube, and the steps an instrument can resolve."""

from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

import numpy as np

from snakebo.checks import Points

TOLERANCE = 1e-9  # of the range of a variable


@dataclass(frozen=True)
class Grid:
    """Bounds and steps of d variables; a step of 0 leaves a variable continuous."""

    lows: Points
    highs: Points
    steps: Points

    @property
    def dim(self) -> int:
        """The number of variables."""
        return len(self.lows)

    @cached_property
    def stepped(self) -> list[int]:
        """The columns that have a step."""
        return np.flatnonzero(self.steps).tolist()

    @cached_property
    def unit_steps(self) -> Points:
        """The steps of the stepped columns, as fractions of their ranges."""
        return np.asarray((self.steps / (self.highs - self.lows))[self.stepped])

    @cached_property
    def last(self) -> Points:
        """The index of the last step within the bounds, of each stepped column."""
        return np.asarray(np.floor(1.0 / self.unit_steps + TOLERANCE))

    @cached_property
    def decimals(self) -> list[int | None]:
        """The decimals that write every grid value of each stepped column; None where too many are needed."""
        needed = [max(_decimals(self.lows[column]), _decimals(self.steps[column])) for column in self.stepped]
        return [number if number <= 12 else None for number in needed]

    def to_unit(self, X: Points) -> Points:
        """Map points (n, d) from the user's units to the unit cube."""
        return np.asarray((X - self.lows) / (self.highs - self.lows))

    def from_unit(self, U: Points) -> Points:
        """Map points (n, d) from the unit cube to the user's units; grid values come out as written."""
        X = self.lows * (1.0 - U) + self.highs * U
        X = np.where((U >= 0.0) & (U <= 1.0), np.clip(X, self.lows, self.highs), X)
        for column, decimals in zip(self.stepped, self.decimals, strict=True):
            low, step = self.lows[column], self.steps[column]
            written = low + np.rint((X[:, column] - low) / step) * step
            if decimals is not None:
                written = np.round(written, decimals)
            near = np.abs(X[:, column] - written) <= TOLERANCE * (self.highs[column] - low)
            X[near, column] = written[near]
        return X

    def snap(self, U: Points) -> Points:
        """Round points (n, d) of the unit cube to the steps."""
        if not self.stepped:
            return U
        snapped = U.copy()
        steps = np.clip(np.rint(U[:, self.stepped] / self.unit_steps), 0.0, self.last)
        snapped[:, self.stepped] = np.minimum(steps * self.unit_steps, 1.0)
        return snapped

    def enumerate_points(self, most: int) -> Points | None:
        """Return all grid points (n, d) in the unit cube, or None where there are more than `most`."""
        if len(self.stepped) < self.dim or np.prod(self.last + 1.0) > most:
            return None
        axes = [np.arange(last + 1.0) for last in self.last]
        counts = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, self.dim)
        return np.minimum(counts * self.unit_steps, 1.0)


def _decimals(number: float) -> int:
    exponent = Decimal(repr(float(number))).normalize().as_tuple().exponent
    return max(0, -int(exponent))
