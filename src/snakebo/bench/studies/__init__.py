"""The paper's studies that are no tables: escaping from a local optimum, one step in pictures, the lake.

`RUNS` performs the kinds of experiment that are no grid of runs: function(experiment, results, progress).
`FIGURES` draws: function(experiment, results, directory, format) returns the files written. Matplotlib is
imported when something is drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from snakebo.bench.experiment import Experiment

StudyWatcher = Callable[[int, int], object]  # is told how much is done, of how much
Run = Callable[[Experiment, Path, StudyWatcher], None]
Draw = Callable[[Experiment, Path, Path, str], list[Path]]  # experiment, results, directory, format → files


def _on_demand(module: str, function: str) -> Callable[..., Any]:
    """A function of a module here, which is imported when it is called."""

    def call(*arguments: Any) -> Any:
        return getattr(import_module(f"{__name__}.{module}"), function)(*arguments)

    return call


RUNS: Mapping[str, Run] = {
    "non-escape": _on_demand("non_escape_study", "run_non_escape"),
    "step": _on_demand("step", "run_step"),
}
FIGURES: Mapping[str, Draw] = {
    "escape": _on_demand("escape_figure", "draw_escape"),
    "lake": _on_demand("lake_figure", "draw_lake"),
    "non-escape": _on_demand("non_escape_figure", "draw_non_escape"),
    "step": _on_demand("step_figure", "draw_step"),
}
