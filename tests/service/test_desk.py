"""Work off the loop: planning holds up neither reads nor the plans of other campaigns."""

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import snakebo as sb
from snakebo.errors import StorageBusyError, StorageError
from snakebo.service.desk import Desk
from snakebo.service.shelf import Loaded
from snakebo.storage import MemoryStorage

SPACE = sb.Space([sb.Variable("a", 0, 1)])


@pytest.fixture
def storage() -> MemoryStorage:
    storage = MemoryStorage()
    for name in "ab":
        sb.Campaign(SPACE, 100, "random-tour", storage=storage, name=name)
    return storage


@pytest.fixture
def gate() -> Iterator[threading.Event]:
    gate = threading.Event()
    yield gate
    gate.set()


def test_reads_tells_and_other_campaigns_go_on_while_one_plans(
    storage: MemoryStorage, gate: threading.Event
) -> None:
    started: list[int] = []

    def plan(loaded: Loaded) -> int:
        started.append(1)
        assert gate.wait(20)
        return len(loaded.campaign.trials)

    async def main() -> None:
        desk = Desk(storage)
        waiting = [asyncio.create_task(desk.plan("a", plan)) for _ in range(60)]
        while not started:
            await asyncio.sleep(0.01)
        async with asyncio.timeout(10):
            assert await desk.read("a", lambda loaded: loaded.campaign.steps_left) == 100
            assert (await desk.read("a", lambda loaded: loaded.campaign.attach({"a": 0.5}))).id == 0
            assert (await desk.plan("b", lambda loaded: loaded.campaign.ask())).id == 0
        assert len(started) == 1  # the others wait for their turn without a thread
        gate.set()
        assert await asyncio.gather(*waiting) == [1] * 60

    asyncio.run(main())


def test_what_is_cancelled_does_not_wait_for_a_plan(storage: MemoryStorage, gate: threading.Event) -> None:
    async def main() -> None:
        task = asyncio.create_task(Desk(storage).plan("a", lambda loaded: gate.wait(20)))
        await asyncio.sleep(0.1)
        task.cancel()
        async with asyncio.timeout(5):
            with pytest.raises(asyncio.CancelledError):
                await task
        gate.set()

    asyncio.run(main())


@pytest.mark.parametrize(
    ("error", "kept"), [(StorageBusyError("later"), True), (StorageError("gone"), False)]
)
def test_a_campaign_whose_storage_fails_is_loaded_anew(
    storage: MemoryStorage, error: StorageError, kept: bool
) -> None:
    def fail(loaded: Loaded) -> None:
        raise error

    async def main() -> None:
        desk = Desk(storage)
        before = desk.shelf.take("a")
        with pytest.raises(StorageError):
            await desk.read("a", fail)
        assert (desk.shelf.take("a") is before) is kept

    asyncio.run(main())


def test_a_backup_that_was_restored_is_read_anew(
    connect: Any, tmp_path: Path, spec: dict[str, Any], problem: Any
) -> None:
    import sqlalchemy as sa

    url = f"sqlite:///{tmp_path / 'run.db'}"
    client = connect(url)
    client.post("/api/campaigns", spec)
    for _ in range(3):
        client.post("/api/campaigns/snar/ask")
    engine = sa.create_engine(url)
    with engine.begin() as connection:
        connection.execute(sa.text("DELETE FROM snakebo_events WHERE seq > 1"))
    engine.dispose()
    assert "backup" in problem(client.get("/api/campaigns/snar"), 503, "storage")
    assert client.get("/api/campaigns/snar").json()["steps"] == 1


def test_a_locked_storage_is_unavailable_for_now(
    connect: Any, tmp_path: Path, spec: dict[str, Any], problem: Any
) -> None:
    import sqlite3

    from snakebo.storage import open_storage

    file = tmp_path / "run.db"
    client = connect(open_storage(f"sqlite:///{file}", timeout_s=0.1))
    client.post("/api/campaigns", spec)
    holder = sqlite3.connect(file, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    answer = client.post("/api/campaigns/snar/ask")
    assert "try again" in problem(answer, 503, "storage-busy")
    assert answer.headers["retry-after"] == "1"
    assert client.get("/api/campaigns/snar").status_code == 200
    holder.execute("ROLLBACK")
    holder.close()
    assert client.post("/api/campaigns/snar/ask").status_code == 201
