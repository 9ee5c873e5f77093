"""Services that are killed while somebody waits for an answer, and come back: nothing is asked twice."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import snakebo as sb
from snakebo.client import ServiceUnavailableError, transport
from snakebo.errors import CampaignExistsError

SPEC: dict[str, Any] = {
    "name": "line",
    "budget": 12,
    "method": "random-tour",
    "variables": [{"name": "x", "low": 0, "high": 1}],
}

pytestmark = pytest.mark.slow

Start = Callable[..., Any]


@pytest.fixture(autouse=True)
def _in_a_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "_FIRST_PAUSE_S", 0.05)


def lose_once(ending: str, then: Callable[[], object]) -> Callable[[Any], bool]:
    """Lose the first answer to a request for that path, and do something instead."""
    left = [then]

    def lose(seen: Any) -> bool:
        if not seen.path.endswith(ending) or not left:
            return False
        left.pop()()
        return True

    return lose


@pytest.mark.parametrize("verb", ["ask", "attach"])
def test_killed_between_a_request_and_its_answer(start_service: Start, between: Start, verb: str) -> None:
    process = start_service()

    def restart() -> None:
        process.kill()
        threading.Timer(0.5, process.start).start()

    relay = between(process, lose_once(f"/{verb}", restart))
    campaign = sb.connect(relay.url, patience=60).create(SPEC)
    trial = campaign.ask() if verb == "ask" else campaign.attach({"x": 0.5})
    assert trial.id == 0
    assert len({s.headers["idempotency-key"] for s in relay.seen if s.path.endswith(f"/{verb}")}) == 1
    assert campaign.trials == (trial,)
    assert campaign.ask().id == 1


def test_killed_while_it_plans(start_service: Start) -> None:
    process = start_service()
    campaign = sb.connect(process.url, patience=60).create({**SPEC, "method": "snake"})
    campaign.tell(campaign.ask().id, 0.5)
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(campaign.ask)
        process.kill()
        process.start()
        assert asked.result().id == 1
    assert [trial.id for trial in campaign.trials] == [0, 1]
    assert [trial.id for trial in campaign.outstanding] == [1]


def test_an_answer_to_a_tell_is_lost(start_service: Start, between: Start) -> None:
    process = start_service()
    relay = between(process, lose_once("/tell", lambda: None))
    campaign = sb.connect(relay.url).create(SPEC)
    campaign.ask()
    assert campaign.tell(0, 0.5).value == 0.5
    assert len([seen for seen in relay.seen if seen.path.endswith("/tell")]) == 2


def test_an_answer_to_a_create_is_lost(start_service: Start, between: Start) -> None:
    process = start_service()
    service = sb.connect(between(process, lose_once("/api/campaigns", lambda: None)).url)
    campaign = service.create(SPEC)  # made at the first try, found at the second
    assert campaign.ask().id == 0
    with pytest.raises(CampaignExistsError):
        service.create(SPEC)
    again = sb.connect(between(process, lose_once("/api/campaigns", lambda: None)).url)
    with pytest.raises(CampaignExistsError):
        again.create(SPEC)  # it is somebody else's: a trial was asked
    with pytest.raises(CampaignExistsError):
        sb.connect(between(process, lose_once("/api/campaigns", lambda: None)).url).create(
            {**SPEC, "seed": 1}
        )
    assert [each["name"] for each in service.campaigns()] == ["line"]


def test_a_service_that_stays_away_and_comes_back_later(start_service: Start) -> None:
    process = start_service()
    campaign = sb.connect(process.url, patience=0.3).create(SPEC)
    campaign.ask()
    process.kill()
    with pytest.raises(ServiceUnavailableError, match="No answer from"):
        campaign.tell(0, 0.5)
    with pytest.raises(ServiceUnavailableError, match="No answer from"):
        campaign.ask()
    process.start()
    campaign.tell(0, 0.5)
    assert campaign.ask().id == 1
