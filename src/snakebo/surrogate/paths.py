"""Functions drawn from the posterior: Fourier features for the prior, Matheron's rule for the data.

    f_i(x) =  μ + Σ_j a_ij cos(ω_j·x) + b_ij sin(ω_j·x)      a prior draw (Rahimi & Recht 2007)
            + Σ_n k(x, X_n) v_in,   v_i = K⁻¹(y − f_i⁰(X) − η_i)   pulled onto the data (Wilson et al. 2020)

Each path is one fixed function. A new observation moves all of them by a rank-one update, O(n² + nT).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from snakebo.surrogate.gp import GaussianProcess
from snakebo.surrogate.kernel import Array, add_correlations, correlate, draw_frequencies, fill_correlations
from snakebo.surrogate.waves import add_waves, fill_waves


@dataclass(frozen=True)
class SamplePaths:
    """T posterior functions of one GP, with values and gradients in closed form.

    `spread` scales their deviation from the posterior mean: 1 is the posterior, 0 the mean T times.
    """

    gp: GaussianProcess
    frequencies: Array  # (d, m), for points divided by the length scales
    cosines: Array  # a (T, m)
    sines: Array  # b (T, m)
    updates: Array  # v (T, n)
    spread: float = 1.0

    @classmethod
    def draw(
        cls, gp: GaussianProcess, count: int, rng: Generator, features: int = 512, phases: bool = False
    ) -> SamplePaths:
        """Draw `count` paths with `features` Fourier features.

        By default cosine and sine of features/2 frequencies; with `phases` as many frequencies as features,
        each a cosine with a random phase, as the paper has it.
        """
        hyper, dim = gp.hyper, gp.X.shape[1]
        m = features if phases else max(1, features // 2)
        frequencies = draw_frequencies(hyper.kernel, m, dim, rng)
        if phases:
            amplitude = np.sqrt(2.0 * hyper.outputscale / m) * rng.standard_normal((count, m))
            phase = rng.uniform(0.0, 2.0 * np.pi, m)
            cosines, sines = amplitude * np.cos(phase), -amplitude * np.sin(phase)
        else:
            cosines, sines = np.sqrt(hyper.outputscale / m) * rng.standard_normal((2, count, m))
        paths = cls(gp, frequencies, cosines, sines, np.zeros((count, len(gp.y))))
        noise = np.sqrt(hyper.noise) * rng.standard_normal((count, len(gp.y)))
        return replace(paths, updates=gp.solve((gp.y - paths(gp.X) - noise).T).T)

    def extend(self, gp: GaussianProcess, noise: Array) -> SamplePaths:
        """Move the paths onto the newest observation of `gp`, which is this GP extended by one.

        `noise` (T,) are standard normal draws, one for each path's own noise at that observation.
        """
        x = gp.X[-1:]
        old = self.gp
        k = old.covariance(x)[0]
        solved = old.solve(k)
        gap = gp.y[-1] - replace(self, spread=1.0)(x)[:, 0] - np.sqrt(gp.hyper.noise) * noise
        step = gap / gp.L[-1, -1] ** 2
        return replace(self, gp=gp, updates=np.column_stack([self.updates - np.outer(step, solved), step]))

    def __len__(self) -> int:
        return len(self.cosines)

    @cached_property
    def _coefficients(self) -> tuple[Array, Array, Array]:
        """a (T, m), b (T, m), θ·v (T, n), spread folded in: μ(x) + α(f(x) − μ(x)) is again such a sum."""
        alpha, mean, theta = self.spread, self.gp.weights, self.gp.hyper.outputscale
        if alpha == 1.0:
            return self.cosines, self.sines, theta * self.updates
        return alpha * self.cosines, alpha * self.sines, theta * (mean + alpha * (self.updates - mean))

    def __call__(self, U: Array) -> Array:
        """Values (T, N) of all paths at all points U (N, d)."""
        a, b, v = self._coefficients
        Z = np.ascontiguousarray(U / self.gp.scale)
        waves = np.empty((len(Z), 2 * a.shape[1]))
        fill_waves(Z, self.frequencies, waves)
        K = correlate(Z, self.gp.scaled, self.gp.hyper.kernel)[0]
        return self.gp.hyper.mean + np.hstack([a, b]) @ waves.T + v @ K.T

    def rank(self, U: Array) -> NDArray[np.float32]:
        """Return values (T, N) up to a constant in single precision: it ranks points in half the time."""
        a, b, v = self._coefficients
        m = a.shape[1]
        Z = np.ascontiguousarray(U / self.gp.scale)
        features = np.empty((len(Z), 2 * m + v.shape[1]), np.float32)
        fill_waves(Z, self.frequencies, features[:, : 2 * m])
        fill_correlations(Z, self.gp.scaled_columns, self.gp.hyper.kernel == "matern52", features[:, 2 * m :])
        weights = np.empty((len(self), features.shape[1]), np.float32)
        np.concatenate([a, b, v], axis=1, out=weights, casting="same_kind")
        return weights @ features.T

    def value_and_gradient(self, U: Array, path: NDArray[np.int64]) -> tuple[Array, Array]:
        """Values (B,) and gradients (B, d) of path number path[k] at point U[k], for U (B, d)."""
        a, b, v = self._coefficients
        values, gradients = np.full(len(U), self.gp.hyper.mean), np.zeros_like(U)
        Z = np.ascontiguousarray(U / self.gp.scale)
        add_waves(Z, path, self.frequencies, a, b, values, gradients)
        add_correlations(
            Z, path, self.gp.scaled_columns, v, self.gp.hyper.kernel == "matern52", values, gradients
        )
        return values, gradients / self.gp.scale
