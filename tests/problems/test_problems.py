"""The contract of every registered problem."""

import math
import pickle
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.random import default_rng
from scipy.optimize import minimize

import snakebo as sb
from snakebo import problems
from snakebo.errors import InputError
from snakebo.problems.problem import Goal, Problem
from snakebo.space import Points

EVERY_GOAL = [
    (name, number) for name in problems.names() for number, _ in enumerate(problems.get(name).goals)
]
SEVERAL = [name for name in problems.names() if len(problems.get(name).goals) > 1]


@pytest.fixture(params=problems.names())
def problem(request: pytest.FixtureRequest) -> Problem:
    return problems.get(request.param)


@pytest.fixture(params=EVERY_GOAL, ids=lambda pair: f"{pair[0]}-{problems.get(pair[0]).objectives[pair[1]]}")
def aim(request: pytest.FixtureRequest) -> tuple[Problem, Goal]:
    problem = problems.get(request.param[0])
    return problem, problem.goals[request.param[1]]


def any_point(problem: Problem) -> dict[str, float]:
    return problem.space.mapping(problem.space.from_unit(problem.space.uniform(1, default_rng(7)))[0])


def regrets_in_cube(problem: Problem, goal: Goal, units: Points) -> list[float]:
    return [goal.regret(goal.function(row)) for row in problem.space.from_unit(units)]


def search_least_regret(problem: Problem, goal: Goal) -> float:
    """Climb from the best of a Sobol set inside the region, then polish: the last is for tops with a cusp."""

    def loss(unit: Points) -> float:  # a step ashore ends at the nearest point of the shore
        return regrets_in_cube(problem, goal, problem.space.project(unit[None, :]))[0]

    box = [(0.0, 1.0)] * problem.space.dim
    starts = problem.space.sobol(512, default_rng(0))
    best_first = np.argsort(regrets_in_cube(problem, goal, starts))
    climbs = [minimize(loss, unit, method="L-BFGS-B", bounds=box) for unit in starts[best_first][:10]]
    best = min(climbs, key=lambda climb: float(climb.fun))
    polished = minimize(
        loss,
        best.x,
        method="Nelder-Mead",
        bounds=box,
        options={"xatol": 1e-9, "fatol": 1e-12, "maxfev": 2000},
    )
    return min(float(best.fun), float(polished.fun))


@pytest.mark.slow
def test_optimum_is_what_a_multi_start_search_finds(aim: tuple[Problem, Goal]) -> None:
    assert 0 <= search_least_regret(*aim) < 1e-6


def test_optimum_is_reached_at_argmax(aim: tuple[Problem, Goal]) -> None:
    problem, goal = aim
    value = problem.values(goal.argmax)[goal.name]
    assert value == pytest.approx(goal.optimum, rel=1e-9, abs=1e-9)
    assert problem.regrets(goal.argmax)[goal.name] == pytest.approx(0.0, abs=1e-6)


def test_every_random_point_has_a_regret(aim: tuple[Problem, Goal]) -> None:
    problem, goal = aim
    assert min(regrets_in_cube(problem, goal, problem.space.uniform(500, default_rng(1)))) > 0


@pytest.mark.parametrize("radius", [1e-1, 1e-3, 1e-5, 1e-7, 1e-9])
def test_no_neighbour_of_argmax_has_a_negative_regret(aim: tuple[Problem, Goal], radius: float) -> None:
    problem, goal = aim
    best = problem.space.to_unit(problem.space.point(goal.argmax)[None, :])
    steps = default_rng(2).normal(scale=radius, size=(50, problem.space.dim))
    neighbours = problem.space.project(np.clip(best + steps, 0, 1))
    assert min(regrets_in_cube(problem, goal, neighbours)) >= 0


def test_argmax_lies_in_the_region(aim: tuple[Problem, Goal]) -> None:
    problem, goal = aim
    assert set(goal.argmax) == set(problem.space.names)
    assert problem.space.inside(problem.space.to_unit(problem.space.point(goal.argmax)[None, :])).all()


