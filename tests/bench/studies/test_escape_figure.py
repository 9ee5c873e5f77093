"""The figure of an escape: queries, all paths, and the prediction."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure

from snakebo.bench.experiment import Experiment
from snakebo.bench.studies import FIGURES, escape_figure
from snakebo.errors import InputError

Prepare = Callable[[dict[str, Any]], tuple[Experiment, Path]]

ESCAPE: dict[str, Any] = {
    "problems": ["bimodal1d"],
    "budgets": [8, 6],
    "methods": ["snake-resampling", "snake:epsilon=0.1", "snake"],
    "protocols": ["fixed"],
    "fixed": {"outputscale": 0.6, "lengthscales": 0.1, "noise": 1e-5},
    "start": {"x": 0.16},
    "seeds": 2,
}


def test_a_figure_for_each_budget(prepare: Prepare, drawn: list[Figure], tmp_path: Path) -> None:
    experiment, results = prepare(ESCAPE)
    files = FIGURES["escape"](experiment, results, tmp_path / "out", "png")
    assert [file.name for file in files] == ["try-T6.png", "try-T8.png"]
    for figure, budget in zip(drawn, (6, 8), strict=True):
        queries, _, paths = figure.axes
        assert np.shape(queries.get_lines()[-1].get_xydata()) == (budget, 2)  # a cross for each query
        curves = [np.asarray(line.get_xydata()) for line in paths.get_lines()]
        runs = [curve for curve in curves if len(curve) == budget]
        assert len(runs) == 3 * 2
        assert {curve[0, 1] for curve in runs} == {0.16}
        labels = [text.get_text() for text in figure.legends[1].get_texts()]
        assert labels[0].startswith("snake-resampling, ")
        share = float(labels[-1].removeprefix("p·T = ")) / budget
        assert share == pytest.approx(0.56, abs=0.5 / budget + 0.02)


def test_runs_with_and_without_deletion_are_needed(prepare: Prepare, tmp_path: Path) -> None:
    experiment, results = prepare({**ESCAPE, "methods": ["snake"], "budgets": [5]})
    with pytest.raises(InputError, match="T = 5"):
        FIGURES["escape"](experiment, results, tmp_path, "png")


def test_fixed_hyperparameters_are_needed(prepare: Prepare, tmp_path: Path) -> None:
    cold = {key: each for key, each in ESCAPE.items() if key != "fixed"}
    experiment, results = prepare({**cold, "protocols": ["cold"], "methods": ["random-tour"]})
    with pytest.raises(InputError, match="fixed"):
        FIGURES["escape"](experiment, results, tmp_path, "png")


def test_runs_that_never_leave_are_not_taken_for_late_ones() -> None:
    leaves, stays = np.array([[0.1], [0.2], [0.8]]), np.array([[0.1], [0.2], [0.3]])
    describe: Any = escape_figure._describe_leaving
    assert describe({0: leaves, 1: leaves}, (0.0, 0.46), 3) == "leaves at 2"
    assert describe({0: leaves, 1: stays}, (0.0, 0.46), 3) == "1 of 2 leave"
    assert describe({0: stays, 1: stays}, (0.0, 0.46), 3) == "0 of 2 leave"
