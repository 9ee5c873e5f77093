"""The life of a campaign: asking, telling, failing, attaching, and what is known at any moment."""

import re
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.random import Generator

import snakebo as sb
from snakebo.errors import BudgetSpentError, TrialStateError
from snakebo.space import Points

SMALL = sb.SnAKe(candidates=64, features=64, climbs=4)
SPACE = sb.Space([sb.Variable("temperature", 40, 120, unit="°C"), sb.Variable("flow", 1, 5)])
SQUARE = sb.Space([sb.Variable("a", 0, 1), sb.Variable("b", 0, 1)])


def height(x: Any) -> float:
    return float(-(((x["temperature"] - 70) / 80) ** 2) - ((x["flow"] - 2) / 4) ** 2)


class Walk:
    """A method that walks a given path and writes down what it was shown."""

    def __init__(self, path: list[list[float]]) -> None:
        self.path = np.array(path)
        self.views: list[sb.View] = []

    def plan(self, view: sb.View, rng: Generator) -> Points:
        self.views.append(view)
        return self.path[len(view.asked) :]


def walk(*path: list[float], **settings: Any) -> sb.Campaign:
    return sb.Campaign(SQUARE, settings.pop("budget", len(path)), Walk(list(path)), **settings)


# --- ask and tell ----------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["random-tour", SMALL])
def test_ask_run_tell_until_finished(method: Any) -> None:
    campaign = sb.Campaign(SPACE, 6, method)
    for number in range(6):
        assert not campaign.finished
        trial = campaign.ask()
        assert (trial.id, trial.state, trial.value) == (number, sb.State.OUTSTANDING, None)
        assert 40 <= trial.x["temperature"] <= 120
        assert 1 <= trial.x["flow"] <= 5
        told = campaign.tell(trial.id, height(trial.x))
        assert told.value == height(trial.x)
        assert told == campaign.trial(trial.id)
    assert campaign.finished
    assert campaign.steps_left == 0
    assert campaign.outstanding == ()
    with pytest.raises(BudgetSpentError, match="All 6 steps are used"):
        campaign.ask()


def test_results_may_come_in_any_order_and_late() -> None:
    campaign = sb.Campaign(SPACE, 5, SMALL)
    ids = [campaign.ask().id for _ in range(5)]
    assert campaign.finished
    assert [trial.id for trial in campaign.outstanding] == ids
    for number in (3, 0, 4, 1, 2):
        campaign.tell(number, float(number))
    assert campaign.outstanding == ()
    assert [trial.value for trial in campaign.trials] == [0.0, 1.0, 2.0, 3.0, 4.0]
    assert campaign.view().told.Y[:, 0].tolist() == [3.0, 0.0, 4.0, 1.0, 2.0]


def test_a_result_leads_to_a_new_plan_and_silence_does_not() -> None:
    campaign = walk([0.1, 0.1], [0.2, 0.2], [0.3, 0.3], [0.4, 0.4])
    method = campaign.settings.method
    assert isinstance(method, Walk)
    campaign.ask()
    campaign.ask()
    assert len(method.views) == 1
    campaign.tell(0, 1.0)
    assert len(method.views) == 1  # only when it is needed
    campaign.ask()
    assert len(method.views) == 2
    assert method.views[1].told.Y.tolist() == [[1.0]]
    assert method.views[1].outstanding.tolist() == [[0.2, 0.2]]
    assert method.views[1].plan.tolist() == [[0.3, 0.3], [0.4, 0.4]]
    campaign.fail(1, "no light")
    campaign.ask()
    assert len(method.views) == 3


