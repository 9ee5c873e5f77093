"""What went wrong, as a problem document (RFC 9457): one table from errors to statuses."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from typing import Any

from starlette.responses import Response

from snakebo.errors import (
    BudgetSpentError,
    CampaignExistsError,
    InputError,
    KeyReusedError,
    SnakeboError,
    SpecError,
    StorageBusyError,
    StorageError,
    StorageFormatError,
    TrialStateError,
    UnknownCampaignError,
    UnknownTrialError,
    place,
    reword,
)

MEDIA_TYPE = "application/problem+json"


class RequestError(SnakeboError):
    """A request that is refused before anybody looks at what it wants; `field` names the part at fault."""

    def __init__(self, message: str, field: str | None = None) -> None:
        self.field = field
        super().__init__(message)


class TokenError(RequestError):
    """The token is missing or wrong."""


class OriginError(RequestError):
    """The request was sent by a page of another site."""


class HostError(RequestError):
    """The request is meant for another host than this one."""


class NotFoundError(RequestError):
    """Nothing is there."""


class MethodError(RequestError):
    """What is there does not know this method."""


class TooLargeError(RequestError):
    """The body is too large."""


class MediaTypeError(RequestError):
    """The body is neither JSON nor, where that may be, TOML."""


class BodyError(RequestError):
    """The body cannot be read as what it says it is."""


class FieldError(RequestError):
    """A field of the request cannot be used."""


@contextmanager
def naming(field: str) -> Iterator[None]:
    """Say of an unusable value which field of the request it came from."""
    try:
        yield
    except KeyReusedError:
        raise
    except InputError as error:
        raise FieldError(str(error), field) from error


class NeedsCodeError(SnakeboError):
    """A stored campaign has parts that are code, so that only Python can go on with it."""


# From the most special to the most general; `type` is what programs tell errors apart by.
STATUSES: dict[type[Exception], tuple[HTTPStatus, str]] = {
    TokenError: (HTTPStatus.UNAUTHORIZED, "token"),
    OriginError: (HTTPStatus.FORBIDDEN, "origin"),
    HostError: (HTTPStatus.MISDIRECTED_REQUEST, "host"),
    NotFoundError: (HTTPStatus.NOT_FOUND, "not-found"),
    MethodError: (HTTPStatus.METHOD_NOT_ALLOWED, "method"),
    TooLargeError: (HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too-large"),
    MediaTypeError: (HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "media-type"),
    BodyError: (HTTPStatus.BAD_REQUEST, "body"),
    FieldError: (HTTPStatus.UNPROCESSABLE_ENTITY, "input"),
    UnknownCampaignError: (HTTPStatus.NOT_FOUND, "unknown-campaign"),
    UnknownTrialError: (HTTPStatus.NOT_FOUND, "unknown-trial"),
    CampaignExistsError: (HTTPStatus.CONFLICT, "campaign-exists"),
    TrialStateError: (HTTPStatus.CONFLICT, "trial-state"),
    BudgetSpentError: (HTTPStatus.CONFLICT, "budget-spent"),
    NeedsCodeError: (HTTPStatus.CONFLICT, "needs-code"),
    KeyReusedError: (HTTPStatus.UNPROCESSABLE_ENTITY, "key-reused"),
    SpecError: (HTTPStatus.UNPROCESSABLE_ENTITY, "spec"),
    InputError: (HTTPStatus.UNPROCESSABLE_ENTITY, "input"),
    StorageBusyError: (HTTPStatus.SERVICE_UNAVAILABLE, "storage-busy"),
    StorageFormatError: (HTTPStatus.SERVICE_UNAVAILABLE, "storage-format"),
    StorageError: (HTTPStatus.SERVICE_UNAVAILABLE, "storage"),
    Exception: (HTTPStatus.INTERNAL_SERVER_ERROR, "internal"),
}

_IN_WORDS = {
    "Pass replace=True": "Set replace",
    "is failed: fail(id, reason).": "is failed: POST …/fail.",
    "Use add_data for": "Use the command `snakebo import` for",
    "Go on with Campaign.load": "Go on with it",
}
_HEADERS = {
    HTTPStatus.UNAUTHORIZED: {"WWW-Authenticate": "Bearer"},
    HTTPStatus.SERVICE_UNAVAILABLE: {"Retry-After": "1"},
}
_INTERNAL = "Something went wrong inside of the service; its log says what. Nothing is known to have changed."


def describe(error: Exception) -> dict[str, Any]:
    """Return the problem document of an error."""
    status, kind = next(STATUSES[each] for each in type(error).__mro__ if each in STATUSES)
    document: dict[str, Any] = {
        "type": f"urn:snakebo:{kind}",
        "title": status.phrase,
        "status": int(status),
        "detail": _INTERNAL if kind == "internal" else reword(error, _IN_WORDS),
    }
    known = error if isinstance(error, SpecError) else error.__cause__
    if isinstance(known, SpecError):  # also behind the line of a TOML text
        document |= {"path": list(known.path), "field": place(known.path)}
    elif isinstance(error, RequestError) and error.field is not None:
        document["field"] = error.field
    elif isinstance(error, KeyReusedError):
        document["field"] = "Idempotency-Key"
    return document


def respond(error: Exception, headers: dict[str, str] | None = None) -> Response:
    """Return the response to a request that led to an error."""
    document = describe(error)
    return Response(
        json.dumps(document, allow_nan=False),
        document["status"],
        {**_HEADERS.get(document["status"], {}), **(headers or {})},
        MEDIA_TYPE,
    )
