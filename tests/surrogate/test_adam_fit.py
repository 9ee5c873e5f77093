"""Adam in closed form, step by step beside GPyTorch's own training."""

import numpy as np
import pytest
import torch
from gpytorch.mlls import ExactMarginalLogLikelihood
from gpytorch.priors import SmoothedBoxPrior

from snakebo.surrogate.adam_fit import Boxes, fit_adam
from snakebo.surrogate.botorch_model import empty_model, hyperparameters_of, set_hyperparameters
from snakebo.surrogate.gp import Hyperparameters
from snakebo.surrogate.kernel import Array

FLOOR = 1e-5
SIGMA = 0.001**0.5
GUESS = Hyperparameters((0.5, 0.1), 0.3, 0.02, -0.2, "rbf")


def _data(n: int) -> tuple[Array, Array]:
    X = np.random.default_rng(3).random((n, 2))
    return X, np.sin(9 * X[:, 0]) + X[:, 1] ** 2


def _train_with_gpytorch(X: Array, y: Array, guess: Hyperparameters | None, epochs: int) -> Hyperparameters:
    model = empty_model(X, y, "rbf", noise_floor=FLOOR)
    if guess is not None:
        set_hyperparameters(model, guess)
        scales = torch.tensor(guess.lengthscales, dtype=torch.float64)
        kernel, theta, mean = model.covar_module, guess.outputscale, guess.mean
        kernel.base_kernel.register_prior(
            "lengthscale_prior", SmoothedBoxPrior(scales / 2, scales * 2, SIGMA), "lengthscale"
        )
        kernel.register_prior(
            "outputscale_prior", SmoothedBoxPrior(theta / 2, theta * 2, SIGMA), "outputscale"
        )
        model.mean_module.register_prior(
            "mean_prior", SmoothedBoxPrior(mean - theta / 3, mean + theta / 3, SIGMA), "constant"
        )
    likelihood = ExactMarginalLogLikelihood(model.likelihood, model)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    model.train()
    for _ in range(epochs):
        optimizer.zero_grad()
        loss = -likelihood(model(*model.train_inputs), model.train_targets)
        loss.backward()
        optimizer.step()
    return hyperparameters_of(model)


def _numbers(hyper: Hyperparameters) -> list[float]:
    return [*hyper.lengthscales, hyper.outputscale, hyper.noise, hyper.mean]


@pytest.mark.parametrize("guess", [None, GUESS])
@pytest.mark.parametrize("n", [1, 20])
def test_it_goes_where_gpytorch_goes(guess: Hyperparameters | None, n: int) -> None:
    X, y = _data(n)
    boxes = Boxes(
        low=np.array([0.25, 0.05, 0.15, -np.inf, -0.3]),
        high=np.array([1.0, 0.2, 0.6, np.inf, -0.1]),
        sigma=SIGMA,
    )
    ours = fit_adam(X, y, guess, None if guess is None else boxes, epochs=200, rate=0.01, noise_floor=FLOOR)
    theirs = _train_with_gpytorch(X, y, guess, 200)
    assert _numbers(ours) == pytest.approx(_numbers(theirs), rel=1e-5)
    assert ours != guess


def test_the_boxes_hold() -> None:
    boxes = Boxes(np.array([0.0, -np.inf]), np.array([1.0, np.inf]), sigma=0.1)
    assert boxes.gradient(np.array([0.5, 7.0])).tolist() == [0.0, 0.0]
    assert boxes.gradient(np.array([1.2, 0.0])) == pytest.approx([20.0, 0.0])
    assert boxes.gradient(np.array([-0.2, 0.0])) == pytest.approx([-20.0, 0.0])


def test_points_that_cannot_be_told_apart_are_no_failure() -> None:
    X = np.full((30, 2), 0.5)
    found = fit_adam(X, np.zeros(30), None, None, epochs=500, rate=0.01, noise_floor=FLOOR)
    assert np.isfinite(_numbers(found)).all()
    assert found.noise >= FLOOR
