"""What happens to a campaign, as it happens: one look at the journal for all who listen to it.

The journal is read, not this service's own changes, so that those of the command line and of other services
show up too.
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from dataclasses import dataclass
from functools import partial

from snakebo.errors import SnakeboError, StorageBusyError
from snakebo.service.desk import Desk
from snakebo.service.documents import describe_trial
from snakebo.service.shelf import Loaded

EVERY_S = 0.25  # how often the journal is looked at
SILENCE_S = 15.0  # after which a comment shows that the line is still open
_REMEMBERED = 1000  # messages; who is further behind reads the journal


@dataclass(frozen=True)
class Message:
    """An event of the journal as it is sent; one that brought a plan says so."""

    seq: int
    text: str


def read_messages(after: int, loaded: Loaded) -> list[Message]:
    """Return what happened after an event; trials are shown as they stand now."""
    campaign = loaded.campaign
    assert campaign.storage is not None
    journal = campaign.storage.read(campaign.name, after)
    history, messages = campaign.history(), []
    for event in journal.events:
        trial = history.trials[event.payload["id"]] if "id" in event.payload else None
        data = {
            "seq": event.seq,
            "at": event.at,
            "trial": None if trial is None else describe_trial(trial, history.settings),
        }
        kinds = [event.kind, "replanned"] if event.seq in journal.plans else [event.kind]
        text = json.dumps(data, allow_nan=False)
        texts = [f"id: {event.seq}\nevent: {kind}\ndata: {text}\n\n" for kind in kinds]
        messages.append(Message(event.seq, "".join(texts)))
    return messages


class Feed:
    """The messages of one campaign, looked for as long as somebody listens."""

    def __init__(self, desk: Desk, name: str, seq: int) -> None:
        self.seq = seq  # of the last event that was looked at
        self.ended = False
        self.listeners = 0
        self._desk, self._name = desk, name
        self._recent: deque[Message] = deque(maxlen=_REMEMBERED)
        self._news = asyncio.Event()
        self._task = asyncio.create_task(self._watch())

    async def listen(self, after: int) -> AsyncGenerator[str, None]:
        """Yield what happens after an event, and a comment now and then when nothing does."""
        while not self.ended:
            if after >= self.seq:
                try:
                    await asyncio.wait_for(self._news.wait(), SILENCE_S)
                except TimeoutError:
                    yield ": nothing new\n\n"
                continue
            known = [message for message in self._recent if message.seq > after]
            if not known or self._recent[0].seq > after + 1:
                known = await self._desk.read(self._name, partial(read_messages, after))
            for message in known:
                yield message.text
            after = known[-1].seq

    def end(self) -> None:
        """Let all listeners go."""
        self.ended = True
        self._news.set()
        self._task.cancel()

    async def _watch(self) -> None:
        try:
            while True:
                await asyncio.sleep(EVERY_S)
                with suppress(StorageBusyError):
                    self._add(await self._desk.read(self._name, partial(read_messages, self.seq)))
        except SnakeboError:
            pass  # a backup was restored, or the storage is gone: who listens comes again
        finally:
            self.end()

    def _add(self, messages: list[Message]) -> None:
        if messages:
            self._recent.extend(messages)
            self.seq = messages[-1].seq
            self._news.set()
            self._news = asyncio.Event()


class Feeds:
    """The feeds that somebody listens to, by campaign."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._feeds: dict[str, Feed] = {}

    async def listen(self, name: str, seq: int, after: int | None) -> AsyncGenerator[str, None]:
        """Yield the messages of a campaign that stands at `seq`; from now on, or after an event."""
        feed = self._feeds.get(name)
        if feed is None or feed.ended:
            feed = self._feeds[name] = Feed(self._desk, name, seq)
        feed.listeners += 1
        try:
            yield ": listening\n\n"
            async with aclosing(feed.listen(seq if after is None else min(after, seq))) as texts:
                async for text in texts:
                    yield text
        except SnakeboError:  # as when the journal cannot be read now: who listens comes again
            return
        finally:
            feed.listeners -= 1
            if feed.listeners == 0:
                feed.end()
                if self._feeds.get(name) is feed:
                    del self._feeds[name]

    def close(self) -> None:
        """End all streams."""
        for feed in list(self._feeds.values()):
            feed.end()
