"""The dashboard's files, and Plotly's script from where it is installed. They hold no data."""

from __future__ import annotations

from functools import cache
from importlib.metadata import version
from pathlib import Path

from fastapi import APIRouter, FastAPI, Request, Response
from starlette.concurrency import run_in_threadpool
from starlette.responses import FileResponse
from starlette.staticfiles import StaticFiles

from snakebo.service.problems import NotFoundError

STATIC = Path(__file__).parents[1] / "static"

router = APIRouter(include_in_schema=False)


@router.get("/")
async def show_dashboard() -> Response:
    """Return the page."""
    page = STATIC / "index.html"
    if not page.is_file():
        raise NotFoundError("The dashboard is not installed; the API is at /api.")
    return FileResponse(page, headers={"Cache-Control": "no-cache"})


@router.get("/static/plotly.min.js")
async def read_plotly(request: Request) -> Response:
    """Return Plotly's own script."""
    tag = f'"plotly-{version("plotly")}"'
    headers = {"ETag": tag, "Cache-Control": "public, max-age=604800"}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    return Response(await run_in_threadpool(_plotly), headers=headers, media_type="text/javascript")


@cache
def _plotly() -> bytes:
    from plotly.offline import get_plotlyjs

    return str(get_plotlyjs()).encode()


def mount_files(app: FastAPI) -> None:
    """Serve the other files of the dashboard."""
    app.mount("/static", StaticFiles(directory=STATIC, check_dir=False))
