"""The cheapest order to visit a set of points: an open path, short and soon found.

The nearest-neighbour path is improved by 2-opt and Or-opt until neither helps, then by a fixed number of
small kicks, each kept only if the repaired path is no longer. Costs may depend on the direction.
"""

from numpy.typing import ArrayLike

from snakebo.planning.local_search import improve
from snakebo.planning.path import Order, check_costs, nearest_neighbour

KICKS_PER_NODE = 1
"""Measured at 300 nodes: 2 % shorter than with none, and within 1 % of twenty times as many."""


def shortest_path(costs: ArrayLike, start_costs: ArrayLike | None = None) -> Order:
    """Return the order (n,) in which to visit n points, from a fixed start and without return.

    `costs` (n, n) holds at [i, j] the cost from point i to point j, `start_costs` (n,) the cost from the
    start to each; without it the path may begin anywhere. A heuristic: never longer than the
    nearest-neighbour path, and the same for the same input. Raises InputError on a wrong shape and on
    costs that are negative or not finite.
    """
    matrix, start = check_costs(costs, start_costs)
    greedy = nearest_neighbour(matrix, start)
    return greedy if greedy.size < 2 else improve(matrix, start, greedy, KICKS_PER_NODE * greedy.size)
