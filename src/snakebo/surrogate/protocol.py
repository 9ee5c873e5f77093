"""Where hyper-parameters come from, and when they are found anew.

`Cold` needs nothing but the told trials; knowledge can be put into it. `Fixed` needs no fit at all.
The paper's protocol, which starts from an educated guess, is in `snakebo.surrogate.paper_protocol`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias, runtime_checkable

import numpy as np

from snakebo.checks import as_real, check_known
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

    def check(self, space: Space, objectives: int) -> None:
        """Raise InputError if it does not fit the space or the number of objectives."""

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
    noise_floor: float = 1e-8

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
            _noise_share(self.noise)

    def check(self, space: Space, objectives: int) -> None:
        """Raise InputError for length scales of unknown variables."""
        check_known(self.lengthscales, space.names, "Length scales")

    def fitted_on(self, told: int) -> int:
        """1, 2, 3, … while data are few, then every 10 %."""
        fitted = 1
        while (following := max(fitted + 1, int(np.ceil(self.growth * fitted - 1e-9)))) <= told:
            fitted = following
        return fitted

    def fit(self, space: Space, X: Array, z: Array, outputs: Outputs, objective: int) -> Hyperparameters:
        """Maximise the posterior under log-normal priors; see `Cold` for what they know."""
        return fit_map(X, z, self.kernel, self._priors(space, z, outputs))

    def _priors(self, space: Space, z: Array, outputs: Outputs) -> Priors:
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
            variance = _noise_variance(self.noise, z, outputs)
            noise = LogNormal(variance, 1.0, variance, variance)
        return Priors(tuple(lengthscales), LogNormal(1.0, 1.0, 1e-3, 1e4), noise)


@dataclass(frozen=True)
class Fixed:
    """Hyper-parameters that are known, one set for each objective, for values as they are told."""

    hyperparameters: Hyperparameters | tuple[Hyperparameters, ...]

    @property
    def sets(self) -> tuple[Hyperparameters, ...]:
        """The hyper-parameters by objective."""
        known = self.hyperparameters
        return (known,) if isinstance(known, Hyperparameters) else known

    @property
    def scaling(self) -> Scaling:
        """Values are taken as told."""
        return "raw"

    def check(self, space: Space, objectives: int) -> None:
        """Raise InputError unless there is a set for each objective that fits the space."""
        check_sets(self.sets, space, objectives)

    def fitted_on(self, told: int) -> int:
        """Never fitted."""
        return 0

    def fit(self, space: Space, X: Array, z: Array, outputs: Outputs, objective: int) -> Hyperparameters:
        """Return what is known."""
        return self.sets[objective]


def check_sets(sets: tuple[Hyperparameters, ...], space: Space, objectives: int) -> None:
    """Raise InputError unless there is a set for each objective, with a length scale for each variable."""
    if len(sets) != objectives:
        raise InputError(f"{len(sets)} sets of hyper-parameters are given for {objectives} objectives.")
    for each in sets:
        if len(each.lengthscales) != space.dim:
            raise InputError(f"{len(each.lengthscales)} length scales are given for {space.dim} variables.")


def _interval(name: str, interval: Interval) -> tuple[float, float]:
    bounds = tuple(interval) if isinstance(interval, tuple | list) else (interval, interval)
    numbers = [as_real(bound, f"The length scale of {name!r}") for bound in bounds]
    if len(numbers) != 2 or not 0.0 < numbers[0] <= numbers[1]:
        raise InputError(
            f"The length scale of {name!r} must be a positive number or (low, high); got {interval!r}."
        )
    return numbers[0], numbers[1]


def _noise_share(noise: float | str) -> tuple[float, bool]:
    """A noise as a number, and whether it is a share of the spread of the values told."""
    relative = isinstance(noise, str) and noise.strip().endswith("%")
    try:
        number = float(str(noise).strip()[:-1]) / 100.0 if relative else float(noise)
    except (TypeError, ValueError):
        number = np.nan
    if not 0.0 < number < np.inf:
        raise InputError(f"noise must be a positive standard deviation or a share like '2%'; got {noise!r}.")
    return number, relative


def _noise_variance(noise: float | str, z: Array, outputs: Outputs) -> float:
    """The variance in the model's outputs z (n,) of a noise given in the objective's unit, or in percent.

    A bent map is taken as straight: its slope is 1 at the median.
    """
    number, relative = _noise_share(noise)
    share = number * (float(np.std(z)) or 1.0) if relative else number / (outputs.spread * outputs.scale)
    return share**2
