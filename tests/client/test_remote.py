"""A campaign of a real service beside a local one: the same names, types and exceptions."""

import math
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pandas as pd
import pytest

import snakebo as sb
from snakebo.client import RemoteCampaign, Service, ServiceError, TokenError
from snakebo.errors import (
    BudgetSpentError,
    CampaignExistsError,
    InputError,
    KeyReusedError,
    SpecError,
    TrialStateError,
    UnknownCampaignError,
    UnknownTrialError,
)
from snakebo.spec import from_spec

TOKEN = "correct-horse-battery"
SPEC: dict[str, Any] = {
    "budget": 6,
    "method": "random-tour",
    "variables": [
        {"name": "temperature", "low": 40, "high": 120, "unit": "°C"},
        {"name": "flow", "low": 0.5, "high": 5.0},
    ],
}


@pytest.fixture(scope="module")
def process(start_service: Callable[..., Any]) -> Any:
    return start_service(token=TOKEN)


@pytest.fixture(scope="module")
def service(process: Any) -> Iterator[Service]:
    with sb.connect(process.url, token=TOKEN) as opened:
        yield opened


@pytest.fixture
def campaign(service: Service, request: pytest.FixtureRequest) -> RemoteCampaign:
    """A campaign of its own for each test."""
    return service.create({**SPEC, "name": request.node.name})


def load(process: Any, name: str) -> sb.Campaign:
    return sb.Campaign.load(process.storage, name)


# --- like a local campaign --------------------------------------------------------------------------------


def test_a_run_over_http_is_a_run_in_python(process: Any, service: Service) -> None:
    def run(campaign: Any) -> list[Any]:
        seen: list[Any] = [campaign.best, campaign.position, campaign.steps_left]
        seen += [campaign.ask() for _ in range(3)]
        seen.append(campaign.tell(1, {"yield": 0.5, "purity": 0.9}))
        seen.append(campaign.fail(0, "pump stalled"))
        seen.append(campaign.attach({"temperature": 60, "flow": 1}))
        seen.append(campaign.tell(3, {"yield": 0.6, "purity": 0.7}, x={"temperature": 61, "flow": 1.5}))
        seen.append(campaign.tell(1, {"yield": 0.4, "purity": 0.9}, replace=True))
        seen += [campaign.ask(), campaign.plan(), campaign.best, campaign.best_by("purity"), campaign.spent]
        seen += [campaign.outstanding, campaign.trials, campaign.trial(2), campaign.position]
        seen += [campaign.finished, campaign.steps_left, campaign.budget, campaign.name, campaign.objectives]
        return seen

    spec = {
        **SPEC,
        "name": "pair",
        "budget": 10,
        "method": "snake",
        "seed": 5,
        "objectives": [{"name": "yield"}, {"name": "purity", "direction": "minimize"}],
        "cost": {"kind": "ramp-rate", "rates": {"temperature": [5, 2], "flow": [1, 1]}},
        "start": {"temperature": 40, "flow": 0.5},
    }
    remote, local = service.create(spec), sb.Campaign(**from_spec(spec))
    assert run(remote) == run(local)
    pd.testing.assert_frame_equal(remote.to_frame(), local.to_frame())
    kept = load(process, "pair")
    assert remote.trials == kept.trials
    for here, there in zip(remote.trials, kept.trials, strict=True):
        assert (here.asked_at, here.told_at) == (there.asked_at, there.told_at)
    assert remote.space == local.space


def test_the_loop_of_the_documentation(campaign: RemoteCampaign) -> None:
    while not campaign.finished:
        trial = campaign.ask()
        campaign.tell(trial.id, -abs(trial.x["temperature"] - 80))
    assert campaign.best is not None
    assert campaign.best.value == max(trial.value or -math.inf for trial in campaign.trials)


def test_a_cost_budget_ends_the_loop(service: Service) -> None:
    campaign = service.create(
        {**SPEC, "name": "tank", "budget": 50, "cost_budget": 1.2, "start": {"temperature": 40, "flow": 1}}
    )
    while not campaign.finished:
        campaign.tell(campaign.ask().id, 1.0)
    assert 0 < campaign.steps_left < 50
    assert campaign.spent <= 1.2
    with pytest.raises(BudgetSpentError, match="cost budget"):
        campaign.ask()


@pytest.mark.parametrize("value", [1, 0.5, np.float32(0.5), np.array([0.5]), {"value": np.int64(1)}])
def test_numbers_in_other_clothes(service: Service, value: Any, request: pytest.FixtureRequest) -> None:
    campaign = service.create({**SPEC, "name": request.node.name})
    plain = float(value["value"]) if isinstance(value, dict) else float(np.asarray(value).item())
    assert campaign.tell(campaign.ask().id, value).value == plain


