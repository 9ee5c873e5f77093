"""The shapes of requests and responses, for checking the former and for the OpenAPI document of both."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

_TRIAL = {
    "id": 7,
    "x": {"temperature": 82.5, "equivalents": 2.0},
    "state": "told",
    "value": 0.73,
    "values": {"yield": 0.73},
    "cost": 1.25,
    "attached": False,
    "reason": None,
    "asked_at": "2025-03-01T09:30:00+00:00",
    "done_at": "2025-03-01T10:05:00+00:00",
}
_OUTSTANDING = {**_TRIAL, "state": "outstanding", "value": None, "values": {}, "done_at": None}
SPEC_EXAMPLE = {
    "name": "snar",
    "budget": 100,
    "seed": 1,
    "method": "snake",
    "variables": [
        {"name": "temperature", "low": 40, "high": 120, "unit": "°C"},
        {"name": "equivalents", "low": 1, "high": 5, "free": True},
    ],
    "cost": {"kind": "ramp-rate", "rates": {"temperature": [5, 2]}},
    "objectives": [{"name": "yield", "direction": "maximize"}],
}
_SUMMARY = {
    "name": "snar",
    "method": "snake",
    "seed": 1,
    "budget": 100,
    "steps": 8,
    "steps_left": 92,
    "outstanding": 0,
    "told": 8,
    "failed": 0,
    "spent": 31.5,
    "cost_budget": None,
    "cost_left": None,
    "finished": False,
    "best": _TRIAL,
    "objectives": [{"name": "yield", "direction": "maximize"}],
}


class Shape(BaseModel):
    """A table with known keys and no others."""

    model_config = ConfigDict(extra="forbid", strict=True)


def _with(example: dict[str, Any]) -> ConfigDict:
    return ConfigDict(json_schema_extra={"examples": [example]})


# --- requests -------------------------------------------------------------------------------------------


class DefinedVariable(Shape):
    """Something that can be set."""

    name: Annotated[str, Field(min_length=1)]
    low: float
    high: float
    unit: str = ""
    free: Annotated[bool, Field(description="Changing it costs nothing.")] = False
    step: Annotated[float | None, Field(description="The resolution of the instrument.")] = None


class DefinedObjective(Shape):
    """What is measured."""

    name: Annotated[str, Field(min_length=1)]
    direction: Literal["maximize", "minimize"] = "maximize"
    share: Annotated[float, Field(ge=0, description="Of the plan, among several objectives.")] = 1.0


class Definition(Shape):
    """A campaign to be; read and checked as specs are, so that a problem names its place by `path`."""

    model_config = _with(SPEC_EXAMPLE)

    name: Annotated[str, Field(min_length=1, max_length=200)]
    budget: Annotated[int, Field(ge=1, le=100_000, description="How many trials there are in all.")]
    variables: Annotated[list[DefinedVariable], Field(min_length=1, max_length=50)]
    objectives: Annotated[list[DefinedObjective] | None, Field(min_length=1, max_length=10)] = None
    method: Annotated[str | None, Field(description='A name, with settings: "snake:epsilon=0.1".')] = None
    seed: Annotated[int | None, Field(ge=0)] = None
    cost: Annotated[
        str | dict[str, Any] | None, Field(description='The cost of moving: {"kind": …}; else Euclidean.')
    ] = None
    cost_budget: Annotated[float | None, Field(gt=0, description="Travel that may be spent.")] = None
    start: Annotated[dict[str, float] | None, Field(description="Where the apparatus is now.")] = None
    region: Annotated[
        dict[str, Any] | list[dict[str, Any]] | None,
        Field(description='Where it may go: {"kind": "polygon" | "linear" | "candidates", …}.'),
    ] = None
    protocol: Annotated[str | dict[str, Any] | None, Field(description="How hyper-parameters are found.")] = (
        None
    )


class Nothing(Shape):
    """An empty object, or no body at all."""


class Result(Shape):
    """What was measured: a value, or values by objective."""

    model_config = _with({"value": 0.73})

    value: Annotated[float | None, Field(description="Where there is one objective.")] = None
    values: Annotated[dict[str, float] | None, Field(description="By objective.")] = None
    x: Annotated[
        dict[str, float] | None, Field(description="Where the apparatus did something else than asked.")
    ] = None
    replace: Annotated[bool, Field(description="Correct a result that was told before.")] = False


class Failure(Shape):
    """Why a trial gave no result."""

    model_config = _with({"reason": "pump stalled"})

    reason: Annotated[str, Field(max_length=2000)] = ""


class Setting(Shape):
    """A setting of one's own."""

    model_config = _with({"x": {"temperature": 60, "equivalents": 2}})

    x: Annotated[dict[str, float], Field(description="A value for every variable.")]


# --- responses ------------------------------------------------------------------------------------------


class Health(Shape):
    """That the service is there."""

    status: Literal["ok"]
    version: str


