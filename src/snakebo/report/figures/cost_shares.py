"""What the changes of each variable cost, each priced alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from snakebo.cost import Geodesic, MovementCost
from snakebo.errors import CostError
from snakebo.report.panels import Axis, Panel, compose, titled
from snakebo.report.snapshot import Snapshot, Source, take
from snakebo.report.theme import ACCENT, PAPER, name_of, number

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

Group = tuple[int, ...]  # columns that only make sense together


def cost_shares(campaign: Source) -> Figure:
    """Draw what all moves so far would have cost with one variable moving at a time."""
    snapshot = take(campaign)
    groups = group_columns(snapshot)
    names = [" + ".join(name_of(snapshot.space.names[column]) for column in group) for group in groups]
    ticks = {"tickvals": list(range(len(groups))), "ticktext": names, "ticklabelstandoff": 6, "ticks": ""}
    y = {
        **ticks,
        "range": [len(groups) - 0.4, -0.6],
        "showline": False,
        "showgrid": False,
        "automargin": True,
    }
    x = titled("cost, if only this variable had moved", rangemode="tozero")
    panel = Panel([], x, y, note="No move yet")
    if len(snapshot.X) + len(snapshot.start) > 1:
        panel = _bars(snapshot, groups, names, x, y)
    return compose(
        "What each variable’s changes cost",
        "Every move so far priced again with one variable changing and the others left where they were; "
        "where variables move at the same time these costs need not add up to the true total of "
        f"{number(snapshot.total)}.",
        [panel],
        columns=1,
        height=38 * len(groups) + 90,
    )


def group_columns(snapshot: Snapshot) -> list[Group]:
    """Return the columns one by one, except that those of a way through water stay together."""
    together = {
        tuple(geodesic.polygon.columns(snapshot.space.names))
        for geodesic in _geodesics(snapshot.settings.cost)
    }
    taken = {column for group in together for column in group}
    return sorted([*together, *((column,) for column in range(snapshot.space.dim) if column not in taken)])


def price_alone(snapshot: Snapshot, groups: list[Group]) -> NDArray[np.float64]:
    """Return the costs (groups,) of all legs with the columns of one group moving at a time."""
    way = np.vstack([snapshot.start, snapshot.X])
    here, there = way[:-1], way[1:]
    costs = np.zeros(len(groups))
    for position, group in enumerate(groups):
        moved = here.copy()
        moved[:, list(group)] = there[:, list(group)]
        changed = (moved != here).any(axis=1)
        costs[position] = snapshot.settings.cost.pairs(here[changed], moved[changed]).sum()
    return costs


def _bars(snapshot: Snapshot, groups: list[Group], names: list[str], x: Axis, y: Axis) -> Panel:
    try:
        costs = price_alone(snapshot, groups)
    except CostError:
        return Panel([], x, y, note="This cost cannot be told apart by variable")
    total = float(costs.sum())
    if total <= 0.0:
        return Panel([], x, y, note="No move has cost anything")
    texts = [
        "free" if not cost and not snapshot.space.costly[list(group)].any() else _share(cost, total)
        for group, cost in zip(groups, costs.tolist(), strict=True)
    ]
    bars = {
        "type": "bar", "orientation": "h", "x": costs, "y": list(range(len(groups))), "text": texts,
        "textposition": np.where(costs > 0.5 * costs.max(), "inside", "outside").tolist(),
        "insidetextanchor": "end", "insidetextfont": {"color": PAPER}, "cliponaxis": False, "width": 0.55,
        "marker": {"color": ACCENT}, "customdata": names,
        "hovertemplate": "%{customdata}: %{x:.5g}<extra></extra>",
    }  # fmt: skip
    return Panel([bars], {**x, "range": [0.0, 1.05 * float(costs.max())]}, y)


def _share(cost: float, total: float) -> str:
    return f"{number(cost, 3)} ({100 * cost / total:.0f} %)"


def _geodesics(cost: MovementCost) -> list[Geodesic]:
    """The ways through water in a cost, however it is put together."""
    if isinstance(cost, Geodesic):
        return [cost]
    parts = getattr(cost, "costs", None) or [getattr(cost, "cost", None)]
    return [found for part in parts if isinstance(part, MovementCost) for found in _geodesics(part)]
