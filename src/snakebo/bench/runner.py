"""Run an experiment: what is missing in its results is performed, and stored as it comes."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from snakebo.bench.executors import Executor, Failure, Outcome
from snakebo.bench.experiment import Experiment
from snakebo.bench.results import Results
from snakebo.bench.studies import RUNS, StudyWatcher


@dataclass
class Tally:
    """How far an experiment has come: runs in all, those that are stored, and those that failed this time."""

    total: int
    stored: int
    failures: list[Failure] = field(default_factory=list)


Watcher = Callable[[Tally, Outcome | None], object]  # is told at the beginning, and when a run has ended


def results_path(experiment: Experiment) -> Path:
    """Return where the results of an experiment are kept unless told otherwise."""
    return Path("runs") / "bench" / f"{experiment.name}.db"


def run_grid(experiment: Experiment, path: str | Path, executor: Executor, watch: Watcher) -> Tally:
    """Perform the runs that are missing in the results at `path`, and store each as soon as it has ended.

    A run that fails leaves nothing behind, so that it is missing the next time. Raises StorageBusyError if
    another process is adding to these results.
    """
    with Results.open(path) as results:
        runs, done = experiment.runs(), results.done()
        missing = [run for run in runs if run not in done]
        tally = Tally(len(runs), len(runs) - len(missing))
        watch(tally, None)
        with closing(executor.outcomes(missing)) as outcomes:
            for outcome in outcomes:
                if isinstance(outcome, Failure):
                    tally.failures.append(outcome)
                else:
                    results.add(outcome)
                    tally.stored += 1
                watch(tally, outcome)
        return tally


def run_study(experiment: Experiment, path: str | Path, watch: StudyWatcher) -> None:
    """Perform what is missing of an experiment that is no grid of runs."""
    RUNS[experiment.kind](experiment, Path(path), watch)
