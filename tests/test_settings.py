"""The arguments of a campaign, made uniform. What is refused is in test_campaign_errors."""

from typing import Any

import numpy as np
import pytest

import snakebo as sb
from snakebo.errors import InputError
from snakebo.settings import Settings

SPACE = sb.Space([sb.Variable("a", 0, 1), sb.Variable("b", 0, 10)])


def read(**changed: Any) -> Settings:
    return sb.Campaign(**{"space": SPACE, "budget": 5, **changed}).settings


def test_the_defaults() -> None:
    settings = read()
    assert settings.method == sb.SnAKe()
    assert settings.cost == sb.Euclidean().bind(SPACE)
    assert settings.cost.space is SPACE
    assert settings.protocol == sb.Cold()
    assert settings.directions == {"value": "maximize"}
    assert settings.proportions == (1.0,)
    assert (settings.seed, settings.start, settings.cost_budget, settings.name) == (0, None, None, "campaign")


def test_numbers_become_plain_ones() -> None:
    settings = read(budget=np.int64(7), seed=np.int32(3), cost_budget=np.float32(2), start={"b": 1, "a": 0})
    assert (settings.budget, settings.seed, settings.cost_budget) == (7, 3, 2.0)
    assert [type(each) for each in (settings.budget, settings.seed, settings.cost_budget)] == [
        int,
        int,
        float,
    ]
    assert settings.start == {"a": 0.0, "b": 1.0}
    assert read(seed=2**80).seed == 2**80


def test_one_objective_may_be_given_by_its_name_alone() -> None:
    assert read(objectives="yield").objectives == ("yield",)
    assert read(objectives=["x", "y"]).objectives == ("x", "y")


def test_directions_follow_the_objectives() -> None:
    mixed = read(objectives=("x", "y"), direction={"y": "maximize", "x": "minimize"})
    assert list(mixed.directions.items()) == [("x", "minimize"), ("y", "maximize")]
    assert mixed.signs.tolist() == [-1.0, 1.0]
    assert read(objectives=("x", "y"), direction="minimize").signs.tolist() == [-1.0, -1.0]


def test_values_come_by_name_in_the_order_of_the_objectives() -> None:
    settings = read(objectives=("x", "y"), direction={"x": "minimize", "y": "maximize"})
    assert list(settings.values({"y": 2, "x": 1}).items()) == [("x", 1.0), ("y", 2.0)]
    assert settings.maximized({"y": 2, "x": 1}).tolist() == [-1.0, 2.0]
    with pytest.raises(InputError, match="Expected values for x, y by name; got 3"):
        settings.values(3)
    with pytest.raises(InputError, match="Expected values for x, y; got none"):
        settings.values({})


def test_a_plain_function_is_a_cost() -> None:
    cost = read(cost=lambda A, B: np.abs(A[:, None, 1] - B[None, :, 1])).cost
    assert cost([[0.0, 1.0]], [[0.0, 4.0]]).tolist() == [[3.0]]


def test_a_method_may_say_which_protocol_it_wants_unless_the_campaign_does() -> None:
    assert read(method="snake-paper").protocol == sb.Cold(kernel="rbf", scaling="standardize")
    assert read(method="snake-paper", protocol="cold").protocol == sb.Cold()
    fixed = sb.Fixed(sb.Hyperparameters((0.3, 0.3), 1.0, 1e-4))
    assert read(protocol=fixed).protocol is fixed


def test_proportions() -> None:
    assert read(objectives=("x", "y")).proportions == (1.0, 1.0)
    assert read(objectives=("x", "y"), proportions=np.array([1, 3])).proportions == (1.0, 3.0)
    with pytest.raises(InputError, match="2 numbers ≥ 0, not all 0"):
        read(objectives=("x", "y"), proportions=[1e308, 1e308])
