"""Running an experiment: only what is missing, each run once, whatever fails or is interrupted."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from snakebo.bench.executors import Failure, InProcess, Outcome
from snakebo.bench.experiment import Experiment, Grid, Place
from snakebo.bench.results import Results
from snakebo.bench.run import Run
from snakebo.bench.runner import Tally, results_path, run_grid
from snakebo.errors import StorageBusyError

GRID = Grid((Place("branin2d", "random", ("cold",)),), (5,), (0,), ("random-tour",), None, tuple(range(6)))
EXPERIMENT = Experiment("try", "A try", grids=(GRID,))


@dataclass
class Counting:
    """Performs here, notes what, and may end early."""

    performed: list[Run]
    most: int = 100

    def outcomes(self, runs: Sequence[Run]) -> Generator[Outcome]:
        """Perform at most `most` runs, then be interrupted."""
        for outcome in InProcess().outcomes(runs):
            if not self.most:
                raise KeyboardInterrupt
            self.most -= 1
            self.performed.append(outcome.run)
            yield outcome


def ignore(tally: Tally, outcome: Outcome | None) -> None:
    pass


def test_only_what_is_missing_is_performed(tmp_path: Path) -> None:
    path, first, second = tmp_path / "results.db", Counting([], most=2), Counting([])
    with pytest.raises(KeyboardInterrupt):
        run_grid(EXPERIMENT, path, first, ignore)
    assert Results.read(path).done() == set(first.performed)
    tally = run_grid(EXPERIMENT, path, second, ignore)
    assert (tally.total, tally.stored, tally.failures) == (6, 6, [])
    assert (*first.performed, *second.performed) == EXPERIMENT.runs()
    third = Counting([])
    assert run_grid(EXPERIMENT, path, third, ignore).stored == 6
    assert third.performed == []


def test_more_seeds_later_go_on_with_what_is_there(tmp_path: Path) -> None:
    path, few, all_of_it = tmp_path / "results.db", Counting([]), Counting([])
    assert run_grid(EXPERIMENT.narrow(seeds=2), path, few, ignore).total == 2
    assert run_grid(EXPERIMENT, path, all_of_it, ignore).total == 6
    assert [run.seed for run in all_of_it.performed] == [2, 3, 4, 5]


def test_a_failed_run_is_missing_the_next_time(tmp_path: Path) -> None:
    path = tmp_path / "results.db"
    wrong = replace(GRID, methods=("random-tour", "nonsense"), seeds=(0, 1))
    told: list[tuple[int, int, Outcome | None]] = []
    tally = run_grid(
        replace(EXPERIMENT, grids=(wrong,)),
        path,
        InProcess(),
        lambda tally, outcome: told.append((tally.stored, len(tally.failures), outcome)),
    )
    assert [failure.run.method for failure in tally.failures] == ["nonsense", "nonsense"]
    assert (tally.total, tally.stored) == (4, 2)
    assert [(stored, failed) for stored, failed, _ in told] == [(0, 0), (1, 0), (1, 1), (2, 1), (2, 2)]
    assert told[0][2] is None
    assert isinstance(told[2][2], Failure)
    again = Counting([])
    run_grid(replace(EXPERIMENT, grids=(wrong,)), path, again, ignore)
    assert [run.method for run in again.performed] == ["nonsense", "nonsense"]


def test_two_at_once_on_the_same_results(tmp_path: Path) -> None:
    path = tmp_path / "results.db"

    def start_another(tally: Tally, outcome: Outcome | None) -> None:
        with pytest.raises(StorageBusyError, match="Another process is adding"):
            run_grid(EXPERIMENT, path, InProcess(), ignore)

    assert run_grid(EXPERIMENT.narrow(seeds=1), path, InProcess(), start_another).stored == 1


def test_results_are_kept_by_the_name_of_the_experiment() -> None:
    assert results_path(EXPERIMENT) == Path("runs/bench/try.db")
