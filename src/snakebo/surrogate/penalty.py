"""Local penalisation of outstanding points (González et al. 2016), in the logarithm.

    φ_j(x) = Φ((L·‖x − x_j‖ − M + μ(x_j))/σ(x_j)):  how sure we are that no maximum is as near to x_j as x is,
with L the largest slope of the posterior mean and M the best value so far.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from scipy.special import log_ndtr

from snakebo.surrogate.acquisition import Acquisition, normal_hazard
from snakebo.surrogate.kernel import Array
from snakebo.surrogate.model import Surrogate
from snakebo.view import View

_GRID_PER_DIMENSION = 50


@dataclass(frozen=True)
class Penalized:
    """A log-acquisition plus Σ_j log φ_j."""

    acquisition: Acquisition
    centers: Array  # (k, d) the outstanding points
    offsets: Array  # (k,) (μ_j − M)/σ_j
    slopes: Array  # (k,) L/σ_j

    def __call__(self, U: Array) -> Array:
        """Values (m,)."""
        values: Array = self.acquisition(U) + log_ndtr(self._arguments(U)[0]).sum(axis=1)
        return values

    def value_and_gradient(self, U: Array) -> tuple[Array, Array]:
        """Values (m,) and gradients (m, d)."""
        value, gradient = self.acquisition.value_and_gradient(U)
        z, ways, distances = self._arguments(U)
        push = normal_hazard(z) * self.slopes / np.maximum(distances, 1e-12)  # (m, k)
        return value + log_ndtr(z).sum(axis=1), gradient + np.einsum("mk,mkd->md", push, ways)

    def _arguments(self, U: Array) -> tuple[Array, Array, Array]:
        ways = U[:, None, :] - self.centers
        distances = np.linalg.norm(ways, axis=2)
        return self.offsets + self.slopes * distances, ways, distances


def penalized(acquisition: Acquisition, view: View, surrogate: Surrogate, rng: Generator) -> Acquisition:
    """Penalise every outstanding point; the slope L is taken from 50·d Sobol points."""
    if not len(view.outstanding):
        return acquisition
    grid = view.space.sobol(_GRID_PER_DIMENSION * view.space.dim, rng)
    slope = float(np.max(np.linalg.norm(surrogate.gp.predict_with_gradients(grid)[2], axis=1)))
    mean, variance = surrogate.gp.predict(view.outstanding)
    sigma = np.sqrt(variance)
    slope = max(slope, 1e-7)  # a flat mean says nothing of distances
    return Penalized(acquisition, view.outstanding, (mean - surrogate.best_value) / sigma, slope / sigma)
