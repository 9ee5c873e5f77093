"""The lake: its shore, its peaks, and the two ways to measure a trip."""

import numpy as np
import pytest
from numpy.random import default_rng

from snakebo import problems
from snakebo.errors import CostError, InputError
from snakebo.problems.ypacarai import read_outline

LAND = {"x1": 0.1, "x2": 0.1}


def test_outline_encloses_the_known_area() -> None:
    x, y = read_outline().T
    assert len(x) == 101
    area = 0.5 * abs(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1)))
    assert area == pytest.approx(0.4533, abs=1e-4)


def test_region_is_the_lake() -> None:
    space = problems.get("ypacarai").space
    inside = space.inside(default_rng(0).random((20_000, 2)))
    assert inside.mean() == pytest.approx(0.4533, abs=4 * 0.5 / np.sqrt(20_000))


@pytest.mark.parametrize(
    ("objective", "near"), [("o1", (0.891, 0.206)), ("o2", (0.401, 0.963)), ("o3", (0.427, 0.306))]
)
def test_optimum_lies_where_the_public_code_has_it(objective: str, near: tuple[float, float]) -> None:
    (goal,) = problems.get(f"ypacarai-{objective}").goals
    assert tuple(goal.argmax.values()) == pytest.approx(near, abs=1e-3)


def test_first_measure_has_twin_optima() -> None:
    lake = problems.get("ypacarai-o1")
    (goal,) = lake.goals
    # Two peaks of one height: half a turn about their middle maps the sum onto itself.
    twin = {"x1": 1.1 - goal.argmax["x1"], "x2": 0.87 - goal.argmax["x2"]}
    assert lake.regrets(twin)["o1"] == pytest.approx(0.0, abs=1e-12)


def test_value_by_hand() -> None:
    x = {"x1": 0.7, "x2": 0.4}
    expected = {
        "o1": 10 * (1 / (25 + 7.29 + 9) + 1 / (4 + 4 + 9)),
        "o2": 10 * (1 / (0 + 4 + 10) + 1 / (10.24 + 34.81 + 8) + 1 / (4 + 15.21 + 8)),
        "o3": 10 * (1 / (9 + 1 + 7) + 1 / (2.25 + 0 + 9)),
    }
    assert problems.get("ypacarai").values(x) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("objective", ["o1", "o2", "o3"])
def test_all_at_once_are_the_three_alone(objective: str) -> None:
    lake, alone = problems.get("ypacarai"), problems.get(f"ypacarai-{objective}")
    for row in lake.space.from_unit(lake.space.uniform(20, default_rng(1))):
        x = lake.space.mapping(row)
        assert alone.evaluate(x) == lake.values(x)[objective]
    assert alone.optima[objective] == lake.optima[objective]


def test_land_has_no_value() -> None:
    with pytest.raises(InputError, match=r"ypacarai-o1 has no value at x1 = 0\.1, x2 = 0\.1: .*outside"):
        problems.get("ypacarai-o1").evaluate(LAND)


def test_straight_way_is_the_distance_and_the_geodesic_goes_round_land() -> None:
    straight, by_water = problems.get("ypacarai"), problems.get("ypacarai", cost="geodesic")
    rows = straight.space.from_unit(straight.space.uniform(60, default_rng(2)))
    direct, detour = straight.cost(rows, rows), by_water.cost(rows, rows)
    assert direct == pytest.approx(np.linalg.norm(rows[:, None] - rows[None, :], axis=-1), abs=1e-12)
    assert (detour >= direct - 1e-12).all()
    assert np.isclose(detour, direct).any(axis=1).all()
    across = np.array([[0.59, 0.79], [0.7, 0.6]])  # a bay and the shore below it, land in between
    assert by_water.cost(across[:1], across[1:])[0, 0] > 1.05 * straight.cost(across[:1], across[1:])[0, 0]


def test_no_way_leads_ashore() -> None:
    with pytest.raises(CostError, match="outside"):
        problems.get("ypacarai", cost="geodesic").cost(np.array([[0.5, 0.5]]), np.array([[0.1, 0.1]]))


@pytest.mark.parametrize("name", ["ypacarai-o1", "ypacarai-o2", "ypacarai-o3", "ypacarai"])
@pytest.mark.parametrize("cost", ["Geodesic", "", None, 3, ["geodesic"]])
def test_unknown_cost_is_an_error(name: str, cost: object) -> None:
    with pytest.raises(InputError, match=rf'cost of {name} must be "straight".*or "geodesic"'):
        problems.get(name, cost=cost)