def test_an_ask_that_had_to_wait_takes_a_plan_made_since_it_came() -> None:
    campaign = walk(*([0.1 * number, 0.0] for number in range(8)))
    method: Any = campaign.settings.method
    campaign.ask()
    campaign.tell(0, 1.0)
    came = campaign.history().changed
    campaign.ask()  # with a plan that knows all that was known then
    campaign.tell(1, 2.0)
    plans = len(method.views)
    assert campaign.ask(after=came).id == 2
    assert len(method.views) == plans
    assert campaign.history().news  # for whoever asks next
    assert campaign.ask(after=campaign.history().changed).id == 3
    assert len(method.views) == plans + 1
    assert not campaign.history().news


def test_an_ask_that_had_to_wait_plans_after_another_hand_went_elsewhere() -> None:
    campaign = walk(*([0.1 * number, 0.0] for number in range(8)))
    method: Any = campaign.settings.method
    campaign.ask()
    campaign.tell(0, 1.0)
    came = campaign.history().changed
    campaign.ask()
    campaign.attach({"a": 0.9, "b": 0.9})
    plans = len(method.views)
    campaign.ask(after=came)
    assert len(method.views) == plans + 1
    assert method.views[-1].position.tolist() == [0.9, 0.9]


def test_an_ask_that_had_to_wait_plans_where_nothing_is_left_of_the_plan_within_reach() -> None:
    campaign = walk([0.0, 0.0], [0.4, 0.0], [0.4, 0.1], cost_budget=0.5)
    method: Any = campaign.settings.method
    campaign.ask()
    came = campaign.history().changed
    campaign.tell(0, 1.0, x={"a": 1.0, "b": 0.0})  # far from the rest of the plan
    with pytest.raises(BudgetSpentError, match="within reach"):
        campaign.ask(after=came)
    assert len(method.views) == 2


@pytest.mark.parametrize(
    "value",
    [3, 3.0, np.float32(3), np.int64(3), np.array(3.0), np.array([3.0]), {"value": 3}, pd.Series([3.0])],
)
def test_a_number_may_come_in_many_clothes(value: Any) -> None:
    campaign = walk([0.5, 0.5])
    campaign.ask()
    told = campaign.tell(0, value).value
    assert told == 3.0
    assert type(told) is float


def test_the_same_result_twice_is_told_once() -> None:
    campaign = walk([0.1, 0.1], [0.2, 0.2])
    campaign.ask()
    first = campaign.tell(0, 0.31)
    assert campaign.tell(0, 0.31) == first
    assert campaign.tell(0, 0.31, x=dict(first.x)) == first
    assert len(campaign.view().told) == 1


def test_another_result_needs_replace() -> None:
    campaign = walk([0.1, 0.1], [0.2, 0.2])
    campaign.ask()
    campaign.tell(0, 0.31)
    with pytest.raises(TrialStateError, match=r"Trial 0 was told 0.31 already; got 0.42. Pass replace=True"):
        campaign.tell(0, 0.42)
    with pytest.raises(TrialStateError, match=r"got another x, \{'a': 0.9, 'b': 0.9\}"):
        campaign.tell(0, 0.31, x={"a": 0.9, "b": 0.9})
    assert campaign.trial(0).value == 0.31
    campaign.tell(0, 0.42, replace=True)
    assert campaign.trial(0).value == 0.42
    assert campaign.view().told.Y.tolist() == [[0.42]]


def test_replacing_keeps_the_order_of_telling() -> None:
    campaign = walk([0.1, 0.1], [0.2, 0.2])
    campaign.ask()
    campaign.ask()
    campaign.tell(1, 1.0)
    campaign.tell(0, 0.0)
    campaign.tell(1, 5.0, replace=True)
    assert campaign.view().told.Y[:, 0].tolist() == [5.0, 0.0]


# --- where the apparatus really was ----------------------------------------------------------------


