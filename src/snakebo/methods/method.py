"""The one verb that every method has."""

from typing import Protocol, runtime_checkable

from numpy.random import Generator

from snakebo.space import Points
from snakebo.view import View


@runtime_checkable
class Method(Protocol):
    """Decides where to go next.

    A method is a frozen dataclass of settings; all it knows of the world comes with the view. It may carry a
    `protocol`, how it wants hyper-parameters found when the campaign does not say, and
    `several_objectives = False` if it takes no more than one.
    """

    def plan(self, view: View, rng: Generator) -> Points:
        """Return the points ahead (p, d), p ≥ 1, in order: unit cube, feasible, on the instruments' steps."""
