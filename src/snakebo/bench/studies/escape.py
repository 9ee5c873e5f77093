"""When a run leaves the local optimum it starts at, and when it should (Folch et al. 2022, section 3.7).

Without deletion every new batch holds samples close by, and they come first in the order: a run stays until
few steps are left. With it, those close by are used up after about p·T steps, p the non-escape probability.
"""

from __future__ import annotations

import numpy as np

from snakebo import methods
from snakebo.bench.studies.non_escape import Setting, estimate_non_escape
from snakebo.problems.problem import Problem
from snakebo.space import Points

PROBLEM = "bimodal1d"
NEIGHBOURHOOD = (0.1, 0.2)  # the interval A around its local optimum for which p is estimated
OBSERVATIONS = 15  # in it: p hardly changes with more
_REPEATS = 10
_FINE = 10_001


def find_basin(problem: Problem, x: float) -> tuple[float, float]:
    """Return the nearest minima on both sides of x, or the ends: between them all climbs end on one hill.

    Beyond them a run is on another hill. A narrower interval would take a look at the flank of the same hill
    for an escape.
    """
    (variable,) = problem.space.variables
    (goal,) = problem.goals
    grid = np.linspace(variable.low, variable.high, _FINE)
    values = np.array([goal.function(row) for row in grid[:, None]])
    lowest = (values[1:-1] < values[:-2]) & (values[1:-1] <= values[2:])
    ends = np.array([variable.low, *grid[1:-1][lowest], variable.high])
    above = int(np.clip(np.searchsorted(ends, x), 1, len(ends) - 1))
    return float(ends[above - 1]), float(ends[above])


def leaving_step(points: Points, basin: tuple[float, float]) -> int:
    """Return the first step, from 0, whose point (n, 1) is outside of the basin; n if there is none."""
    outside = (points[:, 0] < basin[0]) | (points[:, 0] > basin[1])
    return int(outside.argmax()) if outside.any() else len(points)


def predict_share(protocol: str) -> float:
    """Return p, so that a run with deletion is expected to leave at step p·T."""
    setting = Setting(PROBLEM, protocol, *NEIGHBOURHOOD)
    return float(np.mean([estimate_non_escape(setting, repeat, OBSERVATIONS) for repeat in range(_REPEATS)]))


def deletes(method: str) -> bool:
    """Tell whether a method deletes what was visited: with ε = 0 it drops samples at random instead."""
    return getattr(methods.get(method), "epsilon", 0.0) != 0.0
