"""Problem: one or several functions whose best values are known, with the cost of moving in their space."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np

from snakebo.checks import as_real
from snakebo.cost import MovementCost
from snakebo.errors import InputError
from snakebo.settings import Direction
from snakebo.space import Points, Space

Noise = float | Mapping[str, float]
T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class Goal:
    """One objective: its function, which way it should go, and the best there is.

    `function` takes one row of values in the user's units, in the order of the space's variables. `optimum`
    is rounded to the better side in its last digits, so that no value beats it; `argmax` is where it is
    reached, also where the objective is minimised.
    """

    name: str
    function: Callable[[Points], float]
    optimum: float
    argmax: Mapping[str, float]
    direction: Direction = "maximize"

    def regret(self, value: float) -> float:
        """Return how far a value stays behind the optimum; below 0 only where noise made it so."""
        return self.optimum - value if self.direction == "maximize" else value - self.optimum


@dataclass(frozen=True, kw_only=True)
class Problem:
    """All that a campaign and its judge need to know about one or several goals on a space.

        problem = sb.problems.get("branin2d", noise=0.1)
        value = problem.observe({"x1": 3.0, "x2": 2.0}, np.random.default_rng(0))
        problem.regret(value)

    `optimum`, `argmax`, `direction`, `evaluate`, `observe` and `regret` speak of the thing itself where there
    is one goal, and of a mapping by objective where there are several; `optima`, `values` and `regrets`
    always of a mapping. `noise` is the standard deviation of an observation, one for all or by objective.
    """

    name: str
    space: Space
    cost: MovementCost
    goals: tuple[Goal, ...]
    citation: str
    noise: Noise = 0.0

    def __post_init__(self) -> None:
        self._deviations  # noqa: B018 - raises where `noise` cannot be used

    @property
    def objectives(self) -> tuple[str, ...]:
        """The names of the goals, in order."""
        return tuple(goal.name for goal in self.goals)

    @property
    def optima(self) -> dict[str, float]:
        """The best value of each objective by itself."""
        return {goal.name: goal.optimum for goal in self.goals}

    @property
    def optimum(self) -> float | dict[str, float]:
        """The best value, or that of each objective by itself."""
        return _unwrap(self.optima)

    @property
    def argmax(self) -> Mapping[str, float] | dict[str, Mapping[str, float]]:
        """A point where the optimum is reached, or one for each objective."""
        points: dict[str, Mapping[str, float]] = {goal.name: goal.argmax for goal in self.goals}
        return points if len(points) > 1 else self.goals[0].argmax

    @property
    def direction(self) -> Direction | dict[str, Direction]:
        """Which way is better, as `Campaign` takes it."""
        return _unwrap({goal.name: goal.direction for goal in self.goals})

    def values(self, x: Mapping[str, float]) -> dict[str, float]:
        """Return the true values at x by objective; InputError if x is no point of the space."""
        row = self.space.point(x)
        if not self.space.inside(self.space.to_unit(row[None, :]))[0]:
            shown = ", ".join(f"{name} = {value:g}" for name, value in self.space.mapping(row).items())
            raise InputError(f"{self.name} has no value at {shown}: the point lies outside of its region.")
        return {goal.name: float(goal.function(row)) for goal in self.goals}

    def evaluate(self, x: Mapping[str, float]) -> float | dict[str, float]:
        """Return the true value at x, without noise; InputError if x is no point of the space."""
        return _unwrap(self.values(x))

    def observe(self, x: Mapping[str, float], rng: np.random.Generator) -> float | dict[str, float]:
        """Return the value at x with Gaussian noise of standard deviation `noise`."""
        values = self.values(x).items()
        return _unwrap(
            {name: value + self._deviations[name] * rng.standard_normal() for name, value in values}
        )

    def regrets(self, x_or_values: Mapping[str, float]) -> dict[str, float]:
        """Return by objective how far a point, or values by objective, stay behind the optima."""
        by_objective = isinstance(x_or_values, Mapping) and any(
            name in x_or_values for name in self.objectives
        )
        values = x_or_values if by_objective else self.values(x_or_values)
        if set(values) != set(self.objectives):
            raise self._complain(values)
        return {goal.name: goal.regret(as_real(values[goal.name], repr(goal.name))) for goal in self.goals}

    def regret(self, value: float | Mapping[str, float]) -> float | dict[str, float]:
        """Return how far a value, or values by objective, stay behind the optimum."""
        if isinstance(value, Mapping):
            return _unwrap(self.regrets(value))
        if len(self.goals) > 1:
            raise self._complain(value)
        return self.goals[0].regret(as_real(value, repr(self.goals[0].name)))

    def _complain(self, values: object) -> InputError:
        return InputError(f"{self.name} needs values for {', '.join(self.objectives)}; got {values!r}.")

    @cached_property
    def _deviations(self) -> dict[str, float]:
        given = self.noise if isinstance(self.noise, Mapping) else dict.fromkeys(self.objectives, self.noise)
        if set(given) != set(self.objectives):
            raise InputError(
                f"noise of {self.name} must be one number, or one for each of {', '.join(self.objectives)}; "
                f"got {', '.join(map(repr, given)) or 'none'}."
            )
        deviations = {name: as_real(given[name], f"noise of {self.name}") for name in self.objectives}
        for deviation in deviations.values():
            if deviation < 0:
                raise InputError(
                    f"noise of {self.name} is a standard deviation and at least 0; got {deviation:g}."
                )
        return deviations


def _unwrap(by_objective: dict[str, T]) -> T | dict[str, T]:
    """Return the only value there is, or all of them by objective."""
    return next(iter(by_objective.values())) if len(by_objective) == 1 else by_objective
