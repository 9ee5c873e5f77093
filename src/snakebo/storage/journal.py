"""The contract of a storage: one append-only journal for each campaign, from which all else follows.

An event is a kind and a payload that JSON can hold:

    asked     {id, x, cost, known}       known: how far the plan had seen the journal
    attached  {id, x, cost}              and, in both, {key} where the request had one to be known again by
    told      {id, values, replaced} and, where the apparatus did something else, {x, costs: {id: cost}}
    failed    {id, reason}
    data      {rows}                     measurements from before, in the user's units

Beside it stand the plan as it was left by the last event that brought one, and the one before that.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Protocol, runtime_checkable

from snakebo.errors import InputError, StorageFormatError

Plan = list[list[float]]  # points in the unit cube, in order

_LONGEST_NAME = 200
_LONGEST_KEY = 200


@dataclass(frozen=True)
class Event:
    """Something that happened to a campaign, the seq-th thing, at a time in UTC (ISO 8601)."""

    seq: int
    kind: str
    payload: Mapping[str, Any]
    at: str


@dataclass(frozen=True)
class Journal:
    """A piece of a journal: events in order, and the last two plans as far as these events brought them."""

    events: tuple[Event, ...] = ()
    plans: Mapping[int, Plan] = field(default_factory=dict)  # by the event that brought each


@dataclass
class Change:
    """The chance to add one event while nobody else can: what has happened since, and the pen."""

    journal: Journal  # after the event that the caller knew
    seq: int  # of the last event
    event: Event | None = None
    plan: Plan | None = None

    def write(self, kind: str, payload: Mapping[str, Any], plan: Plan | None = None) -> Event:
        """Return the next event; it is stored, and the plan with it, when the block ends."""
        self.event, self.plan = Event(self.seq + 1, kind, payload, now()), plan
        return self.event


@runtime_checkable
class Storage(Protocol):
    """Keeps campaigns by name. What a method has returned from is durable; what has raised is undone."""

    @property
    def url(self) -> str:
        """Where it is, without the password."""

    def create(self, name: str, spec: Mapping[str, Any]) -> None:
        """Add a campaign with an empty journal. Raises CampaignExistsError."""

    def names(self) -> tuple[str, ...]:
        """Return the names of all campaigns, oldest first."""

    def spec(self, name: str) -> dict[str, Any]:
        """Return the definition of a campaign. Raises UnknownCampaignError."""

    def read(self, name: str, after: int = 0) -> Journal:
        """Return what happened after the event `after`, all of it as of one moment."""

    def change(self, name: str, after: int) -> AbstractContextManager[Change]:
        """Hold the campaign against everybody else; one event may be written, next in the journal.

        It is stored when the block ends; when the block raises, or the end of it, nothing is.
        """

    def close(self) -> None:
        """Let go of files and connections; a later use opens them again."""


def now() -> str:
    """Return the time in UTC."""
    return datetime.now(UTC).isoformat()


def to_text(data: object) -> str:
    """Write data as JSON that gives every float back exactly; NaN and infinity are a ValueError."""
    return json.dumps(data, allow_nan=False, separators=(",", ":"))


def from_text(text: str, what: str) -> Any:
    """Read JSON that was stored; StorageFormatError if it was damaged."""
    try:
        return json.loads(text)
    except (TypeError, ValueError) as error:
        raise StorageFormatError(f"The {what} is damaged: {error}. Restore a backup.") from error


def from_texts(texts: Sequence[str], first: int, what: str) -> list[Any]:
    """Read the payloads of events from number `first` on; at once, which is faster than one by one."""
    try:
        found: list[Any] = json.loads(f"[{','.join(texts)}]")
        if len(found) == len(texts):
            return found
    except (TypeError, ValueError):
        pass  # one of them; which one is said below
    return [from_text(text, f"event {number} of {what}") for number, text in enumerate(texts, first)]


def check_name(name: str) -> str:
    """Return a name that every database can hold and people can type, or raise InputError."""
    if not 0 < len(name) <= _LONGEST_NAME or not name.isprintable() or name != name.strip():
        raise InputError(
            f"The name of a stored campaign must be 1 to {_LONGEST_NAME} printable characters, "
            f"with no space before or after; got {name!r:.80}."
        )
    return name


def check_key(key: str) -> str:
    """Return a key by which a request is known again, or raise InputError."""
    visible = isinstance(key, str) and all("!" <= each <= "~" for each in key)
    if not visible or not 0 < len(key) <= _LONGEST_KEY:
        raise InputError(
            f"A key must be 1 to {_LONGEST_KEY} visible ASCII characters without spaces, such as a UUID; "
            f"got {key!r:.80}."
        )
    return key
