"""How figures are made and written."""

from pathlib import Path

import matplotlib as mpl
import pytest

from snakebo.bench.look import FORMATS, WIDTH, canvas, save


def test_panels_come_row_by_row() -> None:
    with canvas(columns=3, height=2.0, rows=2) as (figure, panels):
        assert len(panels) == 6
        assert tuple(figure.get_size_inches()) == (WIDTH, 2.0)
        assert [panel.get_subplotspec().rowspan.start for panel in panels] == [0, 0, 0, 1, 1, 1]  # type: ignore[union-attr]


def test_the_style_stays_inside() -> None:
    before = dict(mpl.rcParams)
    with canvas(columns=1, height=1.0):
        assert dict(mpl.rcParams) != before
    assert dict(mpl.rcParams) == before


@pytest.mark.parametrize("form", FORMATS)
def test_equal_figures_give_equal_files(form: str, tmp_path: Path) -> None:
    files = []
    for name in ("one", "two"):
        with canvas(columns=1, height=1.0) as (figure, (panel,)):
            panel.plot([0, 1], [1, 0], label="a line")
            panel.legend()
            files.append(save(figure, tmp_path / name, "figure", form))
    assert files[0] == tmp_path / "one" / f"figure.{form}"
    assert files[0].read_bytes() == files[1].read_bytes()
