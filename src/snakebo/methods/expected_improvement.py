"""Expected improvement (Močkus 1975), maximised in the logarithm (Ament et al. 2023)."""

from dataclasses import dataclass
from typing import ClassVar

from numpy.random import Generator

from snakebo.methods.acquire import acquire
from snakebo.methods.blind import wander
from snakebo.space import Points
from snakebo.surrogate.acquisition import LogExpectedImprovement
from snakebo.surrogate.model import fit_one
from snakebo.view import View


@dataclass(frozen=True)
class ExpectedImprovement:
    """Go wherever the improvement over the best value is expected to be largest, whatever the way costs."""

    several_objectives: ClassVar[bool] = False

    def plan(self, view: View, rng: Generator) -> Points:
        """Return one point."""
        if not len(view.told):
            return wander(view, rng)
        surrogate = fit_one(view, 0)
        return acquire(view, surrogate, LogExpectedImprovement(surrogate.gp, surrogate.best_value), rng)
