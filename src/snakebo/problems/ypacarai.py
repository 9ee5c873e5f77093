"""Contamination of Lake Ypacarai, seen from a boat, section 4.3 of Folch et al. (2022).

Three measures of water quality are sums of Shekel peaks over the unit square; the boat stays on the lake,
whose shore is traced from the picture in the public code of the paper.
"""

from __future__ import annotations

from functools import partial
from importlib import resources
from typing import Literal

import numpy as np

from snakebo.cost import Euclidean, Geodesic, MovementCost
from snakebo.errors import InputError
from snakebo.problems.problem import Goal, Noise, Problem
from snakebo.region import Polygon
from snakebo.space import Points, Space, Variable

Way = Literal["straight", "geodesic"]

_PEAKS = {  # a peak is a row of the paper's C, with its β: (10·x1, 10·x2, β)
    "o1": np.array([[2, 6.7, 9], [9, 2, 9]]),
    "o2": np.array([[7, 6, 10], [3.8, 9.9, 8], [9, 0.1, 8]]),
    "o3": np.array([[4, 3, 7], [8.5, 4, 9]]),
}
_OPTIMA = {  # value, x1, x2; all three lie on the lake, and the first has a twin at (0.209166, 0.663846)
    "o1": (1.237419453853845, 0.890834179321144, 0.206154193884375),
    "o2": (1.624173527585705, 0.401297685157544, 0.962645212434652),
    "o3": (1.773149653426020, 0.427538674480569, 0.306119705440126),
}
_CITATION = (
    "Samaniego et al. (2021), A Bayesian optimization approach for water resources monitoring through an "
    "autonomous surface vehicle; Folch et al. (2022), SnAKe, section 4.3."
)


def ypacarai_o1(*, noise: Noise = 0.0, cost: Way = "straight") -> Problem:
    """The first measure: two equal peaks at opposite ends of the lake."""
    return _build("ypacarai-o1", ("o1",), noise, cost)


def ypacarai_o2(*, noise: Noise = 0.0, cost: Way = "straight") -> Problem:
    """The second measure: three peaks, the best of them close to the upper shore."""
    return _build("ypacarai-o2", ("o2",), noise, cost)


def ypacarai_o3(*, noise: Noise = 0.0, cost: Way = "straight") -> Problem:
    """The third measure: two peaks, one clearly higher."""
    return _build("ypacarai-o3", ("o3",), noise, cost)


def ypacarai(*, noise: Noise = 0.0, cost: Way = "straight") -> Problem:
    """All three measures of one trip."""
    return _build("ypacarai", ("o1", "o2", "o3"), noise, cost)


def read_outline() -> Points:
    """Return the vertices (n, 2) of the shore in the unit square: x1 to the right, x2 up."""
    with (resources.files(__package__) / "data" / "ypacarai_outline.csv").open(encoding="utf-8") as file:
        return np.loadtxt(file, delimiter=",", skiprows=1)


def _contaminate(x: Points, *, peaks: Points) -> float:
    """Return 10 · Σ_i 1/(|10x − C_i|² + β_i); the public code has the factor 10, the paper's text has not."""
    return float(np.sum(10 / (np.sum((10 * x - peaks[:, :2]) ** 2, axis=1) + peaks[:, 2])))


def _build(name: str, objectives: tuple[str, ...], noise: Noise, way: Way) -> Problem:
    lake = Polygon(read_outline().tolist())
    space = Space([Variable("x1", 0, 1), Variable("x2", 0, 1)], region=lake)
    goals = []
    for objective in objectives:
        optimum, x1, x2 = _OPTIMA[objective]
        function = partial(_contaminate, peaks=_PEAKS[objective])
        goals.append(Goal(name=objective, function=function, optimum=optimum, argmax={"x1": x1, "x2": x2}))
    return Problem(
        name=name,
        space=space,
        cost=_choose_cost(name, way, lake).bind(space),
        goals=tuple(goals),
        citation=_CITATION,
        noise=noise,
    )


def _choose_cost(name: str, way: Way, lake: Polygon) -> MovementCost:
    if way == "straight":
        return Euclidean()
    if way == "geodesic":
        return Geodesic(lake)
    raise InputError(
        f'cost of {name} must be "straight" (also across land) or "geodesic" (by water alone); got {way!r}.'
    )
