import math
from typing import Any, TypeVar

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from snakebo.errors import InputError, RegionError
from snakebo.grid import Grid
from snakebo.region import Candidates, LinearInequalities, Polygon, Predicate, Region

R = TypeVar("R", bound=Region)

NAMES = ("a", "b", "c")
GRID = Grid(np.array([0.0, 10.0, -1.0]), np.array([1.0, 30.0, 1.0]), np.zeros(3))
L_SHAPE = [(0, 10), (1, 10), (1, 20), (0.5, 20), (0.5, 30), (0, 30)]
POINTS = np.array([[0.1, 12.0, 0.0], [0.9, 29.0, 0.5], [1.5, 5.0, -0.5]])


def bind(region: R) -> R:
    return region.bind(NAMES, GRID)


REGIONS: dict[str, Region] = {
    "polygon": Polygon(L_SHAPE),
    "polygon with a hole": Polygon(L_SHAPE, holes=[[(0.1, 12), (0.4, 12), (0.4, 18)]]),
    "polygon beyond the bounds": Polygon([(-1, 0), (0.5, 0), (0.5, 90), (-1, 90)]),
    "polygon of others": Polygon([(10, -1), (30, -1), (20, 1)], variables=("b", "c")),
    "half-space": LinearInequalities({"a": 10, "b": 1}, upper=20),
    "slab": LinearInequalities({"a": 10, "b": 1, "c": -3}, lower=18, upper=19),
    "plane": LinearInequalities({"a": 10, "b": 1}, lower=15, upper=15),
    "candidates": Candidates(np.array([[0, 10, 0], [1, 30, 1], [0.5, 20, 0.3]])),
}


@pytest.mark.parametrize("name", REGIONS)
@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=15)
def test_projection_ends_inside_and_within_bounds(name: str, seed: int) -> None:
    region = bind(REGIONS[name])
    U = np.random.default_rng(seed).uniform(-0.5, 1.5, (40, 3))
    moved = region.project(GRID.from_unit(np.clip(U, 0, 1)))
    assert region.contains(moved).all()
    unit = GRID.to_unit(moved)
    assert (unit >= -1e-9).all()
    assert (unit <= 1 + 1e-9).all()
    np.testing.assert_allclose(region.project(moved), moved, atol=1e-7)


@pytest.mark.parametrize("name", REGIONS)
def test_bounds_hold_the_region(name: str) -> None:
    region = bind(REGIONS[name])
    lows, highs = region.bounds()
    moved = region.project(GRID.from_unit(np.random.default_rng(0).random((200, 3))))
    assert (moved >= lows - 1e-6).all()
    assert (moved <= highs + 1e-6).all()


@pytest.mark.parametrize("name", REGIONS)
def test_regions_are_equal_and_hash_by_content(name: str) -> None:
    region = REGIONS[name]
    assert bind(region) == region
    assert hash(bind(region)) == hash(region)


def test_unbound_region_says_how_to_bind_it() -> None:
    with pytest.raises(InputError, match="not bound"):
        Polygon(L_SHAPE).contains(POINTS)


def test_polygon_reads_only_its_columns() -> None:
    region = bind(Polygon(L_SHAPE))
    assert region.contains(POINTS).tolist() == [True, False, False]
    moved = region.project(POINTS)
    np.testing.assert_array_equal(moved[:, 2], POINTS[:, 2])


@pytest.mark.parametrize("variables", [("a",), ("a", "a"), "ab", 3])
def test_polygon_is_over_two_different_variables(variables: Any) -> None:
    with pytest.raises(InputError, match="two different variables"):
        Polygon(L_SHAPE, variables=variables)


def test_polygon_with_unknown_variable_suggests_one() -> None:
    with pytest.raises(InputError, match=r"unknown variable 'bb'.*did you mean 'b'"):
        bind(Polygon(L_SHAPE, variables=("a", "bb")))


def test_polygon_in_one_dimension_is_refused() -> None:
    with pytest.raises(InputError, match="needs two variables"):
        Polygon(L_SHAPE).bind(("a",), Grid(np.zeros(1), np.ones(1), np.zeros(1)))


def test_polygon_off_the_bounds_is_refused() -> None:
    with pytest.raises(RegionError, match="outside of the bounds"):
        bind(Polygon([(5, 5), (6, 5), (6, 6)]))


