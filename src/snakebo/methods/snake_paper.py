"""SnAKe as the paper describes it, part by part (Algorithm 2, appendix D): to reproduce, and to compare."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.random import Generator

from snakebo.checks import as_whole
from snakebo.methods.blind import HORIZON
from snakebo.methods.snake import batch_size, check_epsilon, delete_visited, radius
from snakebo.methods.thompson import thompson_batch
from snakebo.planning.annealing import annealed_path
from snakebo.planning.grid import coarsen, expand
from snakebo.space import Points
from snakebo.surrogate.maximise import PaperSearch
from snakebo.surrogate.model import fit
from snakebo.surrogate.protocol import Cold
from snakebo.view import View


@dataclass(frozen=True)
class SnAKePaper:
    """1024 features with random phases, Adam from 10·d starts, an annealed tour on the adaptive grid."""

    epsilon: float | Literal["lengthscale"] = "lengthscale"
    features: int = 1024
    n_local: int = 25  # N_l
    n_global: int = 100  # N_g

    def __post_init__(self) -> None:
        check_epsilon(self.epsilon)
        for name, least in (("features", 1), ("n_local", 0), ("n_global", 1)):
            as_whole(getattr(self, name), f"{name} of SnAKePaper", least)

    @property
    def protocol(self) -> Cold:
        """Without an educated guess: the paper's RBF kernel on standardised values."""
        return Cold(kernel="rbf", scaling="standardize")

    def plan(self, view: View, rng: Generator) -> Points:
        """Algorithm 2."""
        if not len(view.told):
            return self._route(view, view.space.uniform(min(view.steps_left, HORIZON), rng), rng)
        surrogates = fit(view)
        future = thompson_batch(
            view, surrogates, batch_size(view), rng, PaperSearch(), features=self.features, phases=True
        )
        future = delete_visited(view, future, radius(self.epsilon, surrogates), rng)
        return self._route(view, future.points, rng)

    def _route(self, view: View, points: Points, rng: Generator) -> Points:
        """Appendix D.1: far points are moved to a coarse grid before they are ordered."""
        position = points[0] if view.position is None else view.position
        grid = view.space.sobol(self.n_global, np.random.default_rng(view.seed))
        nodes, assignment = coarsen(points, position, grid, self.n_local)
        order = annealed_path(view.travel(nodes, nodes), view.travel(position[None], nodes)[0], rng)
        return nodes[assignment[expand(order, assignment)]]
