"""The paper's hyper-parameters: an educated guess, then refits inside soft boxes around it (appendix D.3)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.random import Generator

from snakebo.space import Points, Space
from snakebo.surrogate.adam_fit import Boxes, fit_adam
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
        return cls(tuple(_train(points, column) for column in values.T))

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
        """Return the guess before the first 25 observations, then the best inside the boxes around it.

        Every refit goes on from the one before it; by its 500 small steps alone the noise would stay high.
        """
        guess = found = self.guess[objective]
        for told in range(_REFIT_EVERY, len(z) + 1, _REFIT_EVERY):
            found = _refit(X[:told].tobytes(), z[:told].tobytes(), space.dim, found, guess)
        return found


@lru_cache(maxsize=64)
def _refit(X: bytes, y: bytes, dim: int, start: Hyperparameters, guess: Hyperparameters) -> Hyperparameters:
    """Train from `start` inside the boxes around the guess; kept, because the next refit begins here."""
    return _train(np.frombuffer(X).reshape(-1, dim), np.frombuffer(y), start, _boxes(guess))


def _train(
    X: Array, y: Array, start: Hyperparameters | None = None, boxes: Boxes | None = None
) -> Hyperparameters:
    """Adam on the marginal likelihood."""
    return fit_adam(X, y, start, boxes, epochs=_EPOCHS, rate=_RATE, noise_floor=_NOISE_FLOOR)


def _boxes(guess: Hyperparameters) -> Boxes:
    """Half to double the length scales and the output scale; the mean within a third of the latter."""
    scales, theta = np.array([*guess.lengthscales, guess.outputscale]), guess.outputscale
    return Boxes(
        low=np.array([*(scales / 2), -np.inf, guess.mean - theta / 3]),
        high=np.array([*(scales * 2), np.inf, guess.mean + theta / 3]),
        sigma=_BOX_VARIANCE**0.5,
    )