def test_numbers_are_exact(process: Any, campaign: RemoteCampaign) -> None:
    x = {"temperature": 100 / 3, "flow": math.nextafter(1.0, 2.0)}
    x["temperature"] += 40
    trial = campaign.attach(x)
    assert campaign.tell(trial.id, 0.1 + 0.2).value == 0.1 + 0.2
    assert load(process, campaign.name).trials[0].x == x


@pytest.mark.parametrize("name", ["a/b <c>", "..", ".", "50%2F", "ü?#&;", "a//b", "\U0001f40d"])
def test_names_that_need_care(process: Any, service: Service, name: str) -> None:
    sb.Campaign(**from_spec({**SPEC, "name": name}), storage=process.storage)
    campaign = service.campaign(name)
    assert campaign.tell(campaign.ask().id, 1.0).value == 1.0
    assert service.campaign(name).trials == campaign.trials
    assert campaign.plan()
    assert name in [each["name"] for each in service.campaigns()]


def test_a_new_campaign_with_such_a_name(service: Service) -> None:
    assert service.create({**SPEC, "name": "c/d <e>?"}).ask().id == 0


def test_threads_share_a_campaign(service: Service) -> None:
    campaign = service.create({**SPEC, "name": "shared", "budget": 24})
    with ThreadPoolExecutor(4) as pool:
        trials = list(pool.map(lambda _: campaign.ask(), range(24)))
    assert sorted(trial.id for trial in trials) == list(range(24))


def test_repeating_with_a_key_of_ones_own(campaign: RemoteCampaign) -> None:
    first = campaign.ask(key="monday-1")
    assert campaign.ask(key="monday-1") == first
    assert len(campaign.trials) == 1
    attached = campaign.attach({"temperature": 60, "flow": 1}, key="tuesday")
    assert campaign.attach({"temperature": 60, "flow": 1}, key="tuesday") == attached
    with pytest.raises(KeyReusedError, match="tuesday"):
        campaign.attach({"temperature": 61, "flow": 1}, key="tuesday")


# --- definitions ------------------------------------------------------------------------------------------


def test_a_campaign_from_the_arguments_of_a_local_one(process: Any, service: Service) -> None:
    problem = sb.problems.get("snar4d")
    arguments: dict[str, Any] = {
        "space": problem.space, "budget": 5, "cost": problem.cost, "objectives": problem.objectives,
        "seed": 3, "name": "arguments",
    }  # fmt: skip
    campaign, local = service.create(**arguments), sb.Campaign(**arguments)
    assert [campaign.ask() for _ in range(3)] == [local.ask() for _ in range(3)]
    assert load(process, "arguments").settings == local.settings
    assert campaign.settings == local.settings


def test_a_campaign_from_a_text_of_toml(service: Service) -> None:
    text = 'name = "töml"\nbudget = 3\n[[variables]]\nname = "x"\nlow = 0\nhigh = 1\nunit = "°C"\n'
    assert service.create(text).space.variables[0].unit == "°C"
    with pytest.raises(InputError, match=r"line 2, budget: must be at least 1"):
        service.create(text.replace("budget = 3", "budget = 0"))


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"budget": 0}, ("budget",)),
        ({"variables": [{"name": "x", "low": 1}]}, ("variables", 0, "high")),
        ({"variables": [*SPEC["variables"], {"name": "x", "low": 2, "high": 1}]}, ("variables", 2)),
        ({"nonsense": 1}, ("nonsense",)),
        ({"method": "nonsense"}, ("method",)),
        ({"cost": {"kind": "code"}}, ("cost",)),
    ],
)
def test_an_unfit_spec_is_the_same_error_as_here(
    service: Service, change: dict[str, Any], path: tuple[str | int, ...]
) -> None:
    spec = {**SPEC, "name": "unfit", **change}
    with pytest.raises(SpecError) as here:
        from_spec(spec)
    with pytest.raises(SpecError) as there:
        service.create(spec)
    assert there.value.path[: len(path)] == path
    assert (there.value.path, str(there.value)) == (here.value.path, str(here.value))


def test_what_cannot_be_created(service: Service, campaign: RemoteCampaign) -> None:
    with pytest.raises(CampaignExistsError, match=campaign.name):
        service.create({**SPEC, "name": campaign.name})
    space = sb.Space([sb.Variable("x", 0, 1)])
    with pytest.raises(InputError, match=r"leave storage=… out"):
        service.create(space=space, budget=3, storage="memory:")
    with pytest.raises(SpecError, match="code"):
        service.create(space=space, budget=3, cost=lambda A, B: np.ones((len(A), len(B))), name="code")
    for wrong in ({}, {"spec": SPEC, "budget": 3}, {"spec": 5}, {"spec": [SPEC]}):
        with pytest.raises(InputError):
            service.create(**wrong)
    with pytest.raises(InputError, match="cannot be sent as JSON"):
        service.create({**SPEC, "name": "nan", "cost_budget": math.nan})
    assert "code" not in [each["name"] for each in service.campaigns()]


