"""A Thompson batch: its shares, and that its points are maximisers of sample paths."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import snakebo as sb
from snakebo.methods.thompson import Batch, anchors, shares, thompson_batch
from snakebo.surrogate.maximise import Search
from snakebo.surrogate.model import fit

SPACE = sb.Space([sb.Variable("a", 0, 1), sb.Variable("b", 0, 1)])


@settings(database=None, derandomize=True)
@given(
    st.integers(0, 300),
    st.lists(st.floats(0, 1e6, allow_subnormal=False), min_size=1, max_size=5).filter(lambda p: sum(p) > 0),
)
def test_shares_are_whole_and_as_near_to_the_proportions_as_can_be(
    size: int, proportions: list[float]
) -> None:
    parts = shares(size, tuple(proportions))
    exact = size * np.array(proportions) / sum(proportions)
    assert sum(parts) == size
    assert np.all(np.abs(parts - exact) < 1.0 + 1e-9)
    assert all(part == 0 for part, share in zip(parts, proportions, strict=True) if share == 0.0)


@pytest.mark.parametrize(
    ("size", "proportions", "parts"),
    [
        (10, (1.0,), [10]),
        (10, (1.0, 1.0), [5, 5]),
        (11, (1.0, 1.0), [6, 5]),
        (10, (3.0, 1.0), [8, 2]),
        (7, (1.0, 1.0, 1.0), [3, 2, 2]),
        (1, (1.0, 2.0), [0, 1]),
        (5, (0.0, 1.0), [0, 5]),
    ],
)
def test_shares_by_example(size: int, proportions: tuple[float, ...], parts: list[int]) -> None:
    assert shares(size, proportions) == parts


def test_a_batch_takes_by_index_and_by_mask() -> None:
    batch = Batch(np.eye(3), np.arange(3.0), np.array([0, 1, 0]))
    assert len(batch) == 3
    assert batch.take(np.array([2, 0])).gains.tolist() == [2.0, 0.0]
    masked = batch.take(np.array([False, True, False]))
    assert masked.points.tolist() == [[0.0, 1.0, 0.0]]
    assert masked.objectives.tolist() == [1]


def informed(**arguments: Any) -> sb.Campaign:
    campaign = sb.Campaign(SPACE, 40, objectives=("x", "y"), **arguments)
    points = SPACE.sobol(8, np.random.default_rng(0))
    campaign.add_data(
        [{"a": a, "b": b, "x": -((a - 0.3) ** 2) - b, "y": a + np.sin(5 * b)} for a, b in points]
    )
    return campaign


def batch_of(campaign: sb.Campaign, search: Search, **arguments: Any) -> Batch:
    view = campaign.view()
    return thompson_batch(view, fit(view), 40, np.random.default_rng(0), search, features=128, **arguments)


def test_objectives_have_their_shares_of_the_batch() -> None:
    assert np.bincount(batch_of(informed(), Search(64, 1, 2)).objectives).tolist() == [20, 20]
    batch = batch_of(informed(proportions=(1, 3)), Search(64, 1, 2))
    assert np.bincount(batch.objectives).tolist() == [10, 30]
    assert set(batch_of(informed(proportions=(0, 1)), Search(64, 1, 2)).objectives.tolist()) == {1}


def test_gains_are_over_the_best_mean_and_a_harder_search_gains_more() -> None:
    campaign = informed()
    gains = [
        batch_of(campaign, search).gains.mean()
        for search in (Search(16, 1, 0), Search(256, 1, 0), Search(256, 1, 15), Search(256, 4, 15))
    ]
    assert gains == sorted(gains)
    assert gains[0] < gains[-1]
    settled = batch_of(campaign, Search(256, 2, 15), spread=0.0)
    assert (settled.gains >= -1e-6).all()  # the mean's maximum is no lower than at the data


def test_without_spread_all_paths_are_the_mean() -> None:
    batch = batch_of(informed(), Search(256, 2, 15), spread=0.0)
    for objective in (0, 1):
        own = batch.objectives == objective
        np.testing.assert_allclose(
            batch.points[own], batch.points[own][:1].repeat(own.sum(), axis=0), atol=1e-3
        )
        np.testing.assert_allclose(batch.gains[own], batch.gains[own][0], atol=1e-6)


def test_anchors_are_the_best_few_and_the_position() -> None:
    campaign = informed()
    view = campaign.view()
    surrogate = fit(view)[0]
    best = view.told.X[np.argsort(-view.told.Y[:, 0])[:5]]
    np.testing.assert_array_equal(anchors(view, surrogate), best)
    campaign.attach({"a": 0.9, "b": 0.1})
    np.testing.assert_array_equal(anchors(campaign.view(), surrogate), [*best.tolist(), [0.9, 0.1]])
