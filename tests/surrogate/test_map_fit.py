from typing import Any

import numpy as np
import pytest

from snakebo.surrogate.gp import Hyperparameters
from snakebo.surrogate.kernel import KERNELS, Array, Kernel
from snakebo.surrogate.map_fit import LogNormal, Priors, _Objective, fit_map

PRIORS = Priors(
    (LogNormal(0.3, 0.7, 1e-3, 1e3), LogNormal(0.3, 0.7, 1e-3, 1e3)),
    LogNormal(1.0, 1.0, 1e-3, 1e4),
    LogNormal(1e-2, 2.0, 1e-6, 1e2),
)


def _data(n: int = 20, seed: int = 0, noise: float = 0.1) -> tuple[Array, Array]:
    rng = np.random.default_rng(seed)
    X = rng.random((n, 2))
    y = np.sin(7 * X[:, 0]) + 0.5 * X[:, 1] + noise * rng.normal(size=n)
    return X, (y - y.mean()) / y.std()


def _log(hyper: Hyperparameters) -> Array:
    return np.log([*hyper.lengthscales, hyper.outputscale, hyper.noise])


def _botorch(X: Array, y: Array, kernel: Kernel) -> Any:
    """The same model and priors in GPyTorch, whose LogNormal is a density over p, ours one over log p.

    log LogNormal(p; m + w², w) = −½ ((log p − m)/w)² + constant: a shifted centre takes the Jacobian in.
    """
    from gpytorch.mlls import ExactMarginalLogLikelihood
    from gpytorch.priors import LogNormalPrior, NormalPrior

    from snakebo.surrogate.botorch_model import empty_model

    model = empty_model(X, y, kernel, noise_floor=PRIORS.noise.low)

    def prior(p: LogNormal) -> Any:
        return LogNormalPrior(np.log(p.median) + p.width**2, p.width)

    kernel_module = model.covar_module
    kernel_module.base_kernel.register_prior(
        "lengthscale_prior", prior(PRIORS.lengthscales[0]), "lengthscale"
    )
    kernel_module.register_prior("outputscale_prior", prior(PRIORS.outputscale), "outputscale")
    model.likelihood.noise_covar.register_prior("noise_prior", prior(PRIORS.noise), "noise")
    model.mean_module.register_prior("mean_prior", NormalPrior(0.0, 1.0), "constant")
    return ExactMarginalLogLikelihood(model.likelihood, model.double())


def _log_posterior(mll: Any, hyper: Hyperparameters) -> float:
    from snakebo.surrogate.botorch_model import set_hyperparameters

    model = mll.model
    set_hyperparameters(model, hyper)
    model.train()
    # GPyTorch divides the likelihood and the priors by n.
    value = mll(model(*model.train_inputs), model.train_targets).detach()
    return float(value) * len(model.train_targets)


@pytest.mark.parametrize("kernel", KERNELS)
def test_gradient_matches_finite_differences(kernel: Kernel) -> None:
    objective = _Objective(*_data(), kernel, PRIORS)
    rng = np.random.default_rng(1)
    for _ in range(5):
        at = np.log([0.3, 0.3, 1.0, 1e-2]) + rng.normal(size=4)
        gradient, step = objective(at)[1], 1e-5
        for i in range(4):
            nudge = step * np.eye(4)[i]
            difference = (objective(at + nudge)[0] - objective(at - nudge)[0]) / (2 * step)
            assert gradient[i] == pytest.approx(difference, rel=1e-5, abs=1e-6)


@pytest.mark.parametrize("kernel", KERNELS)
def test_objective_is_gpytorchs_up_to_a_constant(kernel: Kernel) -> None:
    X, y = _data()
    objective, mll = _Objective(X, y, kernel, PRIORS), _botorch(X, y, kernel)
    sums = []
    for scales, theta, noise in (
        ((0.3, 0.3), 1.0, 0.01),
        ((0.1, 0.9), 3.0, 0.2),
        ((0.5, 0.05), 0.3, 1e-3),
        ((2.0, 3.0), 20.0, 0.05),
    ):
        log_p = np.log([*scales, theta, noise])
        hyper = Hyperparameters(scales, theta, noise, objective.mean(log_p), kernel)
        sums.append(objective(log_p)[0] + _log_posterior(mll, hyper))
    np.testing.assert_allclose(sums, sums[0], atol=1e-5)


