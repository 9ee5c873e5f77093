"""Where hyper-parameters come from, and when they are found anew.

`Cold` needs nothing but the told trials; knowledge can be put into it. `Fixed` needs no fit at all.
The paper's protocol, which starts from an educated guess, is in `snakebo.surrogate.paper_protocol`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias, runtime_checkable

import numpy as np

from snakebo.checks import as_real
from snakebo.errors import InputError
from snakebo.space import Space
from snakebo.surrogate.gp import Hyperparameters
from snakebo.surrogate.kernel import KERNELS, Array, Kernel
from snakebo.surrogate.map_fit import LogNormal, Priors, fit_map
from snakebo.surrogate.outputs import SCALINGS, Outputs, Scaling

Interval: TypeAlias = float | tuple[float, float]


@runtime_checkable
class HyperparameterProtocol(Protocol):
    """How a campaign finds the hyper-parameters of its surrogate."""

    @property
    def scaling(self) -> Scaling:
        """How told values become the model's outputs."""

    def fitted_on(self, told: int) -> int:
        """How many of the first `told` observations the hyper-parameters in force were fitted on."""

    def fit(self, space: Space, X: Array, z: Array, outputs: Outputs, objective: int) -> Hyperparameters:
        """Find them from points X (n, d) in the unit cube and outputs z (n,)."""


@dataclass(frozen=True)
class Cold:
    """No free data: a prior that suits the dimension, refitted whenever the data have grown by `growth`.

    Knowledge, in the user's units: `lengthscales={"temperature": (5, 40)}` between which the function
    changes markedly (or one number: fixed), and `noise`: a standard deviation in the objective's unit, or
    "2%" of the spread of the values told.
    """

    kernel: Kernel = "matern52"
    scaling: Scaling = "yeo-johnson"
    growth: float = 1.1
    lengthscales: Mapping[str, Interval] = field(default_factory=dict, hash=False)
    noise: float | str | None = None
    noise_floor: float = 1e-6

    def __post_init__(self) -> None:
        if self.kernel not in KERNELS:
            raise InputError(f"Unknown kernel {self.kernel!r}; choose one of {', '.join(KERNELS)}.")
        if self.scaling not in SCALINGS:
            raise InputError(f"Unknown scaling {self.scaling!r}; choose one of {', '.join(SCALINGS)}.")
        if not as_real(self.growth, "growth") >= 1.0:
            raise InputError(
                f"growth must be 1 or more (1.1: refit after 10 % more data); got {self.growth}."
            )
        if not 0.0 < as_real(self.noise_floor, "noise_floor") < 1.0:
            raise InputError(
                f"noise_floor is a variance of standardised outputs in (0, 1); got {self.noise_floor}."
            )
        if not isinstance(self.lengthscales, Mapping):
            raise InputError(
                f"lengthscales must be a mapping from variable names; got {self.lengthscales!r}."
            )
        object.__setattr__(self, "lengthscales", dict(self.lengthscales))
        for name, interval in self.lengthscales.items():
            _interval(name, interval)
        if self.noise is not None:
            _noise_variance(self.noise, spread=1.0)

    def fitted_on(self, told: int) -> int:
        """1, 2, 3, … while data are few, then every 10 %."""
        fitted = 1
        while (following := max(fitted + 1, int(np.ceil(self.growth * fitted)))) <= told:
            fitted = following
        return fitted

    def fit(self, space: Space, X: Array, z: Array, outputs: Outputs, objective: int) -> Hyperparameters:
        """Maximise the posterior under log-normal priors; see `Cold` for what they know."""
        if unknown := set(self.lengthscales) - set(space.names):
            raise InputError(
                f"Length scales are given for {', '.join(sorted(unknown))}; "
                f"the variables are {', '.join(space.names)}."
            )
        return fit_map(X, z, self.kernel, self._priors(space, outputs))

    def _priors(self, space: Space, outputs: Outputs) -> Priors:
        median = 0.3 * np.sqrt(space.dim / 2.0)
        lengthscales = []
        for variable in space.variables:
            if variable.name in self.lengthscales:
                interval = _interval(variable.name, self.lengthscales[variable.name])
                low, high = (bound / (variable.high - variable.low) for bound in interval)
                lengthscales.append(LogNormal(np.sqrt(low * high), 0.7, low, high))
            else:
                lengthscales.append(LogNormal(median, 0.7, 1e-3, 1e3))
        noise = LogNormal(1e-4, 2.0, low=self.noise_floor, high=1e2)
        if self.noise is not None:
            variance = max(_noise_variance(self.noise, outputs.spread), self.noise_floor)
            noise = LogNormal(variance, 1.0, variance, variance)
        return Priors(tuple(lengthscales), LogNormal(1.0, 1.0, 1e-3, 1e4), noise)


@dataclass(frozen=True)
class Fixed:
    """Hyper-parameters that are known, one set for each objective, for values as they are told."""

    hyperparameters: Hyperparameters | tuple[Hyperparameters, ...]

    @property
    def scaling(self) -> Scaling:
        """Values are taken as told."""
        return "raw"

    def fitted_on(self, told: int) -> int:
        """Never fitted."""
        return 0

    def fit(self, space: Space, X: Array, z: Array, outputs: Outputs, objective: int) -> Hyperparameters:
        """Return what is known."""
        known = self.hyperparameters
        if isinstance(known, tuple) and objective >= len(known):
            raise InputError(
                f"{len(known)} sets of hyper-parameters are given; objective {objective} has none."
            )
        hyper = known if isinstance(known, Hyperparameters) else known[objective]
        if len(hyper.lengthscales) != space.dim:
            raise InputError(f"{len(hyper.lengthscales)} length scales are given for {space.dim} variables.")
        return hyper


def _interval(name: str, interval: Interval) -> tuple[float, float]:
    bounds = tuple(interval) if isinstance(interval, tuple | list) else (interval, interval)
    numbers = [as_real(bound, f"The length scale of {name!r}") for bound in bounds]
    if len(numbers) != 2 or not 0.0 < numbers[0] <= numbers[1]:
        raise InputError(
            f"The length scale of {name!r} must be a positive number or (low, high); got {interval!r}."
        )
    return numbers[0], numbers[1]


def _noise_variance(noise: float | str, spread: float) -> float:
    """The variance in standardised outputs of a noise given in the objective's unit, or in percent."""
    try:
        relative = isinstance(noise, str) and noise.endswith("%")
        share = float(str(noise)[:-1]) / 100.0 if relative else float(noise) / spread
    except (TypeError, ValueError):
        share = np.nan
    if not 0.0 < share < np.inf:
        raise InputError(f"noise must be a positive standard deviation or a share like '2%'; got {noise!r}.")
    return share**2
