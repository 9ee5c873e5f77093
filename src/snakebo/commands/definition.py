"""init, list, methods, problems: setting up a campaign, and what there is to choose from."""

from __future__ import annotations

import shlex
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from snakebo.commands.display import print_json, say_pairs, say_table, show_number, show_values
from snakebo.commands.options import (
    STORAGE,
    AsJson,
    Name,
    Storage,
    check_lasting,
    hide_password,
    load_campaign,
    stored_names,
    suggest,
)
from snakebo.errors import CampaignExistsError, InputError


class Example(StrEnum):
    """The example specs that come with the package."""

    REACTOR = "reactor"
    BOAT = "boat"
    MINIMAL = "minimal"


def init(
    ctx: typer.Context,
    spec: Annotated[
        Path | None, typer.Argument(metavar="SPEC.toml", help="Description of the campaign.")
    ] = None,
    example: Annotated[
        Example | None, typer.Option("--example", help="Write a commented example to SPEC.toml instead.")
    ] = None,
    storage: Storage = None,
    name: Name = None,
    json: AsJson = False,
) -> None:
    """Create a campaign from a TOML file, or write an example of one.

    A name given with --name replaces the one in the file. An existing file or campaign is never overwritten.

    \b
    Examples:
      snakebo init --example reactor
      snakebo init reactor.toml
      snakebo init reactor.toml --name tuesday --storage sqlite:///lab.db
    """
    if example is not None:
        path = spec or Path(f"{example}.toml")
        _write_example(example, path)
        if json:
            print_json({"path": str(path)})
        else:
            print(f"Wrote {path}. Adapt it, then create the campaign with: {suggest(ctx, f'init {path}')}")
        return
    if spec is None:
        raise typer.BadParameter("Give a SPEC.toml, or write one with: snakebo init --example minimal")
    from snakebo.campaign import Campaign
    from snakebo.toml_spec import read_spec

    check_lasting(storage or STORAGE)
    arguments, shown = read_spec(spec, name), hide_password(storage or STORAGE)
    try:
        campaign = Campaign(**arguments, storage=storage)
    except CampaignExistsError:
        raise CampaignExistsError(
            f"{shown} has a campaign {arguments['name']!r} already. Go on with it, or choose another --name."
        ) from None
    variables, settings = campaign.space.variables, campaign.settings
    if json:
        print_json(
            {
                "name": campaign.name,
                "storage": shown,
                "budget": campaign.budget,
                "variables": list(campaign.space.names),
                "objectives": list(campaign.objectives),
            }
        )
        return
    rows = [
        (each.name, f"{each.low:g} to {each.high:g} {each.unit}{' (free to change)' if each.free else ''}")
        for each in variables
    ]
    limit = settings.cost_budget
    rows.append(
        ("budget", f"{campaign.budget} steps{'' if limit is None else f', cost {show_number(limit)}'}")
    )
    say_pairs(f"Created campaign {campaign.name} in {shown}", rows)
    several = name is None and len(stored_names(storage or STORAGE)) > 1
    ask = f"ask --name {shlex.quote(campaign.name)}" if several else "ask"
    print(f"Ask for the first setting with: {suggest(ctx, ask)}")


def _write_example(example: Example, path: Path) -> None:
    from snakebo.toml_spec import EXAMPLES

    try:
        with path.open("x", encoding="utf-8") as stream:
            stream.write(EXAMPLES[example])
    except FileExistsError:
        raise InputError(f"{path} is there already, and nothing is overwritten; give another name.") from None


def list_campaigns(ctx: typer.Context, storage: Storage = None, json: AsJson = False) -> None:
    """List the campaigns of the storage.

    \b
    Examples:
      snakebo list
      snakebo list --storage postgresql+psycopg://lab@server/snakebo --json
    """
    records = [_campaign_record(storage, name) for name in stored_names(storage or STORAGE)]
    if json:
        print_json(records)
    elif not records:
        print(f"There is no campaign yet. Create one with: {suggest(ctx, 'init SPEC.toml')}")
    else:
        columns = ["name", "steps", "outstanding", "spent", "best"]
        say_table(columns, map(_campaign_row, records), right=["outstanding", "spent"])


def _campaign_record(storage: str | None, name: str) -> dict[str, Any]:
    try:
        campaign = load_campaign(storage, name)
    except InputError as error:  # one with a cost or a method that is code: only Python can load it
        return {"name": name, "error": str(error)}
    best = campaign.best
    return {
        "name": name,
        "steps": len(campaign.trials),
        "budget": campaign.budget,
        "outstanding": len(campaign.outstanding),
        "spent": campaign.spent,
        "best": None if best is None else dict(best.values),
    }


def _campaign_row(record: dict[str, Any]) -> list[str]:
    if "error" in record:
        return [record["name"], "", "", "", record["error"]]
    steps = f"{record['steps']} of {record['budget']}"
    best = show_values(record["best"]) if record["best"] else "–"
    return [record["name"], steps, str(record["outstanding"]), show_number(record["spent"]), best]


def list_methods(json: AsJson = False) -> None:
    """List the methods that choose what to try next.

    Each with its own settings and their defaults.

    In a spec: method = "snake", or with settings after a colon: method = "snake:epsilon=0.1".

    \b
    Examples:
      snakebo methods
      snakebo methods --json
    """
    from dataclasses import fields

    from snakebo import methods

    records: list[dict[str, Any]] = []
    for name in methods.names():
        method: Any = methods.get(name)
        settings = {each.name: getattr(method, each.name) for each in fields(method)}
        records.append({"name": name, "summary": _first_line(method), "settings": settings})
    if json:
        print_json(records)
        return
    rows = [
        [each["name"], each["summary"], ", ".join(f"{k}={v}" for k, v in each["settings"].items())]
        for each in records
    ]
    say_table(["name", "what it does", "settings"], rows)


def list_problems(json: AsJson = False) -> None:
    """List the test problems, whose best value is known.

    Try one with: snakebo run --problem NAME.

    \b
    Examples:
      snakebo problems
      snakebo problems --json
    """
    from snakebo import problems

    records: list[dict[str, Any]] = []
    for name in problems.names():
        problem = problems.get(name)
        variables = [
            {"name": each.name, "low": each.low, "high": each.high, "unit": each.unit, "free": each.free}
            for each in problem.space.variables
        ]
        records.append(
            {
                "name": name,
                "variables": variables,
                "objectives": list(problem.objectives),
                "direction": problem.direction,
                "optimum": problem.optimum,
                "citation": problem.citation,
            }
        )
    if json:
        print_json(records)
        return
    rows = [
        [each["name"], ", ".join(variable["name"] for variable in each["variables"]), _show_optimum(each)]
        for each in records
    ]
    say_table(["name", "variables", "best value"], rows)


def _show_optimum(record: dict[str, Any]) -> str:
    optimum, direction = record["optimum"], record["direction"]
    if len(record["objectives"]) == 1:
        return show_number(optimum)
    side = {"maximize": "", "minimize": " (least)"}
    return ", ".join(f"{name} {show_number(value)}{side[direction[name]]}" for name, value in optimum.items())


def _first_line(part: object) -> str:
    return (type(part).__doc__ or "").strip().splitlines()[0]
