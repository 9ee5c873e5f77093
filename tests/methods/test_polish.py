"""The last steps: one point, close to the best, better by the model, and never the same twice."""

from typing import Any

import numpy as np
import pytest

import snakebo as sb
from snakebo.methods.polish import nearest, polish, whose_turn
from snakebo.space import Points
from snakebo.surrogate.acquisition import LogExpectedImprovement
from snakebo.surrogate.model import fit

A, B = sb.Variable("a", 0, 1), sb.Variable("b", 0, 1)


def informed(space: sb.Space, **arguments: Any) -> sb.Campaign:
    campaign = sb.Campaign(space, 40, objectives=("x", "y"), **arguments)
    points = space.sobol(12, np.random.default_rng(0))
    campaign.add_data(
        [
            {"a": a, "b": b, "x": -((a - 0.3) ** 2) - (b - 0.6) ** 2, "y": -((a - 0.9) ** 2) - b**2}
            for a, b in points
        ]
    )
    return campaign


def polished(campaign: sb.Campaign, seed: int = 0) -> Points:
    view = campaign.view()
    points = polish(view, whose_turn(view, fit(view)), np.random.default_rng(seed))
    assert points.shape == (1, 2)
    assert view.space.inside(points).all()
    return points


@pytest.mark.parametrize(
    "space",
    [
        sb.Space([A, B]),
        sb.Space([A, B], region=sb.LinearInequalities({"a": 1, "b": 1}, upper=0.85)),
        sb.Space([A, B], region=sb.Polygon([(0, 0), (1, 0), (0, 1)])),
        sb.Space([A, B], region=sb.Candidates([(i / 9, j / 9) for i in range(10) for j in range(10)])),
        sb.Space([sb.Variable("a", 0, 1, step=0.02), sb.Variable("b", 0, 1, step=0.02)]),
    ],
    ids=["square", "inequality", "polygon", "candidates", "steps"],
)
def test_the_point_is_close_to_the_best(space: sb.Space) -> None:
    campaign = informed(space)
    point, told = polished(campaign), campaign.view().told
    best = told.X[np.argmax(told.Y[:, 0])]
    assert np.abs(point - best).max() <= 0.1 + 0.06  # half a step of the candidates more
    assert np.abs(space.snap(point) - point).max() <= 1e-9


def test_the_point_promises_more_than_its_surroundings() -> None:
    campaign = informed(sb.Space([A, B]))
    surrogate = fit(campaign.view())[0]
    improvement = LogExpectedImprovement(surrogate.gp, surrogate.best_mean)
    best = surrogate.gp.X[np.argmax(surrogate.gp.mean(surrogate.gp.X))]
    around = np.clip(best + np.random.default_rng(1).uniform(-0.1, 0.1, (2000, 2)), 0, 1)
    assert improvement(polished(campaign))[0] >= improvement(around).max() - 1e-3


def test_outstanding_points_count_as_done() -> None:
    campaign = informed(sb.Space([A, B]), proportions=(1, 0))
    first = polished(campaign)
    campaign.attach(campaign.space.mapping(first[0]))
    assert np.abs(polished(campaign) - first).max() > 1e-3


def test_objectives_take_turns() -> None:
    campaign = informed(sb.Space([A, B]))  # 40 steps: a tenth is two for each
    turns = []
    for _ in range(8):
        to_second = np.linalg.norm(polished(campaign)[0] - [0.9, 0.0]) < 0.25
        assert to_second or np.linalg.norm(polished(campaign)[0] - [0.3, 0.6]) < 0.25
        turns.append(int(to_second))
        campaign.attach({"a": 0.5, "b": 0.5})
    assert turns == [0, 0, 1, 1, 0, 0, 1, 1]


def test_the_nearest_best() -> None:
    for shares, at, expected in (
        ((1, 1), (0.4, 0.6), 0), ((1, 1), (0.8, 0.1), 1), ((0, 1), (0.4, 0.6), 1), ((1, 0), (0.8, 0.1), 0),
    ):  # fmt: skip
        campaign = informed(sb.Space([A, B]), proportions=shares)
        assert nearest(campaign.view(), fit(campaign.view())).objective == int(
            shares == (0, 1)
        )  # from nowhere
        campaign.attach({"a": at[0], "b": at[1]})
        assert nearest(campaign.view(), fit(campaign.view())).objective == expected


def test_an_objective_without_a_share_has_no_turn() -> None:
    campaign = informed(sb.Space([A, B]), proportions=(0, 1))
    for _ in range(2):
        assert np.linalg.norm(polished(campaign)[0] - [0.9, 0.0]) < 0.25
        campaign.attach({"a": 0.5, "b": 0.5})


def test_the_same_generator_gives_the_same_point() -> None:
    campaign = informed(sb.Space([A, B]))
    np.testing.assert_array_equal(polished(campaign, 3), polished(campaign, 3))
