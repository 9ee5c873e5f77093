"""Campaigns: all of them, a new one, one of them, its plan."""

from __future__ import annotations

from functools import partial
from typing import Any
from urllib.parse import quote

from fastapi import APIRouter, Request, Response

from snakebo import __version__
from snakebo.campaign import Campaign
from snakebo.errors import StorageError
from snakebo.service import schema
from snakebo.service.bodies import parse_definition, read_spec
from snakebo.service.documents import (
    Document,
    answer,
    describe_campaign,
    describe_plan,
    describe_summary,
)
from snakebo.service.pictures import list_figures
from snakebo.service.problems import NeedsCodeError
from snakebo.service.routes.shared import Name, TheDesk, problems
from snakebo.service.shelf import Loaded, Shelf

router = APIRouter()

_SPEC: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "description": "The keys of a TOML spec; only name, budget and variables are needed.",
        "content": {
            "application/json": {
                "schema": {
                    "type": "object",
                    "required": ["name", "budget", "variables"],
                    "properties": {
                        "name": {"type": "string", "minLength": 1, "maxLength": 200},
                        "budget": {"type": "integer", "minimum": 1},
                        "variables": {"type": "array", "minItems": 1, "items": {"type": "object"}},
                    },
                },
                "example": schema.SPEC_EXAMPLE,
            },
            "application/toml": {"schema": {"type": "string"}},
        },
    }
}


@router.get("/api/health", response_model=schema.Health, responses=problems())
async def read_health() -> Response:
    """Say that the service is there. Needs no token."""
    return answer({"status": "ok", "version": __version__})


@router.get("/api/campaigns", response_model=schema.Campaigns, responses=problems())
async def list_campaigns(desk: TheDesk) -> Response:
    """List all campaigns, oldest first, with where each stands."""
    return answer({"campaigns": await desk.run(partial(_summaries, desk.shelf))})


@router.post(
    "/api/campaigns",
    status_code=201,
    response_model=schema.Campaign,
    responses=problems(400, 409, 413, 415, 422),
    openapi_extra=_SPEC,
)
async def create_campaign(desk: TheDesk, request: Request) -> Response:
    """Create a campaign from its definition, the keys of a TOML spec as JSON, or the TOML text itself."""
    body = await read_spec(request)

    def create() -> Document:
        campaign = Campaign(**parse_definition(body, request), storage=desk.storage)
        return _campaign(desk.shelf.put(campaign))

    document = await desk.run(create)
    location = f"/api/campaigns/{quote(document['name'], safe='')}"
    return answer(document, 201, {"Location": location})


@router.get("/api/campaigns/{name}", response_model=schema.Campaign, responses=problems(404, 409))
async def read_campaign(desk: TheDesk, name: Name) -> Response:
    """Return where a campaign stands, with its definition and its outstanding trials. Never plans."""
    return answer(await desk.read(name, _campaign))


@router.get("/api/campaigns/{name}/plan", response_model=schema.Plan, responses=problems(404, 409))
async def read_plan(desk: TheDesk, name: Name) -> Response:
    """Return the points ahead; after news this makes a new plan. Nothing is asked for."""
    return answer(await desk.plan(name, _plan))


def _campaign(loaded: Loaded) -> Document:
    history = loaded.campaign.history()
    nothing_left = loaded.nothing_left == history.seq
    return loaded.recall(
        ("campaign", nothing_left),
        history.seq,
        lambda: describe_campaign(history, nothing_left, list_figures()),
    )


def _plan(loaded: Loaded) -> Document:
    history, ahead = loaded.campaign.look_ahead()
    if not len(ahead):
        loaded.nothing_left = history.seq
    return loaded.recall("plan", history.seq, lambda: describe_plan(history, ahead))


def _summaries(shelf: Shelf) -> list[Document]:
    return [_summary(shelf, name) for name in shelf.storage.names()]


def _summary(shelf: Shelf, name: str) -> Document:
    try:
        loaded = shelf.take(name)
        history = loaded.campaign.history()
    except (NeedsCodeError, StorageError) as error:
        return {"name": name, "error": str(error)}
    nothing_left = loaded.nothing_left == history.seq
    return loaded.recall(
        ("summary", nothing_left), history.seq, lambda: describe_summary(history, nothing_left)
    )
