"""Settings in one line of text, both ways: `noise=0.1,cost="geodesic"`, the inside of a TOML inline table."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

from snakebo.errors import InputError

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_WHOLE = 1e15  # larger floats are written as such


def write_settings(settings: Mapping[str, Any]) -> str:
    """Write settings so that equal ones give equal texts: keys in order, 1.0 as 1."""
    return ",".join(f"{_write_key(key)}={_write_value(settings[key])}" for key in sorted(settings))


def read_settings(text: str) -> dict[str, Any]:
    """Read what `write_settings` wrote."""
    settings: dict[str, Any] = tomllib.loads(f"settings={{{text}}}")["settings"]
    return settings


def _write_key(key: str) -> str:
    return key if _BARE.fullmatch(key) else json.dumps(key, ensure_ascii=False)


def _write_value(value: Any) -> str:
    if isinstance(value, Mapping):
        return f"{{{write_settings(value)}}}"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return f"[{','.join(map(_write_value, value))}]"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < _WHOLE else repr(value)
    try:
        return json.dumps(value, ensure_ascii=False)
    except TypeError:
        raise InputError(f"A setting is a text, a number, a list or a table; got {value!r}.") from None
