"""Estimates, and verdicts about two of them, as they stand in a table."""

from __future__ import annotations

import math
from collections.abc import Sequence

from snakebo.bench.estimate import Estimate
from snakebo.bench.sheet import NOTHING, Text
from snakebo.bench.summary import Beside

_CLEAR = 2.0  # standard errors from which on a difference is coloured


def write_estimates(estimates: Sequence[Estimate | None], places: int | None = None) -> list[Text]:
    """Return mean ± standard deviation, the least in bold where there are several.

    places: decimals; None keeps those that a printed number has.
    """
    means = [estimate.mean for estimate in estimates if estimate]
    least = min(means) if len(means) > 1 else math.nan
    return [
        Text(write_estimate(estimate, places), bold=estimate.mean == least) if estimate else NOTHING
        for estimate in estimates
    ]


def write_estimate(estimate: Estimate, places: int | None = None) -> str:
    """Return mean ± standard deviation; the mean alone where only one run is done."""
    numbers = [estimate.mean] if math.isnan(estimate.std) else [estimate.mean, estimate.std]
    if places is None:
        places = max(len(f"{number:.10g}".partition(".")[2]) for number in numbers)
    return " ± ".join(f"{number:z.{places}f}".replace("-", "−") for number in numbers)


def write_verdict(pair: Beside) -> Text:
    """Return whose mean is lower, and by how many standard errors of the difference if these are known."""
    margin = pair.margin
    if margin is None or pair.ours is None or pair.paper is None:
        return NOTHING
    if pair.ours.mean == pair.paper.mean:
        return Text("equal")
    who = "ours" if pair.holds else "paper"
    if math.isnan(margin):
        return Text(who)
    by = "∞" if math.isinf(margin) else f"{abs(margin):.1f}"
    clear = abs(margin) >= _CLEAR
    return Text(f"{who} {by}", tone=("good" if pair.holds else "bad") if clear else "plain")
