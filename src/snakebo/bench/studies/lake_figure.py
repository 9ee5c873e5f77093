"""Figure: the objectives of a problem inside its shore, and the path of a run that measured all of them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from snakebo.bench.experiment import Experiment
from snakebo.bench.look import INK, ORANGE, RED, canvas, save
from snakebo.bench.run import find_problem
from snakebo.bench.studies.trajectories import read_trajectories
from snakebo.errors import InputError
from snakebo.problems.problem import Goal
from snakebo.region import Polygon
from snakebo.space import Points

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_FINE = 121
_LEVELS = 12
_RIM = 0.02  # around the shore
_STAR: dict[str, Any] = {
    "color": ORANGE, "markersize": 9, "markeredgecolor": INK, "markeredgewidth": 0.6, "linestyle": "none",
    "zorder": 7,
}  # fmt: skip


def draw_lake(experiment: Experiment, results: Path, directory: Path, form: str) -> list[Path]:
    """Draw the first run of the experiment over each objective. Raises InputError unless there is a shore."""
    run, path = next(iter(read_trajectories(experiment, results).items()))
    problem = find_problem(run.problem)
    if not isinstance(problem.space.region, Polygon) or problem.space.dim != 2:
        raise InputError(f"The figure of a lake needs a problem inside a polygon; {problem.name} is none.")
    shore = np.array(problem.space.region.vertices)
    with canvas(columns=len(problem.goals), height=2.9) as (figure, panels):
        for letter, panel, goal in zip("abcdefgh", panels, problem.goals, strict=False):
            _draw_objective(panel, goal, shore)
            _draw_path(panel, path)
            x1, x2 = problem.space.names
            panel.plot(goal.argmax[x1], goal.argmax[x2], "*", **_STAR, label="optimum")
            panel.set(title=f"({letter}) {goal.name}", xlabel=x1, ylabel=x2 if panel is panels[0] else "")
        figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=4)
        return [save(figure, directory, experiment.name, form)]


def _draw_objective(panel: Axes, goal: Goal, shore: Points) -> None:
    """Contours inside of the shore, dark where the value is high."""
    from matplotlib.patches import Polygon as Outline

    (left, bottom), (right, top) = shore.min(axis=0), shore.max(axis=0)
    x, y = np.linspace(left, right, _FINE), np.linspace(bottom, top, _FINE)
    values = np.array([[goal.function(np.array([a, b])) for a in x] for b in y])
    outline = panel.add_patch(Outline(shore, fill=False, edgecolor=INK, linewidth=0.8, zorder=3))
    panel.contourf(x, y, values, _LEVELS, cmap="YlGnBu", alpha=0.8).set_clip_path(outline)
    panel.contour(x, y, values, _LEVELS, colors="white", linewidths=0.4).set_clip_path(outline)
    panel.set(aspect="equal", xlim=(left - _RIM, right + _RIM), ylim=(bottom - _RIM, top + _RIM))


def _draw_path(panel: Axes, path: Points) -> None:
    from matplotlib.patheffects import Normal, Stroke

    halo = [Stroke(linewidth=2.0, foreground="white"), Normal()]
    panel.plot(*path.T, color=RED, linewidth=0.9, path_effects=halo, zorder=4, label="path")
    panel.plot(*path.T, "o", color=RED, markersize=1.6, zorder=5)
    ends: dict[str, Any] = {"markersize": 5, "markeredgecolor": "white", "markeredgewidth": 0.6, "zorder": 6}
    panel.plot(*path[0], "o", color=INK, label="first query", linestyle="none", **ends)
    panel.plot(*path[-1], "s", color=INK, label="last query", linestyle="none", **ends)
