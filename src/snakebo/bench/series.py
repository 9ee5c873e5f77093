"""Series: the runs of one method in one cell, step by step; what tables and curves are made of."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from snakebo.bench.experiment import Experiment
from snakebo.bench.exported import read_results
from snakebo.bench.paper import Metric, Numbers, find_numbers
from snakebo.bench.record import Array
from snakebo.bench.run import KEY, Run, find_problem
from snakebo.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

_SMALLEST = 1e-16  # a regret below it counts as this much: the logarithm of a rounding error says nothing

_Track = tuple[Array, Array]  # best regret so far and cost spent so far, of one run in one objective


@dataclass(frozen=True)
class Cell:
    """A problem under one set of limits: a row of the paper's tables."""

    problem: str
    objective: str
    budget: int
    delay: int
    cost_budget: float | None
    start: str

    @property
    def numbers(self) -> Numbers:
        """What the paper reports for it."""
        return find_numbers(self.problem, self.objective, self.budget, self.delay, self.cost_budget)

    @property
    def metric(self) -> Metric:
        """How regret is reported: by its logarithm; on the lake, a thousand times itself."""
        return "regret_x1000" if "regret_x1000" in self.numbers else "log_regret"


@dataclass(frozen=True, eq=False)
class Series:
    """One method under one protocol in one cell: a row for each seed that is done, a column for each step.

    A run that ended before the others, on a cost budget, keeps the values with which it ended.
    """

    cell: Cell
    method: str
    protocol: str
    planned: int  # seeds
    regret: Array  # (done, steps), the best so far
    spent: Array  # (done, steps)

    @property
    def done(self) -> int:
        """How many seeds there are."""
        return len(self.regret)

    @property
    def log_regret(self) -> Array:
        """The natural logarithm of the best regret so far."""
        return np.log(np.maximum(self.regret, _SMALLEST))


def read_series(experiment: Experiment, results: str | Path) -> tuple[Series, ...]:
    """Return the series of an experiment; InputError if not one of its runs is among the results."""
    series = collect_series(experiment.runs(), read_results(results).steps())
    if not any(each.done for each in series):
        raise InputError(f"{results} holds no run of {experiment.name}. Make some: snakebo bench run")
    return series


def collect_series(planned: Iterable[Run], steps: pd.DataFrame) -> tuple[Series, ...]:
    """Return a series for each cell, method and protocol that is planned, also where no run is done yet.

    steps: as `read_results` gives them; runs that are not planned are left out. Problems and methods come in
    the order of the plan, limits from small to large.
    """
    tracks = _read_tracks(steps)
    seeds: dict[tuple[Cell, str, str], list[Run]] = {}
    for run in planned:
        for objective in find_problem(run.problem).objectives:
            cell = Cell(run.problem, objective, run.budget, run.delay, run.cost_budget, run.start)
            seeds.setdefault((cell, run.method, run.protocol), []).append(run)
    series = []
    for (cell, method, protocol), runs in seeds.items():
        found = [tracks[run, cell.objective] for run in runs if (run, cell.objective) in tracks]
        regret, spent = (_stack([track[part] for track in found]) for part in (0, 1))
        series.append(Series(cell, method, protocol, len(runs), regret, spent))
    return _in_order(series)


def _read_tracks(steps: pd.DataFrame) -> Mapping[tuple[Run, str], _Track]:
    ordered = steps.sort_values(["run", "objective", "step"], kind="stable")
    is_first = ~ordered.duplicated(["run", "objective"]).to_numpy()
    ends = np.flatnonzero(is_first)[1:]
    best, spent = (np.split(ordered[name].to_numpy(dtype=np.float64), ends) for name in ("best", "spent"))
    firsts = ordered.loc[is_first, [*KEY, "objective"]].to_dict("records")
    return {
        (_read_run(row), str(row["objective"])): (regrets, costs)
        for row, regrets, costs in zip(firsts, best, spent, strict=bool(firsts))
    }


def _read_run(row: Mapping[Any, Any]) -> Run:
    limit = row["cost_budget"]
    key = {name: row[name] for name in KEY}
    return Run(**{**key, "cost_budget": None if limit is None or math.isnan(limit) else float(limit)})


def _stack(rows: Sequence[Array]) -> Array:
    """Rows of one length: a shorter one goes on with its last value."""
    longest = max(map(len, rows), default=0)
    padded = [np.pad(row, (0, longest - len(row)), mode="edge") for row in rows]
    return np.array(padded).reshape(len(rows), longest)


def _in_order(series: Sequence[Series]) -> tuple[Series, ...]:
    problems = list(dict.fromkeys((each.cell.problem, each.cell.objective) for each in series))
    methods = list(dict.fromkeys(each.method for each in series))

    def rank(each: Series) -> tuple[float | str, ...]:
        cell = each.cell
        limit = math.inf if cell.cost_budget is None else cell.cost_budget
        problem = problems.index((cell.problem, cell.objective))
        return problem, cell.budget, cell.delay, limit, cell.start, methods.index(each.method)

    return tuple(sorted(series, key=rank))