def test_half_space_projection_is_exact() -> None:
    grid = Grid(np.zeros(2), np.ones(2), np.zeros(2))
    region = LinearInequalities({"a": 1, "b": 2}, upper=1).bind(("a", "b"), grid)
    moved = region.project(np.array([[0.5, 0.75], [0.1, 0.9], [0.0, 0.5], [0.2, 0.1]]))
    # On the line straight; where straight leaves the square, along its side.
    np.testing.assert_allclose(moved, [[0.3, 0.35], [0.0, 0.5], [0.0, 0.5], [0.2, 0.1]], atol=1e-12)


def test_linear_border_is_inside_and_beyond_is_not() -> None:
    region = bind(LinearInequalities({"a": 1.0}, lower=0.25, upper=0.5))
    X = np.array([[0.25, 10, 0], [0.5, 10, 0], [0.5001, 10, 0], [0.2499, 10, 0]])
    assert region.contains(X).tolist() == [True, True, False, False]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"coefficients": {}, "upper": 1}, "non-empty mapping"),
        ({"coefficients": [1, 2], "upper": 1}, "non-empty mapping"),
        ({"coefficients": {"a": 0}, "upper": 1}, "differ from zero"),
        ({"coefficients": {"a": "1"}, "upper": 1}, "coefficient of 'a' must be a real number"),
        ({"coefficients": {"a": 1}}, "finite lower= or upper="),
        ({"coefficients": {"a": 1}, "upper": math.nan}, "upper of LinearInequalities"),
        ({"coefficients": {"a": 1}, "lower": 2, "upper": 1}, "must not exceed"),
    ],
)
def test_bad_inequalities(arguments: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        LinearInequalities(**arguments)


def test_inequality_that_leaves_nothing_says_what_the_sum_can_be() -> None:
    with pytest.raises(RegionError, match="runs from 10 to 31"):
        bind(LinearInequalities({"a": 1, "b": 1}, upper=5))


def test_predicate_gets_columns_by_name() -> None:
    region = bind(Predicate(lambda x: (x["a"] < 0.5) & (x["b"] < 20)))
    assert region.contains(POINTS).tolist() == [True, False, False]
    assert region.contains(POINTS[:0]).shape == (0,)


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda x: True, r"shape \(3,\); got bool of shape \(\)"),
        (lambda x: x["a"], "got float64"),
        (lambda x: x["d"], "raised KeyError"),
        (lambda x: x["a"] > 0 and x["b"] > 0, "raised ValueError"),
    ],
)
def test_bad_predicates(function: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        bind(Predicate(function)).contains(POINTS)


def test_predicate_needs_a_function() -> None:
    with pytest.raises(InputError, match="needs a function"):
        Predicate("a < 1")  # type: ignore[arg-type]


ROWS = [{"b": 10, "a": 0, "c": 0}, {"a": 1.0, "b": 30, "c": 1}, {"a": 0, "b": 10, "c": 0}]


@pytest.mark.parametrize("points", [ROWS, pd.DataFrame(ROWS), [[0, 10, 0], [1, 30, 1], [0, 10, 1e-12]]])
def test_candidates_from_mappings_frame_or_array(points: Any) -> None:
    region = bind(Candidates(points))
    np.testing.assert_allclose(region.distinct, [[0, 10, 0], [1, 30, 1]], atol=1e-9)
    assert region.contains(np.array([[1, 30, 1], [1, 30, 0.9]])).tolist() == [True, False]
    assert region.project(np.array([[0.9, 12, 1]])).tolist() == [[1, 30, 1]]


@pytest.mark.parametrize(
    ("points", "message"),
    [
        ([], "at least one point"),
        (np.empty((0, 3)), "at least one point"),
        ([[0, 10, math.nan]], "row 0 is .0.0, 10.0, nan"),
        ([[0, 10]], r"shape \(n, 3\)"),
        ([[0, 10, 0], [0, 9, 0]], "Candidate 1 is out of bounds.*'b': 9"),
        ([{"a": 0, "b": 10}], "no value for 'c'"),
        ([{"a": 0, "b": 10, "c": 0}, {"a": 0, "b": 10}], "Candidate 1: no value for 'c'"),
        ([{"a": 0, "b": 10, "c": "0"}], "must be a real number"),
        ([{"a": 0, "b": 10, "c": 0}, [0, 10, 0]], "Candidate 1 is not a mapping"),
        (pd.DataFrame({"a": ["x"], "b": [10], "c": [0]}), "real numbers"),
    ],
)
def test_bad_candidates(points: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        bind(Candidates(points))
