"""From panels to a figure: several small plots in a grid, three abreast on a desk and one on a phone.

A figure carries in `layout.meta` its title and caption, and under "wide" and "narrow" what to change in the
layout for either width, so that any page can show it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from snakebo.report.theme import QUIET, TEMPLATE, VALUES

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

Trace = dict[str, Any]
Axis = Mapping[str, Any]

_LEGEND_ROW = 24  # px
_COLORBAR = 56
_BARE = {"showticklabels": False, "showgrid": False, "ticks": ""}  # an axis of nothing has no numbers
_ABREAST = {1: 1, 2: 2, 4: 2}  # columns for so many panels; three for others


@dataclass(frozen=True)
class Panel:
    """One plot: its traces, its two axes, and a note where there is nothing to draw."""

    traces: Sequence[Trace] = ()
    x: Axis = field(default_factory=dict)
    y: Axis = field(default_factory=dict)
    note: str = ""


def titled(text: str, **settings: Any) -> dict[str, Any]:
    """Return the settings of an axis with a title."""
    return {"title": {"text": text}, **settings}


def compose(
    title: str,
    caption: str,
    panels: Sequence[Panel],
    *,
    columns: int | None = None,
    height: int = 300,
    narrow_height: int | None = None,
    gap: int = 66,
    left: int = 68,
    colors: Mapping[str, Any] | None = None,
) -> Figure:
    """Lay panels out in a grid.

    columns: on a wide page, else as many as look even. height: of a panel with its axis, in px, of which
    `gap` is below it; narrow_height: the same on a narrow page, if it differs. colors: the scale of colours
    that traces share, if they do.
    """
    import plotly.graph_objects as go

    traces: list[Trace] = []
    layout: dict[str, Any] = {"template": TEMPLATE, "annotations": []}
    named: set[str] = set()
    for position, panel in enumerate(panels):
        tail = str(position + 1) if position else ""
        for trace in panel.traces:
            name = trace.get("name", "")
            shown = bool(name) and name not in named
            named.add(name)
            traces.append(
                {**trace, "xaxis": f"x{tail}", "yaxis": f"y{tail}", "legendgroup": name, "showlegend": shown}
            )
        bare = {} if panel.traces else _BARE
        layout[f"xaxis{tail}"] = {**panel.x, **bare, "anchor": f"y{tail}"}
        layout[f"yaxis{tail}"] = {**panel.y, **bare, "anchor": f"x{tail}"}
        if panel.note:
            layout["annotations"].append(_note(panel.note, tail))
    named.discard("")
    layout["legend"] = {"yref": "container", "y": 1.0, "yanchor": "top", "xref": "paper", "x": 0.0}
    layout["showlegend"] = len(named) > 1
    if colors:
        layout["coloraxis"] = dict(colors)
    rows_of_legend = (1, math.ceil(len(named) / 3)) if len(named) > 1 else (0, 0)
    below = _COLORBAR if colors else 0
    columns = columns or _ABREAST.get(len(panels), 3)
    layout["meta"] = {
        "title": title,
        "caption": caption,
        "wide": _arrange(len(panels), columns, height, gap, left, rows_of_legend[0], below),
        "narrow": _arrange(
            len(panels), 1, narrow_height or height, gap, min(left, 60), rows_of_legend[1], below
        ),
    }
    figure = go.Figure(data=traces, layout=layout)
    figure.update_layout(layout["meta"]["wide"])
    return figure


def _note(text: str, tail: str) -> dict[str, Any]:
    return {
        "text": text, "xref": f"x{tail} domain", "yref": f"y{tail} domain", "x": 0.5, "y": 0.5,
        "showarrow": False, "font": {"color": QUIET, "size": 13},
    }  # fmt: skip


def color_scale(title: str, low: float, high: float, reverse: bool = False) -> dict[str, Any]:
    """Return a scale of colours from low to high, with its bar below the panels."""
    bar = {
        "orientation": "h", "thickness": 10, "len": 1.0, "x": 0.0, "xanchor": "left", "yanchor": "top",
        "xpad": 0, "ypad": 0, "title": {"text": title, "side": "top", "font": {"size": 12}},
        "outlinewidth": 0, "nticks": 6,
    }  # fmt: skip
    return {"colorscale": list(VALUES), "reversescale": reverse, "cmin": low, "cmax": high, "colorbar": bar}


def _arrange(
    count: int, columns: int, height: int, gap: int, left: int, legend_rows: int, below: int
) -> dict[str, Any]:
    """The height, margins and domains, as updates of a layout, for a grid of so many columns."""
    columns = min(columns, count)
    rows = math.ceil(count / columns)
    apart = 0.0 if columns == 1 else 0.085
    width = (1.0 - (columns - 1) * apart) / columns
    area = rows * height - gap
    top, bottom = 12 + _LEGEND_ROW * legend_rows, max(gap, 58) + below
    updates: dict[str, Any] = {
        "height": area + top + bottom,
        "margin": {"l": left, "r": 14, "t": top, "b": bottom},
    }
    if below:
        updates["coloraxis"] = {"colorbar": {"y": -gap / area}}
    for position in range(count):
        tail = str(position + 1) if position else ""
        row, column = divmod(position, columns)
        start, upper = column * (width + apart), 1.0 - row * height / area
        updates[f"xaxis{tail}"] = {"domain": [start, min(start + width, 1.0)]}
        updates[f"yaxis{tail}"] = {"domain": [max(upper - (height - gap) / area, 0.0), upper]}
    return updates
