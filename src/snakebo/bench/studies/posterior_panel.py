"""Panel: a function of one variable, and what a surrogate makes of its observations."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from snakebo.bench.look import BLUE, INK, SKY
from snakebo.problems.problem import Problem
from snakebo.surrogate.gp import GaussianProcess

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_POINTS = 401


def draw_posterior(panel: Axes, problem: Problem, gp: GaussianProcess) -> None:
    """Draw the true function, the posterior mean with two standard deviations, and the observations."""
    (variable,) = problem.space.variables
    (goal,) = problem.goals
    grid = np.linspace(0.0, 1.0, _POINTS)[:, None]
    x = problem.space.from_unit(grid)
    mean, variance = gp.predict(grid)
    low, high = mean - 2.0 * np.sqrt(variance), mean + 2.0 * np.sqrt(variance)
    panel.fill_between(x[:, 0], low, high, color=SKY, alpha=0.3, linewidth=0, label="±2 sd")
    panel.plot(x[:, 0], mean, color=BLUE, label="surrogate")
    truth = [goal.function(row) for row in x]
    panel.plot(x[:, 0], truth, color=INK, linestyle=(0, (4, 2)), linewidth=0.9, label="objective")
    seen = problem.space.from_unit(gp.X)[:, 0]
    panel.plot(seen, gp.y, "x", color="black", markersize=3.5, markeredgewidth=0.7, label="queries")
    panel.set(xlabel=variable.name, ylabel=goal.name, xlim=(variable.low, variable.high))
