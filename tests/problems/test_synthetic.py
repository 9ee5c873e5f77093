"""Values of the synthetic functions that are known from elsewhere."""

import math

import pytest

from snakebo import problems


@pytest.mark.parametrize(
    ("name", "published", "tolerance"),
    [
        ("branin2d", 1.0473939, 1e-7),
        ("hartmann3d", 3.86278, 1e-5),
        ("hartmann6d", 3.32237, 1e-5),
        ("ackley4d", 0, 0),
    ],
)
def test_optimum_agrees_with_the_published_one(name: str, published: float, tolerance: float) -> None:
    assert problems.get(name).optimum == pytest.approx(published, abs=tolerance)


@pytest.mark.parametrize("point", [(-math.pi, 12.275), (math.pi, 2.275), (3 * math.pi, 2.475)])
def test_branin_has_three_equal_maxima(point: tuple[float, float]) -> None:
    branin = problems.get("branin2d")
    assert branin.evaluate({"x1": point[0], "x2": point[1]}) == pytest.approx(branin.optimum, abs=1e-12)


def test_branin_agrees_with_the_plain_form_at_a_corner() -> None:
    # f(-5, 0) = 308.129 with the usual + 10 (Surjanovic & Bingham).
    value = problems.get("branin2d").evaluate({"x1": -5, "x2": 0})
    assert value == pytest.approx((44.81 - (308.129096 - 10)) / 51.95, abs=1e-6)


def test_ackley_at_a_whole_point_keeps_only_its_envelope() -> None:
    # cos(2π) = 1 in every coordinate, so f = 20 exp(-0.2) - 20.
    value = problems.get("ackley4d").evaluate({f"x{i}": 1.0 for i in range(1, 5)})
    assert value == pytest.approx(20 * math.exp(-0.2) - 20, abs=1e-12)


def test_hartmann_at_a_centre_is_its_weight_and_more() -> None:
    centre = {"x1": 0.3689, "x2": 0.1170, "x3": 0.2673}
    others = sum(
        weight * math.exp(-sum(a * (x - p) ** 2 for a, x, p in zip(A, centre.values(), P, strict=True)))
        for weight, A, P in [
            (1.2, (0.1, 10, 35), (0.4699, 0.4387, 0.7470)),
            (3.0, (3, 10, 30), (0.1091, 0.8732, 0.5547)),
            (3.2, (0.1, 10, 35), (0.0381, 0.5743, 0.8828)),
        ]
    )
    assert problems.get("hartmann3d").evaluate(centre) == pytest.approx(1.0 + others, abs=1e-12)
