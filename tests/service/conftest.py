"""The service in this process: requests without a network, on a storage that tests can look into."""

import copy
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import unquote

import pytest

pytest.importorskip("fastapi", reason="needs snakebo[service]")
httpx = pytest.importorskip("httpx", reason="needs snakebo[client]")

from anyio.from_thread import BlockingPortal, start_blocking_portal  # noqa: E402
from fastapi import FastAPI  # noqa: E402

import snakebo as sb  # noqa: E402
from snakebo.service import create_app  # noqa: E402
from snakebo.storage import MemoryStorage, Storage  # noqa: E402

_SPEC: dict[str, Any] = {
    "name": "snar",
    "budget": 12,
    "method": "random-tour",
    "variables": [
        {"name": "temperature", "low": 40, "high": 120, "unit": "°C"},
        {"name": "equivalents", "low": 1, "high": 5, "free": True},
    ],
    "objectives": [{"name": "yield"}],
}


class Client:
    """Sends requests to an application, which runs in a loop of its own."""

    def __init__(self, portal: BlockingPortal, app: FastAPI, headers: dict[str, str] | None) -> None:
        self.app = app
        self._portal = portal
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        self._client = httpx.AsyncClient(
            transport=transport, base_url="http://localhost:8765", headers=headers, timeout=60
        )

    def send(self, method: str, path: str, **options: Any) -> Any:
        """Return the response to a request."""
        return self._portal.call(lambda: self._client.request(method, path, **options))

    def get(self, path: str, **options: Any) -> Any:
        """Read something."""
        return self.send("GET", path, **options)

    def post(self, path: str, json: Any = None, **options: Any) -> Any:
        """Change something."""
        return self.send("POST", path, json=json, **options)

    def send_raw(
        self,
        target: bytes,
        method: str = "GET",
        headers: Any = ((b"host", b"localhost"),),
        client: Any = ("127.0.0.1", 1),
    ) -> Any:
        """Return the response to a request as a server would pass it on: no client has tidied it up."""
        scope = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method,
            "scheme": "http", "path": unquote(target.decode("latin-1")), "raw_path": target,
            "query_string": b"", "root_path": "", "headers": list(headers),
            "client": client, "server": ("127.0.0.1", 8765),
        }  # fmt: skip
        sent: list[Any] = []

        async def receive() -> Any:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: Any) -> None:
            sent.append(message)

        self._portal.call(self.app, scope, receive, send)
        body = b"".join(message.get("body", b"") for message in sent[1:])
        return httpx.Response(sent[0]["status"], headers=sent[0]["headers"], content=body)


@pytest.fixture
def connect() -> Iterator[Callable[..., Client]]:
    """A function that starts a service on a storage and returns a client of it."""
    with start_blocking_portal() as portal:

        def connect(
            storage: Storage | str, token: str | None = None, headers: dict[str, str] | None = None
        ) -> Client:
            return Client(portal, create_app(storage, token), headers)

        yield connect


@pytest.fixture
def storage() -> MemoryStorage:
    """What the service keeps campaigns in."""
    return MemoryStorage()


@pytest.fixture
def client(connect: Callable[..., Client], storage: MemoryStorage) -> Client:
    """A client of a service without a token."""
    return connect(storage)


@pytest.fixture
def spec() -> dict[str, Any]:
    """The definition of a small campaign, to be changed at will."""
    return copy.deepcopy(_SPEC)


@pytest.fixture
def snar(client: Client, storage: MemoryStorage, spec: dict[str, Any]) -> sb.Campaign:
    """A campaign that the service has, as another process would see it."""
    assert client.post("/api/campaigns", spec).status_code == 201
    return sb.Campaign.load(storage, "snar")


@pytest.fixture
def problem() -> Callable[..., str]:
    """A function that checks a response for a problem document and returns what it says."""

    def check(response: Any, status: int, kind: str, **expected: Any) -> str:
        assert response.headers["content-type"] == "application/problem+json"
        document = response.json()
        assert response.status_code == document["status"] == status, document
        assert document["type"] == f"urn:snakebo:{kind}", document
        assert document["title"]
        for key, value in expected.items():
            assert document.get(key) == value, document
        return str(document["detail"])

    return check
