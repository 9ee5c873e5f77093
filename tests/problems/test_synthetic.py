"""Values of the synthetic functions that are known from elsewhere, or by hand."""

import math

import pytest

from snakebo import problems


def value(name: str, *x: float) -> float:
    problem = problems.get(name)
    return problem.values(dict(zip(problem.space.names, x, strict=True)))["value"]


@pytest.mark.parametrize(
    ("name", "published", "tolerance"),
    [
        ("branin2d", 1.0473939, 1e-7),
        ("ackley4d", 0, 0),
        ("michalewicz2d", 1.8013, 1e-5),
        ("michalewicz2d-paper", 0.675447, 1e-6),
        ("perm10d", 0, 0),
    ],
)
def test_optimum_agrees_with_the_published_one(name: str, published: float, tolerance: float) -> None:
    assert problems.get(name).optima["value"] == pytest.approx(published, abs=tolerance)


@pytest.mark.parametrize("point", [(-math.pi, 12.275), (math.pi, 2.275), (3 * math.pi, 2.475)])
def test_branin_has_three_equal_maxima(point: tuple[float, float]) -> None:
    assert value("branin2d", *point) == pytest.approx(problems.get("branin2d").optima["value"], abs=1e-12)


def test_branin_agrees_with_the_plain_form_at_a_corner() -> None:
    # f(-5, 0) = 308.129 with the usual + 10 (Surjanovic & Bingham).
    assert value("branin2d", -5, 0) == pytest.approx((44.81 - (308.129096 - 10)) / 51.95, abs=1e-6)


def test_ackley_at_a_whole_point_keeps_only_its_envelope() -> None:
    # cos(2π) = 1 in every coordinate, so f = 20 exp(-0.2) - 20.
    assert value("ackley4d", 1, 1, 1, 1) == pytest.approx(20 * math.exp(-0.2) - 20, abs=1e-12)


def test_michalewicz_by_hand() -> None:
    # sin²⁰ is 1 at π²/2 / π in the first variable, and at π²/4 · 2 / π in the second.
    first, second = math.pi / math.sqrt(2), math.pi / 2
    assert value("michalewicz2d", first, 0) == pytest.approx(math.sin(first), abs=1e-12)
    assert value("michalewicz2d", 0, second) == pytest.approx(1.0, abs=1e-12)


def test_michalewicz_of_the_paper_by_hand() -> None:
    assert value("michalewicz2d-paper", 2, 0) == pytest.approx(math.sin(2) * math.sin(2 / math.pi) ** 20)
    assert value("michalewicz2d-paper", 0, 2) == pytest.approx(math.sin(2) * math.sin(4 / math.pi) ** 20)


def test_perm_at_the_origin_by_hand() -> None:
    # Every (x_j/j)^i is 0, so the inner sum is −Σ_j (j^i + 10).
    expected = -1e-21 * sum((sum(j**i for j in range(1, 11)) + 100) ** 2 for i in range(1, 11))
    assert value("perm10d", *[0] * 10) == pytest.approx(expected, rel=1e-12)


def test_bimodal_has_a_lower_hill_on_the_left() -> None:
    left = value("bimodal1d", math.pi / 20)
    assert left == pytest.approx(1 + math.exp(-((math.pi / 20 - 0.775) ** 2) / 0.1) / 3, abs=1e-12)
    assert left < value("bimodal1d", math.pi / 4) < problems.get("bimodal1d").optima["value"]
    assert value("bimodal1d", 0.1) < left > value("bimodal1d", 0.25)
