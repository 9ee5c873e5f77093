"""The figure of the non-escape probability: mean and spread over the repeats, for every setting."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure

from snakebo.bench.experiment import Experiment
from snakebo.bench.experiment_file import parse_experiment
from snakebo.bench.studies import FIGURES
from snakebo.bench.studies.non_escape import estimate_non_escape
from snakebo.bench.studies.non_escape_study import NonEscape
from snakebo.errors import InputError

Prepare = Callable[[dict[str, Any]], tuple[Experiment, Path]]

FIXED = {"outputscale": 0.6, "lengthscales": 0.1, "noise": 1e-5}
TABLE: dict[str, Any] = {
    "title": "A try",
    "kind": "non-escape",
    "problem": "bimodal1d",
    "intervals": [[0.1, 0.2], [0.0, 0.1]],
    "fixed": [FIXED, {**FIXED, "outputscale": 0.36}],
    "observations": 3,
    "samples": 50,
    "repeats": 2,
    "grid": 51,
}


def test_a_row_for_each_interval(prepare: Prepare, drawn: list[Figure], tmp_path: Path) -> None:
    experiment, results = prepare(TABLE)
    FIGURES["non-escape"](experiment, results, tmp_path, "png")
    (figure,) = drawn
    assert len(figure.axes) == 2 * 2
    curves = [line for panel in figure.axes[1::2] for line in panel.get_lines()]
    for setting, line in zip(NonEscape.read(experiment.parameters).settings, curves, strict=True):
        means = [np.mean([estimate_non_escape(setting, r, n) for r in range(2)]) for n in (1, 2, 3)]
        np.testing.assert_allclose(np.asarray(line.get_xydata()), np.column_stack([[1, 2, 3], means]))
    assert all(len(panel.collections) == 2 for panel in figure.axes[1::2])  # a band around each


def test_settings_without_estimates_are_named(prepare: Prepare, tmp_path: Path) -> None:
    _, results = prepare(TABLE)
    finer = parse_experiment({**TABLE, "samples": 60}, "try")
    with pytest.raises(InputError, match="samples=60"):
        FIGURES["non-escape"](finer, results, tmp_path, "png")