class Trial(Shape):
    """One step of a campaign."""

    model_config = _with(_TRIAL)

    id: Annotated[int, Field(ge=0)]
    x: dict[str, float]
    state: Literal["outstanding", "told", "failed"]
    value: Annotated[float | None, Field(description="Where there is one objective and it was told.")]
    values: Annotated[dict[str, float], Field(description="By objective; empty before it is told.")]
    cost: Annotated[float, Field(description="Of the move to this setting.")]
    attached: Annotated[bool, Field(description="Chosen by somebody, not by the method.")]
    reason: Annotated[str | None, Field(description="Why it failed.")]
    asked_at: str | None
    done_at: str | None


class AskedTrial(Trial):
    """A trial to be tried now."""

    model_config = _with({**_OUTSTANDING, "planned_cost": 1.25})

    planned_cost: float


class Objective(Shape):
    """What is measured."""

    name: str
    direction: Literal["maximize", "minimize"]


class Summary(Shape):
    """Where a campaign stands."""

    model_config = _with(_SUMMARY)

    name: str
    method: str
    seed: int
    budget: int
    steps: Annotated[int, Field(description="Trials so far.")]
    steps_left: int
    told: int
    failed: int
    outstanding: int
    spent: float
    cost_budget: float | None
    cost_left: float | None
    finished: Annotated[
        bool, Field(description="No step is left, or the last plan found nothing that can be afforded.")
    ]
    best: Trial | None
    objectives: list[Objective]


class Unusable(Shape):
    """A campaign that cannot be used over HTTP, and why."""

    name: str
    error: str


class Campaigns(Shape):
    """All campaigns, oldest first."""

    campaigns: list[Summary | Unusable]


class Variable(Shape):
    """Something that can be set."""

    name: str
    low: float
    high: float
    unit: str
    free: bool
    step: float | None


class FigureName(Shape):
    """A figure that can be drawn of every campaign."""

    name: str
    title: str
    caption: str


class Campaign(Summary):
    """All of a campaign but its trials and its plan."""

    model_config = _with({
        **_SUMMARY,
        "variables": [
            {"name": "temperature", "low": 40, "high": 120, "unit": "°C", "free": False, "step": None},
            {"name": "equivalents", "low": 1, "high": 5, "unit": "", "free": True, "step": None},
        ],
        "position": _TRIAL["x"],
        "seq": 16,
        "spec": SPEC_EXAMPLE,
        "outstanding_trials": [],
        "best_by": {"yield": _TRIAL},
        "figures": [{"name": "path", "title": "The path and the plan", "caption": "Every trial …"}],
    })  # fmt: skip

    variables: list[Variable]
    position: dict[str, float] | None
    seq: Annotated[int, Field(description="The number of the last event.")]
    spec: dict[str, Any]
    outstanding_trials: list[Trial]
    best_by: dict[str, Trial]
    figures: list[FigureName]


class Leg(Shape):
    """A planned point, and the cost of the move to it."""

    x: dict[str, float]
    cost: float


class Place(Shape):
    """A point that was planned."""

    x: dict[str, float]


class PreviousPlan(Shape):
    """What the plan before the last re-plan still had ahead; `seq` is the event that had brought it."""

    seq: int
    points: list[Place]


class Plan(Shape):
    """The points ahead, in order, as of an event."""

    model_config = _with({
        "seq": 16,
        "position": {"temperature": 82.5, "equivalents": 2.0},
        "points": [{"x": {"temperature": 90.0, "equivalents": 2.5}, "cost": 1.5}],
        "cost": 1.5,
        "previous": {"seq": 14, "points": [{"x": {"temperature": 70.0, "equivalents": 2.0}}]},
    })  # fmt: skip

    seq: int
    position: dict[str, float] | None
    points: list[Leg]
    cost: Annotated[float, Field(description="Of all legs.")]
    previous: PreviousPlan | None


class Trials(Shape):
    """Trials in the order in which they were asked or attached."""

    trials: list[Trial]


class Figure(BaseModel):
    """A Plotly figure; `layout.meta` has its title, its caption and its layouts for wide and narrow pages."""

    data: list[dict[str, Any]]
    layout: dict[str, Any]


class Event(BaseModel):
    """One server-sent event."""

    id: Annotated[str, Field(description="The number of the event in the journal.", pattern="^[0-9]+$")]
    event: Literal["asked", "attached", "told", "failed", "data", "replanned"]
    data: Annotated[str, Field(description='JSON: {"seq", "at", "trial": the trial as it stands, or null}.')]


class Problem(BaseModel):
    """What went wrong (RFC 9457)."""

    model_config = _with({
        "type": "urn:snakebo:trial-state",
        "title": "Conflict",
        "status": 409,
        "detail": "Trial 7 was told 0.31 already; got 0.42. Pass replace=True to correct it.",
    })  # fmt: skip

    type: str
    title: str
    status: int
    detail: str
    field: Annotated[str | None, Field(description="The part of the request at fault.")] = None
    path: Annotated[
        list[str | int] | None, Field(description="Keys and indices to the place in a definition.")
    ] = None
