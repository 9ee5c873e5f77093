"""The cheapest order to visit a set of points: an open path, short and soon found.

The nearest-neighbour path is improved by 2-opt and Or-opt until neither helps, then by a fixed number of
small kicks, each kept only if the repaired path is no longer. Costs may depend on the direction.
"""

from numpy.typing import ArrayLike

from snakebo.planning.local_search import improve, prepare
from snakebo.planning.neighbours import is_symmetric, nearest_nodes
from snakebo.planning.path import Order, check_costs, nearest_neighbour

NEIGHBOURS = 8
"""Moves are tried towards this many of the nearest nodes of each node."""

NODES_PER_KICK = 4
"""One kick for so many nodes; more of them shorten the path further, at a price in time."""

MAX_KICKS = 100
"""Long paths are planned anew before their far end is reached."""


def shortest_path(costs: ArrayLike, start_costs: ArrayLike | None = None) -> Order:
    """Return the order (n,) in which to visit n points, from a fixed start and without return.

    `costs` (n, n) holds at [i, j] the cost from point i to point j, `start_costs` (n,) the cost from the
    start to each; without it the path may begin anywhere. A heuristic: never longer than the
    nearest-neighbour path, and the same for the same input. Raises InputError on a wrong shape and on
    costs that are negative or not finite.
    """
    matrix, start = check_costs(costs, start_costs)
    order = nearest_neighbour(matrix, start)
    n = order.size
    if n < 2:
        return order
    symmetric = is_symmetric(matrix)
    near, near_costs = nearest_nodes(matrix, start, min(NEIGHBOURS, n - 1), symmetric)
    tour = prepare(matrix, start, order, near=near, near_costs=near_costs, symmetric=symmetric)
    improve(tour, min(n // NODES_PER_KICK, MAX_KICKS))
    return tour.nodes[1:-1].copy()
