"""Trials: all of them, ask, tell, fail, attach."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Query, Request, Response

from snakebo.errors import BudgetSpentError
from snakebo.frames import trials_frame
from snakebo.history import History
from snakebo.service.bodies import check_values, read_model
from snakebo.service.documents import Document, answer, describe_trial
from snakebo.service.problems import naming
from snakebo.service.routes.shared import Key, Name, TheDesk, TrialId, body_of, problems
from snakebo.service.schema import requests, responses
from snakebo.service.shelf import Loaded
from snakebo.settings import Settings
from snakebo.trial import State, Trial

router = APIRouter()


class Format(StrEnum):
    """What a table of trials can be written as."""

    JSON = "json"
    CSV = "csv"


@router.get(
    "/api/campaigns/{name}/trials",
    response_model=responses.Trials,
    responses={
        **problems(404, 409, 422),
        200: {"content": {"text/csv": {"schema": {"type": "string"}}}},
    },
)
async def list_trials(
    desk: TheDesk,
    name: Name,
    form: Annotated[Format, Query(alias="format", description="JSON, or a table to save.")] = Format.JSON,
    state: Annotated[State | None, Query(description="Only trials in this state.")] = None,
    after: Annotated[int, Query(ge=-1, description="Only trials with a greater id.")] = -1,
    limit: Annotated[int, Query(ge=1, le=1_000_000, description="At most so many.")] = 1_000_000,
) -> Response:
    """List trials in the order in which they were asked or attached."""

    def choose(history: History) -> list[Trial]:
        found = [each for each in history.trials[after + 1 :] if state is None or each.state is state]
        return found[:limit]

    def write_json(loaded: Loaded) -> Response:
        history = loaded.campaign.history()
        return answer({"trials": [describe_trial(each, history.settings) for each in choose(history)]})

    def write_csv(loaded: Loaded) -> Response:
        history = loaded.campaign.history()
        chosen = {each.id for each in choose(history)}
        frame = trials_frame(history.trials, history.settings).reset_index()
        frame = frame[frame["trial"].isin(chosen)].rename(columns=_harmless)
        frame["reason"] = frame["reason"].map(_harmless)
        file = quote(f"{history.settings.name}.csv", safe="", errors="replace")
        disposition = f"attachment; filename=\"trials.csv\"; filename*=UTF-8''{file}"
        table = frame.to_csv(index=False, lineterminator="\n").encode("utf-8", "backslashreplace")
        return Response(table, headers={"Content-Disposition": disposition}, media_type="text/csv")

    return await desk.read(name, write_csv if form is Format.CSV else write_json)


@router.post(
    "/api/campaigns/{name}/ask",
    status_code=201,
    response_model=responses.AskedTrial,
    responses={
        **problems(400, 404, 409, 413, 415, 422),
        200: {"model": responses.AskedTrial, "description": "The trial that the same key gave before."},
    },
    openapi_extra=body_of(requests.Nothing, required=False),
)
async def ask(desk: TheDesk, name: Name, key: Key, request: Request) -> Response:
    """Ask for the next setting to try. It becomes an outstanding trial; tell its result when it is there."""
    await read_model(request, requests.Nothing, needed=False)
    came = await desk.read(name, lambda loaded: loaded.campaign.history())
    known = came.repeated(key, "asked")
    if known is not None:  # no need to wait for a plan
        return answer(_asked(known, came.settings))

    def hand_out(loaded: Loaded) -> Response:
        before = loaded.campaign.history()
        try:
            trial = loaded.campaign.ask(key, came.changed)  # those that wait together share a plan
        except BudgetSpentError:
            loaded.nothing_left = before.seq
            raise
        return answer(_asked(trial, before.settings), 200 if key in before.keys else 201)

    return await desk.plan(name, hand_out)


@router.post(
    "/api/campaigns/{name}/attach",
    status_code=201,
    response_model=responses.Trial,
    responses={
        **problems(400, 404, 409, 413, 415, 422),
        200: {"model": responses.Trial, "description": "The trial that the same key gave before."},
    },
    openapi_extra=body_of(requests.Setting),
)
async def attach(desk: TheDesk, name: Name, key: Key, request: Request) -> Response:
    """Add a setting of one's own: a trial like any other, which counts and moves the apparatus."""
    setting = await read_model(request, requests.Setting)

    def add(loaded: Loaded) -> Response:
        known = key in loaded.campaign.history().keys
        with naming("x"):
            trial = loaded.campaign.attach(setting.x, key)
        return answer(_document(loaded, trial), 200 if known else 201)

    return await desk.read(name, add)


@router.post(
    "/api/campaigns/{name}/trials/{trial}/tell",
    response_model=responses.Trial,
    responses=problems(400, 404, 409, 413, 415, 422),
    openapi_extra=body_of(requests.Result),
)
async def tell(desk: TheDesk, name: Name, trial: TrialId, request: Request) -> Response:
    """Tell the result of a trial. Telling the same again changes nothing; another value needs `replace`."""
    result = await read_model(request, requests.Result)
    value = check_values(result.value, result.values)

    def record(loaded: Loaded) -> Response:
        with naming("value" if result.values is None else "values"):
            loaded.campaign.settings.values(value)
        with naming("x"):
            told = loaded.campaign.tell(trial, value, x=result.x, replace=result.replace)
        return answer(_document(loaded, told))

    return await desk.read(name, record)


@router.post(
    "/api/campaigns/{name}/trials/{trial}/fail",
    response_model=responses.Trial,
    responses=problems(400, 404, 409, 413, 415, 422),
    openapi_extra=body_of(requests.Failure, required=False),
)
async def fail(desk: TheDesk, name: Name, trial: TrialId, request: Request) -> Response:
    """Record that a trial gave no result. It stays counted and is never modelled as a value."""
    failure = await read_model(request, requests.Failure, needed=False)

    def record(loaded: Loaded) -> Response:
        return answer(_document(loaded, loaded.campaign.fail(trial, failure.reason)))

    return await desk.read(name, record)


def _harmless(text: str) -> str:
    """A text from outside that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text


def _asked(trial: Trial, settings: Settings) -> Document:
    return {**describe_trial(trial, settings), "planned_cost": trial.cost}


def _document(loaded: Loaded, trial: Trial) -> Document:
    return describe_trial(trial, loaded.campaign.settings)
