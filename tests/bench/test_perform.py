"""Performing a run: what is written down, what runs share, and that nothing but the run decides."""

import json
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

import snakebo as sb
from snakebo.bench import perform as module
from snakebo.bench.fixed import name_fixed
from snakebo.bench.perform import perform
from snakebo.bench.run import Run, name_start

RUN = Run("branin2d", 12, 0, "random-tour", "cold", None, "random", 3)


def test_what_is_written_down_is_what_happened() -> None:
    problem, record = sb.problems.get("branin2d"), perform(RUN)
    steps = record.steps
    assert record.run == RUN
    assert record.objectives == ("value",)
    assert [each.shape for each in (steps.x, steps.cost, steps.seconds)] == [(12, 2), (12,), (12,)]
    assert steps.values.shape == steps.regrets.shape == (12, 1)
    X = steps.x
    moves = [0.0, *(problem.cost(X[i : i + 1], X[i + 1 : i + 2])[0, 0] for i in range(11))]
    np.testing.assert_allclose(steps.cost, moves)
    true = np.array([problem.values(problem.space.mapping(x))["value"] for x in X])
    np.testing.assert_array_equal(steps.values[:, 0], true)
    np.testing.assert_allclose(steps.regrets[:, 0], problem.optima["value"] - true)
    assert (steps.seconds >= 0).all()
    assert steps.seconds.sum() <= record.seconds
    assert record.seconds_guess == 0.0
    assert set(json.loads(record.versions)) == {"snakebo", "numpy", "scipy", "torch", "python"}


def test_a_run_is_a_function_of_itself() -> None:
    for run in (RUN, replace(RUN, method="snake", delay=3)):
        first, again = perform(run), perform(run)
        np.testing.assert_array_equal(first.steps.x, again.steps.x)
        np.testing.assert_array_equal(first.steps.values, again.steps.values)
    assert not np.array_equal(perform(RUN).steps.x, perform(replace(RUN, seed=4)).steps.x)


def test_all_methods_and_protocols_of_a_seed_share_the_start() -> None:
    other = [replace(RUN, method="ei"), replace(RUN, delay=5), replace(RUN, budget=15)]
    starts = [perform(run).steps.x[0].tolist() for run in (RUN, *other)]
    assert starts == starts[:1] * 4
    assert perform(replace(RUN, seed=4)).steps.x[0].tolist() != starts[0]


def test_a_start_can_be_given() -> None:
    record = perform(replace(RUN, start=name_start({"x1": 1.0, "x2": 2.0})))
    assert record.steps.x[0].tolist() == [1.0, 2.0]
    assert record.steps.cost[0] == 0.0


def test_regrets_are_those_of_values_without_noise() -> None:
    steps = perform(replace(RUN, problem="branin2d:noise=0.5")).steps
    optimum = sb.problems.get("branin2d").optima["value"]
    errors = steps.values[:, 0] - (optimum - steps.regrets[:, 0])
    assert (steps.regrets >= 0).all()
    assert 0.1 < errors.std() < 1.5  # twelve draws of standard deviation 0.5


def test_a_cost_budget_ends_a_run() -> None:
    full = perform(RUN).steps.cost.sum()
    steps = perform(replace(RUN, cost_budget=full / 2)).steps
    assert len(steps.cost) < 12
    assert steps.cost.sum() <= full / 2


def test_several_objectives_have_a_column_each() -> None:
    fixed = name_fixed({"outputscale": 0.12, "lengthscales": 0.1, "noise": 1e-5, "mean": [0.5, 0.8, 0.5]}, ())
    record = perform(Run("ypacarai", 6, 0, "snake", fixed, 10.0, "random", 0))
    assert record.objectives == sb.problems.get("ypacarai").objectives
    assert record.steps.values.shape == (6, 3)
    assert (record.steps.regrets >= 0).all()


@pytest.fixture
def guesses(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[tuple[int, float]]]:
    """The guesses that are made, instead of making them: budget, a random number."""
    made: list[tuple[int, float]] = []

    def educated(evaluate: object, space: object, budget: int, rng: np.random.Generator) -> sb.Paper:
        made.append((budget, rng.random()))
        return sb.Paper((sb.Hyperparameters((0.3, 0.3), 1.0, 1e-4, kernel="rbf"),))

    monkeypatch.setattr(sb.Paper, "educated", educated)
    module._educated_guess.cache_clear()
    yield made
    module._educated_guess.cache_clear()


def test_the_educated_guess_is_made_once_for_all_methods(guesses: list[tuple[int, float]]) -> None:
    for method in ("random-tour", "ei", "snake"):
        perform(replace(RUN, method=method, protocol="paper", delay=2))
    perform(replace(RUN, protocol="paper", seed=4))
    perform(replace(RUN, protocol="paper", budget=13))
    (budget, draw), (_, other_seed), (other_budget, same_seed) = guesses
    assert (budget, other_budget) == (12, 13)
    assert draw == same_seed != other_seed


def test_half_a_run_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = iter([None, None])

    def observe(*arguments: object) -> float:
        if next(calls, KeyboardInterrupt) is KeyboardInterrupt:
            raise KeyboardInterrupt
        return 0.5

    monkeypatch.setattr(type(sb.problems.get("branin2d")), "observe", observe)
    with pytest.raises(KeyboardInterrupt):
        perform(RUN)
