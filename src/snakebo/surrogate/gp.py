"""A Gaussian process given its hyper-parameters: posterior by Cholesky, grown one observation at a time.

    f ~ GP(μ, θ·k(·/ℓ)),   y = f(x) + η,   η ~ N(0, s²)            K = θ·k(X, X) + s²·I = L Lᵀ
    mean(x) = μ + k(x, X) K⁻¹ (y − μ)                  var(x) = θ − |L⁻¹ k(X, x)|²

Everything else, from sample paths to expected improvement, follows from the factor L.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from scipy.linalg import cho_solve, cholesky, solve_triangular

from snakebo.errors import InputError
from snakebo.surrogate.kernel import Array, Kernel, correlate

if TYPE_CHECKING:
    from botorch.models import SingleTaskGP


@dataclass(frozen=True)
class Hyperparameters:
    """What a fit finds: kernel, length scales ℓ (d,) in the unit cube, output scale θ, mean μ, noise s²."""

    lengthscales: tuple[float, ...]
    outputscale: float
    noise: float
    mean: float = 0.0
    kernel: Kernel = "matern52"

    def __post_init__(self) -> None:
        positive = (*self.lengthscales, self.outputscale, self.noise)
        if not all(0.0 < value < np.inf for value in positive) or not np.isfinite(self.mean):
            raise InputError(
                "Length scales, output scale and noise must be positive and finite, the mean finite; "
                f"got {self}."
            )


@dataclass(frozen=True)
class GaussianProcess:
    """The posterior given data X (n, d) in the unit cube and y (n,); nothing in it ever changes."""

    hyper: Hyperparameters
    X: Array
    y: Array
    L: Array

    @classmethod
    def condition(cls, hyper: Hyperparameters, X: Array, y: Array) -> GaussianProcess:
        """Condition on all data at once: O(n³)."""
        Z = X / np.array(hyper.lengthscales)
        K = hyper.outputscale * correlate(Z, Z, hyper.kernel)[0]
        K[np.diag_indices_from(K)] += hyper.noise
        return cls(hyper, X, y, cholesky(K, lower=True, check_finite=False))

    def extend(self, x: Array, y: float) -> GaussianProcess:
        """Condition on one more observation: O(n²)."""
        n = len(self.y)
        row = solve_triangular(self.L, self.covariance(x[None])[0], lower=True, check_finite=False)
        pivot = self.hyper.outputscale + self.hyper.noise - float(row @ row)
        L = np.zeros((n + 1, n + 1))
        L[:n, :n] = self.L
        L[n, :n] = row
        # Where rounding eats the pivot of a repeated point, the noise is what is left of its variance.
        L[n, n] = np.sqrt(max(pivot, self.hyper.noise))
        return replace(self, X=np.vstack([self.X, x]), y=np.append(self.y, y), L=L)

    def head(self, n: int) -> GaussianProcess:
        """The posterior given the first n observations alone."""
        return self if n == len(self.y) else replace(self, X=self.X[:n], y=self.y[:n], L=self.L[:n, :n])

    @cached_property
    def scale(self) -> Array:
        """The length scales (d,)."""
        return np.array(self.hyper.lengthscales)

    @property
    def shortest_lengthscale(self) -> float:
        """The smallest length scale."""
        return min(self.hyper.lengthscales)

    @cached_property
    def scaled(self) -> Array:
        """The data (n, d) divided by the length scales."""
        return np.ascontiguousarray(self.X / self.scale)

    @cached_property
    def scaled_columns(self) -> Array:
        """The same as (d, n), for loops along the data."""
        return np.ascontiguousarray(self.scaled.T)

    @cached_property
    def weights(self) -> Array:
        """K⁻¹ (y − μ), (n,)."""
        return self.solve(self.y - self.hyper.mean)

    def solve(self, right: Array) -> Array:
        """K⁻¹ applied to (n,) or (n, m)."""
        solved: Array = cho_solve((self.L, True), right, check_finite=False)
        return solved

    def covariance(self, U: Array) -> Array:
        """Prior covariance (m, n) between points U (m, d) and the data."""
        return self.hyper.outputscale * correlate(U / self.scale, self.scaled, self.hyper.kernel)[0]

    def mean(self, U: Array) -> Array:
        """Posterior mean (m,)."""
        return self.hyper.mean + self.covariance(U) @ self.weights

    def predict(self, U: Array) -> tuple[Array, Array]:
        """Posterior mean (m,) and variance (m,) of the noise-free function."""
        k = self.covariance(U)
        half = solve_triangular(self.L, k.T, lower=True, check_finite=False)
        return self.hyper.mean + k @ self.weights, self._variance(np.einsum("nm,nm->m", half, half))

    def predict_with_gradients(self, U: Array) -> tuple[Array, Array, Array, Array]:
        """Posterior mean (m,), variance (m,) and their gradients (m, d), (m, d) in the unit cube."""
        k, slopes = correlate(U / self.scale, self.scaled, self.hyper.kernel)
        k, slopes = self.hyper.outputscale * k, self.hyper.outputscale * slopes
        solved = self.solve(k.T).T
        mean = self.hyper.mean + k @ self.weights
        variance = self._variance(np.einsum("mn,mn->m", k, solved))

        def slope_along(coefficients: Array) -> Array:
            # Σ_n c_n ∂k(u, X_n)/∂u, with ∂k/∂u = −slope·(u − X_n)/ℓ²
            c = slopes * coefficients
            slope: Array = (c @ self.X - c.sum(axis=1, keepdims=True) * U) / self.scale**2
            return slope

        return mean, variance, slope_along(self.weights), -2.0 * slope_along(solved)

    def _variance(self, explained: Array) -> Array:
        theta = self.hyper.outputscale
        return np.maximum(theta - explained, 1e-12 * theta)

    def to_botorch(self) -> SingleTaskGP:
        """Return the same posterior as a BoTorch model, for its acquisition functions."""
        from snakebo.surrogate.botorch_model import build_botorch

        return build_botorch(self)
