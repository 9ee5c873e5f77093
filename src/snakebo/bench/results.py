"""Results of an experiment in one SQLite file: a run is there with all of its steps, or not at all."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from snakebo.bench.database import Format, connect, open_to_add, open_to_read, translated
from snakebo.bench.frames import RUN_COLUMNS, follow_steps, set_types
from snakebo.bench.record import Record
from snakebo.bench.run import KEY, Run
from snakebo.errors import StorageError

if TYPE_CHECKING:
    import pandas as pd

_FORMAT = Format(
    what="results of runs",
    application=0x736E6B62,
    version=1,
    tables="""
CREATE TABLE runs (
    id INTEGER PRIMARY KEY, problem TEXT NOT NULL, budget INTEGER NOT NULL, delay INTEGER NOT NULL,
    method TEXT NOT NULL, protocol TEXT NOT NULL, cost_budget REAL, start TEXT NOT NULL,
    seed INTEGER NOT NULL, versions TEXT NOT NULL, started_at TEXT NOT NULL, seconds REAL NOT NULL,
    seconds_guess REAL NOT NULL
);
CREATE UNIQUE INDEX run_once  -- on an expression, because NULL differs from NULL
    ON runs (problem, budget, delay, method, protocol, coalesce(cost_budget, -1), start, seed);
CREATE TABLE steps (
    run INTEGER NOT NULL REFERENCES runs, step INTEGER NOT NULL, cost REAL NOT NULL, seconds REAL NOT NULL,
    x TEXT NOT NULL, PRIMARY KEY (run, step)
) WITHOUT ROWID;
CREATE TABLE observations (
    run INTEGER NOT NULL REFERENCES runs, step INTEGER NOT NULL, objective TEXT NOT NULL,
    value REAL NOT NULL, regret REAL NOT NULL, PRIMARY KEY (run, step, objective)
) WITHOUT ROWID;
""",
)


class Results:
    """The results in a file: `open` them to add to them, `read` them, also while another process adds."""

    def __init__(self, path: Path, *to_add: sqlite3.Connection) -> None:
        self.path = path
        self._to_add = to_add  # the connection and the lock, where it is open for adding

    @classmethod
    def open(cls, path: str | Path) -> Self:
        """Open the file for adding, and make it if there is none; nobody else can until it is closed.

        Raises StorageBusyError if somebody else has it open, StorageFormatError if it is something else.
        """
        return cls(*open_to_add(path, _FORMAT))

    @classmethod
    def read(cls, path: str | Path) -> Self:
        """Return the results for reading only; there is nothing to close. Raises StorageError."""
        file, connection = open_to_read(path, _FORMAT)
        connection.close()
        return cls(file)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file, and let others add to it."""
        for each in self._to_add:
            each.close()

    def done(self) -> set[Run]:
        """Return the runs that are there."""
        return {Run(*row) for row in self._query(f"SELECT {', '.join(KEY)} FROM runs")[0]}

    def add(self, record: Record) -> bool:
        """Add a run with all its steps, or nothing; return False, and change nothing, if it is there."""
        about = (record.versions, record.started_at, record.seconds, record.seconds_guess)
        row = (*(getattr(record.run, name) for name in KEY), *about)
        columns, places = ", ".join(RUN_COLUMNS), ", ".join("?" * len(RUN_COLUMNS))
        if not self._to_add:
            raise StorageError(f"{self.path} was opened for reading; use Results.open to add to it.")
        with translated(self.path), self._to_add[0] as connection:  # one transaction
            added = connection.execute(
                f"INSERT INTO runs ({columns}) VALUES ({places}) ON CONFLICT DO NOTHING", row
            )
            if not added.rowcount:
                return False
            number = int(added.lastrowid or 0)
            connection.executemany("INSERT INTO steps VALUES (?, ?, ?, ?, ?)", _step_rows(number, record))
            connection.executemany(
                "INSERT INTO observations VALUES (?, ?, ?, ?, ?)", _observation_rows(number, record)
            )
        return True

    def runs(self) -> pd.DataFrame:
        """Return a row for each run: its key, versions, when and how long; `run` is its number."""
        return self._frame(f"SELECT id AS run, {', '.join(RUN_COLUMNS)} FROM runs ORDER BY id")

    def steps(self) -> pd.DataFrame:
        """Return a row for each run, step and objective; see `follow_steps` for the columns."""
        steps = self._frame(
            "SELECT run, step, objective, cost, seconds, value, regret "
            "FROM steps JOIN observations USING (run, step)"
        )
        return follow_steps(self.runs(), steps)

    def paths(self) -> pd.DataFrame:
        """Return where each run went: run, step, x (a list in the order of the problem's variables)."""
        paths = self._frame("SELECT run, step, x FROM steps ORDER BY run, step")
        return paths.assign(x=[json.loads(text) for text in paths["x"]])

    def _frame(self, sql: str) -> pd.DataFrame:
        import pandas as pd

        rows, columns = self._query(sql)
        return set_types(pd.DataFrame(rows, columns=columns))

    def _query(self, sql: str) -> tuple[list[tuple[Any, ...]], list[str]]:
        """The rows and the names of the columns, through a connection of its own."""
        with translated(self.path), closing(connect(self.path, _FORMAT, write=False)) as connection:
            cursor = connection.execute(sql)
            return cursor.fetchall(), [column[0] for column in cursor.description]


def _step_rows(number: int, record: Record) -> Iterator[tuple[object, ...]]:
    steps = record.steps
    columns = (steps.cost.tolist(), steps.seconds.tolist(), map(json.dumps, steps.x.tolist()))
    for step, row in enumerate(zip(*columns, strict=True)):
        yield number, step, *row


def _observation_rows(number: int, record: Record) -> Iterator[tuple[object, ...]]:
    both = np.stack([record.steps.values, record.steps.regrets], axis=2)  # (n, objectives, 2)
    for step, by_objective in enumerate(both.tolist()):
        for objective, (value, regret) in zip(record.objectives, by_objective, strict=True):
            yield number, step, objective, value, regret
