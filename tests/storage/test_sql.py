"""Databases as they come: damaged, locked, full, read-only, out of reach, older and newer than ours."""

import os
import sqlite3
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

import snakebo as sb
from snakebo.errors import InputError, StorageBusyError, StorageError, StorageFormatError
from snakebo.storage import open_storage, schema

SMALL = "snake:candidates=64,features=64,climbs=4"
SPACE = sb.Space([sb.Variable("a", 0, 1), sb.Variable("b", 0, 1)])


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "run.db"


@pytest.fixture
def campaign(file: Path) -> Iterator[sb.Campaign]:
    """A campaign with one told and one outstanding trial, on SQLite with a short timeout."""
    storage = open_storage(f"sqlite:///{file}", timeout_s=0.2)
    found = sb.Campaign(SPACE, 20, "random-tour", storage=storage, name="run")
    found.tell(found.ask().id, 1.0)
    found.ask()
    yield found
    storage.close()


def load(file: Path) -> sb.Campaign:
    return sb.Campaign.load(open_storage(f"sqlite:///{file}", timeout_s=0.2), "run")


# --- settings of the connection ------------------------------------------------------------------------


def test_sqlite_waits_for_the_disk_and_readers_for_nobody(campaign: sb.Campaign, file: Path) -> None:
    storage: Any = campaign.storage
    with storage._engine.connect() as connection:
        found = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar_one()
            for name in ("journal_mode", "synchronous", "busy_timeout", "foreign_keys")
        }
    assert found == {"journal_mode": "wal", "synchronous": 2, "busy_timeout": 200, "foreign_keys": 1}


def test_a_forked_process_opens_its_own_connection(url: str) -> None:
    campaign = sb.Campaign(SPACE, 10, "random-tour", storage=url, name="run")
    campaign.ask()
    child = get_context("fork").Process(target=campaign.ask)
    child.start()
    child.join()
    assert child.exitcode == 0
    assert [trial.id for trial in campaign.trials] == [0, 1]
    assert campaign.ask().id == 2


# --- addresses -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("run.db", "write 'sqlite:///run.db'"),
        ("sqlite://", "needs a file"),
        ("sqlite:///:memory:", "needs a file"),
        ("mysql://me:secret@host/d", "must be sqlite:///"),
        ("postgresql://me:secret@host:port/d", "cannot be read"),
        ("::::", "cannot be read"),
    ],
)
def test_other_addresses_are_refused(url: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        open_storage(url)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("storage", [7, Path("run.db"), b"sqlite:///run.db"])
def test_other_things_are_refused(storage: Any) -> None:
    with pytest.raises(InputError, match="storage must be a URL"):
        sb.Campaign(SPACE, 3, storage=storage)


def test_a_server_out_of_reach_keeps_the_password_to_itself() -> None:
    url = "postgresql+psycopg://me:secret@127.0.0.1:1/d"
    with pytest.raises(StorageError, match=r"me:\*\*\*@127\.0\.0\.1:1/d cannot be reached") as caught:
        open_storage(url, timeout_s=2)
    assert "secret" not in str(caught.value)


def test_loading_makes_no_database(file: Path) -> None:
    with pytest.raises(StorageError, match="there is no such file"):
        sb.Campaign.load(f"sqlite:///{file}", "run")
    assert not file.exists()
    file.touch()
    with pytest.raises(StorageError, match="holds no campaigns"):
        sb.Campaign.load(f"sqlite:///{file}", "run")
    assert file.stat().st_size == 0


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="cannot be reached or opened"):
        open_storage(f"sqlite:///{tmp_path}/nowhere/run.db")


# --- failures ------------------------------------------------------------------------------------------


def test_a_locked_database(campaign: sb.Campaign, file: Path) -> None:
    before = campaign.trials
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        assert campaign.trials == before  # readers do not wait
        for change in (partial(campaign.ask), partial(campaign.tell, 1, 1.0)):
            with pytest.raises(StorageBusyError, match=r"locked by somebody else for more than 0\.2 s"):
                change()
        other.execute("ROLLBACK")
    assert campaign.trials == before == load(file).trials
    assert campaign.ask().id == 2


def test_a_locked_row(postgres_url: str) -> None:
    storage = open_storage(postgres_url, timeout_s=0.2)
    campaign = sb.Campaign(SPACE, 5, "random-tour", storage=storage, name="run")
    campaign.ask()
    other = sa.create_engine(postgres_url)
    with other.connect() as connection:
        connection.execute(sa.text("SELECT * FROM snakebo_campaigns FOR UPDATE"))
        with pytest.raises(StorageBusyError, match="locked by somebody else"):
            campaign.tell(0, 1.0)
    other.dispose()
    assert campaign.outstanding == campaign.trials
    campaign.tell(0, 1.0)
    storage.close()


