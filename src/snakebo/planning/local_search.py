"""Local search on an open path: 2-opt and Or-opt over neighbour lists, right for asymmetric costs too.

Every change is made of reversals of a stretch, so that a list of them undoes it.
"""

from typing import NamedTuple

import numpy as np

from snakebo.compiled import compiled
from snakebo.planning.path import Floats, Order

NEIGHBOURS = 10
"""Moves are tried towards this many of the nearest nodes of each node."""

LONGEST_SEGMENT = 3
"""Or-opt moves up to this many nodes at once."""

TINY = 1e-12
"""The least gain of a move, relative to the arcs it removes: rounding errors are no gain."""

KICK_SPAN = 10
"""A kick exchanges two adjacent stretches of at most this many nodes together."""

MAX_REPAIR = 200
"""Reversals that the repair of one kick may take."""

MAX_REVERSALS_PER_NODE = 400
"""A bound on the first descent that is not reached in practice."""


class _Tour(NamedTuple):
    """A path as a cycle closed by the depot, node n, which stands at place 0 and again at place n + 1."""

    costs: Floats
    start: Floats  # (n + 1,) from the depot; to the depot is free
    nodes: Order  # by place
    places: Order  # by node
    near: Order  # (n + 1, k) the nearest of each node, in the cheaper direction
    near_costs: Floats
    symmetric: bool
    surplus: Floats  # by place: cost of the way back from there to the first node, minus the way there
    undo: Order  # (m, 2) the reversals since `used` was last set to zero
    used: Order  # (1,) how many
    queue: Order  # (n + 1,) a ring of the nodes near which something has changed
    waiting: Order  # (n + 3,) by node whether it is in the ring; then the head and the length of the ring


@compiled
def improve(costs: Floats, start: Floats, order: Order, kicks: int) -> Order:
    """Return a path no longer than `order`: descend, then kick and repair so many times."""
    tour = _prepare(costs, start, order)
    _descend(tour, MAX_REVERSALS_PER_NODE * order.size)
    random = 1
    for _ in range(kicks):
        random = _kick(tour, random)
    return tour.nodes[1:-1].copy()


@compiled
def _kick(tour: _Tour, random: int) -> int:
    """Exchange two neighbouring stretches, repair, and undo all if that made the path longer."""
    n = tour.costs.shape[0]
    longest = min(KICK_SPAN, n) // 2
    random, i = _draw(random, 1, n - 2 * longest + 1)
    random, j = _draw(random, i, i + longest - 1)
    random, k = _draw(random, j + 1, j + longest)
    tour.used[0] = 0
    gain = _exchange(tour, i, j, k)
    gain += _descend(tour, MAX_REPAIR)
    if gain < 0.0:
        for step in range(tour.used[0] - 1, -1, -1):
            _reverse(tour, tour.undo[step, 0], tour.undo[step, 1])
    return random


@compiled
def _draw(random: int, low: int, high: int) -> tuple[int, int]:
    """Step a Lehmer generator: kicks need variety rather than randomness, and a tour no seed."""
    random = random * 48271 % 2147483647
    return random, low + random % (high - low + 1)


@compiled
def _prepare(costs: Floats, start: Floats, order: Order) -> _Tour:
    """Return the tour that follows `order`, with every node waiting to be looked at."""
    n = order.size
    k = min(NEIGHBOURS, n - 1)
    nodes = np.full(n + 2, n)
    nodes[1:-1] = order
    places = np.zeros(n + 1, dtype=np.int64)
    places[order] = np.arange(1, n + 1)
    queue, waiting = nodes[:-1].copy(), np.ones(n + 3, dtype=np.int64)
    waiting[n + 1], waiting[n + 2] = 0, n + 1
    tour = _Tour(
        costs,
        np.append(start, 0.0),
        nodes,
        places,
        np.empty((n + 1, k), dtype=np.int64),
        np.full((n + 1, k), np.inf),
        _is_symmetric(costs),
        np.zeros(n + 2),
        np.empty((MAX_REPAIR + 10, 2), dtype=np.int64),
        np.zeros(1, dtype=np.int64),
        queue,
        waiting,
    )
    _fill_near(tour)
    if not tour.symmetric:
        _refresh_surplus(tour, 2, n)
    return tour


@compiled
def _descend(tour: _Tour, max_reversals: int) -> float:
    """Improve around the waiting nodes until no move helps, and return by how much."""
    n = tour.costs.shape[0]
    total, reversals = 0.0, 0
    while tour.waiting[n + 2] > 0:
        node = tour.queue[tour.waiting[n + 1]]
        tour.waiting[n + 1] = (tour.waiting[n + 1] + 1) % (n + 1)
        tour.waiting[n + 2] -= 1
        tour.waiting[node] = 0
        gain = 1.0
        while gain > 0.0 and reversals < max_reversals:
            gain = _improve_at(tour, node)
            total += gain
            reversals += 4
    return total


