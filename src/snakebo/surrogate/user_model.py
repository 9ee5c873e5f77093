"""A BoTorch model of the user's own in place of ours: its posterior, and paths drawn by BoTorch itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from snakebo.errors import InputError
from snakebo.surrogate.kernel import Array

if TYPE_CHECKING:
    import torch
    from botorch.models.model import Model


@dataclass(frozen=True)
class BoTorchModel:
    """Use the model that `build(X, Y)` returns, fitted, for unit points X (n, d) and values Y (n, 1).

    Values come to be maximised, in their own units; put transforms into the model. It is called at every
    re-plan, so a model that refits now and then should decide so itself. One-output models with a kernel
    that BoTorch's `draw_matheron_paths` knows will do.

    >>> sb.Campaign(space, budget=50, protocol=sb.BoTorchModel(lambda X, Y: fitted(SingleTaskGP(X, Y))))
    """

    build: Callable[[torch.Tensor, torch.Tensor], Model]

    def posterior(self, X: Array, y: Array) -> BoTorchPosterior:
        """Build the model on X (n, d) and y (n,)."""
        import torch

        return BoTorchPosterior(self.build(torch.tensor(X), torch.tensor(y)[:, None]).eval(), X, y)


@dataclass(frozen=True)
class BoTorchPosterior:
    """The posterior of a BoTorch model with the methods of our own `GaussianProcess`."""

    model: Any
    X: Array
    y: Array

    @cached_property
    def scale(self) -> Array:
        """The length scales (d,), or NaN where the model does not say."""
        kernel = getattr(self.model, "covar_module", None)
        while kernel is not None and getattr(kernel, "lengthscale", None) is None:
            kernel = getattr(kernel, "base_kernel", None)
        if kernel is None:
            return np.full(self.X.shape[1], np.nan)
        return np.broadcast_to(kernel.lengthscale.detach().numpy().reshape(-1), self.X.shape[1:]).copy()

    @property
    def shortest_lengthscale(self) -> float:
        """The smallest length scale."""
        shortest = float(np.min(self.scale))
        if np.isnan(shortest):
            raise InputError(
                "The model has no length scale to take ε from; give a number, as in SnAKe(epsilon=0.1)."
            )
        return shortest

    def mean(self, U: Array) -> Array:
        """Posterior mean (m,)."""
        return self.predict(U)[0]

    def predict(self, U: Array) -> tuple[Array, Array]:
        """Posterior mean (m,) and variance (m,)."""
        import torch

        with torch.no_grad():
            mean, variance = self._moments(torch.tensor(U))
        return mean.numpy(), variance.numpy()

    def predict_with_gradients(self, U: Array) -> tuple[Array, Array, Array, Array]:
        """Posterior mean (m,), variance (m,) and their gradients (m, d), (m, d)."""
        import torch

        points = torch.tensor(U, requires_grad=True)
        mean, variance = self._moments(points)
        (d_mean,) = torch.autograd.grad(mean.sum(), points, retain_graph=True)
        (d_variance,) = torch.autograd.grad(variance.sum(), points)
        return mean.detach().numpy(), variance.detach().numpy(), d_mean.numpy(), d_variance.numpy()

    def _moments(self, points: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        posterior = self.model.posterior(points[:, None, :])  # one point a batch: no covariances between them
        return posterior.mean[:, 0, 0], posterior.variance[:, 0, 0].clamp_min(1e-20)

    def extend(self, x: Array, y: float) -> BoTorchPosterior:
        """Condition on one more observation, hyper-parameters as they are."""
        import torch

        self.mean(x[None])  # GPyTorch conditions from the caches of a prediction
        model = self.model.condition_on_observations(
            torch.tensor(x[None]), torch.tensor([[y]], dtype=torch.float64)
        )
        return BoTorchPosterior(model, np.vstack([self.X, x]), np.append(self.y, y))

    def draw_paths(self, count: int, rng: Generator) -> BoTorchPaths:
        """Draw `count` posterior functions."""
        import torch
        from botorch.sampling.pathwise import draw_matheron_paths

        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(int(rng.integers(2**62)))
            return BoTorchPaths(self, draw_matheron_paths(self.model, torch.Size([count])), count)


@dataclass(frozen=True)
class BoTorchPaths:
    """Posterior functions drawn by BoTorch, with the methods of our own `SamplePaths`."""

    gp: BoTorchPosterior
    paths: Any
    count: int
    spread: float = 1.0

    def __len__(self) -> int:
        return self.count

    def __call__(self, U: Array) -> Array:
        """Values (T, N) at points U (N, d)."""
        import torch

        with torch.no_grad():
            values: Array = self.paths(torch.tensor(U)).reshape(self.count, len(U)).numpy()
        if self.spread == 1.0:
            return values
        mean = self.gp.mean(U)
        return mean + self.spread * (values - mean)

    rank = __call__

    def value_and_gradient(self, U: Array, path: NDArray[np.int64]) -> tuple[Array, Array]:
        """Values (B,) and gradients (B, d) of path number path[k] at U[k]; equally many for each path."""
        import torch

        if not np.array_equal(path, np.repeat(np.arange(self.count), len(U) // self.count)):
            raise InputError("Points must be grouped by path, the same number for each.")
        points = torch.tensor(U, requires_grad=True)
        values = self.paths(points.reshape(self.count, -1, U.shape[1])).reshape(-1)
        if self.spread != 1.0:
            mean = self.gp._moments(points)[0]
            values = mean + self.spread * (values - mean)
        (gradients,) = torch.autograd.grad(values.sum(), points)
        return values.detach().numpy(), gradients.numpy()
