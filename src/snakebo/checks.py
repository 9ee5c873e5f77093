"""What comes from outside is checked here: numbers, names, arrays of points."""

import difflib
import math
import operator
from collections.abc import Iterable, Mapping, Sequence
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from snakebo.errors import InputError

Points = NDArray[np.float64]  # (n, d): one row a point
Mask = NDArray[np.bool_]  # (n,)


def as_real(value: object, what: str, *, finite: bool = True) -> float:
    """Return `value` as a float; a bool, text, complex, None or (by default) infinity is an error."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, Real):
        raise InputError(f"{what} must be a real number; got {value!r} ({type(value).__name__}).")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if math.isnan(number) or (finite and math.isinf(number)):
        raise InputError(f"{what} must be a finite number; got {number}.")
    return number


def as_whole(value: object, what: str, least: int) -> int:
    """Return a whole number of at least `least`, or raise InputError."""
    try:
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        number = least - 1
    if number < least or isinstance(value, bool):
        raise InputError(f"{what} must be a whole number of at least {least}; got {value!r}.")
    return number


def as_reals(values: object, size: int, what: str, meaning: str) -> tuple[float, ...]:
    """Return `size` real numbers, infinite ones included; `meaning` names them in the error."""
    if isinstance(values, str) or not isinstance(values, Iterable) or len(numbers := tuple(values)) != size:
        raise InputError(f"{what} must be {meaning}; got {values!r}.")
    return tuple(as_real(value, what, finite=False) for value in numbers)


def as_mapping(values: object, what: str) -> dict[str, Any]:
    """Return a copy of a non-empty mapping by variable name."""
    if not isinstance(values, Mapping) or not values or not all(isinstance(name, str) for name in values):
        raise InputError(f"{what} must be a non-empty mapping from variable names; got {values!r}.")
    return dict(values)


def as_points(X: ArrayLike, dim: int | None = None) -> Points:
    """Return `X` as a finite float64 array (n, dim)."""
    points = np.asarray(X)
    if points.ndim != 2 or (dim is not None and points.shape[1] != dim):
        columns = "d" if dim is None else dim
        raise InputError(f"points must have shape (n, {columns}), one row a point; got {points.shape}.")
    if points.dtype.kind not in "fiu":
        raise InputError(f"points must be real numbers; got an array of {points.dtype}.")
    points = points.astype(np.float64, copy=False)
    if not np.isfinite(points).all():
        bad = int(np.flatnonzero(~np.isfinite(points).all(axis=1))[0])
        raise InputError(f"points must be finite numbers; row {bad} is {points[bad].tolist()}.")
    return points


def suggest(given: object, known: Iterable[str]) -> str:
    """Return " Did you mean …?" with the known name closest to a given one, or nothing if none is close."""
    close = difflib.get_close_matches(str(given)[:100], list(known), n=1)
    return f" Did you mean {close[0]!r}?" if close else ""


def check_known(names: Iterable[str], known: Sequence[str], what: str) -> None:
    """Raise InputError unless every name is known; the message suggests the closest and lists them all."""
    unknown = [name for name in names if name not in known]
    if not unknown:
        return
    parts = []
    for name in unknown:
        close = difflib.get_close_matches(str(name), known, n=1)
        parts.append(f"{name!r} (did you mean {close[0]!r}?)" if close else repr(name))
    raise InputError(f"{what}: unknown variable {', '.join(parts)}. The variables are {', '.join(known)}.")


def check_exact(names: Iterable[str], known: Sequence[str], what: str) -> None:
    """Raise InputError unless the names are exactly the known ones, in any order."""
    given = list(names)
    check_known(given, known, what)
    if missing := [name for name in known if name not in given]:
        raise InputError(
            f"{what}: no value for {', '.join(map(repr, missing))}. Give every variable of the space."
        )
