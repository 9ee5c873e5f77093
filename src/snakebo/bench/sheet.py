"""Sheet: a table with a title and groups of rows, whatever it will be written as."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Tone = Literal["plain", "good", "bad"]


@dataclass(frozen=True)
class Text:
    """What stands in one place of a sheet; `tone` is for terminals, which have colours."""

    text: str
    bold: bool = False
    tone: Tone = "plain"


NOTHING = Text("–")


@dataclass(frozen=True)
class Group:
    """Rows that belong together, such as all methods in a cell."""

    label: str
    rows: tuple[tuple[Text, ...], ...]


@dataclass(frozen=True)
class Sheet:
    """The first columns, `names` of them, say what a row is about; the others hold numbers."""

    title: str
    columns: tuple[str, ...]
    groups: tuple[Group, ...]
    names: int = 1
