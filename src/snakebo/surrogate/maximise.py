"""The maximisers of all sample paths at once: a Thompson batch (Kandasamy et al. 2018)."""

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from snakebo.compiled import compiled
from snakebo.space import Points, Space
from snakebo.surrogate.kernel import Array
from snakebo.surrogate.posterior import Paths
from snakebo.surrogate.refine import climb, climb_adam

_SCALES = (0.1, 0.03, 0.01, 0.003)  # of the clouds around known good places, in the unit cube
_APART = 0.05  # the least distance between two starts of a path, in the unit cube, times √d
_SCOUTING = 4  # steps from every start, after which only the best of each path goes on


@dataclass(frozen=True)
class Search:
    """How hard to look: candidates shared by all paths, then climbs of `steps` from the best of each path.

    The best `starts` candidates would mostly lie on one hill, so each keeps a distance from the better ones.
    After a few steps the highest climb of a path is known, and it alone is finished.
    """

    candidates: int = 1024
    starts: int = 6
    steps: int = 14

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
        top = np.empty((len(paths), min(self.starts, len(candidates))), np.int64)
        _pick_apart(scores, candidates, _APART**2 * space.dim, top)
        x, values = self._climb(paths, space, candidates[top], min(self.steps, _SCOUTING))
        best = np.argmax(values, axis=1)[:, None, None]
        x, _ = self._climb(paths, space, np.take_along_axis(x, best, axis=1), self.steps - _SCOUTING)
        return _best_of_each(paths, space, x)

    def _climb(self, paths: Paths, space: Space, starts: Points, steps: int) -> tuple[Points, Array]:
        """Climb path t from starts[t], (T, k, d) in all; return the ends and their values (T, k)."""
        count, k, dim = starts.shape
        owner = np.repeat(np.arange(count), k)
        x, values = climb(
            lambda U: paths.value_and_gradient(U, owner), starts.reshape(-1, dim), space.confine, steps
        )
        return x.reshape(starts.shape), values.reshape(count, k)

    def spread(self, space: Space, anchors: Points, plan: Points, rng: Generator) -> Points:
        """Candidates (about `candidates`, plus anchors and plan points), half of them around the anchors."""
        everywhere = space.sobol(self.candidates if not len(anchors) else self.candidates // 2, rng)
        plan = plan[: self.candidates // 2]  # its beginning: more would make the search grow with T²
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
        return _best_of_each(paths, space, x.reshape(len(paths), count, -1))


def _best_of_each(paths: Paths, space: Space, ends: Points) -> tuple[Points, Array]:
    """Put the ends (T, k, d) of all climbs onto the instruments' steps, and keep the best of each path."""
    count, k, dim = ends.shape
    x = space.project(ends.reshape(-1, dim))
    values = paths.value_and_gradient(x, np.repeat(np.arange(count), k))[0].reshape(count, k)
    winner = np.argmax(values, axis=1)
    rows = np.arange(count)
    return x.reshape(ends.shape)[rows, winner], values[rows, winner]


@compiled
def _pick_apart(
    scores: NDArray[np.float32], points: Points, apart_squared: float, top: NDArray[np.int64]
) -> None:
    """Fill top (T, k) with the best of each row of scores (T, N), no two too close; scores are used up.

    Which points (N, d) are close to a pick is found once: many paths pick the same ones.
    """
    n, dim = points.shape
    close = np.empty((n, n), np.bool_)
    known = np.zeros(n, np.bool_)
    for t in range(top.shape[0]):
        row = scores[t]
        for k in range(top.shape[1]):
            best = 0
            for i in range(1, n):
                if row[i] > row[best]:
                    best = i
            if k > 0 and row[best] == -np.inf:
                best = top[t, k - 1]
            top[t, k] = best
            if not known[best]:
                known[best] = True
                for i in range(n):
                    squared = 0.0
                    for j in range(dim):
                        squared += (points[i, j] - points[best, j]) ** 2
                    close[best, i] = squared < apart_squared
            for i in range(n):
                if close[best, i]:
                    row[i] = -np.inf
