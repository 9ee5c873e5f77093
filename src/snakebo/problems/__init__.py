"""Test problems with a known optimum, by name.

A problem's module is imported when the problem is asked for, so listing the names costs nothing.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from snakebo.checks import suggest
from snakebo.errors import InputError

if TYPE_CHECKING:
    from snakebo.problems.problem import Problem

__all__ = ["get", "names"]

_BUILDERS = {  # name: "module:function"
    "branin2d": "synthetic:branin2d",
    "ackley4d": "synthetic:ackley4d",
    "michalewicz2d": "synthetic:michalewicz2d",
    "michalewicz2d-paper": "synthetic:michalewicz2d_paper",
    "hartmann3d": "hartmann:hartmann3d",
    "hartmann4d": "hartmann:hartmann4d",
    "hartmann6d": "hartmann:hartmann6d",
    "perm10d": "synthetic:perm10d",
    "snar4d": "snar:snar4d",
    "snar4d-paper": "snar:snar4d_paper",
    "snar4d-two": "snar:snar4d_two",
    "ypacarai-o1": "ypacarai:ypacarai_o1",
    "ypacarai-o2": "ypacarai:ypacarai_o2",
    "ypacarai-o3": "ypacarai:ypacarai_o3",
    "ypacarai": "ypacarai:ypacarai",
    "bimodal1d": "synthetic:bimodal1d",
}


def names() -> tuple[str, ...]:
    """Name every problem that `get` can build."""
    return tuple(_BUILDERS)


def get(name: str, **settings: Any) -> Problem:
    """Build the problem of that name; every problem has the setting `noise`.

    Raises InputError if the name, or a setting, is unknown.
    """
    if name not in names():
        raise InputError(_describe_unknown("problem", name, names()))
    module, _, function = _BUILDERS[name].partition(":")
    build: Callable[..., Problem] = getattr(importlib.import_module(f"{__name__}.{module}"), function)
    known = tuple(inspect.signature(build).parameters)
    for setting in settings:
        if setting not in known:
            raise InputError(_describe_unknown(f"setting of {name}", setting, known))
    return build(**settings)


def _describe_unknown(kind: str, given: str, known: tuple[str, ...]) -> str:
    return f"No {kind} is called {given!r}.{suggest(str(given).lower(), known)} Known: {', '.join(known)}."
