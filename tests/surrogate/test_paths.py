"""Sample paths against the exact posterior.

All paths of one draw share their frequencies, so averages are taken over many independent draws, and the
tolerance is the standard error over draws. Given the frequencies a path's mean is exactly the posterior mean,
and over the frequencies its covariance is exactly the posterior covariance: both estimates are unbiased.
"""

from dataclasses import replace

import numpy as np
import pytest
from numpy.random import Generator

from snakebo.surrogate.gp import GaussianProcess, Hyperparameters
from snakebo.surrogate.kernel import KERNELS, Array, Kernel, correlate
from snakebo.surrogate.paths import SamplePaths

N = 7


def _gp(kernel: Kernel = "matern52", n: int = N) -> GaussianProcess:
    rng = np.random.default_rng(5)
    X = rng.random((n, 2))
    y = 1.5 + np.sin(6 * X[:, 0]) - X[:, 1]
    return GaussianProcess.condition(Hyperparameters((0.25, 0.4), 2.3, 0.05, 1.5, kernel), X, y)


def _draw(gp: GaussianProcess, how: str, phases: bool, rng: Generator, count: int = 48) -> SamplePaths:
    """Draw on all data at once, or on the first two and extend by the others."""
    if how == "draw":
        return SamplePaths.draw(gp, count, rng, 64, phases)
    paths = SamplePaths.draw(gp.head(2), count, rng, 64, phases)
    for n in range(3, len(gp.y) + 1):
        paths = paths.extend(gp.head(n), rng.standard_normal(count))
    return paths


def _posterior_covariance(gp: GaussianProcess, U: Array) -> Array:
    prior = gp.hyper.outputscale * correlate(U / gp.scale, U / gp.scale, gp.hyper.kernel)[0]
    k = gp.covariance(U)
    covariance: Array = prior - k @ gp.solve(k.T)
    return covariance


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("phases", [False, True])
@pytest.mark.parametrize("how", ["draw", "extend"])
def test_mean_and_covariance_are_those_of_the_posterior(kernel: Kernel, phases: bool, how: str) -> None:
    gp, rng, draws = _gp(kernel), np.random.default_rng(11), 400
    far = np.array([[0.9, 0.1], [0.05, 0.95]])
    U = np.vstack([gp.X[0], gp.X[-1], gp.X[-1] + 0.04, far])
    means, covariances = [], []
    for _ in range(draws):
        deviations = _draw(gp, how, phases, rng)(U) - gp.mean(U)
        means.append(deviations.mean(axis=0))
        covariances.append(deviations.T @ deviations / len(deviations))
    exact = _posterior_covariance(gp, U)
    deviation = np.sqrt(np.diag(exact))

    mean_error = np.std(means, axis=0, ddof=1) / np.sqrt(draws)
    assert (mean_error < 0.02 * deviation).all()  # sharp enough to see a bias
    assert np.abs(np.mean(means, axis=0) / mean_error).max() < 4.0

    covariance_error = np.std(covariances, axis=0, ddof=1) / np.sqrt(draws)
    assert (covariance_error < 0.04 * np.outer(deviation, deviation)).all()
    assert np.abs((np.mean(covariances, axis=0) - exact) / covariance_error).max() < 4.0


@pytest.mark.parametrize("kernel", KERNELS)
def test_a_path_interpolates_data_without_noise(kernel: Kernel) -> None:
    gp = _gp(kernel)
    gp = GaussianProcess.condition(replace(gp.hyper, noise=1e-9), gp.X, gp.y)
    values = SamplePaths.draw(gp, 20, np.random.default_rng(0))(gp.X)
    np.testing.assert_allclose(values, np.tile(gp.y, (20, 1)), atol=1e-3)


def test_extending_is_conditioning_the_same_functions_on_more_data() -> None:
    gp, rng = _gp(), np.random.default_rng(1)
    start = SamplePaths.draw(gp.head(3), 6, rng)
    prior = replace(start, gp=gp, updates=np.zeros((6, len(gp.y))))(gp.X)
    # Matheron: v = K⁻¹(y − f⁰(X) − η), so each path's own noise η can be read back from v.
    K = gp.L @ gp.L.T
    first = gp.y[:3] - prior[:, :3] - start.updates @ K[:3, :3]
    later = rng.standard_normal((len(gp.y) - 3, 6))
    paths = start
    for n, noise in enumerate(later, start=4):
        paths = paths.extend(gp.head(n), noise)
    eta = np.hstack([first, np.sqrt(gp.hyper.noise) * later.T])
    np.testing.assert_allclose(paths.updates, gp.solve((gp.y - prior - eta).T).T, rtol=1e-7, atol=1e-9)
    assert paths.gp is gp


