"""Services that answer as told to, and one in between that loses answers."""

import http.client
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

pytest.importorskip("httpx", reason="needs snakebo[client]")

_FORWARDED = ("authorization", "content-type", "idempotency-key")
_HEALTHY = (200, {"status": "ok", "version": "0"})


@dataclass
class Seen:
    """A request that came."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


Reply = tuple[int, Any] | None  # a status and a document, a text or bytes; None: the connection is cut


@dataclass
class Listener:
    """An HTTP server in this process that hands requests to a function."""

    answer: Callable[[Seen], Reply]
    seen: list[Seen] = field(default_factory=list)
    headers: dict[str, str] = field(default_factory=dict)  # of every reply
    port: int = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def handle(self, handler: BaseHTTPRequestHandler) -> None:
        length = int(handler.headers.get("Content-Length", 0))
        seen = Seen(
            handler.command,
            handler.path,
            {name.lower(): value for name, value in handler.headers.items()},
            handler.rfile.read(length),
        )
        self.seen.append(seen)
        reply = _HEALTHY if seen.path == "/api/health" else self.answer(seen)
        if reply is None:
            handler.close_connection = True
            return
        status, document = reply
        body = document if isinstance(document, bytes) else json.dumps(document).encode()
        handler.send_response(status)
        for name, value in {"Content-Type": "application/json", **self.headers}.items():
            handler.send_header(name, value)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)


@contextmanager
def listen(answer: Callable[[Seen], Reply]) -> Iterator[Listener]:
    """Run a listener on a free port."""
    listener = Listener(answer)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            listener.handle(self)

        do_POST = do_GET  # noqa: N815

        def log_message(self, *_: Any) -> None:
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, *_: Any) -> None:
            pass  # a client that went away is what some tests are about

    server = Server(("127.0.0.1", 0), Handler)
    listener.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield listener
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.fixture
def scripted() -> Iterator[Callable[..., Listener]]:
    """A function that starts a service which gives these replies, and the last one for ever."""
    with ExitStack() as running:

        def script(*replies: Reply) -> Listener:
            left = list(replies)
            return running.enter_context(listen(lambda _: left.pop(0) if len(left) > 1 else left[0]))

        yield script


@pytest.fixture
def between() -> Iterator[Callable[..., Listener]]:
    """A function that starts a relay to a service; `lose` says which answers do not get through."""
    with ExitStack() as running:

        def relay(service: Any, lose: Callable[[Seen], bool]) -> Listener:
            def forward(seen: Seen) -> Reply:
                headers = {name: seen.headers[name] for name in _FORWARDED if name in seen.headers}
                connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=60)
                try:
                    connection.request(seen.method, seen.path, seen.body or None, headers)
                    response = connection.getresponse()
                    reply = (response.status, response.read())
                except OSError:
                    return None  # the service is away
                finally:
                    connection.close()
                return None if lose(seen) else reply

            return running.enter_context(listen(forward))

        yield relay
