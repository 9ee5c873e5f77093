"""Bands: the mean of a series and half a standard deviation around it, along the steps or along the cost."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from snakebo.bench.record import Array
from snakebo.bench.series import Series


@dataclass(frozen=True, eq=False)
class Band:
    """A mean (m,) at places x (m,), and half a standard deviation (m,), which a single run has not."""

    x: Array
    mean: Array
    half: Array | None

    @classmethod
    def of(cls, x: Array, rows: Array) -> Band:
        """Return the band of rows (runs, m)."""
        half = rows.std(axis=0, ddof=1) / 2 if len(rows) > 1 else None
        return cls(x, rows.mean(axis=0), half)


def regret_by_step(series: Series) -> Band:
    """Return the log-regret after 1, 2, … steps."""
    return Band.of(_steps(series), series.log_regret)


def cost_by_step(series: Series) -> Band:
    """Return the cost spent after 1, 2, … steps."""
    return Band.of(_steps(series), series.spent)


def regret_by_cost(series: Series, limit: float, points: int = 400) -> Band:
    """Return the log-regret at costs from 0 to `limit`, or to what the costliest run has spent.

    At a given cost a run has what it had reached with the last move that it could pay for: a step function.
    """
    grid = np.linspace(0.0, min(limit, float(series.spent.max())), points)
    rows = [
        regret[np.searchsorted(spent, grid, side="right") - 1]
        for regret, spent in zip(series.log_regret, series.spent, strict=True)
    ]
    return Band.of(grid, np.array(rows))


def _steps(series: Series) -> Array:
    return np.arange(1.0, 1 + series.spent.shape[1])
