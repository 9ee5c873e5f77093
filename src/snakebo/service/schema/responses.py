"""What answers carry, for the OpenAPI document."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from snakebo.service.schema.examples import OUTSTANDING, SPEC, SUMMARY, TRIAL
from snakebo.service.schema.shape import Shape, with_example


class Health(Shape):
    """That the service is there."""

    status: Literal["ok"]
    version: str


class Trial(Shape):
    """One step of a campaign."""

    model_config = with_example(TRIAL)

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

    model_config = with_example({**OUTSTANDING, "planned_cost": 1.25})

    planned_cost: float


class Objective(Shape):
    """What is measured."""

    name: str
    direction: Literal["maximize", "minimize"]


class Summary(Shape):
    """Where a campaign stands."""

    model_config = with_example(SUMMARY)

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

    model_config = with_example({
        **SUMMARY,
        "variables": [
            {"name": "temperature", "low": 40, "high": 120, "unit": "°C", "free": False, "step": None},
            {"name": "equivalents", "low": 1, "high": 5, "unit": "", "free": True, "step": None},
        ],
        "position": TRIAL["x"],
        "seq": 16,
        "spec": SPEC,
        "outstanding_trials": [],
        "best_by": {"yield": TRIAL},
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

    model_config = with_example({
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

    model_config = with_example({
        "type": "urn:snakebo:trial-state",
        "title": "Conflict",
        "status": 409,
        "detail": "Trial 7 was told 0.31 already; got 0.42. Set replace to correct it.",
    })  # fmt: skip

    type: str
    title: str
    status: int
    detail: str
    field: Annotated[str | None, Field(description="The part of the request at fault.")] = None
    path: Annotated[
        list[str | int] | None, Field(description="Keys and indices to the place in a definition.")
    ] = None
