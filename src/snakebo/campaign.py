"""The campaign: the one stateful class. Ask for a setting, tell its result, in any order, however late."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from threading import RLock
from typing import TYPE_CHECKING, Any, Self, SupportsFloat

import numpy as np

from snakebo.errors import BudgetSpentError, CampaignExistsError, InputError, TrialStateError
from snakebo.frames import read_rows, trials_frame
from snakebo.history import History
from snakebo.ledger import Ledger
from snakebo.planner import affordable, look_ahead
from snakebo.settings import Direction, Settings
from snakebo.space import Points, Space
from snakebo.spec import code_of, from_spec, to_spec
from snakebo.storage import Storage, check_key, open_storage
from snakebo.trial import State, Trial, told_already
from snakebo.view import Memo, View

if TYPE_CHECKING:
    from os import PathLike
    from pathlib import Path

    import pandas as pd

    from snakebo.methods.method import Method

Value = SupportsFloat | Mapping[str, SupportsFloat]


class Campaign:
    """A sequence of experiments in which moving costs something and results come late.

    >>> campaign = sb.Campaign(space, budget=100, cost=sb.Euclidean(), seed=0)
    >>> while not campaign.finished:
    ...     trial = campaign.ask()
    ...     campaign.tell(trial.id, measure(trial.x))
    >>> campaign.best.x, campaign.best.value, campaign.spent

    What follows is decided by the seed and by the order of asks and tells alone; reading changes nothing.
    """

    def __init__(
        self,
        space: Space,
        budget: int,
        method: str | Method = "snake",
        cost: Any = None,
        seed: int = 0,
        start: Mapping[str, float] | None = None,
        direction: Direction | Mapping[str, Direction] = "maximize",
        objectives: Sequence[str] = ("value",),
        cost_budget: float | None = None,
        protocol: Any = None,
        proportions: Sequence[float] | None = None,
        storage: str | Storage | None = None,
        name: str = "campaign",
    ) -> None:
        """Set up a campaign of at most `budget` steps.

        cost: a MovementCost or a function of (A, B); Euclidean by default. start: where the apparatus is now.
        cost_budget: travel that may be spent. protocol: how hyper-parameters are found, "cold" or an object.
        proportions: how the plan is shared among several objectives. storage: a URL (`sqlite:///run.db`)
        under which the campaign is kept by its name, for `load`. Raises InputError for unfit settings,
        CampaignExistsError for a name that is taken.
        """
        settings = Settings.read(
            space=space, budget=budget, method=method, cost=cost, seed=seed, start=start,
            direction=direction, objectives=objectives, cost_budget=cost_budget, protocol=protocol,
            proportions=proportions, name=name,
        )  # fmt: skip
        kept = None if storage is None else open_storage(storage)
        if kept is not None:
            try:
                kept.create(name, to_spec(settings))
            except CampaignExistsError as error:
                raise CampaignExistsError(
                    f"{error} Go on with Campaign.load, or choose another name."
                ) from error
        self._begin(settings, kept)

    @classmethod
    def load(cls, storage: str | Storage, name: str, **code: Any) -> Self:
        """Return a stored campaign exactly where it stopped.

        Parts that are code (`cost`, `region`, `method`, `protocol` where they are functions or objects of
        one's own) are not stored and are given again. Raises UnknownCampaignError, StorageError, SpecError.
        """
        kept = open_storage(storage, create=False)
        campaign = cls.__new__(cls)
        campaign._begin(Settings.read(**from_spec(kept.spec(name), code)), kept)
        campaign._ledger.current()
        return campaign

    def _begin(self, settings: Settings, storage: Storage | None) -> None:
        self.settings = settings
        self._ledger = Ledger(settings, storage)
        self._ahead: tuple[int, Points] | None = None  # the points ahead, as of an event
        self._memo = Memo(4 + 4 * len(settings.objectives))
        self._planning = RLock()  # one plan at a time; results may come meanwhile

    # --- the loop ---------------------------------------------------------------------------------------

    def ask(self, key: str | None = None, after: int | None = None) -> Trial:
        """Return the next setting to try. Raises BudgetSpentError when no step or no travel is left.

        key: the same one gives the same trial, also after a crash and from another process, so that an ask
        whose answer was lost can be repeated. after: the event that it came after, if it had to wait; a plan
        made since then will do, and what has happened since is news for later asks.
        """
        if key is not None:
            check_key(key)
        with self._planning:
            while True:
                seen = self._ledger.snapshot()
                repeated = seen.repeated(key, "asked")
                if repeated is not None:
                    return repeated
                if seen.steps_left == 0:
                    raise BudgetSpentError(
                        f"All {self.budget} steps are used; a longer campaign needs a larger budget."
                    )
                ahead, known = self._fresh_enough(seen, after)
                if not len(ahead):
                    raise BudgetSpentError(
                        f"{seen.spent:g} of the cost budget of {self.settings.cost_budget:g} is spent, and "
                        "no planned point is within reach of the rest."
                    )
                trial = self._hand_out(ahead, seen, known, key)
                if trial is not None:
                    return trial
                after = seen.changed if after is None else after  # others were first: their plan may do

    def _fresh_enough(self, seen: History, after: int | None) -> tuple[Points, int]:
        """The points ahead (p, d) for an ask that came after an event, and how far their plan had seen.

        A plan leads on from the last trial: one that somebody attached since then leads elsewhere.
        """
        led_away = bool(seen.trials) and seen.trials[-1].attached
        if after is not None and after <= seen.known < seen.changed and not led_away:
            ahead = affordable(seen.plan, seen)
            if len(ahead):
                return ahead, seen.known
        return self._look_ahead(seen), seen.seq

    def _hand_out(self, ahead: Points, seen: History, known: int, key: str | None) -> Trial | None:
        """Make the first point ahead a trial; None if it cannot be any more. `known`: to the plan.

        Results that came while the plan was made do not spoil it: they are news for the next ask. Another
        trial does, since the plan leads on from the last one.
        """
        with self._ledger.change() as (history, write):
            if len(history.trials) != len(seen.trials):
                return None
            if history.seq != seen.seq:  # a corrected setting may have moved the position
                ahead = affordable(ahead, history)
            if not len(ahead):
                return None
            x = self.space.mapping(self.space.from_unit(ahead[:1]))
            number, cost = len(history.trials), history.move(x, history.position)
            payload = {"id": number, "x": x, "cost": cost, "known": known, **_keyed(key)}
            write("asked", payload, ahead[1:])
        return history.trials[number]

    def tell(
        self, trial_id: int, value: Value, x: Mapping[str, float] | None = None, replace: bool = False
    ) -> Trial:
        """Record the result of a trial; `x` if the apparatus did something else than asked.

        Telling the same again changes nothing. Another value or another x for a told or failed trial needs
        `replace=True`. Raises InputError for a value that is not a finite number.
        """
        with self._ledger.change() as (history, write):
            trial = history.trial(trial_id)
            done = trial.x if x is None else self.space.mapping(self.space.point(x))
            told = trial.told(self.settings.values(value), done)
            if told == trial:
                return trial
            if trial.state is not State.OUTSTANDING and not replace:
                raise TrialStateError(told_already(trial, told))
            payload = {
                "id": trial.id,
                "values": dict(told.values),
                "replaced": trial.state is not State.OUTSTANDING,
            }
            if told.x != trial.x:
                payload |= {"x": dict(told.x), "costs": history.moves_around(trial.id, told.x)}
            write("told", payload)
        return history.trials[trial.id]

    def fail(self, trial_id: int, reason: str = "") -> Trial:
        """Record that a trial gave no result. It stays counted and is never modelled as a value."""
        with self._ledger.change() as (history, write):
            trial = history.trial(trial_id)
            if trial.state is State.TOLD:
                raise TrialStateError(f"Trial {trial.id} was told {trial.shown} already; it cannot fail now.")
            why = str(reason).encode("utf-8", "backslashreplace").decode().replace("\0", "\\0")
            if trial.failed(why) == trial:
                return trial
            write("failed", {"id": trial.id, "reason": why})
        return history.trials[trial.id]

    def attach(self, x: Mapping[str, float], key: str | None = None) -> Trial:
        """Add a setting of one's own: a trial like any other, which counts and moves the apparatus.

        key: as for `ask`; with another x it is a KeyReusedError.
        """
        there = self.space.mapping(self.space.point(x))
        if key is not None:
            check_key(key)
        with self._ledger.change() as (history, write):
            known = history.repeated(key, "attached", there)
            if known is not None:
                return known
            if history.steps_left == 0:
                raise BudgetSpentError(
                    f"All {self.budget} steps are used. Use add_data for measurements outside of the budget."
                )
            number, cost = len(history.trials), history.move(there, history.position)
            write("attached", {"id": number, "x": there, "cost": cost, **_keyed(key)})
        return history.trials[number]

    def add_data(self, frame: pd.DataFrame | Sequence[Mapping[str, float]]) -> None:
        """Add measurements from before, a column for each variable and objective: they inform for free."""
        rows = read_rows(frame, self.settings)
        with self._ledger.change() as (_, write):
            write("data", {"rows": rows})

    # --- what is known ----------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """The name of the campaign."""
        return self.settings.name

    @property
    def storage(self) -> Storage | None:
        """Where the campaign is kept; None: in memory."""
        return self._ledger.storage

    @property
    def space(self) -> Space:
        """The settings that can be tried."""
        return self.settings.space

    @property
    def budget(self) -> int:
        """How many trials there are in all."""
        return self.settings.budget

    @property
    def objectives(self) -> tuple[str, ...]:
        """What is measured."""
        return self.settings.objectives

    @property
    def trials(self) -> tuple[Trial, ...]:
        """All trials in the order in which they were asked or attached."""
        return tuple(self._ledger.current().trials)

    def trial(self, trial_id: int) -> Trial:
        """Return a trial by its id."""
        return self._ledger.current().trial(trial_id)

    @property
    def outstanding(self) -> tuple[Trial, ...]:
        """Trials that were asked and neither told nor failed."""
        return self._ledger.current().outstanding

    @property
    def best(self) -> Trial | None:
        """The best trial told so far, by the first objective if there are several; see `best_by`."""
        return self.best_by(self.objectives[0])

    def best_by(self, objective: str) -> Trial | None:
        """Return the best trial told so far by one objective; None before the first tell."""
        if objective not in self.objectives:
            raise InputError(f"There is no objective {objective!r}; they are {', '.join(self.objectives)}.")
        sign = self.settings.signs[self.objectives.index(objective)]
        told = (trial for trial in self.trials if trial.state is State.TOLD)
        return max(told, key=lambda trial: sign * trial.values[objective], default=None)

    @property
    def steps_left(self) -> int:
        """How many more trials may be asked or attached."""
        return self._ledger.current().steps_left

    @property
    def spent(self) -> float:
        """The cost of all moves so far, from `start` if one was given."""
        return self._ledger.current().spent

    @property
    def position(self) -> Mapping[str, float] | None:
        """Where the apparatus is: the last setting asked or attached, before that the start."""
        return self._ledger.current().position

    @property
    def finished(self) -> bool:
        """Whether no step, or no affordable move, is left. Results may still be outstanding."""
        history, cost_budget = self._ledger.current(), self.settings.cost_budget
        if history.steps_left == 0 or cost_budget is None:
            return history.steps_left == 0
        return history.spent > cost_budget or not self.plan()

    def plan(self) -> list[dict[str, float]]:
        """Return the points ahead, in order, as far as they are planned and affordable."""
        return [self.space.mapping(x) for x in self.space.from_unit(self.look_ahead()[1])]

    def history(self) -> History:
        """Return what has happened so far, as of one moment; later events leave it as it is."""
        return self._ledger.snapshot()

    def look_ahead(self) -> tuple[History, Points]:
        """Return what has happened, and the points ahead (p, d) in the unit cube as of that moment."""
        with self._planning:
            seen = self._ledger.snapshot()
            return seen, self._look_ahead(seen) if seen.steps_left else np.empty((0, self.space.dim))

    def view(self) -> View:
        """Return what a method sees: the campaign in the unit cube, to be maximised."""
        return self._ledger.snapshot().view(self._memo)

    def to_frame(self) -> pd.DataFrame:
        """Return one row a trial: state, settings, values, cost of the move, cost spent until then."""
        return trials_frame(self.trials, self.settings)

    def report(self, path: str | PathLike[str] = "report.html") -> Path:
        """Write a report, one HTML file that needs no network; ReportError where that cannot be."""
        from snakebo.report import write_report

        return write_report(self, path)

    def __repr__(self) -> str:
        history = self._ledger.history
        return (
            f"<Campaign {self.name!r}: {len(history.trials)} of {self.budget} steps, "
            f"{len(history.outstanding)} outstanding, spent {history.spent:.4g}>"
        )

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what cannot or need not travel: a stored campaign goes by its storage and name."""
        if self.storage is not None:
            return {"storage": self.storage, "name": self.name, "code": code_of(self.settings)}
        return {**self.__dict__, "_planning": None, "_memo": Memo(self._memo.size)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        if "storage" in state:
            state = vars(Campaign.load(state["storage"], state["name"], **state["code"]))
        self.__dict__.update(state, _planning=RLock())

    def _look_ahead(self, seen: History) -> Points:
        """The points ahead (p, d) as of a snapshot; they are kept until something happens."""
        if self._ahead is None or self._ahead[0] != seen.seq:
            self._ahead = (seen.seq, look_ahead(seen, self._memo))
        return self._ahead[1]


def _keyed(key: str | None) -> dict[str, str]:
    """The part of an event that says which request it belongs to."""
    return {} if key is None else {"key": key}
