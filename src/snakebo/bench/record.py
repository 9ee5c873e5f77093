"""Record: what came out of a run."""

from __future__ import annotations

import json
import platform
from dataclasses import dataclass
from functools import cache
from importlib import metadata

import numpy as np
from numpy.typing import NDArray

from snakebo import __version__
from snakebo.bench.run import Run

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Steps:
    """A row for each trial, in the order of asking.

    x (n, d) and cost (n,) of the move to it in the user's units; seconds (n,) from the end of the evaluation
    before to the beginning of its own; values (n, objectives) as observed; regrets (n, objectives) of the
    values without noise.
    """

    x: Array
    cost: Array
    seconds: Array
    values: Array
    regrets: Array


@dataclass(frozen=True, eq=False)
class Record:
    """A run, its steps, and when, with what and how long it was performed."""

    run: Run
    objectives: tuple[str, ...]
    steps: Steps
    started_at: str  # UTC, ISO 8601
    seconds: float  # all of it, without the educated guess
    seconds_guess: float
    versions: str  # JSON


@cache
def versions() -> str:
    """Return the versions of all that a number may depend on, as JSON."""
    packages = {name: metadata.version(name) for name in ("numpy", "scipy", "torch")}
    return json.dumps({"snakebo": __version__, **packages, "python": platform.python_version()})
