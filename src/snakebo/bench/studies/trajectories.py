"""Where the runs of an experiment went."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from snakebo.bench.experiment import Experiment
from snakebo.bench.exported import read_results
from snakebo.bench.run import KEY, Run
from snakebo.errors import InputError
from snakebo.space import Points


def read_trajectories(experiment: Experiment, results: Path) -> Mapping[Run, Points]:
    """Return the points (n, d) of each run that is done, in the user's units and the order of the plan.

    Raises InputError if none is done.
    """
    reader = read_results(results)
    runs = {row["run"]: _as_run(row) for row in reader.runs()[["run", *KEY]].to_dict("records")}
    ordered = reader.paths().sort_values(["run", "step"])
    found = {runs[number]: np.vstack(list(steps)) for number, steps in ordered.groupby("run")["x"]}
    done = {run: found[run] for run in experiment.runs() if run in found}
    if not done:
        raise InputError(
            f"{results} has no run of {experiment.name} yet. Make some: snakebo bench run {experiment.name}"
        )
    return done


def _as_run(row: Mapping[Hashable, Any]) -> Run:
    """The run of a row; tables write NaN where there is no limit on the cost."""
    key = {name: row[name] for name in KEY}
    limit = key["cost_budget"]
    if isinstance(limit, float) and math.isnan(limit):
        key["cost_budget"] = None
    return Run(**key)
