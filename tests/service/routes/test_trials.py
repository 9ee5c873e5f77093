"""Trials over HTTP: asked, told, failed, attached, listed; the same key is the same trial."""

import csv
import io
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import snakebo as sb
from snakebo.errors import BudgetSpentError
from snakebo.storage import MemoryStorage

ASK, ATTACH, TRIALS = (f"/api/campaigns/snar/{each}" for each in ("ask", "attach", "trials"))
HERE = {"temperature": 60.0, "equivalents": 2.0}


def keyed(key: str) -> dict[str, str]:
    return {"Idempotency-Key": key}


# --- ask --------------------------------------------------------------------------------------------


def test_an_ask_is_an_outstanding_trial(client: Any, snar: sb.Campaign) -> None:
    answer = client.post(ASK)
    assert answer.status_code == 201
    found, trial = answer.json(), snar.trial(0)
    assert trial.asked_at is not None
    assert found == {
        "id": 0, "x": trial.x, "state": "outstanding", "value": None, "values": {}, "cost": trial.cost,
        "attached": False, "reason": None, "asked_at": trial.asked_at.isoformat(), "done_at": None,
        "planned_cost": trial.cost,
    }  # fmt: skip
    assert found["asked_at"].endswith("+00:00")


@pytest.mark.parametrize("body", [b"", b"{}"])
def test_an_ask_needs_no_body(client: Any, snar: sb.Campaign, body: bytes) -> None:
    assert client.post(ASK, content=body, headers={"Content-Type": "application/json"}).status_code == 201


def test_an_ask_with_a_body_that_says_something_is_refused(
    client: Any, snar: sb.Campaign, problem: Any
) -> None:
    problem(client.post(ASK, {"n": 5}), 422, "input", field="n")
    assert snar.trials == ()


def test_the_end_of_the_budget_is_a_conflict(client: Any, snar: sb.Campaign, problem: Any) -> None:
    for _ in range(12):
        client.post(ASK)
    assert "All 12 steps" in problem(client.post(ASK), 409, "budget-spent")
    assert "All 12 steps" in problem(client.post(ATTACH, {"x": HERE}), 409, "budget-spent")
    assert client.get("/api/campaigns/snar").json()["finished"] is True


# --- the same key -----------------------------------------------------------------------------------


def test_the_same_key_gives_the_same_trial(client: Any, snar: sb.Campaign) -> None:
    first = client.post(ASK, headers=keyed("a"))
    again = client.post(ASK, headers=keyed("a"))
    other = client.post(ASK, headers=keyed("b"))
    assert (first.status_code, again.status_code, other.status_code) == (201, 200, 201)
    assert first.json() == again.json()
    assert other.json()["id"] == 1
    snar.tell(0, 0.5)
    assert client.post(ASK, headers=keyed("a")).json()["state"] == "told"
    assert len(snar.trials) == 2


