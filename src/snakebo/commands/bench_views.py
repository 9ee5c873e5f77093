"""bench table, figures: what the results of an experiment say."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from snakebo.commands.bench import ExperimentName, ResultsPath
from snakebo.commands.display import stdout
from snakebo.errors import InputError


class TableFormat(StrEnum):
    """What tables can be written as."""

    TERMINAL = "terminal"
    MARKDOWN = "markdown"
    LATEX = "latex"


class Metrics(StrEnum):
    """What tables can show."""

    REGRET = "regret"
    COST = "cost"
    BOTH = "both"


class FigureFormat(StrEnum):
    """What figures can be written as."""

    PDF = "pdf"
    SVG = "svg"
    PNG = "png"


def table(
    experiment: ExperimentName,
    results: ResultsPath = None,
    form: Annotated[TableFormat, typer.Option("--format", help="For whom to write.")] = TableFormat.TERMINAL,
    metric: Annotated[Metrics, typer.Option("--metric", help="Which numbers to show.")] = Metrics.BOTH,
) -> None:
    """Print final regret and cost for every cell, beside the paper's numbers where it has them.

    Mean ± standard deviation, the best in bold, which of the two is better and by how many standard errors
    of the difference; at the end, in how many cells ours is at least as good. A cell without a run shows –.

    \b
    Examples:
      snakebo bench table synchronous
      snakebo bench table results-snar --results docs/results/snar --format markdown > table.md
      snakebo bench table mine.toml --format latex --metric cost
    """
    from snakebo.bench import render
    from snakebo.bench.experiment_file import read_experiment
    from snakebo.bench.runner import results_path
    from snakebo.bench.series import read_series
    from snakebo.bench.summary import summarise
    from snakebo.bench.table import make_notes, make_sheets

    chosen = read_experiment(experiment)
    if chosen.kind != "grid":
        raise InputError(f"{chosen.name} is no grid of runs and has no table; see: snakebo bench figures")
    series = read_series(chosen, results or results_path(chosen))
    entries = summarise(series, chosen.paper.columns if chosen.paper else {})
    content = (chosen.title, make_sheets(entries, metric.value), make_notes(entries))
    if form is TableFormat.TERMINAL:
        stdout().print(*render.render_terminal(*content), sep="\n")
    else:
        write = render.render_markdown if form is TableFormat.MARKDOWN else render.render_latex
        sys.stdout.write(write(*content))


def figures(
    experiment: ExperimentName,
    results: ResultsPath = None,
    to: Annotated[Path, typer.Option("--to", metavar="DIR", help="Directory for the files.")] = Path(
        "figures"
    ),
    form: Annotated[FigureFormat, typer.Option("--format", help="Of the files.")] = FigureFormat.PDF,
) -> None:
    """Draw the figures of an experiment.

    Curves of regret and cost for a grid of runs; what else an experiment draws is said in its file.

    \b
    Examples:
      snakebo bench figures synchronous
      snakebo bench figures results-snar --results docs/results/snar --to pictures --format png
    """
    from snakebo.bench.experiment_file import read_experiment
    from snakebo.bench.figures import draw_figures
    from snakebo.bench.runner import results_path

    chosen = read_experiment(experiment)
    for file in draw_figures(chosen, results or results_path(chosen), to, form.value):
        print(f"Wrote {file}")
