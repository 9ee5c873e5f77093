"""status, plan, best: where a campaign stands, where it is heading, what it found."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from snakebo.commands.display import (
    print_json,
    say_pairs,
    say_points,
    say_trial,
    show_number,
    show_point,
    show_spent,
    show_values,
    trial_record,
)
from snakebo.commands.options import AsJson, Name, Storage, hide_password, load_campaign, suggest

_SHOWN = 20  # outstanding trials


def status(ctx: typer.Context, storage: Storage = None, name: Name = None, json: AsJson = False) -> None:
    """Show where the campaign stands.

    Steps, cost, outstanding trials, the best so far.

    \b
    Examples:
      snakebo status
      snakebo status --json | jq .outstanding
    """
    from snakebo.methods import name_of

    campaign = load_campaign(storage, name)
    settings, trials, best = campaign.settings, campaign.trials, campaign.best
    counts = {state: sum(trial.state == state for trial in trials) for state in ("told", "failed")}
    if json:
        data: dict[str, Any] = {
            "name": campaign.name,
            "storage": hide_password(str(storage)),
            "method": name_of(settings.method) or type(settings.method).__name__,
            "objectives": dict(settings.directions),
            "budget": campaign.budget,
            "steps": len(trials),
            "steps_left": campaign.steps_left,
            **counts,
            "outstanding": [trial.id for trial in campaign.outstanding],
            "spent": campaign.spent,
            "cost_budget": settings.cost_budget,
            "position": None if campaign.position is None else dict(campaign.position),
            "best": None if best is None else trial_record(best),
        }
        print_json(data)
        return
    here, waiting = campaign.position, campaign.outstanding
    rows = [
        ("storage", hide_password(str(storage))),
        ("method", name_of(settings.method) or type(settings.method).__name__),
        ("objectives", ", ".join(f"{each} ({way})" for each, way in settings.directions.items())),
        ("steps", f"{len(trials)} of {campaign.budget}: {counts['told']} told, {counts['failed']} failed, "
                  f"{len(waiting)} outstanding"),
        ("spent", show_spent(campaign)),
        ("position", "unknown" if here is None else show_point(campaign.space, here)),
        ("best", "nothing told yet" if best is None else f"trial {best.id}, {show_values(best.values)}"),
    ]  # fmt: skip
    say_pairs(f"Campaign {campaign.name}", rows)
    if waiting:
        print(f"Outstanding{f', the first {_SHOWN} of {len(waiting)}' if len(waiting) > _SHOWN else ''}:")
        say_points(campaign, "trial", [(str(t.id), t.x, show_number(t.cost)) for t in waiting[:_SHOWN]])
    print(f"Next: {suggest(ctx, 'ask' if campaign.steps_left else 'best')}")


def plan(
    number: Annotated[
        int | None, typer.Option("-n", "--number", min=1, metavar="N", help="The next N only.")
    ] = None,
    storage: Storage = None,
    name: Name = None,
    json: AsJson = False,
) -> None:
    """Show the settings ahead, in order, with the cost of each move. Nothing is asked for.

    \b
    Examples:
      snakebo plan
      snakebo plan -n 10 --json
    """
    campaign = load_campaign(storage, name)
    points = campaign.plan()[:number]
    space, cost, here = campaign.space, campaign.settings.cost, campaign.position
    moves = []
    for x in points:
        move = 0.0 if here is None else float(cost(space.point(here)[None], space.point(x)[None])[0, 0])
        moves.append(move)
        here = x
    if json:
        print_json([{"x": x, "cost": move} for x, move in zip(points, moves, strict=True)])
    elif not points:
        print(
            f"Nothing is left to plan: {len(campaign.trials)} of {campaign.budget} steps are used, "
            f"spent {show_spent(campaign)}."
        )
    else:
        rows = zip(points, moves, strict=True)
        say_points(campaign, "step", [(str(i), x, show_number(m)) for i, (x, m) in enumerate(rows, 1)])


def best(
    ctx: typer.Context,
    by: Annotated[
        str | None, typer.Option("--by", metavar="OBJECTIVE", help="By this objective; else by the first.")
    ] = None,
    storage: Storage = None,
    name: Name = None,
    json: AsJson = False,
) -> None:
    """Show the best trial told so far. Before the first result, --json prints null.

    \b
    Examples:
      snakebo best
      snakebo best --by purity --json
    """
    campaign = load_campaign(storage, name)
    found = campaign.best_by(by or campaign.objectives[0])
    if json:
        print_json(None if found is None else trial_record(found))
    elif found is None:
        print(f"Nothing was told yet. Ask for a setting with: {suggest(ctx, 'ask')}")
    else:
        say_trial(campaign, found)
