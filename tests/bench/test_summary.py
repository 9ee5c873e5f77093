"""Entries: our estimates are those of the runs, and stand beside the right numbers of the paper."""

import math
from typing import Any

import numpy as np
import pytest

from snakebo.bench.paper import find_numbers
from snakebo.bench.results import Results
from snakebo.bench.series import Cell
from snakebo.bench.summary import Beside, Entry, summarise
from snakebo.errors import InputError


@pytest.fixture(scope="module")
def entries(small: Any) -> dict[tuple[str, int], Entry]:
    found = summarise(small.collect(), small.experiment.paper.columns)
    return {(entry.method, entry.cell.budget): entry for entry in found if entry.cell.objective != "o1"}


def test_estimates_are_those_of_the_last_steps(small: Any, entries: dict[tuple[str, int], Entry]) -> None:
    with Results.read(small.results) as results:
        steps = results.steps()
    runs = steps[(steps.method == "ei") & (steps.budget == 15)].groupby("seed")
    regrets, costs = np.log(runs["regret"].min()), runs["cost"].sum()
    entry = entries["ei", 15]
    assert (entry.planned, entry.done) == (3, 2)
    assert entry.regret.ours is not None
    assert entry.cost.ours is not None
    assert entry.regret.ours.mean == pytest.approx(regrets.mean())
    assert entry.regret.ours.std == pytest.approx(regrets.std(ddof=1))
    assert entry.cost.ours.mean == pytest.approx(costs.mean())
    assert entry.cost.ours.error == pytest.approx(costs.std(ddof=1) / math.sqrt(2))


def test_method_stands_beside_its_column(entries: dict[tuple[str, int], Entry]) -> None:
    numbers = find_numbers("branin2d", "value", 15, 0)
    entry = entries["ei", 15]
    assert (entry.regret.column, entry.cost.column) == ("EI", "EI")
    assert entry.regret.paper == numbers["log_regret"]["EI"]
    assert entry.cost.paper == numbers["cost"]["EI"]


def test_snake_stands_beside_the_best_snake_and_in_cost_beside_lengthscale(
    entries: dict[tuple[str, int], Entry],
) -> None:
    numbers = find_numbers("branin2d", "value", 15, 0)
    variants = {column: numbers["log_regret"][column].mean for column in entries["snake", 15].columns}
    assert len(variants) == 4
    assert entries["snake", 15].regret.column == min(variants, key=lambda column: variants[column])
    assert entries["snake", 15].cost.column == "l-SnAKe"
    assert entries["snake", 15].cost.paper == numbers["cost"]["l-SnAKe"]


def test_missing_runs_and_missing_numbers(entries: dict[tuple[str, int], Entry]) -> None:
    without_runs, without_numbers = entries["ucb", 15], entries["ei", 8]
    assert without_runs.regret.ours is None
    assert without_runs.regret.paper is not None
    assert without_numbers.regret.paper is None
    for entry in (without_runs, without_numbers):
        assert entry.regret.margin is None
        assert entry.regret.holds is None


def test_another_column_of_choice(entries: dict[tuple[str, int], Entry]) -> None:
    against = entries["snake", 15].against(["Random"])
    assert (against.regret.column, against.cost.column) == ("Random", "Random")
    assert against.regret.ours == entries["snake", 15].regret.ours


def test_lake_is_reported_in_thousandths(small: Any) -> None:
    on_lake = Cell("ypacarai", "o1", 200, 0, 10.0, "random")
    assert on_lake.metric == "regret_x1000"
    series = next(each for each in small.collect() if each.cell.problem == "ypacarai")
    assert series.cell.metric == "log_regret", "another cost budget than the paper's"
    moved = type(series)(on_lake, "snake", "cold", 4, series.regret, series.spent)
    (entry,) = summarise([moved], {"snake": "SnAKe"})
    assert entry.columns == ("SnAKe",)
    assert entry.regret.ours is not None
    assert entry.regret.ours.mean == pytest.approx(1000 * series.regret[:, -1].mean())
    assert entry.cost == Beside(entry.cost.ours)


def test_without_columns_nothing_stands_beside(small: Any) -> None:
    assert all(entry.regret.paper is None for entry in summarise(small.collect(), {}))


def test_unknown_column(small: Any) -> None:
    with pytest.raises(InputError, match="no column 'SNAKE'"):
        summarise(small.collect(), {"snake": "SNAKE"})
