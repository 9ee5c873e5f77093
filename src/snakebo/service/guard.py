"""Who may come in: the right host, no foreign pages, the token; and headers that keep pages tame."""

from __future__ import annotations

import logging
from ipaddress import ip_address
from secrets import compare_digest
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from snakebo.service.problems import HostError, OriginError, RequestError, TokenError, respond

_OPEN = ("/api/health",)  # needs no token
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
    "font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}

log = logging.getLogger("snakebo.service")


class Guard:
    """Lets requests in that may come in; every response, also that to a fault inside, has safe headers."""

    def __init__(self, app: ASGIApp, token: str | None = None) -> None:
        self._app = app
        self._token = None if token is None else token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = False

        async def send_safely(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers[name] = value
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        # Names may hold slashes: routes see the path as it was sent, and decode its parts.
        scope = {**scope, "path": scope.get("raw_path", scope["path"].encode()).decode("latin-1")}
        try:
            self._check(scope)
            await self._app(scope, receive, send_safely)
        except RequestError as error:
            await respond(error)(scope, receive, send_safely)
        except ClientDisconnect:
            pass
        except Exception as error:
            log.exception("%s %s", scope["method"], scope["path"])
            if not started:
                await respond(error)(scope, receive, send_safely)

    def _check(self, scope: Scope) -> None:
        headers, path = Headers(scope=scope), scope["path"]
        if self._token is None:
            _check_machine(scope["client"], headers)
        if not path.startswith("/api/"):
            return  # the dashboard's files hold no data
        _check_origin(headers)
        if self._token is not None and path not in _OPEN:
            _check_token(headers, self._token)


def _check_machine(client: tuple[str, int] | None, headers: Headers) -> None:
    """Without a token only this machine will do, by a name of its own: others may be made to lead here."""
    if client is not None and not _is_here(client[0]):
        raise TokenError("The service has no token, so that only its own machine may use it.")
    hosts = headers.getlist("host")
    if len(hosts) != 1 or not _is_here(_name_of(hosts[0])):
        raise HostError(
            "Without a token the service answers to localhost and 127.0.0.1 alone; the request was for "
            f"{', '.join(hosts)[:80]!r}.",
            "Host",
        )


def _check_origin(headers: Headers) -> None:
    """Pages of other sites may send requests from a browser on this machine; they are turned away."""
    site = headers.get("sec-fetch-site", "none")
    if site not in ("same-origin", "none"):
        raise OriginError(f"The request came from another site ({site[:40]!r}).", "Sec-Fetch-Site")
    origin = headers.get("origin")
    if origin is not None and _netloc(origin) != headers.get("host", "").lower():
        raise OriginError(f"The request came from a page of {origin[:80]!r}.", "Origin")


def _check_token(headers: Headers, token: bytes) -> None:
    given = headers.getlist("authorization")
    kind, _, value = (given[0] if len(given) == 1 else "").partition(" ")
    if kind.lower() != "bearer" or not compare_digest(value.strip().encode("latin-1"), token):
        wrong = "The token is wrong." if given else "A token is needed."
        raise TokenError(f"{wrong} Send the header Authorization: Bearer TOKEN.", "Authorization")


def _name_of(host: str) -> str:
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def _is_here(name: str) -> bool:
    """Whether a name or an address leads to this machine, and can lead nowhere else."""
    try:
        return name == "localhost" or ip_address(name).is_loopback
    except ValueError:
        return False


def _netloc(origin: str) -> str:
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return ""
