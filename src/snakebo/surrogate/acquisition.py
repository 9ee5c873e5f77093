"""Expected improvement in the logarithm, accurate where the improvement underflows (Ament et al. 2023)."""

from dataclasses import dataclass

import numpy as np
from scipy.special import erfcx, log_ndtr

from snakebo.surrogate.kernel import Array
from snakebo.surrogate.posterior import Posterior

_LOG_SQRT_2PI = 0.5 * np.log(2.0 * np.pi)


def log_h(u: Array) -> Array:
    """log(φ(u) + u Φ(u)): log EI of a unit normal whose mean lies u above the incumbent."""
    log_phi = -0.5 * u * u - _LOG_SQRT_2PI
    near = np.maximum(u, -1.0)
    direct = np.log(np.exp(-0.5 * near * near - _LOG_SQRT_2PI) + near * np.exp(log_ndtr(near)))
    v = np.clip(-u, 1.0, 1e4)
    ratio = np.log1p(-v * np.sqrt(np.pi / 2.0) * erfcx(v / np.sqrt(2.0)))
    far = log_phi + np.where(u > -1e4, ratio, -2.0 * np.log(np.maximum(-u, 1.0)))
    value: Array = np.where(u > -1.0, direct, far)
    return value


@dataclass(frozen=True)
class LogExpectedImprovement:
    """log EI over `best`, with its gradient."""

    gp: Posterior
    best: float

    def __call__(self, U: Array) -> Array:
        """Values (m,) at points U (m, d)."""
        mean, variance = self.gp.predict(U)
        sigma = np.sqrt(variance)
        return log_h((mean - self.best) / sigma) + np.log(sigma)

    def value_and_gradient(self, U: Array) -> tuple[Array, Array]:
        """Values (m,) and gradients (m, d).  ∂log EI/∂μ = Φ/(σh),  ∂log EI/∂σ = φ/(σh)."""
        mean, variance, d_mean, d_variance = self.gp.predict_with_gradients(U)
        sigma = np.sqrt(variance)
        u = (mean - self.best) / sigma
        log_value = log_h(u)
        by_mean = np.exp(log_ndtr(u) - log_value) / sigma
        by_sigma = np.exp(-0.5 * u * u - _LOG_SQRT_2PI - log_value) / sigma
        gradient = by_mean[:, None] * d_mean + (by_sigma / (2.0 * sigma))[:, None] * d_variance
        return log_value + np.log(sigma), gradient
