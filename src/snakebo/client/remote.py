"""A campaign of a service: the same verbs, trials and exceptions as a local one."""

from __future__ import annotations

import operator
from collections import deque
from collections.abc import Mapping
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, SupportsFloat
from uuid import uuid4

from snakebo.checks import as_real
from snakebo.errors import InputError, UnknownTrialError
from snakebo.settings import Settings, as_plain
from snakebo.storage import check_key
from snakebo.trial import State, Trial

if TYPE_CHECKING:
    import pandas as pd

    from snakebo.client.transport import Answer, Transport
    from snakebo.space import Space

_TIMES = ("asked_at", "done_at")

Value = SupportsFloat | Mapping[str, SupportsFloat]


class RemoteCampaign:
    """A campaign that a service keeps; others may work on it at the same time. May be shared by threads."""

    def __init__(self, transport: Transport, document: Mapping[str, Any]) -> None:
        self._http = transport
        self.name: str = document["name"]
        self.spec: Mapping[str, Any] = document["spec"]  # its definition, as data
        self.budget: int = document["budget"]
        self.objectives: tuple[str, ...] = tuple(each["name"] for each in document["objectives"])
        self._unanswered: deque[str] = deque()  # keys of asks of which nobody knows whether they were heard

    # --- the loop ---------------------------------------------------------------------------------------

    def ask(self, key: str | None = None) -> Trial:
        """Return the next setting to try. Raises BudgetSpentError when no step or no travel is left.

        However often the request has to be repeated, it is one trial; also if this raised
        ServiceUnavailableError and is called again. key: to go on so in another process.
        """
        if key is not None:
            return _read_trial(self._post("ask", key=check_key(key)).result())
        while True:
            try:
                key, again = self._unanswered.popleft(), True
            except IndexError:
                key, again = uuid4().hex, False
            try:
                answer = self._post("ask", key=key)
            except BaseException:  # Ctrl-C too
                self._unanswered.append(key)
                raise
            trial = _read_trial(answer.result())
            if not again or trial.state is State.OUTSTANDING:  # else it was found and told meanwhile
                return trial

    def tell(
        self, trial_id: int, value: Value, x: Mapping[str, float] | None = None, replace: bool = False
    ) -> Trial:
        """Record the result of a trial; `x` if the apparatus did something else than asked.

        Telling the same again changes nothing. Another value or another x for a told or failed trial needs
        `replace=True`. Raises InputError for a value that is not a finite number.
        """
        body: dict[str, Any] = {"replace": bool(replace)}
        if isinstance(value, Mapping):
            body["values"] = {str(name): _as_result(each, str(name)) for name, each in value.items()}
        else:
            body["value"] = _as_result(value, "value")
        if x is not None:
            body["x"] = _as_setting(x)
        return _read_trial(self._post("trials", _as_id(trial_id), "tell", body=body).result())

    def fail(self, trial_id: int, reason: str = "") -> Trial:
        """Record that a trial gave no result. It stays counted and is never modelled as a value."""
        body = {"reason": str(reason)}
        return _read_trial(self._post("trials", _as_id(trial_id), "fail", body=body).result())

    def attach(self, x: Mapping[str, float], key: str | None = None) -> Trial:
        """Add a setting of one's own: a trial like any other, which counts and moves the apparatus."""
        key = uuid4().hex if key is None else check_key(key)
        return _read_trial(self._post("attach", body={"x": _as_setting(x)}, key=key).result())

    # --- what is known ----------------------------------------------------------------------------------

    def summary(self) -> dict[str, Any]:
        """Return everything about where the campaign stands, as of one moment."""
        return dict(self._get().result())

    @property
    def trials(self) -> tuple[Trial, ...]:
        """All trials in the order in which they were asked or attached."""
        return tuple(map(_read_trial, self._get("trials").result()["trials"]))

    def trial(self, trial_id: int) -> Trial:
        """Return a trial by its id."""
        number = int(_as_id(trial_id))
        found = self._get("trials", after=number - 1, limit=1).result()["trials"]
        if not found:
            raise UnknownTrialError(f"There is no trial {number} in {self.name!r}.")
        return _read_trial(found[0])

    @property
    def outstanding(self) -> tuple[Trial, ...]:
        """Trials that were asked and neither told nor failed."""
        return tuple(map(_read_trial, self.summary()["outstanding_trials"]))

    @property
    def best(self) -> Trial | None:
        """The best trial told so far, by the first objective if there are several; see `best_by`."""
        return self.best_by(self.objectives[0])

    def best_by(self, objective: str) -> Trial | None:
        """Return the best trial told so far by one objective; None before the first tell."""
        if objective not in self.objectives:
            raise InputError(f"There is no objective {objective!r}; they are {', '.join(self.objectives)}.")
        found = self.summary()["best_by"].get(objective)
        return None if found is None else _read_trial(found)

    @property
    def steps_left(self) -> int:
        """How many more trials may be asked or attached."""
        return int(self.summary()["steps_left"])

    @property
    def spent(self) -> float:
        """The cost of all moves so far, from `start` if one was given."""
        return float(self.summary()["spent"])

    @property
    def position(self) -> Mapping[str, float] | None:
        """Where the apparatus is: the last setting asked or attached, before that the start."""
        position: Mapping[str, float] | None = self.summary()["position"]
        return position

    @property
    def finished(self) -> bool:
        """Whether no step, or no affordable move, is left. Results may still be outstanding."""
        summary = self.summary()
        if summary["finished"] or summary["cost_budget"] is None:
            return bool(summary["finished"])
        return not self.plan()

    def plan(self) -> list[dict[str, float]]:
        """Return the points ahead, in order, as far as they are planned and affordable."""
        return [dict(point["x"]) for point in self._get("plan").result()["points"]]

    @cached_property
    def settings(self) -> Settings:
        """All that defines the campaign."""
        from snakebo.spec import from_spec

        return Settings.read(**from_spec(self.spec))

    @property
    def space(self) -> Space:
        """The settings that can be tried."""
        return self.settings.space

    def to_frame(self) -> pd.DataFrame:
        """Return one row a trial: state, settings, values, cost of the move, cost spent until then."""
        from snakebo.frames import trials_frame

        return trials_frame(self.trials, self.settings)

    def __repr__(self) -> str:
        return f"<RemoteCampaign {self.name!r} at {self._http.url}>"

    def _get(self, *path: str, **query: int) -> Answer:
        return self._http.send("GET", "api", "campaigns", self.name, *path, query=query or None)

    def _post(self, *path: str, body: Mapping[str, Any] | None = None, key: str | None = None) -> Answer:
        return self._http.send("POST", "api", "campaigns", self.name, *path, body=body, key=key)


def _read_trial(document: Mapping[str, Any]) -> Trial:
    asked, done = (document[each] and datetime.fromisoformat(document[each]) for each in _TIMES)
    return Trial(
        id=document["id"],
        x=document["x"],
        state=State(document["state"]),
        values=document["values"],
        cost=document["cost"],
        reason=document["reason"] or "",
        attached=document["attached"],
        asked_at=asked,
        told_at=done,
    )


def _as_id(trial_id: object) -> str:
    try:
        number = -1 if isinstance(trial_id, bool) else operator.index(trial_id)  # type: ignore[arg-type]
    except TypeError:
        number = -1
    if number < 0:
        raise UnknownTrialError(f"There is no trial {trial_id!r}: ids are whole numbers from 0 on.")
    return str(number)


def _as_result(value: object, name: str) -> float:
    try:
        return as_real(as_plain(value), repr(name))
    except InputError as error:
        raise InputError(f"{error} A trial that gave no number is failed: fail(id, reason).") from None


def _as_setting(x: object) -> dict[str, float]:
    if not isinstance(x, Mapping):
        raise InputError(f"A point must be a mapping from variable names to numbers; got {x!r}.")
    return {str(name): as_real(as_plain(value), repr(name)) for name, value in x.items()}
