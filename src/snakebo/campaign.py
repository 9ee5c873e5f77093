"""The campaign: the one stateful class. Ask for a setting, tell its result, in any order, however late."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from dataclasses import replace
from threading import RLock
from typing import TYPE_CHECKING, Any, SupportsFloat

import numpy as np

from snakebo.checks import as_points
from snakebo.errors import BudgetSpentError, InputError, TrialStateError, UnknownTrialError
from snakebo.frames import read_data, trials_frame
from snakebo.grid import TOLERANCE
from snakebo.settings import Direction, Settings
from snakebo.space import Points, Space
from snakebo.threads import one_blas_thread
from snakebo.trial import State, Trial
from snakebo.view import Data, Memo, View

if TYPE_CHECKING:
    import pandas as pd

    from snakebo.methods.method import Method

Value = SupportsFloat | Mapping[str, SupportsFloat]

_ROUNDING = 1e-12  # of the cost budget: a way that costs all of it is affordable


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
        name: str = "campaign",
    ) -> None:
        """Set up a campaign of at most `budget` steps.

        cost: a MovementCost or a function of (A, B); Euclidean by default. start: where the apparatus is now.
        cost_budget: travel that may be spent. protocol: how hyper-parameters are found, "cold" or an object.
        proportions: how the plan is shared among several objectives. Raises InputError for unfit settings.
        """
        self.settings = Settings.read(
            space=space, budget=budget, method=method, cost=cost, seed=seed, start=start,
            direction=direction, objectives=objectives, cost_budget=cost_budget, protocol=protocol,
            proportions=proportions, name=name,
        )  # fmt: skip
        self._trials: list[Trial] = []
        self._told: list[int] = []  # ids, in the order of telling
        self._earlier = Data(np.empty((0, space.dim)), np.empty((0, len(self.objectives))))
        self._plan = np.empty((0, space.dim))  # what is left of it since the last ask
        self._news = True  # has anything happened since that plan was made?
        self._ahead: Points | None = None  # the plan for the next ask, once made
        self._memo = Memo(4 + 4 * len(self.objectives))
        self._lock = RLock()

    # --- the loop ---------------------------------------------------------------------------------------

    def ask(self) -> Trial:
        """Return the next setting to try. Raises BudgetSpentError when no step or no travel is left."""
        with self._lock:
            if self.steps_left == 0:
                raise BudgetSpentError(
                    f"All {self.budget} steps are used; a longer campaign needs a larger budget."
                )
            ahead = self._look_ahead()
            if not len(ahead):
                raise BudgetSpentError(
                    f"{self.spent:g} of the cost budget of {self.settings.cost_budget:g} is spent, and no "
                    "planned point is within reach of the rest."
                )
            trial = self._append(self.space.mapping(self.space.from_unit(ahead[:1])), attached=False)
            self._plan, self._news = ahead[1:], False
            return trial

    def tell(
        self, trial_id: int, value: Value, x: Mapping[str, float] | None = None, replace: bool = False
    ) -> Trial:
        """Record the result of a trial; `x` if the apparatus did something else than asked.

        Telling the same again changes nothing. Another value or another x for a told or failed trial needs
        `replace=True`. Raises InputError for a value that is not a finite number.
        """
        with self._lock:
            trial = self.trial(trial_id)
            done = trial.x if x is None else self.space.mapping(self.space.point(x))
            told = trial.told(self.settings.values(value), done)
            if told == trial:
                return trial
            if trial.state is not State.OUTSTANDING and not replace:
                raise TrialStateError(_already(trial, told))
            self._store(told)
            if trial.id not in self._told:
                self._told.append(trial.id)
            return self._trials[trial.id]

    def fail(self, trial_id: int, reason: str = "") -> Trial:
        """Record that a trial gave no result. It stays counted and is never modelled as a value."""
        with self._lock:
            trial = self.trial(trial_id)
            if trial.state is State.TOLD:
                raise TrialStateError(
                    f"Trial {trial.id} was told {_shown(trial.values)} already; it cannot fail now."
                )
            failed = trial.failed(str(reason))
            if failed != trial:
                self._store(failed)
            return failed

    def attach(self, x: Mapping[str, float]) -> Trial:
        """Add a setting of one's own: a trial like any other, which counts and moves the apparatus."""
        with self._lock:
            if self.steps_left == 0:
                raise BudgetSpentError(
                    f"All {self.budget} steps are used. Use add_data for measurements outside of the budget."
                )
            return self._append(self.space.mapping(self.space.point(x)), attached=True)

    def add_data(self, frame: pd.DataFrame | Sequence[Mapping[str, float]]) -> None:
        """Add measurements from before, a column for each variable and objective: they inform for free."""
        with self._lock:
            self._earlier += read_data(frame, self.settings)
            self._news, self._ahead = True, None

    # --- what is known ----------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """The name of the campaign."""
        return self.settings.name

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
        return tuple(self._trials)

    def trial(self, trial_id: int) -> Trial:
        """Return a trial by its id."""
        try:
            index = -1 if isinstance(trial_id, bool) else operator.index(trial_id)
        except TypeError:
            index = -1
        if not 0 <= index < len(self._trials):
            known = f"ids run from 0 to {len(self._trials) - 1}" if self._trials else "nothing was asked yet"
            raise UnknownTrialError(f"There is no trial {trial_id!r}: {known}.")
        return self._trials[index]

    @property
    def outstanding(self) -> tuple[Trial, ...]:
        """Trials that were asked and neither told nor failed."""
        return tuple(trial for trial in self._trials if trial.state is State.OUTSTANDING)

    @property
    def best(self) -> Trial | None:
        """The best trial told so far, by the first objective if there are several; see `best_by`."""
        return self.best_by(self.objectives[0])

    def best_by(self, objective: str) -> Trial | None:
        """Return the best trial told so far by one objective; None before the first tell."""
        if objective not in self.objectives:
            raise InputError(f"There is no objective {objective!r}; they are {', '.join(self.objectives)}.")
        sign = self.settings.signs[self.objectives.index(objective)]
        told = [self._trials[i] for i in sorted(self._told)]
        return max(told, key=lambda trial: sign * trial.values[objective], default=None)

    @property
    def steps_left(self) -> int:
        """How many more trials may be asked or attached."""
        return self.budget - len(self._trials)

    @property
    def spent(self) -> float:
        """The cost of all moves so far, from `start` if one was given."""
        return sum(trial.cost for trial in self._trials)

    @property
    def position(self) -> Mapping[str, float] | None:
        """Where the apparatus is: the last setting asked or attached, before that the start."""
        return self._trials[-1].x if self._trials else self.settings.start

    @property
    def finished(self) -> bool:
        """Whether no step, or no affordable move, is left. Results may still be outstanding."""
        with self._lock:
            if self.steps_left == 0 or self.settings.cost_budget is None:
                return self.steps_left == 0
            return self.spent > self.settings.cost_budget or not self.plan()

    def plan(self) -> list[dict[str, float]]:
        """Return the points ahead, in order, as far as they are planned and affordable."""
        with self._lock:
            if self.steps_left == 0:
                return []
            return [self.space.mapping(x) for x in self.space.from_unit(self._look_ahead())]

    def to_frame(self) -> pd.DataFrame:
        """Return one row a trial: state, settings, values, cost of the move, cost spent until then."""
        return trials_frame(self.trials, self.settings)

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what cannot or need not travel to another process."""
        return {**self.__dict__, "_lock": None, "_memo": Memo(self._memo.size)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, _lock=RLock())

    def __repr__(self) -> str:
        return (
            f"<Campaign {self.name!r}: {len(self._trials)} of {self.budget} steps, {len(self.outstanding)} "
            f"outstanding, spent {self.spent:.4g}>"
        )

    # --- planning ---------------------------------------------------------------------------------------

    def view(self) -> View:
        """Return what a method sees: the campaign in the unit cube, to be maximised."""
        with self._lock:
            return self._view()

    def _view(self) -> View:
        settings, told = self.settings, [self._trials[i] for i in self._told]
        Y = np.array([settings.maximized(trial.values) for trial in told])
        return View(
            space=settings.space,
            cost=settings.cost,
            budget=settings.budget,
            asked=self._points(self._trials),
            told=self._earlier + Data(self._points(told), Y.reshape(len(told), len(self.objectives))),
            outstanding=self._points(self.outstanding),
            position=None if self.position is None else self._unit(self.position),
            plan=self._plan.copy(),
            protocol=settings.protocol,
            seed=settings.seed,
            proportions=settings.proportions,
            spent=self.spent,
            cost_budget=settings.cost_budget,
            memo=self._memo,
        )

    def _look_ahead(self) -> Points:
        """The plan for the next ask (p, d): the rest of the last one, or a new one after news or at its end.

        It depends on the history and on the plan at the last ask, never on how often it is read.
        """
        if self._ahead is None:
            points = self._plan
            if self._news or not len(points):
                rng = np.random.default_rng([self.settings.seed, len(self._trials)])
                with one_blas_thread():
                    points = self._checked(self.settings.method.plan(self.view(), rng))
            self._ahead = self._affordable(points)
        return self._ahead

    def _checked(self, points: Points) -> Points:
        what = f"{type(self.settings.method).__name__}.plan must return points (p ≥ 1, {self.space.dim})"
        try:
            checked = as_points(np.array(points), self.space.dim)
        except (TypeError, ValueError) as error:
            raise InputError(f"{what}; {error}") from error
        if not len(checked):
            raise InputError(f"{what}; got none.")
        off_step = np.abs(self.space.snap(checked) - checked).max(axis=1)
        fit = self.space.inside(checked) & (off_step <= TOLERANCE)
        if not fit.all():
            raise InputError(
                f"{what} in the unit cube, inside the region and on the steps of the variables; "
                f"got {checked[~fit][0].tolist()}."
            )
        return checked[: self.steps_left]

    def _affordable(self, points: Points) -> Points:
        """Leave out what is beyond the cost budget from here, then cut where the way would exceed it."""
        if self.settings.cost_budget is None or not len(points):
            return points
        left, cost = (1.0 + _ROUNDING) * self.settings.cost_budget - self.spent, self.settings.cost
        X = self.space.from_unit(points)
        first = np.zeros(len(X))
        if self.position is not None:
            first = cost(self.space.point(self.position)[None], X)[0]
            points, X, first = points[first <= left], X[first <= left], first[first <= left]
        legs = np.concatenate([first[:1], cost.pairs(X[:-1], X[1:])])
        return points[: int(np.searchsorted(np.cumsum(legs), left, side="right"))]

    # --- state ------------------------------------------------------------------------------------------

    def _append(self, x: Mapping[str, float], attached: bool) -> Trial:
        trial = Trial(len(self._trials), x, cost=self._move(self.position, x), attached=attached)
        self._trials.append(trial)
        self._ahead = None
        self._news |= attached  # the plan led on from somewhere else
        return trial

    def _store(self, trial: Trial) -> None:
        """Put a changed trial in its place; with its x change the costs of the moves to and from it."""
        changed = [trial]
        if trial.x != self._trials[trial.id].x:
            here = self._trials[trial.id - 1].x if trial.id else self.settings.start
            changed = [replace(trial, cost=self._move(here, trial.x))]
            for after in self._trials[trial.id + 1 : trial.id + 2]:
                changed.append(replace(after, cost=self._move(trial.x, after.x)))
        self._trials[trial.id : trial.id + len(changed)] = changed  # all at once: a cost may raise
        self._news, self._ahead = True, None

    def _move(self, here: Mapping[str, float] | None, there: Mapping[str, float]) -> float:
        if here is None:
            return 0.0
        return float(self.settings.cost(self.space.point(here)[None], self.space.point(there)[None])[0, 0])

    def _unit(self, x: Mapping[str, float]) -> Points:
        unit: Points = self.space.to_unit(self.space.point(x)[None])[0]
        return unit

    def _points(self, trials: Sequence[Trial]) -> Points:
        X = np.array([[trial.x[name] for name in self.space.names] for trial in trials])
        return self.space.to_unit(X.reshape(len(trials), self.space.dim))


def _shown(values: Mapping[str, float]) -> str:
    return ", ".join(f"{v:g}" if len(values) == 1 else f"{name}={v:g}" for name, v in values.items())


def _already(trial: Trial, told: Trial) -> str:
    if trial.state is State.FAILED:
        reason = trial.reason or "no reason given"
        return f"Trial {trial.id} failed ({reason}). Pass replace=True to tell it after all."
    changed = _shown(told.values) if told.values != trial.values else f"another x, {dict(told.x)}"
    before = _shown(trial.values)
    return f"Trial {trial.id} was told {before} already; got {changed}. Pass replace=True to correct it."
