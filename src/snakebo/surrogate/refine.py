"""Climb many functions at once from many starts: projected BFGS in one batch, or the paper's Adam.

A function is anything with `value_and_gradient(U)`; a region comes in as a projection, applied to every move.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from snakebo.compiled import compiled
from snakebo.surrogate.kernel import Array

ValueAndGradient = Callable[[Array], tuple[Array, Array]]
Projection = Callable[[Array], Array]

_LONGEST_MOVE = 0.2  # of any coordinate, in the unit cube
_FIRST_MOVE = 0.02
_TOO_STEEP, _TOO_FLAT = 1e200, 1e-200  # curvature that numbers cannot hold is not learnt from


def climb(
    function: ValueAndGradient, starts: Array, project: Projection, steps: int = 15
) -> tuple[Array, Array]:
    """Maximise row by row from starts (B, d) inside the cube; return points (B, d) and values (B,).

    Every accepted move improves its row, so the result is never worse than the start.
    """
    x = starts.copy()
    f, g = function(x)
    H = np.zeros((*x.shape, x.shape[1]))
    norms = np.linalg.norm(g, axis=1)
    H[:, range(x.shape[1]), range(x.shape[1])] = (_FIRST_MOVE / np.maximum(norms, 1e-300))[:, None]
    fresh = np.ones(len(x), dtype=np.bool_)
    shrink = np.ones(len(x))
    walls = np.zeros_like(x)
    moved = np.empty_like(x)
    for _ in range(steps):
        _propose(x, g, H, shrink, walls, moved)
        trial = project(moved)
        trial_f, trial_g = function(trial)
        _note_walls(f, moved, trial, trial_f, walls)
        _accept(x, f, g, H, fresh, shrink, trial, trial_f, trial_g)
    return x, f


@compiled
def _propose(x: Array, g: Array, H: Array, shrink: Array, walls: Array, moved: Array) -> None:
    """Quasi-Newton moves, along the walls of cube and region where the gradient presses on them."""
    d = x.shape[1]
    free = np.empty(d, np.bool_)
    uphill = np.empty(d)
    wall = np.empty(d)
    for b in range(x.shape[0]):
        square = 0.0
        for i in range(d):
            free[i] = not ((x[b, i] <= 0.0 and g[b, i] < 0.0) or (x[b, i] >= 1.0 and g[b, i] > 0.0))
            uphill[i] = g[b, i] if free[i] else 0.0
            wall[i] = walls[b, i] if free[i] else 0.0
            square += wall[i] * wall[i]
        pressing = np.sum(uphill * wall) > 0.0
        if pressing:
            uphill -= np.sum(uphill * wall) / square * wall
        for i in range(d):
            moved[b, i] = 0.0
            if free[i]:
                for j in range(d):
                    moved[b, i] += H[b, i, j] * uphill[j]
        if pressing:
            moved[b] -= np.sum(moved[b] * wall) / square * wall
        longest = np.max(np.abs(moved[b]))
        factor = shrink[b] * min(1.0, _LONGEST_MOVE / max(longest, 1e-300))
        for i in range(d):
            moved[b, i] = min(1.0, max(0.0, x[b, i] + factor * moved[b, i]))


@compiled
def _note_walls(f: Array, moved: Array, trial: Array, trial_f: Array, walls: Array) -> None:
    """Remember the outward normal (d,) of the wall a move ran into; a projection goes back along it.

    Quasi-Newton moves and a projection do not go together: pushed back, such a move may lead downhill.
    """
    for b in range(moved.shape[0]):
        back = np.sqrt(np.sum((moved[b] - trial[b]) ** 2))
        if back > 1e-9:
            walls[b] = (moved[b] - trial[b]) / back
        elif trial_f[b] <= f[b]:
            walls[b] = 0.0


@compiled
def _accept(  # noqa: PLR0912 - a kernel takes arrays one by one and spells out its sums
    x: Array, f: Array, g: Array, H: Array, fresh: NDArray[np.bool_], shrink: Array,
    trial: Array, trial_f: Array, trial_g: Array,
) -> None:  # fmt: skip
    """Keep the moves that improve, and learn the curvature from them (BFGS on −f); else shorten the next."""
    d = x.shape[1]
    s = np.empty(d)
    y = np.empty(d)
    Hy = np.empty(d)
    for b in range(x.shape[0]):
        sy = 0.0
        yy = 0.0
        ss = 0.0
        for i in range(d):
            s[i] = trial[b, i] - x[b, i]
            y[i] = g[b, i] - trial_g[b, i]
            sy += s[i] * y[i]
            yy += y[i] * y[i]
            ss += s[i] * s[i]
        if ss == 0.0:
            continue
        usable = np.isfinite(trial_f[b]) and yy < _TOO_STEEP
        if usable and sy > max(1e-10 * np.sqrt(ss * yy), _TOO_FLAT):
            if fresh[b]:
                for i in range(d):
                    H[b, i, i] = sy / yy
                fresh[b] = False
            yHy = 0.0
            for i in range(d):
                Hy[i] = 0.0
                for j in range(d):
                    Hy[i] += H[b, i, j] * y[j]
                yHy += Hy[i] * y[i]
            for i in range(d):
                for j in range(d):
                    H[b, i, j] += (1.0 + yHy / sy) * s[i] * s[j] / sy - (Hy[i] * s[j] + s[i] * Hy[j]) / sy
        elif usable and trial_f[b] > f[b]:
            for i in range(d):
                for j in range(d):
                    H[b, i, j] *= 2.0  # still curving upwards: go further
        if usable and trial_f[b] > f[b]:
            shrink[b] = 1.0
            f[b] = trial_f[b]
            for i in range(d):
                x[b, i] = trial[b, i]
                g[b, i] = trial_g[b, i]
        else:
            shrink[b] *= 0.5 if shrink[b] > 1e-3 else 1.0


def climb_adam(
    function: ValueAndGradient, starts: Array, project: Projection, steps: int, rate: float = 0.01
) -> tuple[Array, Array]:
    """Adam (Kingma & Ba 2014) with its usual constants for a fixed number of epochs; points and values."""
    x = starts.copy()
    first, second = np.zeros_like(x), np.zeros_like(x)
    for t in range(1, steps + 1):
        g = function(x)[1]
        first += 0.1 * (g - first)
        second += 0.001 * (g * g - second)
        x = project(x + rate * (first / (1 - 0.9**t)) / (np.sqrt(second / (1 - 0.999**t)) + 1e-8))
    return x, function(x)[0]
