"""Executors: the same outcome everywhere, failures that stop nothing, workers that may die."""

import os
import signal
from collections.abc import Iterator
from dataclasses import replace
from multiprocessing import active_children

import numpy as np
import pytest

from snakebo.bench import processes
from snakebo.bench.executors import Executor, Failure, InProcess
from snakebo.bench.processes import Processes
from snakebo.bench.record import Record
from snakebo.bench.run import Run

RUN = Run("branin2d", 6, 0, "random-tour", "cold", None, "random", 0)
RUNS = [replace(RUN, seed=seed) for seed in range(5)]


@pytest.fixture(autouse=True)
def no_process_is_left() -> Iterator[None]:
    yield
    assert active_children() == []


@pytest.mark.parametrize("executor", [InProcess(), Processes(2)])
def test_a_run_that_raises_stops_no_other(executor: Executor) -> None:
    wrong = replace(RUN, method="nonsense")
    outcomes = list(executor.outcomes([RUNS[0], wrong, *RUNS[1:]]))
    assert {each.run for each in outcomes if isinstance(each, Record)} == set(RUNS)
    (failure,) = (each for each in outcomes if isinstance(each, Failure))
    assert failure.run == wrong
    assert failure.reason.startswith("InputError: Unknown method 'nonsense'")
    assert "methods/__init__.py" not in failure.reason
    assert "(__init__.py:" in failure.reason


def test_no_runs_need_no_process() -> None:
    assert list(Processes(2).outcomes([])) == []


@pytest.mark.slow
def test_a_worker_that_is_killed_costs_its_run_another_try() -> None:
    outcomes = Processes(2).outcomes([replace(run, budget=20, method="snake") for run in RUNS])
    found = [next(outcomes)]
    for worker in active_children():  # each has a run in hand
        os.kill(worker.pid or 0, signal.SIGKILL)
    found += outcomes
    assert all(isinstance(each, Record) for each in found)
    assert sorted(each.run.seed for each in found) == [0, 1, 2, 3, 4]


@pytest.mark.slow
def test_a_run_that_kills_its_worker_fails_after_three_tries(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[Run] = []
    give = processes._Worker.give

    def give_and_kill(worker: processes._Worker, run: Run) -> None:
        given.append(run)
        if run == RUNS[1]:
            os.kill(worker._process.pid or 0, signal.SIGKILL)
        give(worker, run)

    monkeypatch.setattr(processes._Worker, "give", give_and_kill)
    outcomes = {each.run: each for each in Processes(2).outcomes(RUNS)}
    failure = outcomes.pop(RUNS[1])
    assert isinstance(failure, Failure)
    assert failure.reason == "its process died 3 times (signal SIGKILL)"
    assert given.count(RUNS[1]) == 3
    assert all(isinstance(each, Record) for each in outcomes.values())
    assert len(outcomes) == 4


def test_closing_ends_the_workers() -> None:
    outcomes = Processes(2).outcomes(RUNS)
    next(outcomes)
    assert len(active_children()) == 2
    outcomes.close()
    assert active_children() == []


def test_the_environment_of_this_process_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "2")
    monkeypatch.delenv("MKL_NUM_THREADS", raising=False)
    list(Processes(1).outcomes(RUNS[:1]))
    assert os.environ["OMP_NUM_THREADS"] == "2"
    assert "MKL_NUM_THREADS" not in os.environ


@pytest.mark.slow
def test_processes_find_bit_for_bit_what_one_process_finds() -> None:
    runs = [
        replace(RUN, method=method, protocol=protocol, delay=delay, budget=10)
        for method, protocol, delay in (("snake", "paper", 0), ("ei", "paper", 2), ("snake", "cold", 2))
    ]
    here = {each.run: each for each in InProcess().outcomes(runs)}
    there = {each.run: each for each in Processes(2).outcomes(runs)}
    for run in runs:
        ours, theirs = here[run], there[run]
        assert isinstance(ours, Record)
        assert isinstance(theirs, Record)
        np.testing.assert_array_equal(ours.steps.x, theirs.steps.x)
        np.testing.assert_array_equal(ours.steps.values, theirs.steps.values)
        np.testing.assert_array_equal(ours.steps.cost, theirs.steps.cost)
