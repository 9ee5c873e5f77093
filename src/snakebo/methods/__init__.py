"""Methods by name. A new one is a file here and a line in this table."""

from __future__ import annotations

from difflib import get_close_matches
from importlib import import_module
from typing import TYPE_CHECKING

from snakebo.errors import InputError

if TYPE_CHECKING:
    from snakebo.methods.method import Method

_METHODS = {
    "snake": "snake:SnAKe",
    "snake-paper": "snake_paper:SnAKePaper",
    "snake-resampling": "snake_resampling:SnAKeResampling",
    "random-tour": "random_tour:RandomTour",
}


def names() -> tuple[str, ...]:
    """Return the names of all methods."""
    return tuple(_METHODS)


def get(method: str | Method) -> Method:
    """Return a method by its name, with its default settings; a method is returned as it is."""
    if not isinstance(method, str):
        if not callable(getattr(method, "plan", None)):
            raise InputError(f"A method is a name or has plan(view, rng); got {method!r}.")
        return method
    if method not in _METHODS:
        close = get_close_matches(method, _METHODS, n=1)
        hint = f" Did you mean {close[0]!r}?" if close else ""
        raise InputError(f"Unknown method {method!r}; choose one of {', '.join(_METHODS)}.{hint}")
    module, name = _METHODS[method].split(":")
    found: Method = getattr(import_module(f"snakebo.methods.{module}"), name)()
    return found
