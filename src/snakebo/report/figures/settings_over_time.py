"""Each setting over the trials, as the apparatus sees it, and what is planned."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from snakebo.report.panels import Panel, Trace, compose, titled
from snakebo.report.snapshot import Snapshot, Source, take
from snakebo.report.theme import ACCENT, FAULT, INK, QUIET, name_of, plain, shorten
from snakebo.space import Variable
from snakebo.trial import State

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

_LONGEST = 18  # letters of a name that fit beside a row


def settings_over_time(campaign: Source) -> Figure:
    """Draw every setting as a staircase over the trials, a row for each variable."""
    snapshot = take(campaign)
    panels = [_panel(snapshot, column, each) for column, each in enumerate(snapshot.space.variables)]
    return compose(
        "Each setting over time",
        "What the apparatus was set to at each trial, a row for each variable; dotted, what is planned.",
        panels,
        columns=1,
        height=150 if len(panels) > 1 else 260,
        gap=26,
        left=76,
    )


def _panel(snapshot: Snapshot, column: int, variable: Variable) -> Panel:
    room = 0.06 * (variable.high - variable.low)
    lowest = column == snapshot.space.dim - 1
    x: dict[str, Any] = {**titled("trial" if lowest else ""), "showticklabels": lowest}
    if column:
        x["matches"] = "x"
    y = titled(_stacked(variable), range=[variable.low - room, variable.high + room], nticks=4)
    traces = _traces(snapshot, column, name_of(variable.name))
    return Panel(traces, x, y, note="" if traces else "Nothing asked yet")


def _stacked(variable: Variable) -> str:
    """The name above its unit: a row is not high enough for both in one line."""
    name, unit = (plain(shorten(text, _LONGEST)) for text in (variable.name, variable.unit))
    return f"{name}<br>({unit})" if unit else name


def _traces(snapshot: Snapshot, column: int, name: str) -> list[Trace]:
    been = np.concatenate([snapshot.start, snapshot.X])[:, column]
    when = np.concatenate([np.full(len(snapshot.start), -1), snapshot.ids])
    hover = f"trial %{{x}}: {name} %{{y:.5g}}"
    traces: list[Trace] = []
    if len(been):
        traces.append(
            {
                "type": "scatter", "mode": "lines" if len(been) > 1 else "markers", "name": "set to",
                "x": when, "y": been, "line": {"color": INK, "width": 1.4, "shape": "hv"},
                "marker": {"color": INK}, "hovertemplate": f"{hover}<extra></extra>",
            }
        )  # fmt: skip
    if len(snapshot.planned):
        ahead = np.concatenate([been[-1:], snapshot.planned[:, column]])
        steps = len(snapshot.trials) + np.arange(len(ahead)) - (1 if len(been) else 0)
        traces.append(
            {
                "type": "scatter", "mode": "lines", "name": "plan", "x": steps, "y": ahead,
                "line": {"color": ACCENT, "width": 1.4, "shape": "hv", "dash": "dot"},
                "hovertemplate": f"planned, {hover}<extra></extra>",
            }
        )  # fmt: skip
    marks = {
        State.OUTSTANDING: ("outstanding", {"symbol": "circle-open", "color": QUIET, "size": 7}),
        State.FAILED: ("failed", {"symbol": "x-thin", "size": 7, "line": {"color": FAULT, "width": 2}}),
    }
    for state, (called, marker) in marks.items():
        ids = snapshot.within(state)
        if len(ids):
            traces.append(
                {
                    "type": "scatter", "mode": "markers", "name": called, "x": ids,
                    "y": snapshot.X[ids, column], "marker": marker,
                    "hovertemplate": f"{hover} ({called})<extra></extra>",
                }
            )  # fmt: skip
    return traces
