import numpy as np
from scipy.stats import norm

from snakebo.surrogate.acquisition import UpperBound
from snakebo.surrogate.gp import GaussianProcess, Hyperparameters
from snakebo.surrogate.penalty import Penalized


def _penalized() -> tuple[UpperBound, Penalized]:
    X = np.array([[0.2, 0.2], [0.7, 0.5]])
    gp = GaussianProcess.condition(Hyperparameters((0.3, 0.3), 1.0, 1e-3), X, np.array([0.0, 1.0]))
    plain = UpperBound(gp, 1.0)
    centers = np.array([[0.5, 0.5], [0.1, 0.9]])
    return plain, Penalized(plain, centers, np.array([-1.0, -0.5]), np.array([4.0, 6.0]))


def test_penalty_is_the_formula_of_local_penalisation() -> None:
    plain, penalized = _penalized()
    U = np.random.default_rng(0).random((6, 2))
    distances = np.linalg.norm(U[:, None] - penalized.centers, axis=2)
    factors = norm.cdf(penalized.offsets + penalized.slopes * distances)
    np.testing.assert_allclose(penalized(U), plain(U) + np.log(factors).sum(axis=1))


def test_gradient_matches_finite_differences() -> None:
    _, penalized = _penalized()
    U, step = np.random.default_rng(1).random((6, 2)), 1e-6
    value, gradient = penalized.value_and_gradient(U)
    np.testing.assert_allclose(value, penalized(U))
    for axis in range(2):
        nudge = step * np.eye(2)[axis]
        difference = (penalized(U + nudge) - penalized(U - nudge)) / (2 * step)
        np.testing.assert_allclose(gradient[:, axis], difference, atol=1e-5)


def test_at_an_outstanding_point_nothing_is_divided_by_zero() -> None:
    _, penalized = _penalized()
    value, gradient = penalized.value_and_gradient(penalized.centers)
    assert np.isfinite(value).all()
    assert np.isfinite(gradient).all()
