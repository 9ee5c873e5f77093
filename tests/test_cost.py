import math
import pickle
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from snakebo.cost import (
    Euclidean,
    FirstOrderResponse,
    Function,
    Geodesic,
    Maximum,
    MovementCost,
    Norm,
    RampRate,
    Scaled,
    Sum,
    Weighted,
    as_cost,
    path_length,
)
from snakebo.errors import CostError, InputError
from snakebo.region import Polygon
from snakebo.space import Points, Space, Variable

SPACE = Space(
    [
        Variable("temperature", 40, 120, unit="°C"),
        Variable("equivalents", 1, 5, free=True),
        Variable("concentration", 0.1, 0.5),
        Variable("residence_time", 0.5, 2),
    ]
)
SNAR = FirstOrderResponse(
    {"temperature": (5, 1, 1), "concentration": (2, 0.01, 1), "residence_time": (3, 0.05, 1)}
)
OUTLINE = [(40, 0.1), (120, 0.1), (120, 0.5), (80, 0.2), (40, 0.5)]


def heat_only(A: Points, B: Points) -> Points:
    return np.abs(A[:, None, 0] - B[None, :, 0])


COSTS: dict[str, MovementCost] = {
    "Norm(1)": Norm(1),
    "Norm(3)": Norm(3),
    "Norm(inf)": Norm(math.inf),
    "Euclidean": Euclidean(),
    "Weighted": Weighted({"temperature": 3.0, "residence_time": 0.5}),
    "Weighted(1)": Weighted({"concentration": 1.0}, p=1),
    "FirstOrderResponse": SNAR,
    "FirstOrderResponse(sum)": FirstOrderResponse(dict(SNAR.constants), combine="sum"),
    "RampRate": RampRate({"temperature": (5.0, 2.0), "concentration": (math.inf, 0.1)}),
    "RampRate(sum)": RampRate({"temperature": (5.0, 2.0), "concentration": (1.0, 0.1)}, combine="sum"),
    "Geodesic": Geodesic(Polygon(OUTLINE, variables=("temperature", "concentration"))),
    "Function": Function(heat_only),
    "Sum": Sum(Euclidean(), SNAR, heat_only),
    "Maximum": Maximum(Euclidean(), SNAR),
    "Scaled": 3.0 * Euclidean(),
}


@pytest.fixture(params=COSTS)
def cost(request: pytest.FixtureRequest) -> MovementCost:
    return COSTS[request.param].bind(SPACE)


def settings(n: int, seed: int = 0) -> Points:
    """Settings inside the outline, so that they serve every cost."""
    names = ("temperature", "concentration")
    within = Space(SPACE.variables, Polygon(OUTLINE, variables=names))
    return within.from_unit(within.uniform(n, np.random.default_rng(seed)))


def test_costs_are_a_finite_non_negative_matrix_with_zero_diagonal(cost: MovementCost) -> None:
    A, B = settings(20), settings(33, seed=1)
    matrix = cost(A, B)
    assert matrix.shape == (20, 33)
    assert matrix.dtype == np.float64
    assert np.isfinite(matrix).all()
    assert (matrix >= 0).all()
    assert matrix.max() > 0
    np.testing.assert_array_equal(np.diagonal(cost(A, A)), 0)


def test_free_variables_cost_nothing(cost: MovementCost) -> None:
    A, B = settings(15), settings(15, seed=1)
    other = B.copy()
    other[:, 1] = 1 + 4 * np.random.default_rng(0).random(15)
    np.testing.assert_array_equal(cost(A, B), cost(A, other))


@pytest.mark.parametrize("n", [0, 1, 16, 37])
def test_pairs_are_the_diagonal(cost: MovementCost, n: int) -> None:
    A, B = settings(n), settings(n, seed=1)
    np.testing.assert_allclose(cost.pairs(A, B), np.diagonal(cost(A, B)), rtol=1e-12)


def test_path_length_sums_consecutive_moves(cost: MovementCost) -> None:
    X = settings(40)
    assert path_length(cost, X) == pytest.approx(np.diagonal(cost(X, X), offset=1).sum())
    assert path_length(cost, X[:1]) == 0


def test_empty_sets_have_empty_matrices(cost: MovementCost) -> None:
    assert cost(settings(0), settings(3)).shape == (0, 3)


def test_the_same_settings_on_both_sides_are_no_special_case(cost: MovementCost) -> None:
    A = settings(12)
    np.testing.assert_allclose(cost(A, A), cost(A, A[::-1])[:, ::-1], rtol=1e-12, atol=1e-14)


