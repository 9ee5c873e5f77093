"""One acquisition optimiser for all one-step methods, so that each is compared at its best.

Dense candidates over the region and around known good places; the best that lie apart refined in one batch.
"""

import numpy as np
from numpy.random import Generator

from snakebo.methods.thompson import anchors
from snakebo.space import Points
from snakebo.surrogate.acquisition import Acquisition
from snakebo.surrogate.maximise import Search
from snakebo.surrogate.model import Surrogate
from snakebo.surrogate.refine import climb
from snakebo.view import View

_CANDIDATES = 2048
_STARTS = 16
_STEPS = 40
_APART = 0.05  # between two starts, in the unit cube
_TOO_CLOSE = 1e-3  # to a point whose result is outstanding, per √d


def acquire(view: View, surrogate: Surrogate, acquisition: Acquisition, rng: Generator) -> Points:
    """Return the best point (1, d), other than one whose result is outstanding already.

    A sequential method sees nothing of what is outstanding, so its maximiser stays where it is until the next
    result. The next best maximum is taken instead of asking for the same again.
    """
    ends, values = maximise(view, surrogate, acquisition, rng)
    for candidate in ends[np.argsort(-values, kind="stable")]:
        if _is_new(view, candidate):
            return np.array([candidate])
    spread = view.space.sobol(64, rng)
    fresh = np.array([_is_new(view, point) for point in spread])
    pool = spread[fresh] if fresh.any() else spread
    best = int(np.argmax(acquisition(pool)))
    return pool[best : best + 1]


def maximise(
    view: View, surrogate: Surrogate, acquisition: Acquisition, rng: Generator
) -> tuple[Points, Points]:
    """Return local maxima (k, d), on the instruments' steps, and their values (k,)."""
    space = view.space
    if space.finite is not None:
        values = acquisition(space.finite)
        top = np.argsort(-values, kind="stable")[: len(view.outstanding) + _STARTS]
        return space.finite[top], values[top]
    candidates = Search(_CANDIDATES).spread(space, anchors(view, surrogate), view.plan, rng)
    starts = _best_apart(candidates, acquisition(candidates))
    ends = space.project(climb(acquisition.value_and_gradient, starts, space.confine, _STEPS)[0])
    return ends, acquisition(ends)


def _best_apart(points: Points, values: Points) -> Points:
    """The best points that keep a distance from each other."""
    values = values.copy()
    chosen = []
    for _ in range(_STARTS):
        best = int(np.argmax(values))
        if values[best] == -np.inf:
            break
        chosen.append(best)
        values[np.linalg.norm(points - points[best], axis=1) < _APART] = -np.inf
    return points[chosen]


def _is_new(view: View, point: Points) -> bool:
    distances = np.linalg.norm(view.outstanding - point, axis=1)
    return bool(np.all(distances > _TOO_CLOSE * np.sqrt(view.space.dim)))