def test_a_corrected_setting_changes_both_moves() -> None:
    campaign = walk([0.0, 0.0], [0.5, 0.0], [1.0, 0.0])
    for _ in range(3):
        campaign.ask()
    told = campaign.tell(1, 1.0, x={"a": 0.5, "b": 1.0})
    assert told.x == {"a": 0.5, "b": 1.0}
    long = np.hypot(0.5, 1.0)
    assert told.cost == pytest.approx(long)
    assert [trial.cost for trial in campaign.trials] == pytest.approx([0.0, long, long])
    assert campaign.spent == pytest.approx(2 * long)
    assert campaign.position == {"a": 1.0, "b": 0.0}
    assert campaign.view().asked[1].tolist() == [0.5, 1.0]


def test_a_corrected_last_setting_moves_the_apparatus() -> None:
    campaign = walk([0.0, 0.0], [0.5, 0.0], [1.0, 0.0], start={"a": 0.0, "b": 0.5})
    assert campaign.position == {"a": 0.0, "b": 0.5}
    campaign.ask()
    campaign.tell(0, 1.0, x={"a": 0.0, "b": 1.0})
    assert campaign.position == {"a": 0.0, "b": 1.0}
    assert campaign.spent == pytest.approx(0.5)
    assert campaign.ask().cost == pytest.approx(np.hypot(0.5, 1.0))


def test_a_corrected_setting_may_lie_outside_of_the_region() -> None:
    below = sb.LinearInequalities({"a": 1.0, "b": 1.0}, upper=1.0)
    campaign = sb.Campaign(sb.Space(SQUARE.variables, region=below), 3, SMALL)
    campaign.ask()
    campaign.tell(0, 1.0, x={"a": 1.0, "b": 1.0})
    assert sum(campaign.ask().x.values()) <= 1.0 + 1e-9


# --- failed trials ---------------------------------------------------------------------------------


def test_a_failed_trial_counts_and_is_never_modelled() -> None:
    campaign = walk([0.1, 0.1], [0.2, 0.2], [0.3, 0.3])
    campaign.ask()
    failed = campaign.fail(0, "pump stalled")
    assert (failed.state, failed.reason, failed.value) == (sb.State.FAILED, "pump stalled", None)
    assert campaign.steps_left == 2
    assert campaign.outstanding == ()
    assert campaign.best is None
    view = campaign.view()
    assert len(view.told) == 0
    assert len(view.asked) == 1
    assert len(view.outstanding) == 0


def test_a_failed_trial_can_be_told_after_all() -> None:
    campaign = walk([0.1, 0.1])
    campaign.ask()
    campaign.fail(0, "pump stalled")
    with pytest.raises(TrialStateError, match=r"Trial 0 failed \(pump stalled\). Pass replace=True"):
        campaign.tell(0, 1.0)
    told = campaign.tell(0, 1.0, replace=True)
    assert (told.state, told.value, told.reason) == (sb.State.TOLD, 1.0, "")
    assert campaign.best == told


def test_a_told_trial_cannot_fail_and_a_failed_one_fails_once() -> None:
    campaign = walk([0.1, 0.1], [0.2, 0.2])
    campaign.ask()
    assert campaign.fail(0, "a") == campaign.fail(0, "a")
    assert campaign.fail(0, "b").reason == "b"
    campaign.ask()
    campaign.tell(1, 2.0)
    with pytest.raises(TrialStateError, match="told 2 already; it cannot fail now"):
        campaign.fail(1)


# --- points of one's own, and data from before -----------------------------------------------------


def test_an_attached_point_counts_moves_and_makes_a_new_plan() -> None:
    campaign = walk([0.0, 0.0], [0.1, 0.1], [0.2, 0.2], [0.3, 0.3])
    method = campaign.settings.method
    assert isinstance(method, Walk)
    campaign.ask()
    trial = campaign.attach({"a": 0.3, "b": 0.4})
    assert (trial.id, trial.attached, dict(trial.x)) == (1, True, {"a": 0.3, "b": 0.4})
    assert trial.cost == pytest.approx(0.5)
    assert campaign.position == {"a": 0.3, "b": 0.4}
    assert campaign.steps_left == 2
    assert trial in campaign.outstanding
    campaign.ask()
    assert len(method.views) == 2
    assert method.views[1].position is not None
    assert method.views[1].position.tolist() == [0.3, 0.4]
    assert campaign.tell(1, 7.0).attached
    campaign.attach({"a": 1, "b": 1})
    with pytest.raises(BudgetSpentError, match="add_data"):
        campaign.attach({"a": 1, "b": 1})


