"""The contract of every registered problem."""

import math
import pickle

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import qmc

from snakebo import problems
from snakebo.errors import InputError
from snakebo.problems.problem import Problem
from snakebo.space import Points


@pytest.fixture(params=problems.names())
def problem(request: pytest.FixtureRequest) -> Problem:
    return problems.get(request.param)


def value_in_cube(problem: Problem, unit: Points) -> float:
    row = problem.space.from_unit(unit[None, :])[0]
    return float(problem.function(row))


def search_maximum(problem: Problem) -> float:
    """Climb from the best of a Sobol set, then polish: the last step is for maxima with a cusp."""

    def loss(unit: Points) -> float:
        return -value_in_cube(problem, unit)

    dimension = problem.space.dim
    box = [(0.0, 1.0)] * dimension
    starts = qmc.Sobol(dimension, rng=np.random.default_rng(0)).random_base2(8)
    starts = starts[np.argsort([loss(unit) for unit in starts])][:8]
    climbs = [minimize(loss, unit, method="L-BFGS-B", bounds=box) for unit in starts]
    best = min(climbs, key=lambda climb: float(climb.fun))
    polished = minimize(
        loss,
        best.x,
        method="Nelder-Mead",
        bounds=box,
        options={"xatol": 1e-9, "fatol": 1e-12, "maxfev": 2000},
    )
    return -min(float(best.fun), float(polished.fun))


@pytest.mark.slow
def test_optimum_is_what_a_multi_start_search_finds(problem: Problem) -> None:
    assert search_maximum(problem) == pytest.approx(problem.optimum, abs=1e-6)


def test_optimum_is_reached_at_argmax(problem: Problem) -> None:
    assert problem.evaluate(problem.argmax) == pytest.approx(problem.optimum, abs=1e-9)
    assert problem.regret(problem.evaluate(problem.argmax)) == pytest.approx(0.0, abs=1e-9)


def test_no_random_point_beats_the_optimum(problem: Problem) -> None:
    rng = np.random.default_rng(1)
    rows = problem.space.from_unit(problem.space.uniform(500, rng))
    assert all(problem.evaluate(problem.space.mapping(row)) < problem.optimum for row in rows)


def test_no_neighbour_of_argmax_beats_the_optimum(problem: Problem) -> None:
    rng = np.random.default_rng(2)
    unit = problem.space.to_unit(problem.space.point(problem.argmax)[None, :])
    for radius in (1e-1, 1e-2, 1e-3):
        neighbours = np.clip(unit + rng.normal(scale=radius, size=(30, unit.shape[1])), 0, 1)
        assert max(value_in_cube(problem, u) for u in neighbours) <= problem.optimum + 1e-14


def test_names_and_shape_of_the_public_fields(problem: Problem) -> None:
    assert problem.direction == "maximize"
    assert len(problem.objectives) == 1
    assert set(problem.argmax) == set(problem.space.names)
    assert problem.citation


def test_problem_survives_pickling(problem: Problem) -> None:
    copy = pickle.loads(pickle.dumps(problem))
    assert copy.evaluate(problem.argmax) == problem.evaluate(problem.argmax)


def test_cost_is_bound_to_the_space(problem: Problem) -> None:
    rows = problem.space.from_unit(problem.space.uniform(3, np.random.default_rng(3)))
    matrix = problem.cost(rows, rows)
    assert matrix.shape == (3, 3)
    assert np.diagonal(matrix) == pytest.approx(0.0)
    assert (matrix[~np.eye(3, dtype=bool)] > 0).all()


@pytest.mark.parametrize("bad", [math.nan, math.inf, -1e6, 1e6])
def test_point_outside_the_space_is_an_error(problem: Problem, bad: float) -> None:
    name = problem.space.names[0]
    with pytest.raises(InputError, match=name):
        problem.evaluate({**problem.argmax, name: bad})


def test_missing_or_unknown_variable_is_an_error(problem: Problem) -> None:
    first, *rest = problem.argmax.items()
    with pytest.raises(InputError, match=first[0]):
        problem.evaluate(dict(rest))
    with pytest.raises(InputError, match="pressure"):
        problem.evaluate({**problem.argmax, "pressure": 1.0})


def test_without_noise_observing_is_evaluating(problem: Problem) -> None:
    assert problem.observe(problem.argmax, np.random.default_rng(0)) == problem.evaluate(problem.argmax)


@pytest.mark.parametrize("name", problems.names())
def test_noise_has_the_asked_size_and_follows_the_seed(name: str) -> None:
    noisy = problems.get(name, noise=0.1)
    truth = noisy.evaluate(noisy.argmax)
    rng = np.random.default_rng(4)
    errors = np.array([noisy.observe(noisy.argmax, rng) - truth for _ in range(400)])
    again = noisy.observe(noisy.argmax, np.random.default_rng(4))
    assert again - truth == errors[0]
    # Four standard errors of a standard deviation (σ/√(2n)) and of a mean (σ/√n).
    assert errors.std() == pytest.approx(0.1, abs=4 * 0.1 / math.sqrt(2 * 400))
    assert errors.mean() == pytest.approx(0.0, abs=4 * 0.1 / math.sqrt(400))


@pytest.mark.parametrize("noise", [-0.1, math.nan, math.inf])
def test_noise_that_is_no_standard_deviation_is_an_error(noise: float) -> None:
    with pytest.raises(InputError, match="noise of branin2d"):
        problems.get("branin2d", noise=noise)


def test_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(InputError, match=r"Did you mean 'branin2d'\?.*hartmann6d"):
        problems.get("Branin")
    with pytest.raises(InputError, match=r"'zzz'\. Known: branin2d"):
        problems.get("zzz")


def test_unknown_setting_lists_the_known_ones() -> None:
    with pytest.raises(InputError, match=r"setting of branin2d is called 'nois'.*'noise'"):
        problems.get("branin2d", nois=0.1)
