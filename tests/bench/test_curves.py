"""Curves: every panel shows what it should, nothing overlaps, and equal results give equal files."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from snakebo.bench.bands import regret_by_cost
from snakebo.bench.curves import draw_curves, draw_problem, find_cost_limit
from snakebo.bench.look import save
from snakebo.bench.results import Results
from snakebo.errors import InputError

MAGIC = {"pdf": b"%PDF", "svg": b"<?xml", "png": b"\x89PNG"}


@contextmanager
def catching() -> Iterator[dict[str, Any]]:
    """Catch figures by the name of their file, as Matplotlib holds them."""
    caught: dict[str, Any] = {}

    def catch(figure: Any, directory: Path, name: str, form: str) -> Path:
        caught[name] = figure
        return save(figure, directory, name, form)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("snakebo.bench.curves.save", catch)
        yield caught


@pytest.fixture(scope="module")
def figures(small: Any, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    with catching() as caught:
        draw_curves(small.experiment, small.results, tmp_path_factory.mktemp("figures"), "png")
    return caught


@pytest.mark.parametrize("form", MAGIC)
def test_files_are_what_they_say_and_the_same_again(small: Any, tmp_path: Path, form: str) -> None:
    little = small.experiment.narrow(budgets=[15], problems=["branin2d"])
    (file,) = draw_curves(little, small.results, tmp_path, form)
    assert file == tmp_path / f"small-branin2d.{form}"
    content = file.read_bytes()
    assert content.startswith(MAGIC[form])
    draw_curves(little, small.results, tmp_path, form)
    assert file.read_bytes() == content


def test_a_figure_for_each_problem_and_objective(figures: dict[str, Any]) -> None:
    objectives = [f"small-ypacarai-{name}" for name in ("o1", "o2", "o3")]
    assert list(figures) == ["small-branin2d", *objectives]


def test_a_row_of_three_panels_for_each_cell(figures: dict[str, Any]) -> None:
    panels = figures["small-branin2d"].axes
    assert len(panels) == 6
    assert [panel.get_title("left") for panel in panels[::3]] == ["branin2d, T = 8", "branin2d, T = 15"]
    assert [panel.get_ylabel() for panel in panels[:3]] == ["log-regret", "log-regret", "cost"]
    assert [panel.get_xlabel() for panel in panels[3:]] == ["cost", "step", "step"]


def test_curves_are_those_of_the_series(small: Any, figures: dict[str, Any]) -> None:
    drawn = [each for each in small.collect() if each.cell.budget == 15 and each.done]
    by_cost, by_step, cost = figures["small-branin2d"].axes[3:]
    for index, series in enumerate(drawn):
        lines = [line for line in by_step.lines if len(line.get_xdata()) > 1]
        np.testing.assert_allclose(lines[index].get_ydata(), series.log_regret.mean(axis=0))
        np.testing.assert_allclose(cost.lines[index].get_ydata(), series.spent.mean(axis=0))
        band = regret_by_cost(series, find_cost_limit(drawn))
        curve = [line for line in by_cost.lines if len(line.get_xdata()) > 1][index]
        np.testing.assert_allclose(curve.get_ydata(), band.mean)
    assert len(by_step.collections) == len(drawn), "a band each"


def test_cost_is_limited_to_what_snake_or_random_reach(small: Any) -> None:
    row = [each for each in small.collect() if each.cell.budget == 15 and each.done]
    reached = {each.method: each.spent.max() for each in row}
    assert find_cost_limit(row) == max(reached["snake"], reached["random-tour"])
    only = [each for each in row if each.method == "ei"]
    assert find_cost_limit(only) == reached["ei"]


def test_one_legend_names_what_was_drawn(figures: dict[str, Any]) -> None:
    figure = figures["small-branin2d"]
    (legend,) = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == ["snake", "ei", "random-tour"]
    assert all(panel.get_legend() is None for panel in figure.axes)


def check_layout(figure: Any) -> None:
    """Nothing may overlap, and nothing may be cut off."""
    figure.canvas.draw()
    page = figure.bbox
    boxes = [panel.get_tightbbox() for panel in figure.axes] + [figure.legends[0].get_tightbbox()]
    for one, other in combinations(boxes, 2):
        assert not one.overlaps(other)
    for box in boxes:
        assert page.x0 - 1 <= box.x0 < box.x1 <= page.x1 + 1
        assert page.y0 - 1 <= box.y0 < box.y1 <= page.y1 + 1


def test_everything_has_its_place(figures: dict[str, Any]) -> None:
    for figure in figures.values():
        check_layout(figure)


def test_many_long_names_have_their_place(small: Any, tmp_path: Path) -> None:
    series = next(each for each in small.collect() if each.done)
    row = [replace(series, method=f"snake:polish=0.05,keep=0.{digit}") for digit in range(1, 10)]
    with catching() as caught:
        draw_problem([row, row], "paper", tmp_path, "long", "png")
    assert len(caught["long"].legends[0].get_texts()) == 9
    check_layout(caught["long"])


def test_nothing_to_draw(small: Any, tmp_path: Path) -> None:
    Results.open(tmp_path / "empty.db").close()
    with pytest.raises(InputError, match="holds no run of small"):
        draw_curves(small.experiment, tmp_path / "empty.db", tmp_path / "figures", "png")
    assert not (tmp_path / "figures").exists()