# --- errors -----------------------------------------------------------------------------------------------


def test_an_unknown_campaign(service: Service) -> None:
    with pytest.raises(UnknownCampaignError, match="no campaign 'nowhere'"):
        service.campaign("nowhere")
    for wrong in ("", None, 3):
        with pytest.raises(InputError, match="non-empty text"):
            service.campaign(wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("trial_id", [7, -1, True, "0", 0.0, None, 10**30])
def test_an_unknown_trial(service: Service, trial_id: Any) -> None:
    campaign = service.create({**SPEC, "name": f"unknown {trial_id!r}"})
    with pytest.raises(UnknownTrialError, match="There is no trial"):
        campaign.tell(trial_id, 1.0)
    with pytest.raises(UnknownTrialError, match="There is no trial"):
        campaign.fail(trial_id)
    with pytest.raises(UnknownTrialError, match="There is no trial"):
        campaign.trial(trial_id)


def test_told_twice(campaign: RemoteCampaign) -> None:
    trial = campaign.ask()
    told = campaign.tell(trial.id, 0.31)
    assert campaign.tell(trial.id, 0.31) == told
    with pytest.raises(TrialStateError, match=r"Trial 0 was told 0\.31 already; got 0\.42\. Set replace"):
        campaign.tell(trial.id, 0.42)
    with pytest.raises(TrialStateError, match="it cannot fail now"):
        campaign.fail(trial.id, "late")
    assert campaign.tell(trial.id, 0.42, replace=True).value == 0.42


def test_the_budget_ends(campaign: RemoteCampaign) -> None:
    for _ in range(5):
        campaign.ask()
    campaign.attach({"temperature": 60, "flow": 1})
    assert campaign.finished
    assert campaign.plan() == []
    with pytest.raises(BudgetSpentError, match="All 6 steps are used"):
        campaign.ask()
    with pytest.raises(BudgetSpentError, match="All 6 steps are used"):
        campaign.attach({"temperature": 60, "flow": 1})


@pytest.mark.parametrize(
    "value", [math.nan, math.inf, None, "high", True, {"value": math.nan}, {"other": 1.0}]
)
def test_a_value_that_is_none_changes_nothing(service: Service, value: Any) -> None:
    name = f"values {value}"
    campaign = service.create({**SPEC, "name": name})
    campaign.ask()
    with pytest.raises(InputError):
        campaign.tell(0, value)
    assert campaign.trials[0].state is sb.State.OUTSTANDING


@pytest.mark.parametrize(
    "x",
    [{"temperature": 60}, {"temperature": 600, "flow": 1}, {"temperature": math.nan, "flow": 1}, 5,
     {"temperature": 60, "flow": 1, "more": 2}],
)  # fmt: skip
def test_a_setting_that_is_none(service: Service, x: Any) -> None:
    campaign = service.create({**SPEC, "name": f"setting {x}"})
    with pytest.raises(InputError):
        campaign.attach(x)
    assert campaign.trials == ()


def test_an_objective_that_is_none(campaign: RemoteCampaign) -> None:
    with pytest.raises(InputError, match="There is no objective 'purity'; they are value"):
        campaign.best_by("purity")


def test_reasons_come_back_as_they_were(campaign: RemoteCampaign) -> None:
    campaign.ask()
    assert campaign.fail(0, "pümp <b>stalled</b>\n").reason == "pümp <b>stalled</b>\n"
    assert campaign.trials[0].state is sb.State.FAILED


@pytest.mark.parametrize("token", [None, "wrong-wrong-wrong-wrong"])
def test_a_wrong_token(process: Any, token: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SNAKEBO_TOKEN", raising=False)
    with sb.connect(process.url, token=token) as service:
        with pytest.raises(TokenError) as caught:
            service.campaigns()
        with pytest.raises(TokenError):
            service.create({**SPEC, "name": "mine"})
    assert "wrong-wrong" not in str(caught.value)
    assert isinstance(caught.value, ServiceError)


def test_what_is_shown(process: Any, service: Service, campaign: RemoteCampaign) -> None:
    assert repr(service) == f"<Service {process.url}>"
    assert repr(campaign) == f"<RemoteCampaign 'test_what_is_shown' at {process.url}>"
