"""Loaded campaigns: kept while they are used, a bounded number, read on from where they were."""

from typing import Any

import pytest

import snakebo as sb
from snakebo.errors import UnknownCampaignError
from snakebo.service.overview import Overview
from snakebo.service.problems import NeedsCodeError
from snakebo.service.shelf import Shelf
from snakebo.storage import MemoryStorage

SPACE = sb.Space([sb.Variable("a", 0, 1)])


@pytest.fixture
def storage() -> MemoryStorage:
    storage = MemoryStorage()
    for name in "abc":
        sb.Campaign(SPACE, 20, "random-tour", storage=storage, name=name)
    return storage


def count_reads(storage: MemoryStorage, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """The campaigns that are read from now on, and after which event."""
    reads: list[tuple[str, int]] = []
    read = storage.read

    def watch(name: str, after: int = 0) -> Any:
        reads.append((name, after))
        return read(name, after)

    monkeypatch.setattr(storage, "read", watch)
    return reads


def test_a_campaign_is_loaded_once_and_then_read_on(
    storage: MemoryStorage, monkeypatch: pytest.MonkeyPatch
) -> None:
    shelf, other = Shelf(storage), sb.Campaign.load(storage, "a")
    other.ask()
    first = shelf.take("a")
    assert shelf.take("a") is first
    reads = count_reads(storage, monkeypatch)
    assert first.campaign.history().seq == 1
    other.tell(0, 1.0)
    reads.clear()
    assert first.campaign.history().seq == 2
    assert reads == [("a", 1)]


def test_those_used_longest_ago_make_room(storage: MemoryStorage) -> None:
    shelf = Shelf(storage, size=2)
    a, b = shelf.take("a"), shelf.take("b")
    assert shelf.take("a") is a
    shelf.take("c")
    assert shelf.peek("b") is None
    assert shelf.peek("a") is a
    assert shelf.take("b") is not b
    shelf.drop("b")
    assert shelf.peek("b") is None


def test_what_was_made_is_kept_until_something_happens(storage: MemoryStorage) -> None:
    loaded, made = Shelf(storage).take("a"), []

    def make() -> int:
        made.append(1)
        return len(made)

    assert [loaded.recall("x", seq, make) for seq in (0, 0, 1, 1, 2)] == [1, 1, 2, 2, 3]


def test_campaigns_that_cannot_be_loaded(storage: MemoryStorage) -> None:
    sb.Campaign(SPACE, 3, cost=lambda A, B: A @ B.T * 0, storage=storage, name="code")
    shelf = Shelf(storage)
    with pytest.raises(NeedsCodeError, match="'code' cannot be used over HTTP"):
        shelf.take("code")
    for name in ("nope", "nul\0", "half \ud800"):
        with pytest.raises(UnknownCampaignError):
            shelf.take(name)


def test_an_overview_loads_only_what_has_changed(
    storage: MemoryStorage, monkeypatch: pytest.MonkeyPatch
) -> None:
    shelf = Shelf(storage)
    overview, other = Overview(shelf), sb.Campaign.load(storage, "b")
    assert [each["steps"] for each in overview.summaries()] == [0, 0, 0]
    assert [shelf.peek(name) for name in "abc"] == [None] * 3
    loads: list[str] = []
    load = shelf.load

    def watch(name: str) -> sb.Campaign:
        loads.append(name)
        return load(name)

    monkeypatch.setattr(shelf, "load", watch)
    overview.summaries()
    assert loads == []
    other.ask()
    assert [each["steps"] for each in overview.summaries()] == [0, 1, 0]
    assert loads == ["b"]
    shelf.take("b").campaign.ask()
    loads.clear()
    assert [each["steps"] for each in overview.summaries()] == [0, 2, 0]
    assert loads == []
