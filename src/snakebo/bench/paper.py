"""The numbers of the paper's tables (Folch et al. 2022, appendix), to stand beside ours.

A problem has numbers there only if it is what the paper measured: `michalewicz2d-paper` and `snar4d-paper`
rather than their corrected namesakes, and none with settings of its own.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import resources
from typing import Literal, cast

from snakebo.bench.estimate import Estimate
from snakebo.checks import suggest
from snakebo.errors import InputError

Metric = Literal["log_regret", "regret_x1000", "cost"]
Numbers = Mapping[Metric, Mapping[str, Estimate]]  # of one cell: metric → column → number
_Key = tuple[str, int | None, int | None]  # problem, budget, delay; the lake has neither of the latter

LENGTHSCALE = "l-SnAKe"  # the parameter-free version: ε is the smallest length scale
LAKE_COST = 10.0  # every run on the lake ends there

_TITLES = {
    "branin2d": "Branin2D",
    "ackley4d": "Ackley4D",
    "michalewicz2d-paper": "Michalewicz2D",
    "hartmann3d": "Hartmann3D",
    "hartmann4d": "Hartmann4D",
    "hartmann6d": "Hartmann6D",
    "perm10d": "Perm10D",
    "snar4d-paper": "SnAr4D",
    "ypacarai-o1": "Ypacarai-O1",
    "ypacarai-o2": "Ypacarai-O2",
    "ypacarai-o3": "Ypacarai-O3",
}
_TOGETHER = "ypacarai"  # all three objectives in one run
_FEWER = ("SnAr", "Ypacarai")
_RUNS, _FEWER_RUNS = 25, 10


def find_numbers(
    problem: str, objective: str, budget: int, delay: int, cost_budget: float | None = None
) -> Numbers:
    """Return what the paper reports for a cell; empty where it has nothing.

    problem: as a run has it; one with settings, such as "branin2d:noise=0.1", is not the paper's.
    """
    title = f"Ypacarai-M{objective.upper()}" if problem == _TOGETHER else _TITLES.get(problem, "")
    if title.startswith("Ypacarai"):
        return _tables().get((title, None, None), {}) if cost_budget == LAKE_COST else {}
    return _tables().get((title, budget, delay), {}) if cost_budget is None else {}


def is_snake(column: str) -> bool:
    """Tell whether a column is one of the SnAKe variants."""
    return column.endswith("SnAKe")


def show_column(column: str) -> str:
    """Return the name of a column as the paper typesets it."""
    return column.replace(LENGTHSCALE, "ℓ-SnAKe")


def check_columns(columns: Iterable[str]) -> None:
    """Raise InputError for a column that none of the tables has."""
    known = list(
        dict.fromkeys(name for cell in _tables().values() for numbers in cell.values() for name in numbers)
    )
    for column in columns:
        if column not in known:
            raise InputError(
                f"The paper's tables have no column {column!r}.{suggest(column, known)} "
                f"Known: {', '.join(known)}."
            )


@cache
def _tables() -> Mapping[_Key, Numbers]:
    text = (resources.files("snakebo.bench") / "paper_tables.csv").read_text(encoding="utf-8")
    tables: dict[_Key, dict[Metric, dict[str, Estimate]]] = {}
    for row in csv.DictReader(text.splitlines()):
        title = row["problem"]
        budget, delay = (int(row[key]) if row[key] else None for key in ("budget", "delay"))
        runs = _FEWER_RUNS if title.startswith(_FEWER) else _RUNS
        numbers = tables.setdefault((title, budget, delay), {}).setdefault(cast(Metric, row["metric"]), {})
        numbers[row["method"]] = Estimate(float(row["mean"]), float(row["std"]), runs)
    return tables
