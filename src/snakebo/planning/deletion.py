"""ε-point deletion: take out of a new batch what has been tried already (Folch et al. 2022, Algorithm 1)."""

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from snakebo.compiled import compiled
from snakebo.errors import InputError

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]


def delete_visited(batch: ArrayLike, visited: ArrayLike, epsilon: float, rng: Generator) -> Indices:
    """Return the sorted indices (T - t,) of the points of `batch` (T, d) that `visited` (t, d) leaves.

    Each visited point, in order, takes the nearest remaining one if that is closer than `epsilon`, and
    else a random one. Nothing remains if t >= T. Raises InputError on a wrong shape, on coordinates that
    are not finite and on an `epsilon` that is negative or not finite.
    """
    if not (np.isfinite(epsilon) and epsilon >= 0):
        raise InputError(f"epsilon must be finite and not negative, got {epsilon}.")
    points, past = (np.ascontiguousarray(given, dtype=np.float64) for given in (batch, visited))
    if points.ndim != 2 or (past.size and (past.ndim != 2 or past.shape[1] != points.shape[1])):
        raise InputError(f"batch (T, d) and visited (t, d) must agree, got {points.shape} and {past.shape}.")
    if not (np.isfinite(points).all() and np.isfinite(past).all()):
        raise InputError("The coordinates of batch and visited must be finite.")
    past = past.reshape(-1, points.shape[1])
    if len(past) >= len(points):
        return np.empty(0, dtype=np.int64)
    return _delete(points, past, float(epsilon), rng.random(len(past)))


@compiled
def _delete(batch: Floats, visited: Floats, epsilon: float, uniforms: Floats) -> Indices:
    """Algorithm 1 with its randomness drawn beforehand: one number in [0, 1) for each visited point."""
    remaining = np.arange(len(batch))
    size = len(batch)
    for step in range(len(visited)):
        nearest, least = 0, np.inf
        for slot in range(size):
            square = 0.0
            for axis in range(batch.shape[1]):
                square += (batch[remaining[slot], axis] - visited[step, axis]) ** 2
            if square < least:
                nearest, least = slot, square
        slot = nearest if np.sqrt(least) < epsilon else int(uniforms[step] * size)
        size -= 1
        remaining[slot:size] = remaining[slot + 1 : size + 1].copy()  # stays sorted
    return remaining[:size].copy()
