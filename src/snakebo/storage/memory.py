"""A storage in this process: shared by its threads, gone with it. The plainest form of the contract."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

from snakebo.errors import CampaignExistsError, StorageError
from snakebo.storage.failures import unknown_campaign
from snakebo.storage.journal import Change, Event, Journal, check_name, to_text


@dataclass
class _Record:
    spec: str
    plans: dict[int, str] = field(default_factory=dict)  # the last two, by the event that brought each
    events: list[tuple[str, str, str]] = field(default_factory=list)  # kind, payload, at

    def read(self, after: int) -> Journal:
        """Return what happened after an event."""
        events = tuple(
            Event(seq, kind, json.loads(payload), at)
            for seq, (kind, payload, at) in enumerate(self.events[after:], after + 1)
        )
        return Journal(events, {seq: json.loads(plan) for seq, plan in self.plans.items() if seq > after})


class MemoryStorage:
    """Campaigns as texts in a dictionary."""

    url = "memory:"

    def __init__(self) -> None:
        self._records: dict[str, _Record] = {}
        self._lock = Lock()

    def create(self, name: str, spec: Mapping[str, Any]) -> None:
        """Add a campaign with an empty journal. Raises CampaignExistsError."""
        record = _Record(to_text(spec))
        with self._lock:
            if self._records.setdefault(check_name(name), record) is not record:
                raise CampaignExistsError(f"{self.url} has a campaign {name!r} already.")

    def names(self) -> tuple[str, ...]:
        """Return the names of all campaigns, oldest first."""
        return tuple(self._records)

    def spec(self, name: str) -> dict[str, Any]:
        """Return the definition of a campaign."""
        found: dict[str, Any] = json.loads(self._record(name).spec)
        return found

    def read(self, name: str, after: int = 0) -> Journal:
        """Return what happened after the event `after`."""
        with self._lock:
            return self._record(name).read(after)

    @contextmanager
    def change(self, name: str, after: int) -> Iterator[Change]:
        """Hold the campaign against everybody else; one event may be written."""
        with self._lock:
            record = self._record(name)
            change = Change(record.read(after), len(record.events))
            yield change
            if change.event is not None:
                plan = None if change.plan is None else to_text(change.plan)
                record.events.append((change.event.kind, to_text(change.event.payload), change.event.at))
                if plan is not None:
                    record.plans = dict([*list(record.plans.items())[-1:], (change.event.seq, plan)])

    def close(self) -> None:
        """There is nothing to let go of."""

    def __reduce__(self) -> tuple[object, ...]:
        raise StorageError("A campaign in a memory: storage stays in its process; use sqlite:///file.db.")

    def _record(self, name: str) -> _Record:
        if name not in self._records:
            raise unknown_campaign(name, self.names(), self.url)
        return self._records[name]
