"""Local search on an open path: 2-opt and Or-opt over neighbour lists, right for asymmetric costs too.

Every change is made of reversals of a stretch, so that a list of them undoes it.
"""

from typing import NamedTuple

import numpy as np

from snakebo.compiled import compiled
from snakebo.planning.path import Floats, Order

LONGEST_SEGMENT = 3
"""Or-opt moves up to this many nodes at once."""

TINY = 1e-12
"""The least gain of a move, relative to the arcs it removes: rounding errors are no gain."""

KICK_SPAN = 10
"""A kick exchanges two adjacent stretches of at most this many nodes together."""

MAX_REPAIR = 200
"""Reversals that the repair of one kick may take."""

MAX_REVERSALS_PER_NODE = 400
"""A bound on the first descent, whatever the matrix."""


class Tour(NamedTuple):
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


def prepare(
    costs: Floats, start: Floats, order: Order, *, near: Order, near_costs: Floats, symmetric: bool
) -> Tour:
    """Return the tour that follows `order`, with every node waiting to be looked at."""
    n = order.size
    nodes = np.concatenate([[n], order, [n]])
    places = np.zeros(n + 1, dtype=np.int64)
    places[order] = np.arange(1, n + 1)
    surplus = np.zeros(n + 2)
    if not symmetric:
        surplus[2:-1] = np.cumsum(costs[order[1:], order[:-1]] - costs[order[:-1], order[1:]])
    return Tour(
        costs=costs,
        start=np.append(start, 0.0),
        nodes=nodes,
        places=places,
        near=near,
        near_costs=near_costs,
        symmetric=symmetric,
        surplus=surplus,
        undo=np.empty((MAX_REPAIR + 10, 2), dtype=np.int64),
        used=np.zeros(1, dtype=np.int64),
        queue=nodes[:-1].copy(),
        waiting=np.concatenate([np.ones(n + 1, dtype=np.int64), [0, n + 1]]),
    )


@compiled
def improve(tour: Tour, kicks: int) -> None:
    """Descend from the path that `tour` holds, then kick and repair it so many times."""
    _descend(tour, MAX_REVERSALS_PER_NODE * tour.costs.shape[0])
    random = 1
    for _ in range(kicks):
        random = _kick(tour, random)


@compiled
def _kick(tour: Tour, random: int) -> int:
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
def _descend(tour: Tour, max_reversals: int) -> float:
    """Improve around the waiting nodes until no move helps, and return by how much."""
    n, queue, waiting = tour.costs.shape[0], tour.queue, tour.waiting
    total, reversals = 0.0, 0
    while waiting[n + 2] > 0:
        node = queue[waiting[n + 1]]
        waiting[n + 1] = (waiting[n + 1] + 1) % (n + 1)
        waiting[n + 2] -= 1
        waiting[node] = 0
        gain = 1.0
        while gain > 0.0 and reversals < max_reversals:
            gain = _improve_at(tour, node)
            total += gain
            if gain > 0.0:
                reversals += 4  # the most that a move takes
    return total


@compiled
def _improve_at(tour: Tour, a: int) -> float:
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
def _best_reversal(tour: Tour, a: int) -> tuple[float, int, int]:
    """Return the gain and the places of the best 2-opt move that removes an arc at node `a`."""
    costs, start, nodes, surplus = tour.costs, tour.start, tour.nodes, tour.surplus
    near, near_costs, places = tour.near, tour.near_costs, tour.places
    n = costs.shape[0]
    best, best_i, best_j = 0.0, 0, 0
    for ahead in (True, False):
        here = n + 1 if a == n and not ahead else places[a]
        removed = _arc(costs, start, a, nodes[here + 1]) if ahead else _arc(costs, start, nodes[here - 1], a)
        for slot in range(-1, near.shape[1]):
            if slot < 0:
                there = 0 if ahead else n + 1  # the depot is a neighbour of all
            elif near_costs[a, slot] < removed:
                there = places[near[a, slot]]
            else:
                break
            low, high = min(here, there), max(here, there)
            i, j = (low + 1, high) if ahead else (low, high - 1)
            if i >= j or i < 1:
                continue
            old = _arc(costs, start, nodes[i - 1], nodes[i]) + _arc(costs, start, nodes[j], nodes[j + 1])
            new = _arc(costs, start, nodes[i - 1], nodes[j]) + _arc(costs, start, nodes[i], nodes[j + 1])
            gain = old - new - (surplus[j] - surplus[i])
            if gain > max(best, TINY * old):
                best, best_i, best_j = gain, i, j
    return best, best_i, best_j


