"""Upper confidence bound (Srinivas et al. 2010), alone and with local penalisation."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.random import Generator

from snakebo.checks import as_real
from snakebo.errors import InputError
from snakebo.methods.acquire import acquire
from snakebo.methods.blind import wander
from snakebo.space import Points
from snakebo.surrogate.acquisition import LogSoftplus, UpperBound
from snakebo.surrogate.model import fit_one
from snakebo.surrogate.penalty import penalized
from snakebo.view import View


@dataclass(frozen=True)
class UpperConfidenceBound:
    """Go where mean + β·deviation is largest; β_t = weight·d·log(2t) (Kandasamy et al. 2019)."""

    several_objectives: ClassVar[bool] = False

    weight: float = 0.2

    def __post_init__(self) -> None:
        check_weight(self.weight)

    def plan(self, view: View, rng: Generator) -> Points:
        """Return one point."""
        if not len(view.told):
            return wander(view, rng)
        surrogate = fit_one(view, 0)
        return acquire(view, surrogate, UpperBound(surrogate.gp, beta(view, self.weight)), rng)


@dataclass(frozen=True)
class PenalizedUpperConfidenceBound:
    """As ucb, kept away from every outstanding point by local penalisation (González et al. 2016)."""

    several_objectives: ClassVar[bool] = False

    weight: float = 0.2

    def __post_init__(self) -> None:
        check_weight(self.weight)

    def plan(self, view: View, rng: Generator) -> Points:
        """Return one point."""
        if not len(view.told):
            return wander(view, rng)
        surrogate = fit_one(view, 0)
        bound = LogSoftplus(UpperBound(surrogate.gp, beta(view, self.weight)))
        return acquire(view, surrogate, penalized(bound, view, surrogate, rng), rng)


def beta(view: View, weight: float) -> float:
    """β_t, with t the step that is planned."""
    return weight * view.space.dim * float(np.log(2.0 * (len(view.asked) + 1)))


def check_weight(weight: float) -> None:
    """Raise InputError unless the weight is a number ≥ 0."""
    if as_real(weight, "weight") < 0.0:
        raise InputError(f"weight must be a number ≥ 0; got {weight!r}.")
