"""A batch of Thompson samples, mixed from all objectives in given proportions (section 3.3, appendix C)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from snakebo.space import Points
from snakebo.surrogate.maximise import PaperSearch, Search
from snakebo.surrogate.model import Surrogate, sample_paths
from snakebo.view import View

_BEST_FEW = 5


@dataclass(frozen=True)
class Batch:
    """Maximisers (n, d) of sample paths, what each promises over the best known, and of which objective."""

    points: Points
    gains: NDArray[np.float64]
    objectives: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.points)

    def take(self, index: NDArray[np.int64] | NDArray[np.bool_]) -> Batch:
        """Keep the points of an index or a mask."""
        return Batch(self.points[index], self.gains[index], self.objectives[index])


def thompson_batch(
    view: View,
    surrogates: list[Surrogate],
    size: int,
    rng: Generator,
    search: Search | PaperSearch,
    spread: float = 1.0,
    features: int = 512,
    phases: bool = False,
) -> Batch:
    """Maximise `size` sample paths, each path's deviation from the mean scaled by `spread`."""
    batches = []
    for surrogate, count in zip(surrogates, shares(size, view.proportions), strict=True):
        if not count:
            continue
        paths = replace(sample_paths(view, surrogate, count, features, phases), spread=spread)
        points, maxima = search(paths, view.space, anchors(view, surrogate), view.plan, rng)
        batches.append(Batch(points, maxima - surrogate.best_mean, np.full(count, surrogate.objective)))
    return Batch(
        np.vstack([b.points for b in batches]),
        np.concatenate([b.gains for b in batches]),
        np.concatenate([b.objectives for b in batches]),
    )


def shares(size: int, proportions: tuple[float, ...]) -> list[int]:
    """Split `size` into whole parts by proportion; what rounding leaves goes to the largest remainders."""
    exact = size * np.array(proportions) / np.sum(proportions)
    parts = np.floor(exact).astype(int)
    largest = np.argsort(parts - exact, kind="stable")
    parts[largest[: size - parts.sum()]] += 1
    return [int(part) for part in parts]


def anchors(view: View, surrogate: Surrogate) -> Points:
    """Places around which maximisers tend to lie: the best few observations, and the position."""
    best = surrogate.gp.X[np.argsort(-surrogate.gp.y, kind="stable")[:_BEST_FEW]]
    return best if view.position is None else np.vstack([best, view.position])
