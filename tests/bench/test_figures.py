"""Figures are found by name, and refusals say what to do."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from snakebo.bench import experiment, figures
from snakebo.bench.figures import draw_figures
from snakebo.bench.studies import Draw
from snakebo.errors import InputError


def test_every_name_that_a_file_may_use_is_drawn() -> None:
    assert set(figures.FIGURES) == set(experiment.FIGURES)


def test_figures_are_drawn_in_the_order_of_the_file(
    small: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def drawer(name: str) -> Draw:
        return lambda experiment, results, directory, form: [directory / f"{name}.{form}"]

    monkeypatch.setattr(figures, "FIGURES", {name: drawer(name) for name in ("curves", "lake")})
    both = replace(small.experiment, figures=("lake", "curves"))
    files = draw_figures(both, small.results, tmp_path, "svg")
    assert [file.name for file in files] == ["lake.svg", "curves.svg"]


def test_experiment_without_figures(small: Any, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r'figures = \["curves"\]'):
        draw_figures(replace(small.experiment, figures=()), small.results, tmp_path)


def test_unknown_format(small: Any, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="pdf, svg, png; got 'gif'"):
        draw_figures(small.experiment, small.results, tmp_path, "gif")
