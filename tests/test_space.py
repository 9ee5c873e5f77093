import pickle
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from snakebo.errors import InputError, RegionError
from snakebo.region import Candidates, LinearInequalities, Polygon, Predicate, Region
from snakebo.space import Space, Variable

PLAIN = [Variable("a", 0, 1), Variable("b", 10, 30), Variable("c", -1, 1)]
STEPPED = [Variable("a", 0, 1, step=0.05), Variable("b", 10, 30), Variable("c", -1, 1, step=0.3)]
FINE = [Variable("a", 0, 1, step=0.001), Variable("b", 10, 30, step=0.01), Variable("c", -1, 1, step=0.1)]
COARSE = [Variable("a", 0, 1, step=0.25), Variable("b", 10, 30, step=5), Variable("c", -1, 1, step=0.5)]
L_SHAPE = [(0, 10), (1, 10), (1, 20), (0.5, 20), (0.5, 30), (0, 30)]


def _disc(x: Any) -> Any:
    return (x["a"] - 0.5) ** 2 + ((x["b"] - 20) / 20) ** 2 < 0.1


REGIONS: dict[str, Region | list[Region] | None] = {
    "none": None,
    "polygon": Polygon(L_SHAPE),
    "small polygon": Polygon([(0.5, 20), (0.55, 20), (0.55, 20.1), (0.5, 20.1)]),
    "thin polygon": Polygon([(0, 10), (0.05, 10), (1, 29.9), (1, 30), (0.95, 30), (0, 10.2)]),
    "half-space": LinearInequalities({"a": 1, "b": 0.05}, upper=1.0),
    "corner": LinearInequalities({"a": 20, "b": 1, "c": 10}, upper=1),
    "predicate": Predicate(_disc),
    "several": [Polygon(L_SHAPE), LinearInequalities({"b": 1, "c": 10}, lower=12), Predicate(_disc)],
    "candidates": Candidates([[0, 10, -1], [0.5, 20, 0.5], [1, 30, 0.5], [0.25, 25, -0.4]]),
}
SPACES = {
    f"{kind}, {name}": (variables, region)
    for kind, variables in (("plain", PLAIN), ("stepped", STEPPED), ("fine", FINE), ("coarse", COARSE))
    for name, region in REGIONS.items()
    if (kind, name) not in {("coarse", "small polygon"), ("stepped", "corner"), ("coarse", "corner")}
}


@pytest.fixture(scope="module", params=SPACES)
def space(request: pytest.FixtureRequest) -> Space:
    variables, region = SPACES[request.param]
    return Space(variables, region)


def _assert_feasible(space: Space, U: np.ndarray) -> None:
    assert space.inside(U).all()
    assert (U >= 0).all()
    assert (U <= 1).all()
    np.testing.assert_array_equal(space.snap(U), U)
    # What is handed to the user and comes back is still inside.
    assert space.inside(space.to_unit(space.from_unit(U))).all()


@pytest.mark.parametrize("n", [0, 1, 7, 300])
@pytest.mark.parametrize("draw", ["uniform", "sobol"])
def test_draws_are_feasible_and_repeatable(space: Space, draw: str, n: int) -> None:
    U = getattr(space, draw)(n, np.random.default_rng(3))
    assert U.shape == (n, 3)
    _assert_feasible(space, U)
    np.testing.assert_array_equal(U, getattr(space, draw)(n, np.random.default_rng(3)))


def test_projection_is_feasible_and_keeps_what_is_inside(space: Space) -> None:
    rng = np.random.default_rng(0)
    moved = space.project(rng.uniform(-0.3, 1.3, (500, 3)))
    _assert_feasible(space, moved)
    np.testing.assert_array_equal(space.project(moved), moved)


def test_confined_points_are_inside(space: Space) -> None:
    given_points = np.random.default_rng(0).uniform(-0.3, 1.3, (300, 3))
    before = given_points.copy()
    assert space.inside(space.confine(given_points)).all()
    np.testing.assert_array_equal(given_points, before)


def test_space_survives_pickling(space: Space) -> None:
    again = pickle.loads(pickle.dumps(space))
    assert again == space
    assert hash(again) == hash(space)
    rng = np.random.default_rng
    np.testing.assert_array_equal(again.uniform(5, rng(1)), space.uniform(5, rng(1)))


@pytest.mark.parametrize("name", ["polygon", "small polygon", "predicate", "half-space"])
def test_rejection_is_uniform(name: str) -> None:
    """The mean of many draws is the centre of the region, within five standard errors."""
    space = Space(PLAIN, REGIONS[name])
    U = space.uniform(4000, np.random.default_rng(0))
    dense = space.uniform(60_000, np.random.default_rng(1))
    error = np.sqrt(dense.var(axis=0) * (1 / 4000 + 1 / 60_000))
    assert (np.abs(U.mean(axis=0) - dense.mean(axis=0)) <= 5 * error).all()
    assert len(np.unique(U, axis=0)) == 4000


