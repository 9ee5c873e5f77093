"""SnAKe: each of its switches does what it says, and all of it finds optima that a blind tour misses."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import snakebo as sb
from snakebo.errors import InputError
from snakebo.methods.snake import delete_visited, radius
from snakebo.methods.snake_resampling import SnAKeResampling
from snakebo.methods.thompson import Batch
from snakebo.surrogate.model import fit

SPACE = sb.Space([sb.Variable("a", 0, 1), sb.Variable("b", 0, 1)])
PLAIN: dict[str, Any] = {
    "least_gain": 0.0, "keep": 1.0, "polish": 0.0, "enough": 0.0, "settle": 0, "late_spread": 1.0,
}  # fmt: skip
QUICK: dict[str, Any] = {"candidates": 64, "features": 64, "climbs": 4}
BUDGET = 20
SHARES = ("late_spread", "least_gain", "keep", "polish", "enough")


def value_at(x: Any) -> float:
    return float(np.sin(7 * x["a"]) * np.cos(5 * x["b"]) + x["a"])


def campaign_after(steps: int, method: Any, outstanding: int = 0, **settings: Any) -> sb.Campaign:
    campaign = sb.Campaign(SPACE, BUDGET, method, **settings)
    for number in range(steps):
        trial = campaign.ask()
        if number < steps - outstanding:
            campaign.tell(trial.id, value_at(trial.x))
    return campaign


# --- the composition ------------------------------------------------------------------------------------


@pytest.mark.parametrize("epsilon", ["lengthscale", 0.0, 0.1, 10])
def test_without_our_own_steps_a_plan_has_a_point_for_every_step_left(epsilon: Any) -> None:
    campaign = campaign_after(0, sb.SnAKe(epsilon, **PLAIN, **QUICK))
    while not campaign.finished:
        assert len(campaign.plan()) == campaign.steps_left
        trial = campaign.ask()
        campaign.tell(trial.id, value_at(trial.x))


def test_resampling_has_a_point_for_every_step_left_too() -> None:
    campaign = campaign_after(7, SnAKeResampling())
    assert len(campaign.plan()) == BUDGET - 7


def test_the_paper_has_a_point_for_every_step_left_too() -> None:
    campaign = campaign_after(4, sb.SnAKePaper(features=64))
    assert len(campaign.plan()) == BUDGET - 4


def test_before_the_first_result_the_plan_is_a_short_tour_of_random_points() -> None:
    campaign = campaign_after(0, sb.SnAKe(), start={"a": 0.0, "b": 0.0})
    plan = np.array([list(x.values()) for x in campaign.plan()])
    assert len(plan) == BUDGET
    shuffled = np.random.default_rng(0).permutation(plan)

    def length(path: Any) -> float:
        return float(np.linalg.norm(np.diff(np.vstack([np.zeros(2), path]), axis=0), axis=1).sum())

    assert length(plan) < 0.6 * length(shuffled)


def test_a_result_changes_the_plan_and_silence_does_not() -> None:
    campaign = campaign_after(6, sb.SnAKe(**QUICK))
    trial = campaign.ask()
    quiet = campaign.plan()
    second = campaign.ask()
    assert second.x == quiet[0]
    assert campaign.plan() == quiet[1:]
    campaign.tell(trial.id, 100.0)
    assert campaign.plan() != quiet[1:]


# --- the switches ---------------------------------------------------------------------------------------


def planned(campaign: sb.Campaign, **settings: Any) -> Any:
    method = sb.SnAKe(**{**PLAIN, **QUICK, **settings})
    return method.plan(campaign.view(), np.random.default_rng(0))


def test_keep_leaves_the_given_share() -> None:
    campaign = campaign_after(8, sb.SnAKe(**QUICK))
    assert len(planned(campaign)) == 12
    assert len(planned(campaign, keep=0.5)) == 6
    assert len(planned(campaign, keep=0.0)) == 3


def test_least_gain_drops_what_promises_little() -> None:
    campaign = campaign_after(8, sb.SnAKe(**QUICK))
    counts = [len(planned(campaign, least_gain=share)) for share in (0.0, 0.5, 1.0)]
    assert counts[0] == 12
    assert 3 <= counts[2] <= counts[1] < 12
    everything, promising = planned(campaign), planned(campaign, least_gain=0.5)
    assert {tuple(x) for x in promising} < {tuple(x) for x in everything}


@pytest.mark.parametrize(("share", "last"), [(0.1, 2), (0.25, 5), (0.0, 0)])
def test_polish_takes_the_last_share_of_the_budget_one_point_at_a_time(share: float, last: int) -> None:
    campaign = campaign_after(5, sb.SnAKe(**{**PLAIN, **QUICK, "polish": share}))
    while not campaign.finished:
        left = campaign.steps_left
        plan = campaign.plan()
        assert len(plan) == (1 if left <= last else left)
        if left <= last:
            assert campaign.best is not None
            assert max(abs(plan[0][name] - campaign.best.x[name]) for name in SPACE.names) <= 0.1 + 1e-9
        trial = campaign.ask()
        campaign.tell(trial.id, value_at(trial.x))


@pytest.mark.parametrize(
    ("settings", "left", "late", "spread"),
    [
        ({}, 15, False, 1.0),
        ({}, 10, False, 10 / 15),
        ({}, 15, True, 15 / 20),
        ({"settle": 0}, 5, True, 0.5),
        ({}, 3, True, 0.2),
        ({"settle": 0}, 1, False, 1.0),
        ({"settle": 0}, 1, True, 0.5),
        ({"settle": 5}, 5, False, 1.0),
        ({"settle": 5}, 4, False, 0.8),
        ({"late_spread": 1.0}, 15, True, 1.0),
        ({"late_spread": 0.0}, 15, True, 15 / 20),
        ({"settle": 1_000_000}, 15, False, 0.03),
    ],
)
def test_samples_draw_in_towards_the_end_and_while_results_are_late(
    settings: dict[str, Any], left: int, late: bool, spread: float
) -> None:
    view = sb.Campaign(SPACE, BUDGET).view()
    asked = np.zeros((BUDGET - left, 2))
    view = replace(view, asked=asked, outstanding=asked[: int(late)])
    assert sb.SnAKe(**settings).spread(view) == pytest.approx(spread)


def test_a_smaller_spread_brings_the_points_together() -> None:
    campaign = campaign_after(10, sb.SnAKe(**QUICK))
    wide, narrow = planned(campaign), planned(campaign, settle=1_000_000)
    assert narrow.std(axis=0).sum() < 0.5 * wide.std(axis=0).sum()


def test_late_spread_counts_only_while_results_are_late() -> None:
    waiting = campaign_after(10, sb.SnAKe(**QUICK), outstanding=2)
    assert planned(waiting, late_spread=0.1).tolist() != planned(waiting).tolist()
    done = campaign_after(10, sb.SnAKe(**QUICK))
    assert planned(done, late_spread=0.1).tolist() == planned(done).tolist()


# --- deletion -------------------------------------------------------------------------------------------


def test_the_radius_is_a_number_or_the_smallest_length_scale() -> None:
    fixed = sb.Fixed((sb.Hyperparameters((0.3, 0.2), 1.0, 1e-4), sb.Hyperparameters((0.4, 0.1), 1.0, 1e-4)))
    campaign = sb.Campaign(SPACE, 5, protocol=fixed, objectives=("x", "y"))
    campaign.add_data([{"a": 0.5, "b": 0.5, "x": 1.0, "y": 2.0}])
    surrogates = fit(campaign.view())
    assert radius("lengthscale", surrogates) == 0.1
    assert radius("lengthscale", surrogates[:1]) == 0.2
    assert radius(0.7, surrogates) == 0.7
    assert radius(0, surrogates) == 0.0


def test_what_was_visited_goes_with_all_that_belongs_to_it() -> None:
    view = replace(sb.Campaign(SPACE, 4).view(), asked=np.array([[0.51, 0.5]]))
    future = Batch(
        np.array([[0.0, 0.0], [0.5, 0.5], [1.0, 1.0]]), np.array([1.0, 2.0, 3.0]), np.array([0, 1, 0])
    )
    rest = delete_visited(view, future, 0.1, np.random.default_rng(0))
    assert rest.points.tolist() == [[0.0, 0.0], [1.0, 1.0]]
    assert rest.gains.tolist() == [1.0, 3.0]
    assert rest.objectives.tolist() == [0, 0]


# --- settings -------------------------------------------------------------------------------------------

NO_SHARE = [-0.1, 1.1, math.nan, math.inf, "1", None, True]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("epsilon", value) for value in (-0.1, math.nan, math.inf, "length", "", None, True, [0.1])),
        *(
            (name, value)
            for name in ("late_spread", "least_gain", "keep", "polish", "enough")
            for value in NO_SHARE
        ),
        *(
            (name, value)
            for name in ("candidates", "features")
            for value in (15, 100_001, 64.0, "64", None, True)
        ),
        *(("starts", value) for value in (0, 101, 1.5, None)),
        *(("climbs", value) for value in (-1, 1001, 1.5, None)),
        *(("settle", value) for value in (-1, 1_000_001, 1.5, None)),
    ],
)
def test_bad_settings(name: str, value: Any) -> None:
    with pytest.raises(InputError, match=name):
        sb.SnAKe(**{name: value})


@pytest.mark.parametrize(
    ("name", "value"),
    [("epsilon", -1), ("features", 0), ("n_local", -1), ("n_global", 0), ("n_global", "100")],
)
def test_bad_settings_of_the_paper(name: str, value: Any) -> None:
    with pytest.raises(InputError, match=name):
        sb.SnAKePaper(**{name: value})


def test_settings_of_numpy_will_do() -> None:
    method = sb.SnAKe(epsilon=np.float32(0.5), candidates=np.int64(64), keep=np.float64(0.5))  # type: ignore[arg-type]
    assert method.candidates == 64


# --- what it is for -------------------------------------------------------------------------------------


@pytest.mark.parametrize("delay", [0, 5])
def test_it_finds_what_a_blind_tour_misses(delay: int) -> None:
    problem = sb.problems.get("branin2d")

    def regret(method: str) -> float:
        runs = [
            sb.optimize(
                problem.evaluate, problem.space, 30, method=method, cost=problem.cost, seed=seed, delay=delay
            )
            for seed in range(5)
        ]
        return float(np.median([problem.regrets(run.best.values)["value"] for run in runs if run.best]))

    assert regret("snake") < 0.2 * regret("random-tour")


def test_while_too_little_is_to_be_gained_it_stays_close_to_the_best() -> None:
    campaign = campaign_after(10, sb.SnAKe(**QUICK))
    assert campaign.best is not None
    (content,), restless = planned(campaign, enough=1.0), planned(campaign, enough=0.0)
    assert abs(content[0] - campaign.best.x["a"]) <= 0.1 + 1e-9
    assert abs(content[1] - campaign.best.x["b"]) <= 0.1 + 1e-9
    assert len(restless) > 1
