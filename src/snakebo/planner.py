"""What comes next: the rest of the last plan, or a new one from the method, checked and affordable."""

from __future__ import annotations

import numpy as np

from snakebo.checks import as_points
from snakebo.errors import InputError
from snakebo.grid import TOLERANCE
from snakebo.history import History
from snakebo.space import Points
from snakebo.threads import one_blas_thread
from snakebo.view import Memo

_ROUNDING = 1e-12  # of the cost budget: a way that costs all of it is affordable


def look_ahead(history: History, memo: Memo) -> Points:
    """Return the points ahead (p, d) in the unit cube; a new plan is made after news, or at the end of one.

    They depend on the history and on the plan at the last ask, never on how often this is called.
    """
    points = history.plan
    if history.news or not len(points):
        rng = np.random.default_rng([history.settings.seed, len(history.trials)])
        with one_blas_thread():
            points = _checked(history.settings.method.plan(history.view(memo), rng), history)
    return affordable(points, history)


def _checked(points: Points, history: History) -> Points:
    settings, space = history.settings, history.settings.space
    what = f"{type(settings.method).__name__}.plan must return points (p ≥ 1, {space.dim})"
    try:
        checked = as_points(np.array(points), space.dim)
    except (TypeError, ValueError) as error:
        raise InputError(f"{what}; {error}") from error
    if not len(checked):
        raise InputError(f"{what}; got none.")
    off_step = np.abs(space.snap(checked) - checked).max(axis=1)
    fit = space.inside(checked) & (off_step <= TOLERANCE)
    if not fit.all():
        raise InputError(
            f"{what} in the unit cube, inside the region and on the steps of the variables; "
            f"got {checked[~fit][0].tolist()}."
        )
    return checked[: history.steps_left]


def affordable(points: Points, history: History) -> Points:
    """Leave out what is beyond the cost budget from here, then cut where the way would exceed it."""
    settings, space = history.settings, history.settings.space
    if settings.cost_budget is None or not len(points):
        return points
    left, cost = (1.0 + _ROUNDING) * settings.cost_budget - history.spent, settings.cost
    X = space.from_unit(points)
    first = np.zeros(len(X))
    if history.position is not None:
        first = cost(space.point(history.position)[None], X)[0]
        points, X, first = points[first <= left], X[first <= left], first[first <= left]
    legs = np.concatenate([first[:1], cost.pairs(X[:-1], X[1:])])
    return points[: int(np.searchsorted(np.cumsum(legs), left, side="right"))]
