"""The storages under test; PostgreSQL is a real server, started once for a session."""

import os
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from snakebo.storage import MemoryStorage, Storage, open_storage

SERVER = Path(__file__).parents[2] / "benchmarks" / "postgres_server.py"


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The URL of a server; skips where PostgreSQL is not installed, which in CI is an error."""
    server = subprocess.Popen(
        [sys.executable, str(SERVER), "--no-fsync"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert server.stdout is not None
    url = server.stdout.readline().strip()
    if not url:
        _, error = server.communicate()
        if os.environ.get("CI") == "true":
            pytest.fail(f"No PostgreSQL to test with: {error}")
        pytest.skip(f"No PostgreSQL to test with: {error}")
    yield url
    server.communicate("")


@pytest.fixture
def postgres_url(postgres_server: str) -> str:
    """The URL of a new, empty schema, which is a database to all that use it."""
    import psycopg

    name = f"test_{uuid.uuid4().hex}"
    with psycopg.connect(postgres_server.replace("+psycopg", ""), autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {name}")
    return f"{postgres_server}&options=-csearch_path%3D{name}"


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a new database of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'run.db'}"
    found: str = request.getfixturevalue("postgres_url")
    return found


Connect = Callable[[], Storage]


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def connect(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Connect]:
    """A function that opens the same storage again and again, as other processes would."""
    opened: list[Storage] = []
    memory = MemoryStorage()

    def open_again() -> Storage:
        if request.param == "memory":
            return memory
        where = f"sqlite:///{tmp_path / 'run.db'}" if request.param == "sqlite" else database
        opened.append(open_storage(where, timeout_s=5.0))
        return opened[-1]

    database = request.getfixturevalue("postgres_url") if request.param == "postgres" else ""
    yield open_again
    for storage in opened:
        storage.close()
