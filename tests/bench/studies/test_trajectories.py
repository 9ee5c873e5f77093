"""Where runs went, from a database and from its export."""

from pathlib import Path

import numpy as np
import pytest

from snakebo.bench.experiment import Experiment, Grid, Place
from snakebo.bench.exported import export
from snakebo.bench.perform import perform
from snakebo.bench.results import Results
from snakebo.bench.studies.trajectories import read_trajectories
from snakebo.errors import InputError, StorageError

GRID = Grid((Place("branin2d", "random", ("cold",)),), (6,), (0,), ("random-tour",), None, (0, 1, 2))
EXPERIMENT = Experiment("try", "A try", grids=(GRID,))


@pytest.fixture
def results(tmp_path: Path) -> Path:
    with Results.open(tmp_path / "try.db") as stored:
        for run in reversed(EXPERIMENT.runs()[:2]):
            stored.add(perform(run))
    return tmp_path / "try.db"


def test_points_of_all_runs_that_are_done(results: Path) -> None:
    found = read_trajectories(EXPERIMENT, results)
    assert list(found) == list(EXPERIMENT.runs()[:2])
    for run, points in found.items():
        np.testing.assert_array_equal(points, perform(run).steps.x)


def test_an_export_says_the_same(results: Path, tmp_path: Path) -> None:
    export(Results.read(results), tmp_path / "exported")
    found, again = (read_trajectories(EXPERIMENT, path) for path in (results, tmp_path / "exported"))
    assert list(found) == list(again)
    for run in found:
        np.testing.assert_allclose(found[run], again[run], rtol=1e-6)


def test_without_a_run_the_command_is_named(tmp_path: Path) -> None:
    with Results.open(tmp_path / "try.db"):
        pass
    with pytest.raises(InputError, match="snakebo bench run try"):
        read_trajectories(EXPERIMENT, tmp_path / "try.db")
    with pytest.raises(StorageError):
        read_trajectories(EXPERIMENT, tmp_path / "none.db")
