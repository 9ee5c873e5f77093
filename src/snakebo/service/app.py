"""The application: routes, guards and errors put together over a storage."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.openapi.utils import get_openapi
from starlette.exceptions import HTTPException

from snakebo import __version__
from snakebo.errors import SnakeboError
from snakebo.service import schema
from snakebo.service.desk import Desk
from snakebo.service.feed import Feeds
from snakebo.service.guard import Guard
from snakebo.service.problems import (
    MEDIA_TYPE,
    FieldError,
    MethodError,
    NotFoundError,
    RequestError,
    respond,
)
from snakebo.service.routes import campaigns, events, figures, pages, trials
from snakebo.storage import Storage, open_storage

_ABOUT = (
    "Decides what to try next where moving from one setting to the next costs something and results come "
    "late: ask for a setting, try it, tell the result. Errors are problem documents (RFC 9457)."
)
_BODIES = (schema.Nothing, schema.Result, schema.Failure, schema.Setting)


def create_app(storage: str | Storage, token: str | None = None) -> FastAPI:
    """Return the service over a storage. Without a token it answers to names of this machine only.

    Raises StorageError, or InputError for what is no storage.
    """
    desk = Desk(open_storage(storage))
    feeds = Feeds(desk)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        yield
        feeds.close()

    app = FastAPI(
        title="snakebo",
        version=__version__,
        description=_ABOUT,
        openapi_url="/openapi.json",
        docs_url=None,  # pages that would load scripts from elsewhere
        redoc_url=None,
        redirect_slashes=False,
        lifespan=lifespan,
        exception_handlers={
            SnakeboError: _on_error,
            HTTPException: _on_http_error,
            RequestValidationError: _on_bad_parameter,
        },
    )
    app.state.desk, app.state.feeds = desk, feeds
    app.add_middleware(Guard, token=token)
    for part in (campaigns, trials, figures, events, pages):
        app.include_router(part.router)
    pages.mount_files(app)
    app.openapi = lambda: _openapi(app)  # type: ignore[method-assign]
    return app


async def _on_error(request: Request, error: Exception) -> Response:
    return respond(error)


async def _on_http_error(request: Request, error: Exception) -> Response:
    """What the router finds: no such path, no such method."""
    assert isinstance(error, HTTPException)
    path = request.scope["path"][:80]
    known: RequestError = NotFoundError(f"There is nothing at {path!r}.")
    if error.status_code == 405:
        known = MethodError(f"{path!r} does not know the method {request.method}.")
    return respond(known, dict(error.headers or {}))


async def _on_bad_parameter(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    where, field = str(first["loc"][0]), str(first["loc"][-1])
    if where == "path":
        return respond(NotFoundError(f"There is nothing at {request.scope['path'][:80]!r}."))
    return respond(FieldError(f"{field}: {first['msg']}.", field))


def _openapi(app: FastAPI) -> dict[str, Any]:
    """The OpenAPI document; with the bodies that are read by hand, and problems as what they are."""
    if app.openapi_schema is None:
        document = get_openapi(
            title=app.title, version=app.version, description=app.description, routes=app.routes
        )
        components = document["components"]
        for model in _BODIES:
            shape = model.model_json_schema(ref_template="#/components/schemas/{model}")
            components["schemas"][model.__name__] = shape
        components["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
        document["security"] = [{"token": []}, {}]
        for path in document["paths"].values():
            for operation in path.values():
                for status, response in operation["responses"].items():
                    if status >= "400" and "content" in response:
                        response["content"] = {MEDIA_TYPE: response["content"]["application/json"]}
        app.openapi_schema = document
    return app.openapi_schema
