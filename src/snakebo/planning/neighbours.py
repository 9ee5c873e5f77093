"""The nearest nodes of each node: where a local search looks for better arcs."""

import numpy as np

from snakebo.compiled import compiled
from snakebo.planning.path import Floats, Order


@compiled
def is_symmetric(costs: Floats) -> bool:
    """Tell whether every way back costs exactly what the way there does."""
    for i in range(costs.shape[0]):
        for j in range(i):
            if costs[i, j] != costs[j, i]:
                return False
    return True


@compiled
def nearest_nodes(costs: Floats, start: Floats, k: int, symmetric: bool) -> tuple[Order, Floats]:
    """Return the k nearest nodes of each node and of the start, (n + 1, k), and their costs, ascending.

    Near is what costs little in the cheaper direction. Of the nodes at no cost, as equal points are, only
    two are listed, so that the list leads away from there; an empty slot has an infinite cost.
    """
    n = start.size
    near, near_costs = np.zeros((n + 1, k), dtype=np.int64), np.full((n + 1, k), np.inf)
    for a in range(n + 1):
        for b in range(n):
            cost = start[b] if a == n else costs[a, b]
            if a < n and not symmetric:
                cost = min(cost, costs[b, a])
            if (
                b == a
                or cost >= near_costs[a, k - 1]
                or (cost == 0.0 and near_costs[a, min(1, k - 1)] == 0.0)
            ):
                continue
            slot = k - 1
            while slot > 0 and near_costs[a, slot - 1] > cost:
                near[a, slot], near_costs[a, slot] = near[a, slot - 1], near_costs[a, slot - 1]
                slot -= 1
            near[a, slot], near_costs[a, slot] = b, cost
    return near, near_costs
