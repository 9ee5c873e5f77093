"""Campaigns that are awkward to draw, by name."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.random import Generator

import snakebo as sb
from snakebo.space import Points

EVIL = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"


class Wander:
    """A method that costs nothing: a few points at random."""

    def plan(self, view: sb.View, rng: Generator) -> Points:
        return view.space.uniform(min(view.steps_left, 5), rng)


def box(dim: int, **settings: Any) -> sb.Space:
    return sb.Space([sb.Variable(f"v{i}", 0, 10 + i, unit="mm") for i in range(dim)], **settings)


def campaign(space: sb.Space, budget: int = 20, **settings: Any) -> sb.Campaign:
    return sb.Campaign(space, budget, Wander(), **settings)


def bowl(x: Any) -> float:
    return float(100.0 - sum((value - 4.0) ** 2 for value in x.values()))


def run(campaign: sb.Campaign, steps: int, value: Callable[[Any], Any] = bowl) -> sb.Campaign:
    for _ in range(steps):
        trial = campaign.ask()
        campaign.tell(trial.id, value(trial.x))
    return campaign


def _two_values(x: Any) -> dict[str, float]:
    return {"yield": bowl(x), "waste": sum(x.values())}


def _one_outstanding() -> sb.Campaign:
    waiting = campaign(box(2))
    waiting.ask()
    return waiting


def _only_failures() -> sb.Campaign:
    failing = campaign(box(3), start={"v0": 0, "v1": 0, "v2": 0})
    for _ in range(4):
        failing.fail(failing.ask().id, "pump stalled")
    return failing


def _mixed() -> sb.Campaign:
    mixed = run(campaign(box(4), cost=sb.Norm(1), start=dict.fromkeys(box(4).names, 1.0)), 6)
    mixed.fail(mixed.ask().id, "pump stalled")
    own = mixed.attach(dict.fromkeys(mixed.space.names, 5.0))
    mixed.tell(own.id, 90.0)
    mixed.ask()
    return mixed


def _lake() -> sb.Campaign:
    polygon = sb.Polygon(
        [(0, 0), (8, 0), (8, 8), (0, 8)], holes=[[(3, 3), (5, 3), (5, 5), (3, 5)]], variables=("v1", "v0")
    )
    return run(campaign(box(2, region=polygon), cost=sb.Geodesic(polygon)), 8)


def _candidates() -> sb.Campaign:
    points = [[0.0, 0.0], [5.0, 5.0], [10.0, 2.0], [3.0, 11.0]]
    return run(campaign(box(2, region=sb.Candidates(points)), budget=10), 4)


def _earlier() -> sb.Campaign:
    informed = campaign(box(2))
    informed.add_data(pd.DataFrame({"v0": [1.0, 2.0, 3.0], "v1": [4.0, 5.0, 6.0], "value": [1.0, 3.0, 2.0]}))
    return informed


def _hostile() -> sb.Campaign:
    space = sb.Space([sb.Variable(f"{EVIL}%{{x}}#0b6e4f$a$", 0, 1, unit='"><b>'), sb.Variable("b & c", 0, 1)])
    hostile = run(campaign(space, objectives=(f"{EVIL} yield",), name=EVIL), 5)
    hostile.fail(hostile.ask().id, f"</td></table>{EVIL}")
    return hostile


def _many() -> sb.Campaign:
    many, rng = sb.Campaign(box(10), 2000, Wander()), np.random.default_rng(0)
    for point in rng.uniform(0, 10, (2000, 10)):
        many.tell(many.attach(many.space.mapping(point)).id, float(point.sum()))
    return many


BUILDERS: dict[str, Callable[[], sb.Campaign]] = {
    "empty": lambda: campaign(box(3)),
    "one outstanding": _one_outstanding,
    "one told": lambda: run(campaign(box(2)), 1),
    "only failures": _only_failures,
    "mixed": _mixed,
    "equal values": lambda: run(campaign(box(2)), 6, lambda x: 1.0),
    "several objectives": lambda: run(
        campaign(box(2), objectives=("yield", "waste"), direction={"yield": "maximize", "waste": "minimize"}),
        9,
        _two_values,
    ),
    "one variable": lambda: run(campaign(box(1)), 6),
    "ten variables": lambda: run(campaign(box(10)), 12),
    "free only": lambda: run(campaign(sb.Space([sb.Variable("a", 0, 1, free=True)])), 4),
    "finished": lambda: run(campaign(box(2), budget=5), 5),
    "lake": _lake,
    "candidates": _candidates,
    "earlier data": _earlier,
    "hostile": _hostile,
    "many": _many,
}


@pytest.fixture(scope="session")
def build() -> Callable[[str], sb.Campaign]:
    """Return a campaign by name; each is built once and only read."""
    built: dict[str, sb.Campaign] = {}

    def get(name: str) -> sb.Campaign:
        if name not in built:
            built[name] = BUILDERS[name]()
        return built[name]

    return get
