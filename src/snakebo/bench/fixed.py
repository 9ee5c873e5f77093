"""Hyper-parameters that an experiment fixes; a single number stands for all variables or all objectives."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from snakebo.bench.inline import read_settings, write_settings
from snakebo.errors import InputError, SpecError
from snakebo.problems.problem import Problem
from snakebo.spec.table import Path, Table, as_number, as_numbers, shown
from snakebo.surrogate.gp import Hyperparameters
from snakebo.surrogate.kernel import KERNELS
from snakebo.surrogate.protocol import Fixed

_KEYS = ("outputscale", "lengthscales", "noise", "mean", "kernel")
_PREFIX = "fixed:"
_KERNEL = "rbf"  # the paper's


def name_fixed(value: Any, path: Path) -> str:
    """Return the protocol of a run with these hyper-parameters; SpecError names the key at fault."""
    table = Table(value, path, _KEYS)
    kernel = table.text("kernel", _KERNEL)
    if kernel not in KERNELS:
        raise SpecError(table.at("kernel"), f"must be one of {', '.join(KERNELS)}; got {shown(kernel)}.")
    needed = ("outputscale", "lengthscales", "noise")
    numbers = {key: _read_numbers(table.get(key), table.at(key)) for key in needed}
    mean = _read_numbers(table.get("mean", 0.0), table.at("mean"))
    return _PREFIX + write_settings({**numbers, "mean": mean, "kernel": kernel})


def is_fixed(protocol: str) -> bool:
    """Whether the protocol of a run holds hyper-parameters."""
    return protocol.startswith(_PREFIX)


def read_fixed(protocol: str, problem: Problem) -> Fixed:
    """Return the hyper-parameters of a run, a set for each objective of its problem. Raises InputError."""
    settings = read_settings(protocol.removeprefix(_PREFIX))
    objectives = len(problem.objectives)
    lengthscales = _spread(settings["lengthscales"], problem.space.dim, "lengthscales", "variables")
    by_objective = (
        _spread(settings[key], objectives, key, "objectives") for key in ("outputscale", "noise", "mean")
    )
    return Fixed(
        tuple(
            Hyperparameters(lengthscales, outputscale, noise, mean, settings["kernel"])
            for outputscale, noise, mean in zip(*by_objective, strict=True)
        )
    )


def _read_numbers(value: Any, path: Path) -> float | tuple[float, ...]:
    several = isinstance(value, Sequence) and not isinstance(value, str)
    return as_numbers(value, path) if several else as_number(value, path)


def _spread(value: float | list[float], size: int, key: str, what: str) -> tuple[float, ...]:
    if not isinstance(value, list):
        return (float(value),) * size
    if len(value) != size:
        raise InputError(f"{key} has {len(value)} numbers for {size} {what}.")
    return tuple(map(float, value))
