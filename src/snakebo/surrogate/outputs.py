"""How measured values become the model's outputs: left raw, standardised, or first made symmetric."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from snakebo.surrogate.kernel import Array

Scaling = Literal["raw", "standardize", "yeo-johnson"]
SCALINGS: tuple[Scaling, ...] = ("raw", "standardize", "yeo-johnson")

_POWER_BOUNDS = (0.3, 3.0)
_ENOUGH_FOR_A_POWER = 5


@dataclass(frozen=True)
class Outputs:
    """An increasing map: z = (g((y − center)/spread) − shift)/scale, g a Yeo-Johnson power (1 is none)."""

    center: float = 0.0
    spread: float = 1.0
    power: float = 1.0
    shift: float = 0.0
    scale: float = 1.0

    @classmethod
    def learn(cls, y: Array, scaling: Scaling) -> Outputs:
        """Learn the map from values y (n,); constant values are only centred."""
        if scaling == "raw":
            return cls()
        spread = _spread(y)
        if scaling == "standardize" or len(y) < _ENOUGH_FOR_A_POWER or not _differ(y):
            return cls(center=float(np.mean(y)), spread=spread)
        center = float(np.median(y))
        relative = (y - center) / spread
        power = _best_power(relative)
        bent = yeo_johnson(relative, power)
        return cls(center, spread, power, shift=float(np.mean(bent)), scale=_spread(bent))

    def __call__(self, y: Array) -> Array:
        """Map values (n,) to model outputs (n,)."""
        return (yeo_johnson((y - self.center) / self.spread, self.power) - self.shift) / self.scale

    def invert(self, z: Array) -> Array:
        """Map model outputs back to values, of any shape; ±inf for what no value is mapped to."""
        return self.center + self.spread * invert_yeo_johnson(self.shift + self.scale * z, self.power)


def yeo_johnson(x: Array, power: float) -> Array:
    """The Yeo-Johnson power of x (n,), increasing for every power; the identity for 1."""
    if power == 1.0:
        return x
    upper, lower = np.maximum(x, 0.0), np.maximum(-x, 0.0)
    above = np.log1p(upper) if power == 0.0 else np.expm1(power * np.log1p(upper)) / power
    rest = 2.0 - power
    below = np.log1p(lower) if rest == 0.0 else np.expm1(rest * np.log1p(lower)) / rest
    return above - below


def invert_yeo_johnson(z: Array, power: float) -> Array:
    """The x of any shape whose Yeo-Johnson power is z; ±inf beyond the end that powers < 0 and > 2 have."""
    if power == 1.0:
        return z
    upper, lower = np.maximum(z, 0.0), np.maximum(-z, 0.0)
    return _unbend(upper, power) - _unbend(lower, 2.0 - power)


def _unbend(z: Array, power: float) -> Array:
    """The x ≥ 0 with ((1 + x)^power − 1)/power = z ≥ 0."""
    if power == 0.0:
        return np.expm1(z)
    with np.errstate(divide="ignore"):  # log 0 at and beyond the end
        return np.expm1(np.log1p(np.maximum(power * z, -1.0)) / power)


def _best_power(x: Array) -> float:
    """The power of largest normal likelihood, within bounds that keep the map from exploding."""
    from scipy.optimize import minimize_scalar

    jacobian = float(np.sum(np.sign(x) * np.log1p(np.abs(x))))

    def loss(power: float) -> float:
        variance = float(np.var(yeo_johnson(x, power)))
        return 0.5 * len(x) * float(np.log(max(variance, 1e-300))) - (power - 1.0) * jacobian

    return float(minimize_scalar(loss, bounds=_POWER_BOUNDS, method="bounded").x)


def _spread(y: Array) -> float:
    """The standard deviation, or 1 for values that do not differ."""
    return float(np.std(y)) if _differ(y) else 1.0


def _differ(y: Array) -> bool:
    """Whether values differ beyond rounding."""
    return float(np.std(y)) > 1e-12 * float(np.max(np.abs(y)))
