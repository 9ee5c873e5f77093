"""A trial: one setting that was asked for or attached, and what became of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
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

    def __post_init__(self) -> None:
        object.__setattr__(self, "x", MappingProxyType(dict(self.x)))
        object.__setattr__(self, "values", MappingProxyType(dict(self.values)))

    def __reduce__(self) -> tuple[type[Trial], tuple[object, ...]]:
        shown = (dict(each) if isinstance(each, Mapping) else each for each in vars(self).values())
        return Trial, tuple(shown)  # read-only mappings cannot be pickled

    @property
    def value(self) -> float | None:
        """The told value where there is one objective; None before it is told."""
        if len(self.values) > 1:
            raise InputError(f"Trial {self.id} has several values ({', '.join(self.values)}); use .values.")
        return next(iter(self.values.values()), None)

    def told(self, values: Mapping[str, float], x: Mapping[str, float]) -> Trial:
        """Return this trial with its result, at the setting x where it was really done."""
        return replace(self, state=State.TOLD, values=values, x=x, reason="")

    def failed(self, reason: str) -> Trial:
        """Return this trial without a result."""
        return replace(self, state=State.FAILED, reason=reason)
