"""How large a definition may be that comes over HTTP: one request must not keep the service busy for hours.

With `snake`, a plan at any of these limits takes about ten seconds of a core and less than a gigabyte, and so
does one with the most variables and the largest settings together.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any

from snakebo import methods
from snakebo.errors import SpecError
from snakebo.spec.table import Path, located

_MOST_STEPS = 100_000
_MOST = {
    "variables": 30,
    "objectives": 10,
    "region": 50,
    "vertices": 1000,
    "holes": 100,
    "points": 20_000,
    "costs": 50,
    "sets": 10,
    "guess": 10,
}  # entries of the lists under a key, all of them together
_LONGEST = 1000  # letters of a text
_DEEPEST = 60  # keys and indices to a place
_DECIMAL = re.compile(r"(?<![\w.-])[+-]?\d+\.\d+(?:[eE][+-]?\d+)?(?![\w.-])")  # that is no part of a key
_TIMES = 4  # the usual, for whole numbers among the settings of a method


def check_keys(toml: str) -> None:
    """Raise SpecError for a dotted key of very many parts, which tomllib would read for hours."""
    if max(line.count(".") for line in _DECIMAL.sub("0", toml).split("\n")) > _DEEPEST:
        raise SpecError((), f"a line has more than {_DEEPEST} dots, those in numbers not counted.")


def check_size(spec: Any) -> None:
    """Raise SpecError for a definition that is larger than the service takes; its form is checked later."""
    counts: Counter[str] = Counter()
    for path, value in _walk(spec):
        if len(path) > _DEEPEST:
            raise SpecError(path[:3], f"is nested more than {_DEEPEST} deep.")
        texts = [value, *path[-1:]]
        if any(isinstance(text, str) and len(text) > _LONGEST for text in texts):
            raise SpecError(path[:-1], f"has a text of more than {_LONGEST} letters.")
        key = path[-1] if path else None
        if key in _MOST and isinstance(value, list):
            counts[str(key)] += len(value)
            if counts[str(key)] > _MOST[str(key)]:
                raise SpecError(path, f"must have at most {_MOST[str(key)]} entries, all in all, over HTTP.")
    if isinstance(spec, Mapping):
        _check_budget(spec.get("budget"))
        _check_method(spec.get("method"))


def _walk(spec: Any) -> Iterator[tuple[Path, Any]]:
    """All values with the path to each; not by recursion, which a deep definition would exhaust."""
    waiting: list[tuple[Path, Any]] = [((), spec)]
    while waiting:
        path, value = waiting.pop()
        yield path, value
        if isinstance(value, Mapping):
            waiting.extend(((*path, key), each) for key, each in value.items())
        elif isinstance(value, list):
            waiting.extend(((*path, index), each) for index, each in enumerate(value))


def _check_budget(budget: Any) -> None:
    if isinstance(budget, int) and budget > _MOST_STEPS:
        raise SpecError(("budget",), f"must be at most {_MOST_STEPS} over HTTP.")


def _check_method(text: Any) -> None:
    if not isinstance(text, str):
        return
    with located(("method",)):
        method: Any = methods.get(text)
    for each in fields(method):
        value, usual = getattr(method, each.name), each.default
        if type(value) is type(usual) is int and value > _TIMES * usual:
            raise SpecError(("method",), f"{each.name} must be at most {_TIMES * usual} over HTTP.")
