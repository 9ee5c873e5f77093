import numpy as np
import pytest

from snakebo.errors import InputError
from snakebo.surrogate.gp import GaussianProcess, Hyperparameters
from snakebo.surrogate.kernel import KERNELS, Array, Kernel, correlate


def _gp(kernel: Kernel = "matern52", n: int = 12, noise: float = 0.01, seed: int = 0) -> GaussianProcess:
    rng = np.random.default_rng(seed)
    X = rng.random((n, 2))
    y = np.sin(5 * X[:, 0]) - X[:, 1] + 0.1 * rng.normal(size=n)
    return GaussianProcess.condition(Hyperparameters((0.2, 0.5), 2.5, noise, 0.7, kernel), X, y)


def _points(m: int = 9, seed: int = 1) -> Array:
    return np.random.default_rng(seed).random((m, 2))


@pytest.mark.parametrize("kernel", KERNELS)
def test_posterior_is_the_textbook_formula(kernel: Kernel) -> None:
    gp, U = _gp(kernel), _points()
    scale, theta = np.array([0.2, 0.5]), 2.5
    K = theta * correlate(gp.X / scale, gp.X / scale, kernel)[0] + 0.01 * np.eye(len(gp.y))
    k = theta * correlate(U / scale, gp.X / scale, kernel)[0]
    mean, variance = gp.predict(U)
    np.testing.assert_allclose(mean, 0.7 + k @ np.linalg.solve(K, gp.y - 0.7), rtol=1e-9)
    np.testing.assert_allclose(variance, theta - np.diag(k @ np.linalg.solve(K, k.T)), rtol=1e-9)
    np.testing.assert_array_equal(gp.mean(U), mean)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("n", [1, 12])
def test_posterior_agrees_with_botorch(kernel: Kernel, n: int) -> None:
    import torch

    gp, U = _gp(kernel, n), _points()
    with torch.no_grad():
        theirs = gp.to_botorch().posterior(torch.tensor(U))
    mean, variance = gp.predict(U)
    np.testing.assert_allclose(mean, theirs.mean[:, 0].numpy(), atol=1e-6, rtol=0)
    np.testing.assert_allclose(variance, theirs.variance[:, 0].numpy(), atol=1e-6, rtol=0)


@pytest.mark.parametrize("kernel", KERNELS)
def test_extending_one_by_one_equals_conditioning_at_once(kernel: Kernel) -> None:
    whole = _gp(kernel)
    grown = GaussianProcess.condition(whole.hyper, whole.X[:1], whole.y[:1])
    for x, y in zip(whole.X[1:], whole.y[1:], strict=True):
        grown = grown.extend(x, float(y))
    np.testing.assert_array_equal(grown.X, whole.X)
    np.testing.assert_array_equal(grown.y, whole.y)
    np.testing.assert_allclose(grown.L, whole.L, atol=1e-12)
    np.testing.assert_allclose(np.array(grown.predict(_points())), whole.predict(_points()), rtol=1e-9)


def test_head_forgets_the_later_observations() -> None:
    whole = _gp()
    head = whole.head(5)
    alone = GaussianProcess.condition(whole.hyper, whole.X[:5], whole.y[:5])
    np.testing.assert_allclose(np.array(head.predict(_points())), alone.predict(_points()), rtol=1e-10)
    assert whole.head(len(whole.y)) is whole
    # What was remembered about all the data must not leak into the head.
    assert whole.weights.shape == (12,)
    assert whole.head(5).weights.shape == (5,)


def test_extending_leaves_the_old_posterior_alone() -> None:
    gp = _gp()
    before = gp.predict(_points())
    gp.extend(np.array([0.5, 0.5]), 9.0)
    np.testing.assert_array_equal(np.array(gp.predict(_points())), before)


@pytest.mark.parametrize("kernel", KERNELS)
def test_gradients_match_finite_differences(kernel: Kernel) -> None:
    gp, U, step = _gp(kernel), _points(), 1e-6
    mean, variance, d_mean, d_variance = gp.predict_with_gradients(U)
    np.testing.assert_allclose(np.array([mean, variance]), gp.predict(U), rtol=1e-9)
    for axis in range(2):
        nudge = step * np.eye(2)[axis]
        above, below = np.array(gp.predict(U + nudge)), np.array(gp.predict(U - nudge))
        difference = (above - below) / (2 * step)
        np.testing.assert_allclose(d_mean[:, axis], difference[0], atol=1e-6)
        np.testing.assert_allclose(d_variance[:, axis], difference[1], atol=1e-6)


def test_one_observation() -> None:
    gp = GaussianProcess.condition(Hyperparameters((0.3,), 2.0, 0.5, 1.0), np.array([[0.4]]), np.array([3.0]))
    mean, variance = gp.predict(np.array([[0.4], [100.0]]))
    np.testing.assert_allclose(mean, [1.0 + 2.0 / 2.5 * 2.0, 1.0])
    np.testing.assert_allclose(variance, [2.0 - 4.0 / 2.5, 2.0])


@pytest.mark.parametrize("noise", [1e-2, 1e-6, 1e-10])
def test_repeated_points_average_their_values(noise: float) -> None:
    x = np.array([0.3, 0.6])
    gp = GaussianProcess.condition(Hyperparameters((0.2, 0.2), 1.0, noise), x[None], np.array([1.0]))
    for y in (2.0, 3.0, 2.0, 1.0, 3.0):
        gp = gp.extend(x, y)
    mean, variance = gp.predict(np.vstack([x, x + 0.05]))
    assert np.isfinite(mean).all()
    assert (variance > 0).all()
    assert mean[0] == pytest.approx(2.0 / (1 + noise / 6), abs=1e-4)
    assert variance[0] == pytest.approx(noise / 6 / (1 + noise / 6), abs=1e-9)


def test_variance_never_drops_to_zero() -> None:
    gp = _gp(noise=1e-9)
    variance = gp.predict_with_gradients(gp.X)[1]
    assert (variance > 0).all()
    assert (gp.predict(gp.X)[1] > 0).all()


def test_length_scales() -> None:
    gp = _gp()
    np.testing.assert_array_equal(gp.scale, [0.2, 0.5])
    assert gp.shortest_lengthscale == 0.2


@pytest.mark.parametrize(
    "bad",
    [
        {"lengthscales": (0.1, 0.0)},
        {"lengthscales": (np.nan, 0.1)},
        {"outputscale": -1.0},
        {"noise": 0.0},
        {"noise": np.inf},
        {"mean": np.nan},
    ],
)
def test_impossible_hyperparameters_are_refused(bad: dict[str, object]) -> None:
    good: dict[str, object] = {"lengthscales": (0.1, 0.1), "outputscale": 1.0, "noise": 0.1, "mean": 0.0}
    with pytest.raises(InputError, match="must be positive and finite"):
        Hyperparameters(**{**good, **bad})  # type: ignore[arg-type]
