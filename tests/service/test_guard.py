"""Who may come in, and the headers that every answer has."""

import logging
from typing import Any

import pytest

import snakebo as sb
from snakebo.storage import MemoryStorage

TOKEN = "correct-horse-battery"


@pytest.fixture
def guarded(connect: Any, storage: MemoryStorage) -> Any:
    """A client without a token of a service that wants one."""
    return connect(storage, token=TOKEN)


# --- token ------------------------------------------------------------------------------------------


def test_everything_but_health_needs_the_token(guarded: Any, spec: dict[str, Any], problem: Any) -> None:
    assert guarded.get("/api/health").status_code == 200
    requests = [
        ("GET", "/api/campaigns"),
        ("POST", "/api/campaigns"),
        ("GET", "/api/campaigns/snar"),
        ("GET", "/api/campaigns/snar/plan"),
        ("GET", "/api/campaigns/snar/trials"),
        ("GET", "/api/campaigns/snar/events"),
        ("GET", "/api/campaigns/snar/figures/path"),
        ("POST", "/api/campaigns/snar/ask"),
        ("POST", "/api/campaigns/snar/attach"),
        ("POST", "/api/campaigns/snar/trials/0/tell"),
        ("POST", "/api/campaigns/snar/trials/0/fail"),
        ("GET", "/api/nothing-here"),
        ("DELETE", "/api/campaigns"),
        ("GET", "/api/health/"),
    ]
    for method, path in requests:
        answer = guarded.send(method, path)
        assert "token is needed" in problem(answer, 401, "token", field="Authorization")
        assert answer.headers["www-authenticate"] == "Bearer"


def test_the_right_token_opens(guarded: Any, spec: dict[str, Any]) -> None:
    for kind in ("Bearer", "bearer"):
        answer = guarded.get("/api/campaigns", headers={"Authorization": f"{kind} {TOKEN}"})
        assert answer.json() == {"campaigns": []}


@pytest.mark.parametrize(
    "given",
    ["", "Bearer", "Bearer ", f"Basic {TOKEN}", TOKEN, f"Bearer {TOKEN}x", f"Bearer {TOKEN[:-1]}", "Bearer é",
     f"Bearer {TOKEN.upper()}", f"Bearer {TOKEN} {TOKEN}"],
)  # fmt: skip
def test_a_wrong_token_does_not(guarded: Any, problem: Any, given: str) -> None:
    answer = guarded.get("/api/campaigns", headers={b"Authorization": given.encode("latin-1")})
    detail = problem(answer, 401, "token")
    assert TOKEN not in detail


def test_a_token_that_comes_twice_or_elsewhere_does_not(guarded: Any, problem: Any) -> None:
    twice = [(b"authorization", b"Bearer wrong"), (b"authorization", f"Bearer {TOKEN}".encode())]
    problem(guarded.send_raw(b"/api/campaigns", headers=twice), 401, "token")
    problem(guarded.get(f"/api/campaigns?token={TOKEN}"), 401, "token")
    problem(guarded.get("/api/campaigns", headers={"Cookie": f"token={TOKEN}"}), 401, "token")


def test_nothing_is_changed_without_the_token(
    guarded: Any, storage: MemoryStorage, spec: dict[str, Any]
) -> None:
    assert guarded.post("/api/campaigns", spec).status_code == 401
    assert storage.names() == ()


def test_with_a_token_any_host_name_will_do(guarded: Any) -> None:
    headers = {"Authorization": f"Bearer {TOKEN}", "Host": "lab.example:8765"}
    assert guarded.get("/api/campaigns", headers=headers).status_code == 200


# --- host and origin --------------------------------------------------------------------------------


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:8765", "127.0.0.1:1", "127.0.0.2", "[::1]:8765"])
def test_names_of_this_machine_will_do(client: Any, host: str) -> None:
    assert client.get("/api/campaigns", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:8765", "localhost.evil.example", "127.0.0.1.evil.example", "", "[::1",
     "evil@localhost.example", "192.168.0.7:8765", "0.0.0.0:8765"],
)  # fmt: skip
def test_a_foreign_name_that_leads_here_is_turned_away(client: Any, problem: Any, host: str) -> None:
    for path in ("/api/campaigns", "/api/health", "/", "/static/plotly.min.js"):
        problem(client.send_raw(path.encode(), headers=[(b"host", host.encode())]), 421, "host", field="Host")


