"""The figures of an experiment, by the names that its file gives them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from snakebo.bench.curves import draw_curves
from snakebo.bench.experiment import Experiment
from snakebo.bench.look import FORMATS
from snakebo.bench.studies import FIGURES as STUDIES
from snakebo.bench.studies import Draw
from snakebo.errors import InputError

FIGURES: Mapping[str, Draw] = {"curves": draw_curves, **STUDIES}


def draw_figures(
    experiment: Experiment, results: str | Path, directory: str | Path, form: str = "pdf"
) -> list[Path]:
    """Write all figures of an experiment to a directory, which is made if it is not there; return the files.

    Raises InputError if the experiment has no figures, or the format is unknown.
    """
    if form not in FORMATS:
        raise InputError(f"Figures are written as {', '.join(FORMATS)}; got {form!r}.")
    if not experiment.figures:
        raise InputError(
            f'{experiment.name} names no figures. Add to its file: figures = ["curves"]; '
            f"known are {', '.join(FIGURES)}."
        )
    try:
        import matplotlib  # noqa: F401 - a clear word before any work is done
    except ImportError:
        raise InputError("Figures need matplotlib: pip install 'snakebo[bench]'") from None
    given = (experiment, Path(results), Path(directory), form)
    return [file for name in experiment.figures for file in FIGURES[name](*given)]
