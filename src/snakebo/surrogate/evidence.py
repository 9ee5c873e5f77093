"""What the data say about hyper-parameters: the log marginal likelihood of a GP and its gradient.

−log p(y) = ½ (y−μ)ᵀK⁻¹(y−μ) + ½ log|K| + const             w = K⁻¹(y − μ),  W = K⁻¹ − wwᵀ
∂/∂log p  = ½ Σ W ∘ ∂K/∂log p                               ∂/∂μ = −Σ w
"""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import cho_solve, cholesky

from snakebo.surrogate.kernel import Array, Kernel


@dataclass(frozen=True)
class Covariance:
    """K at given hyper-parameters, factored."""

    inverse: Array  # (n, n)
    half_log_determinant: float
    signal: Array  # (n, n) K without its noise
    slopes: Array  # (n, n) ∂K/∂log ℓ_i = slope · Δ_i²/ℓ_i²


class Evidence:
    """The likelihood of outputs y (n,) at points X (n, d) under a kernel with one length scale a variable."""

    def __init__(self, X: Array, y: Array, kernel: Kernel) -> None:
        squares = (X.T[:, :, None] - X.T[:, None, :]) ** 2
        self.flat = squares.reshape(X.shape[1], -1)  # (d, n²)
        self.y = y
        self.matern = kernel == "matern52"

    def factor(self, lengthscales: Array, outputscale: float, noise: float) -> Covariance:
        """Factor K; LinAlgError where it is not positive definite."""
        n = len(self.y)
        signal, slopes = self._kernel(lengthscales, outputscale)
        K = signal.copy()
        K[np.diag_indices(n)] += noise
        L = cholesky(K, lower=True, check_finite=False)
        inverse = cho_solve((L, True), np.eye(n), check_finite=False)
        return Covariance(inverse, float(np.sum(np.log(np.diag(L)))), signal, slopes)

    def loss(self, covariance: Covariance, mean: float) -> float:
        """−log p(y), but for its constant."""
        residual = self.y - mean
        return 0.5 * float(residual @ covariance.inverse @ residual) + covariance.half_log_determinant

    def gradient(self, covariance: Covariance, lengthscales: Array, noise: float, mean: float) -> Array:
        """The loss's gradient in (log ℓ_1, …, log ℓ_d, log θ0, log σ², μ)."""
        w = covariance.inverse @ (self.y - mean)
        W = covariance.inverse - np.outer(w, w)
        by_lengthscale = 0.5 * lengthscales**-2 * (self.flat @ (W * covariance.slopes).ravel())
        by_outputscale = 0.5 * float(np.sum(W * covariance.signal))
        by_noise = 0.5 * noise * float(np.trace(W))
        return np.array([*by_lengthscale, by_outputscale, by_noise, -float(w.sum())])

    def _kernel(self, lengthscales: Array, outputscale: float) -> tuple[Array, Array]:
        n = len(self.y)
        squared = (lengthscales**-2 @ self.flat).reshape(n, n)
        if not self.matern:
            signal = outputscale * np.exp(-0.5 * squared)
            return signal, signal
        r = np.sqrt(5.0 * squared)
        decay = outputscale * np.exp(-r)
        return (1.0 + r + r * r / 3.0) * decay, 5.0 / 3.0 * (1.0 + r) * decay
