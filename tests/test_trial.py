"""A trial is a fact: it does not change, and two of the same content are equal."""

import copy
import pickle
from dataclasses import FrozenInstanceError
from typing import Any

import pytest

import snakebo as sb

TRIAL = sb.Trial(3, {"a": 0.5}, cost=1.5)


def test_a_new_trial_is_outstanding() -> None:
    assert TRIAL.state is sb.State.OUTSTANDING
    assert TRIAL.value is None
    assert not TRIAL.attached


def test_told_and_failed_make_new_trials() -> None:
    told = TRIAL.told({"yield": 0.7}, {"a": 0.6})
    assert (told.id, told.state, told.value, told.x["a"], told.cost) == (3, sb.State.TOLD, 0.7, 0.6, 1.5)
    failed = TRIAL.failed("leak")
    assert (failed.id, failed.state, failed.reason) == (3, sb.State.FAILED, "leak")
    assert failed.told({"yield": 0.7}, {"a": 0.5}).reason == ""
    assert sb.Trial(3, {"a": 0.5}, cost=1.5) == TRIAL


def test_several_values_have_no_single_one() -> None:
    told = TRIAL.told({"yield": 0.7, "waste": 0.1}, {"a": 0.5})
    with pytest.raises(sb.SnakeboError, match=r"Trial 3 has several values \(yield, waste\); use .values"):
        told.value  # noqa: B018


def test_nothing_of_a_trial_can_be_changed() -> None:
    given: dict[str, float] = {"a": 0.5}
    trial = sb.Trial(0, given)
    given["a"] = 9.0
    assert trial.x == {"a": 0.5}
    with pytest.raises(TypeError):
        trial.x["a"] = 9.0  # type: ignore[index]
    with pytest.raises(TypeError):
        trial.values["yield"] = 9.0  # type: ignore[index]
    with pytest.raises(FrozenInstanceError):
        trial.id = 1  # type: ignore[misc]


@pytest.mark.parametrize("trial", [TRIAL, TRIAL.told({"y": 1.0}, {"a": 0.2}), TRIAL.failed("leak")])
@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda trial: pickle.loads(pickle.dumps(trial))])
def test_trials_can_be_copied_and_sent_between_processes(trial: sb.Trial, again: Any) -> None:
    assert again(trial) == trial
    assert len({trial, again(trial)}) == 1


def test_states_read_as_words() -> None:
    assert [str(state) for state in sb.State] == ["outstanding", "told", "failed"]
