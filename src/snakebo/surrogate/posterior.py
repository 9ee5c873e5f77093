"""What planning needs of a model: a posterior, and functions drawn from it. Ours and BoTorch's both fit."""

from __future__ import annotations

from typing import Protocol, Self

import numpy as np
from numpy.typing import NDArray

from snakebo.surrogate.kernel import Array


class Posterior(Protocol):
    """A posterior over one objective given data X (n, d) in the unit cube and outputs y (n,)."""

    @property
    def X(self) -> Array:  # noqa: N802
        """The data's points."""

    @property
    def y(self) -> Array:
        """The data's outputs."""

    @property
    def scale(self) -> Array:
        """The length scales (d,)."""

    @property
    def shortest_lengthscale(self) -> float:
        """The smallest length scale: ε of ℓ-SnAKe."""

    def mean(self, U: Array) -> Array:
        """Mean (m,)."""

    def predict(self, U: Array) -> tuple[Array, Array]:
        """Mean (m,) and variance (m,)."""

    def predict_with_gradients(self, U: Array) -> tuple[Array, Array, Array, Array]:
        """Mean (m,), variance (m,) and their gradients (m, d) each."""

    def extend(self, x: Array, y: float) -> Self:
        """Condition on one more observation."""


class Paths(Protocol):
    """T functions drawn from a posterior; `spread` scales their deviation from its mean."""

    @property
    def spread(self) -> float:
        """1 is the posterior, 0 its mean T times."""

    def __len__(self) -> int:
        """T."""

    def __call__(self, U: Array) -> Array:
        """Values (T, N) of all paths at all points."""

    def rank(self, U: Array) -> NDArray[np.floating]:
        """Values (T, N), up to a constant and roughly: to rank points by."""

    def value_and_gradient(self, U: Array, path: NDArray[np.int64]) -> tuple[Array, Array]:
        """Values (B,) and gradients (B, d) of path number path[k] at point U[k]."""
