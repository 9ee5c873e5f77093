"""Hyper-parameters at the maximum of the posterior, by L-BFGS on a closed-form objective and gradient.

    −log p = ½ (y−μ)ᵀK⁻¹(y−μ) + ½ log|K| + Σ_p ½ ((log p − centre_p)/width_p)²
    ∂/∂log p = ½ Σ (K⁻¹ − wwᵀ) ∘ ∂K/∂log p + …                           w = K⁻¹(y − μ)

The mean μ ~ N(0, 1) is solved for exactly at each step; by the envelope theorem it adds nothing to the
gradient.
"""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import LinAlgError, cho_solve, cholesky

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
        self.squares = (X.T[:, :, None] - X.T[:, None, :]) ** 2  # (d, n, n)
        self.flat = self.squares.reshape(X.shape[1], -1)
        self.y = y
        self.matern = kernel == "matern52"
        self.center = np.log([p.median for p in priors.all])
        self.width = np.array([p.width for p in priors.all])

    def __call__(self, log_p: Array) -> tuple[float, Array]:
        n, d = len(self.y), len(self.flat)
        inverse_squares = np.exp(-2.0 * log_p[:d])
        theta, noise = np.exp(log_p[d]), np.exp(log_p[d + 1])
        signal, slopes = self._kernel(inverse_squares, theta)
        K = signal.copy()
        K[np.diag_indices(n)] += noise
        try:
            L = cholesky(K, lower=True, check_finite=False)
        except LinAlgError:
            return _TOO_BAD, np.zeros_like(log_p)
        inverse = cho_solve((L, True), np.eye(n), check_finite=False)
        mean = self._mean(inverse)
        w = inverse @ (self.y - mean)
        offset = (log_p - self.center) / self.width
        loss = (
            0.5 * float((self.y - mean) @ w)
            + float(np.sum(np.log(np.diag(L))))
            + 0.5 * mean**2
            + 0.5 * float(offset @ offset)
        )
        W = inverse - np.outer(w, w)
        gradient = offset / self.width
        # ∂K/∂log ℓ_i = slope · Δ_i²/ℓ_i²
        gradient[:d] += 0.5 * inverse_squares * (self.flat @ (W * slopes).ravel())
        gradient[d] += 0.5 * float(np.sum(W * signal))
        gradient[d + 1] += 0.5 * noise * float(np.trace(W))
        return loss, gradient

    def mean(self, log_p: Array) -> float:
        """The best mean for given other hyper-parameters."""
        d = len(self.flat)
        K = self._kernel(np.exp(-2.0 * log_p[:d]), np.exp(log_p[d]))[0]
        K[np.diag_indices_from(K)] += np.exp(log_p[d + 1])
        return self._mean(np.asarray(np.linalg.inv(K), dtype=np.float64))

    def _mean(self, inverse: Array) -> float:
        pull = inverse.sum(axis=0)
        return float(pull @ self.y) / (float(pull.sum()) + 1.0)

    def _kernel(self, inverse_squares: Array, theta: float) -> tuple[Array, Array]:
        n = len(self.y)
        squared = (inverse_squares @ self.flat).reshape(n, n)
        if not self.matern:
            signal = theta * np.exp(-0.5 * squared)
            return signal, signal
        r = np.sqrt(5.0 * squared)
        decay = theta * np.exp(-r)
        return (1.0 + r + r * r / 3.0) * decay, 5.0 / 3.0 * (1.0 + r) * decay
