"""Probability of improvement (Kushner 1964), maximised in the logarithm."""

from dataclasses import dataclass

from numpy.random import Generator

from snakebo.methods.acquire import acquire, fit_single
from snakebo.methods.blind import wander
from snakebo.space import Points
from snakebo.surrogate.acquisition import LogProbabilityOfImprovement
from snakebo.view import View


@dataclass(frozen=True)
class ProbabilityOfImprovement:
    """Go wherever a value above the best is most likely; by how much does not matter."""

    def plan(self, view: View, rng: Generator) -> Points:
        """Return one point."""
        if not len(view.told):
            return wander(view, rng)
        surrogate = fit_single(view, "pi")
        return acquire(view, surrogate, LogProbabilityOfImprovement(surrogate.gp, surrogate.best_value), rng)