def test_other_machines_are_turned_away_whatever_they_say(client: Any, guarded: Any, problem: Any) -> None:
    for address in ("192.168.0.7", "fe80::1", "::ffff:10.0.0.1"):
        problem(client.send_raw(b"/api/health", client=(address, 1)), 401, "token")
        assert guarded.send_raw(b"/api/health", client=(address, 1)).status_code == 200
    assert client.send_raw(b"/api/health", client=None).status_code == 200  # a socket file has no address


def test_a_host_that_is_missing_or_comes_twice_is_turned_away(client: Any, problem: Any) -> None:
    problem(client.send_raw(b"/api/health", headers=[]), 421, "host")
    problem(client.send_raw(b"/api/health", headers=[(b"host", b"localhost"), (b"host", b"x")]), 421, "host")


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://localhost:3000"},
        {"Origin": "http://localhost:8765.evil.example"},
        {"Origin": "http://[::1"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "cross-site", "Origin": "http://localhost:8765"},
    ],
)
def test_pages_of_other_sites_are_turned_away(
    client: Any, snar: sb.Campaign, problem: Any, headers: dict[str, str]
) -> None:
    answer = client.post("/api/campaigns/snar/ask", headers=headers)
    assert "access-control-allow-origin" not in answer.headers
    problem(answer, 403, "origin")
    problem(client.get("/api/campaigns/snar/plan", headers=headers), 403, "origin")
    assert snar.trials == ()


def test_the_dashboard_and_programs_are_let_in(client: Any, snar: sb.Campaign) -> None:
    for headers in (
        {},
        {"Origin": "http://localhost:8765", "Sec-Fetch-Site": "same-origin"},
        {"Sec-Fetch-Site": "none"},
    ):
        assert client.post("/api/campaigns/snar/ask", headers=headers).status_code == 201


def test_there_is_no_cors(client: Any, problem: Any) -> None:
    asked = {"Access-Control-Request-Method": "POST"}
    answer = client.send("OPTIONS", "/api/campaigns", headers=asked)
    problem(answer, 405, "method")
    assert not [name for name in answer.headers if name.startswith("access-control")]


# --- every answer -----------------------------------------------------------------------------------


def test_every_answer_has_safe_headers(client: Any, guarded: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def fall(*arguments: Any) -> None:
        raise RuntimeError("inside")

    monkeypatch.setattr("snakebo.service.overview.Overview.summaries", fall)
    answers = [
        client.get("/api/health"),
        client.get("/static/plotly.min.js"),
        client.get("/nothing"),
        guarded.get("/api/campaigns"),
        client.get("/api/campaigns"),
    ]
    assert [each.status_code for each in answers] == [200, 200, 404, 401, 500]
    for answer in answers:
        policy = dict(
            part.strip().split(" ", 1) for part in answer.headers["content-security-policy"].split(";")
        )
        assert (policy["default-src"], policy["script-src"]) == ("'none'", "'self'")
        assert policy["frame-ancestors"] == policy["base-uri"] == policy["form-action"] == "'none'"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert "server" not in answer.headers
    assert answers[0].headers["cache-control"] == "no-store"


def test_a_fault_inside_is_logged_and_not_shown(
    client: Any, problem: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fall(*arguments: Any) -> None:
        raise RuntimeError("a secret of the inside")

    monkeypatch.setattr("snakebo.service.overview.Overview.summaries", fall)
    with caplog.at_level(logging.ERROR, "snakebo.service"):
        detail = problem(client.get("/api/campaigns"), 500, "internal")
    assert "secret" not in detail
    assert "a secret of the inside" in caplog.text
    assert "GET /api/campaigns" in caplog.text


def test_the_token_is_never_logged(
    guarded: Any, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fall(*arguments: Any) -> None:
        raise RuntimeError("inside")

    monkeypatch.setattr("snakebo.service.overview.Overview.summaries", fall)
    with caplog.at_level(logging.DEBUG):
        assert guarded.get("/api/campaigns", headers={"Authorization": f"Bearer {TOKEN}"}).status_code == 500
    assert "inside" in caplog.text
    assert TOKEN not in caplog.text
