"""What endpoints have in common: the name in the path, the key of a request, the problems that may come.

Dependencies are asynchronous: FastAPI would send others through a thread of their own.
"""

from __future__ import annotations

from typing import Annotated, Any
from urllib.parse import unquote

from fastapi import Depends, Header, Path, Request

from snakebo.errors import InputError
from snakebo.service.desk import Desk
from snakebo.service.feed import Feeds
from snakebo.service.problems import FieldError, NotFoundError
from snakebo.service.schema.responses import Problem
from snakebo.storage import check_key


async def _decode(
    name: Annotated[str, Path(description="The campaign, percent-encoded.", examples=["snar"])],
) -> str:
    try:
        return unquote(name, errors="strict")
    except UnicodeDecodeError as error:
        raise NotFoundError(f"The name {name[:80]!r} is not percent-encoded UTF-8.", "name") from error


async def _read_key(
    key: Annotated[
        str | None,
        Header(
            alias="Idempotency-Key",
            description="1 to 200 visible characters. The same key gives the same trial, for ever.",
            examples=["0b0e1a52-6c1c-4b0e-9a53-6d8f3a1f9d5e"],
            json_schema_extra={"pattern": "^[!-~]{1,200}$"},
        ),
    ] = None,
) -> str | None:
    try:
        return None if key is None else check_key(key)
    except InputError as error:
        raise FieldError(str(error), "Idempotency-Key") from error


async def _desk(request: Request) -> Desk:
    desk: Desk = request.app.state.desk
    return desk


async def _feeds(request: Request) -> Feeds:
    feeds: Feeds = request.app.state.feeds
    return feeds


Name = Annotated[str, Depends(_decode)]
Key = Annotated[str | None, Depends(_read_key)]
TheDesk = Annotated[Desk, Depends(_desk)]
TheFeeds = Annotated[Feeds, Depends(_feeds)]
TrialId = Annotated[int, Path(ge=0, description="The trial.", examples=[7])]

_WHEN = {
    400: "The body is not what it says it is.",
    401: "The token is missing or wrong.",
    403: "The request was sent by a page of another site.",
    404: "There is no such campaign, trial or figure.",
    405: "There is no such method here.",
    409: "The request does not fit the state of the campaign.",
    413: "The body is larger than 1 MB.",
    415: "The body is of another type.",
    421: "The request is meant for another host.",
    422: "A value cannot be used; `field` says which.",
    500: "Something went wrong inside of the service.",
    503: "The storage is locked or cannot be reached; nothing was changed.",
}
_ALWAYS = (401, 403, 421, 500, 503)


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return the descriptions of the problems that an endpoint may answer with."""
    return {each: {"model": Problem, "description": _WHEN[each]} for each in sorted({*statuses, *_ALWAYS})}


def body_of(model: type[Any], required: bool = True) -> dict[str, Any]:
    """Return the description of a body that is read by `bodies`."""
    schema = {"$ref": f"#/components/schemas/{model.__name__}"}
    return {"requestBody": {"required": required, "content": {"application/json": {"schema": schema}}}}
