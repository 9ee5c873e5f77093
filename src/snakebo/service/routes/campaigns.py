"""Campaigns: all of them, a new one, one of them, its plan."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from fastapi import APIRouter, Request, Response

from snakebo import __version__
from snakebo.campaign import Campaign
from snakebo.service.bodies import parse_definition, read_spec
from snakebo.service.documents import answer, describe_campaign, describe_plan, encode
from snakebo.service.pictures import list_figures
from snakebo.service.routes.shared import Name, TheDesk, problems
from snakebo.service.schema import responses
from snakebo.service.shelf import Loaded
from snakebo.toml_spec import EXAMPLES

router = APIRouter()

_DEFINITION: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "description": "The keys of a TOML spec as JSON, or the TOML text itself.",
        "content": {
            "application/json": {"schema": {"$ref": "#/components/schemas/Definition"}},
            "application/toml": {"schema": {"type": "string"}, "example": EXAMPLES["minimal"]},
        },
    }
}


@router.get("/api/health", response_model=responses.Health, responses=problems())
async def read_health() -> Response:
    """Say that the service is there. Needs no token."""
    return answer({"status": "ok", "version": __version__})


@router.get("/api/campaigns", response_model=responses.Campaigns, responses=problems())
async def list_campaigns(desk: TheDesk) -> Response:
    """List all campaigns, oldest first, with where each stands."""
    return await desk.run(lambda: answer({"campaigns": desk.overview.summaries()}))


@router.post(
    "/api/campaigns",
    status_code=201,
    response_model=responses.Campaign,
    responses=problems(400, 409, 413, 415, 422),
    openapi_extra=_DEFINITION,
)
async def create_campaign(desk: TheDesk, request: Request) -> Response:
    """Create a campaign from its definition, the keys of a TOML spec as JSON, or the TOML text itself."""
    body = await read_spec(request)

    def create() -> Response:
        campaign = Campaign(**parse_definition(body, request), storage=desk.storage)
        desk.shelf.drop(campaign.name)  # one of that name may have gone with its database
        location = f"/api/campaigns/{quote(campaign.name, safe='')}"
        return answer(_campaign(desk.shelf.put(campaign)), 201, {"Location": location})

    return await desk.think(create)


@router.get("/api/campaigns/{name}", response_model=responses.Campaign, responses=problems(404, 409))
async def read_campaign(desk: TheDesk, name: Name) -> Response:
    """Return where a campaign stands, with its definition and its outstanding trials. Never plans."""
    return answer(await desk.read(name, _campaign))


@router.get("/api/campaigns/{name}/plan", response_model=responses.Plan, responses=problems(404, 409))
async def read_plan(desk: TheDesk, name: Name) -> Response:
    """Return the points ahead; after news this makes a new plan. Nothing is asked for."""
    return answer(await desk.plan(name, _plan))


def _campaign(loaded: Loaded) -> bytes:
    history = loaded.campaign.history()
    exhausted = loaded.exhausted(history.seq)
    return loaded.recall(
        ("campaign", exhausted),
        history.seq,
        lambda: encode(describe_campaign(history, exhausted, list_figures())),
    )


def _plan(loaded: Loaded) -> bytes:
    history, ahead = loaded.campaign.look_ahead()
    if not len(ahead):
        loaded.nothing_left = history.seq
    return loaded.recall("plan", history.seq, lambda: encode(describe_plan(history, ahead)))
