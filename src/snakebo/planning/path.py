"""Open paths over a cost matrix: what makes one valid, its length, and the greedy first draft.

A path leaves a fixed start, which is no node of its own, visits every node once and does not return.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from snakebo.compiled import compiled
from snakebo.errors import InputError

Floats = NDArray[np.float64]
Order = NDArray[np.int64]


def check_costs(costs: ArrayLike, start_costs: ArrayLike | None) -> tuple[Floats, Floats]:
    """Return `costs` (n, n) and `start_costs` (n,) as arrays; a free start costs nothing.

    Raises InputError on a wrong shape and on costs that are negative or not finite.
    """
    matrix = np.ascontiguousarray(costs, dtype=np.float64)
    if matrix.size == 0:
        matrix = matrix.reshape(0, 0)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise InputError(f"costs must be a square matrix (n, n), got shape {matrix.shape}.")
    n = matrix.shape[0]
    start = np.zeros(n) if start_costs is None else np.ascontiguousarray(start_costs, dtype=np.float64)
    if start.shape != (n,):
        raise InputError(f"start_costs must have shape ({n},), one cost per node, got {start.shape}.")
    for name, values in (("costs", matrix), ("start_costs", start)):
        if n and not (values.min() >= 0 and values.max() < np.inf):
            raise InputError(f"{name} must be finite and not negative; check the movement cost.")
    return matrix, start


def path_length(costs: ArrayLike, start_costs: ArrayLike | None, order: Order) -> float:
    """Return the cost of visiting the nodes in `order` from the start (a free start costs nothing)."""
    matrix, start = check_costs(costs, start_costs)
    return float(start[order[:1]].sum() + matrix[order[:-1], order[1:]].sum())


@compiled
def nearest_neighbour(costs: Floats, start: Floats) -> Order:
    """Go to the cheapest node not yet visited, the first one among equals."""
    n = start.size
    order = np.empty(n, dtype=np.int64)
    visited = np.zeros(n, dtype=np.bool_)
    row = start
    for step in range(n):
        best = -1
        for node in range(n):
            if not visited[node] and (best < 0 or row[node] < row[best]):
                best = node
        order[step] = best
        visited[best] = True
        row = costs[best]
    return order
