"""What has happened to a campaign: its trials, its earlier data and its plan, as its events left them."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

import numpy as np

from snakebo.errors import KeyReusedError, StorageFormatError, UnknownTrialError
from snakebo.frames import as_data
from snakebo.settings import Settings
from snakebo.space import Points
from snakebo.storage.journal import Event, Journal
from snakebo.trial import State, Trial
from snakebo.view import Data, Memo, View


@dataclass
class History:
    """Applies events in order. Nothing else changes it."""

    settings: Settings
    trials: list[Trial]
    told: list[int]  # ids, in the order of telling
    earlier: Data
    plan: Points  # (p, d) what is left of it since the last ask
    previous: Points  # (q, d) what was left of the one before when that plan came
    seq: int = 0  # of the last event applied
    known: int = 0  # how far that plan had seen
    changed: int = 0  # the last event that a plan should know of
    planned: int = 0  # the event that brought the plan
    previous_planned: int = 0  # and the one before
    keys: dict[str, Event] = field(default_factory=dict)  # what requests with a key have led to

    @classmethod
    def empty(cls, settings: Settings) -> History:
        """Return the history before the first event."""
        dim, objectives = settings.space.dim, len(settings.objectives)
        nothing = Data(np.empty((0, dim)), np.empty((0, objectives)))
        return cls(settings, [], [], nothing, np.empty((0, dim)), np.empty((0, dim)))

    def snapshot(self) -> History:
        """Return a copy that later events leave alone."""
        copied = copy(self)
        copied.trials, copied.told, copied.keys = self.trials.copy(), self.told.copy(), self.keys.copy()
        return copied

    # --- events -----------------------------------------------------------------------------------------

    def replay(self, journal: Journal) -> None:
        """Apply what was read from a storage."""
        for event in journal.events:
            plan = journal.plans.get(event.seq)
            self.apply(
                event, None if plan is None else np.reshape(plan, (len(plan), self.settings.space.dim))
            )

    def apply(self, event: Event, plan: Points | None = None) -> None:
        """Let an event happen; an ask takes the plan's first point unless it brings another plan."""
        try:
            if event.seq != self.seq + 1:
                raise ValueError(f"number {self.seq + 1} was expected")
            _APPLY[event.kind](self, event.payload, datetime.fromisoformat(event.at))
            if "key" in event.payload:
                self.keys[event.payload["key"]] = event
        except (KeyError, IndexError, TypeError, ValueError) as error:
            raise StorageFormatError(
                f"Event {event.seq} ({event.kind}) of {self.settings.name!r} cannot be read: {error}."
            ) from error
        self.seq = event.seq
        if event.kind == "asked":
            if plan is None:
                self.plan = self.plan[1:]
            else:
                self.previous, self.previous_planned = self.plan, self.planned
                self.plan, self.planned = plan, event.seq
            self.known = event.payload["known"]
        else:
            self.changed = event.seq

    def _add(self, payload: Mapping[str, Any], at: datetime, attached: bool) -> None:
        if payload["id"] != len(self.trials):
            raise ValueError(f"trial {len(self.trials)} was expected, trial {payload['id']} came")
        trial = Trial(payload["id"], payload["x"], cost=payload["cost"], attached=attached, asked_at=at)
        self.trials.append(trial)

    def _tell(self, payload: Mapping[str, Any], at: datetime) -> None:
        before = self.trials[payload["id"]]
        told = before.told(payload["values"], payload.get("x", before.x), at)
        costs = {int(number): cost for number, cost in payload.get("costs", {}).items()}
        self.trials[told.id] = told
        for number, cost in costs.items():
            self.trials[number] = replace(self.trials[number], cost=cost)
        if before.state is not State.TOLD:
            self.told.append(told.id)

    def _fail(self, payload: Mapping[str, Any], at: datetime) -> None:
        self.trials[payload["id"]] = self.trials[payload["id"]].failed(payload["reason"], at)

    def _learn(self, payload: Mapping[str, Any], at: datetime) -> None:
        self.earlier += as_data(payload["rows"], self.settings)

    # --- what follows from them ------------------------------------------------------------------------

    @property
    def news(self) -> bool:
        """Whether anything happened that the plan had not seen."""
        return self.changed > self.known

    @property
    def steps_left(self) -> int:
        """How many more trials there may be."""
        return self.settings.budget - len(self.trials)

    @property
    def spent(self) -> float:
        """The cost of all moves."""
        return sum(trial.cost for trial in self.trials)

    @property
    def position(self) -> Mapping[str, float] | None:
        """The last setting asked or attached, before that the start."""
        return self.trials[-1].x if self.trials else self.settings.start

    @property
    def outstanding(self) -> tuple[Trial, ...]:
        """Trials that were neither told nor failed."""
        return tuple(trial for trial in self.trials if trial.state is State.OUTSTANDING)

    def trial(self, trial_id: object) -> Trial:
        """Return a trial by its id, or raise UnknownTrialError."""
        try:
            index = -1 if isinstance(trial_id, bool) else operator.index(trial_id)  # type: ignore[arg-type]
        except TypeError:
            index = -1
        if not 0 <= index < len(self.trials):
            known = f"ids run from 0 to {len(self.trials) - 1}" if self.trials else "nothing was asked yet"
            raise UnknownTrialError(f"There is no trial {trial_id!r}: {known}.")
        return self.trials[index]

    def repeated(self, key: str | None, kind: str, x: Mapping[str, float] | None = None) -> Trial | None:
        """Return the trial that the same request led to before; KeyReusedError if it was another request."""
        event = None if key is None else self.keys.get(key)
        if event is None:
            return None
        if event.kind != kind or (x is not None and event.payload["x"] != x):
            raise KeyReusedError(
                f"The key {key!r} was used before: trial {event.payload['id']} was {event.kind} with it, at "
                f"{event.payload['x']}. A key stands for one request; give another one a new key."
            )
        trial: Trial = self.trials[event.payload["id"]]
        return trial

    def move(self, x: Mapping[str, float], here: Mapping[str, float] | None) -> float:
        """Return the cost of moving to x from `here`, which is nothing from nowhere."""
        if here is None:
            return 0.0
        space = self.settings.space
        return float(self.settings.cost(space.point(here)[None], space.point(x)[None])[0, 0])

    def moves_around(self, trial_id: int, x: Mapping[str, float]) -> dict[int, float]:
        """Return the costs, by trial, of the moves to and from a trial if it was done at x."""
        here = self.trials[trial_id - 1].x if trial_id else self.settings.start
        costs = {trial_id: self.move(x, here)}
        for after in self.trials[trial_id + 1 : trial_id + 2]:
            costs[after.id] = self.move(after.x, x)
        return costs

    def view(self, memo: Memo) -> View:
        """Return what a method sees: the campaign in the unit cube, to be maximised."""
        settings, told = self.settings, [self.trials[i] for i in self.told]
        values = [[trial.values[name] for name in settings.objectives] for trial in told]
        Y = np.array(values).reshape(len(told), len(settings.objectives)) * settings.signs
        position = None
        if self.position is not None:
            position = settings.space.to_unit(settings.space.point(self.position)[None])[0]
        return View(
            space=settings.space,
            cost=settings.cost,
            budget=settings.budget,
            asked=self._points(self.trials),
            told=self.earlier + Data(self._points(told), Y),
            outstanding=self._points(self.outstanding),
            position=position,
            plan=self.plan.copy(),
            protocol=settings.protocol,
            seed=settings.seed,
            proportions=settings.proportions,
            spent=self.spent,
            cost_budget=settings.cost_budget,
            memo=memo,
        )

    def _points(self, trials: Sequence[Trial]) -> Points:
        space = self.settings.space
        X = np.array([[trial.x[name] for name in space.names] for trial in trials])
        return space.to_unit(X.reshape(len(trials), space.dim))


_APPLY = {
    "asked": lambda history, payload, at: history._add(payload, at, attached=False),
    "attached": lambda history, payload, at: history._add(payload, at, attached=True),
    "told": History._tell,
    "failed": History._fail,
    "data": History._learn,
}
