"""Thompson sampling (Kandasamy et al. 2018): the maximiser of one posterior sample, anew at every step."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.random import Generator

from snakebo.checks import as_whole
from snakebo.methods.blind import wander
from snakebo.methods.thompson import anchors
from snakebo.space import Points
from snakebo.surrogate.maximise import Search
from snakebo.surrogate.model import draw_paths, fit_one
from snakebo.view import View


@dataclass(frozen=True)
class ThompsonSampling:
    """Go to the maximiser of one function drawn from the posterior. Late results do no harm: draws differ."""

    several_objectives: ClassVar[bool] = False

    features: int = 1024

    def __post_init__(self) -> None:
        as_whole(self.features, "features of ts", 16)

    def plan(self, view: View, rng: Generator) -> Points:
        """Return one point."""
        if not len(view.told):
            return wander(view, rng)
        surrogate = fit_one(view, 0)
        path = draw_paths(surrogate, 1, rng, self.features)
        nothing = np.empty((0, view.space.dim))
        return Search(2048, 8, 30)(path, view.space, anchors(view, surrogate), nothing, rng)[0]
