"""Estimates of the non-escape probability in a SQLite file, keyed by everything that decides them."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import astuple, fields
from pathlib import Path
from typing import TYPE_CHECKING, Self

from snakebo.bench.database import Format, open_to_add, open_to_read, translated
from snakebo.bench.studies.non_escape import Setting

if TYPE_CHECKING:
    import pandas as pd

_FORMAT = Format(
    what="non-escape probabilities",
    application=0x736E6B70,  # "snkp"
    version=1,
    tables="""
CREATE TABLE non_escape (
    problem TEXT NOT NULL, protocol TEXT NOT NULL, low REAL NOT NULL, high REAL NOT NULL,
    samples INTEGER NOT NULL, grid INTEGER NOT NULL, repeat INTEGER NOT NULL, observations INTEGER NOT NULL,
    p REAL NOT NULL, PRIMARY KEY (problem, protocol, low, high, samples, grid, repeat, observations)
) WITHOUT ROWID;
""",
)


class NonEscapeResults:
    """The estimates in a file. `open` to add to them, `read` to look at them while another process adds."""

    def __init__(
        self, path: Path, connection: sqlite3.Connection, held: sqlite3.Connection | None = None
    ) -> None:
        self.path = path
        self._connection = connection
        self._held = held

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open a file for adding, and make it if there is none; nobody else can until it is closed.

        Raises StorageBusyError if somebody else has it open, StorageFormatError if it is something else.
        """
        return cls(*open_to_add(path, _FORMAT))

    @classmethod
    def read(cls, path: Path) -> Self:
        """Open a file for reading only. Raises StorageError if there is none."""
        return cls(*open_to_read(path, _FORMAT))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self._connection.close()
        if self._held is not None:
            self._held.close()

    def count(self, setting: Setting, repeat: int) -> int:
        """Return up to how many observations a repeat of a setting is done."""
        asked = " AND ".join(f"{field.name} = ?" for field in fields(Setting))
        with translated(self.path):
            (found,) = self._connection.execute(
                f"SELECT count(*) FROM non_escape WHERE {asked} AND repeat = ?", (*astuple(setting), repeat)
            ).fetchone()
        return int(found)

    def add(self, setting: Setting, repeat: int, estimates: Mapping[int, float]) -> None:
        """Add the estimates of a repeat by their numbers of observations, all or none of them."""
        rows = [(*astuple(setting), repeat, number, p) for number, p in estimates.items()]
        with translated(self.path), self._connection as connection:
            connection.executemany("INSERT INTO non_escape VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)

    def frame(self) -> pd.DataFrame:
        """Return all estimates, a row each; the columns are those of the table."""
        import pandas as pd

        with translated(self.path):
            cursor = self._connection.execute("SELECT * FROM non_escape")
            return pd.DataFrame(cursor.fetchall(), columns=[column[0] for column in cursor.description])
