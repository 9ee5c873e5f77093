"""optimize(): what is told when, what may go wrong in a function, and that nothing measured is lost."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.random import Generator

import snakebo as sb
from snakebo.errors import BudgetSpentError, InputError
from snakebo.loop import EvaluationError
from snakebo.space import Points

SMALL = sb.SnAKe(candidates=64, features=64, climbs=4)
LINE = sb.Space([sb.Variable("a", 0, 1)])


def hill(x: dict[str, float]) -> float:
    return -((x["a"] - 0.3) ** 2)


class Recorder:
    """A random method that writes down which results it was shown at each step."""

    def __init__(self) -> None:
        self.told: list[list[float]] = []
        self.outstanding: list[int] = []

    def plan(self, view: sb.View, rng: Generator) -> Points:
        self.told.append(view.told.Y[:, 0].tolist())
        self.outstanding.append(len(view.outstanding))
        return rng.random((1, 1))  # one point: asked anew at every step


def counting() -> Any:
    calls = iter(range(1000))
    return lambda x: float(next(calls))


# --- the delay -------------------------------------------------------------------------------------


@pytest.mark.parametrize("delay", [0, 1, 3, 5, 20])
def test_step_t_knows_the_results_up_to_t_minus_delay_minus_1(delay: int) -> None:
    recorder = Recorder()
    result = sb.optimize(counting(), LINE, 8, delay=delay, method=recorder)
    assert len(recorder.told) == 8
    for t, told in enumerate(recorder.told):
        assert told == [float(i) for i in range(t - delay)]  # numbered from 0: the last is t − delay − 1
        assert recorder.outstanding[t] == min(t, delay)
    assert [trial.value for trial in result.campaign.trials] == [float(i) for i in range(8)]
    assert result.campaign.outstanding == ()
    assert not result.interrupted


def test_a_result_has_what_the_campaign_has() -> None:
    result = sb.optimize(hill, LINE, 8, method=SMALL, seed=1, start={"a": 1.0}, name="line")
    campaign = result.campaign
    assert campaign.name == "line"
    assert campaign.finished
    assert result.best == campaign.best
    assert result.spent == campaign.spent > 0
    pd.testing.assert_frame_equal(result.to_frame(), campaign.to_frame())
    assert result.best is not None
    assert result.best.value == max(hill(dict(trial.x)) for trial in campaign.trials)


def test_optimize_is_the_loop_of_ask_and_tell() -> None:
    campaign = sb.Campaign(LINE, 6, SMALL, seed=2)
    while not campaign.finished:
        trial = campaign.ask()
        campaign.tell(trial.id, hill(dict(trial.x)))
    assert sb.optimize(hill, LINE, 6, method=SMALL, seed=2).campaign.trials == campaign.trials


def test_the_function_cannot_change_a_trial() -> None:
    def careless(x: dict[str, float]) -> float:
        return x.pop("a")

    result = sb.optimize(careless, LINE, 3, method="random-tour")
    assert [trial.value for trial in result.campaign.trials] == [t.x["a"] for t in result.campaign.trials]


@pytest.mark.parametrize("delay", [0, 4])
def test_a_cost_budget_is_kept_and_used_up(delay: int) -> None:
    result = sb.optimize(hill, LINE, 30, delay=delay, method=SMALL, cost_budget=0.8, start={"a": 0.9})
    assert result.spent <= 0.8 + 1e-12
    assert result.campaign.finished
    assert result.campaign.outstanding == ()


def test_several_objectives() -> None:
    result = sb.optimize(
        lambda x: {"up": x["a"], "down": -x["a"]}, LINE, 6, delay=1, method=SMALL, objectives=("up", "down")
    )
    assert all(set(trial.values) == {"up", "down"} for trial in result.campaign.trials)
    assert result.campaign.best_by("up") == max(result.campaign.trials, key=lambda trial: trial.x["a"])


# --- callbacks and progress ------------------------------------------------------------------------


def test_a_callback_sees_every_trial_when_its_result_is_told() -> None:
    seen: list[tuple[int, str, int]] = []

    def callback(campaign: sb.Campaign, trial: sb.Trial) -> None:
        seen.append((trial.id, str(trial.state), len(campaign.outstanding)))

    values = iter([1.0, None, 3.0, 4.0])
    sb.optimize(lambda x: next(values), LINE, 4, delay=2, method="random-tour", callback=callback)
    assert seen == [(0, "told", 2), (1, "failed", 2), (2, "told", 1), (3, "told", 0)]


@pytest.mark.parametrize("name", ["reactor", "[/bold] [red]brackets"])
def test_the_progress_bar_shows_the_campaign(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    sb.optimize(counting(), LINE, 4, delay=2, method="random-tour", progress=True, name=name)
    shown = capsys.readouterr().out
    assert name.split("]", 1)[0] in shown
    assert "4/4" in shown
    assert "best 3" in shown  # the last result too, which came late


def test_the_progress_bar_works_before_any_result(capsys: pytest.CaptureFixture[str]) -> None:
    sb.optimize(lambda x: None, LINE, 3, method="random-tour", progress=True)
    assert "best –" in capsys.readouterr().out


# --- functions that fail ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "missing",
    [None, math.nan, np.nan, np.float32("nan"), np.array([np.nan]), {"value": None}, {"value": math.nan}],
)
def test_no_number_is_a_failed_trial(missing: Any) -> None:
    values = iter([1.0, missing, 3.0])
    result = sb.optimize(lambda x: next(values), LINE, 3, delay=1, method="random-tour")
    assert [str(trial.state) for trial in result.campaign.trials] == ["told", "failed", "told"]
    assert result.campaign.trial(1).reason != ""


def breaks_at(step: int, error: BaseException) -> Any:
    calls = iter(range(1000))

    def function(x: dict[str, float]) -> float:
        number = next(calls)
        if number == step:
            raise error
        return float(number)

    return function


@pytest.mark.parametrize("delay", [0, 2, 10])
def test_an_exception_ends_the_run_and_brings_all_that_was_measured(delay: int) -> None:
    with pytest.raises(EvaluationError, match=r"The function raised OSError at .*: no gas\.") as caught:
        sb.optimize(breaks_at(3, OSError("no gas")), LINE, 8, delay=delay, method="random-tour")
    assert isinstance(caught.value, sb.SnakeboError)
    assert isinstance(caught.value.__cause__, OSError)
    trials = caught.value.result.campaign.trials
    assert [trial.value for trial in trials] == [0.0, 1.0, 2.0, None]
    assert (str(trials[3].state), trials[3].reason) == ("failed", "no gas")


@pytest.mark.parametrize("delay", [0, 2])
def test_an_exception_may_fail_the_trial_only(delay: int) -> None:
    function = breaks_at(1, ValueError())
    result = sb.optimize(function, LINE, 4, delay=delay, method="random-tour", on_error="fail")
    assert [trial.value for trial in result.campaign.trials] == [0.0, None, 2.0, 3.0]
    assert result.campaign.trial(1).reason == "ValueError"


@pytest.mark.parametrize(
    "value", [math.inf, "0.5", True, [1.0], np.zeros(2), {}, {"other": 1.0}, object(), pd.NA]
)
def test_an_unusable_value_loses_nothing(value: Any) -> None:
    def function() -> Any:
        values = iter([1.0, 2.0, value, 4.0])
        return lambda x: next(values)

    with pytest.raises(EvaluationError, match="The function gave an unusable value at ") as caught:
        sb.optimize(function(), LINE, 4, delay=1, method="random-tour")
    assert [trial.value for trial in caught.value.result.campaign.trials] == [1.0, 2.0, None]
    result = sb.optimize(function(), LINE, 4, delay=1, method="random-tour", on_error="fail")
    assert [trial.value for trial in result.campaign.trials] == [1.0, 2.0, None, 4.0]


@pytest.mark.parametrize("delay", [0, 2, 10])
@pytest.mark.parametrize("progress", [True, False])
def test_an_interrupt_keeps_the_late_results_too(delay: int, progress: bool) -> None:
    result = sb.optimize(
        breaks_at(4, KeyboardInterrupt()), LINE, 8, delay=delay, method="random-tour", progress=progress
    )
    assert result.interrupted
    assert [trial.value for trial in result.campaign.trials] == [0.0, 1.0, 2.0, 3.0, None]
    assert [trial.id for trial in result.campaign.outstanding] == [4]


def test_an_interrupt_in_a_callback_ends_the_run() -> None:
    def callback(campaign: sb.Campaign, trial: sb.Trial) -> None:
        if trial.id == 2 and len(campaign.trials) < 8 and not stopped:
            stopped.append(True)
            raise KeyboardInterrupt

    stopped: list[bool] = []
    result = sb.optimize(counting(), LINE, 8, delay=1, method="random-tour", callback=callback)
    assert result.interrupted
    assert [trial.value for trial in result.campaign.trials] == [0.0, 1.0, 2.0, 3.0]


# --- the paper's protocol --------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore:`torch.jit.:DeprecationWarning")  # as GPyTorch is imported
def test_the_papers_protocol_makes_an_educated_guess_from_free_evaluations() -> None:
    calls: list[float] = []

    def function(x: dict[str, float]) -> float:
        calls.append(x["a"])
        return hill(x)

    result = sb.optimize(function, LINE, 5, method=SMALL, protocol="paper")
    protocol = result.campaign.settings.protocol
    assert isinstance(protocol, sb.Paper)
    assert len(protocol.guess) == 1
    assert len(calls) == 10 + 5  # max(T/5, 10·d) before the campaign
    assert len(result.campaign.view().told) == 5
    assert calls[10:] == [trial.x["a"] for trial in result.campaign.trials]


# --- arguments -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("argument", "value"),
    [
        *(("delay", value) for value in (-1, 1.5, True, "1", None, math.nan)),
        *(("on_error", value) for value in ("ignore", None, 3)),
        *(("function", value) for value in (None, 3, "hill")),
        *(("callback", value) for value in (3, "print")),
        ("budget", 0),
        ("method", "snaek"),
        ("protocol", "warm"),
    ],
)
def test_bad_arguments(argument: str, value: Any) -> None:
    arguments = {"function": hill, "space": LINE, "budget": 3, "method": "random-tour", argument: value}
    with pytest.raises(InputError):
        sb.optimize(**arguments)


def test_numpy_numbers_will_do() -> None:
    three: Any = np.int64(3)
    result = sb.optimize(hill, LINE, three, delay=three, seed=three, method="random-tour")
    assert len(result.campaign.trials) == 3


# --- settings of one's own first -------------------------------------------------------------------


def test_the_first_settings_are_tried_in_order_and_count() -> None:
    first = [{"a": 0.9}, {"a": 0.1}]
    result = sb.optimize(hill, LINE, 5, method="random-tour", first=first, delay=1)
    trials = result.campaign.trials
    assert [dict(trial.x) for trial in trials[:2]] == first
    assert [trial.attached for trial in trials] == [True, True, False, False, False]
    assert trials[0].cost == 0.0
    assert trials[1].cost == pytest.approx(0.8)


@pytest.mark.parametrize(
    ("first", "error"),
    [
        ({"a": 0.9}, InputError),
        ("a", InputError),
        ([0.9], InputError),
        ([{"b": 0.9}], InputError),
        ([{"a": 1.9}], InputError),
        ([{"a": 0.1}] * 6, BudgetSpentError),
    ],
)
def test_unfit_first_settings_are_an_error_before_anything_happens(
    first: Any, error: type[Exception], tmp_path: Path
) -> None:
    url = f"sqlite:///{tmp_path}/run.db"
    with pytest.raises(error):
        sb.optimize(hill, LINE, 5, first=first, storage=url)
    assert not (tmp_path / "run.db").exists()
