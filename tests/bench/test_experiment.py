"""Experiments: which runs they have, in which order, and how they are narrowed."""

import pytest

from snakebo.bench.experiment import Experiment, Grid, Place
from snakebo.bench.run import Run, find_problem, name_method, name_problem, name_start
from snakebo.errors import InputError

GRID = Grid(
    places=(Place("branin2d", "random", ("paper", "cold")), Place("hartmann3d", "random", ("paper",))),
    budgets=(15, 50),
    delays=(0, 10),
    methods=("snake", "ei"),
    cost_budget=None,
    seeds=(0, 1, 2),
)
MORE = Grid(
    places=GRID.places[:1],
    budgets=(15,),
    delays=(0,),
    methods=("snake", "ts"),
    cost_budget=None,
    seeds=(0, 7),
)
EXPERIMENT = Experiment("try", "A try", grids=(GRID, MORE))


def test_every_combination_is_there_once() -> None:
    runs = EXPERIMENT.runs()
    assert len(set(runs)) == len(runs)
    first = 3 * 3 * 2 * 2 * 2  # three seeds, three pairs of problem and protocol
    assert len([run for run in runs if run.seed < 3 and run.method != "ts"]) == first
    assert len(runs) == first + 2 + 4  # ts with seed 0; both methods with seed 7, under two protocols


def test_seeds_come_outermost() -> None:
    seeds = [run.seed for run in EXPERIMENT.runs()]
    turns = {0: 0, 1: 1, 7: 1, 2: 2}
    assert [turns[seed] for seed in seeds] == sorted(turns[seed] for seed in seeds)


def test_narrowing_keeps_what_is_named() -> None:
    runs = EXPERIMENT.narrow(seeds=1, budgets=[15], methods=["snake"], problems=["branin2d"]).runs()
    assert set(runs) == {
        Run("branin2d", 15, delay, "snake", protocol, None, "random", 0)
        for delay in (0, 10)
        for protocol in ("paper", "cold")
    }


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        ({"budgets": [15, 16]}, "16 is none of the budgets.*It has 15, 50"),
        ({"methods": ["snakes"]}, "Did you mean 'snake"),
        ({"problems": ["perm10d"]}, "branin2d, hartmann3d"),
    ],
)
def test_narrowing_to_what_is_not_there_is_an_error(choice: dict[str, list[str]], message: str) -> None:
    with pytest.raises(InputError, match=message):
        EXPERIMENT.narrow(**choice)  # type: ignore[arg-type]


def test_a_problem_is_found_by_its_text() -> None:
    assert name_problem("branin2d", {"noise": 0.0}) == "branin2d"
    text = name_problem("branin2d", {"noise": 0.25})
    assert text == "branin2d:noise=0.25"
    assert find_problem(text).noise == 0.25


def test_methods_and_starts_have_one_text() -> None:
    assert name_method("snake-paper:epsilon=lengthscale") == "snake-paper"
    assert name_method("snake-paper:epsilon=0.1") == "snake-paper:epsilon=0.1"
    assert name_start({"b": 1.0, "a": 0.5}) == name_start({"a": 0.5, "b": 1.0}) == '{"a":0.5,"b":1.0}'
    assert name_start(None) == "random"
