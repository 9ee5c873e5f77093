"""The paper's simplest baseline: a Sobol set, ordered once, never planned again."""

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from snakebo.methods.blind import HORIZON
from snakebo.methods.route import route
from snakebo.planning.deletion import delete_visited
from snakebo.space import Points
from snakebo.view import View

_SAME = 1e-6  # distance in the unit cube, up to which a point of the set has been visited


@dataclass(frozen=True)
class RandomTour:
    """Walk through a space-filling set by the cheapest path; results change nothing."""

    def plan(self, view: View, rng: Generator) -> Points:
        """Return what is left of the path; order anew only if there is none."""
        if len(view.plan):
            return view.plan
        size = min(view.budget, len(view.asked) + HORIZON)
        points = view.space.sobol(size, np.random.default_rng(view.seed))
        return route(view, points[delete_visited(points, view.asked, _SAME, rng)])
