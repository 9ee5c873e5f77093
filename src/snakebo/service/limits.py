"""How large a campaign may be that comes over HTTP: one request must not keep the service busy for hours."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from snakebo.errors import SpecError

MOST_STEPS = 10_000
MOST_ENTRIES = {"variables": 100, "objectives": 20}


def check_spec(spec: Any) -> None:
    """Raise SpecError for a definition that is larger than the service allows; its form is checked later."""
    if not isinstance(spec, Mapping):
        return
    budget = spec.get("budget")
    if isinstance(budget, int) and budget > MOST_STEPS:
        raise SpecError(("budget",), f"must be at most {MOST_STEPS} over HTTP; got {budget:.6g}.")
    for key, most in MOST_ENTRIES.items():
        entries = spec.get(key)
        if isinstance(entries, list) and len(entries) > most:
            raise SpecError((key,), f"must have at most {most} entries over HTTP; got {len(entries)}.")
