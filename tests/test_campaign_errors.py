"""What a campaign refuses, in words that help, and that nothing is lost when it or something else fails."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.random import Generator

import snakebo as sb
from snakebo.errors import CostError, InputError, UnknownTrialError
from snakebo.space import Points

SMALL = sb.SnAKe(candidates=64, features=64, climbs=4)
SPACE = sb.Space([sb.Variable("a", 0, 1), sb.Variable("b", 0, 10)])
POINT = {"a": 0.5, "b": 5.0}
RUBBISH: list[Any] = [None, "text", b"bytes", object(), math.nan, [], {}, ()]


def campaign_of(method: Any = "random-tour", **settings: Any) -> sb.Campaign:
    """A campaign in the middle: told, failed and outstanding trials."""
    campaign = sb.Campaign(SPACE, settings.pop("budget", 8), method, **settings)
    for _ in range(3):
        campaign.ask()
    campaign.tell(0, 1.5)
    campaign.fail(1, "leak")
    return campaign


def state_of(campaign: sb.Campaign) -> tuple[object, ...]:
    """All that can be seen of a campaign, and what it does next."""
    view = campaign.view()
    return (
        campaign.trials, campaign.spent, campaign.position, campaign.best, campaign.finished, repr(campaign),
        view.told.X.tolist(), view.told.Y.tolist(), view.plan.tolist(), campaign.plan(),
    )  # fmt: skip


def refuses(campaign: sb.Campaign, call: Callable[[sb.Campaign], object], error: type = InputError) -> str:
    """Check that the call raises, says something, and leaves everything as it was; return the message."""
    before = state_of(campaign)
    with pytest.raises(error) as caught:
        call(campaign)
    assert isinstance(caught.value, sb.SnakeboError)
    assert state_of(campaign) == before
    assert len(str(caught.value)) > 15
    return str(caught.value)


# --- the arguments of Campaign ---------------------------------------------------------------------

POSITIVE = [*RUBBISH, True, 0, -1, 2.5, math.inf, np.array([1, 2])]
BAD_SETTINGS: dict[str, list[Any]] = {
    "space": [*RUBBISH, [sb.Variable("a", 0, 1)], 3],
    "budget": [*POSITIVE, 10.0, np.float64(3)],
    "method": [None, 3, "snaek", "", b"snake", [], sb.SnAKe, object()],
    "cost": ["euclidean", 3, [], sb.Euclidean, sb.RampRate({"c": (1, 1)}), {"a": 1}],
    "seed": [*RUBBISH, True, -1, 0.5, math.inf],
    "start": ["text", 3, [0.5, 5.0], {}, {"a": 0.5}, {**POINT, "c": 1}, {"a": 2.0, "b": 5},
              {"a": math.nan, "b": 5}, {"a": True, "b": 5}, {"a": "0.5", "b": 5}, {"a": None, "b": 5}],
    "direction": [*RUBBISH, "max", 1, {"other": "maximize"}, {"value": "up"}, ["maximize"],
                  np.array(["maximize", "minimize"])],
    "objectives": [None, 3, (), "", [""], ["y", "y"], [1], [["y"]], {"y": 1}.get, ["a"], ["cost"], ["state"]],
    "cost_budget": ["text", b"1", [], {}, 0, -1.0, True, math.nan, math.inf],
    "protocol": ["warm", "paper", 3, [], {}, object(), sb.Cold],
    "proportions": ["1", 3, (), [1, 1], [-1.0], [0.0], [math.nan], [math.inf], [True], ["1"], [None]],
    "name": [None, "", 3, b"name", []],
}  # fmt: skip


@pytest.mark.parametrize(
    ("argument", "value"), [(name, value) for name, values in BAD_SETTINGS.items() for value in values]
)
def test_bad_settings(argument: str, value: Any) -> None:
    settings = {"space": SPACE, "budget": 5, "method": "random-tour", argument: value}
    with pytest.raises(InputError) as caught:
        sb.Campaign(**settings)
    assert len(str(caught.value)) > 15


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"method": "snaek"}, "did you mean 'snake'"),
        ({"method": sb.SnAKe}, r"object with plan\(view, rng\)"),
        ({"budget": 0}, "budget must be a whole number of at least 1; got 0"),
        ({"start": {"a": 0.5}}, "no value for 'b'"),
        ({"start": {"a": 7, "b": 1}}, "'a' must be between 0 and 1; got 7"),
        ({"direction": "max"}, "'maximize' or 'minimize'"),
        ({"protocol": "paper"}, "optimize"),
        ({"objectives": ["a"]}, "'a' cannot be a variable and an objective"),
        ({"objectives": ["cost"]}, "'cost' is a column of every campaign's table"),
        ({"proportions": [1, 2]}, "proportions must be 1 number"),
        ({"cost_budget": 0}, "cost_budget must be positive"),
    ],
)
def test_messages_say_what_to_do(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        sb.Campaign(**{"space": SPACE, "budget": 5, **settings})


def test_a_variable_cannot_have_the_name_of_a_column() -> None:
    with pytest.raises(InputError, match="'spent' is a column"):
        sb.Campaign(sb.Space([sb.Variable("spent", 0, 1)]), 5)


# --- the arguments of its methods ------------------------------------------------------------------

BAD_IDS: list[Any] = [None, "0", b"0", 0.0, math.nan, True, False, -1, -3, 3, 10**30, [], {}, object()]
NO_NUMBERS: list[Any] = [
    None, "1.0", b"1", math.nan, math.inf, -math.inf, np.nan, True, np.True_, 1j, 10**400, object(), [1.0],
    np.array([1.0, 2.0]), pd.NA, {}, {"value": None}, {"value": math.nan}, {"other": 1.0},
    {"value": 1.0, "other": 2.0},
]  # fmt: skip
BAD_POINTS: list[Any] = [
    "text", 3, [], [0.5, 5.0], {}, {"a": 0.5}, {"A": 0.5, "b": 5}, {**POINT, "c": 1},
    {"a": 0.5, "b": math.nan}, {"a": 0.5, "b": math.inf}, {"a": 0.5, "b": "5"}, {"a": 0.5, "b": None},
    {"a": 0.5, "b": True}, {"a": 0.5, "b": 10.1},
    {"a": -1e-3, "b": 5}, {"a": 0.5, "b": 10**400}, {"a": 0.5, "b": 1j},
]  # fmt: skip


@pytest.mark.parametrize("trial_id", BAD_IDS)
def test_an_unknown_trial(trial_id: Any) -> None:
    campaign = campaign_of()
    for call in (
        lambda c: c.trial(trial_id),
        lambda c: c.tell(trial_id, 1.0),
        lambda c: c.tell(trial_id, 1.0, x=POINT, replace=True),
        lambda c: c.fail(trial_id, "reason"),
    ):
        assert "ids run from 0 to 2" in refuses(campaign, call, UnknownTrialError)


def test_an_unknown_trial_before_the_first_ask() -> None:
    with pytest.raises(UnknownTrialError, match="nothing was asked yet"):
        sb.Campaign(SPACE, 3).tell(0, 1.0)


@pytest.mark.parametrize("value", NO_NUMBERS)
@pytest.mark.parametrize("replace", [True, False])
def test_a_value_that_is_no_number(value: Any, replace: bool) -> None:
    campaign = campaign_of()
    for trial_id in (0, 1, 2):
        refuses(campaign, lambda c, i=trial_id: c.tell(i, value, replace=replace))  # type: ignore[misc]


def test_no_number_is_a_failed_trial() -> None:
    assert "fail(id, reason)" in refuses(campaign_of(), lambda c: c.tell(2, math.nan))


@pytest.mark.parametrize(
    "value", [1.0, {"yield": 1.0}, {"yield": 1.0, "waste": math.nan}, {"yield": 1, "wast": 1}, None]
)
def test_all_objectives_must_be_told(value: Any) -> None:
    campaign = sb.Campaign(SPACE, 3, "random-tour", objectives=("yield", "waste"))
    campaign.ask()
    refuses(campaign, lambda c: c.tell(0, value))


@pytest.mark.parametrize("x", BAD_POINTS)
def test_a_bad_point(x: Any) -> None:
    campaign = campaign_of()
    refuses(campaign, lambda c: c.tell(2, 1.0, x=x))
    refuses(campaign, lambda c: c.attach(x))


def test_attach_needs_a_point() -> None:
    refuses(campaign_of(), lambda c: c.attach(None))  # type: ignore[arg-type]


def test_an_unknown_objective() -> None:
    assert "they are value" in refuses(campaign_of(), lambda c: c.best_by("yield"))
    refuses(campaign_of(), lambda c: c.best_by(None))  # type: ignore[arg-type]


GOOD_ROW = {"a": 0.5, "b": 5.0, "value": 1.0}


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ({"value": math.nan}, "'value' must be a finite number"),
        ({"value": math.inf}, "'value' must be a finite number"),
        ({"value": "high"}, "'value' must be a real number"),
        ({"value": None}, "'value' must be a"),
        ({"a": math.nan}, "'a' must be a finite number"),
        ({"a": 2.0}, "'a' must be between 0 and 1; got 2"),
        ({"b": "5"}, "'b' must be a real number"),
    ],
)
def test_a_bad_row_is_named_and_nothing_is_added(bad: dict[str, Any], message: str) -> None:
    rows = [GOOD_ROW, GOOD_ROW, {**GOOD_ROW, **bad}, GOOD_ROW]
    for data in (rows, pd.DataFrame(rows, index=[10, 11, 12, 13])):
        said = refuses(campaign_of(), lambda c, data=data: c.add_data(data))  # type: ignore[misc]
        assert said.startswith("Row 2 of the data: ")
        assert message in said
        assert "Nothing was added" in said


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([{"a": 0.5, "b": 5.0}], "lack the columns value; they have a, b"),
        ([], "lack the columns a, b, value; they have none"),
        (None, "lack the columns"),
        ("text", "must be a table or a list of rows"),
        (3.0, "must be a table or a list of rows"),
        ({"a": 0.5, "b": 5.0, "value": 1.0}, "must be a table or a list of rows"),
        (np.zeros((2, 3)), "lack the columns"),
        (pd.DataFrame([[0.5, 5.0, 1.0, 2.0]], columns=["a", "b", "value", "value"]), "several columns value"),
    ],
)
def test_a_bad_table(data: Any, message: str) -> None:
    assert message in refuses(campaign_of(), lambda c: c.add_data(data))


def test_a_table_without_rows_adds_nothing() -> None:
    campaign = campaign_of()
    campaign.add_data(pd.DataFrame(columns=["a", "b", "value"]))
    assert len(campaign.view().told) == 1


# --- when the parts that users bring along fail ----------------------------------------------------


class MoodyCost:
    """A cost function that can be told to go wrong."""

    mood = "good"

    def __call__(self, A: Points, B: Points) -> Any:
        if self.mood == "raises":
            raise ZeroDivisionError("no way")
        costs = np.abs(A[:, None] - B[None]).sum(axis=2)
        return {
            "good": costs,
            "nan": costs * np.nan,
            "negative": costs - 100.0,
            "shape": costs.T[:0],
            "none": None,
        }[self.mood]


@pytest.mark.parametrize("mood", ["raises", "nan", "negative", "shape", "none"])
def test_nothing_is_lost_when_the_cost_fails(mood: str) -> None:
    cost = MoodyCost()
    campaign, twin = campaign_of(cost=cost), campaign_of(cost=MoodyCost())
    calls: list[Callable[[sb.Campaign], object]] = [
        lambda c: c.ask(),
        lambda c: c.attach(POINT),
        lambda c: c.tell(0, 2.0, x=POINT, replace=True),
        lambda c: c.tell(2, 2.0, x=POINT),
    ]
    for call in calls:
        before = (campaign.trials, campaign.spent, campaign.position, len(campaign.view().told))
        cost.mood = mood
        with pytest.raises(CostError):
            call(campaign)
        assert (campaign.trials, campaign.spent, campaign.position, len(campaign.view().told)) == before
        cost.mood = "good"
        assert campaign.plan() == twin.plan()
    assert campaign.ask() == twin.ask()


class MoodyMethod:
    """A method that can be told to go wrong."""

    answer: Any = None

    def plan(self, view: sb.View, rng: Generator) -> Points:
        if isinstance(self.answer, Exception):
            raise self.answer
        answer: Points = self.answer if self.answer is not None else rng.random((view.steps_left, 2))
        return answer


RUBBISH_PLANS: list[Any] = [
    "text", 3.0, [], [[]], [0.5, 0.5], np.zeros((0, 2)), np.zeros((2, 3)), np.zeros((1, 2, 2)),
    [[0.5, math.nan]], [[0.5, 1.5]], [[-0.1, 0.5]], [[0.5, math.inf]], [[0.5, 0.5], [0.5]], [["a", "b"]],
    [[None, 0.5]], {"a": 0.5}, [[1j, 0]],
]  # fmt: skip


@pytest.mark.parametrize("rubbish", RUBBISH_PLANS)
def test_nothing_is_lost_when_a_method_returns_rubbish(rubbish: Any) -> None:
    method = MoodyMethod()
    campaign, twin = campaign_of(method), campaign_of(MoodyMethod())
    method.answer = rubbish
    for call in (sb.Campaign.ask, sb.Campaign.plan):
        with pytest.raises(InputError, match=r"MoodyMethod.plan must return points \(p ≥ 1, 2\)"):
            call(campaign)
    method.answer = None
    assert state_of(campaign) == state_of(twin)
    assert campaign.ask() == twin.ask()


def test_nothing_is_lost_when_a_method_raises() -> None:
    method = MoodyMethod()
    campaign, twin = campaign_of(method), campaign_of(MoodyMethod())
    method.answer = RuntimeError("out of ideas")
    for _ in range(2):
        with pytest.raises(RuntimeError, match="out of ideas"):
            campaign.ask()
    method.answer = None
    assert campaign.ask() == twin.ask()


def test_a_method_must_keep_to_the_region_and_to_the_steps() -> None:
    method = MoodyMethod()
    below = sb.LinearInequalities({"a": 1, "b": 1}, upper=1)
    variables = [sb.Variable("a", 0, 1), sb.Variable("b", 0, 1, step=0.25)]
    for space, bad in ((sb.Space(variables, region=below), [0.75, 0.75]), (sb.Space(variables), [0.75, 0.7])):
        method.answer = [[0.25, 0.5], bad]
        with pytest.raises(InputError, match=r"inside the region and on the steps.*got \[0.75, 0.7"):
            sb.Campaign(space, 3, method).ask()


def test_a_method_cannot_reach_into_the_campaign() -> None:
    path = np.array([[0.1, 0.1], [0.2, 0.2], [0.3, 0.3]])
    method = MoodyMethod()
    method.answer = path
    campaign = sb.Campaign(SPACE, 3, method)
    campaign.ask()
    path[:] = 0.9
    assert campaign.ask().x == {"a": 0.2, "b": 2.0}


class WithProtocol(MoodyMethod):
    def __init__(self, protocol: Any) -> None:
        self.protocol = protocol


def test_a_method_may_bring_its_protocol_but_no_rubbish() -> None:
    assert sb.Campaign(SPACE, 3, WithProtocol("cold")).settings.protocol == sb.Cold()
    assert sb.Campaign(SPACE, 3, WithProtocol(sb.Cold(kernel="rbf"))).settings.protocol.kernel == "rbf"
    with pytest.raises(InputError, match="protocol must be"):
        sb.Campaign(SPACE, 3, WithProtocol(3))


def test_a_reason_that_is_no_text_elsewhere_is_kept_readable() -> None:
    campaign = sb.Campaign(sb.Space([sb.Variable("a", 0, 1)]), 3, "random-tour")
    failed = campaign.fail(campaign.ask().id, "pump \ud800 stalled\0")
    assert failed.reason == "pump \\ud800 stalled\\0"
    assert campaign.to_frame().loc[0, "reason"] == failed.reason


@pytest.mark.parametrize(
    "cost", [lambda A, B: 1j * np.ones((len(A), len(B))), lambda A, B: [["1"] * len(B)] * len(A)]
)
def test_costs_that_are_no_real_numbers_are_errors(cost: Any) -> None:
    campaign = sb.Campaign(sb.Space([sb.Variable("a", 0, 1)]), 3, "random-tour", cost=cost)
    with pytest.raises(CostError, match="numbers, real ones"):
        campaign.ask()
