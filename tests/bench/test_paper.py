"""The numbers of the paper: found for what it measured, and for nothing else."""

import pytest

from snakebo.bench.estimate import Estimate
from snakebo.bench.experiment_file import read_experiment, shipped
from snakebo.bench.paper import check_columns, find_numbers, is_snake, show_column
from snakebo.bench.run import find_problem
from snakebo.errors import InputError


def test_numbers_of_a_synchronous_cell() -> None:
    numbers = find_numbers("branin2d", "value", 50, 0)
    assert set(numbers) == {"cost", "log_regret"}
    assert len(numbers["cost"]) == len(numbers["log_regret"]) == 10
    assert numbers["cost"]["l-SnAKe"] == Estimate(9.8, 3.2, 25)


def test_reactor_and_lake_have_ten_runs() -> None:
    assert {each.n for each in find_numbers("snar4d-paper", "value", 100, 25)["cost"].values()} == {10}
    assert find_numbers("ypacarai-o1", "o1", 200, 0, 10.0)["regret_x1000"]["SnAKe"] == Estimate(
        0.074, 0.063, 10
    )


def test_objectives_of_one_trip_have_rows_of_their_own() -> None:
    means = [
        find_numbers("ypacarai", name, 200, 0, 10.0)["regret_x1000"]["TrEI"].mean for name in ("o1", "o3")
    ]
    assert means == [13.636, 0.162]


@pytest.mark.parametrize(
    "cell",
    [
        ("michalewicz2d", "value", 50, 0),  # the true function is not the one that was measured
        ("snar4d", "value", 100, 0),
        ("branin2d:noise=0.1", "value", 50, 0),
        ("branin2d", "value", 51, 0),
        ("branin2d", "value", 50, 0, 10.0),
        ("ypacarai-o1", "o1", 200, 0, None),
        ("ypacarai-o1", "o1", 200, 0, 5.0),
        ("bimodal1d", "value", 100, 0),
    ],
)
def test_nothing_stands_beside_what_was_not_measured(cell: tuple[str, str, int, int]) -> None:
    assert find_numbers(*cell) == {}


def test_snake_columns() -> None:
    columns = find_numbers("branin2d", "value", 50, 0)["cost"]
    assert list(filter(is_snake, columns)) == ["0.0-SnAKe", "0.1-SnAKe", "1.0-SnAKe", "l-SnAKe"]
    assert show_column("l-SnAKe") == "ℓ-SnAKe"
    assert show_column("EI") == "EI"


def test_unknown_column_is_named() -> None:
    with pytest.raises(InputError, match=r"no column 'EIp'\. Did you mean 'EIpu'"):
        check_columns(["EI", "EIp"])


@pytest.mark.parametrize("name", shipped())
def test_shipped_experiments_stand_beside_numbers(name: str) -> None:
    experiment = read_experiment(name)
    if experiment.paper is None:
        return
    check_columns(experiment.paper.columns.values())
    found = [
        bool(find_numbers(run.problem, objective, run.budget, run.delay, run.cost_budget))
        for run in experiment.runs()
        for objective in find_problem(run.problem).objectives
    ]
    beyond = name.startswith("results-")  # these have problems of ours as well
    assert any(found) if beyond else all(found)
