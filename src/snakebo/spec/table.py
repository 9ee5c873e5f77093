"""Tables of a written definition: keys are looked up with checks, and every complaint names its place."""

from __future__ import annotations

import math
import reprlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from numbers import Real
from typing import Any, TypeVar

import numpy as np

from snakebo.checks import suggest
from snakebo.errors import InputError, SpecError

Path = tuple[str | int, ...]
Default = TypeVar("Default")

_NEEDED: Any = object()
_INFINITE = {"inf": math.inf, "+inf": math.inf, "-inf": -math.inf}


class Table:
    """A mapping from texts with the path that leads to it. A key that is None counts as left out."""

    def __init__(self, value: object, path: Path, known: Sequence[str]) -> None:
        """Raise SpecError unless `value` is a mapping whose keys are all known."""
        self.path = path
        self.entries = {key: each for key, each in as_table(value, path).items() if each is not None}
        for key in self.entries:
            if key not in known:
                raise SpecError(
                    (*path, key), f"unknown key.{suggest(key, known)} The keys here are {', '.join(known)}."
                )

    def __contains__(self, key: str) -> bool:
        return key in self.entries

    def at(self, key: str) -> Path:
        """Return the path to a key."""
        return (*self.path, key)

    def get(self, key: str, default: Any = _NEEDED) -> Any:
        """Return what stands under a key, unchecked."""
        if key not in self.entries and default is _NEEDED:
            raise SpecError(self.at(key), "is missing.")
        return self.entries.get(key, default)

    def real(self, key: str, default: Default = _NEEDED, *, finite: bool = True) -> float | Default:
        """Return a number; where it may be infinite, the text "inf" will do."""
        return as_number(self.get(key), self.at(key), finite=finite) if self._given(key, default) else default

    def whole(self, key: str, default: Default = _NEEDED) -> int | Default:
        """Return a whole number."""
        if not self._given(key, default):
            return default
        value = self.get(key)
        if isinstance(value, bool) or not isinstance(value, int):
            raise SpecError(self.at(key), f"must be a whole number; got {shown(value)}.")
        return value

    def text(self, key: str, default: Default = _NEEDED) -> str | Default:
        """Return a text."""
        if not self._given(key, default):
            return default
        value = self.get(key)
        if not isinstance(value, str):
            raise SpecError(self.at(key), f"must be a text; got {shown(value)}.")
        return value

    def flag(self, key: str, default: Default = _NEEDED) -> bool | Default:
        """Return true or false."""
        if not self._given(key, default):
            return default
        value = self.get(key)
        if not isinstance(value, bool):
            raise SpecError(self.at(key), f"must be true or false; got {shown(value)}.")
        return value

    def items(self, key: str, default: Any = _NEEDED) -> list[tuple[Any, Path]]:
        """Return the elements of a list, each with its path."""
        if not self._given(key, default):
            return list(default)
        return as_items(self.get(key), self.at(key))

    def reals(self, key: str, size: int | None = None, *, finite: bool = True) -> tuple[float, ...]:
        """Return the numbers of a list."""
        return as_numbers(self.get(key), self.at(key), size, finite=finite)

    def by_name(self, key: str) -> list[tuple[str, Any, Path]]:
        """Return name, element and path of each entry of a table by name."""
        return [(name, each, (*self.at(key), name)) for name, each in self.named(key).items()]

    def named(self, key: str) -> dict[str, Any]:
        """Return a table by name, its entries unchecked."""
        return as_table(self.get(key), self.at(key))

    def _given(self, key: str, default: object) -> bool:
        return key in self.entries or default is _NEEDED


def as_table(value: object, path: Path) -> dict[str, Any]:
    """Return a mapping whose keys are texts."""
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        raise SpecError(path, f"must be a table of named entries; got {shown(value)}.")
    return dict(value)


def as_items(value: object, path: Path) -> list[tuple[Any, Path]]:
    """Return the elements of a list with their paths."""
    if isinstance(value, str | bytes) or not isinstance(value, Sequence):
        raise SpecError(path, f"must be a list; got {shown(value)}.")
    return [(each, (*path, index)) for index, each in enumerate(value)]


def as_number(value: object, path: Path, *, finite: bool = True) -> float:
    """Return a number that is not NaN and, unless allowed, not infinite."""
    if not finite and isinstance(value, str) and value.strip().lower() in _INFINITE:
        return _INFINITE[value.strip().lower()]
    if isinstance(value, bool) or not isinstance(value, Real):
        raise SpecError(path, f"must be a number; got {shown(value)}.")
    try:
        number = float(value)
    except OverflowError:
        number = math.nan
    if math.isnan(number) or (finite and math.isinf(number)):
        raise SpecError(path, f"must be a finite number; got {shown(value)}.")
    return number


def as_numbers(
    value: object, path: Path, size: int | None = None, *, finite: bool = True
) -> tuple[float, ...]:
    """Return the numbers of a list, `size` of them if it is given."""
    items = as_items(value, path)
    if size is not None and len(items) != size:
        raise SpecError(path, f"must be a list of {size} numbers; got {shown(value)}.")
    return tuple(as_number(each, where, finite=finite) for each, where in items)


@contextmanager
def located(path: Path) -> Iterator[None]:
    """Turn an InputError raised inside into a SpecError of this place, unless it knows a better one."""
    try:
        with np.errstate(over="raise", invalid="raise", divide="raise"):
            yield
    except SpecError:
        raise
    except InputError as error:
        raise SpecError(path, str(error)) from error
    except (FloatingPointError, OverflowError) as error:
        raise SpecError(path, f"the numbers are too large or too small to reckon with ({error}).") from error


def shown(value: object) -> str:
    """Return a value for a message: cut short, and whatever its repr may do."""
    try:
        return f"{reprlib.repr(value)} ({type(value).__name__})"
    except Exception:
        return f"something unprintable ({type(value).__name__})"
