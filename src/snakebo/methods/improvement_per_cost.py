"""Expected improvement per cost, EI/(γ + cost) (Snoek et al. 2012), alone and with local penalisation."""

from dataclasses import dataclass
from typing import ClassVar

from numpy.random import Generator

from snakebo.checks import as_real
from snakebo.errors import InputError
from snakebo.methods.acquire import acquire
from snakebo.methods.blind import wander
from snakebo.methods.turns import fit_in_turn
from snakebo.space import Points
from snakebo.surrogate.acquisition import Acquisition, LogExpectedImprovement, PerCost
from snakebo.surrogate.model import Surrogate, fit_one
from snakebo.surrogate.penalty import penalized
from snakebo.view import View


@dataclass(frozen=True)
class ImprovementPerCost:
    """Go where expected improvement per cost is largest; γ is what staying counts. Objectives take turns."""

    gamma: float = 1.0

    def __post_init__(self) -> None:
        check_gamma(self.gamma)

    def plan(self, view: View, rng: Generator) -> Points:
        """Return one point."""
        if not len(view.told):
            return wander(view, rng)
        surrogate = fit_in_turn(view)
        return acquire(view, surrogate, per_cost(view, surrogate, self.gamma), rng)


@dataclass(frozen=True)
class PenalizedImprovementPerCost:
    """As eipu, kept away from every outstanding point by local penalisation (González et al. 2016)."""

    several_objectives: ClassVar[bool] = False

    gamma: float = 1.0

    def __post_init__(self) -> None:
        check_gamma(self.gamma)

    def plan(self, view: View, rng: Generator) -> Points:
        """Return one point."""
        if not len(view.told):
            return wander(view, rng)
        surrogate = fit_one(view, 0)
        return acquire(
            view, surrogate, penalized(per_cost(view, surrogate, self.gamma), view, surrogate, rng), rng
        )


def per_cost(view: View, surrogate: Surrogate, gamma: float) -> Acquisition:
    """log EI − log(γ + cost of the way from here): its gradient does not vanish where EI does."""
    improvement = LogExpectedImprovement(surrogate.gp, surrogate.best_value)
    position = view.position
    if position is None:
        return improvement
    return PerCost(improvement, lambda U: view.travel(position[None], U)[0], gamma)


def check_gamma(gamma: float) -> None:
    """Raise InputError unless γ is a positive number."""
    if as_real(gamma, "gamma") <= 0.0:
        raise InputError(f"gamma must be a positive number; got {gamma!r}.")
