"""The synthetic functions of Folch et al. (2022), all maximised, with Euclidean cost.

Formulas and constants are those of the paper's appendix "Description of Benchmark Functions".
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from snakebo.cost import Euclidean
from snakebo.problems.problem import Problem
from snakebo.space import Points, Space, Variable

_CITATION = (
    "Surjanovic & Bingham, Virtual Library of Simulation Experiments; Folch et al. (2022), SnAKe, appendix."
)

_HARTMANN_ALPHA = np.array([1.0, 1.2, 3.0, 3.2])
_HARTMANN3_A = np.array([[3.0, 10, 30], [0.1, 10, 35], [3.0, 10, 30], [0.1, 10, 35]])
_HARTMANN3_P = 1e-4 * np.array(
    [[3689, 1170, 2673], [4699, 4387, 7470], [1091, 8732, 5547], [381, 5743, 8828]]
)
_HARTMANN6_A = np.array(
    [
        [10, 3, 17, 3.5, 1.7, 8],
        [0.05, 10, 17, 0.1, 8, 14],
        [3, 3.5, 1.7, 10, 17, 8],
        [17, 8, 0.05, 10, 0.1, 14],
    ]
)
_HARTMANN6_P = 1e-4 * np.array(
    [
        [1312, 1696, 5569, 124, 8283, 5886],
        [2329, 4135, 8307, 3736, 1004, 9991],
        [2348, 1451, 3522, 2883, 3047, 6650],
        [4047, 8828, 8732, 5743, 1091, 381],
    ]
)


def branin2d(*, noise: float = 0.0) -> Problem:
    """Branin, standardised as in the public code of the paper; three global maxima."""
    return _build(
        "branin2d",
        _branin,
        bounds=[(-5.0, 10.0), (0.0, 15.0)],
        optimum=(44.81 + 10 * (1 - 1 / (8 * math.pi))) / 51.95,  # valley = 0 and cos(x1) = -1
        argmax=(math.pi, 2.275),
        noise=noise,
    )


def ackley4d(*, noise: float = 0.0) -> Problem:
    """Ackley: many local maxima, the global one off the centre of the box."""
    return _build(
        "ackley4d", _ackley, bounds=[(-1.8, 2.2)] * 4, optimum=0.0, argmax=(0.0, 0.0, 0.0, 0.0), noise=noise
    )


def hartmann3d(*, noise: float = 0.0) -> Problem:
    """Hartmann on the unit cube in three dimensions."""
    return _build(
        "hartmann3d",
        partial(_hartmann, A=_HARTMANN3_A, P=_HARTMANN3_P),
        bounds=[(0.0, 1.0)] * 3,
        optimum=3.862779787332663,
        argmax=(0.11458887665507, 0.55564889461693, 0.852546984686677),
        noise=noise,
    )


def hartmann6d(*, noise: float = 0.0) -> Problem:
    """Hartmann on the unit cube in six dimensions."""
    return _build(
        "hartmann6d",
        partial(_hartmann, A=_HARTMANN6_A, P=_HARTMANN6_P),
        bounds=[(0.0, 1.0)] * 6,
        optimum=3.322368011415515,
        argmax=(
            0.201689511006705,
            0.150010691823458,
            0.476873974221897,
            0.275332430494056,
            0.311651616600113,
            0.65730053406562,
        ),
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
    peak = a * math.exp(-b * math.sqrt(np.mean(x**2)))
    return peak + math.exp(np.mean(np.cos(c * x))) - a - math.e


def _hartmann(x: Points, *, A: Points, P: Points) -> float:
    """Return Σ_i α_i exp(−Σ_j A_ij (x_j − P_ij)²); the paper's text leaves the square out."""
    return float(_HARTMANN_ALPHA @ np.exp(-np.sum(A * (x - P) ** 2, axis=1)))


def _build(
    name: str,
    function: Callable[[Points], float],
    *,
    bounds: Sequence[tuple[float, float]],
    optimum: float,
    argmax: Sequence[float],
    noise: float,
) -> Problem:
    space = Space([Variable(f"x{i}", low, high) for i, (low, high) in enumerate(bounds, start=1)])
    return Problem(
        name=name,
        space=space,
        cost=Euclidean().bind(space),
        function=function,
        objectives=("value",),
        optimum=optimum,
        argmax={f"x{i}": value for i, value in enumerate(argmax, start=1)},
        citation=_CITATION,
        noise=noise,
    )
