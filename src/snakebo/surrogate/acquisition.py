"""Expected improvement in the logarithm, accurate where the improvement underflows (Ament et al. 2023)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy.special import erfcx, log_expit, log_ndtr

from snakebo.surrogate.kernel import Array
from snakebo.surrogate.posterior import Posterior

_LOG_SQRT_2PI = 0.5 * np.log(2.0 * np.pi)
_NUDGE = 1e-6  # for the slope of a cost, in the unit cube


def log_h(u: Array) -> Array:
    """log(φ(u) + u Φ(u)): log EI of a unit normal whose mean lies u above the incumbent."""
    near = np.maximum(u, -1.0)
    direct = np.log(np.exp(-0.5 * near * near - _LOG_SQRT_2PI) + near * np.exp(log_ndtr(near)))
    value: Array = np.where(u > -1.0, direct, -0.5 * u * u - _LOG_SQRT_2PI + _log_h_over_phi(u))
    return value


def _log_h_over_phi(u: Array) -> Array:
    """log(1 + u Φ(u)/φ(u)) for u ≤ −1, and at −1 beyond: free of u², which would swallow it."""
    v = np.maximum(-u, 1.0)
    ratio = np.log1p(-np.minimum(v, 1e4) / normal_hazard(-np.minimum(v, 1e4)))
    value: Array = np.where(v < 1e4, ratio, -2.0 * np.log(v))
    return value


def normal_hazard(u: Array) -> Array:
    """φ(u)/Φ(u), the slope of log Φ."""
    hazard: Array = np.sqrt(2.0 / np.pi) / erfcx(-u / np.sqrt(2.0))
    return hazard


def _slopes(u: Array) -> tuple[Array, Array]:
    """Φ/h and φ/h, the slopes of log h by mean and by deviation."""
    near, far = np.maximum(u, -1.0), np.minimum(u, -1.0)
    by_sigma_far = np.exp(-_log_h_over_phi(far))
    by_mean = np.where(u > -1.0, np.exp(log_ndtr(near) - log_h(near)), by_sigma_far / normal_hazard(far))
    by_sigma = np.where(u > -1.0, np.exp(-0.5 * near * near - _LOG_SQRT_2PI - log_h(near)), by_sigma_far)
    return by_mean, by_sigma


class Acquisition(Protocol):
    """What a one-step method maximises."""

    def __call__(self, U: Array) -> Array:
        """Values (m,) at points U (m, d)."""

    def value_and_gradient(self, U: Array) -> tuple[Array, Array]:
        """Values (m,) and gradients (m, d)."""


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
        by_mean, by_sigma = (slope / sigma for slope in _slopes(u))
        gradient = by_mean[:, None] * d_mean + (by_sigma / (2.0 * sigma))[:, None] * d_variance
        return log_h(u) + np.log(sigma), gradient


@dataclass(frozen=True)
class LogProbabilityOfImprovement:
    """log Φ((mean − best)/deviation), with its gradient."""

    gp: Posterior
    best: float

    def __call__(self, U: Array) -> Array:
        """Values (m,) at points U (m, d)."""
        mean, variance = self.gp.predict(U)
        values: Array = log_ndtr((mean - self.best) / np.sqrt(variance))
        return values

    def value_and_gradient(self, U: Array) -> tuple[Array, Array]:
        """Values (m,) and gradients (m, d)."""
        mean, variance, d_mean, d_variance = self.gp.predict_with_gradients(U)
        sigma = np.sqrt(variance)
        u = (mean - self.best) / sigma
        d_u = (d_mean - (u / (2.0 * sigma))[:, None] * d_variance) / sigma[:, None]
        return log_ndtr(u), normal_hazard(u)[:, None] * d_u


@dataclass(frozen=True)
class UpperBound:
    """mean + beta·deviation, with its gradient."""

    gp: Posterior
    beta: float

    def __call__(self, U: Array) -> Array:
        """Values (m,) at points U (m, d)."""
        mean, variance = self.gp.predict(U)
        return mean + self.beta * np.sqrt(variance)

    def value_and_gradient(self, U: Array) -> tuple[Array, Array]:
        """Values (m,) and gradients (m, d)."""
        mean, variance, d_mean, d_variance = self.gp.predict_with_gradients(U)
        sigma = np.sqrt(variance)
        return mean + self.beta * sigma, d_mean + (self.beta / (2.0 * sigma))[:, None] * d_variance


@dataclass(frozen=True)
class LogSoftplus:
    """log log(1 + e^a): an acquisition made positive, so that penalties can multiply it (González 2016)."""

    acquisition: Acquisition

    def __call__(self, U: Array) -> Array:
        """Values (m,) at points U (m, d)."""
        return _log_softplus(self.acquisition(U))

    def value_and_gradient(self, U: Array) -> tuple[Array, Array]:
        """Values (m,) and gradients (m, d)."""
        value, gradient = self.acquisition.value_and_gradient(U)
        log_softplus = _log_softplus(value)
        return log_softplus, np.exp(log_expit(value) - log_softplus)[:, None] * gradient


def _log_softplus(a: Array) -> Array:
    """log log(1 + e^a), which is a where e^a vanishes."""
    value: Array = np.where(a < -30.0, a, np.log(np.logaddexp(0.0, np.maximum(a, -30.0))))
    return value


@dataclass(frozen=True)
class PerCost:
    """A log-acquisition less log(gamma + cost), for any cost: its slope is taken by differences."""

    acquisition: Acquisition
    cost: Callable[[Array], Array]  # (m, d) to (m,)
    gamma: float

    def __call__(self, U: Array) -> Array:
        """Values (m,) at points U (m, d)."""
        return self.acquisition(U) - np.log(self.gamma + self.cost(U))

    def value_and_gradient(self, U: Array) -> tuple[Array, Array]:
        """Values (m,) and gradients (m, d)."""
        value, gradient = self.acquisition.value_and_gradient(U)
        m, d = U.shape
        around = np.clip(
            U[:, None, None, :] + _NUDGE * np.stack([np.eye(d), -np.eye(d)]), 0.0, 1.0
        )  # (m, 2, d, d)
        costs = self.cost(around.reshape(-1, d)).reshape(m, 2, d)
        widths = np.diagonal(around[:, 0] - around[:, 1], axis1=1, axis2=2)
        total = self.gamma + self.cost(U)
        return value - np.log(total), gradient - (costs[:, 0] - costs[:, 1]) / widths / total[:, None]
