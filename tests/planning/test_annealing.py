"""The annealed tour: a valid path that keeps the best it has seen."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.random import default_rng

from snakebo.errors import InputError
from snakebo.planning import annealing
from snakebo.planning.annealing import annealed_path
from snakebo.planning.path import nearest_neighbour, path_length


@given(st.integers(0, 2**32 - 1), st.integers(0, 30), st.sampled_from([1e-6, 1.0, 1e4, 1e12]))
@settings(max_examples=50)
def test_valid_and_never_longer_than_greedy(seed: int, n: int, scale: float) -> None:
    rng = default_rng(seed)
    costs, start = scale * rng.random((n, n)), scale * rng.random(n)
    order = annealed_path(costs, start, rng)
    assert sorted(order) == list(range(n))
    greedy = path_length(costs, start, nearest_neighbour(costs, start))
    assert path_length(costs, start, order) <= greedy * (1 + 1e-9)


def test_finds_what_swaps_can_find_when_it_is_cold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(annealing, "TEMPERATURE", 1e-3)
    rng = default_rng(3)
    costs, start = rng.random((30, 30)), rng.random(30)
    greedy = path_length(costs, start, nearest_neighbour(costs, start))
    assert path_length(costs, start, annealed_path(costs, start, rng)) < 0.9 * greedy


def test_same_seed_same_path() -> None:
    costs = 1e3 * default_rng(0).random((20, 20))
    first, second = (annealed_path(costs, None, default_rng(1)) for _ in range(2))
    np.testing.assert_array_equal(first, second)


def test_refuses_negative_costs() -> None:
    with pytest.raises(InputError, match="negative"):
        annealed_path(-np.ones((3, 3)), None, default_rng(0))