@compiled
def _exchange(tour: _Tour, i: int, j: int, k: int) -> float:
    """Exchange the adjacent stretches i to j and j + 1 to k, and return the gain, which may be negative."""
    costs, start, nodes = tour.costs, tour.start, tour.nodes
    before, first, last, second, end, after = (
        nodes[i - 1],
        nodes[i],
        nodes[j],
        nodes[j + 1],
        nodes[k],
        nodes[k + 1],
    )
    gain = (
        _arc(costs, start, before, first) + _arc(costs, start, last, second) + _arc(costs, start, end, after)
    )
    gain -= (
        _arc(costs, start, before, second) + _arc(costs, start, end, first) + _arc(costs, start, last, after)
    )
    middle = i + k - j
    _reverse(tour, i, k)
    _reverse(tour, i, middle - 1)
    _reverse(tour, middle, k)
    for place in (i - 1, i, middle - 1, middle, k, k + 1):
        _wake(tour, nodes[place])
    return gain


@compiled
def _reverse(tour: _Tour, i: int, j: int) -> None:
    """Reverse the places i to j and take note of it."""
    if i >= j:
        return
    nodes, places = tour.nodes, tour.places
    low, high = i, j
    while low < high:
        a, b = nodes[low], nodes[high]
        nodes[low], nodes[high] = b, a
        places[b], places[a] = low, high
        low += 1
        high -= 1
    if not tour.symmetric:
        _refresh_surplus(tour, i, min(j + 1, tour.costs.shape[0]))
    used = tour.used[0]
    if used < len(tour.undo):
        tour.undo[used, 0], tour.undo[used, 1] = i, j
        tour.used[0] = used + 1


@compiled
def _improve_at(tour: _Tour, a: int) -> float:
    """Make the best move that gives node `a` a new neighbour; return its gain, 0 if there is none."""
    gain, i, j = _best_reversal(tour, a)
    moved_gain, first, last, gap, flipped = _best_insertion(tour, a)
    if moved_gain > gain:
        if gap > last:
            _exchange(tour, first, last, gap)
            first, last = first + gap - last, gap
        else:
            _exchange(tour, gap + 1, first - 1, last)
            first, last = gap + 1, gap + 1 + last - first
        if flipped:
            _reverse(tour, first, last)
        return moved_gain
    if gain > 0.0 and not tour.symmetric:
        gain = _exact_reversal_gain(tour, i, j)
    if gain > 0.0:
        _reverse(tour, i, j)
        for place in (i - 1, i, j, j + 1):
            _wake(tour, tour.nodes[place])
    return gain


@compiled
def _best_reversal(tour: _Tour, a: int) -> tuple[float, int, int]:
    """Return the gain and the places of the best 2-opt move at node `a`."""
    costs, start, nodes, surplus = tour.costs, tour.start, tour.nodes, tour.surplus
    near, near_costs, places = tour.near, tour.near_costs, tour.places
    n = costs.shape[0]
    best, best_i, best_j = 0.0, 0, 0
    for ahead in (True, False):
        here = n + 1 if a == n and not ahead else places[a]
        removed = _arc(costs, start, a, nodes[here + 1]) if ahead else _arc(costs, start, nodes[here - 1], a)
        for slot in range(-1, near.shape[1]):
            if slot < 0:
                there = 0 if ahead else n + 1
            elif near_costs[a, slot] < removed:
                there = places[near[a, slot]]
            else:
                break
            low, high = min(here, there), max(here, there)
            i, j = (low + 1, high) if ahead else (low, high - 1)
            if i >= j or i < 1:
                continue
            gain = _reversal_gain(costs, start, nodes, surplus, i, j)
            if gain > best:
                best, best_i, best_j = gain, i, j
    return best, best_i, best_j


@compiled
def _reversal_gain(costs: Floats, start: Floats, nodes: Order, surplus: Floats, i: int, j: int) -> float:
    before, first, last, after = nodes[i - 1], nodes[i], nodes[j], nodes[j + 1]
    removed = _arc(costs, start, before, first) + _arc(costs, start, last, after)
    added = _arc(costs, start, before, last) + _arc(costs, start, first, after)
    gain = removed - added - (surplus[j] - surplus[i])
    return gain if gain > TINY * removed else 0.0


@compiled
def _exact_reversal_gain(tour: _Tour, i: int, j: int) -> float:
    """Return the gain by summing the arcs: prefix sums lose small costs beside very large ones."""
    costs, start, nodes = tour.costs, tour.start, tour.nodes
    removed = _arc(costs, start, nodes[i - 1], nodes[i]) + _arc(costs, start, nodes[j], nodes[j + 1])
    added = _arc(costs, start, nodes[i - 1], nodes[j]) + _arc(costs, start, nodes[i], nodes[j + 1])
    for place in range(i, j):
        removed += costs[nodes[place], nodes[place + 1]]
        added += costs[nodes[place + 1], nodes[place]]
    gain = removed - added
    return gain if gain > TINY * removed else 0.0


