"""A campaign's history in step with its storage: read before every use, written before anything happens."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from threading import RLock
from typing import Any, Protocol

import numpy as np

from snakebo.history import History
from snakebo.settings import Settings
from snakebo.space import Points
from snakebo.storage import Change, Journal, Storage


class Write(Protocol):
    """Writes one event; with an ask goes what is left of the plan (p, d)."""

    def __call__(self, kind: str, payload: Mapping[str, Any], plan: Points | None = None) -> None:
        """Write the next event; once in a block."""


class Ledger:
    """The history of a campaign, shared with other processes if there is a storage. Safe for threads."""

    def __init__(self, settings: Settings, storage: Storage | None) -> None:
        self.storage = storage
        self.history = History.empty(settings)
        self._lock = RLock()

    def current(self) -> History:
        """Return the history, with what others have done since."""
        if self.storage is not None:
            with self._lock:
                self.history.replay(self.storage.read(self._name, after=self.history.seq))
        return self.history

    def snapshot(self) -> History:
        """Return a copy of it that stays as it is."""
        with self._lock:
            return self.current().snapshot()

    @contextmanager
    def change(self) -> Iterator[tuple[History, Write]]:
        """Hold the campaign; the event that is written happens once it is stored, at the end of the block.

        When the block raises, or the storage does, nothing has happened.
        """
        history, left = self.history, None
        with self._lock:
            with self._held() as change:
                history.replay(change.journal)

                def write(kind: str, payload: Mapping[str, Any], plan: Points | None = None) -> None:
                    nonlocal left
                    if plan is not None and not np.array_equal(plan, history.plan[1:]):
                        left = plan  # otherwise it is the rest of the one that is stored
                    points = None if left is None or self.storage is None else left.tolist()
                    change.write(kind, payload, points)

                yield history, write
            if change.event is not None:
                history.apply(change.event, left)

    @property
    def _name(self) -> str:
        return self.history.settings.name

    def _held(self) -> AbstractContextManager[Change]:
        if self.storage is None:
            return nullcontext(Change(Journal(), self.history.seq))
        return self.storage.change(self._name, after=self.history.seq)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_lock": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, _lock=RLock())
