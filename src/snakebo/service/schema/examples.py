"""Examples for the OpenAPI document."""

from typing import Any

TRIAL: dict[str, Any] = {
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
OUTSTANDING = {**TRIAL, "state": "outstanding", "value": None, "values": {}, "done_at": None}
SPEC: dict[str, Any] = {
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
SUMMARY: dict[str, Any] = {
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
    "best": TRIAL,
    "objectives": [{"name": "yield", "direction": "maximize"}],
}