def test_a_server_that_ends_connections(postgres_url: str) -> None:
    campaign = sb.Campaign(SPACE, 5, "random-tour", storage=postgres_url, name="run")
    campaign.ask()
    other = sa.create_engine(postgres_url, isolation_level="AUTOCOMMIT")
    with other.connect() as connection:
        connection.execute(
            sa.text(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE pid <> pg_backend_pid() AND datname = current_database()"
            )
        )
    other.dispose()
    assert campaign.ask().id == 1


def test_a_full_disk(campaign: sb.Campaign, file: Path) -> None:
    before = campaign.trials
    storage: Any = campaign.storage
    with storage._engine.connect() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")

    def fill() -> None:
        for _ in range(200):
            campaign.fail(1, os.urandom(2000).hex())

    with pytest.raises(StorageError, match="the disk is full"):
        fill()
    assert campaign.trial(0) == before[0]
    assert load(file).trials == campaign.trials
    storage.close()
    campaign.tell(1, 2.0, replace=True)
    assert load(file).trial(1).value == 2.0


def test_a_disk_that_fills_up_under_the_process(campaign: sb.Campaign, file: Path) -> None:
    """No file may grow beyond its present size: the operating system says no, not SQLite."""
    program = f"""
    import resource
    import snakebo as sb
    campaign = sb.Campaign.load("sqlite:///{file}", "run")
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
    for number in range(100):
        before = campaign.trials
        try:
            campaign.fail(1, "x" * 5000 + str(number))
        except sb.errors.StorageError as error:
            print(error)
            assert campaign.trials == before
            break
    """
    done = run(program)
    assert "Nothing was changed" in done.stdout, done.stderr
    assert load(file).trials == campaign.trials
    campaign.tell(1, 2.0, replace=True)
    assert load(file).trial(1).value == 2.0


def run(program: str, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        **options,
    )


def test_a_read_only_file(campaign: sb.Campaign, file: Path) -> None:
    before = campaign.trials
    campaign.storage.close()  # type: ignore[union-attr]
    read_only = open_storage(f"sqlite:///file:{file}?mode=ro&uri=true", timeout_s=0.2)
    reader = sb.Campaign.load(read_only, "run")
    assert reader.trials == before
    for change in (partial(reader.ask), partial(reader.tell, 1, 1.0)):
        with pytest.raises(StorageError, match="read-only for this user"):
            change()
    assert reader.trials == before == load(file).trials
    read_only.close()


def test_a_read_only_server(postgres_url: str) -> None:
    sb.Campaign(SPACE, 5, "random-tour", storage=postgres_url, name="run").ask()
    read_only = postgres_url.replace("options=", "options=-cdefault_transaction_read_only%3Don%20")
    reader = sb.Campaign.load(read_only, "run")
    with pytest.raises(StorageError, match="read-only"):
        reader.tell(0, 1.0)
    assert len(reader.outstanding) == 1


@pytest.mark.parametrize("content", [b"budget = 3\n" * 200, os.urandom(5000), b"\x00" * 5000, b"\x7fELF"])
def test_a_file_that_is_no_database(file: Path, content: bytes) -> None:
    file.write_bytes(content)
    with pytest.raises(StorageFormatError, match="not a database"):
        sb.Campaign(SPACE, 3, storage=f"sqlite:///{file}")
    with pytest.raises(StorageFormatError, match="not a database"):
        sb.Campaign.load(f"sqlite:///{file}", "run")
    assert file.read_bytes() == content


@pytest.mark.parametrize("share", [0.9, 0.5, 0.2])
def test_a_truncated_file(campaign: sb.Campaign, file: Path, share: float) -> None:
    for number in range(100):
        campaign.fail(1, f"{number}" * 200)
    campaign.storage.close()  # type: ignore[union-attr]
    whole = file.read_bytes()
    file.write_bytes(whole[: int(share * len(whole))])
    left = file.read_bytes()
    with pytest.raises(StorageFormatError, match="damaged"):
        load(file).tell(1, 2.0, replace=True)
    assert file.read_bytes()[100:] == left[100:]
    file.write_bytes(whole)
    assert load(file).trial(0).value == 1.0


def test_damaged_texts(campaign: sb.Campaign, file: Path) -> None:
    for column, table in (("payload", "events"), ("points", "plans"), ("spec", "campaigns")):
        with closing(sqlite3.connect(file)) as other, other:
            other.execute(f"UPDATE snakebo_{table} SET {column} = '[1, '")
        with pytest.raises(StorageFormatError, match="is damaged"):
            load(file)
    assert len(campaign.trials) == 2  # read before


