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


def polish(view: View, surrogates: list[Surrogate], rng: Generator) -> Points:
    """Return one point (1, d): the best log-EI within a length scale, at most 0.1 per axis, of the best.

    Outstanding points count as told their mean. Objectives that have a share of the plan take turns, of some
    steps each, since the way from one best to another is long; the last tenth of the budget has one of each.
    """
    wanted = [each for each, share in zip(surrogates, view.proportions, strict=True) if share > 0.0]
    stay = min(_LONGEST_TURN, math.ceil(0.1 * view.budget / len(wanted)))
    surrogate = wanted[-1 - (view.steps_left - 1) // stay % len(wanted)]
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