def test_an_attached_point_is_kept_as_written() -> None:
    space = sb.Space([sb.Variable("t", 0.1, 0.7), sb.Variable("s", 0, 1, step=0.25)])
    campaign = sb.Campaign(space, 3, "random-tour")
    for value in (0.3, 1 / 3):
        assert campaign.attach({"t": value, "s": 0.3}).x == {"t": value, "s": 0.3}


@pytest.mark.parametrize("as_frame", [True, False])
def test_data_from_before_inform_and_cost_nothing(as_frame: bool) -> None:
    rows: list[dict[str, Any]] = [
        {"flow": 2, "temperature": 70, "value": 5.0, "operator": "Ada"},
        {"flow": 1, "temperature": 40, "value": 1.0, "operator": "Bo"},
    ]
    campaign = sb.Campaign(SPACE, 4, SMALL, start={"temperature": 40, "flow": 1})
    before = campaign.plan()
    campaign.add_data(pd.DataFrame(rows, index=[7, 9]) if as_frame else rows)
    assert campaign.trials == ()
    assert campaign.best is None
    assert (campaign.spent, campaign.steps_left) == (0.0, 4)
    assert campaign.position == {"temperature": 40, "flow": 1}
    told = campaign.view().told
    np.testing.assert_allclose(told.X, [[0.375, 0.25], [0.0, 0.0]])
    assert told.Y.tolist() == [[5.0], [1.0]]
    assert campaign.plan() != before


def test_data_are_added_to_data_and_turned_when_minimising() -> None:
    campaign = sb.Campaign(SQUARE, 3, SMALL, direction="minimize")
    campaign.add_data([{"a": 0, "b": 0, "value": 1}])
    campaign.attach({"a": 1, "b": 1})
    campaign.tell(0, 3)
    campaign.add_data([{"a": 0, "b": 1, "value": 2}])
    assert campaign.view().told.Y[:, 0].tolist() == [-1.0, -2.0, -3.0]


# --- the plan --------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["random-tour", SMALL])
def test_the_first_point_of_the_plan_is_the_next_ask(method: Any) -> None:
    campaign = sb.Campaign(SPACE, 8, method)
    while not campaign.finished:
        plan = campaign.plan()
        assert 1 <= len(plan) <= campaign.steps_left
        trial = campaign.ask()
        assert trial.x == plan[0]
        if trial.id % 2:
            campaign.tell(trial.id, height(trial.x))
        elif trial.id < 7:
            assert campaign.plan() == plan[1:] or len(plan) == 1  # no news, same plan
    assert campaign.plan() == []


def test_the_plan_given_out_is_a_copy() -> None:
    campaign = sb.Campaign(SPACE, 4, "random-tour")
    campaign.plan()[0]["flow"] = 99.0
    campaign.view().plan[:] = 0.0
    campaign.ask()
    campaign.view().plan[:] = 0.0
    assert campaign.ask().x["flow"] > 1.0


# --- what is known ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("direction", "best"), [("maximize", 2), ("minimize", 1)])
def test_best_follows_the_direction(direction: Any, best: int) -> None:
    campaign = walk([0.1, 0.1], [0.2, 0.2], [0.3, 0.3], [0.4, 0.4], direction=direction)
    assert campaign.best is None
    for number, value in enumerate([2.0, -1.0, 3.0, 3.0]):
        campaign.ask()
        campaign.tell(number, value)
    assert campaign.best == campaign.trial(best)
    assert campaign.trial(best).value == [2.0, -1.0, 3.0][best]