def test_extending_keeps_the_spread_and_leaves_the_old_paths_alone() -> None:
    gp, U = _gp(), np.random.default_rng(2).random((5, 2))
    paths = replace(SamplePaths.draw(gp.head(4), 3, np.random.default_rng(3)), spread=0.5)
    before, noise = paths(U), np.array([0.3, -1.0, 2.0])
    extended = paths.extend(gp.head(5), noise)
    assert extended.spread == 0.5
    np.testing.assert_array_equal(paths(U), before)
    whole = replace(paths, spread=1.0).extend(gp.head(5), noise)
    np.testing.assert_allclose(extended.updates, whole.updates)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("spread", [0.0, 0.3, 2.0])
def test_spread_scales_the_deviation_from_the_mean(kernel: Kernel, spread: float) -> None:
    gp, U = _gp(kernel), np.random.default_rng(4).random((8, 2))
    full = SamplePaths.draw(gp, 5, np.random.default_rng(5))
    scaled = replace(full, spread=spread)
    expected = gp.mean(U) + spread * (full(U) - gp.mean(U))
    np.testing.assert_allclose(scaled(U), expected, atol=1e-9)
    assert np.abs(full(U) - gp.mean(U)).max() > 0.1  # there is something to scale
    owner = np.array([3, 0, 1, 1, 4, 2, 0, 3])
    np.testing.assert_allclose(scaled.value_and_gradient(U, owner)[0], expected[owner, range(8)], atol=1e-9)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("phases", [False, True])
def test_a_path_is_one_fixed_function(kernel: Kernel, phases: bool) -> None:
    gp, U = _gp(kernel), np.random.default_rng(6).random((10, 2))
    paths = SamplePaths.draw(gp, 4, np.random.default_rng(7), phases=phases)
    together = paths(U)
    assert len(paths) == 4
    assert together.shape == (4, 10)
    np.testing.assert_array_equal(paths(U), together)
    for i in range(10):
        np.testing.assert_allclose(paths(U[i : i + 1])[:, 0], together[:, i], atol=1e-10)
    owner = np.tile(np.arange(4), 10)
    values = paths.value_and_gradient(np.repeat(U, 4, axis=0), owner)[0]
    np.testing.assert_allclose(values.reshape(10, 4).T, together, atol=1e-10)
    assert np.ptp(together, axis=0).min() > 1e-3  # and no two are the same


def test_the_same_generator_draws_the_same_paths() -> None:
    gp, U = _gp(), np.random.default_rng(8).random((3, 2))
    first, again, other = (SamplePaths.draw(gp, 3, np.random.default_rng(seed))(U) for seed in (1, 1, 2))
    np.testing.assert_array_equal(first, again)
    assert not np.allclose(first, other)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("spread", [1.0, 0.4])
def test_gradients_match_finite_differences(kernel: Kernel, spread: float) -> None:
    gp, rng, step = _gp(kernel), np.random.default_rng(9), 1e-6
    paths = replace(SamplePaths.draw(gp, 5, rng), spread=spread)
    U, owner = rng.random((12, 2)), rng.integers(0, 5, 12)
    U[0] = gp.X[2]  # the kernel's cone-like point, if it had one
    gradient = paths.value_and_gradient(U, owner)[1]
    for axis in range(2):
        nudge = step * np.eye(2)[axis]
        above, below = (paths.value_and_gradient(V, owner)[0] for V in (U + nudge, U - nudge))
        np.testing.assert_allclose(gradient[:, axis], (above - below) / (2 * step), atol=2e-4, rtol=1e-5)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("spread", [1.0, 0.2])
def test_rank_orders_points_like_the_values(kernel: Kernel, spread: float) -> None:
    gp, rng = _gp(kernel), np.random.default_rng(10)
    paths = replace(SamplePaths.draw(gp, 6, rng), spread=spread)
    U = rng.random((400, 2))
    values, scores = paths(U), paths.rank(U)
    assert scores.dtype == np.float32
    difference = scores - values  # a constant, up to single precision
    assert np.ptp(difference, axis=1).max() < 1e-4 * np.ptp(values)
    np.testing.assert_array_equal(scores.argmax(axis=1), values.argmax(axis=1))


def test_one_observation_and_few_features() -> None:
    gp = GaussianProcess.condition(Hyperparameters((0.3,), 1.0, 1e-6), np.array([[0.5]]), np.array([2.0]))
    paths = SamplePaths.draw(gp, 3, np.random.default_rng(0), features=1)
    np.testing.assert_allclose(paths(np.array([[0.5]]))[:, 0], 2.0, atol=0.01)
