"""A storage in a database: SQLite for one machine, PostgreSQL for several.

A change is one transaction that first takes the campaign's lock: in SQLite the file's (BEGIN IMMEDIATE), in
PostgreSQL that of its row (SELECT … FOR UPDATE). It is on disk before anybody is told so.
"""

from __future__ import annotations

import os
import time
import weakref
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection, Engine
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError, SQLAlchemyError

from snakebo.checks import as_real
from snakebo.errors import CampaignExistsError, InputError, StorageBusyError, StorageError
from snakebo.storage.failures import translate, unknown_campaign
from snakebo.storage.journal import (
    Change,
    Event,
    Journal,
    Plan,
    check_name,
    from_text,
    from_texts,
    now,
    to_text,
)
from snakebo.storage.schema import VERSION, bring_up_to_date, campaigns, events, plans, version_of

_SCHEMA_LOCK = 7_240_913_377  # for PostgreSQL's advisory lock: one process creates or migrates tables


class SqlStorage:
    """Campaigns in the tables of a database. Safe to use from several threads, processes and hosts."""

    def __init__(self, url: str, timeout_s: float = 30.0, create: bool = True) -> None:
        """Open the database, migrating its tables if need be. Raises StorageError, or InputError.

        create: whether to make it, and its tables, where they are not there yet.
        """
        self._url = _parse(url)
        self._secret = None if self._url.password is None else str(self._url.password)
        self._timeout_s = as_real(timeout_s, "timeout_s")
        self._sqlite = self._url.get_backend_name() == "sqlite"
        if self._sqlite and not create and not self._is_there():
            raise StorageError(f"{self.url}: there is no such file.")
        self._open(create)

    @property
    def url(self) -> str:
        """Where it is, without the password."""
        return self._url.render_as_string(hide_password=True)

    def __repr__(self) -> str:
        return f"<SqlStorage {self.url}>"

    def create(self, name: str, spec: Mapping[str, Any]) -> None:
        """Add a campaign with an empty journal. Raises CampaignExistsError."""
        row = {"name": check_name(name), "spec": to_text(spec), "created_at": now()}
        try:
            with self._transaction(write=True) as connection:
                connection.execute(campaigns.insert().values(**row))
                number = self._find(connection, name)
                connection.execute(plans.insert().values(campaign_id=number, seq=0, points="[]"))
        except StorageError as error:
            if isinstance(error.__cause__, IntegrityError):
                raise CampaignExistsError(f"{self.url} has a campaign {name!r} already.") from error
            raise

    def names(self) -> tuple[str, ...]:
        """Return the names of all campaigns, oldest first."""
        with self._transaction() as connection:
            return self._names(connection)

    def spec(self, name: str) -> dict[str, Any]:
        """Return the definition of a campaign."""
        with self._transaction() as connection:
            query = sa.select(campaigns.c.spec).where(campaigns.c.id == self._find(connection, name))
            text = connection.execute(query).scalar_one()
        found: dict[str, Any] = from_text(text, f"definition of {name!r}")
        return found

    def read(self, name: str, after: int = 0) -> Journal:
        """Return what happened after the event `after`, all of it as of one moment."""
        with self._transaction() as connection:
            return self._read(connection, name, self._find(connection, name), after)[0]

    @contextmanager
    def change(self, name: str, after: int) -> Iterator[Change]:
        """Hold the campaign against everybody else; one event may be written."""
        with self._transaction(write=True) as connection:
            number = self._find(connection, name, lock=True)
            change = Change(*self._read(connection, name, number, after))
            yield change
            if change.event is not None:
                row = {**vars(change.event), "payload": to_text(change.event.payload)}
                connection.execute(events.insert().values(campaign_id=number, **row))
                if change.plan is not None:
                    plan = {"seq": change.event.seq, "points": to_text(change.plan)}
                    before = {"previous_seq": plans.c.seq, "previous_points": plans.c.points}
                    ours = plans.update().where(plans.c.campaign_id == number)
                    connection.execute(ours.values(**plan, **before))

    def close(self) -> None:
        """Let go of files and connections; a later use opens them again."""
        self._engine.dispose()

    def __reduce__(self) -> tuple[object, ...]:
        return SqlStorage, (self._url.render_as_string(hide_password=False), self._timeout_s)

    # --- connections ------------------------------------------------------------------------------------

    def _open(self, create: bool) -> None:
        self._engine = self._make_engine()
        self._process, self._file = os.getpid(), self._identify()
        with self._transaction() as connection:
            version = version_of(connection)
        if version is None and not create:
            raise StorageError(f"{self.url} holds no campaigns of snakebo.")
        if version != VERSION:
            if self._sqlite:
                self._use_write_ahead_log()
            with self._transaction(write=True) as connection:
                if not self._sqlite:
                    connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_SCHEMA_LOCK})")
                bring_up_to_date(connection)
        self._file = self._identify()

    def _make_engine(self) -> Engine:
        # AUTOCOMMIT: transactions are begun and ended by the statements in `_transaction` and by nothing else
        timeout_ms = int(1000 * self._timeout_s)
        if self._sqlite:
            engine = sa.create_engine(
                self._url, isolation_level="AUTOCOMMIT", connect_args={"timeout": self._timeout_s}
            )
            settings = (f"busy_timeout = {timeout_ms}", "synchronous = FULL", "foreign_keys = ON")
            statements = [f"PRAGMA {each}" for each in settings]
        else:
            engine = sa.create_engine(
                self._url,
                isolation_level="AUTOCOMMIT",
                pool_pre_ping=True,
                connect_args={"connect_timeout": max(2, int(self._timeout_s))},
            )
            statements = [f"SET lock_timeout = {timeout_ms}"]

        @sa.event.listens_for(engine, "connect")
        def prepare(connection: Any, record: object) -> None:
            cursor = connection.cursor()
            for statement in statements:
                cursor.execute(statement)
            cursor.close()

        weakref.finalize(self, _dispose, engine, os.getpid())
        return engine

    @contextmanager
    def _transaction(self, write: bool = False) -> Iterator[Connection]:
        """Begin, commit when all went well, and undo everything when it did not."""
        if os.getpid() != self._process:  # a fork must not use or close its parent's connections
            self._inherited, self._engine = self._engine, self._make_engine()
            self._process = os.getpid()
        self._check_file()
        if self._sqlite:
            begin = "BEGIN IMMEDIATE" if write else "BEGIN"
        else:
            begin = "BEGIN" if write else "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
        try:
            with self._engine.connect() as connection:
                connection.exec_driver_sql(begin)
                try:
                    yield connection
                    connection.exec_driver_sql("COMMIT")
                except BaseException:
                    self._undo(connection)
                    raise
        except DBAPIError as error:
            raise translate(error, self.url, self._timeout_s, self._secret) from error
        except SQLAlchemyError as error:
            raise StorageError(f"{self.url} failed ({type(error).__name__}). Nothing was changed.") from error

    @staticmethod
    def _undo(connection: Connection) -> None:
        try:
            connection.exec_driver_sql("ROLLBACK")
        except DBAPIError:  # undone already, or out of reach: then the connection is of no more use
            connection.invalidate()

    def _use_write_ahead_log(self) -> None:
        """Readers then never wait for a writer. SQLite does not wait for locks here by itself."""
        deadline = time.monotonic() + self._timeout_s
        while True:
            try:
                with self._engine.connect() as connection:
                    connection.exec_driver_sql("PRAGMA journal_mode = WAL")
                return
            except DBAPIError as error:
                failure = translate(error, self.url, self._timeout_s, None)
                if not isinstance(failure, StorageBusyError) or time.monotonic() > deadline:
                    raise failure from error
                time.sleep(0.02)

    def _is_there(self) -> bool:
        database = str(self._url.database)
        return database.startswith("file:") or Path(database).exists()

    def _identify(self) -> tuple[int, int] | None:
        """Which file a SQLite database is: device and inode."""
        if not self._sqlite:
            return None
        with suppress(OSError):
            status = Path(str(self._url.database)).stat()
            return status.st_dev, status.st_ino
        return None

    def _check_file(self) -> None:
        """An open file that was removed or replaced would take everything and keep nothing."""
        if self._file is not None and self._identify() != self._file:
            raise StorageError(
                f"{self.url} was removed or replaced while it was in use. Put the file back, or load anew."
            )

    # --- rows -------------------------------------------------------------------------------------------

    def _find(self, connection: Connection, name: str, lock: bool = False) -> int:
        """The number of a campaign; with `lock` it is held against others until the transaction ends."""
        query = sa.select(campaigns.c.id).where(campaigns.c.name == name)
        number = connection.execute(query.with_for_update() if lock else query).scalar_one_or_none()
        if number is None:
            raise unknown_campaign(name, self._names(connection), self.url)
        return int(number)

    def _read(self, connection: Connection, name: str, number: int, after: int) -> tuple[Journal, int]:
        """What happened after an event, and the last one. A statement of its own: after the lock is held."""
        ours = events.c.campaign_id == number
        last = connection.execute(sa.select(sa.func.max(events.c.seq)).where(ours)).scalar_one() or 0
        if last < after:
            raise StorageError(
                f"{self.url} has {last} events of {name!r} and had {after}: was a backup restored? "
                "Load the campaign anew."
            )
        if last == after:
            return Journal(), last
        columns = (events.c.seq, events.c.kind, events.c.payload, events.c.at)
        since = sa.select(*columns).where(ours & (events.c.seq > after)).order_by(events.c.seq)
        found = connection.execute(since).all()
        payloads = from_texts([row.payload for row in found], after + 1, repr(name))
        journal = tuple(
            Event(seq, kind, payload, at) for (seq, kind, _, at), payload in zip(found, payloads, strict=True)
        )
        return Journal(journal, self._read_plans(connection, name, number, after)), last

    @staticmethod
    def _read_plans(connection: Connection, name: str, number: int, after: int) -> dict[int, Plan]:
        """The last two plans, as far as they came after an event."""
        before = sa.case((plans.c.previous_seq > after, plans.c.previous_points)).label("before")
        newer = (plans.c.campaign_id == number) & (plans.c.seq > after)
        query = sa.select(plans.c.previous_seq, before, plans.c.seq, plans.c.points).where(newer)
        row = connection.execute(query).one_or_none()
        texts = {} if row is None else {row.previous_seq: row.before, row.seq: row.points}
        return {seq: from_text(text, f"plan of {name!r}") for seq, text in texts.items() if text is not None}

    def _names(self, connection: Connection) -> tuple[str, ...]:
        return tuple(connection.execute(sa.select(campaigns.c.name).order_by(campaigns.c.id)).scalars())


def _dispose(engine: Engine, process: int) -> None:
    if os.getpid() == process:
        engine.dispose()


def _parse(url: str) -> sa.URL:
    try:
        parsed = sa.make_url(url)
    except (ArgumentError, ValueError) as error:
        raise InputError("storage must be a URL such as 'sqlite:///run.db'; it cannot be read.") from error
    backend = parsed.drivername.split("+")[0]
    if backend == "sqlite":
        if parsed.database in (None, "", ":memory:"):
            raise InputError("A SQLite storage needs a file, as in 'sqlite:///run.db'. In memory: 'memory:'.")
        return parsed
    if backend in ("postgresql", "postgres"):
        try:
            import psycopg  # noqa: F401
        except ImportError as error:
            raise StorageError("PostgreSQL needs psycopg: pip install 'snakebo[postgres]'.") from error
        return parsed.set(drivername="postgresql+psycopg")
    raise InputError(
        f"storage must be sqlite:///… or postgresql+psycopg://…; got {parsed.drivername!r} instead."
    )
