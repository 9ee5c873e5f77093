"""Functions drawn from the posterior: Fourier features for the prior, Matheron's rule for the data.

    f_i(x) =  μ + Σ_j a_ij cos(ω_j·x) + b_ij sin(ω_j·x)      a prior draw (Rahimi & Recht 2007)
            + Σ_n k(x, X_n) v_in,   v_i = K⁻¹(y − f_i⁰(X) − η_i)   pulled onto the data (Wilson et al. 2020)

Each path is one fixed function. A new observation moves all of them by a rank-one update, O(n² + nT).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from snakebo.compiled import compiled
from snakebo.surrogate.gp import GaussianProcess
from snakebo.surrogate.kernel import Array, correlate, draw_frequencies, profile


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

    def _coefficients(self) -> tuple[Array, Array, Array]:
        """Fold the spread into a, b, v: μ(x) + spread·(f(x) − μ(x)) is again such a sum."""
        alpha = self.spread
        if alpha == 1.0:
            return self.cosines, self.sines, self.updates
        mean = self.gp.weights
        return alpha * self.cosines, alpha * self.sines, mean + alpha * (self.updates - mean)

    def __call__(self, U: Array) -> Array:
        """Values (T, N) of all paths at all points U (N, d)."""
        a, b, v = self._coefficients()
        Z = np.ascontiguousarray(U / self.gp.scale)
        cosines, sines = _turn(Z, self.frequencies)
        K = self.gp.hyper.outputscale * correlate(Z, self.gp.scaled, self.gp.hyper.kernel)[0]
        return self.gp.hyper.mean + a @ cosines.T + b @ sines.T + v @ K.T

    def rank(self, U: Array) -> NDArray[np.float32]:
        """Return values (T, N) up to a constant in single precision: it ranks points in half the time."""
        a, b, v = self._coefficients()
        hyper = self.gp.hyper
        Z = np.ascontiguousarray(U / self.gp.scale)
        features = np.empty((len(Z), 2 * a.shape[1] + v.shape[1]), np.float32)
        _fill_features(Z, self.frequencies, self.gp.scaled, hyper.kernel == "matern52", features)
        weights = np.empty((len(self), features.shape[1]), np.float32)
        np.concatenate([a, b, hyper.outputscale * v], axis=1, out=weights, casting="same_kind")
        return weights @ features.T

    def value_and_gradient(self, U: Array, path: NDArray[np.int64]) -> tuple[Array, Array]:
        """Values (B,) and gradients (B, d) of path number path[k] at point U[k], for U (B, d)."""
        a, b, v = self._coefficients()
        values = np.empty(len(U))
        gradients = np.empty_like(U)
        hyper = self.gp.hyper
        Z = np.ascontiguousarray(U / self.gp.scale)
        _evaluate(
            Z, path, self.frequencies, a, b, self.gp.scaled, hyper.outputscale * v,
            hyper.kernel == "matern52", values, gradients,
        )  # fmt: skip
        return values + hyper.mean, gradients / self.gp.scale


@compiled(fastmath=True)
def _sincos(phase: float) -> tuple[float, float]:
    """Sine and cosine to 1e-11 without branches, so that loops over features become vector code.

    Half the angle, reduced to [−π/2, π/2], goes through Taylor polynomials and is doubled again.
    """
    turns = phase * 0.15915494309189535
    h = np.pi * (turns - np.floor(turns + 0.5))
    u = h * h
    s = h * (1.0 - u / 6.0 * (1.0 - u / 20.0 * (1.0 - u / 42.0 * (1.0 - u / 72.0 * (1.0 - u / 110.0 * (
        1.0 - u / 156.0 * (1.0 - u / 210.0 * (1.0 - u / 272.0))))))))  # fmt: skip
    c = 1.0 - u / 2.0 * (1.0 - u / 12.0 * (1.0 - u / 30.0 * (1.0 - u / 56.0 * (1.0 - u / 90.0 * (
        1.0 - u / 132.0 * (1.0 - u / 182.0 * (1.0 - u / 240.0)))))))  # fmt: skip
    return 2.0 * s * c, 1.0 - 2.0 * s * s


@compiled(fastmath=True)
def _turn(Z: Array, frequencies: Array) -> tuple[Array, Array]:
    """cos(ω·z) and sin(ω·z), (N, m) each."""
    dim, m = frequencies.shape
    cosines = np.empty((Z.shape[0], m))
    sines = np.empty((Z.shape[0], m))
    phases = np.empty(m)
    for i in range(Z.shape[0]):
        phases[:] = 0.0
        for k in range(dim):
            for j in range(m):
                phases[j] += frequencies[k, j] * Z[i, k]
        for j in range(m):
            sines[i, j], cosines[i, j] = _sincos(phases[j])
    return cosines, sines


@compiled(fastmath=True)
def _fill_features(
    Z: Array, frequencies: Array, data: Array, matern: bool, features: NDArray[np.float32]
) -> None:
    """cos(ω·z), sin(ω·z) and k(z, data) side by side."""
    dim, m = frequencies.shape
    phases = np.empty(m)
    for i in range(Z.shape[0]):
        phases[:] = 0.0
        for k in range(dim):
            for j in range(m):
                phases[j] += frequencies[k, j] * Z[i, k]
        for j in range(m):
            sine, cosine = _sincos(phases[j])
            features[i, j] = cosine
            features[i, m + j] = sine
        for n in range(data.shape[0]):
            squared = 0.0
            for k in range(dim):
                squared += (Z[i, k] - data[n, k]) ** 2
            features[i, 2 * m + n] = profile(squared, matern)[0]


@compiled(fastmath=True)
def _evaluate(  # noqa: PLR0917 - a kernel takes arrays one by one
    Z: Array, path: NDArray[np.int64], frequencies: Array, a: Array, b: Array, data: Array, v: Array,
    matern: bool, values: Array, gradients: Array,
) -> None:  # fmt: skip
    dim, m = frequencies.shape
    phases = np.empty(m)
    slopes = np.empty(m)
    for i in range(Z.shape[0]):
        t = path[i]
        phases[:] = 0.0
        for k in range(dim):
            z = Z[i, k]
            for j in range(m):
                phases[j] += frequencies[k, j] * z
        value = 0.0
        for j in range(m):
            sine, cosine = _sincos(phases[j])
            value += a[t, j] * cosine + b[t, j] * sine
            slopes[j] = b[t, j] * cosine - a[t, j] * sine
        for k in range(dim):
            total = 0.0
            for j in range(m):
                total += slopes[j] * frequencies[k, j]
            gradients[i, k] = total
        for n in range(data.shape[0]):
            squared = 0.0
            for k in range(dim):
                squared += (Z[i, k] - data[n, k]) ** 2
            correlation, slope = profile(squared, matern)
            value += v[t, n] * correlation
            for k in range(dim):
                gradients[i, k] -= v[t, n] * slope * (Z[i, k] - data[n, k])
        values[i] = value
