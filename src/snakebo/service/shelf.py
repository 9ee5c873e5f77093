"""Campaigns that were used lately, kept loaded: a request reads only what has happened since."""

from __future__ import annotations

from asyncio import Lock
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from threading import Lock as ThreadLock
from typing import Any, TypeVar

from snakebo.campaign import Campaign
from snakebo.errors import InputError
from snakebo.service.problems import NeedsCodeError
from snakebo.storage import Storage
from snakebo.storage.failures import unknown_campaign

T = TypeVar("T")

_SIZE = 20  # campaigns; one of 10,000 trials takes about 20 MB


@dataclass
class Loaded:
    """A campaign, whose turn it is to plan with it, and what was made of it last."""

    campaign: Campaign
    turn: Lock = field(default_factory=Lock)  # of requests that plan; waiting takes no thread
    nothing_left: int = -1  # the event at which a plan found no point that could be afforded
    _made: dict[Hashable, tuple[int, Any]] = field(default_factory=dict)

    def exhausted(self, seq: int) -> bool:
        """Tell whether a plan as of this event is known to have found nothing."""
        return self.nothing_left == seq

    def recall(self, key: Hashable, seq: int, make: Callable[[], T]) -> T:
        """Return what was made of the campaign as of an event, making it if that is new."""
        known = self._made.get(key)
        if known is None or known[0] != seq:
            known = self._made[key] = (seq, make())
        found: T = known[1]
        return found


class Shelf:
    """The loaded campaigns of a storage; those used longest ago make room for others. Safe for threads."""

    def __init__(self, storage: Storage, size: int = _SIZE) -> None:
        self.storage = storage
        self._size = size
        self._loaded: OrderedDict[str, Loaded] = OrderedDict()
        self._lock = ThreadLock()

    def take(self, name: str) -> Loaded:
        """Return a campaign. Raises UnknownCampaignError, NeedsCodeError, StorageError."""
        with self._lock:
            if name in self._loaded:
                self._loaded.move_to_end(name)
                return self._loaded[name]
        return self.put(self.load(name))

    def load(self, name: str) -> Campaign:
        """Return a campaign without keeping it."""
        if not name.isprintable():  # no database has it, and not all can be asked
            raise unknown_campaign(name, self.storage.names(), self.storage.url)
        try:
            return Campaign.load(self.storage, name)
        except InputError as error:
            raise NeedsCodeError(f"The campaign {name!r} cannot be used over HTTP: {error}") from error

    def peek(self, name: str) -> Loaded | None:
        """Return a campaign if it is at hand."""
        with self._lock:
            return self._loaded.get(name)

    def put(self, campaign: Campaign) -> Loaded:
        """Keep a campaign at hand."""
        with self._lock:
            loaded = self._loaded.setdefault(campaign.name, Loaded(campaign))
            while len(self._loaded) > self._size:
                self._loaded.popitem(last=False)
        return loaded

    def drop(self, name: str) -> None:
        """Forget a campaign, so that it is loaded anew."""
        with self._lock:
            self._loaded.pop(name, None)
