"""Before the first result there is nothing to model: start anywhere, then go on through a space-filling set."""

from numpy.random import Generator

from snakebo.methods.route import route
from snakebo.space import Points
from snakebo.view import View


def wander(view: View, rng: Generator) -> Points:
    """Return an ordered path through random feasible points, one for each step left."""
    return route(view, view.space.uniform(view.steps_left, rng))