def test_wrong_number_of_columns_is_an_error(cost: MovementCost) -> None:
    with pytest.raises(InputError, match=r"shape \(n, 4\)"):
        cost(np.zeros((2, 3)), np.zeros((2, 3)))
    with pytest.raises(InputError, match="as many rows"):
        cost.pairs(settings(2), settings(3))


def test_binding_keeps_content_and_pickles(cost: MovementCost) -> None:
    A = settings(5)
    again = pickle.loads(pickle.dumps(cost))
    assert again == cost
    assert hash(again) == hash(cost)
    np.testing.assert_array_equal(again(A, A), cost(A, A))


@pytest.mark.parametrize("name", [name for name in COSTS if "Ramp" not in name])
def test_all_but_ramps_are_symmetric(name: str) -> None:
    bound, A = COSTS[name].bind(SPACE), settings(20)
    np.testing.assert_allclose(bound(A, A), bound(A, A).T, atol=1e-12)


@pytest.mark.parametrize("make", [
    lambda name: Weighted({name: 1.0}),
    lambda name: FirstOrderResponse({name: (1, 1, 1)}),
    lambda name: RampRate({name: (1, 1)}),
    lambda name: Geodesic(Polygon(OUTLINE, variables=("temperature", name))),
    lambda name: Sum(Euclidean(), Weighted({name: 1.0})),
    lambda name: 2 * Weighted({name: 1.0}),
])  # fmt: skip
def test_binding_refuses_unknown_and_free_variables(make: Any) -> None:
    with pytest.raises(InputError, match=r"'residense_time' .did you mean 'residence_time'"):
        make("residense_time").bind(SPACE)
    with pytest.raises(InputError, match="'equivalents', which is free"):
        make("equivalents").bind(SPACE)


def test_norms_measure_costly_variables_in_the_unit_cube() -> None:
    A, B = settings(10), settings(12, seed=1)
    U, V = SPACE.to_unit(A)[:, [0, 2, 3]], SPACE.to_unit(B)[:, [0, 2, 3]]
    np.testing.assert_allclose(Euclidean().bind(SPACE)(A, B), cdist(U, V))
    np.testing.assert_allclose(Norm(1).bind(SPACE)(A, B), cdist(U, V, "cityblock"))
    np.testing.assert_allclose(Norm(3).bind(SPACE)(A, B), cdist(U, V, "minkowski", p=3))
    np.testing.assert_allclose(Norm(math.inf).bind(SPACE)(A, B), cdist(U, V, "chebyshev"))
    weighted = Weighted({"residence_time": 2.0, "temperature": 5.0}).bind(SPACE)
    np.testing.assert_allclose(weighted(A, B), cdist(U[:, [0, 2]] * [5, 2], V[:, [0, 2]] * [5, 2]))


def test_a_space_of_free_variables_costs_nothing() -> None:
    free = Space([Variable("a", 0, 1, free=True)])
    np.testing.assert_array_equal(Euclidean().bind(free)([[0.0]], [[1.0], [0.5]]), [[0, 0]])


def test_unbound_norms_measure_as_they_are() -> None:
    assert Euclidean()([[0, 0]], [[3, 4]]).tolist() == [[5.0]]
    assert Norm(1)([[0, 0]], [[3, 4]]).tolist() == [[7.0]]
    assert Weighted({"a": 2, "b": 1}, p=1)([[0, 0]], [[3, 4]]).tolist() == [[10.0]]
    with pytest.raises(InputError, match="bind"):
        Weighted({"a": 2})([[0, 0]], [[3, 4]])


def test_reactor_cost_by_hand() -> None:
    start = [[40.0, 3.0, 0.1, 1.0]]
    moves = [
        [40.5, 1.0, 0.1, 1.0],  # below beta: gamma · 0.5
        [60.0, 3.0, 0.1, 1.0],  # 1 + 5 log 20
        [41.0, 3.0, 0.3, 1.0],  # the larger of 1 and 0.01 + 2 log 20
        [40.0, 3.0, 0.1, 1.5],  # 0.05 + 3 log 10
    ]
    expected = [0.5, 1 + 5 * math.log(20), 0.01 + 2 * math.log(20), 0.05 + 3 * math.log(10)]
    np.testing.assert_allclose(SNAR.bind(SPACE)(start, moves)[0], expected)
    summed = FirstOrderResponse(dict(SNAR.constants), combine="sum").bind(SPACE)
    assert summed(start, moves[2:3])[0, 0] == pytest.approx(1 + 0.01 + 2 * math.log(20))


