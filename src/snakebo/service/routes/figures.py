"""The figures of the report, one at a time, for any page that has Plotly."""

from __future__ import annotations

from functools import partial
from secrets import token_hex
from typing import Annotated

from fastapi import APIRouter, Header, Path, Response

from snakebo.service.pictures import check_figure, draw_figure
from snakebo.service.routes.shared import Name, TheDesk, problems
from snakebo.service.schema import responses

router = APIRouter()

_THIS_RUN = token_hex(4)  # another run may serve another database under the same address


@router.get(
    "/api/campaigns/{name}/figures/{figure}",
    response_model=responses.Figure,
    responses={**problems(404, 409), 304: {"description": "The figure is still the one with this ETag."}},
)
async def read_figure(
    desk: TheDesk,
    name: Name,
    figure: Annotated[str, Path(description="One of the campaign's `figures`.", examples=["path"])],
    known: Annotated[
        str | None, Header(alias="If-None-Match", description="The ETag of the figure that is there.")
    ] = None,
) -> Response:
    """Draw a figure, as Plotly's JSON. Figures that show the plan may have to make it."""
    check_figure(figure)
    seq = await desk.read(name, lambda loaded: loaded.campaign.history().seq)
    if known == _tag(seq):
        return Response(status_code=304, headers=_headers(seq))
    seq, text = await desk.plan(name, partial(draw_figure, figure))
    return Response(text, headers=_headers(seq), media_type="application/json")


def _tag(seq: int) -> str:
    return f'"{_THIS_RUN}-{seq}"'


def _headers(seq: int) -> dict[str, str]:
    return {"ETag": _tag(seq), "Cache-Control": "private, no-cache"}