@pytest.mark.parametrize(
    ("kind", "payload"),
    [
        ("asked", '{"id": 7, "x": {}, "cost": 0, "known": 0}'),
        ("asked", "{}"),
        ("asked", "[]"),
        ("told", '{"id": 99, "values": {}}'),
        ("sung", "{}"),
    ],
)
def test_events_that_make_no_sense(campaign: sb.Campaign, file: Path, kind: str, payload: str) -> None:
    with closing(sqlite3.connect(file)) as other, other:
        other.execute("UPDATE snakebo_events SET kind = ?, payload = ? WHERE seq = 2", (kind, payload))
    with pytest.raises(StorageFormatError, match=r"Event 2 \((asked|told|sung)\) of 'run' cannot be read"):
        load(file)


def test_a_file_that_is_replaced_while_in_use(campaign: sb.Campaign, file: Path) -> None:
    file.rename(file.with_suffix(".old"))
    with pytest.raises(StorageError, match="removed or replaced"):
        campaign.ask()
    file.with_suffix(".old").rename(file)
    assert campaign.ask().id == 2


def test_a_restored_backup_is_noticed(campaign: sb.Campaign, file: Path) -> None:
    with closing(sqlite3.connect(file)) as other, other:
        other.execute("DELETE FROM snakebo_events WHERE seq > 1")
    with pytest.raises(StorageError, match="was a backup restored"):
        campaign.ask()
    assert load(file).ask().id == 1


# --- versions ------------------------------------------------------------------------------------------


def set_version(url: str, version: int) -> None:
    engine = sa.create_engine(url)
    with engine.begin() as connection:
        connection.execute(sa.text(f"UPDATE snakebo_schema SET version = {version}"))
    engine.dispose()


def test_a_newer_database_is_refused(url: str) -> None:
    sb.Campaign(SPACE, 5, storage=url, name="run")
    set_version(url, 99)
    with pytest.raises(StorageFormatError, match=r"newer snakebo .*upgrade"):
        sb.Campaign.load(url, "run")
    with pytest.raises(StorageFormatError, match=r"newer snakebo .*upgrade"):
        sb.Campaign(SPACE, 5, storage=url, name="b")


def rename_back(connection: sa.Connection) -> None:
    connection.execute(sa.text("ALTER TABLE snakebo_campaigns RENAME COLUMN definition TO spec"))


def make_old(url: str) -> None:
    """A database as an older version might have left it: a column has another name."""
    campaign = sb.Campaign(SPACE, 5, "random-tour", storage=url, name="run")
    campaign.ask()
    campaign.storage.close()  # type: ignore[union-attr]
    engine = sa.create_engine(url)
    with engine.begin() as connection:
        connection.execute(sa.text("ALTER TABLE snakebo_campaigns RENAME COLUMN spec TO definition"))
        for column in ("previous_seq", "previous_points"):
            connection.execute(sa.text(f"ALTER TABLE snakebo_plans DROP COLUMN {column}"))
    engine.dispose()
    set_version(url, 0)


def test_an_older_database_is_migrated(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    make_old(url)
    monkeypatch.setitem(schema.MIGRATIONS, 0, rename_back)
    campaign = sb.Campaign.load(url, "run")
    assert len(campaign.trials) == 1
    assert campaign.ask().id == 1
    assert len(sb.Campaign.load(url, "run").trials) == 2


def test_a_database_of_the_first_format_goes_on(url: str) -> None:
    """The first format kept one plan: the columns of the one before were not there."""
    campaign = sb.Campaign(SPACE, 8, SMALL, storage=url, name="run")
    campaign.ask()
    campaign.tell(campaign.ask().id, 1.0)
    campaign.ask()
    ahead = campaign.plan()
    campaign.storage.close()  # type: ignore[union-attr]
    engine = sa.create_engine(url)
    with engine.begin() as connection:
        for column in ("previous_seq", "previous_points"):
            connection.execute(sa.text(f"ALTER TABLE snakebo_plans DROP COLUMN {column}"))
    engine.dispose()
    set_version(url, 1)
    again = sb.Campaign.load(url, "run")
    assert again.plan() == ahead
    assert again.ask(key="k").x == ahead[0]
    again.tell(0, 0.5)
    before = again.history().plan.tolist()
    again.ask()
    assert sb.Campaign.load(url, "run").history().previous.tolist() == before
    assert len(again.trials) == 5


def test_a_migration_that_fails_leaves_the_old_database(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    make_old(url)
    with pytest.raises(StorageFormatError, match="No way is known from format 0"):
        sb.Campaign.load(url, "run")

    def break_off(connection: sa.Connection) -> None:
        rename_back(connection)
        connection.execute(sa.text("SELECT nothing FROM nowhere"))

    monkeypatch.setitem(schema.MIGRATIONS, 0, break_off)
    with pytest.raises(StorageError):
        sb.Campaign.load(url, "run")
    monkeypatch.setitem(schema.MIGRATIONS, 0, rename_back)
    assert len(sb.Campaign.load(url, "run").trials) == 1
