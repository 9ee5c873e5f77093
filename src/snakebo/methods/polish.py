"""The last steps: local expected improvement around the best, which costs almost no travel."""

from __future__ import annotations

import math

import numpy as np
from numpy.random import Generator

from snakebo.space import Points
from snakebo.surrogate.acquisition import LogExpectedImprovement
from snakebo.surrogate.model import Surrogate, believe
from snakebo.surrogate.refine import climb
from snakebo.view import View

_WIDEST = 0.1  # of each axis
_CANDIDATES = 512
_STARTS = 8
_LONGEST_TURN = 10  # steps


def whose_turn(view: View, surrogates: list[Surrogate]) -> Surrogate:
    """Objectives with a share of the plan take turns, so that the last tenth of the budget has one of each.

    A turn is of some steps, since the way from one best to another is long.
    """
    wanted = _wanted(view, surrogates)
    stay = min(_LONGEST_TURN, math.ceil(0.1 * view.budget / len(wanted)))
    return wanted[-1 - (view.steps_left - 1) // stay % len(wanted)]


def nearest(view: View, surrogates: list[Surrogate]) -> Surrogate:
    """The objective with a share of the plan whose best point costs least to go to."""
    wanted = _wanted(view, surrogates)
    if view.position is None or len(wanted) == 1:
        return wanted[0]
    bests = np.vstack([each.gp.X[np.argmax(each.gp.mean(each.gp.X))] for each in wanted])
    return wanted[int(np.argmin(view.travel(view.position[None], bests)[0]))]


def _wanted(view: View, surrogates: list[Surrogate]) -> list[Surrogate]:
    return [each for each, share in zip(surrogates, view.proportions, strict=True) if share > 0.0]


def polish(view: View, surrogate: Surrogate, rng: Generator) -> Points:
    """Return one point (1, d): the best log-EI within a length scale, at most 0.1 per axis, of the best.

    Outstanding points count as told their mean.
    """
    gp = believe(surrogate.gp, view.outstanding)
    means = gp.mean(gp.X)
    best = int(np.argmax(means))
    reach = np.fmin(gp.scale, _WIDEST)  # a model that does not say its length scales has NaN
    low, high = gp.X[best] - reach, gp.X[best] + reach

    def confine(U: Points) -> Points:
        return view.space.confine(np.clip(U, low, high))

    improvement = LogExpectedImprovement(gp, float(means[best]))
    shrink = 10.0 ** rng.uniform(-2.0, 0.0, (_CANDIDATES, 1))
    candidates = confine(gp.X[best] + shrink * reach * rng.uniform(-1.0, 1.0, (_CANDIDATES, len(reach))))
    starts = candidates[np.argsort(-improvement(candidates), kind="stable")[:_STARTS]]
    ends = view.space.project(climb(improvement.value_and_gradient, starts, confine)[0])
    return ends[[np.argmax(improvement(ends))]]
