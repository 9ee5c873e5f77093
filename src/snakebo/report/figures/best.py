"""The best value so far, against what it cost and against the number of trials."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from snakebo.report.panels import Panel, compose, titled
from snakebo.report.snapshot import Snapshot, Source, take
from snakebo.report.theme import ACCENT, LINE, name_of

if TYPE_CHECKING:
    from plotly.graph_objects import Figure


def best_against_cost(campaign: Source) -> Figure:
    """Draw the best value so far over the cost spent, a panel for each objective."""
    snapshot = take(campaign)
    return compose(
        "Best value against cost",
        "The line is the best result among all trials up to that cost of moving; each dot is one result.",
        [_panel(snapshot, name, snapshot.spent, "cost spent") for name in snapshot.objectives],
        columns=1,
    )


def best_against_steps(campaign: Source) -> Figure:
    """Draw the best value so far over the trials in the order of asking, a panel for each objective."""
    snapshot = take(campaign)
    return compose(
        "Best value against steps",
        "The same over the trials in the order in which they were asked, however late their results came.",
        [_panel(snapshot, name, snapshot.ids.astype(float), "trial") for name in snapshot.objectives],
        columns=1,
    )


def running_best(values: NDArray[np.float64], sign: float) -> NDArray[np.float64]:
    """Return the best (n,) of the values (n,) so far; NaN until the first that is none."""
    return sign * np.fmax.accumulate(sign * values) if len(values) else values


def _panel(snapshot: Snapshot, objective: str, x: NDArray[np.float64], along: str) -> Panel:
    values, shown = snapshot.values(objective), name_of(objective)
    better = "" if snapshot.sign(objective) > 0 else " (less is better)"
    axes = (titled(along, rangemode="tozero"), titled(shown + better))
    told = np.isfinite(values)
    if not told.any():
        return Panel([], *axes, note="No result yet")
    best = running_best(values, snapshot.sign(objective))
    first = int(np.argmax(told))
    known = np.isfinite(best)
    about = f"%{{y:.5g}}<br>{along} %{{x:.5g}}<extra></extra>"
    dots = {
        "type": "scatter", "mode": "markers", "name": "each result", "x": x[told], "y": values[told],
        "customdata": snapshot.ids[told], "marker": {"color": LINE, "size": 5}, "cliponaxis": False,
        "hovertemplate": f"trial %{{customdata}}: {shown} {about}",
    }  # fmt: skip
    line = {
        "type": "scatter", "mode": "lines", "name": "best so far", "x": x[known], "y": best[known],
        "line": {"color": ACCENT, "width": 2.5, "shape": "hv"}, "hovertemplate": f"best so far {about}",
    }  # fmt: skip
    if first == len(values) - 1:
        line["mode"] = "lines+markers"
        line["marker"] = {"color": ACCENT, "size": 8}
    return Panel([dots, line], *axes)
