"""Problem: a function to maximise whose optimum is known, with the cost of moving in its space."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from snakebo.checks import as_real
from snakebo.cost import MovementCost
from snakebo.errors import InputError
from snakebo.space import Points, Space


@dataclass(frozen=True, kw_only=True)
class Problem:
    """A function with everything a campaign and its judge need to know.

        problem = sb.problems.get("branin2d", noise=0.1)
        value = problem.observe({"x1": 3.0, "x2": 2.0}, np.random.default_rng(0))
        problem.regret(value)

    `function` takes one row of values in the user's units, in the order of the space's variables.
    """

    name: str
    space: Space
    cost: MovementCost
    function: Callable[[Points], float]
    objectives: tuple[str, ...]
    optimum: float
    argmax: Mapping[str, float]
    citation: str
    noise: float = 0.0
    direction: Literal["maximize"] = "maximize"

    def __post_init__(self) -> None:
        noise = as_real(self.noise, f"noise of {self.name}")
        if noise < 0:
            raise InputError(f"noise of {self.name} is a standard deviation and at least 0; got {noise:g}.")
        object.__setattr__(self, "noise", noise)

    def evaluate(self, x: Mapping[str, float]) -> float:
        """Return the true value at x, without noise; InputError if x is no point of the space."""
        return float(self.function(self.space.point(x)))

    def observe(self, x: Mapping[str, float], rng: np.random.Generator) -> float:
        """Return the value at x with Gaussian noise of standard deviation `noise`."""
        return self.evaluate(x) + self.noise * float(rng.standard_normal())

    def regret(self, value: float) -> float:
        """Return how far a value stays below the optimum."""
        return self.optimum - value
