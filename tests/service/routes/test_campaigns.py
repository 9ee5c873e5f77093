"""Campaigns over HTTP: created from JSON and TOML, listed, read, planned."""

import json
from collections.abc import Callable
from typing import Any

import pytest

import snakebo as sb
from snakebo import __version__
from snakebo.storage import MemoryStorage
from snakebo.toml_spec import EXAMPLES

TOML = {"Content-Type": "application/toml"}
JSON = {"Content-Type": "application/json"}


def test_health_says_the_version(client: Any) -> None:
    assert client.get("/api/health").json() == {"status": "ok", "version": __version__}


# --- create -----------------------------------------------------------------------------------------


def test_a_campaign_is_created_from_its_definition(
    client: Any, storage: MemoryStorage, spec: dict[str, Any]
) -> None:
    answer = client.post("/api/campaigns", {**spec, "seed": 3, "cost_budget": 7.5})
    assert answer.status_code == 201
    assert answer.headers["location"] == "/api/campaigns/snar"
    found = answer.json()
    assert {key: found[key] for key in ("name", "method", "seed", "budget", "steps", "steps_left")} == {
        "name": "snar", "method": "random-tour", "seed": 3, "budget": 12, "steps": 0, "steps_left": 12,
    }  # fmt: skip
    assert (found["told"], found["failed"], found["outstanding"], found["spent"]) == (0, 0, 0, 0)
    assert (found["cost_budget"], found["cost_left"], found["finished"]) == (7.5, 7.5, False)
    assert (found["best"], found["position"], found["seq"]) == (None, None, 0)
    assert (found["outstanding_trials"], found["best_by"]) == ([], {})
    assert found["objectives"] == [{"name": "yield", "direction": "maximize"}]
    assert found["variables"][0] == {
        "name": "temperature", "low": 40, "high": 120, "unit": "°C", "free": False, "step": None,
    }  # fmt: skip
    assert found["spec"]["variables"][1]["free"] is True
    assert {each["name"] for each in found["figures"]} >= {"path", "best_against_cost"}
    assert all(each["title"] and each["caption"] for each in found["figures"])
    assert client.get("/api/campaigns/snar").json() == found
    assert sb.Campaign.load(storage, "snar").settings.cost_budget == 7.5


def test_the_least_is_a_name_a_budget_and_a_variable(client: Any) -> None:
    least = {"name": "m", "budget": 1, "variables": [{"name": "x", "low": 0, "high": 1}]}
    found = client.post("/api/campaigns", least).json()
    assert found["objectives"] == [{"name": "value", "direction": "maximize"}]
    assert found["spec"]["cost"] == {"kind": "euclidean"}


@pytest.mark.parametrize("name", list(EXAMPLES))
def test_every_example_of_a_spec_can_be_pasted(client: Any, name: str) -> None:
    answer = client.post("/api/campaigns", content=EXAMPLES[name].encode(), headers=TOML)
    assert answer.status_code == 201, answer.json()
    assert answer.json()["name"] == name


def test_what_was_read_can_be_posted_again(client: Any) -> None:
    text = EXAMPLES["boat"].encode()
    spec = client.post("/api/campaigns", content=text, headers=TOML).json()["spec"]
    again = client.post("/api/campaigns", {**spec, "name": "again"}).json()["spec"]
    assert again == {**spec, "name": "again"}


def test_a_taken_name_is_a_conflict(
    client: Any, snar: sb.Campaign, spec: dict[str, Any], problem: Any
) -> None:
    assert "snar" in problem(client.post("/api/campaigns", spec), 409, "campaign-exists")


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"budget": 0}, ["budget"]),
        ({"budget": "12"}, ["budget"]),
        ({"bugdet": 12}, ["bugdet"]),
        ({"name": ""}, ["name"]),
        ({"name": ".."}, ["name"]),
        ({"variables": [{"name": "t", "low": 5, "high": "hot"}]}, ["variables", 0, "high"]),
        ({"variables": [{"name": "t", "low": 5, "high": 1}]}, ["variables", 0]),
        ({"objectives": [{"name": "yield", "direction": "up"}]}, ["objectives", 0, "direction"]),
        ({"method": "snale"}, ["method"]),
        ({"cost": {"kind": "code", "what": "function"}}, ["cost"]),
        ({"start": {"temperature": 500, "equivalents": 1}}, ["start"]),
    ],
)
def test_a_definition_at_fault_is_answered_with_the_place(
    client: Any, storage: MemoryStorage, spec: dict[str, Any], problem: Any, change: Any, path: list[Any]
) -> None:
    problem(client.post("/api/campaigns", {**spec, **change}), 422, "spec", path=path)
    assert storage.names() == ()


