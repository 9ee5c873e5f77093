"""Curves: regret against cost, regret against steps and cost against steps, a row of panels for each cell."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from snakebo.bench.bands import Band, cost_by_step, regret_by_cost, regret_by_step
from snakebo.bench.experiment import Experiment
from snakebo.bench.labels import label_limits, label_method, label_problem, label_protocol
from snakebo.bench.lines import Line, choose_lines, set_apart
from snakebo.bench.look import PALE, canvas, save
from snakebo.bench.series import Series, read_series

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_ROW_IN, _EDGE_IN = 1.6, 0.3
_WIDEST = 6  # entries in a row of the legend
_PLANNERS = ("snake", "snake-paper", "random-tour")


def draw_curves(experiment: Experiment, results: Path, directory: Path, form: str) -> list[Path]:
    """Write a figure for each problem and objective of which a run is done; return the files."""
    series = read_series(experiment, results)
    done = [each for each in series if each.done]
    files = []
    for problem, part in groupby(done, lambda each: label_problem(each.cell)):
        rows = [list(row) for _, row in groupby(part, lambda each: each.cell)]
        name = re.sub(r"[^\w.=-]+", "-", f"{experiment.name}-{problem}").strip("-")
        files.append(draw_problem(rows, series[0].protocol, directory, name, form))
    return files


def find_cost_limit(series: Sequence[Series]) -> float:
    """Return the largest cost that a SnAKe or the random tour has reached; of any method if none is there."""
    planners = [each for each in series if each.method.partition(":")[0] in _PLANNERS] or series
    return max(float(each.spent.max()) for each in planners)


def draw_problem(rows: Sequence[Sequence[Series]], usual: str, directory: Path, name: str, form: str) -> Path:
    """Write a figure with three panels for each row of series; the `usual` protocol goes without saying."""
    lines = _choose_lines([each for row in rows for each in row], usual)
    with canvas(3, _ROW_IN, len(rows)) as (figure, panels):
        for index, row in enumerate(rows):
            _draw_row(panels[3 * index : 3 * index + 3], row, lines, usual)
        for panel, label in zip(panels[-3:], ("cost", "step", "step"), strict=True):
            panel.set_xlabel(label)
        figure.align_ylabels(panels)
        figure.set_layout_engine("constrained", wspace=0.05)
        figure.set_figheight(len(rows) * _ROW_IN + _add_legend(figure, lines) + _EDGE_IN)
        return save(figure, directory, name, form)


def _choose_lines(series: Sequence[Series], usual: str) -> dict[str, Line]:
    """A line for each label of the legend."""
    by_method = choose_lines([each.method for each in series])
    lines = {}
    for each in series:
        line = by_method[each.method]
        same = label_protocol(each.protocol) == label_protocol(usual)
        lines[label_method(each.method, each.protocol, usual)] = line if same else set_apart(line)
    return lines


def _draw_row(panels: Sequence[Axes], row: Sequence[Series], lines: Mapping[str, Line], usual: str) -> None:
    by_cost, by_step, cost = panels
    cell, limit = row[0].cell, find_cost_limit(row)
    by_step.sharey(by_cost)
    for each in row:
        line = lines[label_method(each.method, each.protocol, usual)]
        _draw_band(by_cost, regret_by_cost(each, limit), line, ends=each.spent.max() <= limit)
        _draw_band(by_step, regret_by_step(each), line)
        _draw_band(cost, cost_by_step(each), line)
    by_cost.set_title(f"{label_problem(cell)}, {label_limits(cell)}", fontweight="bold")
    for panel, label in zip(panels, ("log-regret", "log-regret", "cost"), strict=True):
        panel.set_ylabel(label)
        panel.grid(color=PALE, linewidth=0.4)
    for panel, end in zip(panels, (limit or 1.0, cell.budget, cell.budget), strict=True):
        panel.set_xlim(0, 1.02 * end)
    cost.set_ylim(bottom=0)


def _draw_band(panel: Axes, band: Band, line: Line, ends: bool = False) -> None:
    """Draw a curve with its band; a dot says that the runs end there, and not the panel."""
    order = 2 + line.weight
    panel.plot(band.x, band.mean, **line.options, zorder=order)
    if ends:
        panel.plot(
            band.x[-1], band.mean[-1], "o", color=line.color, markersize=1.5 + line.weight, zorder=order
        )
    if band.half is not None:
        panel.fill_between(
            band.x, band.mean - band.half, band.mean + band.half, color=line.color, alpha=line.shade,
            linewidth=0, zorder=1 + line.shade,
        )  # fmt: skip


def _add_legend(figure: Figure, lines: Mapping[str, Line]) -> float:
    """Put a legend above all panels, in as few rows as the width allows; return its height in inches."""
    from matplotlib.lines import Line2D

    handles = [
        Line2D([], [], **{**line.options, "markevery": None}, label=label) for label, line in lines.items()
    ]
    fewest = math.ceil(len(handles) / _WIDEST)
    for rows in range(fewest, len(handles) + 1):
        columns = math.ceil(len(handles) / rows)
        legend = figure.legend(
            handles=handles, loc="outside upper center", ncols=columns, handlelength=2.8, columnspacing=1.5
        )
        extent = legend.get_window_extent()
        if extent.width <= figure.bbox.width or columns == 1:
            break
        legend.remove()
    return float(extent.height / figure.dpi)
