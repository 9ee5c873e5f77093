"""Series: complete, in order, and true to the runs they are made of."""

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from snakebo.bench.results import Results
from snakebo.bench.series import collect_series


def test_every_planned_cell_has_a_series(small: Any) -> None:
    series = small.collect()
    on_branin = [
        (each.cell.budget, each.method, each.done) for each in series if each.cell.problem == "branin2d"
    ]
    done = [("snake", 3), ("ei", 2), ("random-tour", 3), ("ucb", 0)]
    assert on_branin == [(budget, *each) for budget in (8, 15) for each in done]
    assert [each.cell.objective for each in series[8:]] == ["o1", "o2", "o3"]


def test_rows_are_the_runs(small: Any) -> None:
    series = next(each for each in small.collect() if (each.method, each.cell.budget) == ("snake", 15))
    with Results.read(small.results) as results:
        steps = results.steps()
    for row, seed in enumerate(range(3)):
        run = steps[(steps.method == "snake") & (steps.budget == 15) & (steps.seed == seed)]
        np.testing.assert_allclose(series.regret[row], np.minimum.accumulate(run.regret))
        np.testing.assert_allclose(series.spent[row], np.cumsum(run.cost))


def test_a_run_that_ended_early_keeps_its_last_values(small: Any) -> None:
    series = next(each for each in small.collect() if each.cell.problem == "ypacarai")
    with Results.read(small.results) as results:
        steps = results.steps()
    runs = [
        run for _, run in steps[(steps.problem == "ypacarai") & (steps.objective == "o1")].groupby("seed")
    ]
    longest = max(map(len, runs))
    assert min(map(len, runs)) < longest, "the cost budget should end some run before another"
    for row, run in enumerate(runs):
        held = longest - len(run)
        np.testing.assert_array_equal(series.spent[row], [*run.spent, *[run.spent.iloc[-1]] * held])
        np.testing.assert_array_equal(series.regret[row], [*run.best, *[run.best.iloc[-1]] * held])


def test_logarithm_of_almost_nothing_is_cut(small: Any) -> None:
    series = replace(small.collect()[0], regret=np.array([[0.5, -1e-17, 1e-300]]))
    np.testing.assert_allclose(series.log_regret, [[math.log(0.5), math.log(1e-16), math.log(1e-16)]])


def test_results_without_runs(small: Any, tmp_path: Path) -> None:
    with Results.open(tmp_path / "empty.db") as results:
        series = collect_series(small.experiment.runs(), results.steps())
    assert len(series) == len(small.collect())
    assert {each.done for each in series} == {0}


def test_runs_that_are_not_planned_are_left_out(small: Any) -> None:
    with Results.read(small.results) as results:
        series = collect_series(small.experiment.narrow(seeds=1).runs(), results.steps())
    assert {(each.planned, each.done) for each in series if each.method != "ucb"} == {(1, 1)}