def test_the_mean_is_the_best_one() -> None:
    X, y = _data()
    y = y + 0.8
    objective, mll = _Objective(X, y, "matern52", PRIORS), _botorch(X, y, "matern52")
    log_p = np.log([0.4, 0.6, 1.0, 0.02])
    best = objective.mean(log_p)
    values = [
        _log_posterior(mll, Hyperparameters((0.4, 0.6), 1.0, 0.02, best + shift))
        for shift in (-1e-2, 0.0, 1e-2)
    ]
    assert values[1] > values[0]
    assert values[1] > values[2]
    assert values[0] == pytest.approx(values[2], abs=1e-6)  # a parabola's top


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize(("n", "seed"), [(6, 0), (15, 1), (40, 2)])
def test_optimum_is_at_least_as_good_as_botorchs(kernel: Kernel, n: int, seed: int) -> None:
    from botorch import fit_gpytorch_mll

    from snakebo.surrogate.botorch_model import hyperparameters_of

    X, y = _data(n, seed)
    objective = _Objective(X, y, kernel, PRIORS)
    theirs = hyperparameters_of(fit_gpytorch_mll(_botorch(X, y, kernel)).model)
    ours = fit_map(X, y, kernel, PRIORS)
    assert objective(_log(ours))[0] <= objective(_log(theirs))[0] + 1e-3
    assert ours.mean == pytest.approx(objective.mean(_log(ours)))
    assert ours.kernel == kernel


@pytest.mark.parametrize("kernel", KERNELS)
def test_optimum_is_flat(kernel: Kernel) -> None:
    X, y = _data(30)
    objective = _Objective(X, y, kernel, PRIORS)
    assert np.abs(objective(_log(fit_map(X, y, kernel, PRIORS)))[1]).max() < 0.05


def test_true_hyperparameters_are_found_from_many_data() -> None:
    from snakebo.surrogate.kernel import correlate

    rng = np.random.default_rng(3)
    X, scale = rng.random((150, 2)), np.array([0.15, 0.6])
    K = correlate(X / scale, X / scale, "matern52")[0]
    y = np.linalg.cholesky(K + 0.01 * np.eye(150)) @ rng.normal(size=150)
    found = fit_map(X, y, "matern52", PRIORS)
    np.testing.assert_allclose(np.log(found.lengthscales), np.log(scale), atol=0.4)
    assert np.log(found.noise) == pytest.approx(np.log(0.01), abs=0.4)


def test_bounds_hold() -> None:
    X, y = _data()
    priors = Priors(
        (LogNormal(2.0, 0.7, 1.0, 4.0), LogNormal(0.05, 0.7, 0.05, 0.05)),
        LogNormal(1.0, 1.0, 0.9, 1.1),
        LogNormal(1e-3, 1.0, 1e-3, 1e-3),
    )
    found = fit_map(X, y, "rbf", priors)
    assert 1.0 <= found.lengthscales[0] * (1 + 1e-12) <= 4.0 + 1e-9
    assert found.lengthscales[1] == pytest.approx(0.05, rel=1e-9)
    assert 0.9 * (1 - 1e-9) <= found.outputscale <= 1.1 * (1 + 1e-9)
    assert found.noise == pytest.approx(1e-3, rel=1e-9)


def test_a_fit_depends_on_nothing_but_its_arguments() -> None:
    X, y = _data()
    assert fit_map(X, y, "matern52", PRIORS) == fit_map(X.copy(), y.copy(), "matern52", PRIORS)


@pytest.mark.parametrize("kernel", KERNELS)
def test_one_observation_and_repeated_ones_can_be_fitted(kernel: Kernel) -> None:
    one = fit_map(np.array([[0.5, 0.5]]), np.array([0.0]), kernel, PRIORS)
    # A single value says nothing of length scales: they stay at the medians of their priors.
    np.testing.assert_allclose(one.lengthscales, 0.3, rtol=1e-2)
    same = fit_map(np.full((8, 2), 0.5), np.linspace(-1, 1, 8), kernel, PRIORS)
    assert same.noise > 0.05  # what differs at one place is noise