def test_narrow_regions_give_many_different_points() -> None:
    mixture = Space([Variable(n, 0, 1) for n in "abcd"], LinearInequalities(dict.fromkeys("abcd", 1), 1, 1))
    U = mixture.uniform(200, np.random.default_rng(0))
    np.testing.assert_allclose(U.sum(axis=1), 1.0, atol=1e-8)
    assert len(np.unique(U.round(6), axis=0)) > 190
    corner = Space(
        [Variable(n, 0, 1) for n in "abcdefgh"], LinearInequalities(dict.fromkeys("abcdefgh", 1), 0.5)
    )
    U = corner.uniform(200, np.random.default_rng(0))
    assert (U.sum(axis=1) <= 0.5 + 1e-8).all()
    assert len(np.unique(U.round(9), axis=0)) == 200
    assert (U.sum(axis=1) < 0.49).mean() > 0.2, "hit-and-run leaves the border"


def test_candidates_are_drawn_once_each_before_any_again() -> None:
    space = Space(PLAIN, REGIONS["candidates"])
    U = space.uniform(10, np.random.default_rng(0))
    _, counts = np.unique(U, axis=0, return_counts=True)
    assert sorted(counts) == [2, 2, 3, 3]
    assert len(np.unique(U[:4], axis=0)) == 4
    assert space.finite is not None
    assert len(space.finite) == 4


def test_plain_projection_is_a_clip_and_stepped_a_rounding() -> None:
    U = np.random.default_rng(0).uniform(-0.5, 1.5, (50, 3))
    np.testing.assert_array_equal(Space(PLAIN).project(U), np.clip(U, 0, 1))
    np.testing.assert_array_equal(Space(STEPPED).project(U), Space(STEPPED).snap(np.clip(U, 0, 1)))


def test_projection_onto_a_listed_grid_is_the_nearest_point() -> None:
    space = Space(COARSE, Polygon(L_SHAPE))
    U = np.random.default_rng(0).random((200, 3))
    assert space.finite is not None
    nearest = np.linalg.norm(U[:, None] - space.finite[None], axis=2).min(axis=1)
    np.testing.assert_allclose(np.linalg.norm(space.project(U) - U, axis=1), nearest)


def test_grid_values_come_out_as_written() -> None:
    space = Space([Variable("t", 40, 120, step=0.1), Variable("c", 0.1, 0.5, step=0.01)])
    U = space.snap(np.linspace(0, 1, 801)[:, None].repeat(2, axis=1))
    X = space.from_unit(U)
    assert all(len(str(x)) <= 5 for x in X[:, 0].tolist())
    assert all(len(str(x)) <= 4 for x in X[:, 1].tolist())
    np.testing.assert_array_equal(space.from_unit(space.to_unit(X)), X)
    assert space.mapping(X[1]) == {"t": 40.1, "c": 0.1}


@given(
    low=st.decimals(-1000, 1000, places=2),
    step=st.sampled_from(["0.1", "0.25", "0.01", "3", "0.05", "7.5"]),
    count=st.integers(1, 500),
    data=st.data(),
)
@settings(max_examples=100)
def test_grid_round_trip_is_exact(low: Any, step: str, count: int, data: st.DataObject) -> None:
    variable = Variable("v", float(low), float(low + count * Decimal(step)), step=float(step))
    space = Space([variable])
    k = data.draw(st.integers(0, count))
    value = float(low + k * Decimal(step))
    U = space.to_unit([[value]])
    assert space.from_unit(space.snap(U))[0, 0] == value
    assert space.from_unit(U)[0, 0] == value


def test_points_between_the_steps_are_left_alone_by_from_unit() -> None:
    space = Space([Variable("t", 40, 120, step=0.1)])
    assert space.from_unit(space.to_unit([[60.03]]))[0, 0] == pytest.approx(60.03, abs=1e-12)


def test_bounds_round_trip_exactly() -> None:
    space = Space([Variable("a", 0.1, 0.7), Variable("b", -3.3, 1e6)])
    np.testing.assert_array_equal(space.from_unit([[0, 0], [1, 1]]), [[0.1, -3.3], [0.7, 1e6]])


def test_last_step_within_bounds_when_the_range_is_no_multiple() -> None:
    space = Space([Variable("a", 0, 1, step=0.3)])
    assert space.from_unit(space.project([[1.0]])).tolist() == [[0.9]]


