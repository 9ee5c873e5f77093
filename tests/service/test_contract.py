"""Requests made up from the OpenAPI document: no fault, and no answer that it does not describe."""

from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

schemathesis = pytest.importorskip("schemathesis")

import snakebo as sb  # noqa: E402
from snakebo.service import create_app, feed  # noqa: E402
from snakebo.storage import MemoryStorage  # noqa: E402

TOKEN = "correct-horse-battery"
# What names and numbers a campaign takes is beyond a schema: a request true to it may still be refused.
BEYOND = [schemathesis.checks.positive_data_acceptance]


class BriefFeeds(feed.Feeds):
    """Streams that end at the first silence, so that nobody has to wait for more."""

    async def listen(self, name: str, seq: int, after: int | None) -> AsyncIterator[str]:  # type: ignore[override]
        """Yield what has happened."""
        async with aclosing(super().listen(name, seq, after)) as texts:
            async for text in texts:
                yield text
                if text == ": nothing new\n\n":
                    return


def make_app() -> Any:
    """A service with a campaign in which everything has happened; names are those of the examples."""
    storage = MemoryStorage()
    space = sb.Space([sb.Variable("temperature", 40, 120), sb.Variable("equivalents", 1, 5, free=True)])
    campaign = sb.Campaign(space, 500, "random-tour", objectives=("yield",), storage=storage, name="snar")
    for _ in range(9):
        campaign.ask()
    campaign.tell(1, 0.5)
    campaign.fail(2, "pump stalled")
    app = create_app(storage, TOKEN)
    app.state.feeds = BriefFeeds(app.state.desk)
    return app


@schemathesis.serializer("application/toml")  # type: ignore[untyped-decorator]
def write_toml(context: Any, value: Any) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "surrogatepass")


schema = schemathesis.openapi.from_asgi("/openapi.json", make_app())


@schema.auth()
class Token:
    """Shows the token, but where a request is made up to have none."""

    def get(self, case: Any, context: Any) -> str:
        """Return the token."""
        return TOKEN

    def set(self, case: Any, data: str, context: Any) -> None:
        """Put it into the request."""
        case.headers = {**(case.headers or {}), "Authorization": f"Bearer {data}"}


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feed, "SILENCE_S", 0.05)


@pytest.mark.slow
@schema.parametrize()  # type: ignore[untyped-decorator]
@settings(max_examples=25, suppress_health_check=list(HealthCheck))
def test_the_service_does_what_it_says(case: Any) -> None:
    case.call_and_validate(excluded_checks=BEYOND)
