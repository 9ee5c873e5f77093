"""The SnAr reactor of section 4.2 of Folch et al. (2022): three variables take time to settle, one is free.

Optima are those of the kinetics solved in 25 digits, rounded to the better side by more than the error of
the solver, so that no regret is negative.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from snakebo.cost import FirstOrderResponse
from snakebo.problems.problem import Goal, Noise, Problem
from snakebo.problems.reactor import compute_e_factor, compute_performance, compute_space_time_yield, react
from snakebo.settings import Direction
from snakebo.space import Points, Space, Variable

_COST = {  # (α, β, γ) of each variable that takes time to settle
    "temperature": (5.0, 1.0, 1.0),
    "concentration": (2.0, 0.01, 1.0),
    "residence_time": (3.0, 0.05, 1.0),
}
_CITATION = (
    "Hone et al. (2017), Rapid multistep kinetic model generation from transient flow data; "
    "Felton et al. (2021), Summit; Folch et al. (2022), SnAKe, section 4.2."
)


def snar4d(*, noise: Noise = 0.0) -> Problem:
    """The reactor with the published kinetics."""
    goal = _aim(
        "performance", compute_performance, optimum=0.2747300638, at=(81.1224195, 0.5, 0.5, 1.45748348)
    )
    return _build("snar4d", (goal,), noise)


def snar4d_paper(*, noise: Noise = 0.0) -> Problem:
    """The reactor as it was when the paper's tables were made: Summit ≤ 0.8.4 has ka for kb in dC4/dt."""
    goal = _aim(
        "performance",
        compute_performance,
        slip=True,
        optimum=0.17432092454,
        at=(79.8789981, 0.5, 0.5, 1.51032917),
    )
    return _build("snar4d-paper", (goal,), noise)


def snar4d_two(*, noise: Noise = 0.0) -> Problem:
    """The reactor with the two parts of its performance as objectives of their own, in their own units."""
    productivity = _aim(
        "space_time_yield",
        compute_space_time_yield,
        optimum=11526.0198613,
        at=(40.0, 0.5, 0.5, 3.75425306),
    )
    waste = _aim(
        "e_factor",
        compute_e_factor,
        optimum=8.4515974772,
        at=(62.0777882, 0.5, 2.0, 1.18391004),
        direction="minimize",
    )
    return _build("snar4d-two", (productivity, waste), noise)


def _aim(
    name: str,
    judge: Callable[[Points, float], float],
    *,
    optimum: float,
    at: tuple[float, float, float, float],
    slip: bool = False,
    direction: Direction = "maximize",
) -> Goal:
    argmax = dict(zip(("temperature", "concentration", "residence_time", "equivalents"), at, strict=True))
    function = partial(_run, judge=judge, slip=slip)
    return Goal(name=name, function=function, optimum=optimum, argmax=argmax, direction=direction)


def _run(x: Points, *, judge: Callable[[Points, float], float], slip: bool) -> float:
    temperature, concentration, residence_time, equivalents = x.tolist()
    return judge(react(temperature, concentration, residence_time, equivalents, slip=slip), residence_time)


def _build(name: str, goals: tuple[Goal, ...], noise: Noise) -> Problem:
    space = Space(
        [
            Variable("temperature", 40, 120, unit="°C"),
            Variable("concentration", 0.1, 0.5, unit="M"),
            Variable("residence_time", 0.5, 2, unit="min"),
            Variable("equivalents", 1, 5, free=True),
        ]
    )
    cost = FirstOrderResponse(_COST).bind(space)
    return Problem(name=name, space=space, cost=cost, goals=goals, citation=_CITATION, noise=noise)