@compiled
def _best_insertion(tour: _Tour, a: int) -> tuple[float, int, int, int, bool]:
    """Return the best Or-opt move of a segment that ends in node `a`.

    That is its gain, the first and last place of the segment, the place after which to put it, and
    whether the other way round.
    """
    costs, start, nodes = tour.costs, tour.start, tour.nodes
    near, near_costs, places = tour.near, tour.near_costs, tour.places
    n, here = costs.shape[0], places[a]
    best, best_first, best_last, best_gap, best_flipped = 0.0, 0, 0, 0, False
    for reach in range(1 - LONGEST_SEGMENT, LONGEST_SEGMENT):
        first, last = min(here, here + reach), max(here, here + reach)
        if first < 1 or last > n:
            continue
        saved = _removal_gain(costs, start, nodes, first, last)
        for slot in range(-1, near.shape[1]):
            there = 0
            if slot >= 0:
                if near_costs[a, slot] >= saved:
                    break
                there = places[near[a, slot]]
            if first <= there <= last:
                continue
            for follows in (True, False):  # `a` comes right after the neighbour, or right before it
                gap = there if follows else (there - 1 if there > 0 else n)
                if first - 1 <= gap <= last:
                    continue
                flipped = (reach < 0) == follows and reach != 0
                gain = _insertion_gain(costs, start, nodes, first, last, gap, flipped, saved)
                if gain > best:
                    best, best_first, best_last, best_gap, best_flipped = gain, first, last, gap, flipped
    return best, best_first, best_last, best_gap, best_flipped


@compiled
def _removal_gain(costs: Floats, start: Floats, nodes: Order, first: int, last: int) -> float:
    before, after = nodes[first - 1], nodes[last + 1]
    removed = _arc(costs, start, before, nodes[first]) + _arc(costs, start, nodes[last], after)
    return removed - _arc(costs, start, before, after)


@compiled
def _insertion_gain(
    costs: Floats, start: Floats, nodes: Order, first: int, last: int, gap: int, flipped: bool, saved: float
) -> float:
    before, after = nodes[gap], nodes[gap + 1]
    left, right = nodes[first], nodes[last]
    removed, added = saved + _arc(costs, start, before, after), 0.0
    if flipped:
        left, right = right, left
        for place in range(first, last):
            removed += costs[nodes[place], nodes[place + 1]]
            added += costs[nodes[place + 1], nodes[place]]
    added += _arc(costs, start, before, left) + _arc(costs, start, right, after)
    gain = removed - added
    return gain if gain > TINY * removed else 0.0


@compiled
def _wake(tour: _Tour, node: int) -> None:
    n = tour.costs.shape[0]
    if tour.waiting[node] == 0:
        tour.queue[(tour.waiting[n + 1] + tour.waiting[n + 2]) % (n + 1)] = node
        tour.waiting[n + 2] += 1
        tour.waiting[node] = 1


@compiled
def _arc(costs: Floats, start: Floats, a: int, b: int) -> float:
    if a == costs.shape[0]:
        return start[b]
    return 0.0 if b == costs.shape[0] else costs[a, b]


@compiled
def _refresh_surplus(tour: _Tour, low: int, high: int) -> None:
    """Sum again the surplus of the places low to high, and shift what follows."""
    costs, nodes, surplus = tour.costs, tour.nodes, tour.surplus
    old = surplus[high]
    for place in range(max(low, 2), high + 1):
        a, b = nodes[place - 1], nodes[place]
        surplus[place] = surplus[place - 1] + costs[b, a] - costs[a, b]
    shift = surplus[high] - old
    for place in range(high + 1, costs.shape[0] + 1):
        surplus[place] += shift


@compiled
def _is_symmetric(costs: Floats) -> bool:
    for i in range(costs.shape[0]):
        for j in range(i):
            if costs[i, j] != costs[j, i]:
                return False
    return True


@compiled
def _fill_near(tour: _Tour) -> None:
    costs, start, n, k = tour.costs, tour.start, tour.costs.shape[0], tour.near.shape[1]
    for a in range(n + 1):
        near, near_costs = tour.near[a], tour.near_costs[a]
        for b in range(n):
            cost = _arc(costs, start, a, b)
            if a != n and not tour.symmetric:
                cost = min(cost, costs[b, a])
            if b == a or cost >= near_costs[k - 1]:
                continue
            slot = k - 1
            while slot > 0 and near_costs[slot - 1] > cost:
                near[slot], near_costs[slot] = near[slot - 1], near_costs[slot - 1]
                slot -= 1
            near[slot], near_costs[slot] = b, cost