def test_a_repeated_ask_does_not_wait_for_a_plan(
    client: Any, snar: sb.Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    planning, go_on = threading.Event(), threading.Event()

    def plan(*arguments: Any) -> Any:
        planning.set()
        assert go_on.wait(60)
        raise BudgetSpentError("enough")

    first = client.post(ASK, headers=keyed("a")).json()
    client.post(f"{TRIALS}/0/tell", {"value": 1})
    monkeypatch.setattr("snakebo.methods.random_tour.RandomTour.plan", plan)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(client.post, ASK)
        assert planning.wait(60)
        assert client.post(ASK, headers=keyed("a")).json()["id"] == first["id"]
        go_on.set()
        assert waiting.result().status_code == 409


def test_a_key_is_good_beyond_the_budget(client: Any, snar: sb.Campaign) -> None:
    for number in range(12):
        client.post(ASK, headers=keyed(str(number)))
    assert client.post(ASK, headers=keyed("11")).json()["id"] == 11


def test_a_key_survives_restarts_and_is_known_to_other_services(
    connect: Any, tmp_path: Path, spec: dict[str, Any]
) -> None:
    url = f"sqlite:///{tmp_path / 'run.db'}"
    first, second = connect(url), connect(url)
    first.post("/api/campaigns", spec)
    trial = first.post(ASK, headers=keyed("k")).json()
    assert second.post(ASK, headers=keyed("k")).json() == trial
    third = connect(url)
    assert third.post(ASK, headers=keyed("k")).json() == trial
    attached = third.post(ATTACH, {"x": HERE}, headers=keyed("mine"))
    repeated = first.post(ATTACH, {"x": HERE}, headers=keyed("mine"))
    assert (attached.status_code, repeated.status_code) == (201, 200)
    assert attached.json() == repeated.json()
    assert len(sb.Campaign.load(url, "snar").trials) == 2


def test_the_same_key_at_the_same_time_is_one_trial(
    connect: Any, tmp_path: Path, spec: dict[str, Any]
) -> None:
    url = f"sqlite:///{tmp_path / 'run.db'}"
    services = [connect(url), connect(url)]
    services[0].post("/api/campaigns", spec)
    with ThreadPoolExecutor(8) as pool:
        jobs = [pool.submit(services[n % 2].post, ASK, headers=keyed(f"k{n // 8}")) for n in range(24)]
        ids = [job.result().json()["id"] for job in jobs]
    assert [len(set(ids[8 * group : 8 * group + 8])) for group in range(3)] == [1, 1, 1]
    assert sorted(set(ids)) == [0, 1, 2]


def test_two_services_hand_out_no_trial_twice(connect: Any, tmp_path: Path, spec: dict[str, Any]) -> None:
    url = f"sqlite:///{tmp_path / 'run.db'}"
    services = [connect(url), connect(url)]
    services[0].post("/api/campaigns", spec)
    with ThreadPoolExecutor(6) as pool:
        jobs = [pool.submit(services[n % 2].post, ASK) for n in range(12)]
        assert sorted(job.result().json()["id"] for job in jobs) == list(range(12))


def test_a_key_stands_for_one_request(client: Any, snar: sb.Campaign, problem: Any) -> None:
    client.post(ASK, headers=keyed("k"))
    answer = client.post(ATTACH, {"x": HERE}, headers=keyed("k"))
    assert "trial 0 was asked" in problem(answer, 422, "key-reused", field="Idempotency-Key")
    client.post(ATTACH, {"x": HERE}, headers=keyed("mine"))
    problem(client.post(ATTACH, {"x": {**HERE, "equivalents": 3}}, headers=keyed("mine")), 422, "key-reused")
    problem(client.post(ASK, headers=keyed("mine")), 422, "key-reused")
    assert len(snar.trials) == 2


def test_an_attached_point_is_known_again_after_it_was_corrected(client: Any, snar: sb.Campaign) -> None:
    client.post(ATTACH, {"x": HERE}, headers=keyed("mine"))
    snar.tell(0, 0.5, x={**HERE, "temperature": 61})
    again = client.post(ATTACH, {"x": HERE}, headers=keyed("mine"))
    assert (again.status_code, again.json()["x"]["temperature"]) == (200, 61)


@pytest.mark.parametrize("key", [b"", b" ", b"two words", b"x" * 201, "é".encode(), b"\xff"])
def test_unfit_keys_are_refused(client: Any, snar: sb.Campaign, problem: Any, key: bytes) -> None:
    answer = client.post(ASK, headers={b"Idempotency-Key": key})
    problem(answer, 422, "input", field="Idempotency-Key")
    assert snar.trials == ()


# --- tell -------------------------------------------------------------------------------------------


def test_a_result_is_told(client: Any, snar: sb.Campaign) -> None:
    snar.ask()
    answer = client.post(f"{TRIALS}/0/tell", {"value": 0.73})
    assert answer.status_code == 200
    found = answer.json()
    assert (found["state"], found["value"], found["values"]) == ("told", 0.73, {"yield": 0.73})
    assert found["done_at"] is not None
    assert snar.trial(0).value == 0.73
    assert client.post(f"{TRIALS}/0/tell", {"values": {"yield": 0.73}}).json() == found  # the same again


def test_another_result_needs_replace(client: Any, snar: sb.Campaign, problem: Any) -> None:
    snar.tell(snar.ask().id, 0.3)
    assert "already" in problem(client.post(f"{TRIALS}/0/tell", {"value": 0.4}), 409, "trial-state")
    assert client.post(f"{TRIALS}/0/tell", {"value": 0.4, "replace": True}).json()["value"] == 0.4


def test_what_was_really_done_can_be_told(client: Any, snar: sb.Campaign) -> None:
    snar.ask()
    found = client.post(f"{TRIALS}/0/tell", {"value": 1, "x": HERE}).json()
    assert found["x"] == HERE
    assert snar.trial(0).x == HERE


def test_several_objectives_are_told_by_name(
    client: Any, storage: MemoryStorage, spec: dict[str, Any], problem: Any
) -> None:
    client.post(
        "/api/campaigns", {**spec, "objectives": [{"name": "a"}, {"name": "b", "direction": "minimize"}]}
    )
    client.post(ASK)
    problem(client.post(f"{TRIALS}/0/tell", {"value": 1}), 422, "input", field="value")
    problem(client.post(f"{TRIALS}/0/tell", {"values": {"a": 1}}), 422, "input", field="values")
    found = client.post(f"{TRIALS}/0/tell", {"values": {"a": 1, "b": 2}}).json()
    assert (found["value"], found["values"]) == (None, {"a": 1, "b": 2})
    client.post(ASK)
    client.post(f"{TRIALS}/1/tell", {"values": {"a": 0, "b": -1}})
    best = client.get("/api/campaigns/snar").json()["best_by"]
    assert {name: trial["id"] for name, trial in best.items()} == {"a": 0, "b": 1}


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ('{"value": "0.7"}', "value"),
        ('{"value": true}', "value"),
        ('{"value": null}', "value"),
        ('{"value": NaN}', "value"),
        ('{"value": 1e999}', "value"),
        ('{"value": 1e200}', "value"),
        ('{"value": [1]}', "value"),
        ('{"value": 1, "values": {"yield": 1}}', "value"),
        ("{}", "value"),
        ('{"values": {"purity": 1}}', "values"),
        ('{"values": {}}', "values"),
        ('{"values": {"yield": "1"}}', "values.yield"),
        ('{"values": 1}', "values"),
        ('{"value": 1, "x": {"temperature": 60}}', "x"),
        ('{"value": 1, "x": {"temperature": 500, "equivalents": 2}}', "x"),
        ('{"value": 1, "x": {"temperature": "60", "equivalents": 2}}', "x.temperature"),
        ('{"value": 1, "replace": "yes"}', "replace"),
        ('{"value": 1, "valeu": 2}', "valeu"),
        ("[]", None),
        ("0.7", None),
    ],
)
def test_an_unusable_result_names_its_field(
    client: Any, snar: sb.Campaign, problem: Any, body: str, field: str | None
) -> None:
    snar.ask()
    answer = client.post(
        f"{TRIALS}/0/tell", content=body.encode(), headers={"Content-Type": "application/json"}
    )
    problem(answer, 422, "input", field=field)
    assert [trial.state for trial in snar.trials] == ["outstanding"]


