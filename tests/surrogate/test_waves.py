import numpy as np
import pytest

from snakebo.surrogate.waves import add_waves, fill_waves, sincos


@pytest.mark.parametrize("reach", [1e-3, 3.0, 100.0, 1e4, 1e6])
def test_sincos_agrees_with_numpy(reach: float) -> None:
    rng = np.random.default_rng(0)
    phases = np.concatenate([rng.uniform(-reach, reach, 5000), [0.0, reach, -reach]])
    ours = np.array([sincos(phase) for phase in phases])
    # Reducing the angle costs its rounding error, which grows with the angle.
    allowed = 1e-11 + 4 * np.finfo(float).eps * np.abs(phases)
    assert np.all(np.abs(ours[:, 0] - np.sin(phases)) <= allowed)
    assert np.all(np.abs(ours[:, 1] - np.cos(phases)) <= allowed)


def test_sincos_at_the_edges_of_its_reduction() -> None:
    for turn in range(-6, 7):
        for phase in np.nextafter(turn * np.pi / 2, [-np.inf, 0.0, np.inf]):
            sine, cosine = sincos(float(phase))
            assert sine == pytest.approx(np.sin(phase), abs=1e-11)
            assert cosine == pytest.approx(np.cos(phase), abs=1e-11)


def test_waves_are_cosines_then_sines() -> None:
    rng = np.random.default_rng(1)
    Z, frequencies = rng.normal(size=(5, 3)), rng.normal(size=(3, 7))
    phases = Z @ frequencies
    expected = np.hstack([np.cos(phases), np.sin(phases)])
    for dtype, tolerance in ((np.float64, 1e-11), (np.float32, 1e-6)):
        waves = np.empty((5, 14), dtype)
        fill_waves(Z, frequencies, waves)
        np.testing.assert_allclose(waves, expected, atol=tolerance)


def test_sums_of_waves_and_their_gradients() -> None:
    rng = np.random.default_rng(2)
    Z, frequencies = rng.normal(size=(5, 2)), rng.normal(size=(2, 6))
    a, b, path = rng.normal(size=(3, 6)), rng.normal(size=(3, 6)), np.array([2, 0, 1, 1, 0])
    values, gradients = np.full(5, 10.0), np.zeros((5, 2))
    add_waves(Z, path, frequencies, a, b, values, gradients)
    cosines, sines = np.cos(Z @ frequencies), np.sin(Z @ frequencies)
    np.testing.assert_allclose(values, 10.0 + np.sum(a[path] * cosines + b[path] * sines, axis=1), rtol=1e-10)
    np.testing.assert_allclose(gradients, (b[path] * cosines - a[path] * sines) @ frequencies.T, atol=1e-9)
