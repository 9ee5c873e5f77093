"""Truncated expected improvement (Samaniego et al. 2021): towards EI's maximiser, a length scale at most."""

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from snakebo.methods.acquire import acquire
from snakebo.methods.blind import wander
from snakebo.methods.turns import fit_in_turn
from snakebo.space import Points
from snakebo.surrogate.acquisition import LogExpectedImprovement
from snakebo.view import View


@dataclass(frozen=True)
class TruncatedImprovement:
    """Go towards the largest expected improvement, by at most the smallest length scale.

    Several objectives take turns.
    """

    def plan(self, view: View, rng: Generator) -> Points:
        """Return one point, inside the region."""
        if not len(view.told):
            return wander(view, rng)
        surrogate = fit_in_turn(view)
        goal = acquire(view, surrogate, LogExpectedImprovement(surrogate.gp, surrogate.best_value), rng)
        if view.position is None:
            return goal
        way = goal[0] - view.position
        reach = min(1.0, surrogate.gp.shortest_lengthscale / max(float(np.linalg.norm(way)), 1e-300))
        return view.space.project((view.position + reach * way)[None])
