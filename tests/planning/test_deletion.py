"""ε-point deletion against a plain transcription of Algorithm 1."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.random import default_rng
from numpy.typing import NDArray

from snakebo.errors import InputError
from snakebo.planning.deletion import delete_visited

Floats = NDArray[np.float64]


def transcribe(batch: Floats, visited: Floats, epsilon: float, uniforms: Floats) -> list[int]:
    remaining = list(range(len(batch)))
    for x, uniform in zip(visited, uniforms, strict=True):
        distances = [float(np.sqrt(((batch[i] - x) ** 2).sum())) for i in remaining]
        if min(distances) < epsilon:
            del remaining[distances.index(min(distances))]
        else:
            del remaining[int(uniform * len(remaining))]
    return remaining


@given(
    seed=st.integers(0, 2**32 - 1),
    size=st.integers(1, 30),
    fraction=st.floats(0, 1, exclude_max=True),
    dim=st.integers(1, 4),
    epsilon=st.floats(0, 1),
    steps=st.sampled_from([4, 2**40]),  # few steps: many points equal or equally far
)
def test_follows_algorithm_1(
    *, seed: int, size: int, fraction: float, dim: int, epsilon: float, steps: int
) -> None:
    rng = default_rng(seed)
    batch = rng.integers(0, steps, (size, dim)) / steps
    visited = rng.integers(0, steps, (int(fraction * size), dim)) / steps
    kept = delete_visited(batch, visited, epsilon, default_rng(seed))
    uniforms = default_rng(seed).random(len(visited))
    assert len(kept) == size - len(visited)
    assert kept.tolist() == transcribe(batch, visited, epsilon, uniforms)


def test_distance_equal_to_epsilon_is_not_near() -> None:
    batch = np.array([[0.5], [10.0]])
    draws = [delete_visited(batch, [[0.0]], 0.5, default_rng(seed)).tolist() for seed in range(40)]
    assert [0] in draws  # the near one survived at least once: it was a random choice
    nearest = [delete_visited(batch, [[0.0]], 0.5 + 1e-9, default_rng(seed)).tolist() for seed in range(40)]
    assert nearest == [[1]] * 40


def test_epsilon_zero_deletes_at_random_even_what_is_equal() -> None:
    draws = [delete_visited([[0.0], [1.0]], [[0.0]], 0.0, default_rng(seed)).tolist() for seed in range(40)]
    assert [0] in draws
    assert [1] in draws


def test_random_choice_hits_every_index_alike() -> None:
    rng = default_rng(0)
    n_draws, size = 5000, 5
    counts = np.zeros(size)
    for _ in range(n_draws):
        kept = delete_visited(np.zeros((size, 1)), [[9.0]], 0.1, rng)
        counts[np.setdiff1d(np.arange(size), kept)] += 1
    expected = n_draws / size
    tolerance = 4 * np.sqrt(expected * (1 - 1 / size))
    np.testing.assert_allclose(counts, expected, atol=tolerance)


@pytest.mark.parametrize("n_visited", [3, 4])
def test_nothing_remains_of_a_batch_no_larger_than_the_visited(n_visited: int) -> None:
    kept = delete_visited(np.zeros((3, 2)), np.zeros((n_visited, 2)), 0.1, default_rng(0))
    assert kept.shape == (0,)
    assert kept.dtype == np.int64


@pytest.mark.parametrize("visited", [[], np.empty((0, 2))])
def test_all_remain_when_nothing_was_visited(visited: object) -> None:
    kept = delete_visited(np.zeros((3, 2)), np.asarray(visited), 0.1, default_rng(0))
    assert kept.tolist() == [0, 1, 2]


@pytest.mark.parametrize("epsilon", [-0.1, np.nan, np.inf])
def test_refuses_epsilon(epsilon: float) -> None:
    with pytest.raises(InputError, match="epsilon"):
        delete_visited([[0.0]], [[0.0]], epsilon, default_rng(0))


def test_refuses_points_that_do_not_agree() -> None:
    with pytest.raises(InputError, match="agree"):
        delete_visited([[0.0, 0.0]], [[0.0]], 0.1, default_rng(0))
    with pytest.raises(InputError, match="finite"):
        delete_visited([[0.0], [np.nan]], [[0.0]], 0.1, default_rng(0))
