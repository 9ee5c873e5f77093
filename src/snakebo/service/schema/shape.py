"""What all shapes have in common."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict


class Shape(BaseModel):
    """A table with known keys and no others."""

    model_config = ConfigDict(extra="forbid", strict=True)


def with_example(example: dict[str, Any]) -> ConfigDict:
    """Return the settings of a shape with an example."""
    return ConfigDict(json_schema_extra={"examples": [example]})
