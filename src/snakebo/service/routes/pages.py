"""The dashboard's files, the report's colours for them, and Plotly's script. They hold no data."""

from __future__ import annotations

import json
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from fastapi import APIRouter, FastAPI, Request, Response
from starlette.concurrency import run_in_threadpool
from starlette.responses import FileResponse
from starlette.staticfiles import StaticFiles

from snakebo.report.theme import DARK, FONT, LIGHT, SHADES, TEMPLATE
from snakebo.service.problems import NotFoundError

STATIC = Path(__file__).parents[1] / "static"

_FRESH = {"Cache-Control": "no-cache"}  # kept, and asked for again: after an update nothing old is shown

router = APIRouter(include_in_schema=False)


@router.get("/")
async def show_dashboard() -> Response:
    """Return the page."""
    page = STATIC / "index.html"
    if not page.is_file():
        raise NotFoundError("The dashboard is not installed; the API is at /api.")
    return FileResponse(page, headers=_FRESH)


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


@router.get("/static/theme.css")
async def read_colors() -> Response:
    """Return the colours and the type of the report, as CSS."""

    def scheme(colors: dict[str, str]) -> str:
        return " ".join(f"--{name}: {color};" for name, color in colors.items())

    text = (
        f":root {{ color-scheme: light dark; --font: {FONT}; {scheme(LIGHT)} }}\n"
        f"@media (prefers-color-scheme: dark) {{ :root {{ {scheme(DARK)} }} }}\n"
    )
    return Response(text, headers=_FRESH, media_type="text/css")


@router.get("/static/theme.js")
async def read_theme() -> Response:
    """Return what figures are drawn with, and the dark partner of each colour, as a module."""
    parts = {"COLORS": LIGHT, "SHADES": SHADES, "TEMPLATE": TEMPLATE}
    text = "".join(f"export const {name} = {json.dumps(part)};\n" for name, part in parts.items())
    return Response(text, headers=_FRESH, media_type="text/javascript")


class _Files(StaticFiles):
    def file_response(self, *args: Any, **kwargs: Any) -> Response:
        response = super().file_response(*args, **kwargs)
        response.headers.update(_FRESH)
        return response


def mount_files(app: FastAPI) -> None:
    """Serve the other files of the dashboard."""
    app.mount("/static", _Files(directory=STATIC, check_dir=False))
