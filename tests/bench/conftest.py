"""A small grid of real runs, of which one method has fewer seeds than planned and another none."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from snakebo.bench.experiment import Experiment
from snakebo.bench.experiment_file import read_experiment
from snakebo.bench.perform import perform
from snakebo.bench.results import Results
from snakebo.bench.series import Series, collect_series

SMALL = """
title = "A small grid & more"
problems = ["branin2d"]
budgets = [15, 8]
methods = ["snake", "ei", "random-tour", "ucb"]
protocols = ["cold"]
seeds = 3
figures = ["curves"]

[paper]
setting = "sync"
columns = {snake = "l-SnAKe", ei = "EI", random-tour = "Random", ucb = "UCB"}

[[also]]
problems = ["ypacarai"]
budgets = [12]
cost_budget = 1.0
methods = ["random-tour"]
seeds = 4
"""


@dataclass(frozen=True)
class Small:
    """The experiment, its file, and its results."""

    experiment: Experiment
    file: Path
    results: Path

    def collect(self) -> tuple[Series, ...]:
        """Return all series that are planned."""
        with Results.read(self.results) as results:
            return collect_series(self.experiment.runs(), results.steps())


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Small:
    """The small grid, performed once for all tests."""
    folder = tmp_path_factory.mktemp("small")
    (folder / "small.toml").write_text(SMALL, encoding="utf-8")
    experiment = read_experiment(folder / "small.toml")
    with Results.open(folder / "small.db") as results:
        for run in experiment.runs():
            if run.method != "ucb" and (run.method, run.seed) != ("ei", 2):
                results.add(perform(run))
    return Small(experiment, folder / "small.toml", folder / "small.db")
