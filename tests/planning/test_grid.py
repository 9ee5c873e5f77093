"""The adaptive grid: who stands for whom."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.random import default_rng
from scipy.spatial.distance import cdist

from snakebo.errors import InputError
from snakebo.planning.grid import coarsen, expand


@given(
    st.integers(0, 2**32 - 1), st.integers(1, 60), st.integers(1, 30), st.integers(1, 30), st.integers(1, 3)
)
def test_nodes_stand_for_the_points(seed: int, size: int, n_grid: int, n_local: int, dim: int) -> None:
    rng = default_rng(seed)
    batch, position, grid = rng.random((size, dim)), rng.random(dim), rng.random((n_grid, dim))
    nodes, assignment = coarsen(batch, position, grid, n_local)

    by_distance = np.argsort(cdist([position], batch)[0])
    local, others = by_distance[:n_local], by_distance[n_local:]
    np.testing.assert_array_equal(nodes[assignment[local]], batch[local])
    possible = np.concatenate([batch[local], grid])
    own = np.linalg.norm(batch[others] - nodes[assignment[others]], axis=1)
    np.testing.assert_allclose(own, cdist(batch[others], possible).min(axis=1), rtol=1e-12)
    assert set(assignment) == set(range(len(nodes)))  # no node without a point
    assert len(nodes) <= min(n_local + n_grid, size)


def test_equal_local_points_keep_a_node_each() -> None:
    nodes, assignment = coarsen(np.zeros((4, 2)), np.zeros(2), np.ones((3, 2)))
    assert nodes.shape == (4, 2)
    assert sorted(assignment) == [0, 1, 2, 3]


def test_empty_batch_has_no_nodes() -> None:
    nodes, assignment = coarsen(np.empty((0, 2)), np.zeros(2), np.ones((3, 2)))
    assert nodes.shape == (0, 2)
    assert assignment.shape == (0,)


def test_expand_keeps_the_points_of_a_node_together() -> None:
    assert expand([2, 0, 1], [0, 1, 2, 0, 2]).tolist() == [2, 4, 0, 3, 1]


@pytest.mark.parametrize(
    ("position", "grid", "n_local"),
    [([0.0], [[0.0, 0.0]], 1), ([0.0, 0.0], [[0.0]], 1), ([0.0, np.nan], [[0.0, 0.0]], 1)],
)
def test_refuses_what_does_not_agree(position: list[float], grid: list[list[float]], n_local: int) -> None:
    with pytest.raises(InputError):
        coarsen(np.zeros((2, 2)), position, grid, n_local)


def test_refuses_a_grid_without_nodes() -> None:
    with pytest.raises(InputError, match="n_local"):
        coarsen(np.zeros((2, 2)), np.zeros(2), np.empty((0, 2)), 0)
