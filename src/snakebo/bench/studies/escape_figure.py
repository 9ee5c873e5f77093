"""Figure: with and without deletion, what was queried, and when each run left the local optimum."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from snakebo.bench.experiment import Experiment
from snakebo.bench.fixed import is_fixed, read_fixed
from snakebo.bench.labels import label_method
from snakebo.bench.look import BLUE, GREEN, INK, ORANGE, PALE, QUIET, RED, canvas, save
from snakebo.bench.run import Run, find_problem
from snakebo.bench.studies.escape import PROBLEM, deletes, find_basin, leaving_step, predict_share
from snakebo.bench.studies.posterior_panel import draw_posterior
from snakebo.bench.studies.trajectories import read_trajectories
from snakebo.errors import InputError
from snakebo.space import Points
from snakebo.surrogate.gp import GaussianProcess

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_Paths = Mapping[Run, Points]
_COLOURS = (QUIET, BLUE, RED, GREEN, ORANGE)


def draw_escape(experiment: Experiment, results: Path, directory: Path, form: str) -> list[Path]:
    """Draw a figure for each budget: resampling, deletion, and the paths of all methods and seeds.

    Raises InputError unless there are runs with and without deletion, under fixed hyper-parameters.
    """
    found = read_trajectories(experiment, results)
    for run in found:
        if run.problem != PROBLEM or not is_fixed(run.protocol):
            raise InputError(f"An escape is drawn on {PROBLEM} with fixed hyper-parameters; got {run}.")
    files = []
    for budget in sorted({run.budget for run in found}):
        groups: dict[str, dict[Run, Points]] = {}
        for run, points in found.items():
            if run.budget == budget:
                groups.setdefault(run.method, {})[run] = points
        files.append(_draw_budget(budget, groups, directory, f"{experiment.name}-T{budget}", form))
    return files


def _draw_budget(budget: int, groups: Mapping[str, _Paths], directory: Path, name: str, form: str) -> Path:
    without = next((paths for method, paths in groups.items() if not deletes(method)), None)
    deleting = next((paths for method, paths in groups.items() if deletes(method)), None)
    if without is None or deleting is None:
        raise InputError(f"At T = {budget} a run with deletion, or one without, is missing. Run it first.")
    with canvas(columns=3, height=2.6) as (figure, (left, middle, right)):
        _draw_queries(left, without)
        _draw_queries(middle, deleting)
        middle.sharey(left)
        middle.set_ylabel("")
        _draw_paths(right, budget, groups, deleting)
        for panel, title in (
            (left, "(a) Without point deletion"), (middle, "(b) With point deletion"), (right, "(c) Paths"),
        ):  # fmt: skip
            panel.set_title(title)
        figure.legend(*left.get_legend_handles_labels(), loc="outside lower left", ncols=2)
        figure.legend(*right.get_legend_handles_labels(), loc="outside lower right", ncols=2)
        return save(figure, directory, name, form)


def _draw_queries(panel: Axes, paths: _Paths) -> None:
    """The objective, and the surrogate after the first run."""
    run, points = next(iter(paths.items()))
    problem = find_problem(run.problem)
    (goal,) = problem.goals
    values = np.array([goal.function(x) for x in points])
    hyper = read_fixed(run.protocol, problem).sets[0]
    draw_posterior(panel, problem, GaussianProcess.condition(hyper, problem.space.to_unit(points), values))


def _draw_paths(panel: Axes, budget: int, groups: Mapping[str, _Paths], deleting: _Paths) -> None:
    """Where each run is at each step, the first seed strong; and when deletion should let it leave."""
    run, points = next(iter(deleting.items()))
    problem = find_problem(run.problem)
    (variable,) = problem.space.variables
    basin = find_basin(problem, float(points[0, 0]))
    panel.axhspan(*basin, color=PALE, alpha=0.45, linewidth=0)
    for colour, (method, paths) in zip(cycle(_COLOURS), groups.items(), strict=False):
        label = f"{label_method(method)}, {_describe_leaving(paths, basin, budget)}"
        for number, each in enumerate(paths.values()):
            style: dict[str, Any] = {"alpha": 0.25, "linewidth": 0.5, "zorder": 2}
            if number == 0:
                style = {"linewidth": 1.1, "zorder": 3, "label": label}
            panel.plot(each[:, 0], color=colour, **style)
    expected = predict_share(run.protocol) * budget
    panel.axvline(expected, color=INK, linestyle=(0, (4, 2)), linewidth=0.9, label=f"p·T = {expected:.0f}")
    panel.set(xlabel="step", ylabel=variable.name, xlim=(0, budget), ylim=(variable.low, variable.high))


def _describe_leaving(paths: _Paths, basin: tuple[float, float], budget: int) -> str:
    """The median step, if all runs leave; otherwise how many do."""
    steps = [leaving_step(each, basin) for each in paths.values()]
    leaving = sum(step < budget for step in steps)
    return f"leaves at {np.median(steps):g}" if leaving == len(steps) else f"{leaving} of {len(steps)} leave"
