"""Server-sent events: what happens shows up, from anywhere, in order, and streams end when they should."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest

import snakebo as sb
from snakebo.service import feed as feeds_module
from snakebo.service.desk import Desk
from snakebo.service.feed import Feeds
from snakebo.storage import MemoryStorage, Storage, open_storage

SPACE = sb.Space([sb.Variable("a", 0, 1)])


def parse(text: str) -> list[tuple[int, str, Any]]:
    """The events in a piece of a stream; comments are left out."""
    events = []
    for block in text.split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if not line.startswith(":"))
        if fields:
            assert set(fields) == {"id", "event", "data"}
            events.append((int(fields["id"]), fields["event"], json.loads(fields["data"])))
    return events


async def collect(stream: AsyncIterator[str], count: int) -> list[tuple[int, str, Any]]:
    """The next events of a stream."""
    found: list[tuple[int, str, Any]] = []
    async with asyncio.timeout(20):
        while len(found) < count:
            found += parse(await anext(stream))
    return found


def run(storage: Storage, work: Callable[[Feeds], Awaitable[None]]) -> None:
    """Run something with the feeds of a service; they leave nothing running."""

    async def main() -> None:
        feeds = Feeds(Desk(storage))
        await work(feeds)
        feeds.close()
        await asyncio.sleep(0)
        assert len(asyncio.all_tasks()) == 1

    asyncio.run(main())


@pytest.fixture
def storage() -> MemoryStorage:
    return MemoryStorage()


@pytest.fixture
def campaign(storage: MemoryStorage) -> sb.Campaign:
    return sb.Campaign(SPACE, 50, "random-tour", storage=storage, name="a")


def test_every_kind_of_event_shows_up_with_its_trial(storage: MemoryStorage, campaign: sb.Campaign) -> None:
    async def work(feeds: Feeds) -> None:
        async with aclosing(feeds.listen("a", 0, None)) as stream:
            assert (await anext(stream)).startswith(":")
            campaign.ask()
            campaign.ask()
            campaign.attach({"a": 0.5})
            campaign.tell(0, 0.7)
            campaign.fail(1, "<b>no</b>\nid: 99")
            campaign.add_data([{"a": 0.1, "value": 3.0}])
            events = await collect(stream, 7)
        assert [(seq, kind) for seq, kind, _ in events] == [
            (1, "asked"), (1, "replanned"), (2, "asked"), (3, "attached"), (4, "told"), (5, "failed"),
            (6, "data"),
        ]  # fmt: skip
        assert [data["seq"] for _, _, data in events] == [1, 1, 2, 3, 4, 5, 6]
        assert events[4][2]["trial"]["value"] == 0.7
        assert events[5][2]["trial"]["reason"] == "<b>no</b>\nid: 99"
        assert events[6][2]["trial"] is None
        assert events[0][2]["at"].endswith("+00:00")

    run(storage, work)


def test_a_stream_resumes_after_an_event(storage: MemoryStorage, campaign: sb.Campaign) -> None:
    async def work(feeds: Feeds) -> None:
        for _ in range(5):
            campaign.ask()
        async with aclosing(feeds.listen("a", 5, 2)) as stream:
            assert [seq for seq, _, _ in await collect(stream, 3)] == [3, 4, 5]
            campaign.ask()
            assert [seq for seq, _, _ in await collect(stream, 1)] == [6]

    run(storage, work)


def test_without_an_event_to_resume_after_only_what_comes_is_sent(
    storage: MemoryStorage, campaign: sb.Campaign
) -> None:
    async def work(feeds: Feeds) -> None:
        campaign.ask()
        async with aclosing(feeds.listen("a", 1, None)) as stream:
            await anext(stream)
            campaign.ask()
            assert [seq for seq, _, _ in await collect(stream, 1)] == [2]

    run(storage, work)


def test_an_event_that_is_not_there_yet_means_from_now_on(
    storage: MemoryStorage, campaign: sb.Campaign
) -> None:
    async def work(feeds: Feeds) -> None:
        campaign.ask()
        async with aclosing(feeds.listen("a", 1, 10**12)) as stream:
            await anext(stream)
            campaign.ask()
            assert [seq for seq, _, _ in await collect(stream, 1)] == [2]

    run(storage, work)


def test_who_comes_later_gets_nothing_twice(
    storage: MemoryStorage, campaign: sb.Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(feeds: Feeds) -> None:
        async with aclosing(feeds.listen("a", 0, None)) as first:
            await anext(first)
            campaign.ask()
            campaign.ask()  # which the feed has not looked at yet
            async with (
                aclosing(feeds.listen("a", 2, None)) as late,
                aclosing(feeds.listen("a", 2, 1)) as later,
            ):
                await anext(late)
                await anext(later)
                assert [seq for seq, _, _ in await collect(later, 1)] == [2]
                campaign.ask()
                assert [seq for seq, _, _ in await collect(late, 1)] == [3]

    run(storage, work)


def test_who_is_far_behind_misses_nothing(
    storage: MemoryStorage, campaign: sb.Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feeds_module, "_REMEMBERED", 3)

    async def work(feeds: Feeds) -> None:
        async with (
            aclosing(feeds.listen("a", 0, None)) as slow,
            aclosing(feeds.listen("a", 0, None)) as quick,
        ):
            await anext(slow)
            await anext(quick)
            for number in range(20):
                campaign.ask()
                campaign.tell(number, 0.5)
                if number % 5 == 0:
                    await collect(quick, 1)
            await asyncio.sleep(2 * feeds_module.EVERY_S)
            seqs = [seq for seq, kind, _ in await collect(slow, 41) if kind != "replanned"]
            assert seqs == list(range(1, 41))

    run(storage, work)


def test_other_processes_show_up(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'run.db'}"
    sb.Campaign(SPACE, 50, "random-tour", storage=url, name="a")
    other = sb.Campaign.load(url, "a")

    async def work(feeds: Feeds) -> None:
        async with aclosing(feeds.listen("a", 0, None)) as stream:
            await anext(stream)
            other.ask()
            other.tell(0, 1.0)
            assert [kind for _, kind, _ in await collect(stream, 3)] == ["asked", "replanned", "told"]

    storage = open_storage(url)
    run(storage, work)
    storage.close()
    other.storage.close()  # type: ignore[union-attr]


def test_one_look_serves_all_listeners_and_none_means_no_looks(
    storage: MemoryStorage, campaign: sb.Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feeds_module, "EVERY_S", 0.05)
    reads: list[int] = []
    read = storage.read

    def watch(name: str, after: int = 0) -> Any:
        reads.append(after)
        return read(name, after)

    monkeypatch.setattr(storage, "read", watch)

    async def work(feeds: Feeds) -> None:
        streams = [feeds.listen("a", 0, None) for _ in range(20)]
        for stream in streams:
            await anext(stream)
        reads.clear()
        campaign.ask()
        found = [await collect(stream, 2) for stream in streams]
        assert all(each == found[0] for each in found)
        assert len(reads) < 20
        for stream in streams:
            await stream.aclose()
        reads.clear()
        await asyncio.sleep(0.3)
        assert reads == []

    run(storage, work)


def test_silence_is_broken_by_comments(
    storage: MemoryStorage, campaign: sb.Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feeds_module, "SILENCE_S", 0.05)

    async def work(feeds: Feeds) -> None:
        async with aclosing(feeds.listen("a", 0, None)) as stream:
            for _ in range(3):
                text = await anext(stream)
                assert text.startswith(":")
                assert text.endswith("\n\n")

    run(storage, work)


def test_all_streams_end_when_the_service_does(storage: MemoryStorage, campaign: sb.Campaign) -> None:
    async def work(feeds: Feeds) -> None:
        stream = feeds.listen("a", 0, None)
        await anext(stream)
        waiting = asyncio.ensure_future(anext(stream, "the end"))
        await asyncio.sleep(0.05)
        feeds.close()
        assert await asyncio.wait_for(waiting, 5) == "the end"

    run(storage, work)


def test_streams_end_when_the_journal_is_gone(tmp_path: Path) -> None:
    file = tmp_path / "run.db"
    campaign = sb.Campaign(SPACE, 50, "random-tour", storage=f"sqlite:///{file}", name="a")

    async def work(feeds: Feeds) -> None:
        stream = feeds.listen("a", 0, None)
        await anext(stream)
        file.unlink()
        assert await asyncio.wait_for(anext(stream, "the end"), 10) == "the end"

    assert campaign.storage is not None
    run(campaign.storage, work)
    campaign.storage.close()
