"""How figures look: type for a column of print, and colours that everybody can tell apart."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Okabe and Ito (2008)
INK, QUIET, PALE = "#1f2933", "#7b8794", "#d5dbe1"
BLUE, RED, GREEN, ORANGE, SKY = "#0072b2", "#d55e00", "#009e73", "#e69f00", "#56b4e9"

FORMATS = ("pdf", "svg", "png")
WIDTH = 7.2  # inches: two columns of print

_STYLE: dict[Any, Any] = {
    "font.family": "DejaVu Sans", "font.size": 7.5, "axes.titlesize": 8, "axes.labelsize": 7.5,
    "legend.fontsize": 7, "xtick.labelsize": 7, "ytick.labelsize": 7, "axes.titlelocation": "left",
    "axes.spines.top": False, "axes.spines.right": False, "axes.linewidth": 0.6, "axes.edgecolor": INK,
    "axes.labelcolor": INK, "text.color": INK, "xtick.color": INK, "ytick.color": INK,
    "xtick.major.width": 0.6, "ytick.major.width": 0.6, "xtick.major.size": 2.5, "ytick.major.size": 2.5,
    "lines.linewidth": 1.2, "legend.frameon": False, "savefig.dpi": 300, "pdf.fonttype": 42,
    "svg.fonttype": "none", "svg.hashsalt": "snakebo",
}  # fmt: skip


@contextmanager
def canvas(columns: int, height: float, rows: int = 1) -> Iterator[tuple[Figure, list[Axes]]]:
    """Give a figure of the page's width with rows × columns panels, and its panels row by row."""
    import matplotlib as mpl
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(WIDTH, height), layout="constrained")
        FigureCanvasAgg(figure)
        panels = figure.subplots(rows, columns, squeeze=False)
        yield figure, list(panels.ravel())


def save(figure: Figure, directory: Path, name: str, form: str) -> Path:
    """Write a figure; equal figures give equal files."""
    directory.mkdir(parents=True, exist_ok=True)
    path = directory / f"{name}.{form}"
    undated = {"pdf": {"CreationDate": None}, "svg": {"Date": None}}.get(form)
    figure.savefig(path, format=form, metadata=undated)
    if form == "png":
        _reduce(path)
    return path


def _reduce(path: Path) -> None:
    """Keep 64 colours, which look the same in a drawing and take a quarter of the space."""
    from PIL import Image  # comes with Matplotlib

    with Image.open(path) as image:
        fewer = image.convert("RGB").quantize(64)
    fewer.save(path, optimize=True, dpi=(300, 300))