def test_one_objective_is_given_plainly_and_several_by_name(problem: Problem) -> None:
    x = any_point(problem)
    values, regrets = problem.values(x), problem.regrets(x)
    assert tuple(values) == tuple(regrets) == tuple(problem.optima) == problem.objectives
    assert regrets == problem.regrets(values)
    by_name = {goal.name: goal for goal in problem.goals}
    if len(problem.objectives) > 1:
        assert problem.evaluate(x) == values
        assert problem.optimum == problem.optima
        assert problem.argmax == {name: goal.argmax for name, goal in by_name.items()}
        assert problem.direction == {name: goal.direction for name, goal in by_name.items()}
        assert problem.regret(values) == regrets
    else:
        (objective,) = problem.objectives
        assert problem.evaluate(x) == values[objective]
        assert problem.optimum == problem.optima[objective]
        assert problem.argmax == by_name[objective].argmax
        assert problem.direction == "maximize"
        assert problem.regret(values[objective]) == problem.regret(values) == regrets[objective]


def test_campaign_takes_the_problem_as_it_is(problem: Problem) -> None:
    result = sb.optimize(
        problem.evaluate,
        problem.space,
        3,
        method="random-tour",
        cost=problem.cost,
        objectives=problem.objectives,
        direction=problem.direction,
    )
    for trial in result.campaign.trials:
        assert trial.values == problem.values(trial.x)


def test_problem_survives_pickling(problem: Problem) -> None:
    copy = pickle.loads(pickle.dumps(problem))
    assert copy.values(any_point(problem)) == problem.values(any_point(problem))


def test_cost_is_bound_to_the_space(problem: Problem) -> None:
    rows = problem.space.from_unit(problem.space.uniform(3, default_rng(3)))
    matrix = problem.cost(rows, rows)
    assert matrix.shape == (3, 3)
    assert np.diagonal(matrix) == pytest.approx(0.0)
    assert (matrix[~np.eye(3, dtype=bool)] > 0).all()


@pytest.mark.parametrize("bad", [math.nan, math.inf, -1e6, 1e6])
def test_point_outside_the_space_is_an_error(problem: Problem, bad: float) -> None:
    name = problem.space.names[0]
    with pytest.raises(InputError, match=name):
        problem.evaluate({**any_point(problem), name: bad})


def test_missing_or_unknown_variable_is_an_error(problem: Problem) -> None:
    first, *rest = any_point(problem).items()
    with pytest.raises(InputError, match=first[0]):
        problem.evaluate(dict(rest))
    with pytest.raises(InputError, match="pressure"):
        problem.evaluate({**any_point(problem), "pressure": 1.0})


def test_without_noise_observing_is_evaluating(problem: Problem) -> None:
    assert problem.observe(any_point(problem), default_rng(0)) == problem.evaluate(any_point(problem))


def observe_errors(problem: Problem, count: int) -> Points:
    """Return what noise adds (count, objectives) at one point."""
    x, rng = any_point(problem), default_rng(4)
    truth, errors = np.array(list(problem.values(x).values())), []
    for _ in range(count):
        seen = problem.observe(x, rng)
        errors.append((np.array(list(seen.values())) if isinstance(seen, dict) else seen) - truth)
    return np.array(errors)


@pytest.mark.parametrize("name", problems.names())
def test_noise_has_the_asked_size_and_follows_the_seed(name: str) -> None:
    errors = observe_errors(problems.get(name, noise=0.1), 400)
    assert (observe_errors(problems.get(name, noise=0.1), 1) == errors[:1]).all()
    # Four standard errors of a standard deviation (σ/√(2n)) and of a mean (σ/√n).
    assert errors.std(axis=0) == pytest.approx(0.1, abs=4 * 0.1 / math.sqrt(2 * 400))
    assert errors.mean(axis=0) == pytest.approx(0.0, abs=4 * 0.1 / math.sqrt(400))


