"""A trial: one setting that was asked for or attached, and what became of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType

from snakebo.errors import InputError


class State(StrEnum):
    """Where a trial stands."""

    OUTSTANDING = "outstanding"
    TOLD = "told"
    FAILED = "failed"


@dataclass(frozen=True)
class Trial:
    """One step of a campaign. A change makes a new trial of the same id; this one stays as it is."""

    id: int
    x: Mapping[str, float] = field(hash=False)
    state: State = State.OUTSTANDING
    values: Mapping[str, float] = field(default_factory=dict, hash=False)
    cost: float = 0.0  # of the move to this setting
    reason: str = ""  # why it failed
    attached: bool = False  # chosen by the user, not by the method
    asked_at: datetime | None = field(default=None, compare=False, repr=False)  # or attached
    told_at: datetime | None = field(default=None, compare=False, repr=False)  # or failed

    def __post_init__(self) -> None:
        for name in ("x", "values"):
            given = getattr(self, name)
            if not isinstance(given, MappingProxyType):  # of the trial that this one replaces
                object.__setattr__(self, name, MappingProxyType(dict(given)))

    def __reduce__(self) -> tuple[type[Trial], tuple[object, ...]]:
        shown = (dict(each) if isinstance(each, Mapping) else each for each in vars(self).values())
        return Trial, tuple(shown)  # read-only mappings cannot be pickled

    @property
    def value(self) -> float | None:
        """The told value where there is one objective; None before it is told."""
        if len(self.values) > 1:
            raise InputError(f"Trial {self.id} has several values ({', '.join(self.values)}); use .values.")
        return next(iter(self.values.values()), None)

    @property
    def shown(self) -> str:
        """The values for a message."""
        one = len(self.values) == 1
        return ", ".join(f"{value:g}" if one else f"{name}={value:g}" for name, value in self.values.items())

    def told(self, values: Mapping[str, float], x: Mapping[str, float], at: datetime | None = None) -> Trial:
        """Return this trial with its result, at the setting x where it was really done."""
        return replace(self, state=State.TOLD, values=values, x=x, reason="", told_at=at)

    def failed(self, reason: str, at: datetime | None = None) -> Trial:
        """Return this trial without a result."""
        return replace(self, state=State.FAILED, reason=reason, told_at=at)


def told_already(before: Trial, told: Trial) -> str:
    """Say why a result cannot be told without `replace`."""
    if before.state is State.FAILED:
        reason = before.reason or "no reason given"
        return f"Trial {before.id} failed ({reason}). Pass replace=True to tell it after all."
    changed = told.shown if told.values != before.values else f"another x, {dict(told.x)}"
    return (
        f"Trial {before.id} was told {before.shown} already; got {changed}. Pass replace=True to correct it."
    )
