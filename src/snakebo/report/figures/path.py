"""The path through pairs of variables: where the apparatus was, what it found there, and where it will go."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from snakebo.region import Polygon
from snakebo.report.panels import Panel, Trace, color_scale, compose, titled
from snakebo.report.snapshot import Snapshot, Source, take
from snakebo.report.theme import ACCENT, FAULT, INK, LINE, PAPER, QUIET, label, name_of, number
from snakebo.space import Points
from snakebo.trial import State

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

PAIRS = 6  # at most; more are too small to read
AHEAD = 40  # points of the plan; more hide the past
_NARROW = 360  # px, about as wide as a phone
_TAIL = 0.5  # times the range of the upper 90 % of values: how far below them the rest may lie
_STRETCH = 4.0  # a map keeps its proportions unless one side is so many times longer


def path(campaign: Source) -> Figure:
    """Draw the path, the results and the plan over the pairs of variables that matter most."""
    snapshot = take(campaign)
    objective = snapshot.objectives[0]
    pairs = choose_pairs(snapshot)
    panels = [_pair(snapshot, *pair) for pair in pairs] if pairs else [_single(snapshot)]
    every = snapshot.space.dim * (snapshot.space.dim - 1) // 2
    chosen = (
        f" Of {every} pairs of variables, the {PAIRS} that matter most are shown." if every > PAIRS else ""
    )
    ahead = f"the next {AHEAD} planned points" if len(snapshot.planned) > AHEAD else "the plan ahead"
    own = " (points of your own are squares)" if any(each.attached for each in snapshot.trials) else ""
    return compose(
        "The path and the plan",
        f"Every trial where it was done, coloured by its {name_of(objective)}{own}, in the order of the thin "
        f"line; the dashed line is {ahead}.{chosen}",
        panels,
        height=_height(snapshot, len(panels)),
        narrow_height=_NARROW,
        colors=_colors(snapshot, objective),
    )


def choose_pairs(snapshot: Snapshot) -> list[tuple[int, int]]:
    """Return the pairs of columns to show: those of polygons first, then by how much both matter."""
    mapped = [tuple(polygon.columns(snapshot.space.names)) for polygon in polygons(snapshot)]
    weights = snapshot.relevance

    def rank(pair: tuple[int, int]) -> tuple[bool, float]:
        return pair not in mapped and pair[::-1] not in mapped, -float(weights[pair[0]] + weights[pair[1]])

    pairs = sorted(combinations(range(snapshot.space.dim), 2), key=rank)[:PAIRS]
    return [pair if pair[::-1] not in mapped else pair[::-1] for pair in pairs]


def polygons(snapshot: Snapshot) -> list[Polygon]:
    """Return the polygons among the regions of the space."""
    region = snapshot.space.region
    regions = region if isinstance(region, Sequence) else (region,)
    return [each for each in regions if isinstance(each, Polygon)]


def _colors(snapshot: Snapshot, objective: str) -> dict[str, Any] | None:
    """The scale for values: bright is good, and a few very poor results do not use up all colours."""
    values, sign = snapshot.values(objective), snapshot.sign(objective)
    gains = sign * values[np.isfinite(values)]
    if not len(gains):
        return None
    best, worst, low_tenth = float(gains.max()), float(gains.min()), float(np.quantile(gains, 0.1))
    outlying = low_tenth - worst > _TAIL * (best - low_tenth)
    floor = low_tenth if outlying and best > low_tenth else worst
    title = name_of(objective)
    if floor > worst:
        title += f" (darkest: {number(sign * floor, 3)} and {'below' if sign > 0 else 'above'})"
    low, high = sorted([sign * floor, sign * best])
    return color_scale(title, low, high, reverse=sign < 0)


def _height(snapshot: Snapshot, panels: int) -> int:
    if panels > 1:
        return 320
    return 560 if polygons(snapshot) else 440


def _pair(snapshot: Snapshot, first: int, second: int) -> Panel:
    variables = (snapshot.space.variables[first], snapshot.space.variables[second])
    x, y = ({**titled(label(each)), "range": _room(each.low, each.high)} for each in variables)
    traces = []
    for polygon in polygons(snapshot):
        if polygon.columns(snapshot.space.names) == [first, second]:
            traces.append(_outline(polygon))
            if variables[0].unit == variables[1].unit and _alike(variables):
                x |= {"constrain": "domain"}
                y |= {"constrain": "domain", "scaleanchor": "x"}
    names = [name_of(each.name) for each in variables]
    columns = [first, second]
    traces += _story(
        snapshot,
        snapshot.X[:, columns],
        np.vstack([snapshot.start, snapshot.X])[:, columns],
        snapshot.planned[:AHEAD, columns],
        f"{names[0]} %{{x:.5g}}<br>{names[1]} %{{y:.5g}}",
    )
    return Panel(traces, x, y)


def _single(snapshot: Snapshot) -> Panel:
    """One variable alone: trials from bottom to top."""
    (variable,) = snapshot.space.variables
    visited = np.column_stack([snapshot.X[:, 0], snapshot.ids])
    start = np.column_stack([snapshot.start[:, 0], np.full(len(snapshot.start), -1)])
    planned = snapshot.planned[:AHEAD, 0]
    ahead = np.column_stack([planned, len(visited) + np.arange(len(planned))])
    traces = _story(
        snapshot, visited, np.vstack([start, visited]), ahead, f"{name_of(variable.name)} %{{x:.5g}}"
    )
    return Panel(
        traces, {**titled(label(variable)), "range": _room(variable.low, variable.high)}, titled("trial")
    )


def _story(snapshot: Snapshot, visited: Points, way: Points, ahead: Points, about: str) -> list[Trace]:
    """The traces of one plot: visited (n, 2), the way (n or n + 1, 2) with its start, the plan (p, 2)."""
    hover = f"trial %{{customdata}}<br>{about}"

    def marks(name: str, ids: NDArray[np.int64], marker: dict[str, Any], extra: str = "") -> Trace:
        return {
            "type": "scatter", "mode": "markers", "name": name, "x": visited[ids, 0], "y": visited[ids, 1],
            "customdata": ids, "marker": marker, "hovertemplate": f"{hover}{extra}<extra></extra>",
        }  # fmt: skip

    traces: list[Trace] = []
    if len(way) > 1:
        traces.append(_line("way so far", way, {"color": LINE, "width": 1}, opacity=0.7))
    if len(ahead):
        led = np.vstack([way[-1:], ahead])
        plan = _line("plan", led, {"color": ACCENT, "width": 1.3, "dash": "dash"}, opacity=0.8)
        plan |= {"mode": "lines+markers", "marker": {"color": ACCENT, "size": 4}}
        traces.append(plan)
    objective = snapshot.objectives[0]
    told = snapshot.within(State.TOLD)
    if len(told):
        values = snapshot.values(objective)[told]
        own = np.array([snapshot.trials[i].attached for i in told])
        marker = {
            "color": values, "coloraxis": "coloraxis", "size": 8, "line": {"color": QUIET, "width": 0.7},
            "symbol": np.where(own, "square", "circle").tolist() if own.any() else "circle",
        }  # fmt: skip
        traces.append(marks("result", told, marker, f"<br>{name_of(objective)} %{{marker.color:.5g}}"))
    waiting, failed = snapshot.within(State.OUTSTANDING), snapshot.within(State.FAILED)
    if len(waiting):
        hollow = {"symbol": "circle-open", "color": QUIET, "size": 9, "line": {"width": 1.6}}
        traces.append(marks("outstanding", waiting, hollow, "<br>outstanding"))
    if len(failed):
        cross = {"symbol": "x-thin", "color": FAULT, "size": 8, "line": {"color": FAULT, "width": 2.2}}
        traces.append(marks("failed", failed, cross, "<br>failed"))
    best = snapshot.best_by(objective)
    if best is not None:
        ring = {"symbol": "star", "color": PAPER, "size": 14, "line": {"color": INK, "width": 1.6}}
        traces.append(marks("best", np.array([best.id]), ring, "<br>the best so far"))
    if len(way):
        here = {"symbol": "diamond", "color": ACCENT, "size": 11, "line": {"color": PAPER, "width": 1.5}}
        traces.append(
            {
                "type": "scatter", "mode": "markers", "name": "here now", "x": way[-1:, 0], "y": way[-1:, 1],
                "marker": here, "hovertemplate": f"here now<br>{about}<extra></extra>",
            }
        )  # fmt: skip
    return traces


def _line(name: str, points: Points, line: dict[str, Any], opacity: float) -> Trace:
    return {
        "type": "scatter", "mode": "lines", "name": name, "x": points[:, 0], "y": points[:, 1],
        "line": line, "opacity": opacity, "hoverinfo": "skip",
    }  # fmt: skip


def _outline(polygon: Polygon) -> Trace:
    """The rings one after the other, holes turning the other way, so that they stay empty when filled."""
    shape = polygon.shape
    rings = [np.array(ring.coords)[:, :2] for ring in (shape.exterior, *shape.interiors)]
    gap = np.full((1, 2), np.nan)
    points = np.vstack([part for ring in rings for part in (ring, gap)][:-1])
    outline = _line("region", points, {"color": LINE, "width": 1.5}, opacity=1.0)
    return outline | {"fill": "toself", "fillcolor": f"{ACCENT}14"}


def _room(low: float, high: float) -> list[float]:
    margin = 0.04 * (high - low)
    return [low - margin, high + margin]


def _alike(variables: Sequence[Any]) -> bool:
    spans = [each.high - each.low for each in variables]
    return bool(max(spans) <= _STRETCH * min(spans))
