"""Leave out what promises little: the cheap way takes near points first, and near a known optimum are many.

More than half of the sample paths have their maximum where the best is known already. The tour takes those
first, again at every re-plan, and a run gets stuck there. What remains after this step has something to gain.
"""

from __future__ import annotations

import numpy as np

from snakebo.methods.thompson import Batch
from snakebo.surrogate.acquisition import LogExpectedImprovement
from snakebo.surrogate.model import Surrogate

_AT_LEAST = 3


def expected_gain(future: Batch) -> float:
    """The mean gain in sight, of the objective that promises most, in spreads of the values told."""
    gains = np.maximum(future.gains, 0.0)
    return max(float(gains[future.objectives == each].mean()) for each in np.unique(future.objectives))


def keep_promising(future: Batch, surrogates: list[Surrogate], least_gain: float, keep: float) -> Batch:
    """Drop points with less than `least_gain` of the mean gain, then keep the share `keep` of highest log-EI.

    Each objective is judged by itself; at least three points of each stay.
    """
    chosen = []
    for surrogate in surrogates:
        own = np.flatnonzero(future.objectives == surrogate.objective)
        if len(own) > _AT_LEAST and least_gain > 0.0:
            gains = future.gains[own]
            enough = gains >= least_gain * max(gains.mean(), 0.0)
            best = np.argsort(-gains, kind="stable")[:_AT_LEAST]
            own = own[enough] if enough.sum() >= _AT_LEAST else own[best]
        if len(own) > _AT_LEAST and keep < 1.0:
            improvement = LogExpectedImprovement(surrogate.gp, surrogate.best_mean)(future.points[own])
            own = own[np.argsort(-improvement, kind="stable")[: max(_AT_LEAST, round(keep * len(own)))]]
        chosen.append(np.sort(own))
    return future.take(np.concatenate(chosen))
