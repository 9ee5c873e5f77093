"""Figure: one step of SnAKe, in the manner of figure 2 of Folch et al. (2022)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from snakebo.bench.experiment import Experiment
from snakebo.bench.look import BLUE, GREEN, PALE, RED, canvas, save
from snakebo.bench.studies.step import Step, take_step
from snakebo.space import Points

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SIDE = 0.6  # of the part of the unit square that is shown
_RIM = 0.03  # how far it reaches outside
_FINE = 101
_CONTOURS: dict[str, Any] = {
    "levels": 14, "colors": PALE, "linestyles": "solid", "linewidths": 0.5, "zorder": 0,
}  # fmt: skip


def draw_step(experiment: Experiment, results: Path, directory: Path, form: str) -> list[Path]:
    """Draw plan, samples and new plan around the last query; there are no results to read."""
    step = take_step(experiment.parameters)
    t = len(step.asked)
    with canvas(columns=3, height=2.75) as (figure, panels):
        for panel in panels:
            _draw_ground(panel, step)
        before, samples, after = panels
        _draw_path(before, step.asked, step.plan)
        _draw_samples(samples, step)
        _draw_path(after, step.asked, step.new_plan)
        _draw_deleted(after, step)
        for panel, title in (
            (before, f"(a) Path at t = {t}"), (samples, "(b) Samples and deletion"),
            (after, f"(c) Path at t = {t + 1}"),
        ):  # fmt: skip
            panel.set_title(title)
        handles = [*before.get_lines()[:2], *samples.get_lines()[1:]]
        figure.legend(handles=handles, loc="outside lower center", ncols=len(handles))
        return [save(figure, directory, experiment.name, form)]


def _draw_ground(panel: Axes, step: Step) -> None:
    """The objective as contours, in a part of the unit square around the last query."""
    space, (goal,) = step.problem.space, step.problem.goals
    axis = np.linspace(0.0, 1.0, _FINE)
    grid = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
    values = np.array([goal.function(x) for x in space.from_unit(grid)])
    panel.contour(axis, axis, values.reshape(_FINE, _FINE), **_CONTOURS)
    left, bottom = np.clip(step.asked[-1] - _SIDE / 2, -_RIM, 1 + _RIM - _SIDE)
    panel.set(
        xlim=(left, left + _SIDE), ylim=(bottom, bottom + _SIDE), aspect="equal",
        xlabel=f"{space.names[0]}, scaled", ylabel=f"{space.names[1]}, scaled",
    )  # fmt: skip


def _draw_path(panel: Axes, asked: Points, plan: Points) -> None:
    """What was queried, up to where the apparatus is, and what is to come."""
    panel.plot(*asked.T, "-o", color=RED, markersize=3, zorder=4, label="queried")
    ahead = np.vstack([asked[-1], plan])
    panel.plot(*ahead.T, "-o", color=BLUE, linewidth=0.9, markersize=1.8, zorder=2, label="planned")
    panel.plot(*asked[-1], "o", color=RED, markersize=5.5, zorder=4)


def _draw_samples(panel: Axes, step: Step) -> None:
    from matplotlib.patches import Circle

    for query in step.asked:
        where = (float(query[0]), float(query[1]))
        panel.add_patch(Circle(where, step.epsilon, facecolor=RED, alpha=0.07, linewidth=0))
        panel.add_patch(Circle(where, step.epsilon, fill=False, edgecolor=RED, alpha=0.6, linewidth=0.4))
    panel.plot(*step.asked.T, "o", color=RED, markersize=3, zorder=4)
    kept = step.samples[step.kept]
    panel.plot(*kept.T, "o", color="black", markersize=2.4, markeredgewidth=0, zorder=3, label="accepted")
    _draw_deleted(panel, step)


def _draw_deleted(panel: Axes, step: Step) -> None:
    gone = step.samples[~step.kept]
    panel.plot(*gone.T, "D", color=GREEN, markersize=3.2, markeredgewidth=0, zorder=5, label="deleted")
