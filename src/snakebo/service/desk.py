"""Where the work of requests is done: in threads, planning apart from the rest, so that the loop goes on."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from typing import TypeVar

from anyio import CapacityLimiter
from anyio.to_thread import run_sync

from snakebo.errors import StorageBusyError, StorageError
from snakebo.service.overview import Overview
from snakebo.service.shelf import Loaded, Shelf
from snakebo.storage import Storage

T = TypeVar("T")

_READERS = 8  # threads; more would wait for the same locks


class Desk:
    """Runs the work of requests. A campaign plans for one request at a time, whatever else is going on."""

    def __init__(self, storage: Storage) -> None:
        self.storage = storage
        self.shelf = Shelf(storage)
        self.overview = Overview(self.shelf)
        self._reading = CapacityLimiter(_READERS)
        self._planning = CapacityLimiter(max(2, (os.cpu_count() or 2) // 2))

    async def run(self, work: Callable[[], T]) -> T:
        """Do something short off the loop."""
        return await run_sync(work, abandon_on_cancel=True, limiter=self._reading)

    async def think(self, work: Callable[[], T]) -> T:
        """Do something off the loop that may take long."""
        return await run_sync(work, abandon_on_cancel=True, limiter=self._planning)

    async def read(self, name: str, work: Callable[[Loaded], T]) -> T:
        """Do something short with a campaign: nothing that plans."""
        return await self.run(partial(self._with, name, work))

    async def plan(self, name: str, work: Callable[[Loaded], T]) -> T:
        """Do something with a campaign that may plan, when it is this request's turn."""
        loaded = await self.run(partial(self.shelf.take, name))
        async with loaded.turn:
            return await self.think(partial(self._with, name, work))

    def _with(self, name: str, work: Callable[[Loaded], T]) -> T:
        try:
            return work(self.shelf.take(name))
        except StorageBusyError:
            raise
        except StorageError:  # it may have been replaced by a backup
            self.shelf.drop(name)
            raise
