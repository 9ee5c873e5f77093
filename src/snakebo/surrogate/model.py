"""From told trials to a posterior and its sample paths: fitted now and then, extended in between.

Everything here is a pure function of the data, the protocol and the seed, so that a campaign read back from
its history plans the same next point. The memo only saves time.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace

import numpy as np

from snakebo.surrogate.gp import GaussianProcess
from snakebo.surrogate.kernel import Array
from snakebo.surrogate.outputs import Outputs
from snakebo.surrogate.paths import SamplePaths
from snakebo.surrogate.posterior import Posterior
from snakebo.surrogate.protocol import HyperparameterProtocol
from snakebo.surrogate.user_model import BoTorchModel, BoTorchPaths, BoTorchPosterior
from snakebo.view import View


@dataclass(frozen=True)
class Surrogate:
    """The posterior of one objective, and what is needed to find it again in the memo."""

    objective: int
    gp: Posterior
    outputs: Outputs
    fitted: int  # how many observations its hyper-parameters rest on

    @property
    def best_value(self) -> float:
        """The best output told so far."""
        return float(np.max(self.gp.y))

    @property
    def best_mean(self) -> float:
        """The largest posterior mean at the observed points."""
        return float(np.max(self.gp.mean(self.gp.X)))


def fit(view: View) -> list[Surrogate]:
    """One surrogate for each objective."""
    return [fit_one(view, objective) for objective in range(view.told.Y.shape[1])]


def fit_one(view: View, objective: int) -> Surrogate:
    """The surrogate of one objective."""
    protocol, X, y = view.protocol, view.told.X, np.ascontiguousarray(view.told.Y[:, objective])
    if isinstance(protocol, BoTorchModel):
        key = ("user", objective, protocol, X.tobytes(), y.tobytes())
        posterior = view.memo.recall(key, lambda: protocol.posterior(X, y))
        return Surrogate(objective, posterior, Outputs(), len(y))
    return _fit_ours(view, protocol, objective, X, y)


def _fit_ours(view: View, protocol: HyperparameterProtocol, objective: int, X: Array, y: Array) -> Surrogate:
    n = len(y)
    fitted = min(protocol.fitted_on(n), n)

    def key(m: int) -> Hashable:
        return ("gp", objective, protocol, X[:m].tobytes(), y[:m].tobytes())

    def base() -> Surrogate:
        outputs = Outputs.learn(y[:fitted], protocol.scaling)
        hyper = protocol.fit(view.space, X[:fitted], outputs(y[:fitted]), outputs, objective)
        m = max(fitted, 1)
        gp = GaussianProcess.condition(hyper, X[:m], outputs(y[:m]))
        return Surrogate(objective, gp, outputs, fitted)

    def grow(surrogate: Surrogate, m: int) -> Surrogate:
        z = float(surrogate.outputs(y[m - 1 : m])[0])
        return replace(surrogate, gp=surrogate.gp.extend(X[m - 1], z))

    first = max(fitted, 1)
    known = next((m for m in range(n, first, -1) if key(m) in view.memo), first)
    surrogate = view.memo.recall(key(known), base)
    for m in range(known + 1, n + 1):
        surrogate = grow(surrogate, m)
    return view.memo.recall(key(n), lambda: surrogate)


def sample_paths(
    view: View, surrogate: Surrogate, count: int, features: int = 512, phases: bool = False
) -> SamplePaths | BoTorchPaths:
    """Draw `count` paths; the same functions move along with the data until the next refit.

    Common random numbers keep plans from jumping about between two observations.
    """
    first = max(surrogate.fitted, 1)

    def stream(*numbers: int) -> np.random.Generator:
        return np.random.default_rng([view.seed, surrogate.objective, first, *numbers])

    gp, n = surrogate.gp, len(surrogate.gp.y)
    if isinstance(gp, BoTorchPosterior):
        return gp.draw_paths(count, stream(0))
    assert isinstance(gp, GaussianProcess)

    def key(m: int) -> Hashable:
        drawn = (surrogate.objective, first, count, features, phases)
        return ("paths", drawn, gp.hyper, gp.X[:m].tobytes(), gp.y[:m].tobytes())

    known = next((m for m in range(n, first, -1) if key(m) in view.memo), first)
    paths = view.memo.recall(
        key(known), lambda: SamplePaths.draw(gp.head(first), count, stream(0), features, phases)
    )
    for m in range(known + 1, n + 1):
        paths = paths.extend(gp.head(m), stream(m).standard_normal(count))
    return view.memo.recall(key(n), lambda: paths)


def draw_paths(
    surrogate: Surrogate, count: int, rng: np.random.Generator, features: int = 512
) -> SamplePaths | BoTorchPaths:
    """Draw `count` paths that no other plan shares."""
    if isinstance(surrogate.gp, BoTorchPosterior):
        return surrogate.gp.draw_paths(count, rng)
    assert isinstance(surrogate.gp, GaussianProcess)
    return SamplePaths.draw(surrogate.gp, count, rng, features)


def believe(gp: Posterior, outstanding: Array) -> Posterior:
    """Take outstanding points (k, d) as if they had been told their posterior mean.

    What is told as expected leaves the mean as it is, everywhere, so that one look at it is enough.
    """
    for x, mean in zip(outstanding, gp.mean(outstanding), strict=True):
        gp = gp.extend(x, float(mean))
    return gp