@pytest.mark.parametrize("number", ["0", "7", "-1", "1.0", "x", "9" * 30, "%30x", "1e3"])
@pytest.mark.parametrize("what", ["tell", "fail"])
def test_an_unknown_trial_is_not_found(
    client: Any, snar: sb.Campaign, problem: Any, number: str, what: str
) -> None:
    answer = client.post(f"{TRIALS}/{number}/{what}", {"value": 1} if what == "tell" else {"reason": "x"})
    assert answer.status_code == 404
    assert answer.json()["type"] in ("urn:snakebo:unknown-trial", "urn:snakebo:not-found")


# --- fail and attach --------------------------------------------------------------------------------


def test_a_trial_fails(client: Any, snar: sb.Campaign, problem: Any) -> None:
    snar.ask()
    snar.ask()
    found = client.post(f"{TRIALS}/0/fail", {"reason": "pump stalled"}).json()
    assert (found["state"], found["reason"], found["value"]) == ("failed", "pump stalled", None)
    assert client.post(f"{TRIALS}/0/fail", {"reason": "pump stalled"}).json() == found
    assert client.post(f"{TRIALS}/1/fail").json()["reason"] is None
    problem(client.post(f"{TRIALS}/0/tell", {"value": 1}), 409, "trial-state")
    problem(client.post(f"{TRIALS}/0/fail", {"reason": 7}), 422, "input", field="reason")
    problem(client.post(f"{TRIALS}/0/fail", {"reason": "x" * 2001}), 422, "input", field="reason")


