"""The service on Uvicorn: what it listens on, its token, and an end that waits for no open stream."""

from __future__ import annotations

import ipaddress
import os
import socket
import sys
import threading
from contextlib import ExitStack, suppress
from pathlib import Path

import uvicorn
from fastapi import FastAPI

from snakebo.errors import InputError
from snakebo.service.app import create_app
from snakebo.service.feed import Feeds
from snakebo.storage import Storage

TOKEN = "SNAKEBO_TOKEN"  # in the environment
_SHORTEST = 16
_WAITING = 2048  # connections that are not accepted yet
_KEEP_S = 75  # a connection between two requests; clients that poll each minute keep theirs
_SLICE_S = 0.0005  # of the interpreter for a thread, so that a read among plans need not wait long for it
_LEAVE_S = 1  # for requests that are under way at the end


def read_token(file: Path | None) -> str | None:
    """Return the token from a file, else from the environment, else None. Raises InputError."""
    if file is None:
        token, where = os.environ.get(TOKEN), f"The environment variable {TOKEN}"
        if token is None:
            return None
    else:
        where = str(file)
        try:
            if os.name == "posix" and file.stat().st_mode & 0o007:
                raise InputError(f"Everybody can read {file}. Make it private with: chmod 600 {file}")
            token = file.read_text(encoding="ascii", errors="replace")
        except OSError as error:
            raise InputError(f"The token cannot be read from {file}: {error.strerror}.") from error
    token = token.strip()
    if len(token) < _SHORTEST or not all("!" <= each <= "~" for each in token):
        raise InputError(
            f"{where} must hold one token of at least {_SHORTEST} visible ASCII characters. Make one with: "
            "python -c 'import secrets; print(secrets.token_urlsafe())'"
        )
    return token


def open_socket(host: str, port: int, token: str | None) -> socket.socket:
    """Listen on an address; without a token only on one that no other machine can reach."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)
        family, kind, protocol, _, address = found[0]
        if token is None and not ipaddress.ip_address(address[0]).is_loopback:
            raise InputError(
                f"Other machines can reach {host}, so that a token is needed: give --token-file FILE, or set "
                f"{TOKEN}. Without one, use --host 127.0.0.1."
            )
        # With its protocol named, or asyncio would leave Nagle's algorithm on: 40 ms for each answer.
        with ExitStack() as closing:
            listening = closing.enter_context(socket.socket(family, kind, protocol))
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind(address)
            listening.listen(_WAITING)
            closing.pop_all()
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"The service cannot listen on {host}, port {port}: {reason}.") from error
    return listening


def address_of(listening: socket.socket) -> str:
    """Return the address for a browser."""
    host, port = listening.getsockname()[:2]
    shown = {"0.0.0.0": "localhost", "::": "localhost"}.get(host, host)
    return f"http://{f'[{shown}]' if ':' in shown else shown}:{port}"


class _Server(uvicorn.Server):
    """Ends open streams first, which would keep it waiting."""

    def __init__(self, config: uvicorn.Config, feeds: Feeds, ready: str) -> None:
        super().__init__(config)
        self._feeds, self._ready = feeds, ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        print(self._ready, flush=True)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._feeds.close()
        await super().shutdown(sockets)


def run_service(storage: Storage, listening: socket.socket, token: str | None, ready: str) -> None:
    """Serve until Ctrl-C; print `ready` once requests are answered."""
    app: FastAPI = create_app(storage, token)
    config = uvicorn.Config(
        app,
        log_level="error",
        ws="none",
        access_log=False,
        server_header=False,
        timeout_keep_alive=_KEEP_S,
        timeout_graceful_shutdown=_LEAVE_S,
    )
    sys.setswitchinterval(_SLICE_S)
    with suppress(KeyboardInterrupt):  # which Uvicorn raises again at the end
        _Server(config, app.state.feeds, ready).run([listening])
    storage.close()
    print("Stopped.", flush=True)
    if any(not each.daemon for each in threading.enumerate() if each is not threading.main_thread()):
        os._exit(0)  # a plan is being made; to leave it is as safe as a crash, and nobody waits for it