def test_a_name_that_cannot_be_stored_is_refused(client: Any, spec: dict[str, Any], problem: Any) -> None:
    for name, why in {"a\nb": "printable", "a ": "no space"}.items():
        assert why in problem(client.post("/api/campaigns", {**spec, "name": name}), 422, "input")


def test_a_fault_in_toml_has_its_line_and_its_path(client: Any, problem: Any) -> None:
    text = EXAMPLES["minimal"].replace("high = 80", 'high = "hot"').encode()
    answer = client.post("/api/campaigns", content=text, headers=TOML)
    assert "line 8" in problem(answer, 422, "input", path=["variables", 0, "high"], field="variables[0].high")
    answer = client.post("/api/campaigns", content=b"name = ", headers=TOML)
    assert "this is not TOML" in problem(answer, 422, "input")
    assert "describes nothing" in problem(
        client.post("/api/campaigns", content=b"", headers=TOML), 422, "input"
    )


@pytest.mark.parametrize(
    "body", ["", "{", "[1, 2", '{"a": 1} x', "\ufeff", '"\\ud800"', "[" * 10_000, "{'a': 1}"]
)
def test_what_is_no_json_is_a_bad_request(client: Any, problem: Any, body: str) -> None:
    problem(client.post("/api/campaigns", content=body.encode(), headers=JSON), 400, "body")


@pytest.mark.parametrize("body", ["[]", "1", "null", '"snar"', "true", "1e999"])
def test_json_of_another_form_is_refused(client: Any, problem: Any, body: str) -> None:
    problem(client.post("/api/campaigns", content=body.encode(), headers=JSON), 422, "spec", path=[])


def test_a_definition_cannot_name_files(client: Any, spec: dict[str, Any], problem: Any) -> None:
    for part in ({"kind": "polygon", "file": "/etc/passwd"}, {"kind": "candidates", "points": "/etc/passwd"}):
        detail = problem(client.post("/api/campaigns", {**spec, "region": part}), 422, "spec")
        assert "root:" not in detail


# --- read -------------------------------------------------------------------------------------------


def test_names_are_percent_encoded(client: Any, spec: dict[str, Any]) -> None:
    name = "a/b <c> %2F é°?#"
    location = client.post("/api/campaigns", {**spec, "name": name}).headers["location"]
    assert location == "/api/campaigns/a%2Fb%20%3Cc%3E%20%252F%20%C3%A9%C2%B0%3F%23"
    assert client.get(location).json()["name"] == name
    assert client.post(f"{location}/ask").status_code == 201
    assert client.post(f"{location}/trials/0/tell", {"value": 1}).json()["value"] == 1


@pytest.mark.parametrize(
    "name", ["nope", "%00", "%FF", "%ED%A0%80", "%", "a%2Fb", "..%2F..", "x" * 5000, "%0A"]
)
@pytest.mark.parametrize("what", ["", "/plan", "/trials", "/events", "/figures/path"])
def test_an_unknown_campaign_is_not_found(client: Any, problem: Any, name: str, what: str) -> None:
    answer = client.get(f"/api/campaigns/{name}{what}")
    assert answer.status_code == 404
    assert answer.json()["type"] in ("urn:snakebo:unknown-campaign", "urn:snakebo:not-found")


def test_a_campaign_shows_what_others_have_done(client: Any, snar: sb.Campaign) -> None:
    first, second, third = snar.ask(), snar.ask(), snar.ask()
    snar.tell(second.id, 0.7)
    snar.tell(first.id, 0.3)
    snar.fail(third.id, "pump stalled")
    snar.attach({"temperature": 60, "equivalents": 2})
    found = client.get("/api/campaigns/snar").json()
    assert (found["steps"], found["told"], found["failed"], found["outstanding"]) == (4, 2, 1, 1)
    assert found["best"]["id"] == found["best_by"]["yield"]["id"] == second.id
    assert found["best"]["value"] == 0.7
    assert found["position"] == {"temperature": 60, "equivalents": 2}
    assert [each["id"] for each in found["outstanding_trials"]] == [3]
    assert found["outstanding_trials"][0]["attached"] is True
    assert found["spent"] == snar.spent
    assert found["seq"] == 7


def test_reading_never_plans(client: Any, snar: sb.Campaign, monkeypatch: pytest.MonkeyPatch) -> None:
    snar.tell(snar.ask().id, 0.3)

    def plan(*arguments: Any) -> None:
        raise AssertionError("a plan was made")

    monkeypatch.setattr("snakebo.methods.random_tour.RandomTour.plan", plan)
    for path in ("", "/snar", "/snar/trials", "/snar/trials?format=csv"):
        assert client.get(f"/api/campaigns{path}").status_code == 200
    assert client.get("/api/campaigns/snar/plan").status_code == 500


