import numpy as np
import pytest
from scipy.special import gamma, kv

from snakebo.surrogate.kernel import (
    KERNELS,
    Array,
    Kernel,
    _decay,
    add_correlations,
    correlate,
    draw_frequencies,
    fill_correlations,
)


def _reference(kernel: Kernel, r: Array) -> Array:
    """The kernels from the literature: the Matérn by its Bessel function."""
    if kernel == "rbf":
        return np.asarray(np.exp(-(r**2) / 2))
    z = np.sqrt(5.0) * r
    return np.asarray(2 ** (1 - 2.5) / gamma(2.5) * z**2.5 * kv(2.5, z))


@pytest.mark.parametrize("kernel", KERNELS)
def test_correlations_match_the_textbook(kernel: Kernel) -> None:
    rng = np.random.default_rng(0)
    A, B = rng.normal(size=(7, 3)), rng.normal(size=(5, 3))
    r = np.linalg.norm(A[:, None] - B, axis=2)
    np.testing.assert_allclose(correlate(A, B, kernel)[0], _reference(kernel, r), rtol=1e-12)


@pytest.mark.parametrize("kernel", KERNELS)
def test_slope_is_the_derivative_and_finite_at_zero(kernel: Kernel) -> None:
    rng = np.random.default_rng(1)
    A, B = rng.normal(size=(6, 2)), rng.normal(size=(4, 2))
    slopes = correlate(A, B, kernel)[1]
    step = 1e-6
    for axis in range(2):
        nudge = step * np.eye(2)[axis]
        difference = (correlate(A + nudge, B, kernel)[0] - correlate(A - nudge, B, kernel)[0]) / (2 * step)
        np.testing.assert_allclose(-slopes * (A[:, [axis]] - B[:, axis]), difference, atol=1e-8)
    value, slope = correlate(A[:1], A[:1], kernel)
    assert value[0, 0] == 1.0
    assert slope[0, 0] == pytest.approx(5 / 3 if kernel == "matern52" else 1.0)


@pytest.mark.parametrize("kernel", KERNELS)
def test_far_points_are_uncorrelated_and_nothing_overflows(kernel: Kernel) -> None:
    values, slopes = correlate(np.array([[0.0]]), np.array([[1e3], [1e100]]), kernel)
    np.testing.assert_array_equal(values, 0.0)
    np.testing.assert_array_equal(slopes, 0.0)


@pytest.mark.parametrize("kernel", KERNELS)
def test_single_precision_and_sums_agree_with_the_plain_form(kernel: Kernel) -> None:
    rng = np.random.default_rng(2)
    Z, data, v = rng.normal(size=(6, 2)), rng.normal(size=(4, 2)), rng.normal(size=(3, 4))
    matern = kernel == "matern52"
    values, slopes = correlate(Z, data, kernel)
    single = np.empty((6, 4), np.float32)
    columns = np.ascontiguousarray(data.T)
    fill_correlations(Z, columns, matern, single)
    np.testing.assert_allclose(single, values, rtol=1e-6)
    path = np.array([0, 2, 1, 1, 0, 2])
    sums, gradients = np.ones(6), np.zeros((6, 2))
    add_correlations(Z, path, columns, v, matern, sums, gradients)
    np.testing.assert_allclose(sums, 1.0 + np.sum(v[path] * values, axis=1), rtol=1e-11)
    expected = -np.einsum("in,ink->ik", v[path] * slopes, Z[:, None] - data)
    np.testing.assert_allclose(gradients, expected, rtol=1e-10, atol=1e-12)


def test_decay_is_the_exponential() -> None:
    x = np.concatenate([np.linspace(0.0, 30.0, 301), [100.0, 1e4, 1e300]])
    decays = np.array([_decay(each) for each in x])
    np.testing.assert_allclose(decays, np.exp(-x), rtol=0, atol=1e-12)
    np.testing.assert_allclose(decays[:301], np.exp(-x[:301]), rtol=1e-10)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("dim", [1, 3])
def test_frequencies_have_the_kernel_as_their_characteristic_function(kernel: Kernel, dim: int) -> None:
    rng = np.random.default_rng(3)
    count = 40_000
    frequencies = draw_frequencies(kernel, count, dim, rng)
    assert frequencies.shape == (dim, count)
    lags = rng.normal(size=(6, dim))
    waves = np.cos(lags @ frequencies)  # E cos(ω·δ) = k(δ), Bochner
    error = waves.std(axis=1, ddof=1) / np.sqrt(count)
    z = (waves.mean(axis=1) - correlate(lags, np.zeros((1, dim)), kernel)[0][:, 0]) / error
    assert np.abs(z).max() < 4.0
