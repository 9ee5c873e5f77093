"""Fourier features of many points: cosines and sines of ω·z, and sums of them with their gradients.

Points z are divided by the length scales; frequencies are (d, m). Loops run along the m features, so that
each becomes vector code, and keep no more than one point's features, so that they stay in the fastest memory.
"""

import numpy as np
from numpy.typing import NDArray

from snakebo.compiled import compiled
from snakebo.surrogate.kernel import Array


@compiled(fastmath=True)
def sincos(phase: float) -> tuple[float, float]:
    """Sine and cosine to 1e-11, without branches.

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
def fill_waves(Z: Array, frequencies: Array, waves: NDArray[np.floating]) -> None:
    """Fill `waves` (N, 2m) with cos(ω·z), then sin(ω·z), for points Z (N, d)."""
    dim, m = frequencies.shape
    phases = np.empty(m)
    for i in range(Z.shape[0]):
        phases[:] = 0.0
        for k in range(dim):
            for j in range(m):
                phases[j] += frequencies[k, j] * Z[i, k]
        for j in range(m):
            sine, cosine = sincos(phases[j])
            waves[i, j] = cosine
            waves[i, m + j] = sine


@compiled(fastmath=True)
def add_waves(
    Z: Array, path: NDArray[np.int64], frequencies: Array, a: Array, b: Array, values: Array, gradients: Array
) -> None:
    """Add Σ_j a_tj cos(ω_j·z) + b_tj sin(ω_j·z), t = path[i], to values (N,), and its gradient to (N, d)."""
    dim, m = frequencies.shape
    phases = np.empty(m)
    slopes = np.empty(m)
    for i in range(Z.shape[0]):
        t = path[i]
        phases[:] = 0.0
        for k in range(dim):
            for j in range(m):
                phases[j] += frequencies[k, j] * Z[i, k]
        value = 0.0
        for j in range(m):
            sine, cosine = sincos(phases[j])
            value += a[t, j] * cosine + b[t, j] * sine
            slopes[j] = b[t, j] * cosine - a[t, j] * sine
        values[i] += value
        for k in range(dim):
            slope = 0.0
            for j in range(m):
                slope += slopes[j] * frequencies[k, j]
            gradients[i, k] += slope
