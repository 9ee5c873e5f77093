"""Bodies: up to a limit, of a known type, in UTF-8."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

import snakebo as sb
from snakebo.service.bodies import LARGEST
from snakebo.storage import MemoryStorage

JSON = {"Content-Type": "application/json"}


async def pieces(size: int) -> AsyncIterator[bytes]:
    """A body that does not say how long it will be."""
    yield b'{"reason": "'
    for _ in range(size // 1000):
        yield b"x" * 1000
    yield b'"}'


def test_a_body_beyond_the_limit_is_refused(client: Any, snar: sb.Campaign, problem: Any) -> None:
    snar.ask()
    for path in ("", "/snar/ask", "/snar/attach", "/snar/trials/0/tell", "/snar/trials/0/fail"):
        url = f"/api/campaigns{path}"
        large = client.post(url, content=b" " * (LARGEST + 1), headers=JSON)
        assert "announced" in problem(large, 413, "too-large")
        assert "more came" in problem(
            client.post(url, content=pieces(2 * LARGEST), headers=JSON), 413, "too-large"
        )
    assert snar.history().seq == 1


def test_a_body_within_the_limit_is_read(client: Any, snar: sb.Campaign, problem: Any) -> None:
    snar.ask()
    url = "/api/campaigns/snar/trials/0/fail"
    problem(client.post(url, content=pieces(LARGEST - 1000), headers=JSON), 422, "input", field="reason")
    assert client.post(url, content=pieces(2000), headers=JSON).status_code == 200


@pytest.mark.parametrize("announced", ["-1", "x", "1e3", "9" * 400, ""])
def test_an_unfit_length_is_refused(client: Any, problem: Any, announced: str) -> None:
    headers = [
        (b"host", b"localhost"),
        (b"content-length", announced.encode()),
        (b"content-type", b"application/json"),
    ]
    answer = client.send_raw(b"/api/campaigns", "POST", headers)
    assert answer.status_code in (400, 413)


@pytest.mark.parametrize(
    "kind", ["", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "json",
             "application/json; charset=latin-1", "application/xml", "application/toml"],
)  # fmt: skip
def test_what_is_no_json_is_refused(client: Any, snar: sb.Campaign, problem: Any, kind: str) -> None:
    snar.ask()
    answer = client.post(
        "/api/campaigns/snar/trials/0/tell", content=b'{"value": 1}', headers={"Content-Type": kind}
    )
    problem(answer, 415, "media-type")
    assert snar.trial(0).state == "outstanding"


@pytest.mark.parametrize(
    "kind", ["application/json; charset=utf-8", "Application/JSON", 'application/json;charset="UTF-8"']
)
def test_json_may_be_spelt_in_several_ways(client: Any, snar: sb.Campaign, kind: str) -> None:
    snar.ask()
    answer = client.post(
        "/api/campaigns/snar/trials/0/tell", content=b'{"value": 1}', headers={"Content-Type": kind}
    )
    assert answer.status_code == 200


def test_a_definition_of_another_type_is_refused(client: Any, problem: Any) -> None:
    answer = client.post(
        "/api/campaigns", content=b"name: snar", headers={"Content-Type": "application/yaml"}
    )
    assert "application/toml" in problem(answer, 415, "media-type")


@pytest.mark.parametrize("kind", ["application/json", "application/toml"])
def test_a_body_that_is_not_utf_8_is_refused(
    client: Any, storage: MemoryStorage, problem: Any, kind: str
) -> None:
    answer = client.post("/api/campaigns", content=b'{"name": "\xff"}', headers={"Content-Type": kind})
    assert "byte 10" in problem(answer, 400, "body")


def test_a_number_of_thousands_of_digits_is_an_answer_not_a_fault(
    client: Any, snar: sb.Campaign, problem: Any
) -> None:
    snar.ask()
    for number in ("9" * 5000, "-" + "9" * 5000, "0." + "1" * 5000 + "e400", "1e" + "9" * 50):
        body = f'{{"value": {number}}}'.encode()
        answer = client.post("/api/campaigns/snar/trials/0/tell", content=body, headers=JSON)
        assert answer.status_code in (400, 422), answer.text
        spec = f'{{"name": "a", "budget": {number}, "variables": []}}'.encode()
        assert client.post("/api/campaigns", content=spec, headers=JSON).status_code in (400, 422)
    assert snar.trial(0).state == "outstanding"
