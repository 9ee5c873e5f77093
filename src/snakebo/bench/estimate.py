"""A mean over runs with its spread, and how far apart two of them are."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Estimate:
    """Mean and sample standard deviation of n runs; the deviation of a single run is NaN."""

    mean: float
    std: float
    n: int

    @classmethod
    def of(cls, values: Sequence[float] | NDArray[np.float64]) -> Estimate:
        """Return the estimate from the values of at least one run."""
        array = np.asarray(values, dtype=float)
        std = float(array.std(ddof=1)) if len(array) > 1 else math.nan
        return cls(float(array.mean()), std, len(array))

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        return self.std / math.sqrt(self.n)


def margin(ours: Estimate, theirs: Estimate) -> float:
    """Return by how many standard errors of the difference ours is lower: (m₂ − m₁)/√(s₁²/n₁ + s₂²/n₂).

    Infinite where neither has any spread but the means differ, NaN where a spread is unknown.
    """
    difference = theirs.mean - ours.mean
    error = math.hypot(ours.error, theirs.error)
    if error == 0.0:
        return math.copysign(math.inf, difference) if difference else 0.0
    return difference / error
