"""The SnAr problems: how they hang together, and their cost against the formula."""

import math

import pytest
from numpy.random import default_rng

from snakebo import problems


def test_slip_lowers_the_optimum() -> None:
    assert problems.get("snar4d-paper").optima["performance"] < problems.get("snar4d").optima["performance"]


def test_two_objectives_are_the_parts_of_the_one() -> None:
    one, two = problems.get("snar4d"), problems.get("snar4d-two")
    for row in one.space.from_unit(one.space.uniform(20, default_rng(0))):
        parts = two.values(x := one.space.mapping(row))
        assert one.evaluate(x) == 1e-4 * parts["space_time_yield"] - 0.1 * parts["e_factor"]


def test_two_objectives_go_opposite_ways_and_have_different_optima() -> None:
    two = problems.get("snar4d-two")
    assert two.direction == {"space_time_yield": "maximize", "e_factor": "minimize"}
    for goal in two.goals:
        regrets = two.regrets(goal.argmax)
        assert all(regrets[name] > 1e-2 for name in two.objectives if name != goal.name)


def test_two_objectives_live_in_the_space_of_the_one() -> None:
    one, two = problems.get("snar4d"), problems.get("snar4d-two")
    assert (two.space, two.cost) == (one.space, one.cost)


def test_cost_follows_the_slowest_variable() -> None:
    snar = problems.get("snar4d")
    here = {"temperature": 60, "concentration": 0.2, "residence_time": 1, "equivalents": 2}

    def cost_of(**changes: float) -> float:
        there = {**here, **changes}
        return float(snar.cost(snar.space.point(here)[None, :], snar.space.point(there)[None, :])[0, 0])

    assert cost_of(equivalents=5) == 0
    assert cost_of(temperature=60.5) == pytest.approx(0.5)
    assert cost_of(temperature=70) == pytest.approx(1 + 5 * math.log(10))
    assert cost_of(residence_time=1.5) == pytest.approx(0.05 + 3 * math.log(10))
    assert cost_of(concentration=0.3, residence_time=1.5) == pytest.approx(0.05 + 3 * math.log(10))
    assert cost_of(temperature=60.5, concentration=0.3) == pytest.approx(0.01 + 2 * math.log(10))
