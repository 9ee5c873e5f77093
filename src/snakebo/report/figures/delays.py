"""How late results came, and which are outstanding."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from snakebo.report.panels import Panel, compose, titled
from snakebo.report.snapshot import Snapshot, Source, take
from snakebo.report.theme import ACCENT, QUIET
from snakebo.trial import State

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

_UNITS = (("s", 1.0), ("min", 60.0), ("h", 3600.0), ("days", 86400.0))


def delays(campaign: Source) -> Figure:
    """Draw how late every result came, in steps and, where times were noted, in time."""
    snapshot = take(campaign)
    told, waiting = snapshot.within(State.TOLD), snapshot.within(State.OUTSTANDING)
    ages = (len(snapshot.trials) - 1 - waiting).astype(float)
    asked = _seconds(trial.asked_at for trial in snapshot.trials)
    known = _seconds(trial.told_at for trial in snapshot.trials)
    timed = told[np.isfinite(known[told])] if np.isfinite(asked).all() else told[:0]
    if len(timed) or not len(told):
        steps = count_steps(asked, known, timed)
        what = f"Steps between asking for a trial and its result.{_summary(steps)}"
        panels = [_panel(timed, steps, waiting, ages, "delay in steps")]
        if len(timed):
            unit, seconds = choose_unit(known[timed] - asked[timed])
            panels.append(_panel(timed, (known[timed] - asked[timed]) / seconds, [], [], f"delay in {unit}"))
    else:
        what = (
            "How many places later than in the order of asking each result came (below 0: earlier); "
            "times of asking were not noted, so the steps in between are not known."
        )
        panels = [_panel(told, places_late(snapshot), waiting, ages, "places late")]
    return compose("Delays", f"{what} {_outstanding(ages)}", panels, columns=2, height=280)


def count_steps(
    asked: NDArray[np.float64], known: NDArray[np.float64], ids: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return how many other trials were asked between a trial and its result; times (n,) in seconds."""
    # Clocks of several hosts may differ a little: no order is relied on, and no delay is below zero.
    before = np.searchsorted(np.sort(asked), known[ids], side="right")
    steps: NDArray[np.float64] = np.maximum(before - 1.0 - ids, 0.0)
    return steps


def places_late(snapshot: Snapshot) -> NDArray[np.float64]:
    """Return for each told trial, by number, its place in the order of telling minus that in asking."""
    told = snapshot.within(State.TOLD)
    data = snapshot.seen.told
    X = snapshot.space.to_unit(snapshot.X[told])
    Y = np.array([snapshot.settings.maximized(snapshot.trials[i].values) for i in told])
    places: dict[bytes, list[int]] = defaultdict(list)
    for place, (x, y) in enumerate(zip(data.X[-len(told) :], data.Y[-len(told) :], strict=True)):
        places[x.tobytes() + y.tobytes()].append(place)
    # Equal trials cannot be told apart; they are taken to have come in order.
    found = [places[x.tobytes() + y.tobytes()].pop(0) for x, y in zip(X, Y, strict=True)]
    return np.array(found, dtype=float) - np.arange(len(told))


def choose_unit(durations: NDArray[np.float64]) -> tuple[str, float]:
    """Return the name and the seconds of the unit of time in which durations (n,), in seconds, read well."""
    typical = float(np.median(durations)) if len(durations) else 0.0
    return [each for each in _UNITS if each[1] <= max(typical / 2, 1.0)][-1]


def _seconds(moments: Iterable[datetime | None]) -> NDArray[np.float64]:
    return np.array([np.nan if each is None else each.timestamp() for each in moments], dtype=float)


def _panel(told: Any, late: Any, waiting: Any, ages: Any, what: str) -> Panel:
    x, y = titled("trial"), titled(what, rangemode="tozero")
    traces: list[dict[str, Any]] = []
    if len(told):
        traces.append(_marks("result came", told, late, {"color": ACCENT, "size": 6}))
    if len(waiting):
        hollow = {"symbol": "circle-open", "color": QUIET, "size": 8, "line": {"width": 1.6}}
        traces.append(_marks("outstanding, steps so far", waiting, ages, hollow))
    return Panel(traces, x, y, note="" if traces else "No result came and none is outstanding")


def _marks(name: str, x: Any, y: Any, marker: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "scatter", "mode": "markers", "name": name, "x": x, "y": y, "marker": marker,
        "cliponaxis": False, "hovertemplate": f"trial %{{x}}: %{{y:.4g}} ({name})<extra></extra>",
    }  # fmt: skip


def _summary(steps: NDArray[np.float64]) -> str:
    if not len(steps):
        return ""
    middle, most = np.median(steps), steps.max()
    return f" Half of the results came within {middle:.0f} steps, the latest after {most:.0f}."


def _outstanding(ages: NDArray[np.float64]) -> str:
    if not len(ages):
        return "Nothing is outstanding."
    many = "1 trial is" if len(ages) == 1 else f"{len(ages)} trials are"
    return f"{many} outstanding, the oldest for {ages.max():.0f} steps."
