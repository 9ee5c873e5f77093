"""Requests that are repeated until they are answered, by httpx: it keeps connections, for all threads.

A request must be one that does no harm when it is carried out twice: reading, telling the same again, or
asking with a key. Redirects are not followed, so that the token goes nowhere else.
"""

from __future__ import annotations

import json
import os
import ssl
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import count
from random import uniform
from time import monotonic, sleep
from typing import Any
from weakref import finalize

import httpx

from snakebo.client.address import check_seconds, check_token, check_url, encode
from snakebo.client.failures import ServiceError, ServiceUnavailableError, as_error
from snakebo.errors import InputError, StorageFormatError

TOKEN = "SNAKEBO_TOKEN"  # in the environment
_AWAY = (502, 503, 504)
_CONNECT_S = 5.0
_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 0.1, 5.0
_LOOPBACK = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True)
class Answer:
    """What a service answered: a document, or the problem that it had with the request."""

    document: Mapping[str, Any]
    fine: bool
    tries: int  # more than one: an earlier try may have been carried out, and its answer lost

    def result(self) -> Mapping[str, Any]:
        """Return the document, or raise what the problem stands for."""
        if not self.fine:
            raise as_error(self.document)
        return self.document


class Transport:
    """The way to one service. The token is known to the headers alone; nothing shows it."""

    def __init__(self, url: str, token: str | None, patience: float, timeout: float) -> None:
        self.url, host = check_url(url)
        self.patience = check_seconds(patience, "patience")
        token = check_token(os.environ.get(TOKEN) if token is None else token)
        self._client = httpx.Client(
            base_url=self.url,
            headers={"Accept": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {}),
            timeout=httpx.Timeout(check_seconds(timeout, "timeout"), connect=_CONNECT_S),
            trust_env=host not in _LOOPBACK,  # a proxy does not lead to this machine
        )
        self.close = finalize(self, self._client.close)

    def send(
        self,
        method: str,
        *path: str,
        body: Mapping[str, Any] | str | None = None,
        key: str | None = None,
        query: Mapping[str, int] | None = None,
        patient: bool = True,
    ) -> Answer:
        """Send a request, again and again while the service is away, and return its answer.

        body: of JSON, or a text of TOML. key: by which the service knows a repeated request. Raises
        ServiceUnavailableError when patience ends, ServiceError for what is no answer of a service.
        """
        headers = {} if key is None else {"Idempotency-Key": key}
        content = None
        if body is not None:
            headers["Content-Type"] = "application/toml" if isinstance(body, str) else "application/json"
            content = body.encode() if isinstance(body, str) else _as_json(body)
        request = self._client.build_request(
            method, "/".join(map(encode, path)), content=content, headers=headers, params=query
        )
        deadline = monotonic() + (self.patience if patient else 0.0)
        for tries in count(1):
            try:
                return self._read(self._exchange(request), tries)
            except _AwayError as error:
                pause = min(_LONGEST_PAUSE_S, _FIRST_PAUSE_S * 2.0 ** min(tries - 1, 10)) * uniform(0.5, 1.0)
                if monotonic() + pause >= deadline:
                    given_up = f", for {self.patience:g} s" if patient else ""
                    raise ServiceUnavailableError(
                        f"No answer from {self.url}{given_up}: {error}. "
                        "Is this the address, and is the service running (snakebo serve)?"
                    ) from error
                sleep(pause)
        raise AssertionError("count() ends never")

    def _exchange(self, request: httpx.Request) -> httpx.Response:
        """One try. Raises _AwayError where another one may help."""
        if self._client.is_closed:
            raise ServiceError(f"The connection to {self.url} was closed. Make another: sb.connect(…).")
        try:
            response = self._client.send(request)
        except httpx.TransportError as error:
            if any(isinstance(each, ssl.SSLCertVerificationError) for each in _causes(error)):
                raise ServiceError(f"The certificate of {self.url} is not trusted: {error}.") from error
            raise _AwayError(f"{error or type(error).__name__}".rstrip(".")) from error
        except httpx.HTTPError as error:
            raise ServiceError(f"The answer of {self.url} cannot be read: {error}.") from error
        if response.status_code in _AWAY:
            problem = as_error(_document(response) or {"title": f"status {response.status_code}"})
            if isinstance(problem, StorageFormatError):  # which does not mend itself
                raise problem
            raise _AwayError(str(problem).rstrip("."))
        return response

    def _read(self, response: httpx.Response, tries: int) -> Answer:
        document = _document(response)
        if document is None or response.is_redirect:
            raise ServiceError(
                f"{response.request.url} answered with status {response.status_code} and "
                f"{response.headers.get('content-type', 'no content')}. Is {self.url} the address of a "
                "snakebo service?"
            )
        if response.is_server_error:
            raise as_error(document)
        return Answer(document, response.is_success, tries)


class _AwayError(Exception):
    """The service cannot be reached, or says that it cannot answer now."""


def _document(response: httpx.Response) -> dict[str, Any] | None:
    try:
        document = response.json()
    except ValueError:
        return None
    return document if isinstance(document, dict) else None


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _as_json(body: Mapping[str, Any]) -> bytes:
    try:
        return json.dumps(body, allow_nan=False).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise InputError(f"This cannot be sent as JSON: {error}. Got {body!r:.200}.") from error
