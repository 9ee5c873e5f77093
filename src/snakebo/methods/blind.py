"""Before the first result there is nothing to model: walk through points that fill the space."""

from numpy.random import Generator

from snakebo.methods.route import route
from snakebo.space import Points
from snakebo.view import View

HORIZON = 2000
"""How many steps are planned ahead at most; a tour needs the costs between all of them."""


def wander(view: View, rng: Generator) -> Points:
    """Return an ordered path through random feasible points, one for each step left."""
    return route(view, view.space.uniform(min(view.steps_left, HORIZON), rng))
