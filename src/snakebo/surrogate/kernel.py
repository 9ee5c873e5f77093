"""The two stationary kernels, as functions of points divided by their length scales: values, slopes, spectra.

    Matérn-5/2   k(r) = (1 + √5 r + 5/3 r²) exp(−√5 r)
    RBF          k(r) = exp(−r²/2)                                   r² = Σ_i (x_i − z_i)²/ℓ_i²

Both have ∇_x k = −s(r)·(x − z) in scaled coordinates, with a slope s(r) that is finite at r = 0.
"""

from typing import Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from snakebo.compiled import compiled

Array = NDArray[np.float64]
Kernel = Literal["matern52", "rbf"]
KERNELS: tuple[Kernel, ...] = ("matern52", "rbf")

_SQRT5 = 5.0**0.5


@compiled
def profile(squared: float, matern: bool) -> tuple[float, float]:
    """k(r) and its slope s(r) at a squared scaled distance."""
    if not matern:
        value = np.exp(-0.5 * squared)
        return value, value
    r = _SQRT5 * np.sqrt(squared)
    decay = np.exp(-r)
    return (1.0 + r + r * r / 3.0) * decay, 5.0 / 3.0 * (1.0 + r) * decay


@compiled
def _fill(A: Array, B: Array, matern: bool, values: Array, slopes: Array) -> None:
    for i in range(A.shape[0]):
        for j in range(B.shape[0]):
            squared = 0.0
            for k in range(A.shape[1]):
                squared += (A[i, k] - B[j, k]) ** 2
            values[i, j], slopes[i, j] = profile(squared, matern)


def correlate(A: Array, B: Array, kernel: Kernel) -> tuple[Array, Array]:
    """Correlations (n, m) and slopes (n, m) between scaled points A (n, d) and B (m, d)."""
    values = np.empty((len(A), len(B)))
    slopes = np.empty_like(values)
    _fill(np.ascontiguousarray(A), np.ascontiguousarray(B), kernel == "matern52", values, slopes)
    return values, slopes


@compiled(fastmath=True)
def _decay(x: float) -> float:
    """exp(−x) for x ≥ 0, to 1e-12 of 1, without a call or a branch: loops become vector code.

    A short Taylor series of exp(−x/1024), squared ten times.
    """
    u = min(x, 700.0) / -1024.0
    e = 1.0 + u * (1.0 + u / 2.0 * (1.0 + u / 3.0 * (1.0 + u / 4.0 * (1.0 + u / 5.0 * (1.0 + u / 6.0)))))
    for _ in range(10):
        e *= e
    return e


@compiled(fastmath=True)
def _profiles(z: Array, data: Array, matern: bool, values: Array, slopes: Array) -> None:
    """k(r) and s(r) (n,) between one scaled point z (d,) and data (d, n)."""
    dim, n = data.shape
    values[:] = 0.0
    for k in range(dim):
        for j in range(n):
            values[j] += (z[k] - data[k, j]) ** 2
    if matern:
        for j in range(n):
            r = _SQRT5 * np.sqrt(values[j])
            decay = _decay(r)
            values[j] = (1.0 + r + r * r / 3.0) * decay
            slopes[j] = 5.0 / 3.0 * (1.0 + r) * decay
    else:
        for j in range(n):
            values[j] = slopes[j] = _decay(0.5 * values[j])


@compiled(fastmath=True)
def fill_correlations(Z: Array, data: Array, matern: bool, values: NDArray[np.float32]) -> None:
    """Fill `values` (N, n) with correlations between scaled points Z (N, d) and data (d, n)."""
    correlations, slopes = np.empty(data.shape[1]), np.empty(data.shape[1])
    for i in range(Z.shape[0]):
        _profiles(Z[i], data, matern, correlations, slopes)
        for j in range(data.shape[1]):
            values[i, j] = correlations[j]


@compiled(fastmath=True)
def add_correlations(
    Z: Array, path: NDArray[np.int64], data: Array, v: Array, matern: bool, values: Array, gradients: Array
) -> None:
    """Add Σ_j v_tj k(z_i, data_j), t = path[i], to values (N,), its gradient to (N, d); data are (d, n)."""
    dim, n = data.shape
    correlations, slopes = np.empty(n), np.empty(n)
    for i in range(Z.shape[0]):
        weights = v[path[i]]
        _profiles(Z[i], data, matern, correlations, slopes)
        value = 0.0
        for j in range(n):
            value += weights[j] * correlations[j]
        values[i] += value
        for k in range(dim):
            slope = 0.0
            for j in range(n):
                slope += weights[j] * slopes[j] * (Z[i, k] - data[k, j])
            gradients[i, k] -= slope


def draw_frequencies(kernel: Kernel, count: int, dim: int, rng: Generator) -> Array:
    """Draw `count` frequencies (dim, count) from the kernel's spectral density, for unit length scales.

    The RBF's is normal; that of a Matérn-5/2 is a multivariate t with five degrees of freedom.
    """
    normal = rng.standard_normal((dim, count))
    if kernel == "rbf":
        return normal
    return normal / np.sqrt(rng.chisquare(5.0, count) / 5.0)
