import numpy as np
import pytest

from snakebo.surrogate.kernel import Array
from snakebo.surrogate.refine import ValueAndGradient, climb, climb_adam


def _clip(U: Array) -> Array:
    return np.clip(U, 0.0, 1.0)


def _bowl(peaks: Array, curvature: Array) -> ValueAndGradient:
    """−½ (u − p)ᵀ A (u − p), a peak for each row."""

    def function(U: Array) -> tuple[Array, Array]:
        away = U - peaks
        return -0.5 * np.einsum("bi,ij,bj->b", away, curvature, away), -away @ curvature

    return function


def _waves(U: Array) -> tuple[Array, Array]:
    """Many hills, with valleys that curve upwards in between."""
    value = np.sin(9 * U[:, 0]) + np.cos(7 * U[:, 1]) + U[:, 0] * U[:, 1]
    return value, np.column_stack([9 * np.cos(9 * U[:, 0]) + U[:, 1], -7 * np.sin(7 * U[:, 1]) + U[:, 0]])


def test_climb_finds_the_peak_of_each_row() -> None:
    rng = np.random.default_rng(0)
    peaks = rng.uniform(0.2, 0.8, (30, 3))
    A = np.array([[40.0, 5.0, 0.0], [5.0, 3.0, 1.0], [0.0, 1.0, 10.0]])
    x, value = climb(_bowl(peaks, A), rng.random((30, 3)), _clip)
    np.testing.assert_allclose(x, peaks, atol=1e-3)
    np.testing.assert_allclose(value, 0.0, atol=1e-5)


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_climb_does_not_depend_on_the_unit_of_the_values(scale: float) -> None:
    rng = np.random.default_rng(1)
    peaks, starts = rng.uniform(0.2, 0.8, (10, 2)), rng.random((10, 2))
    x, _ = climb(_bowl(peaks, scale * np.diag([8.0, 2.0])), starts, _clip)
    np.testing.assert_allclose(x, peaks, atol=1e-3)


def test_climb_stops_at_the_wall_where_the_peak_is_beyond() -> None:
    peaks = np.array([[1.5, 0.4], [-0.5, 0.6], [0.3, 2.0], [2.0, 2.0]])
    x, _ = climb(_bowl(peaks, np.diag([5.0, 20.0])), np.full((4, 2), 0.5), _clip)
    np.testing.assert_allclose(x, [[1.0, 0.4], [0.0, 0.6], [0.3, 1.0], [1.0, 1.0]], atol=1e-4)


def test_climb_ends_where_the_function_is_flat_or_pushes_against_a_wall() -> None:
    starts = np.random.default_rng(2).random((60, 2))
    x, value = climb(_waves, starts, _clip, steps=25)
    gradient = _waves(x)[1]
    free = ~(((x <= 0) & (gradient < 0)) | ((x >= 1) & (gradient > 0)))
    assert np.abs(gradient[free]).max() < 1e-3
    np.testing.assert_array_equal(value, _waves(x)[0])


@pytest.mark.parametrize("steps", [0, 1, 2, 5, 15])
def test_climb_is_never_worse_than_its_start(steps: int) -> None:
    starts = np.random.default_rng(3).random((200, 2))
    before = starts.copy()
    x, value = climb(_waves, starts, _clip, steps)
    assert (value >= _waves(starts)[0]).all()
    np.testing.assert_array_equal(starts, before)
    if steps == 0:
        np.testing.assert_array_equal(x, starts)


def test_climb_stays_in_the_region_of_its_projection() -> None:
    def below_the_diagonal(U: Array) -> Array:
        over = np.maximum(U.sum(axis=1) - 1.0, 0.0)[:, None] / 2
        return _clip(_clip(U) - over)

    peaks = np.full((5, 2), 0.9)
    starts = np.random.default_rng(4).random((5, 2)) / 2
    x, _ = climb(_bowl(peaks, 4.0 * np.eye(2)), starts, below_the_diagonal)
    assert (x.sum(axis=1) <= 1 + 1e-12).all()
    np.testing.assert_allclose(x, 0.5, atol=1e-2)


def test_climb_on_a_plateau_stays_put() -> None:
    def flat(U: Array) -> tuple[Array, Array]:
        return np.zeros(len(U)), np.zeros_like(U)

    starts = np.random.default_rng(5).random((4, 2))
    x, value = climb(flat, starts, _clip)
    np.testing.assert_array_equal(x, starts)
    np.testing.assert_array_equal(value, 0.0)


def test_adam_is_pytorchs_adam() -> None:
    import torch

    A, peak = np.array([[8.0, 1.0], [1.0, 2.0]]), np.array([[0.6, 0.3]])
    starts = np.array([[0.1, 0.9]])
    x, value = climb_adam(_bowl(peak, A), starts, _clip, steps=20, rate=0.01)
    point = torch.tensor(starts, requires_grad=True)
    optimizer = torch.optim.Adam([point], lr=0.01)
    for _ in range(20):
        optimizer.zero_grad()
        away = point - torch.tensor(peak)
        loss = 0.5 * (away @ torch.tensor(A) * away).sum()
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
    np.testing.assert_allclose(x, point.detach().numpy(), atol=1e-6)
    np.testing.assert_allclose(value, _bowl(peak, A)(x)[0])


def test_adam_stays_in_the_region() -> None:
    x, _ = climb_adam(
        _bowl(np.array([[2.0, -1.0]]), np.eye(2)), np.array([[0.9, 0.1]]), _clip, steps=50, rate=0.01
    )
    np.testing.assert_array_equal(x, [[1.0, 0.0]])
