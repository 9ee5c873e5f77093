"""What is given to reach a service: its URL, a token, seconds; and the way to a name on it."""

from __future__ import annotations

from urllib.parse import quote, urlsplit

from snakebo.checks import as_real
from snakebo.errors import InputError


def encode(part: str) -> str:
    """Return a part of a path, percent-encoded, slashes too."""
    encoded = quote(part, safe="", errors="replace")
    return encoded.replace(".", "%2E") if part in (".", "..") else encoded  # else it would mean a folder


def check_url(url: object) -> tuple[str, str]:
    """Return a URL without a slash at its end, and its host. No error shows it: it may hold a password."""
    expected = "The URL of a service is http:// or https:// with a host, such as http://localhost:8765"
    try:
        parts = urlsplit(url if isinstance(url, str) else "")
        host, _ = parts.hostname, parts.port
    except ValueError as error:
        raise InputError(f"{expected}; this one cannot be read: {error}.") from None
    if parts.scheme not in ("http", "https") or not host or not str(url).isprintable() or " " in str(url):
        raise InputError(f"{expected}; got another form.")
    if parts.username is not None or parts.query or parts.fragment:
        raise InputError(f"{expected}, without user, query or fragment. Pass token=… instead.")
    return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}", host


def check_token(token: object) -> str | None:
    """Return a token that a header can hold; None if there is none. Errors do not show it."""
    if token is None:
        return None
    if not isinstance(token, str) or not (token := token.strip()) or not all("!" <= c <= "~" for c in token):
        raise InputError("The token must be a text of visible ASCII characters without spaces.")
    return token


def check_seconds(value: object, what: str) -> float:
    """Return a positive number of seconds."""
    seconds = as_real(value, what)
    if seconds <= 0:
        raise InputError(f"{what} must be positive, in seconds; got {seconds:g}.")
    return seconds
