"""The maximisers of all sample paths at once: a Thompson batch (Kandasamy et al. 2018)."""

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from snakebo.space import Points, Space
from snakebo.surrogate.kernel import Array
from snakebo.surrogate.posterior import Paths
from snakebo.surrogate.refine import climb, climb_adam

_SCALES = (0.1, 0.03, 0.01, 0.003)  # of the clouds around known good places, in the unit cube


@dataclass(frozen=True)
class Search:
    """How hard to look: candidates shared by all paths, then the best `starts` of each path refined."""

    candidates: int = 1024
    starts: int = 2
    steps: int = 15

    def __call__(
        self, paths: Paths, space: Space, anchors: Points, plan: Points, rng: Generator
    ) -> tuple[Points, Array]:
        """Return each path's maximiser (T, d) and its maximum (T,).

        anchors (k, d): places worth a close look, such as the best observations and the position;
        plan (p, d): the points of the last plan, near which today's maximisers tend to be.
        """
        if space.finite is not None:
            best = np.argmax(paths(space.finite), axis=1)
            found = space.finite[best]
            return found, paths.value_and_gradient(found, np.arange(len(paths)))[0]
        candidates = self.spread(space, anchors, plan, rng)
        scores = paths.rank(candidates)
        k = min(self.starts, len(candidates))
        top = np.argpartition(scores, -k, axis=1)[:, -k:]  # (T, k)
        owner = np.repeat(np.arange(len(paths)), k)
        x, _ = climb(
            lambda U: paths.value_and_gradient(U, owner), candidates[top.ravel()], space.confine, self.steps
        )
        return _best_of_each(paths, space, x, owner)

    def spread(self, space: Space, anchors: Points, plan: Points, rng: Generator) -> Points:
        """Candidates (about `candidates`, plus anchors and plan), half of them around the anchors."""
        everywhere = space.sobol(self.candidates if not len(anchors) else self.candidates // 2, rng)
        if not len(anchors):
            return np.vstack([everywhere, plan])
        each = -(-self.candidates // (2 * len(anchors)))
        scales = np.tile(np.repeat(_SCALES, -(-each // len(_SCALES)))[:each], len(anchors))
        cloud = np.repeat(anchors, each, axis=0)
        cloud = cloud + scales[:, None] * rng.standard_normal(cloud.shape)
        return np.vstack([everywhere, space.confine(cloud), anchors, plan])


@dataclass(frozen=True)
class PaperSearch:
    """The paper's: Adam at 0.01 for 10·d epochs from 10·d random starts for every path."""

    per_dimension: int = 10
    rate: float = 0.01

    def __call__(
        self, paths: Paths, space: Space, anchors: Points, plan: Points, rng: Generator
    ) -> tuple[Points, Array]:
        """Return each path's maximiser (T, d) and its maximum (T,); anchors and plan are not used."""
        count = self.per_dimension * space.dim
        owner = np.repeat(np.arange(len(paths)), count)
        starts = space.uniform(len(owner), rng)
        x, _ = climb_adam(
            lambda U: paths.value_and_gradient(U, owner), starts, space.confine, count, self.rate
        )
        return _best_of_each(paths, space, x, owner)


def _best_of_each(paths: Paths, space: Space, x: Points, owner: NDArray[np.int64]) -> tuple[Points, Array]:
    """Put the ends of all climbs onto the instruments' steps, and keep the best of each path."""
    x = space.project(x)
    values = paths.value_and_gradient(x, owner)[0].reshape(len(paths), -1)
    winner = np.argmax(values, axis=1)
    rows = np.arange(len(paths))
    return x.reshape(*values.shape, -1)[rows, winner], values[rows, winner]
