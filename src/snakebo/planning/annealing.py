"""The paper's tour: simulated annealing from a greedy start (Folch et al. 2022, appendix on SnAKe).

The schedule is the default of networkx. It begins so hot for costs around 1 that almost every swap is
accepted, and what comes back is seldom better than the greedy path.
"""

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from snakebo.compiled import compiled
from snakebo.planning.path import Floats, Order, check_costs, nearest_neighbour

TEMPERATURE = 100.0
COOLING = 0.01
SWAPS = 100
"""Swaps tried at each temperature."""
PATIENCE = 10
"""End when more than this many temperatures in a row have brought no new best path."""


def annealed_path(costs: ArrayLike, start_costs: ArrayLike | None, rng: Generator) -> Order:
    """Return the order (n,) in which to visit n points, from a fixed start and without return.

    Arguments and errors as in `shortest_path`; never longer than the nearest-neighbour path.
    """
    matrix, start = check_costs(costs, start_costs)
    order = nearest_neighbour(matrix, start)
    if order.size < 2:
        return order
    best, best_excess, excess = order.copy(), 0.0, 0.0
    temperature, idle = TEMPERATURE, 0
    while idle <= PATIENCE:
        idle += 1
        uniforms = rng.random((SWAPS, 3))
        excess, lowest = _anneal(matrix, start, order, best, excess, best_excess, temperature, uniforms)
        if lowest < best_excess:
            best_excess, idle = lowest, 0
        temperature *= 1 - COOLING
    return best


@compiled
def _anneal(
    costs: Floats,
    start: Floats,
    order: Order,
    best: Order,
    excess: float,
    best_excess: float,
    temperature: float,
    uniforms: Floats,
) -> tuple[float, float]:
    """Try one swap for each row of `uniforms`, changing `order` and `best`.

    Return the cost of both, in excess of the path that annealing began with.
    """
    n = order.size
    for step in range(len(uniforms)):
        i = int(uniforms[step, 0] * n)
        j = (i + 1 + int(uniforms[step, 1] * (n - 1))) % n
        before = _cost_around(costs, start, order, i, j)
        order[i], order[j] = order[j], order[i]
        rise = _cost_around(costs, start, order, i, j) - before
        if rise > 0 and np.exp(-rise / temperature) < uniforms[step, 2]:
            order[i], order[j] = order[j], order[i]
            continue
        excess += rise
        if excess < best_excess - 1e-12 * before:  # rounding errors are no gain
            best_excess = excess
            best[:] = order
    return excess, best_excess


@compiled
def _cost_around(costs: Floats, start: Floats, order: Order, i: int, j: int) -> float:
    """Return the cost of the arcs that touch the places i or j, each counted once."""
    low, high = min(i, j), max(i, j)
    total = _cost_into(costs, start, order, low) + _cost_into(costs, start, order, high)
    if low + 1 < high:
        total += _cost_into(costs, start, order, low + 1)
    if high + 1 < order.size:
        total += _cost_into(costs, start, order, high + 1)
    return total


@compiled
def _cost_into(costs: Floats, start: Floats, order: Order, place: int) -> float:
    return float(start[order[place]] if place == 0 else costs[order[place - 1], order[place]])
