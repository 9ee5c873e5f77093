"""Figures of a campaign by name: functions of a campaign. A new one is a file, and a line here."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from snakebo.report.figures.best import best_against_cost, best_against_steps
from snakebo.report.figures.cost_shares import cost_shares
from snakebo.report.figures.delays import delays
from snakebo.report.figures.path import path
from snakebo.report.figures.settings_over_time import settings_over_time
from snakebo.report.figures.slices import slices
from snakebo.report.snapshot import Source

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

FIGURES: dict[str, Callable[[Source], Figure]] = {
    "best_against_cost": best_against_cost,
    "best_against_steps": best_against_steps,
    "path": path,
    "settings_over_time": settings_over_time,
    "cost_shares": cost_shares,
    "slices": slices,
    "delays": delays,
}
