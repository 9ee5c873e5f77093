"""Requests to services that are away, slow, confused or something else: what is repeated, and what is not."""

import logging
import socket
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

import snakebo as sb
from snakebo.client import RemoteCampaign, ServiceError, ServiceUnavailableError, TokenError, transport
from snakebo.errors import BudgetSpentError, StorageFormatError

CAMPAIGN = {
    "name": "c",
    "spec": {"name": "c", "budget": 3, "variables": [{"name": "x", "low": 0, "high": 1}]},
    "budget": 3,
    "objectives": [{"name": "value", "direction": "maximize"}],
}
TRIAL = {
    "id": 0,
    "x": {"x": 0.5},
    "state": "outstanding",
    "value": None,
    "values": {},
    "cost": 0.0,
    "attached": False,
    "reason": None,
    "asked_at": "2025-03-01T09:30:00+00:00",
    "done_at": None,
}
FOUND, ASKED = (200, CAMPAIGN), (201, TRIAL)
BUSY = (503, {"type": "urn:snakebo:storage-busy", "status": 503, "detail": "The storage is locked."})
HUSH = "hush-hush-hush-hush"

Script = Callable[..., Any]


@pytest.fixture(autouse=True)
def _in_a_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "_FIRST_PAUSE_S", 0.01)
    monkeypatch.delenv("SNAKEBO_TOKEN", raising=False)


def campaign_of(listener: Any, **settings: Any) -> RemoteCampaign:
    return sb.connect(listener.url, **settings).campaign("c")


def keys_of(listener: Any) -> list[str]:
    return [seen.headers["idempotency-key"] for seen in listener.seen if seen.path.endswith("/ask")]


# --- what is repeated -------------------------------------------------------------------------------------


@pytest.mark.parametrize("trouble", [None, BUSY, (502, b"<html>"), (504, b""), (503, [])])
def test_an_ask_is_repeated_with_its_key(scripted: Script, trouble: Any) -> None:
    listener = scripted(FOUND, trouble, trouble, ASKED)
    assert campaign_of(listener).ask().id == 0
    keys = keys_of(listener)
    assert len(keys) == 3
    assert len(set(keys)) == 1


def test_every_ask_has_a_key_of_its_own_unless_one_is_given(scripted: Script) -> None:
    listener = scripted(FOUND, ASKED)
    campaign = campaign_of(listener)
    campaign.ask()
    campaign.ask()
    campaign.ask(key="mine")
    first, second, third = keys_of(listener)
    assert first != second
    assert third == "mine"


@pytest.mark.parametrize("key", ["", "a b", "ü", "x" * 201, "a\nb"])
def test_a_key_that_no_header_can_hold(scripted: Script, key: str) -> None:
    campaign = campaign_of(scripted(FOUND, ASKED))
    with pytest.raises(sb.errors.InputError, match="A key must be"):
        campaign.ask(key)


def test_an_attach_is_repeated_with_its_key(scripted: Script) -> None:
    listener = scripted(FOUND, None, ASKED)
    campaign_of(listener).attach({"x": 0.5})
    first, second = (seen for seen in listener.seen if seen.path.endswith("/attach"))
    assert first.headers["idempotency-key"] == second.headers["idempotency-key"]
    assert first.body == second.body


def test_an_answer_that_takes_too_long_is_asked_for_again(scripted: Script) -> None:
    listener, slow = scripted(FOUND, ASKED), threading.Event()
    quick = listener.answer
    campaign = campaign_of(listener, timeout=0.2)

    def slow_once(seen: Any) -> Any:
        if not slow.is_set():
            slow.set()
            time.sleep(0.6)
        return quick(seen)

    listener.answer = slow_once
    assert campaign.ask().id == 0
    keys = keys_of(listener)
    assert len(keys) > 1
    assert len(set(keys)) == 1


def test_patience_ends_and_the_next_ask_is_the_same_one(scripted: Script) -> None:
    listener = scripted(FOUND, BUSY)
    campaign = campaign_of(listener, patience=0.1)
    with pytest.raises(ServiceUnavailableError, match=r"No answer .*, for 0\.1 s: The storage is locked\."):
        campaign.ask()
    listener.answer = lambda _: ASKED
    assert campaign.ask().id == 0
    assert len(set(keys_of(listener))) == 1
    campaign.ask()
    assert len(set(keys_of(listener))) == 2


def test_an_unanswered_ask_that_was_told_meanwhile_is_not_handed_out(scripted: Script) -> None:
    told = (200, {**TRIAL, "state": "told", "values": {"value": 1.0}})
    listener = scripted(FOUND, BUSY)
    campaign = campaign_of(listener, patience=0.05)
    with pytest.raises(ServiceUnavailableError):
        campaign.ask()
    answers = [told, (201, {**TRIAL, "id": 1})]
    listener.answer = lambda _: answers.pop(0)
    assert campaign.ask().id == 1
    assert len(set(keys_of(listener))) == 2


