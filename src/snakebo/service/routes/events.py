"""What happens, as server-sent events."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Header, Query, Response
from starlette.responses import StreamingResponse

from snakebo.service.routes.shared import Name, TheDesk, TheFeeds, problems

router = APIRouter()

_STREAM: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "`id:` is the number of the event, `event:` asked, attached, told, failed, data "
        'or replanned, `data:` {"seq", "at", "trial"}.',
        "content": {"text/event-stream": {"schema": {"$ref": "#/components/schemas/Event"}}},
    }
}


@router.get(
    "/api/campaigns/{name}/events",
    response_class=Response,
    responses={**problems(404, 409, 422), **_STREAM},
)
async def stream_events(
    desk: TheDesk,
    feeds: TheFeeds,
    name: Name,
    last: Annotated[int | None, Header(alias="Last-Event-ID", ge=0, description="Resume after it.")] = None,
    after: Annotated[int | None, Query(ge=0, description="The same, where a header cannot be sent.")] = None,
) -> Response:
    """Stream what happens to a campaign, whoever does it; from now on, or after an event."""
    seq = await desk.read(name, lambda loaded: loaded.campaign.history().seq)
    messages = feeds.listen(name, seq, after if last is None else last)
    return StreamingResponse(messages, media_type="text/event-stream", headers={"X-Accel-Buffering": "no"})
