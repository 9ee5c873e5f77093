"""A campaign behind the generator standard (gest-api), for Xopt, optimas, libEnsemble and their like.

Needs `pip install 'snakebo[gest]'`.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

try:
    from gest_api.generator import Generator
    from gest_api.vocs import VOCS, ContinuousVariable, MaximizeObjective, MinimizeObjective
except ModuleNotFoundError as error:
    raise ModuleNotFoundError("The generator needs gest-api: pip install 'snakebo[gest]'.") from error

from snakebo.campaign import Campaign
from snakebo.checks import as_whole
from snakebo.errors import BudgetSpentError, InputError, UnknownTrialError
from snakebo.settings import Direction, as_plain
from snakebo.space import Space, Variable
from snakebo.storage import Storage
from snakebo.trial import Trial

__all__ = ["SnakeboGenerator", "SuggestionError"]

_ID = "_id"
_DIRECTIONS: Mapping[type, Direction] = {MaximizeObjective: "maximize", MinimizeObjective: "minimize"}


class SuggestionError(BudgetSpentError, ValueError):
    """Fewer points are left than were asked for. None is lost: a smaller number can be suggested."""


@dataclass(frozen=True)
class _Outcome:
    """What a row says of a trial, or of a measurement of others: why it failed, or what came out where."""

    trial: Trial | None
    reason: str = ""
    x: Mapping[str, float] = field(default_factory=dict)
    values: Mapping[str, float] = field(default_factory=dict)


class SnakeboGenerator(Generator):  # type: ignore[misc]  # gest-api has no types
    """Suggests the points of a planned path; results come back in any order, however late.

    >>> vocs = VOCS(variables={"x": [0, 1], "y": [0, 5]}, objectives={"f": "MINIMIZE"})
    >>> generator = SnakeboGenerator(vocs, budget=100, seed=0)
    >>> points = generator.suggest(4)  # [{"x": 0.3, "y": 2.1, "_id": 0}, …]
    >>> generator.ingest([{**point, "f": measure(point)} for point in points])

    The points of one suggestion are in the order in which the apparatus should go through them.
    """

    returns_id = True

    def __init__(
        self, vocs: VOCS, budget: int, *, space: Space | None = None, name: str = "gest", **settings: Any
    ) -> None:
        """Set up a campaign of at most `budget` points.

        space: where the variables have units, steps or a region, or are free to change; names and bounds as
        in the VOCS. settings: `method`, `cost`, `seed`, `start`, `cost_budget`, `storage`, … of `Campaign`.
        """
        super().__init__(vocs)
        for given in settings.keys() & {"objectives", "direction"}:
            raise InputError(f"The VOCS says what is optimised; leave {given}=… out.")
        settings |= {"objectives": tuple(vocs.objectives), "direction": _directions(vocs)}
        space = _space(vocs) if space is None else space
        _check_variables(vocs, space)
        self._begin(vocs, Campaign(space, budget, name=name, **settings))

    @classmethod
    def load(cls, vocs: VOCS, storage: str | Storage, name: str = "gest", **code: Any) -> Self:
        """Go on with a stored campaign; see `Campaign.load`. What was outstanding is suggested first."""
        generator = cls.__new__(cls)
        Generator.__init__(generator, vocs)
        campaign = Campaign.load(storage, name, **code)
        _check_variables(vocs, campaign.space)
        _check_objectives(vocs, campaign)
        generator._begin(vocs, campaign)
        return generator

    def _begin(self, vocs: VOCS, campaign: Campaign) -> None:
        self.vocs = vocs
        self.campaign = campaign  # for its plan, its best trial, its report
        self._waiting = deque(campaign.outstanding)  # trials that nobody has in hand

    def _validate_vocs(self, vocs: VOCS) -> None:
        """Raise InputError, a ValueError, for what a campaign cannot do."""
        if not isinstance(vocs, VOCS):
            raise InputError(f"vocs must be a VOCS of gest_api; got {vocs!r}.")
        if not vocs.variables or not vocs.objectives:
            raise InputError("The VOCS needs at least one variable and at least one objective.")
        if vocs.constraints:
            raise InputError(
                f"Constraints on results are not supported ({', '.join(vocs.constraints)}). Limits on "
                "settings are: pass space=Space(…, region=…)."
            )
        for name, variable in vocs.variables.items():
            if type(variable) is not ContinuousVariable or not _is_scalar(variable.dtype):
                raise InputError(
                    f"The variable {name!r} must be continuous, one number between two bounds; "
                    f"got {variable!r}."
                )
        for name, objective in vocs.objectives.items():
            if type(objective) not in _DIRECTIONS:
                raise InputError(
                    f"The objective {name!r} must be MINIMIZE or MAXIMIZE; got {type(objective).__name__}."
                )
        if _ID in vocs.all_names:
            raise InputError(f"{_ID!r} is what the standard calls the id of a point; choose another name.")

    def suggest(self, num_points: int | None = None) -> list[dict[str, Any]]:
        """Return the next points, one unless told otherwise; SuggestionError where the budget has fewer."""
        wanted = 1 if num_points is None else as_whole(as_plain(num_points), "num_points", 0)
        outstanding = {trial.id for trial in self.campaign.outstanding}
        self._waiting = deque(trial for trial in self._waiting if trial.id in outstanding)
        left = len(self._waiting) + self.campaign.steps_left
        if wanted > left:
            raise SuggestionError(f"Only {left} points are left in the budget; {wanted} were asked for.")
        while len(self._waiting) < wanted:
            try:
                self._waiting.append(self.campaign.ask())
            except BudgetSpentError as error:
                raise SuggestionError(
                    f"{wanted} points were asked for, but {len(self._waiting)} can be had: {error}"
                ) from error
        return [self._as_point(self._waiting.popleft()) for _ in range(wanted)]

    def _as_point(self, trial: Trial) -> dict[str, Any]:
        constants = {name: constant.value for name, constant in self.vocs.constants.items()}
        return {**trial.x, **constants, _ID: trial.id}

    def ingest(self, results: Sequence[Mapping[str, Any]]) -> None:
        """Take in results, in any order. A NaN or None, or a row that Xopt marks as an error, is a failure.

        Rows without an id are measurements of others: they inform, cost nothing and move nothing. All rows
        are checked before the first counts; InputError names the row at fault.
        """
        outcomes = []
        for number, row in enumerate(_as_rows(results)):
            try:
                outcomes.append(self._read({name: as_plain(value) for name, value in row.items()}))
            except InputError as error:
                raise InputError(f"Row {number} of the results: {error} Nothing was ingested.") from error
        others = []
        for each in outcomes:
            if each.trial is None:
                others += [] if each.reason else [{**each.x, **each.values}]
            elif each.reason:
                self.campaign.fail(each.trial.id, each.reason)
            else:
                self.campaign.tell(each.trial.id, each.values, each.x)
        if others:  # last: telling again is harmless if something above raised, adding again is not
            self.campaign.add_data(others)

    def _read(self, row: Mapping[str, object]) -> _Outcome:
        """Check a row. It was measured where it was suggested, unless it says where."""
        settings, space = self.campaign.settings, self.campaign.space
        trial, reason = self._trial_of(row), _why_failed(row, settings.objectives)
        if reason:
            return _Outcome(trial, reason)
        given = {name: row[name] for name in space.names if name in row}
        x = space.point(given if trial is None else {**trial.x, **given})
        values = settings.values({name: row[name] for name in settings.objectives})
        return _Outcome(trial, x=space.mapping(x), values=values)

    def _trial_of(self, row: Mapping[str, object]) -> Trial | None:
        """The trial that a row belongs to; tables with rows of others too have NaN for their ids."""
        number = row.get(_ID)
        if number is None or _is_nan(number):
            return None
        if isinstance(number, float) and number.is_integer():
            number = int(number)
        try:
            return self.campaign.trial(number)  # type: ignore[arg-type]  # it says what is wrong
        except UnknownTrialError as error:
            raise InputError(f"{error} Leave {_ID!r} out of points that were not suggested here.") from error

    def finalize(self) -> None:
        """Let go of the storage. Every result was stored when it was ingested."""
        if self.campaign.storage is not None:
            self.campaign.storage.close()


def _space(vocs: VOCS) -> Space:
    return Space([Variable(name, *variable.domain) for name, variable in vocs.variables.items()])


def _directions(vocs: VOCS) -> dict[str, Direction]:
    return {name: _DIRECTIONS[type(objective)] for name, objective in vocs.objectives.items()}


def _check_variables(vocs: VOCS, space: Space) -> None:
    wanted, found = (
        {each.name: (each.low, each.high) for each in some.variables} for some in (_space(vocs), space)
    )
    if wanted != found:
        raise InputError(f"The variables of the VOCS are {wanted}; those of the campaign are {found}.")


def _check_objectives(vocs: VOCS, campaign: Campaign) -> None:
    wanted, found = _directions(vocs), dict(campaign.settings.directions)
    if wanted != found:
        raise InputError(f"The objectives of the VOCS are {wanted}; those of the campaign are {found}.")


def _is_scalar(dtype: Any) -> bool:
    if dtype is None:
        return True
    try:
        read = np.dtype(dtype)
    except TypeError:
        return False
    return read.kind == "f" and not read.shape


def _as_rows(results: object) -> list[Mapping[str, object]]:
    rows = list(results) if isinstance(results, Sequence) and not isinstance(results, str) else None
    if rows is None or not all(isinstance(row, Mapping) for row in rows):
        raise InputError(f"results must be a list of dictionaries by name; got {type(results).__name__}.")
    return rows


def _why_failed(row: Mapping[str, object], objectives: Sequence[str]) -> str:
    """The reason why a row has no result; empty if it has one."""
    if row.get("xopt_error") is True:
        trace = str(row.get("xopt_error_str") or "").strip().splitlines()
        return trace[-1].strip() if trace else "the evaluation raised"
    if missing := [name for name in objectives if name not in row]:
        raise InputError(f"it lacks {', '.join(missing)}; an evaluation that failed has NaN there.")
    absent = [name for name in objectives if row[name] is None or _is_nan(row[name])]
    return f"no result for {', '.join(absent)}" if absent else ""


def _is_nan(value: object) -> bool:
    return isinstance(value, float) and math.isnan(value)
