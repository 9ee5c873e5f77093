"""Small experiments performed for their figures, and the figures that are written."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from matplotlib.figure import Figure

from snakebo.bench.experiment import Experiment
from snakebo.bench.experiment_file import parse_experiment
from snakebo.bench.perform import perform
from snakebo.bench.results import Results
from snakebo.bench.studies import RUNS

Prepare = Callable[[dict[str, Any]], tuple[Experiment, Path]]


@pytest.fixture
def prepare(tmp_path: Path) -> Prepare:
    """Perform an experiment, given as plain data; return it and its results."""

    def perform_all(table: dict[str, Any]) -> tuple[Experiment, Path]:
        experiment, path = parse_experiment({"title": "A try", **table}, "try"), tmp_path / "try.db"
        if experiment.kind == "grid":
            with Results.open(path) as results:
                for run in experiment.runs():
                    results.add(perform(run))
        else:
            RUNS[experiment.kind](experiment, path, lambda done, total: None)
        return experiment, path

    return perform_all


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[Figure]:
    """All figures that are written."""
    figures: list[Figure] = []
    write = Figure.savefig

    def keep(figure: Figure, *arguments: Any, **options: Any) -> None:
        figures.append(figure)
        write(figure, *arguments, **options)

    monkeypatch.setattr(Figure, "savefig", keep)
    return figures
