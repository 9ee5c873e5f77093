"""The paper's adaptive grid: fine around the position, coarse elsewhere (Folch et al. 2022, appendix).

It keeps the tour small: only the first steps of a plan are walked before it is made anew.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.spatial import KDTree

from snakebo.errors import InputError

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]

N_LOCAL = 25


def coarsen(
    batch: ArrayLike, position: ArrayLike, global_grid: ArrayLike, n_local: int = N_LOCAL
) -> tuple[Floats, Indices]:
    """Return the nodes (k, d) that stand for `batch` (n, d), and the node index (n,) of each of its points.

    The `n_local` points nearest to `position` (d,) are nodes themselves; each other point belongs to the
    nearest node among these and `global_grid` (N_g, d). Grid points that nothing belongs to are left out.
    Raises InputError on a wrong shape, on coordinates that are not finite and without any possible node.
    """
    points, here, grid = (np.asarray(given, dtype=np.float64) for given in (batch, position, global_grid))
    if points.ndim != 2 or here.shape != points.shape[1:] or grid.shape[1:] != points.shape[1:]:
        raise InputError(
            "batch (n, d), position (d,) and global_grid (N_g, d) must agree, "
            f"got {points.shape}, {here.shape} and {grid.shape}."
        )
    if not all(np.isfinite(given).all() for given in (points, here, grid)):
        raise InputError("The coordinates of batch, position and global_grid must be finite.")
    if n_local < 0 or n_local + len(grid) == 0:
        raise InputError(f"n_local must not be negative, nor 0 beside an empty global_grid; got {n_local}.")
    by_distance = np.argsort(np.linalg.norm(points - here, axis=1), kind="stable")
    local, others = by_distance[:n_local], by_distance[n_local:]
    nodes = np.concatenate([points[local], grid])
    assignment = np.empty(len(points), dtype=np.int64)
    assignment[local] = np.arange(len(local))
    if len(others):
        assignment[others] = KDTree(nodes).query(points[others])[1]
    used = np.isin(np.arange(len(nodes)), assignment)
    return nodes[used], (np.cumsum(used) - 1)[assignment]


def expand(node_order: ArrayLike, assignment: ArrayLike) -> Indices:
    """Return the order (n,) of the points when their nodes are visited in `node_order` (k,).

    The points of one node follow each other, in the order of the batch.
    """
    order = np.asarray(node_order, dtype=np.int64)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return np.argsort(rank[np.asarray(assignment, dtype=np.int64)], kind="stable").astype(np.int64)
