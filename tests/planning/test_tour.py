"""The tour visits each point once, is short, and never gets longer than its first draft."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.random import Generator, default_rng
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

from snakebo.errors import InputError
from snakebo.planning.path import nearest_neighbour, path_length
from snakebo.planning.tour import shortest_path

Floats = NDArray[np.float64]


def draw_costs(rng: Generator, n: int, kind: str) -> tuple[Floats, Floats]:
    points, start = rng.random((n, 2)), rng.random((1, 2))
    if kind == "duplicates":
        points, start = points.round(1), start.round(1)
    costs, start_costs = cdist(points, points), cdist(start, points)[0]
    if kind == "asymmetric":
        return rng.random((n, n)), rng.random(n)
    if kind == "zeros":
        return costs * rng.integers(0, 2, (n, n)), start_costs
    if kind == "huge":
        return np.where(rng.random((n, n)) < 0.5, 1e12, 1) * costs, start_costs
    if kind == "uphill":
        rise = np.subtract.outer(points[:, 0], points[:, 0]).T
        return costs + np.maximum(rise, 0), start_costs
    return costs, start_costs


KINDS = ["euclidean", "duplicates", "asymmetric", "zeros", "huge", "uphill"]


@given(st.integers(0, 2**32 - 1), st.integers(0, 40), st.sampled_from(KINDS), st.booleans())
@settings(max_examples=300)
def test_visits_all_once_and_is_never_longer_than_greedy(seed: int, n: int, kind: str, fixed: bool) -> None:
    costs, start_costs = draw_costs(default_rng(seed), n, kind)
    start = start_costs if fixed else None
    order = shortest_path(costs, start)
    assert order.dtype == np.int64
    assert sorted(order) == list(range(n))
    greedy = nearest_neighbour(costs, start_costs if fixed else np.zeros(n))
    assert path_length(costs, start, order) <= path_length(costs, start, greedy) * (1 + 1e-9)
    np.testing.assert_array_equal(order, shortest_path(costs, start))


@pytest.mark.parametrize("kind", ["euclidean", "asymmetric", "uphill"])
@pytest.mark.parametrize("fixed", [True, False])
def test_close_to_brute_force(kind: str, fixed: bool) -> None:
    ratios = []
    for seed in range(30):
        n = 4 + seed % 4
        costs, start_costs = draw_costs(default_rng(seed), n, kind)
        start = start_costs if fixed else np.zeros(n)
        orders = np.array(list(permutations(range(n))))
        optimum = (start[orders[:, 0]] + costs[orders[:, :-1], orders[:, 1:]].sum(axis=1)).min()
        ratios.append(path_length(costs, start, shortest_path(costs, start)) / optimum)
    assert max(ratios) <= 1.3
    assert np.mean(np.array(ratios) < 1 + 1e-9) >= 0.8


@given(st.integers(0, 2**32 - 1), st.integers(1, 200))
@settings(max_examples=30)
def test_points_on_a_line_are_walked_from_the_end(seed: int, n: int) -> None:
    x = default_rng(seed).random((n, 1))
    np.testing.assert_array_equal(shortest_path(cdist(x, x), x[:, 0]), np.argsort(x[:, 0]))


@pytest.mark.parametrize("kind", ["euclidean", "asymmetric", "uphill", "huge"])
def test_shorter_than_greedy_by_a_margin(kind: str) -> None:
    """Were the reversed arcs counted wrongly, the search would make asymmetric paths longer."""
    ratios = []
    for seed in range(10):
        costs, start = draw_costs(default_rng(seed), 150, kind)
        greedy = path_length(costs, start, nearest_neighbour(costs, start))
        ratios.append(path_length(costs, start, shortest_path(costs, start)) / greedy)
    assert max(ratios) <= 1
    assert np.mean(ratios) < 0.92


def test_equal_points_do_not_hide_the_others() -> None:
    places = default_rng(0).random((40, 2))
    points = np.repeat(places, 25, axis=0)
    alone = path_length(cdist(places, places), None, shortest_path(cdist(places, places)))
    costs = cdist(points, points)
    assert path_length(costs, None, shortest_path(costs)) <= 1.1 * alone


def test_wind_along_a_ring_is_used() -> None:
    """With the wind a step costs 1, against it 10: the only good path goes round with it."""
    n = 60
    ahead = np.subtract.outer(np.arange(n), np.arange(n)).T % n
    costs = np.minimum(ahead, 10 * (n - ahead)).astype(float)
    np.fill_diagonal(costs, 0)
    shuffle = default_rng(0).permutation(n)
    order = shortest_path(costs[np.ix_(shuffle, shuffle)])
    assert path_length(costs, None, shuffle[order]) == n - 1


@pytest.mark.parametrize(("n", "expected"), [(0, []), (1, [0])])
def test_trivial_sizes(n: int, expected: list[int]) -> None:
    assert shortest_path(np.zeros((n, n))).tolist() == expected


def test_two_points() -> None:
    assert shortest_path([[0, 5], [1, 0]]).tolist() == [1, 0]
    assert shortest_path([[0, 5], [1, 0]], [0, 9]).tolist() == [0, 1]


@pytest.mark.parametrize(
    ("costs", "start"),
    [
        (np.zeros((2, 3)), None),
        (np.zeros(4), None),
        ([[0, np.nan], [1, 0]], None),
        ([[0, -1], [1, 0]], None),
        ([[0, np.inf], [1, 0]], None),
        (np.zeros((2, 2)), [0.0]),
        (np.zeros((2, 2)), [0.0, -1.0]),
    ],
)
def test_refuses_what_is_no_cost_matrix(costs: Floats, start: Floats | None) -> None:
    with pytest.raises(InputError):
        shortest_path(costs, start)
