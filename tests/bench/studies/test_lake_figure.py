"""The figure of the lake: a panel for each objective, its contours cut off at the shore."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from matplotlib.figure import Figure

from snakebo.bench.experiment import Experiment
from snakebo.bench.studies import FIGURES
from snakebo.bench.studies.trajectories import read_trajectories
from snakebo.errors import InputError

Prepare = Callable[[dict[str, Any]], tuple[Experiment, Path]]

LAKE: dict[str, Any] = {
    "problems": ["ypacarai"],
    "budgets": [8],
    "cost_budget": 2.0,
    "methods": ["random-tour"],
    "protocols": ["cold"],
    "seeds": 1,
}


def test_the_path_over_each_objective(prepare: Prepare, drawn: list[Figure], tmp_path: Path) -> None:
    experiment, results = prepare(LAKE)
    (file,) = FIGURES["lake"](experiment, results, tmp_path / "out", "svg")
    assert file.name == "try.svg"
    ((path,), (figure,)) = read_trajectories(experiment, results).values(), drawn
    assert [panel.get_title(loc="left") for panel in figure.axes] == ["(a) o1", "(b) o2", "(c) o3"]
    for panel in figure.axes:
        assert panel.get_lines()[0].get_xydata().tolist() == path.tolist()  # type: ignore[union-attr]
        assert all(drawing.get_clip_path() is not None for drawing in panel.collections)
    assert [text.get_text() for text in figure.legends[0].get_texts()] == [
        "path", "first query", "last query", "optimum",
    ]  # fmt: skip


def test_a_shore_is_needed(prepare: Prepare, tmp_path: Path) -> None:
    experiment, results = prepare({**LAKE, "problems": ["branin2d"]})
    with pytest.raises(InputError, match="polygon"):
        FIGURES["lake"](experiment, results, tmp_path, "png")