def test_ramps_by_hand_are_asymmetric() -> None:
    ramp = RampRate({"temperature": (5.0, 2.0), "residence_time": (0.1, math.inf)})
    A, B = [[40.0, 1.0]], [[60.0, 1.5]]
    assert ramp(A, B)[0, 0] == pytest.approx(5.0)  # 20/5 = 4 and 0.5/0.1 = 5
    assert ramp(B, A)[0, 0] == pytest.approx(10.0)  # 20/2 and at once
    one_by_one = RampRate(dict(ramp.rates), combine="sum")
    assert one_by_one(A, B)[0, 0] == pytest.approx(9.0)


def test_composition() -> None:
    A, B = settings(4), settings(5, seed=1)
    a, b = Euclidean().bind(SPACE), SNAR.bind(SPACE)
    np.testing.assert_allclose((Euclidean() + SNAR).bind(SPACE)(A, B), a(A, B) + b(A, B))
    np.testing.assert_allclose(Maximum(a, b)(A, B), np.maximum(a(A, B), b(A, B)))
    np.testing.assert_allclose((2 * a)(A, B), 2 * a(A, B))
    np.testing.assert_allclose((heat_only + a)(A, B), a(A, B) + heat_only(A, B))
    assert a * 2 == Scaled(a, 2.0)


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda A, B: np.full((len(A), len(B)), np.nan), r"\{temperature: 40, equivalents: 1, .*\} is nan"),
        (lambda A, B: np.full((len(A), len(B)), np.inf), "is inf; a cost must be finite"),
        (
            lambda A, B: A[:, None, 0] - B[None, :, 0],
            "to .temperature: 50.* is -10; a cost must be finite and not",
        ),
        (lambda A, B: np.zeros((len(B), len(A))), r"matrix \(1, 2\).*got shape \(2, 1\)"),
        (lambda A, B: 3.0, r"got shape \(\)"),
        (lambda A, B: "much", "matrix of numbers"),
        (lambda A, B: A[:, 7], "raised IndexError"),
    ],
)
def test_bad_functions_are_reported_with_the_points(function: Any, message: str) -> None:
    A = [[40, 1, 0.1, 0.5]]
    B = [[40, 1, 0.1, 0.5], [50, 1, 0.1, 0.5]]
    with pytest.raises(CostError, match=message):
        as_cost(function).bind(SPACE)(A, B)


@pytest.mark.parametrize("name", COSTS)
def test_nan_settings_are_reported(name: str) -> None:
    A = settings(3)
    B = A.copy()
    B[1, 0] = np.nan
    with pytest.raises(InputError, match=r"row 1 is .nan"):
        COSTS[name].bind(SPACE)(A, B)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Norm(0.5), "1 or more"),
        (lambda: Norm("2"), "real number"),  # type: ignore[arg-type]
        (lambda: Weighted({}), "non-empty"),
        (lambda: Weighted({"a": -1}), "not be negative"),
        (lambda: Weighted({"a": math.inf}), "finite"),
        (lambda: FirstOrderResponse({"a": (1, 2)}), r"\(alpha, beta, gamma\)"),  # type: ignore[dict-item]
        (lambda: FirstOrderResponse({"a": (1, 0, 1)}), "beta positive"),
        (lambda: FirstOrderResponse({"a": (1, 1, 1)}, combine="mean"), '"max" or "sum"'),  # type: ignore[arg-type]
        (lambda: RampRate({"a": 5}), r"\(up_per_min, down_per_min\)"),  # type: ignore[dict-item]
        (lambda: RampRate({"a": (5, 0)}), "must be positive"),
        (lambda: RampRate({"a": (5, math.nan)}), "finite"),
        (lambda: Geodesic([(0, 0), (1, 0), (1, 1)]), "needs a Polygon"),  # type: ignore[arg-type]
        (Sum, "at least one cost"),
        (lambda: -1 * Euclidean(), "must not be negative"),
        (lambda: as_cost(3), "function of .A, B."),
        (lambda: as_cost(Euclidean), r"write Euclidean\(…\)"),
    ],
)
def test_bad_arguments(make: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        make()


def test_as_cost_leaves_costs_alone() -> None:
    assert as_cost(SNAR) is SNAR
    assert as_cost(heat_only) == Function(heat_only)


def test_import_loads_neither_numba_nor_shapely() -> None:
    program = (
        "import sys, snakebo.cost; print(*[m for m in ('numba', 'torch', 'shapely') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
