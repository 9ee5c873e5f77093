"""Hyper-parameters at the maximum of the posterior, by L-BFGS on a closed-form objective and gradient.

    −log p(y) + ½ μ² + Σ_p ½ ((log p − centre_p)/width_p)²

The mean μ ~ N(0, 1) is solved for exactly at each step; by the envelope theorem it adds nothing to the
gradient.
"""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import LinAlgError

from snakebo.surrogate.evidence import Covariance, Evidence
from snakebo.surrogate.gp import Hyperparameters
from snakebo.surrogate.kernel import Array, Kernel

_TOO_BAD = 1e25


@dataclass(frozen=True)
class LogNormal:
    """A positive hyper-parameter whose logarithm is normal, cut at hard bounds."""

    median: float
    width: float
    low: float = 1e-10
    high: float = 1e10


@dataclass(frozen=True)
class Priors:
    """Priors of length scales (one each), output scale and noise, for standardised outputs."""

    lengthscales: tuple[LogNormal, ...]
    outputscale: LogNormal
    noise: LogNormal

    @property
    def all(self) -> tuple[LogNormal, ...]:
        """In the order of the parameter vector."""
        return (*self.lengthscales, self.outputscale, self.noise)


def fit_map(X: Array, y: Array, kernel: Kernel, priors: Priors) -> Hyperparameters:
    """Fit to X (n, d) in the unit cube and outputs y (n,) from two starts; a pure function."""
    from scipy.optimize import minimize

    objective = _Objective(X, y, kernel, priors)
    center = np.log([p.median for p in priors.all])
    bounds = [(np.log(p.low), np.log(p.high)) for p in priors.all]
    rougher = center.copy()
    rougher[: X.shape[1]] -= 1.0  # a second basin is mostly one of shorter length scales
    best, loss = center, np.inf
    for start in (center, rougher):
        lows, highs = np.transpose(bounds)
        found = minimize(
            objective, np.clip(start, lows, highs), jac=True, method="L-BFGS-B", bounds=bounds,
            options={"maxiter": 60, "ftol": 1e-7, "gtol": 1e-4},
        )  # fmt: skip
        if found.fun < loss:
            best, loss = found.x, found.fun
    *scales, outputscale, noise = np.exp(best).tolist()
    return Hyperparameters(tuple(scales), outputscale, noise, objective.mean(best), kernel)


class _Objective:
    def __init__(self, X: Array, y: Array, kernel: Kernel, priors: Priors) -> None:
        self.evidence = Evidence(X, y, kernel)
        self.dim = X.shape[1]
        self.center = np.log([p.median for p in priors.all])
        self.width = np.array([p.width for p in priors.all])

    def __call__(self, log_p: Array) -> tuple[float, Array]:
        scales, theta, noise = self._split(log_p)
        try:
            covariance = self.evidence.factor(scales, theta, noise)
        except LinAlgError:
            return _TOO_BAD, np.zeros_like(log_p)
        mean = self._mean(covariance)
        offset = (log_p - self.center) / self.width
        loss = self.evidence.loss(covariance, mean) + 0.5 * mean**2 + 0.5 * float(offset @ offset)
        gradient = self.evidence.gradient(covariance, scales, noise, mean)[:-1]
        return loss, gradient + offset / self.width

    def mean(self, log_p: Array) -> float:
        """The best mean for given other hyper-parameters."""
        return self._mean(self.evidence.factor(*self._split(log_p)))

    def _mean(self, covariance: Covariance) -> float:
        pull = covariance.inverse.sum(axis=0)
        return float(pull @ self.evidence.y) / (float(pull.sum()) + 1.0)

    def _split(self, log_p: Array) -> tuple[Array, float, float]:
        p = np.exp(log_p)
        return p[: self.dim], float(p[self.dim]), float(p[self.dim + 1])
