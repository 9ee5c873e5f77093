"""Where campaigns are kept: a journal of events for each, in memory or in a database named by a URL."""

from __future__ import annotations

from snakebo.errors import InputError
from snakebo.storage.journal import Change, Event, Journal, Storage, check_key, now
from snakebo.storage.memory import MemoryStorage

__all__ = ["Change", "Event", "Journal", "MemoryStorage", "Storage", "check_key", "now", "open_storage"]


def open_storage(where: str | Storage, timeout_s: float = 30.0, create: bool = True) -> Storage:
    """Open a storage by its URL; a storage itself is returned as it is.

    `sqlite:///run.db` (a path, four slashes for an absolute one), `postgresql+psycopg://user@host/database`,
    or `memory:`. timeout_s: how long to wait for somebody else's lock, or for a server. create: whether a
    database that is not there yet is made. Raises StorageError, or InputError for what is no such URL.
    """
    if not isinstance(where, str):
        if isinstance(where, type) or not isinstance(where, Storage):
            raise InputError(f"storage must be a URL such as 'sqlite:///run.db'; got {where!r}.")
        return where
    if where in ("memory", "memory:", "memory://"):
        return MemoryStorage()
    if ":" not in where:
        raise InputError(f"storage must be a URL; for the file {where!r} write 'sqlite:///{where}'.")
    from snakebo.storage.sql import SqlStorage

    return SqlStorage(where, timeout_s, create)
