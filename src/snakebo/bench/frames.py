"""Tables of results: the same columns whether they come from a database or from Parquet files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from snakebo.bench.run import KEY

if TYPE_CHECKING:
    import pandas as pd

RUN_COLUMNS = (*KEY, "versions", "started_at", "seconds", "seconds_guess")
STEP_COLUMNS = (
    *KEY, "run", "step", "objective", "cost", "spent", "seconds", "value", "regret", "best",
)  # fmt: skip

_WHOLE = ("run", "step", "budget", "delay", "seed")
_REAL = ("cost_budget", "cost", "seconds", "seconds_guess", "value", "regret")


def set_types(frame: pd.DataFrame) -> pd.DataFrame:
    """Return whole and real numbers as such, also where there are none; no cost budget is NaN."""
    types = {**dict.fromkeys(_WHOLE, "int64"), **dict.fromkeys(_REAL, "float64")}
    return frame.astype({name: kind for name, kind in types.items() if name in frame})


def follow_steps(runs: pd.DataFrame, steps: pd.DataFrame) -> pd.DataFrame:
    """Return steps with the keys of their runs, the cost spent so far, and the best regret so far.

    steps: run, step, objective, cost, seconds, value, regret. Rows come by run, objective and step.
    """
    ordered = steps.sort_values(["run", "objective", "step"], kind="stable", ignore_index=True)
    groups = ordered.groupby(["run", "objective"], sort=False, observed=True)
    ordered["spent"] = groups["cost"].cumsum()
    ordered["best"] = groups["regret"].cummin()
    keys = runs.set_index("run")[list(KEY)]
    joined = ordered.join(keys, on="run")
    return joined[list(STEP_COLUMNS)]