def test_all_campaigns_are_listed_oldest_first(
    client: Any, storage: MemoryStorage, snar: sb.Campaign, spec: dict[str, Any]
) -> None:
    client.post("/api/campaigns", {**spec, "name": "second"})
    sb.Campaign(snar.space, 3, cost=lambda A, B: A @ B.T * 0, storage=storage, name="needs code")
    snar.tell(snar.ask().id, 0.5)
    first, second, third = client.get("/api/campaigns").json()["campaigns"]
    assert (first["name"], second["name"], third["name"]) == ("snar", "second", "needs code")
    assert (first["told"], first["best"]["value"], second["told"]) == (1, 0.5, 0)
    assert set(third) == {"name", "error"}
    assert "code" in third["error"]


def test_a_campaign_that_needs_code_is_a_conflict(client: Any, storage: MemoryStorage, problem: Any) -> None:
    sb.Campaign(
        sb.Space([sb.Variable("x", 0, 1)]), 3, cost=lambda A, B: A @ B.T * 0, storage=storage, name="c"
    )
    for path in ("", "/plan", "/trials"):
        assert "is code" in problem(client.get(f"/api/campaigns/c{path}"), 409, "needs-code")
    problem(client.post("/api/campaigns/c/ask"), 409, "needs-code")


# --- plan -------------------------------------------------------------------------------------------


def test_the_plan_has_the_cost_of_each_leg(client: Any, snar: sb.Campaign) -> None:
    trial = snar.ask()
    found = client.get("/api/campaigns/snar/plan").json()
    assert found["seq"] == 1
    assert found["position"] == trial.x
    assert [each["x"] for each in found["points"]] == snar.plan()
    costs = [each["cost"] for each in found["points"]]
    assert found["cost"] == pytest.approx(sum(costs))
    for cost in costs:
        assert snar.ask().cost == pytest.approx(cost)
    assert client.get("/api/campaigns/snar/plan").json()["points"] == []
    assert client.get("/api/campaigns/snar").json()["finished"] is True


def test_the_plan_before_the_first_ask_starts_nowhere(client: Any, snar: sb.Campaign) -> None:
    found = client.get("/api/campaigns/snar/plan").json()
    assert (found["position"], found["previous"], len(found["points"])) == (None, None, 12)
    assert found["points"][0]["cost"] == 0
    assert snar.ask().x == found["points"][0]["x"]


@pytest.fixture
def turning(connect: Callable[..., Any], storage: MemoryStorage, spec: dict[str, Any]) -> Any:
    """A client of a service with a campaign whose plans change with the results."""
    client = connect(storage)
    client.post("/api/campaigns", {**spec, "method": "snake", "budget": 8})
    return client


def test_what_the_plan_before_had_ahead_is_shown(turning: Any, storage: MemoryStorage, connect: Any) -> None:
    def read(client: Any = turning) -> Any:
        return client.get("/api/campaigns/snar/plan").json()

    trial = turning.post("/api/campaigns/snar/ask").json()
    before = [each["x"] for each in read()["points"]]
    turning.post(f"/api/campaigns/snar/trials/{trial['id']}/tell", {"value": 1.0})
    news = read()  # a new plan, not asked from yet
    assert news["previous"] == {"seq": 1, "points": [{"x": x} for x in before]}
    assert [each["x"] for each in news["points"]] != before
    asked = turning.post("/api/campaigns/snar/ask").json()
    assert asked["x"] == news["points"][0]["x"]
    kept = read()
    assert kept["previous"] == news["previous"]
    turning.post("/api/campaigns/snar/ask")
    assert read()["previous"] == news["previous"]
    again = read(connect(storage))  # another service, or this one after a crash
    assert again == read()


def test_a_cost_budget_that_is_used_up_shows_as_finished(
    client: Any, spec: dict[str, Any], problem: Any
) -> None:
    client.post(
        "/api/campaigns", {**spec, "cost_budget": 1e-6, "start": {"temperature": 40, "equivalents": 1}}
    )
    assert client.get("/api/campaigns/snar").json()["finished"] is False
    assert "within reach" in problem(client.post("/api/campaigns/snar/ask"), 409, "budget-spent")
    assert client.get("/api/campaigns/snar").json()["finished"] is True
    assert client.get("/api/campaigns").json()["campaigns"][0]["finished"] is True
    assert client.get("/api/campaigns/snar/plan").json()["points"] == []


def test_documents_have_no_numbers_that_json_lacks(client: Any, snar: sb.Campaign) -> None:
    def refuse(text: str) -> None:
        raise AssertionError(text)

    snar.tell(snar.ask().id, 0.5)
    for path in ("", "/snar", "/snar/trials", "/snar/plan", "/snar/figures/slices"):
        json.loads(client.get(f"/api/campaigns{path}").content, parse_constant=refuse)