@compiled
def _exact_reversal_gain(tour: Tour, i: int, j: int) -> float:
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
def _best_insertion(tour: Tour, a: int) -> tuple[float, int, int, int, bool]:
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
        before, after = nodes[first - 1], nodes[last + 1]
        old = _arc(costs, start, before, nodes[first]) + _arc(costs, start, nodes[last], after)
        saved = old - _arc(costs, start, before, after)
        for slot in range(-1, near.shape[1]):
            if slot >= 0 and near_costs[a, slot] >= saved:
                break
            there = 0 if slot < 0 else places[near[a, slot]]
            for follows in (True, False):  # `a` comes right after the neighbour, or right before it
                gap = there if follows else (there - 1 if there > 0 else n)
                if first - 1 <= gap <= last:
                    continue
                flipped = reach != 0 and (reach < 0) == follows
                added = _cost_between(costs, start, nodes, gap, (first, last), flipped)
                if saved - added > max(best, TINY * (old + abs(added))):
                    best, best_gap, best_flipped = saved - added, gap, flipped
                    best_first, best_last = first, last
    return best, best_first, best_last, best_gap, best_flipped


@compiled
def _cost_between(
    costs: Floats, start: Floats, nodes: Order, gap: int, segment: tuple[int, int], flipped: bool
) -> float:
    """Return what it costs more to pass through a segment between the places `gap` and `gap` + 1."""
    before, after = nodes[gap], nodes[gap + 1]
    first, last = segment
    if not flipped:
        detour = _arc(costs, start, before, nodes[first]) + _arc(costs, start, nodes[last], after)
        return detour - _arc(costs, start, before, after)
    detour = _arc(costs, start, before, nodes[last]) + _arc(costs, start, nodes[first], after)
    for place in range(first, last):
        detour += costs[nodes[place + 1], nodes[place]] - costs[nodes[place], nodes[place + 1]]
    return detour - _arc(costs, start, before, after)


@compiled
def _exchange(tour: Tour, i: int, j: int, k: int) -> float:
    """Exchange the adjacent stretches i to j and j + 1 to k, and return the gain, which may be negative."""
    costs, start, nodes = tour.costs, tour.start, tour.nodes
    middle, gain = i + k - j, 0.0
    for place in (i, j + 1, k + 1):
        gain += _arc(costs, start, nodes[place - 1], nodes[place])
    _reverse(tour, i, k)
    _reverse(tour, i, middle - 1)
    _reverse(tour, middle, k)
    for place in (i, middle, k + 1):
        gain -= _arc(costs, start, nodes[place - 1], nodes[place])
        _wake(tour, nodes[place - 1])
        _wake(tour, nodes[place])
    return gain


@compiled
def _reverse(tour: Tour, i: int, j: int) -> None:
    """Reverse the places i to j and note it."""
    if i >= j:
        return
    nodes, places, used, low, high = tour.nodes, tour.places, tour.used[0], i, j
    while low < high:
        a, b = nodes[low], nodes[high]
        nodes[low], nodes[high] = b, a
        places[b], places[a] = low, high
        low += 1
        high -= 1
    if not tour.symmetric:
        _refresh_surplus(tour.costs, nodes, tour.surplus, i, min(j + 1, tour.costs.shape[0]))
    if used < len(tour.undo):
        tour.undo[used, 0], tour.undo[used, 1] = i, j
        tour.used[0] = used + 1


@compiled
def _refresh_surplus(costs: Floats, nodes: Order, surplus: Floats, low: int, high: int) -> None:
    """Sum again the surplus of the places low to high, and shift what follows."""
    old = surplus[high]
    for place in range(max(low, 2), high + 1):
        a, b = nodes[place - 1], nodes[place]
        surplus[place] = surplus[place - 1] + costs[b, a] - costs[a, b]
    surplus[high + 1 : -1] += surplus[high] - old


@compiled
def _wake(tour: Tour, node: int) -> None:
    n, waiting = tour.costs.shape[0], tour.waiting
    if waiting[node] == 0:
        tour.queue[(waiting[n + 1] + waiting[n + 2]) % (n + 1)] = node
        waiting[n + 2] += 1
        waiting[node] = 1


@compiled
def _arc(costs: Floats, start: Floats, a: int, b: int) -> float:
    if a == costs.shape[0]:
        return float(start[b])
    return 0.0 if b == costs.shape[0] else float(costs[a, b])
