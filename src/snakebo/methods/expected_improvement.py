"""Expected improvement (Močkus 1975), maximised in the logarithm (Ament et al. 2023)."""

from dataclasses import dataclass

from numpy.random import Generator

from snakebo.methods.acquire import acquire, fit_single
from snakebo.methods.blind import wander
from snakebo.space import Points
from snakebo.surrogate.acquisition import LogExpectedImprovement
from snakebo.view import View


@dataclass(frozen=True)
class ExpectedImprovement:
    """Go wherever the improvement over the best value is expected to be largest, whatever the way costs."""

    def plan(self, view: View, rng: Generator) -> Points:
        """Return one point."""
        if not len(view.told):
            return wander(view, rng)
        surrogate = fit_single(view, "ei")
        return acquire(view, surrogate, LogExpectedImprovement(surrogate.gp, surrogate.best_value), rng)