def test_a_fault_inside_the_service_is_told_at_once_and_the_key_is_kept(scripted: Script) -> None:
    fault = (500, {"type": "urn:snakebo:internal", "status": 500, "detail": "Something went wrong inside."})
    listener = scripted(FOUND, fault, ASKED)
    campaign = campaign_of(listener)
    with pytest.raises(ServiceError, match="Something went wrong inside"):
        campaign.ask()
    campaign.ask()
    first, second = keys_of(listener)
    assert first == second


# --- what is not ------------------------------------------------------------------------------------------


def test_an_answer_of_the_campaign_is_final(scripted: Script) -> None:
    spent = (409, {"type": "urn:snakebo:budget-spent", "status": 409, "detail": "All 3 steps are used."})
    listener = scripted(FOUND, spent, ASKED)
    campaign = campaign_of(listener)
    with pytest.raises(BudgetSpentError, match="All 3 steps are used"):
        campaign.ask()
    campaign.ask()
    first, second = keys_of(listener)
    assert first != second


def test_a_damaged_storage_is_not_waited_for(scripted: Script) -> None:
    damaged = (503, {"type": "urn:snakebo:storage-format", "status": 503, "detail": "The spec is damaged."})
    listener = scripted(FOUND, damaged)
    with pytest.raises(StorageFormatError, match="The spec is damaged"):
        campaign_of(listener).ask()
    assert len(keys_of(listener)) == 1


@pytest.mark.parametrize("reply", [(200, b"<html>Welcome</html>"), (200, []), (404, b"no"), (200, b"{")])
def test_something_that_is_no_service(scripted: Script, reply: Any) -> None:
    listener = scripted(FOUND, reply)
    with pytest.raises(ServiceError, match=r"Is http://\S+ the address of a snakebo service\?"):
        campaign_of(listener).ask()
    assert len(keys_of(listener)) == 1


def test_another_service_is_noticed_at_once(monkeypatch: pytest.MonkeyPatch, scripted: Script) -> None:
    listener = scripted((200, {"hello": "world"}))
    with pytest.raises(ServiceError, match="not the address of a snakebo service"):
        sb.connect(f"{listener.url}/elsewhere")
    assert listener.seen[-1].path == "/elsewhere/api/health"


def test_redirects_are_not_followed_and_the_token_goes_nowhere_else(scripted: Script) -> None:
    elsewhere = scripted(ASKED)
    listener = scripted(FOUND, (307, {}))
    campaign = campaign_of(listener, token=HUSH)
    listener.headers["Location"] = f"{elsewhere.url}/api/campaigns/c/ask"
    with pytest.raises(ServiceError, match="status 307"):
        campaign.ask()
    assert elsewhere.seen == []


def test_nothing_there_is_said_at_once() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # and nobody listens
        with pytest.raises(ServiceUnavailableError, match="Is this the address") as caught:
            sb.connect(f"http://127.0.0.1:{taken.getsockname()[1]}", token=HUSH, patience=1000)
    assert "for 1000 s" not in str(caught.value)


def test_without_httpx_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("snakebo.client.find_spec", lambda _: None)
    with pytest.raises(sb.errors.InputError, match=r"pip install 'snakebo\[client\]'"):
        sb.connect("http://localhost:8765")


def test_a_proxy_of_the_environment_is_not_used_for_this_machine(
    scripted: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    assert campaign_of(scripted(FOUND)).name == "c"


# --- the token --------------------------------------------------------------------------------------------


def test_the_token_is_sent_and_never_shown(scripted: Script, caplog: pytest.LogCaptureFixture) -> None:
    refused = (401, {"type": "urn:snakebo:token", "status": 401, "detail": "The token is wrong."})
    listener = scripted(FOUND, refused)
    with caplog.at_level(logging.DEBUG):
        service = sb.connect(listener.url, token=HUSH)
        campaign = service.campaign("c")
        with pytest.raises(TokenError) as caught:
            campaign.ask()
    assert [seen.headers["authorization"] for seen in listener.seen] == [f"Bearer {HUSH}"] * 3
    shown = [repr(service), repr(campaign), repr(caught.value), str(vars(service)), str(vars(campaign))]
    assert not [text for text in shown if HUSH in text]
    assert HUSH not in caplog.text


def test_the_token_of_the_environment(scripted: Script, monkeypatch: pytest.MonkeyPatch) -> None:
    listener = scripted(FOUND)
    campaign_of(listener)
    monkeypatch.setenv("SNAKEBO_TOKEN", HUSH)
    campaign_of(listener)
    campaign_of(listener, token="another")
    sent = [seen.headers.get("authorization") for seen in listener.seen if seen.path != "/api/health"]
    assert sent == [None, f"Bearer {HUSH}", "Bearer another"]


def test_a_closed_service_lets_go_of_its_connections(scripted: Script) -> None:
    listener = scripted(FOUND)
    with sb.connect(listener.url) as service:
        service.campaign("c")
    with pytest.raises(ServiceError, match="was closed"):
        service.campaign("c")