def test_several_objectives() -> None:
    campaign = walk(
        [0.1, 0.1], [0.2, 0.2], objectives=("yield", "waste"),
        direction={"yield": "maximize", "waste": "minimize"},
    )  # fmt: skip
    campaign.ask()
    campaign.ask()
    campaign.tell(0, {"waste": 3.0, "yield": 0.9})
    campaign.tell(1, {"yield": 0.5, "waste": 1.0})
    assert campaign.best == campaign.trial(0) == campaign.best_by("yield")
    assert campaign.best_by("waste") == campaign.trial(1)
    assert list(campaign.trial(0).values) == ["yield", "waste"]
    with pytest.raises(sb.SnakeboError, match="several values"):
        campaign.trial(0).value  # noqa: B018
    assert campaign.view().told.Y.tolist() == [[0.9, -3.0], [0.5, -1.0]]
    with pytest.raises(TrialStateError, match=r"told yield=0\.9, waste=3 already; got yield=0\.9, waste=4"):
        campaign.tell(0, {"waste": 4.0, "yield": 0.9})


def test_several_objectives_share_a_snake() -> None:
    campaign = sb.Campaign(SQUARE, 5, SMALL, objectives=["up", "down"], proportions=[3, 1])
    while not campaign.finished:
        trial = campaign.ask()
        campaign.tell(trial.id, {"up": trial.x["a"], "down": -trial.x["b"]})
    assert campaign.best is not None


@pytest.mark.parametrize(("start", "spent"), [(None, 1.5), ({"a": 0.0, "b": 1.0}, 2.5)])
def test_spent_is_counted_from_the_start_if_there_is_one(start: Any, spent: float) -> None:
    campaign = walk([0.0, 0.0], [0.0, 0.5], [1.0, 0.5], start=start)
    assert campaign.position == start
    assert campaign.spent == 0.0
    for _ in range(3):
        campaign.ask()
    assert campaign.spent == pytest.approx(spent)


def test_to_frame_has_one_row_a_trial() -> None:
    campaign = walk([0.0, 0.0], [0.0, 0.5], [1.0, 0.5], budget=5, objectives=("yield",))
    empty = campaign.to_frame()
    columns = ["state", "a", "b", "yield", "cost", "spent", "attached", "reason"]
    assert list(empty.columns) == columns
    assert len(empty) == 0
    campaign.ask()
    campaign.tell(0, 0.25)
    campaign.ask()
    campaign.fail(1, "leak")
    campaign.attach({"a": 1.0, "b": 0.5})
    frame = campaign.to_frame()
    assert list(frame.columns) == columns
    assert frame.index.name == "trial"
    assert frame.index.tolist() == [0, 1, 2]
    assert frame["state"].tolist() == ["told", "failed", "outstanding"]
    assert frame["yield"].isna().tolist() == [False, True, True]
    assert frame["spent"].tolist() == [0.0, 0.5, 1.5]
    assert frame["attached"].tolist() == [False, False, True]
    assert frame["reason"].tolist() == ["", "leak", ""]


def test_repr_says_where_the_campaign_stands() -> None:
    campaign = walk([0.0, 0.0], [0.0, 0.5], [0.5, 0.5], name="snar")
    campaign.ask()
    campaign.ask()
    campaign.tell(0, 1.0)
    assert repr(campaign) == "<Campaign 'snar': 2 of 3 steps, 1 outstanding, spent 0.5>"


# --- the cost budget -------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["random-tour", SMALL])
@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("start", [None, {"temperature": 40, "flow": 1}])
def test_a_cost_budget_is_never_exceeded(method: Any, seed: int, start: Any) -> None:
    campaign = sb.Campaign(SPACE, 12, method, seed=seed, start=start, cost_budget=1.2)
    while not campaign.finished:
        trial = campaign.ask()
        assert campaign.spent <= 1.2 + 1e-12
        campaign.tell(trial.id, height(trial.x))
    assert campaign.plan() == []
    with pytest.raises(BudgetSpentError, match=re.escape("of the cost budget of 1.2 is spent")):
        campaign.ask()
    assert 1 <= len(campaign.trials) < 12


