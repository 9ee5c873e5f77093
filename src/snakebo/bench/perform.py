"""Perform a run: a function of the run alone, the same in every process."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from functools import lru_cache
from time import perf_counter
from typing import Any

import numpy as np

from snakebo.bench.fixed import is_fixed, read_fixed
from snakebo.bench.record import Array, Record, Steps, versions
from snakebo.bench.run import RANDOM, Run, find_problem
from snakebo.campaign import Campaign
from snakebo.loop import optimize
from snakebo.problems.problem import Problem
from snakebo.space import Points
from snakebo.surrogate.paper_protocol import Paper
from snakebo.threads import one_blas_thread

# Random streams beside those of the campaign, which are numbered by its trials.
_START, _GUESS, _GUESS_NOISE, _NOISE = range(1_000_000_001, 1_000_000_005)


def perform(run: Run) -> Record:
    """Optimise once, from a start and with an educated guess that all methods of a seed share."""
    started_at = datetime.now(UTC).isoformat(timespec="seconds")
    problem = find_problem(run.problem)
    with one_blas_thread():  # sums in another order would give another run
        protocol, seconds_guess = _protocol(run, problem)
        bench = _Bench(problem, np.random.default_rng([run.seed, _NOISE]))
        began = perf_counter()
        result = optimize(
            bench.measure, problem.space, run.budget, delay=run.delay, method=run.method, cost=problem.cost,
            seed=run.seed, direction=problem.direction, objectives=problem.objectives,
            cost_budget=run.cost_budget, protocol=protocol, first=[_first(run, problem)],
        )  # fmt: skip
        seconds = perf_counter() - began
    if result.interrupted:  # half a run is none
        raise KeyboardInterrupt
    steps = bench.steps([trial.cost for trial in result.campaign.trials])
    return Record(run, problem.objectives, steps, started_at, seconds, seconds_guess, versions())


class _Bench:
    """Measures, and writes down what the campaign is not told: the time between, and the true regrets."""

    def __init__(self, problem: Problem, rng: np.random.Generator) -> None:
        self.problem, self.rng = problem, rng
        self.x: list[list[float]] = []
        self.values: list[list[float]] = []
        self.regrets: list[list[float]] = []
        self.seconds: list[float] = []
        self.ended = perf_counter()

    def measure(self, x: dict[str, float]) -> Any:
        self.seconds.append(perf_counter() - self.ended)
        names = self.problem.objectives
        observed, regrets = self.problem.observe(x, self.rng), self.problem.regrets(x)
        values = observed if isinstance(observed, dict) else {names[0]: observed}
        self.x.append([x[name] for name in self.problem.space.names])
        self.values.append([values[name] for name in names])
        self.regrets.append([regrets[name] for name in names])
        self.ended = perf_counter()
        return observed

    def steps(self, costs: list[float]) -> Steps:
        return Steps(*map(np.array, (self.x, costs, self.seconds, self.values, self.regrets)))


def _first(run: Run, problem: Problem) -> dict[str, float]:
    if run.start != RANDOM:
        start: dict[str, float] = json.loads(run.start)
        return start
    space = problem.space
    return space.mapping(space.from_unit(space.uniform(1, np.random.default_rng([run.seed, _START]))))


def _protocol(run: Run, problem: Problem) -> tuple[Any, float]:
    if run.protocol == "paper":
        return _educated_guess(run.problem, run.budget, run.seed)
    return (read_fixed(run.protocol, problem) if is_fixed(run.protocol) else run.protocol), 0.0


@lru_cache(maxsize=64)
def _educated_guess(problem_text: str, budget: int, seed: int) -> tuple[Paper, float]:
    """The guess that all runs of a problem, budget and seed begin with, and the time it took."""
    problem, began = find_problem(problem_text), perf_counter()
    noise = np.random.default_rng([seed, _GUESS_NOISE])
    space = problem.space
    settings = Campaign(space, budget, objectives=problem.objectives, direction=problem.direction).settings

    def evaluate(points: Points) -> Array:
        X = space.from_unit(points)
        return np.array([settings.maximized(problem.observe(space.mapping(x), noise)) for x in X])

    guess = Paper.educated(evaluate, space, budget, np.random.default_rng([seed, _GUESS]))
    return guess, perf_counter() - began
