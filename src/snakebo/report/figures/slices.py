"""What the model believes around the best point: along each variable, the others left where they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from snakebo.report.panels import Panel, compose, titled
from snakebo.report.snapshot import MODELLED, Snapshot, Source, take
from snakebo.report.theme import ACCENT, INK, PAPER, QUIET, label, name_of
from snakebo.space import Points
from snakebo.surrogate.model import Surrogate

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

PANELS = 24  # in all; with more, the variables that matter least are left out
_RESOLUTION = 81
_NEAR = 0.25  # length scales, or of the range where that is less, in the other variables
_STAR = {"symbol": "star", "color": PAPER, "size": 13, "line": {"color": INK, "width": 1.6}}
_BAND = 1.959963984540054  # standard deviations on either side: 95 %


def slices(campaign: Source) -> Figure:
    """Draw the model's median and 95 % band along each variable through the best point of each objective."""
    snapshot = take(campaign)
    each = max(PANELS // len(snapshot.objectives), 4)
    columns = np.sort(np.argsort(-snapshot.relevance, kind="stable")[:each]).tolist()
    if snapshot.surrogates:
        panels = [
            panel
            for number, name in enumerate(snapshot.objectives)
            for panel in _panels(snapshot, snapshot.surrogates[number], name, columns)
        ]
    else:
        panels = [Panel(note="No result to learn from yet")]
    some = f" Of {snapshot.space.dim} variables, the {each} that matter most are shown."
    many = f" The model shown rests on the {MODELLED} results nearest to the best."
    return compose(
        "The model around the best point",
        "What the model expects (line) and the range it finds 95 % likely (band) when one variable is "
        "changed from the best setting (star); dots are results with the other settings close to it."
        + (some if each < snapshot.space.dim else "")
        + (many if len(snapshot.seen.told) > MODELLED else ""),
        panels,
        height=290,
    )


def predict_along(
    snapshot: Snapshot, surrogate: Surrogate, center: Points, column: int
) -> tuple[Points, NDArray[np.float64]]:
    """Return unit points (m, d) along a column through the centre, and lower, median and upper values (3, m).

    Values are in the objective's own units. The points stay in the region, as far as it goes unbroken.
    """
    line = np.repeat(center[None], _RESOLUTION, axis=0)
    line[:, column] = np.linspace(0.0, 1.0, _RESOLUTION)
    place = int(np.searchsorted(line[:, column], center[column]))
    line = np.insert(line, place, center, axis=0)
    if snapshot.space.finite is None:
        inside = snapshot.space.inside(line)
        inside[place] = True
        outside = np.flatnonzero(~inside)
        first = int(outside[outside < place].max(initial=-1)) + 1
        line = line[first : int(outside[outside > place].min(initial=len(line)))]
    mean, variance = surrogate.gp.predict(line)
    z = mean + np.outer([-_BAND, 0.0, _BAND], np.sqrt(variance))
    sign = snapshot.settings.signs[surrogate.objective]
    return line, np.sort(sign * surrogate.outputs.invert(z), axis=0)


def _panels(snapshot: Snapshot, surrogate: Surrogate, objective: str, columns: list[int]) -> list[Panel]:
    center = snapshot.center(objective)
    assert center is not None
    known = surrogate.gp.X
    values = snapshot.settings.signs[surrogate.objective] * surrogate.outputs.invert(surrogate.gp.y)
    drawn = [predict_along(snapshot, surrogate, center, column) for column in columns]
    near = [_near(surrogate, center, column) for column in columns]
    span = _span([curve for _, curve in drawn], np.concatenate([values[each] for each in near]))
    far = 10.0 * (span[1] - span[0])
    panels = []
    for column, (line, curves), close in zip(columns, drawn, near, strict=True):
        variable = snapshot.space.variables[column]
        X = snapshot.space.from_unit(line)[:, column]
        lower, median, upper = np.clip(curves, span[0] - far, span[1] + far)
        band = {"type": "scatter", "mode": "lines", "line": {"width": 0}, "x": X, "hoverinfo": "skip"}
        hover = f"{name_of(variable.name)} %{{x:.5g}}<br>{name_of(objective)} %{{y:.5g}}<extra></extra>"
        best = snapshot.space.from_unit(center[None])[:, column]
        told = snapshot.best_by(objective)
        star = median[np.argmin(np.abs(X - best[0]))] if told is None else told.values[objective]
        traces = [
            {**band, "y": lower},
            {**band, "y": upper, "name": "95 % band", "fill": "tonexty", "fillcolor": f"{ACCENT}2e"},
            {
                "type": "scatter", "mode": "lines", "name": "expected (median)", "x": X, "y": median,
                "line": {"color": ACCENT, "width": 2}, "hovertemplate": hover,
            },
            {
                "type": "scatter", "mode": "markers", "name": "result close by", "y": values[close],
                "x": snapshot.space.from_unit(known[close])[:, column], "hovertemplate": hover,
                "marker": {"color": QUIET, "size": 6},
            },
            {
                "type": "scatter", "mode": "markers", "name": "best", "x": best, "y": [star],
                "hovertemplate": f"best<br>{hover}", "marker": _STAR,
            },
        ]  # fmt: skip
        room_x = 0.03 * (variable.high - variable.low)
        x = {**titled(label(variable)), "range": [variable.low - room_x, variable.high + room_x]}
        panels.append(Panel(traces, x, {**titled(name_of(objective)), "range": span}))
    return panels


def _span(curves: list[NDArray[np.float64]], values: NDArray[np.float64]) -> list[float]:
    """One range for all variables of an objective, so that one sees which matter; a wide band may run off."""
    core = np.concatenate([*(curve[1] for curve in curves), values])
    core = core[np.isfinite(core)]
    low, high = float(core.min()), float(core.max())
    room = (high - low) or abs(high) or 1.0
    band = np.concatenate([curve.ravel() for curve in curves])
    low, high = max(float(band.min()), low - room), min(float(band.max()), high + room)
    margin = 0.06 * ((high - low) or 1.0)
    return [low - margin, high + margin]


def _near(surrogate: Surrogate, center: Points, column: int) -> NDArray[np.bool_]:
    """Which of the data lie close to the line in all variables but its own."""
    scale = np.fmin(surrogate.gp.scale, 1.0)
    away = (surrogate.gp.X - center) / scale
    away[:, column] = 0.0
    return np.asarray((away**2).sum(axis=1) <= _NEAR**2)
