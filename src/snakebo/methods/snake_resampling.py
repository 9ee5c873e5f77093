"""SnAKe without deletion (section 3.5): what shows why deletion is needed."""

from dataclasses import dataclass

from numpy.random import Generator

from snakebo.methods.blind import HORIZON, wander
from snakebo.methods.route import route
from snakebo.methods.thompson import thompson_batch
from snakebo.space import Points
from snakebo.surrogate.maximise import Search
from snakebo.surrogate.model import fit
from snakebo.view import View


@dataclass(frozen=True)
class SnAKeResampling:
    """Sample as many futures as steps are left and order them, anew at every result. It gets stuck."""

    def plan(self, view: View, rng: Generator) -> Points:
        """Return the ordered batch."""
        if not len(view.told):
            return wander(view, rng)
        return route(
            view, thompson_batch(view, fit(view), min(view.steps_left, HORIZON), rng, Search()).points
        )