def test_a_plan_stops_where_the_way_gets_too_long() -> None:
    campaign = walk([0.0, 0.0], [0.5, 0.0], [1.0, 0.0], [1.0, 1.0], cost_budget=1.0)
    assert campaign.plan() == [{"a": 0.0, "b": 0.0}, {"a": 0.5, "b": 0.0}, {"a": 1.0, "b": 0.0}]
    for _ in range(3):
        campaign.ask()
    assert campaign.spent == 1.0
    assert campaign.finished
    with pytest.raises(BudgetSpentError):
        campaign.ask()


def test_what_is_out_of_reach_is_left_out() -> None:
    campaign = walk([1.0, 1.0], [0.25, 0.0], start={"a": 0.0, "b": 0.0}, cost_budget=0.5)
    assert campaign.ask().x == {"a": 0.25, "b": 0.0}


def test_moves_that_cost_nothing_go_on_when_the_cost_budget_is_spent_exactly() -> None:
    campaign = walk([0.0, 0.0], [1.0, 0.0], [1.0, 0.0], cost_budget=1.0)
    for _ in range(2):
        campaign.ask()
    assert campaign.spent == 1.0
    assert not campaign.finished
    assert campaign.ask().cost == 0.0


def test_attaching_may_exceed_the_cost_budget_and_ends_the_campaign() -> None:
    campaign = sb.Campaign(SQUARE, 9, SMALL, start={"a": 0, "b": 0}, cost_budget=1.0)
    campaign.attach({"a": 1, "b": 1})
    assert campaign.spent > 1.0
    assert campaign.finished
    with pytest.raises(BudgetSpentError):
        campaign.ask()


def test_a_random_tour_within_a_cost_budget_visits_nothing_twice() -> None:
    campaign = sb.Campaign(SQUARE, 12, "random-tour", cost_budget=1.0)
    while not campaign.finished:
        campaign.ask()
    visited = {tuple(trial.x.values()) for trial in campaign.trials}
    assert len(visited) == len(campaign.trials) < 12


# --- variables and regions -------------------------------------------------------------------------


def test_changing_a_free_variable_costs_nothing() -> None:
    space = sb.Space([sb.Variable("a", 0, 1), sb.Variable("b", 0, 1, free=True)])
    campaign = sb.Campaign(space, 3, Walk([[0.0, 0.0], [0.0, 1.0], [0.5, 0.3]]))
    assert [campaign.ask().cost for _ in range(3)] == [0.0, 0.0, 0.5]


def test_asked_points_lie_on_the_steps_and_print_clean() -> None:
    space = sb.Space(
        [sb.Variable("t", 20, 25, step=0.1), sb.Variable("v", -1, 1, step=0.05), sb.Variable("w", 0, 1)]
    )
    campaign = sb.Campaign(space, 10, SMALL)
    while not campaign.finished:
        trial = campaign.ask()
        assert len(repr(trial.x["t"])) <= len("20.1")
        assert len(repr(trial.x["v"])) <= len("-0.95")
        campaign.tell(trial.id, trial.x["t"] * trial.x["v"])


def test_asked_points_stay_in_the_region() -> None:
    ring = sb.Polygon(
        [(0, 0), (1, 0), (1, 1), (0, 1)], holes=[[(0.2, 0.2), (0.8, 0.2), (0.8, 0.8), (0.2, 0.8)]]
    )
    campaign = sb.Campaign(sb.Space(SQUARE.variables, region=ring), 10, SMALL)
    while not campaign.finished:
        trial = campaign.ask()
        assert not all(0.2 + 1e-6 < value < 0.8 - 1e-6 for value in trial.x.values())
        campaign.tell(trial.id, -abs(trial.x["a"] - 0.5) - abs(trial.x["b"] - 0.5))
