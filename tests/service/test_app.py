"""The OpenAPI document: it says what the service does, and the service does what it says."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

import snakebo as sb
from snakebo.errors import SpecError
from snakebo.service import create_app
from snakebo.service.limits import check_size
from snakebo.service.schema import requests, responses
from snakebo.service.schema.examples import SPEC
from snakebo.spec import KEYS, from_spec
from snakebo.storage import MemoryStorage

OPERATIONS = {
    ("get", "/api/health"),
    ("get", "/api/campaigns"),
    ("post", "/api/campaigns"),
    ("get", "/api/campaigns/{name}"),
    ("get", "/api/campaigns/{name}/plan"),
    ("get", "/api/campaigns/{name}/trials"),
    ("get", "/api/campaigns/{name}/figures/{figure}"),
    ("get", "/api/campaigns/{name}/events"),
    ("post", "/api/campaigns/{name}/ask"),
    ("post", "/api/campaigns/{name}/attach"),
    ("post", "/api/campaigns/{name}/trials/{trial}/tell"),
    ("post", "/api/campaigns/{name}/trials/{trial}/fail"),
}


@pytest.fixture
def document(client: Any) -> Any:
    return client.get("/openapi.json").json()


def operations(document: Any) -> Iterator[tuple[str, str, Any]]:
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield method, path, operation


def test_every_operation_is_described(document: Any) -> None:
    assert {(method, path) for method, path, _ in operations(document)} == OPERATIONS
    for _, path, operation in operations(document):
        assert operation["summary"], path
        assert operation["description"], path
        for parameter in operation.get("parameters", []):
            assert parameter.get("description"), (path, parameter["name"])


def test_every_problem_is_a_problem_document(document: Any) -> None:
    for method, path, operation in operations(document):
        codes = set(operation["responses"])
        assert {"401", "403", "421", "500", "503"} <= codes, (method, path)
        if method == "post":
            assert {"400", "413", "415", "422"} <= codes, (method, path)
        if "{name}" in path:
            assert {"404", "409"} <= codes, (method, path)
        for code, response in operation["responses"].items():
            if code >= "400":
                assert response["content"] == {
                    "application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}
                }
            elif code != "304":
                assert response["content"], (method, path, code)


def test_every_reference_leads_somewhere(document: Any, client: Any) -> None:
    schemas = document["components"]["schemas"]
    names = set(re.findall(r'"#/components/schemas/(\w+)"', client.get("/openapi.json").text))
    assert names == set(schemas)


def test_examples_are_true_to_their_shapes(document: Any) -> None:
    shapes = {**vars(requests), **vars(responses)}
    for name, shape in document["components"]["schemas"].items():
        for example in shape.get("examples", []):
            shapes[name].model_validate(example)
    bodies = [each["requestBody"] for _, _, each in operations(document) if "requestBody" in each]
    assert len(bodies) == 5
    sb.Campaign(**from_spec(SPEC))


def test_every_key_of_a_definition_is_described() -> None:
    assert set(requests.Definition.model_fields) == set(KEYS)
    for key, most in (("budget", 100_000), ("variables", 30), ("objectives", 10)):
        assert f"{most}" in str(requests.Definition.model_fields[key].metadata)
        check_size({key: most if key == "budget" else [{}] * most})
        with pytest.raises(SpecError):
            check_size({key: most + 1 if key == "budget" else [{}] * (most + 1)})


def test_what_no_storage_is_says_so() -> None:
    with pytest.raises(sb.errors.InputError, match="storage must be"):
        create_app("run.db")
    with pytest.raises(sb.errors.InputError, match="storage must be"):
        create_app(3)  # type: ignore[arg-type]


def test_methods_that_are_not_there_are_named(client: Any, problem: Any) -> None:
    answer = client.send("DELETE", "/api/campaigns/snar")
    assert "DELETE" in problem(answer, 405, "method")
    assert answer.headers["allow"] == "GET"
    assert client.send("DELETE", "/api/campaigns").headers["allow"] == "GET, POST"
    for path in ("/static/index.html", "/openapi.json"):
        assert client.send("POST", path).headers["allow"] == "GET, HEAD"


def test_ten_thousand_trials_are_read_once(
    connect: Any, storage: MemoryStorage, monkeypatch: pytest.MonkeyPatch
) -> None:
    from snakebo.history import History

    campaign = sb.Campaign(
        sb.Space([sb.Variable("a", 0, 1)]), 10_001, "random-tour", storage=storage, name="long"
    )
    record = storage._records["long"]
    for number in range(10_000):
        at = "2025-01-01T00:00:00+00:00"
        record.events.append(("attached", f'{{"id":{number},"x":{{"a":0.5}},"cost":0.0}}', at))
    applied, apply = [], History.apply

    def watch(history: History, event: Any, plan: Any = None) -> None:
        applied.append(event.seq)
        apply(history, event, plan)

    monkeypatch.setattr(History, "apply", watch)
    client = connect(storage)
    assert client.get("/api/campaigns/long").json()["outstanding"] == 10_000
    assert len(applied) == 10_000
    applied.clear()
    campaign.attach({"a": 0.25})
    applied.clear()
    assert client.get("/api/campaigns/long").json()["outstanding"] == 10_001
    assert client.get("/api/campaigns/long").json()["finished"] is True
    assert applied == [10_001]