def test_attributes() -> None:
    space = Space([Variable("a", 0, 2, step=0.5), Variable("b", 1, 5, unit="mL", free=True)])
    assert space.names == ("a", "b")
    assert space.dim == 2
    assert space.lows.tolist() == [0, 1]
    assert space.highs.tolist() == [2, 5]
    assert space.steps.tolist() == [0.5, 0]
    assert space.costly.tolist() == [True, False]
    assert space.finite is None
    assert "Variable(name='b'" in repr(space)
    assert space == Space(list(space.variables))
    with pytest.raises(ValueError, match="read-only"):
        space.lows[0] = 3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("", 0, 1), "non-empty text"),
        ((3, 0, 1), "non-empty text"),
        (("a", 1, 1), "low < high"),
        (("a", 2, 1), "low < high"),
        (("a", -1e308, 1e308), "low < high"),
        (("a", 0, float("inf")), "high of 'a' must be a finite number"),
        (("a", float("nan"), 1), "low of 'a' must be a finite number"),
        (("a", True, 2), "real number; got True"),
        (("a", "0", 1), "real number; got '0'"),
        (("a", 0, 1, 5), "unit of 'a'"),
        (("a", 0, 1, "", 1), "free of 'a' must be True or False"),
        (("a", 0, 1, "", False, 0), "step of 'a' must be positive"),
        (("a", 0, 1, "", False, 2), "at most the range 1"),
        (("a", 0, 1, "", False, "0.1"), "real number"),
        (("a", 0, 10**400), "finite"),
    ],
)
def test_bad_variables(arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Variable(*arguments)


@pytest.mark.parametrize(
    ("variables", "region", "message"),
    [
        ([], None, "at least one variable"),
        ([Variable("a", 0, 1), Variable("a", 0, 2)], None, "'a' came twice"),
        ([("a", 0, 1)], None, "list of Variable"),
        (Variable("a", 0, 1), None, "list of Variable"),
        (PLAIN, lambda x: True, "Wrap a function in Predicate"),
        (PLAIN, LinearInequalities({"d": 1}, upper=1), "unknown variable 'd'"),
    ],
)
def test_bad_spaces(variables: Any, region: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Space(variables, region)


@pytest.mark.parametrize(
    ("variables", "region", "message"),
    [
        (PLAIN, Predicate(lambda x: x["a"] > 2), r"none of \d{6} points"),
        (COARSE, Polygon([(0.3, 11), (0.4, 11), (0.4, 12)]), "None of the 125 points of the grid"),
        (STEPPED, Polygon([(0.51, 11), (0.54, 11), (0.54, 12)]), "empty, or nearly so"),
        (COARSE, Candidates([[0.1, 10, 0]]), "None of the 1 candidates"),
        (
            PLAIN,
            [Polygon([(0, 10), (0.2, 10), (0.2, 12)]), Polygon([(0.5, 10), (0.9, 10), (0.9, 12)])],
            "common",
        ),
    ],
)
def test_regions_without_room_are_refused_at_once(variables: Any, region: Any, message: str) -> None:
    with pytest.raises(RegionError, match=message):
        Space(variables, region)


def test_point_and_mapping_are_inverse() -> None:
    space = Space(PLAIN)
    x = {"c": np.float32(0.5), "a": np.int64(1), "b": 10 - 1e-9}
    assert space.mapping(space.point(x)) == {"a": 1.0, "b": 10.0, "c": 0.5}
    assert all(type(value) is float for value in space.mapping(space.point(x)).values())


@pytest.mark.parametrize(
    ("x", "message"),
    [
        ({"a": 0, "b": 10}, "no value for 'c'"),
        ({"a": 0, "b": 10, "c": 0, "aa": 1}, "'aa' .did you mean 'a'"),
        ({"a": 0, "b": 9, "c": 0}, "'b' must be between 10 and 30; got 9"),
        ({"a": 0, "b": 10, "c": float("nan")}, "'c' must be a finite number"),
        ({"a": True, "b": 10, "c": 0}, "'a' must be a real number; got True"),
        ({"a": "0", "b": 10, "c": 0}, "got '0'"),
        ({"a": None, "b": 10, "c": 0}, "got None"),
        ({"a": 1j, "b": 10, "c": 0}, "complex"),
        ([0, 10, 0], "must be a mapping"),
    ],
)
def test_bad_points(x: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Space(PLAIN).point(x)


def test_points_of_the_wrong_shape_are_refused() -> None:
    with pytest.raises(InputError, match=r"shape \(n, 3\).*got \(3,\)"):
        Space(PLAIN).inside(np.zeros(3))
    with pytest.raises(InputError, match="whole number"):
        Space(PLAIN).uniform(-1, np.random.default_rng(0))
