"""Probability of improvement (Kushner 1964), maximised in the logarithm."""

from dataclasses import dataclass
from typing import ClassVar

from numpy.random import Generator

from snakebo.checks import as_real
from snakebo.errors import InputError
from snakebo.methods.acquire import acquire
from snakebo.methods.blind import wander
from snakebo.space import Points
from snakebo.surrogate.acquisition import LogProbabilityOfImprovement
from snakebo.surrogate.model import fit_one
from snakebo.view import View


@dataclass(frozen=True)
class ProbabilityOfImprovement:
    """Go wherever a value above the best by `margin` is most likely; by how much more does not matter.

    The margin is in spreads of the values told. With none, as in the paper, the maximum lies right beside the
    best point, and the method hardly moves; 0.01 is usual.
    """

    several_objectives: ClassVar[bool] = False

    margin: float = 0.0

    def __post_init__(self) -> None:
        if as_real(self.margin, "margin of pi") < 0.0:
            raise InputError(f"margin of pi must be 0 or more; got {self.margin!r}.")

    def plan(self, view: View, rng: Generator) -> Points:
        """Return one point."""
        if not len(view.told):
            return wander(view, rng)
        surrogate = fit_one(view, 0)
        goal = surrogate.best_value + self.margin
        return acquire(view, surrogate, LogProbabilityOfImprovement(surrogate.gp, goal), rng)
