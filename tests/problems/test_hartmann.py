"""Values of Hartmann's functions that are known from elsewhere, or by hand."""

import math

import pytest

from snakebo import problems


# In four dimensions the library has −3.135 for the function rescaled as (1.1 − f)/0.839.
@pytest.mark.parametrize(
    ("name", "published", "tolerance"),
    [
        ("hartmann3d", 3.86278, 1e-5),
        ("hartmann4d", 1.1 + 0.839 * 3.1345, 1e-4),
        ("hartmann6d", 3.32237, 1e-5),
    ],
)
def test_optimum_agrees_with_the_published_one(name: str, published: float, tolerance: float) -> None:
    assert problems.get(name).optima["value"] == pytest.approx(published, abs=tolerance)


@pytest.mark.parametrize(
    ("name", "centre", "others"),
    [
        (
            "hartmann3d",
            (0.3689, 0.1170, 0.2673),
            [
                (1.2, (0.1, 10, 35), (0.4699, 0.4387, 0.7470)),
                (3.0, (3, 10, 30), (0.1091, 0.8732, 0.5547)),
                (3.2, (0.1, 10, 35), (0.0381, 0.5743, 0.8828)),
            ],
        ),
        (
            "hartmann4d",
            (0.1312, 0.1696, 0.5569, 0.0124),
            [
                (1.2, (0.05, 10, 17, 0.1), (0.2329, 0.4135, 0.8307, 0.3736)),
                (3.0, (3, 3.5, 1.7, 10), (0.2348, 0.1451, 0.3522, 0.2883)),
                (3.2, (17, 8, 0.05, 10), (0.4047, 0.8828, 0.8732, 0.5743)),
            ],
        ),
    ],
)
def test_value_at_a_centre_is_its_weight_and_more(
    name: str, centre: tuple[float, ...], others: list[tuple[float, tuple[float, ...], tuple[float, ...]]]
) -> None:
    hartmann = problems.get(name)
    rest = sum(
        weight * math.exp(-sum(a * (x - p) ** 2 for a, x, p in zip(A, centre, P, strict=True)))
        for weight, A, P in others
    )
    at = dict(zip(hartmann.space.names, centre, strict=True))
    assert hartmann.evaluate(at) == pytest.approx(1.0 + rest, abs=1e-12)
