"""The paper's hyper-parameters: an educated guess, then refits inside soft boxes around it (appendix D.3)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from snakebo.space import Points, Space
from snakebo.surrogate.gp import Hyperparameters
from snakebo.surrogate.kernel import Array
from snakebo.surrogate.outputs import Outputs, Scaling
from snakebo.surrogate.protocol import check_sets

_EPOCHS = 500
_RATE = 0.01
_NOISE_FLOOR = 1e-5
_BOX_VARIANCE = 0.001
_REFIT_EVERY = 25


@dataclass(frozen=True)
class Paper:
    """An RBF kernel whose hyper-parameters start at a guess and are refitted every 25 observations.

    `guess` has one set for each objective. `Paper.educated` makes it as the paper does, from points that do
    not count as data; that takes evaluations of the function which a laboratory mostly cannot afford.
    """

    guess: tuple[Hyperparameters, ...]

    @classmethod
    def educated(
        cls, evaluate: Callable[[Points], Array], space: Space, budget: int, rng: Generator
    ) -> Paper:
        """Train on max(T/5, 10·d) random points; `evaluate` maps unit points (n, d) to (n, objectives)."""
        points = space.uniform(max(budget // 5, 10 * space.dim), rng)
        values = np.asarray(evaluate(points), dtype=float)
        return cls(tuple(_train(points, column, None) for column in values.T))

    @property
    def scaling(self) -> Scaling:
        """Values are taken as told."""
        return "raw"

    def check(self, space: Space, objectives: int) -> None:
        """Raise InputError unless the guess fits the space and the objectives."""
        check_sets(self.guess, space, objectives)

    def fitted_on(self, told: int) -> int:
        """Every 25 observations."""
        return told - told % _REFIT_EVERY

    def fit(self, space: Space, X: Array, z: Array, outputs: Outputs, objective: int) -> Hyperparameters:
        """Return the guess before the first 25 observations, then the best inside the boxes."""
        guess = self.guess[objective]
        return _train(X, z, guess) if len(z) else guess


def _train(X: Array, y: Array, guess: Hyperparameters | None) -> Hyperparameters:
    """Adam on the marginal likelihood, inside smoothed boxes if there is a guess."""
    import torch
    from gpytorch.mlls import ExactMarginalLogLikelihood

    from snakebo.surrogate.botorch_model import hyperparameters_of

    model = _model(X, y, guess)
    likelihood = ExactMarginalLogLikelihood(model.likelihood, model)
    optimizer = torch.optim.Adam(model.parameters(), lr=_RATE)
    model.train()
    for _ in range(_EPOCHS):
        optimizer.zero_grad()
        loss = -likelihood(model(*model.train_inputs), model.train_targets)
        loss.backward()
        optimizer.step()
    return hyperparameters_of(model)


def _model(X: Array, y: Array, guess: Hyperparameters | None):  # type: ignore[no-untyped-def]
    import torch
    from gpytorch.priors import SmoothedBoxPrior

    from snakebo.surrogate.botorch_model import empty_model, set_hyperparameters

    model = empty_model(X, y, "rbf", noise_floor=_NOISE_FLOOR)
    if guess is None:
        return model
    set_hyperparameters(model, guess)
    sigma = _BOX_VARIANCE**0.5
    scales = torch.tensor(guess.lengthscales, dtype=torch.float64)
    kernel, theta = model.covar_module, guess.outputscale
    kernel.base_kernel.register_prior(
        "lengthscale_prior", SmoothedBoxPrior(scales / 2, scales * 2, sigma), "lengthscale"
    )
    kernel.register_prior("outputscale_prior", SmoothedBoxPrior(theta / 2, theta * 2, sigma), "outputscale")
    model.mean_module.register_prior(
        "mean_prior", SmoothedBoxPrior(guess.mean - theta / 3, guess.mean + theta / 3, sigma), "constant"
    )
    return model
