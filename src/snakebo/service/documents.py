"""Campaigns and trials as JSON: exact numbers, times in UTC, nothing that JSON lacks."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

import numpy as np
from starlette.responses import Response

from snakebo import methods
from snakebo.history import History
from snakebo.settings import Settings
from snakebo.space import Points
from snakebo.spec import to_spec
from snakebo.trial import State, Trial

Document = dict[str, Any]


def encode(document: Document) -> bytes:
    """Write a document as JSON; in ASCII, so that every text has a form."""
    return json.dumps(document, allow_nan=False, separators=(",", ":")).encode()


def answer(
    document: Document | bytes, status: int = 200, headers: Mapping[str, str] | None = None
) -> Response:
    """Return a response with a document, or with one that is written already."""
    text = document if isinstance(document, bytes) else encode(document)
    return Response(text, status, headers, "application/json")


def describe_trial(trial: Trial, settings: Settings) -> Document:
    """Return all of a trial."""
    one = settings.objectives[0] if len(settings.objectives) == 1 else None
    return {
        "id": trial.id,
        "x": dict(trial.x),
        "state": str(trial.state),
        "value": None if one is None else trial.values.get(one),
        "values": dict(trial.values),
        "cost": trial.cost,
        "attached": trial.attached,
        "reason": trial.reason or None,
        "asked_at": _time(trial.asked_at),
        "done_at": _time(trial.told_at),
    }


def describe_summary(history: History, nothing_left: bool) -> Document:
    """Return where a campaign stands; `nothing_left`: its last plan found no point that it could afford."""
    settings, trials, spent = history.settings, history.trials, history.spent
    limit = settings.cost_budget
    counts = {state: sum(trial.state is state for trial in trials) for state in State}
    best = _best(trials, settings, settings.objectives[0])
    return {
        "name": settings.name,
        "method": methods.name_of(settings.method) or type(settings.method).__name__,
        "seed": settings.seed,
        "budget": settings.budget,
        "steps": len(trials),
        "steps_left": history.steps_left,
        **{str(state): count for state, count in counts.items()},
        "spent": spent,
        "cost_budget": limit,
        "cost_left": None if limit is None else max(0.0, limit - spent),
        "finished": history.steps_left == 0 or nothing_left or (limit is not None and spent > limit),
        "best": None if best is None else describe_trial(best, settings),
        "objectives": [{"name": name, "direction": way} for name, way in settings.directions.items()],
    }


def describe_campaign(history: History, nothing_left: bool, figures: Iterable[Document]) -> Document:
    """Return all of a campaign but its trials and its plan."""
    settings = history.settings
    best = {name: _best(history.trials, settings, name) for name in settings.objectives}
    return {
        **describe_summary(history, nothing_left),
        "variables": [
            {
                "name": each.name,
                "low": each.low,
                "high": each.high,
                "unit": each.unit,
                "free": each.free,
                "step": each.step,
            }
            for each in settings.space.variables
        ],
        "position": None if history.position is None else dict(history.position),
        "seq": history.seq,
        "spec": to_spec(settings),
        "outstanding_trials": [describe_trial(trial, settings) for trial in history.outstanding],
        "best_by": {
            name: describe_trial(trial, settings) for name, trial in best.items() if trial is not None
        },
        "figures": list(figures),
    }


def describe_plan(history: History, ahead: Points) -> Document:
    """Return the points ahead with the cost of each leg, and what the plan before this one had ahead."""
    settings, space, here = history.settings, history.settings.space, history.position
    X = space.from_unit(ahead)
    legs = np.zeros(len(X))
    if len(X) > 1:
        legs[1:] = settings.cost.pairs(X[:-1], X[1:])
    if len(X) and here is not None:
        legs[0] = settings.cost(space.point(here)[None], X[:1])[0, 0]
    before, seq = history.previous, history.previous_planned
    if history.news:  # the plan as stored is no longer the one ahead
        before, seq = history.plan, history.planned
    return {
        "seq": history.seq,
        "position": None if here is None else dict(here),
        "points": [{"x": space.mapping(x), "cost": cost} for x, cost in zip(X, legs.tolist(), strict=True)],
        "cost": float(legs.sum()),
        "previous": {"seq": seq, "points": [{"x": space.mapping(x)} for x in space.from_unit(before)]}
        if len(before)
        else None,
    }


def _best(trials: Iterable[Trial], settings: Settings, objective: str) -> Trial | None:
    sign = settings.signs[settings.objectives.index(objective)]
    told = (trial for trial in trials if trial.state is State.TOLD)
    return max(told, key=lambda trial: sign * trial.values[objective], default=None)


def _time(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat()
