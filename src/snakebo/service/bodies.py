"""What a request carries: read up to a limit, and checked, before anybody uses it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from email.message import Message
from typing import Any, TypeVar

import pydantic_core
from pydantic import BaseModel, ValidationError
from starlette.requests import Request

from snakebo.errors import SpecError
from snakebo.service.limits import check_keys, check_size
from snakebo.service.problems import BodyError, FieldError, MediaTypeError, TooLargeError
from snakebo.spec import from_spec
from snakebo.toml_spec import parse_spec

LARGEST = 1_000_000  # bytes

T = TypeVar("T", bound=BaseModel)


async def read_bytes(request: Request) -> bytes:
    """Return the body; TooLargeError beyond the limit, whether or not its length was announced."""
    announced = request.headers.get("content-length", "0")
    if not announced.isdecimal() or int(announced[:20]) > LARGEST:
        raise TooLargeError(f"A body may have {LARGEST} bytes; {announced:.20} were announced.")
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > LARGEST:
            raise TooLargeError(f"A body may have {LARGEST} bytes; more came.")
    return bytes(body)


async def read_model(request: Request, model: type[T], needed: bool = True) -> T:
    """Return the body as a model; where it is not `needed`, an empty one stands for no fields at all."""
    body = await read_bytes(request)
    if not body and not needed:
        return model()
    if _media_type(request) != "application/json":
        raise MediaTypeError(f"Expected application/json; got {_shown_type(request)}.")
    try:
        return model.model_validate_json(body)
    except ValidationError as error:
        raise _explain(error) from error


async def read_spec(request: Request) -> bytes:
    """Return the body of a new campaign, whose type is JSON or TOML."""
    body = await read_bytes(request)
    if _media_type(request) not in ("application/json", "application/toml"):
        raise MediaTypeError(f"Expected application/json or application/toml; got {_shown_type(request)}.")
    return body


def parse_definition(body: bytes, request: Request) -> dict[str, Any]:
    """Return the arguments of `Campaign` that a JSON or TOML body describes. Raises SpecError."""
    toml = _media_type(request) == "application/toml"
    try:
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BodyError(f"The body is not UTF-8: {error.reason} at byte {error.start}.") from error
    if not toml:
        try:
            spec = pydantic_core.from_json(text)
        except ValueError as error:
            raise BodyError(f"The body is not JSON: {error}.") from error
        check_size(spec)
        return _check_name(from_spec(spec))
    check_keys(text)
    try:
        check_size(tomllib.loads(text))
    except SpecError:
        raise
    except (ValueError, RecursionError):
        pass  # said better below
    return _check_name(parse_spec(text))


def _check_name(arguments: dict[str, Any]) -> dict[str, Any]:
    """Browsers take these for folders, however they are written in a path."""
    if arguments["name"] in (".", ".."):
        raise SpecError(("name",), "must not be '.' or '..', which no path can lead to.")
    return arguments


def _media_type(request: Request) -> str:
    message = Message()
    message["content-type"] = request.headers.get("content-type", "")
    charset = message.get_param("charset", "utf-8")
    if not isinstance(charset, str) or charset.lower() not in ("utf-8", "utf8"):
        raise MediaTypeError(f"Expected UTF-8; got {_shown_type(request)}.")
    return message.get_content_type() if request.headers.get("content-type") else ""


def _shown_type(request: Request) -> str:
    return repr(request.headers.get("content-type", "no Content-Type")[:100])


def _explain(error: ValidationError) -> BodyError | FieldError:
    """The first of the errors, as one of ours."""
    first: Mapping[str, Any] = error.errors(include_url=False, include_context=False)[0]
    if first["type"] == "json_invalid":
        return BodyError(f"The body is not JSON: {first['msg']}.")
    field = ".".join(map(str, first["loc"]))
    return FieldError(f"{field or 'The body'}: {first['msg']}.", field or None)


def check_values(value: float | None, values: Mapping[str, float] | None) -> float | Mapping[str, float]:
    """Return what was told: one value, or several by name, and not both."""
    if (value is None) == (values is None):
        raise FieldError('Expected either "value": number or "values": {objective: number}.', "value")
    return values if value is None else value  # type: ignore[return-value]
