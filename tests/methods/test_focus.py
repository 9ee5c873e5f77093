"""What stays of a batch: points that promise something, at least three of each objective, in their order."""

import numpy as np
import pytest

import snakebo as sb
from snakebo.methods.focus import keep_promising
from snakebo.methods.thompson import Batch
from snakebo.surrogate.acquisition import LogExpectedImprovement
from snakebo.surrogate.model import Surrogate, fit

SPACE = sb.Space([sb.Variable("a", 0, 1)])


@pytest.fixture(scope="module")
def surrogates() -> list[Surrogate]:
    campaign = sb.Campaign(SPACE, 10, objectives=("x", "y"))
    campaign.add_data([{"a": a, "x": np.sin(5 * a), "y": -a} for a in np.linspace(0, 1, 5)])
    return fit(campaign.view())


def batch(gains: list[float], objectives: list[int] | None = None) -> Batch:
    points = np.linspace(0.03, 0.97, len(gains))[:, None]
    return Batch(points, np.array(gains), np.array(objectives or [0] * len(gains)))


def kept(future: Batch, surrogates: list[Surrogate], least_gain: float, keep: float) -> list[int]:
    left = keep_promising(future, surrogates, least_gain, keep)
    index = np.searchsorted(future.points[:, 0], left.points[:, 0])
    np.testing.assert_array_equal(future.gains[index], left.gains)
    np.testing.assert_array_equal(future.objectives[index], left.objectives)
    return [int(i) for i in index]


def test_switched_off_everything_stays(surrogates: list[Surrogate]) -> None:
    assert kept(batch([-1.0, 0.0, 5.0, 0.1, 2.0]), surrogates[:1], 0.0, 1.0) == [0, 1, 2, 3, 4]


def test_points_below_the_share_of_the_mean_gain_go(surrogates: list[Surrogate]) -> None:
    future = batch([0.0, 8.0, 0.4, 8.0, 0.3, 8.0, 0.6, 6.7])  # the mean is 4
    assert kept(future, surrogates[:1], 0.1, 1.0) == [1, 2, 3, 5, 6, 7]
    assert kept(future, surrogates[:1], 1.0, 1.0) == [1, 3, 5, 7]


@pytest.mark.parametrize(
    ("gains", "best"),
    [
        ([-5.0, -1.0, -2.0, -9.0, -3.0], [1, 2, 4]),
        ([0.0, 100.0, 0.1, 0.2, 0.05], [1, 2, 3]),
        ([0.0] * 5, [0, 1, 2, 3, 4]),
    ],
)
def test_three_stay_even_if_nothing_promises_much(
    surrogates: list[Surrogate], gains: list[float], best: list[int]
) -> None:
    assert kept(batch(gains), surrogates[:1], 0.5, 1.0) == best


def test_a_few_points_are_left_alone(surrogates: list[Surrogate]) -> None:
    assert kept(batch([0.0, 100.0, 0.0]), surrogates[:1], 1.0, 0.0) == [0, 1, 2]
    assert kept(batch([3.0]), surrogates[:1], 1.0, 0.0) == [0]


def test_the_share_kept_is_of_highest_expected_improvement(surrogates: list[Surrogate]) -> None:
    future = batch([1.0] * 10)
    improvement = LogExpectedImprovement(surrogates[0].gp, surrogates[0].best_mean)(future.points)
    for keep, count in ((0.5, 5), (0.81, 8), (0.0, 3), (0.1, 3)):
        best = sorted(np.argsort(-improvement)[:count].tolist())
        assert kept(future, surrogates[:1], 0.0, keep) == best


def test_objectives_are_judged_by_themselves(surrogates: list[Surrogate]) -> None:
    objectives = [0] * 6 + [1] * 6
    gains = [1000.0] * 5 + [0.0] + [1.0] * 5 + [0.0]
    left = keep_promising(batch(gains, objectives), surrogates, 0.5, 1.0)
    assert left.objectives.tolist() == [0] * 5 + [1] * 5


def test_an_objective_without_points_is_no_trouble(surrogates: list[Surrogate]) -> None:
    left = keep_promising(batch([1.0] * 6, [1] * 6), surrogates, 0.5, 0.5)
    assert left.objectives.tolist() == [1] * 3
