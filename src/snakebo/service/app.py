"""The application: routes, guards and errors put together over a storage."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.routing import Match, Route

from snakebo import __version__
from snakebo.errors import SnakeboError
from snakebo.service.description import describe_api
from snakebo.service.desk import Desk
from snakebo.service.feed import Feeds
from snakebo.service.guard import Guard
from snakebo.service.problems import FieldError, MethodError, NotFoundError, respond
from snakebo.service.routes import campaigns, events, figures, pages, trials
from snakebo.storage import Storage, open_storage

_ABOUT = (
    "Decides what to try next where moving from one setting to the next costs something and results come "
    "late: ask for a setting, try it, tell the result. Errors are problem documents (RFC 9457)."
)
_PARTS = (campaigns, trials, figures, events, pages)


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
    for part in _PARTS:
        app.include_router(part.router)
    pages.mount_files(app)
    app.openapi = lambda: describe_api(app)  # type: ignore[method-assign]
    return app


async def _on_error(request: Request, error: Exception) -> Response:
    return respond(error)


async def _on_http_error(request: Request, error: Exception) -> Response:
    """What the router finds: no such path, no such method."""
    assert isinstance(error, HTTPException)
    path = request.scope["path"][:80]
    if error.status_code != 405:
        return respond(NotFoundError(f"There is nothing at {path!r}."))
    known = ", ".join(sorted(_methods(request) or {"GET", "HEAD"}))  # files know these
    return respond(
        MethodError(f"{path!r} does not know the method {request.method[:20]}, but {known}."),
        {"Allow": known},
    )


def _methods(request: Request) -> set[str]:
    """The methods that a path knows; the router names those of its first route alone."""
    found: set[str] = set()
    for route in (each for part in _PARTS for each in part.router.routes):
        if isinstance(route, Route) and route.matches(request.scope)[0] is not Match.NONE:
            found |= route.methods or set()
    return found


async def _on_bad_parameter(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    where, field = str(first["loc"][0]), str(first["loc"][-1])
    if where == "path":
        return respond(NotFoundError(f"There is nothing at {request.scope['path'][:80]!r}."))
    return respond(FieldError(f"{field}: {first['msg']}.", field))
