"""Hartmann's functions: four hills on the unit cube, in the same form for three, four and six dimensions.

Constants are those of the appendix "Description of Benchmark Functions" of Folch et al. (2022).
"""

from __future__ import annotations

from functools import partial

import numpy as np

from snakebo.problems.problem import Noise, Problem
from snakebo.problems.synthetic import build_synthetic
from snakebo.space import Points

_ALPHA = np.array([1.0, 1.2, 3.0, 3.2])
_THREE_A = np.array([[3.0, 10, 30], [0.1, 10, 35], [3.0, 10, 30], [0.1, 10, 35]])
_THREE_P = 1e-4 * np.array([[3689, 1170, 2673], [4699, 4387, 7470], [1091, 8732, 5547], [381, 5743, 8828]])
_SIX_A = np.array(
    [
        [10, 3, 17, 3.5, 1.7, 8],
        [0.05, 10, 17, 0.1, 8, 14],
        [3, 3.5, 1.7, 10, 17, 8],
        [17, 8, 0.05, 10, 0.1, 14],
    ]
)
_SIX_P = 1e-4 * np.array(
    [
        [1312, 1696, 5569, 124, 8283, 5886],
        [2329, 4135, 8307, 3736, 1004, 9991],
        [2348, 1451, 3522, 2883, 3047, 6650],
        [4047, 8828, 8732, 5743, 1091, 381],
    ]
)


def hartmann3d(*, noise: Noise = 0.0) -> Problem:
    """Hartmann on the unit cube in three dimensions."""
    return build_synthetic(
        "hartmann3d",
        partial(_hartmann, A=_THREE_A, P=_THREE_P),
        bounds=[(0.0, 1.0)] * 3,
        optimum=3.862779787332665,
        argmax=(0.11458887665507, 0.55564889461693, 0.852546984686677),
        noise=noise,
    )


def hartmann4d(*, noise: Noise = 0.0) -> Problem:
    """Hartmann with the first four columns of the constants in six dimensions, not rescaled."""
    return build_synthetic(
        "hartmann4d",
        partial(_hartmann, A=_SIX_A[:, :4], P=_SIX_P[:, :4]),
        bounds=[(0.0, 1.0)] * 4,
        optimum=3.729840584485595,
        argmax=(0.187395272973467, 0.194151529302441, 0.557917780062569, 0.264779624170397),
        noise=noise,
    )


def hartmann6d(*, noise: Noise = 0.0) -> Problem:
    """Hartmann on the unit cube in six dimensions."""
    return build_synthetic(
        "hartmann6d",
        partial(_hartmann, A=_SIX_A, P=_SIX_P),
        bounds=[(0.0, 1.0)] * 6,
        optimum=3.322368011415517,
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


def _hartmann(x: Points, *, A: Points, P: Points) -> float:
    """Return Σ_i α_i exp(−Σ_j A_ij (x_j − P_ij)²); the paper's text leaves the square out."""
    return float(_ALPHA @ np.exp(-np.sum(A * (x - P) ** 2, axis=1)))
