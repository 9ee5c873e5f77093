"""The non-escape probability: how likely the maximiser of a posterior sample stays where the data are.

    p_n = P(argmax f ∈ A),   f ~ GP given n observations in A        (Folch et al. 2022, section 3.6)

As in the paper's appendix on it, observations are without noise and uniform in the interval A, and p is the
share of samples whose maximiser lies in A. Samples are drawn jointly on a grid with the exact covariance of
the posterior, so that nothing but the grid stands between the estimate and the definition.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from scipy.linalg import eigh, solve_triangular

from snakebo.bench.fixed import read_fixed
from snakebo.bench.run import find_problem
from snakebo.surrogate.gp import GaussianProcess
from snakebo.surrogate.kernel import Array, correlate
from snakebo.threads import one_blas_thread

_ROUNDING = 1e-13  # of the output scale: variances below it are errors of rounding
_PLACES = 0  # the random stream of the observed places; those of the samples are numbered by observations


@dataclass(frozen=True)
class Setting:
    """An interval of a problem with one variable, fixed hyper-parameters, and how finely p is estimated."""

    problem: str
    protocol: str
    low: float
    high: float
    samples: int = 5000
    grid: int = 501  # points over the range of the variable, its ends among them


def estimate_non_escape(setting: Setting, repeat: int, observations: int) -> float:
    """Return the share of samples whose maximiser lies in the interval."""
    gp = observe_interval(setting, repeat, observations)
    grid = np.linspace(0.0, 1.0, setting.grid)
    with one_blas_thread():
        rng = np.random.default_rng([repeat, observations])
        maximisers = grid[draw_jointly(gp, grid[:, None], setting.samples, rng).argmax(axis=1)]
    low, high = _unit_interval(setting)
    half_a_step = 0.5 / (setting.grid - 1)  # a grid point stands for the values closest to it
    return float(np.mean((maximisers > low - half_a_step) & (maximisers < high + half_a_step)))


def observe_interval(setting: Setting, repeat: int, observations: int) -> GaussianProcess:
    """Return the posterior given the first `observations` places of a repeat.

    Settings that differ in their hyper-parameters alone observe the same places.
    """
    problem = find_problem(setting.problem)
    low, high = _unit_interval(setting)
    X = np.random.default_rng([repeat, _PLACES]).uniform(low, high, (observations, 1))
    (goal,) = problem.goals
    y = np.array([goal.function(row) for row in problem.space.from_unit(X)])
    return GaussianProcess.condition(read_fixed(setting.protocol, problem).sets[0], X, y)


def draw_jointly(gp: GaussianProcess, U: Array, count: int, rng: Generator) -> Array:
    """Draw `count` functions from the posterior at the points U (N, d), as rows (count, N)."""
    theta, Z = gp.hyper.outputscale, U / gp.scale
    half = solve_triangular(gp.L, gp.covariance(U).T, lower=True)
    variances, directions = eigh(theta * correlate(Z, Z, gp.hyper.kernel)[0] - half.T @ half)
    real = variances > _ROUNDING * theta
    root = directions[:, real] * np.sqrt(variances[real])
    draws: Array = gp.mean(U) + rng.standard_normal((count, root.shape[1])) @ root.T
    return draws


def _unit_interval(setting: Setting) -> tuple[float, float]:
    bounds = np.array([[setting.low], [setting.high]])
    low, high = find_problem(setting.problem).space.to_unit(bounds)[:, 0]
    return float(low), float(high)
