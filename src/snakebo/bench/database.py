"""SQLite files with results: opened and told apart, locked by the one process that adds to them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from snakebo.errors import StorageBusyError, StorageError, StorageFormatError

_PATIENCE_S = 30.0


@dataclass(frozen=True)
class Format:
    """A kind of file, known by two numbers in its header; `tables` are the statements that make one."""

    what: str
    application: int
    version: int
    tables: str


def connect(file: Path, form: Format, *, write: bool) -> sqlite3.Connection:
    """Open a file, for writing also a new one. Raises StorageFormatError if it is something else."""
    mode = "rwc" if write else "rw"  # also to read: what a killed process left half written is to be undone
    with translated(file):
        connection = sqlite3.connect(f"{file.absolute().as_uri()}?mode={mode}", timeout=_PATIENCE_S, uri=True)
        try:
            if not write:
                connection.execute("PRAGMA query_only = ON")
            _check_format(connection, file, form, write)
        except BaseException:
            connection.close()
            raise
        return connection


def open_to_add(path: str | Path, form: Format) -> tuple[Path, sqlite3.Connection, sqlite3.Connection]:
    """Return a file, a connection to add to it, and the lock that keeps others from it until it is closed.

    The file and its directory are made if they are not there. Raises StorageError.
    """
    file = Path(path).resolve()  # the lock is by name
    if file.is_dir():
        raise StorageError(f"{path} is a directory; results are added to a file, such as {file.name}.db.")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError(f"{file.parent} cannot be made: {error}. Choose another path.") from error
    held = lock(file)
    try:
        return file, connect(file, form, write=True), held
    except BaseException:
        held.close()
        raise


def open_to_read(path: str | Path, form: Format) -> tuple[Path, sqlite3.Connection]:
    """Return a file and a connection to read it. Raises StorageError."""
    file = Path(path)
    if not file.is_file():
        raise StorageError(f"There are no results at {file}. Make them with: snakebo bench run")
    return file, connect(file, form, write=False)


def lock(file: Path) -> sqlite3.Connection:
    """Keep all others from adding to a file until the connection is closed, or the process ends.

    It is an empty SQLite file beside the other one, so that reading goes on. Raises StorageBusyError.
    """
    with translated(file):
        held = sqlite3.connect(file.with_name(f"{file.name}.lock"), timeout=0, isolation_level=None)
        try:
            held.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            held.close()
            if error.sqlite_errorname != "SQLITE_BUSY":
                raise
            raise StorageBusyError(
                f"Another process is adding to {file}. Wait for it, end it, or choose other --results."
            ) from None
        return held


@contextmanager
def translated(file: Path) -> Iterator[None]:
    """Turn errors of SQLite into ours, which name the file and what to do."""
    try:
        yield
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorname", "")
        if code.startswith(("SQLITE_NOTADB", "SQLITE_CORRUPT")):
            raise StorageFormatError(
                f"{file} is not a database, or it is damaged ({error}). Check the path, or restore a backup."
            ) from error
        if code.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
            raise StorageBusyError(f"{file} is in use for more than {_PATIENCE_S:g} s. Try again.") from error
        raise StorageError(f"{file} cannot be used: {error}. What was stored is as it was.") from error


def _check_format(connection: sqlite3.Connection, file: Path, form: Format, write: bool) -> None:
    connection.execute("BEGIN")  # all of it as of one moment: another process may be making the tables
    application, version, tables = (
        connection.execute(sql).fetchone()[0]
        for sql in ("PRAGMA application_id", "PRAGMA user_version", "SELECT count(*) FROM sqlite_master")
    )
    connection.rollback()
    if write and not tables:
        header = f"PRAGMA application_id = {form.application}; PRAGMA user_version = {form.version};"
        connection.executescript(f"BEGIN; {form.tables} {header} COMMIT;")
    elif not tables:
        raise StorageError(f"{file} has no {form.what} yet.")
    elif application != form.application:
        raise StorageFormatError(f"{file} is a database, but not one of {form.what}. Give another path.")
    elif version != form.version:
        raise StorageFormatError(
            f"{file} has {form.what} in format {version}; this snakebo knows {form.version}. "
            "Use the snakebo that wrote it, or another path."
        )