@pytest.mark.parametrize("name", SEVERAL)
def test_noise_by_objective_is_independent(name: str) -> None:
    objectives = problems.get(name).objectives
    noise = {objective: 0.1 * number for number, objective in enumerate(objectives)}
    errors = observe_errors(problems.get(name, noise=noise), 400)
    assert (errors[:, 0] == 0).all()
    assert errors.std(axis=0) == pytest.approx(list(noise.values()), rel=4 / math.sqrt(2 * 400))
    same = observe_errors(problems.get(name, noise=1.0), 400)
    assert abs(np.asarray(np.corrcoef(same.T))[~np.eye(len(objectives), dtype=bool)]).max() < 4 / math.sqrt(
        400
    )


@pytest.mark.parametrize("noise", [-0.1, math.nan, math.inf, "much", None, [0.1], {"value": -0.1}])
def test_noise_that_is_no_standard_deviation_is_an_error(noise: object) -> None:
    with pytest.raises(InputError, match="noise of branin2d"):
        problems.get("branin2d", noise=noise)


@pytest.mark.parametrize("noise", [{}, {"o1": 0.1}, {"o1": 0.1, "o2": 0.1, "o4": 0.1}, {"value": 0.1}])
def test_noise_by_objective_names_every_objective(noise: dict[str, float]) -> None:
    with pytest.raises(InputError, match=r"noise of ypacarai must be one number, or one for each of o1, o2"):
        problems.get("ypacarai", noise=noise)


@pytest.mark.parametrize("name", SEVERAL)
def test_one_number_is_no_value_of_several_objectives(name: str) -> None:
    with pytest.raises(InputError, match=f"{name} needs values for {problems.get(name).objectives[0]}"):
        problems.get(name).regret(1.0)
    with pytest.raises(InputError, match=f"{name} needs values for"):
        problems.get(name).regrets({problems.get(name).objectives[0]: 1.0})


@pytest.mark.parametrize("bad", [math.nan, "1", None])
def test_regret_of_what_is_no_number_is_an_error(bad: Any) -> None:
    with pytest.raises(InputError, match="'value' must be a"):
        problems.get("branin2d").regret(bad)
    with pytest.raises(InputError, match="'value' must be a"):
        problems.get("branin2d").regrets({"value": bad})
    with pytest.raises(InputError, match="mapping from variable names"):
        problems.get("branin2d").regrets(bad)


def test_regret_is_positive_on_the_worse_side_of_either_direction() -> None:
    snar = problems.get("snar4d-two")
    worse = {"space_time_yield": 10_000.0, "e_factor": 10.0}
    assert snar.regrets(worse) == pytest.approx({"space_time_yield": 1526.02, "e_factor": 1.5484}, abs=1e-2)


def test_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(InputError, match=r"Did you mean 'branin2d'\?.*hartmann6d"):
        problems.get("Branin")
    with pytest.raises(InputError, match=r"'zzz'\. Known: branin2d"):
        problems.get("zzz")


@pytest.mark.parametrize("name", problems.names())
def test_unknown_setting_lists_the_known_ones(name: str) -> None:
    with pytest.raises(InputError, match=rf"setting of {name} is called 'nois'.*'noise'"):
        problems.get(name, nois=0.1)


def test_documented_table_is_true() -> None:
    text = (Path(__file__).parents[2] / "docs" / "problems.md").read_text(encoding="utf-8")
    table = text.partition("## Settings")[0]
    rows = [line.strip("|").split("|") for line in table.splitlines() if line.startswith("| `")]
    assert [row[0].strip(" `") for row in rows] == list(problems.names())
    for row, problem in zip(rows, map(problems.get, problems.names()), strict=True):
        assert int(row[1]) == problem.space.dim
        shown = [float(number) for number in re.findall(r"(?<!\w)-?\d+(?:\.\d+)?", row[3])]
        assert shown == [float(f"{optimum:.7g}") for optimum in problem.optima.values()]
        assert problem.citation
