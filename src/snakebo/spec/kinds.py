"""How parts of a definition are told apart, and how those stand in it that are code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from snakebo.checks import suggest
from snakebo.errors import SpecError
from snakebo.spec.table import Path, Table, as_table, shown

CODE = "code"


def as_code(part: object) -> dict[str, str]:
    """Write a part that is code: its class, for people to know what to give again."""
    return {"kind": CODE, "what": type(part).__name__}


def holds_code(value: object) -> bool:
    """Tell whether a part as written is code or has code in it."""
    if isinstance(value, Mapping):
        return value.get("kind") == CODE or any(map(holds_code, value.values()))
    return isinstance(value, list | tuple) and any(map(holds_code, value))


def kind_of(value: Any, path: Path, argument: str) -> str:
    """Return the kind of a part; SpecError if it is code, naming the argument to give it by."""
    table = as_table(value, path)
    if "kind" not in table:
        raise SpecError((*path, "kind"), "is missing.")
    kind = table["kind"]
    if not isinstance(kind, str):
        raise SpecError((*path, "kind"), f"must be a text; got {shown(kind)}.")
    if kind == CODE:
        what = Table(value, path, ("kind", "what")).text("what", "an object")
        raise SpecError(
            path,
            f"is code ({what:.60}), which cannot be written down. Pass it again: "
            f"Campaign.load(…, {argument}=…).",
        )
    return kind


def unknown_kind(kind: str, path: Path, known: Sequence[str]) -> SpecError:
    """Return the error for a kind that there is not."""
    return SpecError(
        (*path, "kind"),
        f"unknown kind {shown(kind)}.{suggest(kind, known)} Choose one of {', '.join(known)}.",
    )
