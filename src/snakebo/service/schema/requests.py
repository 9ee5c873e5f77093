"""What requests carry. All but a definition, which is read as specs are, is checked by these shapes."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from snakebo.service.schema.examples import SPEC
from snakebo.service.schema.shape import Shape, with_example


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

    model_config = with_example(SPEC)

    name: Annotated[str, Field(min_length=1, max_length=200)]
    budget: Annotated[int, Field(ge=1, le=100_000, description="How many trials there are in all.")]
    variables: Annotated[list[DefinedVariable], Field(min_length=1, max_length=30)]
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

    model_config = with_example({"value": 0.73})

    value: Annotated[float | None, Field(description="Where there is one objective.")] = None
    values: Annotated[dict[str, float] | None, Field(description="By objective.")] = None
    x: Annotated[
        dict[str, float] | None, Field(description="Where the apparatus did something else than asked.")
    ] = None
    replace: Annotated[bool, Field(description="Correct a result that was told before.")] = False


class Failure(Shape):
    """Why a trial gave no result."""

    model_config = with_example({"reason": "pump stalled"})

    reason: Annotated[str, Field(max_length=2000)] = ""


class Setting(Shape):
    """A setting of one's own."""

    model_config = with_example({"x": {"temperature": 60, "equivalents": 2}})

    x: Annotated[dict[str, float], Field(description="A value for every variable.")]