def test_a_point_is_attached(client: Any, snar: sb.Campaign, problem: Any) -> None:
    answer = client.post(ATTACH, {"x": HERE})
    assert (answer.status_code, answer.json()["attached"], answer.json()["x"]) == (201, True, HERE)
    assert snar.position == HERE
    for x in ({}, {"temperature": 60}, {**HERE, "temperature": 1}, {**HERE, "pressure": 1}):
        problem(client.post(ATTACH, {"x": x}), 422, "input", field="x")
    problem(client.post(ATTACH, {}), 422, "input", field="x")
    assert len(snar.trials) == 1


# --- list -------------------------------------------------------------------------------------------


def test_trials_are_listed(client: Any, snar: sb.Campaign, problem: Any) -> None:
    for _ in range(4):
        snar.ask()
    snar.tell(1, 0.5)
    snar.fail(2, "no")

    def ids(query: str = "") -> list[int]:
        return [each["id"] for each in client.get(f"{TRIALS}{query}").json()["trials"]]

    assert ids() == [0, 1, 2, 3]
    assert ids("?state=outstanding") == [0, 3]
    assert ids("?state=outstanding&after=0") == [3]
    assert ids("?after=1&limit=1") == [2]
    assert ids("?after=99") == []
    for query, field in (
        ("state=lost", "state"),
        ("after=x", "after"),
        ("limit=0", "limit"),
        ("format=xml", "format"),
    ):
        problem(client.get(f"{TRIALS}?{query}"), 422, "input", field=field)


def test_trials_can_be_saved_as_csv(client: Any, snar: sb.Campaign) -> None:
    snar.tell(snar.ask().id, 0.1 + 0.2)
    snar.ask()
    answer = client.get(f"{TRIALS}?format=csv")
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert (
        answer.headers["content-disposition"]
        == "attachment; filename=\"trials.csv\"; filename*=UTF-8''snar.csv"
    )
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    assert [row["state"] for row in rows] == ["told", "outstanding"]
    assert float(rows[0]["yield"]) == 0.1 + 0.2
    assert len(client.get(f"{TRIALS}?format=csv&state=told").text.splitlines()) == 2


def test_no_text_from_outside_is_a_formula(client: Any, storage: MemoryStorage, spec: dict[str, Any]) -> None:
    spec["variables"][1]["name"] = "=cmd|' /C calc'!A0"
    client.post("/api/campaigns", {**spec, "name": 'a"; filename=b.exe'})
    campaign = sb.Campaign.load(storage, 'a"; filename=b.exe')
    for reason in ("=1+1", "@SUM(A1)", "-2", "fine"):
        campaign.fail(campaign.ask().id, reason)
    answer = client.get("/api/campaigns/a%22%3B%20filename%3Db.exe/trials?format=csv")
    assert answer.headers["content-disposition"].endswith("''a%22%3B%20filename%3Db.exe.csv")
    head, *rows = csv.reader(io.StringIO(answer.text))
    assert head[3] == "'=cmd|' /C calc'!A0"
    assert [row[-1] for row in rows] == ["'=1+1", "'@SUM(A1)", "'-2", "fine"]
