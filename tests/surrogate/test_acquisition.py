from collections.abc import Callable

import numpy as np
import pytest
from scipy.special import log_ndtr
from scipy.stats import norm

from snakebo.surrogate.acquisition import (
    Acquisition,
    LogExpectedImprovement,
    LogProbabilityOfImprovement,
    LogSoftplus,
    PerCost,
    UpperBound,
    log_h,
    normal_hazard,
)
from snakebo.surrogate.gp import GaussianProcess, Hyperparameters
from snakebo.surrogate.kernel import KERNELS, Array, Kernel


def _gp(kernel: Kernel = "matern52") -> GaussianProcess:
    rng = np.random.default_rng(0)
    X = rng.random((10, 2))
    y = np.sin(6 * X[:, 0]) * np.cos(4 * X[:, 1])
    return GaussianProcess.condition(Hyperparameters((0.25, 0.35), 1.3, 1e-3, 0.1, kernel), X, y)


def _points() -> Array:
    return np.random.default_rng(1).uniform(0.05, 0.95, (25, 2))


def _distance(U: Array) -> Array:
    return np.asarray(np.linalg.norm(U - 0.3, axis=1))


ALL: dict[str, Callable[[GaussianProcess], Acquisition]] = {
    "log EI": lambda gp: LogExpectedImprovement(gp, 0.8),
    "log EI, hopeless": lambda gp: LogExpectedImprovement(gp, 30.0),
    "log PI": lambda gp: LogProbabilityOfImprovement(gp, 0.8),
    "UCB": lambda gp: UpperBound(gp, 2.0),
    "softplus of UCB": lambda gp: LogSoftplus(UpperBound(gp, 2.0)),
    "EI per cost": lambda gp: PerCost(LogExpectedImprovement(gp, 0.8), _distance, 1.0),
}


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("best", [-1.0, 0.5, 1.0, 5.0])
def test_log_ei_equals_botorchs(kernel: Kernel, best: float) -> None:
    import torch
    from botorch.acquisition.analytic import LogExpectedImprovement as Reference

    gp, U = _gp(kernel), _points()
    with torch.no_grad():
        theirs = Reference(gp.to_botorch(), best_f=best)(torch.tensor(U)[:, None, :]).numpy()
    np.testing.assert_allclose(LogExpectedImprovement(gp, best)(U), theirs, atol=1e-6, rtol=1e-6)


def test_log_pi_and_ucb_equal_botorchs() -> None:
    import torch
    from botorch.acquisition.analytic import LogProbabilityOfImprovement as Probability
    from botorch.acquisition.analytic import UpperConfidenceBound

    gp, U = _gp(), _points()
    model, points = gp.to_botorch(), torch.tensor(U)[:, None, :]
    with torch.no_grad():
        probability = Probability(model, best_f=0.8)(points).numpy()
        bound = UpperConfidenceBound(model, beta=4.0)(points).numpy()  # theirs takes the root
    np.testing.assert_allclose(LogProbabilityOfImprovement(gp, 0.8)(U), probability, atol=1e-6, rtol=1e-6)
    np.testing.assert_allclose(UpperBound(gp, 2.0)(U), bound, atol=1e-6, rtol=1e-6)


@pytest.mark.parametrize("name", ALL)
def test_gradients_match_finite_differences(name: str) -> None:
    acquisition, U, step = ALL[name](_gp()), _points(), 1e-6
    value, gradient = acquisition.value_and_gradient(U)
    np.testing.assert_allclose(value, acquisition(U), rtol=1e-6)
    for axis in range(2):
        nudge = step * np.eye(2)[axis]
        difference = (acquisition(U + nudge) - acquisition(U - nudge)) / (2 * step)
        np.testing.assert_allclose(gradient[:, axis], difference, rtol=1e-4, atol=1e-4)


def test_cost_gradient_at_the_walls_is_one_sided() -> None:
    flat = GaussianProcess.condition(
        Hyperparameters((9.0, 9.0), 1.0, 1.0), np.array([[0.5, 0.5]]), np.array([0.0])
    )
    corners = np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    plain, per_cost = UpperBound(flat, 0.0), PerCost(UpperBound(flat, 0.0), lambda U: U @ [2.0, 3.0], 1.0)
    slope = per_cost.value_and_gradient(corners)[1] - plain.value_and_gradient(corners)[1]
    np.testing.assert_allclose(slope, -np.array([2.0, 3.0]) / (1 + corners @ [2.0, 3.0])[:, None], rtol=1e-5)


def test_log_h_is_the_logarithm_of_expected_improvement() -> None:
    u = np.linspace(-5, 8, 200)
    np.testing.assert_allclose(log_h(u), np.log(norm.pdf(u) + u * norm.cdf(u)), atol=1e-7)


def test_log_h_is_finite_smooth_and_increasing_into_the_far_tails() -> None:
    u = np.concatenate([-np.logspace(8, -3, 4000), np.logspace(-3, 8, 1000)])
    value = log_h(u)
    assert np.isfinite(value).all()
    assert (np.diff(value) > 0).all()
    # Where the forms meet nothing jumps: far out, h(u) → φ(u)/u².
    for seam in (-1.0, -1e4):
        around = log_h(np.array([np.nextafter(seam, -np.inf), seam, np.nextafter(seam, np.inf)]))
        assert np.ptp(around) < 1e-9 * abs(around[1]) + 1e-10
    far = np.array([-1e3, -1e5, -1e7])
    expected = -0.5 * far**2 - 0.5 * np.log(2 * np.pi) - 2 * np.log(-far)
    np.testing.assert_allclose(log_h(far), expected, rtol=1e-9)


def test_far_from_any_hope_values_and_gradients_stay_finite() -> None:
    for best in (1e3, 1e6):
        value, gradient = LogExpectedImprovement(_gp(), best).value_and_gradient(_points())
        assert np.isfinite(value).all()
        assert np.isfinite(gradient).all()
        assert np.abs(gradient).max() > 0


def test_hazard_is_the_slope_of_the_log_cdf() -> None:
    u = np.array([-300.0, -20.0, -1.0, 0.0, 3.0])
    difference = (log_ndtr(u + 1e-5) - log_ndtr(u - 1e-5)) / 2e-5
    np.testing.assert_allclose(normal_hazard(u), difference, rtol=1e-5)
