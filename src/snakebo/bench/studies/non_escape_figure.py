"""Figure: the non-escape probability against the number of observations, and what the surrogate has seen."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from snakebo.bench.experiment import Experiment
from snakebo.bench.inline import read_settings
from snakebo.bench.look import BLUE, GREEN, ORANGE, PALE, RED, canvas, save
from snakebo.bench.run import find_problem
from snakebo.bench.studies.non_escape import Setting, observe_interval
from snakebo.bench.studies.non_escape_results import NonEscapeResults
from snakebo.bench.studies.non_escape_study import NonEscape
from snakebo.bench.studies.posterior_panel import draw_posterior
from snakebo.errors import InputError

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

_COLOURS = (BLUE, RED, GREEN, ORANGE)
_MARKS = "os^D"


def draw_non_escape(experiment: Experiment, results: Path, directory: Path, form: str) -> list[Path]:
    """Draw a row for each interval: the surrogate at the end of the first repeat, and p with its spread.

    Raises InputError if an estimate is missing for a setting altogether.
    """
    study = NonEscape.read(experiment.parameters)
    with NonEscapeResults.read(results) as stored:
        frame = stored.frame()
    intervals = list(dict.fromkeys((setting.low, setting.high) for setting in study.settings))
    with canvas(columns=2, rows=len(intervals), height=2.0 * len(intervals) + 0.3) as (figure, panels):
        for row, (low, high) in enumerate(intervals):
            here = [each for each in study.settings if (each.low, each.high) == (low, high)]
            before, after = panels[2 * row : 2 * row + 2]
            before.sharey(panels[0])
            _draw_observed(before, here[0], study.observations)
            _draw_estimates(after, here, study, frame)
            before.set_title(f"{study.observations} observations in [{low:g}, {high:g}]")
            after.set_title(f"Share of samples with their maximum in [{low:g}, {high:g}]")
        figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower left", ncols=4)
        return [save(figure, directory, experiment.name, form)]


def _draw_observed(panel: Axes, setting: Setting, observations: int) -> None:
    panel.axvspan(setting.low, setting.high, color=PALE, alpha=0.6, linewidth=0)
    draw_posterior(panel, find_problem(setting.problem), observe_interval(setting, 0, observations))


def _draw_estimates(panel: Axes, settings: Sequence[Setting], study: NonEscape, frame: pd.DataFrame) -> None:
    """Mean ± standard deviation over the repeats, for each set of hyper-parameters."""
    for number, setting in enumerate(settings):
        rows = _rows_of(frame, setting, study)
        if rows.empty:
            raise InputError(f"There is no estimate for {setting} yet. Make them with: snakebo bench run")
        groups = rows.groupby("observations")["p"]
        mean, spread = groups.mean(), groups.std(ddof=1).fillna(0.0)
        colour = _COLOURS[number % len(_COLOURS)]
        scale = read_settings(setting.protocol.partition(":")[2])["outputscale"]
        panel.fill_between(mean.index, mean - spread, mean + spread, color=colour, alpha=0.2, linewidth=0)
        panel.plot(
            mean.index, mean, _MARKS[number % len(_MARKS)], linestyle="-", color=colour, markersize=2.5,
            label=f"output scale {scale:g}: {mean.iloc[-1]:.2f} in the end", clip_on=False, zorder=3,
        )  # fmt: skip
    panel.set(
        xlabel="observations in the interval", ylabel="non-escape probability", ylim=(0.0, 1.0),
        xlim=(min(1, study.observations - 1), study.observations),
    )  # fmt: skip
    panel.locator_params(axis="x", integer=True)
    panel.legend(loc="best")


def _rows_of(frame: pd.DataFrame, setting: Setting, study: NonEscape) -> pd.DataFrame:
    mine = (frame["repeat"] < study.repeats) & (frame["observations"] <= study.observations)
    for name, value in vars(setting).items():
        mine &= frame[name] == value
    return frame[mine]
