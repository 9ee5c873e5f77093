"""What can go wrong with a database, in words: which file or server, what happened, what to do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from snakebo.errors import StorageBusyError, StorageError, StorageFormatError, UnknownCampaignError

if TYPE_CHECKING:
    from sqlalchemy.exc import DBAPIError

_SHOWN_NAMES = 20

_BUSY = (
    StorageBusyError,
    "is locked by somebody else for more than {timeout:g} s. Nothing was changed; try again, "
    "or find the process that holds it.",
)
_DAMAGED = (
    StorageFormatError,
    "is not a database, or it is damaged. Nothing was changed; check the path, or restore a backup.",
)
_FULL = (StorageError, "has no room left: the disk is full. Nothing was changed; make room and try again.")
_READ_ONLY = (StorageError, "is read-only for this user. Nothing was changed; check the permissions.")
_UNREACHABLE = (StorageError, "cannot be reached or opened. Check that it exists and may be used.")

_SQLITE = {  # by the beginning of the name of the error
    "SQLITE_BUSY": _BUSY,
    "SQLITE_LOCKED": _BUSY,
    "SQLITE_NOTADB": _DAMAGED,
    "SQLITE_CORRUPT": _DAMAGED,
    "SQLITE_FULL": _FULL,
    "SQLITE_READONLY": _READ_ONLY,
    "SQLITE_CANTOPEN": _UNREACHABLE,
    "SQLITE_IOERR": (StorageError, "could not be read or written. Nothing was changed; check the disk."),
}
_POSTGRES = {  # by the beginning of the SQLSTATE
    "08": _UNREACHABLE,
    "25006": _READ_ONLY,
    "28": (StorageError, "refused the user or the password."),
    "3D": (StorageError, "has no such database."),
    "42501": _READ_ONLY,
    "53100": _FULL,
    "53": (StorageError, "has no resources left. Nothing was changed; try again later."),
    "55P03": _BUSY,
    "57014": _BUSY,
    "57P": _UNREACHABLE,
    "XX001": _DAMAGED,
}


def translate(error: DBAPIError, url: str, timeout_s: float, secret: str | None) -> StorageError:
    """Return our error for one of a database driver, without the password."""
    cause = error.orig
    code = str(getattr(cause, "sqlite_errorname", None) or getattr(cause, "sqlstate", None) or "")
    known = [form for start, form in {**_SQLITE, **_POSTGRES}.items() if code.startswith(start)]
    if not known and type(cause).__name__ == "OperationalError":
        known = [_UNREACHABLE]
    kind, words = known[0] if known else (StorageError, "failed. Nothing was changed.")
    detail = " ".join(str(cause).split())
    if secret:
        detail = detail.replace(secret, "***")
    return kind(f"{url} {words.format(timeout=timeout_s)} ({detail})")


def unknown_campaign(name: str, names: Sequence[str], url: str) -> UnknownCampaignError:
    """Return the error for a name that the storage does not have."""
    shown = ", ".join(map(repr, names[:_SHOWN_NAMES])) or "none yet"
    more = f" and {len(names) - _SHOWN_NAMES} more" if len(names) > _SHOWN_NAMES else ""
    return UnknownCampaignError(f"{url} has no campaign {name!r}; it has {shown}{more}.")
