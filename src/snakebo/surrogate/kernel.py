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
def fill_correlations(A: Array, B: Array, matern: bool, values: NDArray[np.float32]) -> None:
    """Fill `values` (n, m) with correlations between scaled points A (n, d) and B (m, d)."""
    for i in range(A.shape[0]):
        for j in range(B.shape[0]):
            squared = 0.0
            for k in range(A.shape[1]):
                squared += (A[i, k] - B[j, k]) ** 2
            values[i, j] = profile(squared, matern)[0]


@compiled(fastmath=True)
def add_correlations(
    Z: Array, path: NDArray[np.int64], data: Array, v: Array, matern: bool, values: Array, gradients: Array
) -> None:
    """Add Σ_n v_tn k(z_i, data_n), t = path[i], to values (N,), and its gradient to (N, d)."""
    for i in range(Z.shape[0]):
        for n in range(data.shape[0]):
            squared = 0.0
            for k in range(Z.shape[1]):
                squared += (Z[i, k] - data[n, k]) ** 2
            correlation, slope = profile(squared, matern)
            weight = v[path[i], n]
            values[i] += weight * correlation
            for k in range(Z.shape[1]):
                gradients[i, k] -= weight * slope * (Z[i, k] - data[n, k])


def draw_frequencies(kernel: Kernel, count: int, dim: int, rng: Generator) -> Array:
    """Draw `count` frequencies (dim, count) from the kernel's spectral density, for unit length scales.

    The RBF's is normal; that of a Matérn-5/2 is a multivariate t with five degrees of freedom.
    """
    normal = rng.standard_normal((dim, count))
    if kernel == "rbf":
        return normal
    return normal / np.sqrt(rng.chisquare(5.0, count) / 5.0)
