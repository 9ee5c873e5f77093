"""The synthetic functions of Folch et al. (2022), all maximised, with Euclidean cost.

Formulas and constants are those of the paper's appendix "Description of Benchmark Functions". Optima are
rounded up in the last digits.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from snakebo.cost import Euclidean
from snakebo.problems.problem import Goal, Noise, Problem
from snakebo.space import Points, Space, Variable

_CITATION = (
    "Surjanovic & Bingham, Virtual Library of Simulation Experiments; Folch et al. (2022), SnAKe, appendix."
)


def branin2d(*, noise: Noise = 0.0) -> Problem:
    """Branin, standardised as in the public code of the paper; three global maxima."""
    return build_synthetic(
        "branin2d",
        _branin,
        bounds=[(-5.0, 10.0), (0.0, 15.0)],
        optimum=(44.81 + 10 * (1 - 1 / (8 * math.pi))) / 51.95,  # valley = 0 and cos(x1) = -1
        argmax=(math.pi, 2.275),
        noise=noise,
    )


def ackley4d(*, noise: Noise = 0.0) -> Problem:
    """Ackley: many local maxima, the global one off the centre of the box."""
    return build_synthetic(
        "ackley4d", _ackley, bounds=[(-1.8, 2.2)] * 4, optimum=0.0, argmax=(0.0, 0.0, 0.0, 0.0), noise=noise
    )


def michalewicz2d(*, noise: Noise = 0.0) -> Problem:
    """Michalewicz with m = 10: steep ridges on flat land."""
    return build_synthetic(
        "michalewicz2d",
        partial(_michalewicz, power=2),
        bounds=[(0.0, math.pi)] * 2,
        optimum=1.801303410098555,
        argmax=(2.202905520172609, math.pi / 2),
        noise=noise,
    )


def michalewicz2d_paper(*, noise: Noise = 0.0) -> Problem:
    """What the public code of the paper calls Michalewicz: x where the formula has x², and much smoother."""
    return build_synthetic(
        "michalewicz2d-paper",
        partial(_michalewicz, power=1),
        bounds=[(0.0, math.pi)] * 2,
        optimum=0.675446625967531,
        argmax=(2.932541763950575, 2.346611762341786),
        noise=noise,
    )


def perm10d(*, noise: Noise = 0.0) -> Problem:
    """Perm with β = 10: ten powers at once, best where x_j = j."""
    return build_synthetic(
        "perm10d",
        _perm,
        bounds=[(-10.0, 10.0)] * 10,
        optimum=0.0,
        argmax=tuple(map(float, range(1, 11))),
        noise=noise,
    )


def bimodal1d(*, noise: Noise = 0.0) -> Problem:
    """Two hills of a sine, the right one raised: where the paper shows how samples get stuck on the left."""
    return build_synthetic(
        "bimodal1d",
        _bimodal,
        bounds=[(0.0, 1.0)],
        optimum=1.332995603254506,
        argmax=(0.784748852715284,),
        noise=noise,
        citation="Folch et al. (2022), SnAKe, appendix on the escape probability.",
    )


def build_synthetic(
    name: str,
    function: Callable[[Points], float],
    *,
    bounds: Sequence[tuple[float, float]],
    optimum: float,
    argmax: Sequence[float],
    noise: Noise,
    citation: str = _CITATION,
) -> Problem:
    """Return the problem of a function to maximise on a box, over x1, x2, … or x alone."""
    names = ["x"] if len(bounds) == 1 else [f"x{i}" for i, _ in enumerate(bounds, start=1)]
    space = Space([Variable(name, *limits) for name, limits in zip(names, bounds, strict=True)])
    where = dict(zip(names, argmax, strict=True))
    return Problem(
        name=name,
        space=space,
        cost=Euclidean().bind(space),
        goals=(Goal(name="value", function=function, optimum=optimum, argmax=where),),
        citation=citation,
        noise=noise,
    )


def _branin(x: Points) -> float:
    x1, x2 = x.tolist()
    valley = x2 - 5.1 / (4 * math.pi**2) * x1**2 + 5 / math.pi * x1 - 6
    raw = valley**2 + 10 * (1 - 1 / (8 * math.pi)) * math.cos(x1)
    # The public code scales the function without its usual constant + 10.
    return float((44.81 - raw) / 51.95)


def _ackley(x: Points) -> float:
    a, b, c = 20.0, 0.2, 2 * math.pi
    # Grouped so that both parts are at most 0, in floating point too.
    return a * math.expm1(-b * math.sqrt(np.mean(x**2))) + (math.exp(np.mean(np.cos(c * x))) - math.e)


def _michalewicz(x: Points, *, power: int) -> float:
    return float(np.sum(np.sin(x) * np.sin(np.array([1, 2]) * x**power / math.pi) ** 20))


def _perm(x: Points) -> float:
    """Return −10^-21 · Σ_i (Σ_j (j^i + β)((x_j/j)^i − 1))²."""
    j = np.arange(1.0, 11.0)
    i = j[:, None]
    sums = np.sum((j**i + 10) * ((x / j) ** i - 1), axis=1)
    return -1e-21 * float(sums @ sums)


def _bimodal(x: Points) -> float:
    (at,) = x.tolist()
    return math.sin(10 * at) + math.exp(-((at - 0.775) ** 2) / 0.1) / 3
