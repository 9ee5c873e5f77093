"""Runs on a real Dask cluster of this machine, whose workers may be killed."""

import os
import signal
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from snakebo.bench.dask_cluster import ClusterError, DaskCluster
from snakebo.bench.executors import Failure, InProcess, Outcome
from snakebo.bench.experiment import Experiment, Grid, Place
from snakebo.bench.record import Record
from snakebo.bench.results import Results
from snakebo.bench.run import Run
from snakebo.bench.runner import Tally, run_grid
from snakebo.errors import InputError

distributed = pytest.importorskip("distributed")
pytestmark = pytest.mark.slow

RUN = Run("branin2d", 10, 0, "random-tour", "cold", None, "random", 0)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A scheduler with two workers in processes of their own."""
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address="127.0.0.1:0", host="127.0.0.1",
    ) as found:  # fmt: skip
        yield found.scheduler_address


def test_the_cluster_finds_bit_for_bit_what_one_process_finds(address: str) -> None:
    runs = [
        replace(RUN, method=method, protocol=protocol)
        for method, protocol in (("snake", "paper"), ("snake", "cold"), ("random-tour", "cold"))
    ]
    here = {each.run: each for each in InProcess().outcomes(runs)}
    there = {each.run: each for each in DaskCluster(address).outcomes(runs)}
    for run in runs:
        ours, theirs = here[run], there[run]
        assert isinstance(ours, Record)
        assert isinstance(theirs, Record)
        np.testing.assert_array_equal(ours.steps.x, theirs.steps.x)
        np.testing.assert_array_equal(ours.steps.values, theirs.steps.values)


def test_a_run_that_raises_stops_no_other(address: str) -> None:
    wrong = replace(RUN, method="nonsense")
    outcomes = {each.run: each for each in DaskCluster(address).outcomes([wrong, RUN])}
    assert isinstance(outcomes[RUN], Record)
    failure = outcomes[wrong]
    assert isinstance(failure, Failure)
    assert failure.reason.startswith("InputError: Unknown method")


def test_all_runs_come_once_though_a_worker_is_killed(address: str, tmp_path: Path) -> None:
    grid = Grid((Place("branin2d", "random", ("cold",)),), (25,), (0,), ("snake",), None, tuple(range(8)))
    killed: list[int] = []
    seen: list[Run] = []

    def watch(tally: Tally, outcome: Outcome | None) -> None:
        if outcome is None:
            return
        seen.append(outcome.run)
        if not killed:
            with distributed.Client(address, set_as_default=False) as client:
                killed.extend(client.run(os.getpid).values())
            os.kill(killed[0], signal.SIGKILL)

    experiment, path = Experiment("try", "A try", grids=(grid,)), tmp_path / "results.db"
    tally = run_grid(experiment, path, DaskCluster(address), watch)
    assert tally.failures == []
    assert (tally.stored, tally.total) == (8, 8)
    assert sorted(run.seed for run in seen) == list(range(8))
    assert Results.read(path).done() == set(experiment.runs())
    assert len(Results.read(path).runs()) == 8


def test_no_scheduler_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("snakebo.bench.dask_cluster._PATIENCE_S", 1.0)
    with pytest.raises(ClusterError, match=r"No Dask scheduler answers at tcp://127\.0\.0\.1:9"):
        list(DaskCluster("tcp://127.0.0.1:9").outcomes([RUN]))
    with pytest.raises(ClusterError, match="No Dask scheduler answers at nonsense"):
        list(DaskCluster("nonsense://x:1").outcomes([RUN]))


def test_a_scheduler_without_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("snakebo.bench.dask_cluster._PATIENCE_S", 1.0)
    with (
        distributed.LocalCluster(n_workers=0, dashboard_address="127.0.0.1:0", host="127.0.0.1") as empty,
        pytest.raises(ClusterError, match=r"has no workers. Start one with: dask worker tcp://127\.0\.0\.1"),
    ):
        list(DaskCluster(empty.scheduler_address).outcomes([RUN]))


def test_a_scheduler_that_goes_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("snakebo.bench.dask_cluster._PATIENCE_S", 5.0)
    with distributed.LocalCluster(n_workers=1, dashboard_address="127.0.0.1:0", host="127.0.0.1") as short:
        runs = [replace(RUN, seed=seed) for seed in range(9)]
        outcomes = DaskCluster(short.scheduler_address).outcomes(runs)
        assert isinstance(next(outcomes), Record)
        short.close()
        with pytest.raises(ClusterError, match=r"is gone.*the same command goes on"):
            list(outcomes)


@pytest.mark.parametrize("address", ["", "foo bar", "10.0.0.5", "tcp://", "tcp://host"])
def test_an_address_that_is_none_is_refused_at_once(address: str) -> None:
    with pytest.raises(InputError, match="tcp://host:port"):
        DaskCluster(address)
