"""Hyper-parameters by Adam inside soft boxes: GPyTorch's training of an RBF kernel, in closed form.

    (−log p(y) − Σ_p log box(p)) / n      over ℓ = softplus(a), θ0 = softplus(b), σ² = floor + softplus(c), μ

GPyTorch divides the whole objective by the number of observations, and so does this.
"""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import LinAlgError

from snakebo.surrogate.evidence import Evidence
from snakebo.surrogate.gp import Hyperparameters
from snakebo.surrogate.kernel import Array

_MOMENTS = 0.9, 0.999  # decay of Adam's averages
_TINY = 1e-8


@dataclass(frozen=True)
class Boxes:
    """Flat between low and high (p,), falling off outside like a normal of deviation `sigma`."""

    low: Array
    high: Array
    sigma: float

    def gradient(self, values: Array) -> Array:
        """Of −log of the density."""
        outside = np.minimum(values - self.low, 0.0) + np.maximum(values - self.high, 0.0)
        return np.asarray(outside / self.sigma**2, dtype=np.float64)


def fit_adam(
    X: Array,
    y: Array,
    start: Hyperparameters | None,
    boxes: Boxes | None,
    *,
    epochs: int,
    rate: float,
    noise_floor: float,
) -> Hyperparameters:
    """Train an RBF kernel on X (n, d), y (n,); from `start`, or from zeros before the softplus.

    `boxes` are about (ℓ_1, …, ℓ_d, θ0, σ², μ). Where K cannot be factored, training ends
    with the last step at which it could be; the very last step is not tried.
    """
    evidence, dim = Evidence(X, y, "rbf"), X.shape[1]
    floor = np.array([0.0] * (dim + 1) + [noise_floor])
    raw = np.zeros(dim + 3)
    if start is not None:
        positive = np.array(
            [*start.lengthscales, start.outputscale, max(start.noise, noise_floor * (1 + 1e-6))]
        )
        raw[:-1], raw[-1] = _inverse_softplus(positive - floor), start.mean
    first, second, found = np.zeros_like(raw), np.zeros_like(raw), raw.copy()
    for epoch in range(1, epochs + 1):
        p: Array = np.append(_softplus(raw[:-1]) + floor, raw[-1])
        try:
            covariance = evidence.factor(p[:dim], float(p[dim]), float(p[dim + 1]))
        except LinAlgError:
            break
        found = raw.copy()
        gradient = evidence.gradient(covariance, p[:dim], float(p[dim + 1]), float(p[-1]))
        gradient[:-1] /= p[:-1]  # from log p to p
        if boxes is not None:
            gradient += boxes.gradient(p)
        gradient[:-1] *= -np.expm1(-(p[:-1] - floor))  # the softplus's slope, 1 − exp(−softplus)
        gradient /= len(y)
        first = _MOMENTS[0] * first + (1 - _MOMENTS[0]) * gradient
        second = _MOMENTS[1] * second + (1 - _MOMENTS[1]) * gradient**2
        scale = np.sqrt(second / (1 - _MOMENTS[1] ** epoch)) + _TINY
        raw = raw - rate * first / (1 - _MOMENTS[0] ** epoch) / scale
    else:
        found = raw
    *scales, outputscale, noise = (_softplus(found[:-1]) + floor).tolist()
    return Hyperparameters(tuple(scales), outputscale, noise, float(found[-1]), "rbf")


def _softplus(raw: Array) -> Array:
    return np.logaddexp(0.0, raw)


def _inverse_softplus(value: Array) -> Array:
    return np.asarray(value + np.log(-np.expm1(-value)), dtype=np.float64)
