"""ask, tell, fail, attach: the loop by hand or from a script."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from snakebo.commands.display import (
    print_json,
    say_points,
    say_trial,
    show_number,
    show_spent,
    show_values,
    trial_record,
)
from snakebo.commands.exits import code_of, say
from snakebo.commands.options import (
    AsJson,
    Name,
    Storage,
    load_campaign,
    read_assignments,
    suggest,
)
from snakebo.csv_table import read_number
from snakebo.errors import BudgetSpentError, InputError, SnakeboError

if TYPE_CHECKING:
    from snakebo.campaign import Campaign
    from snakebo.trial import Trial


def ask(
    ctx: typer.Context,
    number: Annotated[
        int | None, typer.Option("-n", "--number", min=1, metavar="N", help="Ask for N settings at once.")
    ] = None,
    storage: Storage = None,
    name: Name = None,
    json: AsJson = False,
) -> None:
    """Ask for the next setting to try, or for several.

    Each becomes an outstanding trial; tell its result when it is there, in any order. Fewer than N are given
    where the budget ends. With --json: an object, or a list if -n is given.

    \b
    Examples:
      snakebo ask
      snakebo ask -n 5
      snakebo ask --json | jq .x
    """
    campaign = load_campaign(storage, name)
    trials, trouble = [campaign.ask()], None
    while len(trials) < (number or 1) and trouble is None:
        try:
            trials.append(campaign.ask())
        except SnakeboError as error:  # what was handed out before must be shown in any case
            say(f"Only {len(trials)} of {number}: {error}")
            trouble = error
    if json:
        records = [trial_record(trial) for trial in trials]
        print_json(records[0] if number is None else records)
    elif len(trials) == 1:
        say_trial(campaign, trials[0])
    else:
        say_points(campaign, "trial", [(str(t.id), t.x, show_number(t.cost)) for t in trials])
    if not json:
        _suggest_tell(ctx, campaign, trials[0])
    if trouble is not None and not isinstance(trouble, BudgetSpentError):
        raise typer.Exit(code_of(trouble))


def tell(
    ctx: typer.Context,
    trial: Annotated[int | None, typer.Argument(metavar="ID", help="The trial.", show_default=False)] = None,
    values: Annotated[
        list[str] | None,
        typer.Argument(metavar="VALUE | NAME=VALUE …", help="What was measured.", show_default=False),
    ] = None,
    csv: Annotated[
        Path | None,
        typer.Option(
            "--csv", metavar="FILE", help="Tell all results of a table: columns trial and objectives."
        ),
    ] = None,
    x: Annotated[
        list[str] | None,
        typer.Option("--x", metavar="NAME=VALUE", help="What was really set, where it differs. Repeatable."),
    ] = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="Correct a result that was told, or a trial that failed.")
    ] = False,
    storage: Storage = None,
    name: Name = None,
    json: AsJson = False,
) -> None:
    """Tell the result of a trial, or of all trials in a table.

    Telling the same again changes nothing; another value needs --replace, and the old one is kept in the
    journal. A table has a column trial and one for each objective; columns named like variables are what was
    really set; rows without any result are left out. All rows are checked before the first is told.

    \b
    Examples:
      snakebo tell 7 0.73
      snakebo tell 7 yield=0.73 purity=0.98
      snakebo tell 7 0.71 --x flow=0.9 --replace
      snakebo tell --csv results.csv
    """
    from snakebo.results import read_results

    if csv is not None and (trial is not None or x):
        raise typer.BadParameter("--csv goes without ID, VALUE and --x.")
    if csv is None and (trial is None or not values):
        raise typer.BadParameter("Give ID and VALUE, as in: snakebo tell 7 0.73, or --csv FILE.")
    campaign = load_campaign(storage, name)
    if csv is not None:
        table = read_results(csv, campaign, replace)
        told = [campaign.tell(row.trial, row.values, x=row.x, replace=replace) for row in table.measured]
        if json:
            print_json({"told": [trial_record(each) for each in told], "left_out": table.left_out})
            return
        print(f"{len(told)} results told; {table.left_out} rows without a result left out.")
    else:
        assert trial is not None
        assert values
        if len(values) == 1 and "=" not in values[0]:
            given: float | dict[str, float] = read_number(values[0], campaign.objectives[0])
        else:
            given = read_assignments(values, "A result")
        actual = None
        if x:
            actual = {**campaign.trial(trial).x, **read_assignments(x, "--x")}
        done = campaign.tell(trial, given, x=actual, replace=replace)
        if json:
            print_json(trial_record(done))
            return
        print(f"Trial {done.id} told: {show_values(done.values)}.")
    best = campaign.best
    if best is not None:
        print(f"Best so far: trial {best.id}, {show_values(best.values)}. Spent {show_spent(campaign)}.")
    if campaign.steps_left:
        print(f"Ask for the next with: {suggest(ctx, 'ask')}")


def fail(
    ctx: typer.Context,
    trial: Annotated[int, typer.Argument(metavar="ID", help="The trial.")],
    reason: Annotated[list[str] | None, typer.Argument(metavar="[REASON]", help="Why.")] = None,
    storage: Storage = None,
    name: Name = None,
    json: AsJson = False,
) -> None:
    """Record that a trial gave no result. It stays counted and is never modelled as a value.

    \b
    Examples:
      snakebo fail 7
      snakebo fail 7 pump stalled
    """
    campaign = load_campaign(storage, name)
    failed = campaign.fail(trial, " ".join(reason or []))
    if json:
        print_json(trial_record(failed))
        return
    print(f"Trial {failed.id} failed{f': {failed.reason}' if failed.reason else ''}.")
    print(f"Ask for the next with: {suggest(ctx, 'ask')}")


def attach(
    ctx: typer.Context,
    x: Annotated[list[str], typer.Argument(metavar="NAME=VALUE …", help="A value for every variable.")],
    storage: Storage = None,
    name: Name = None,
    json: AsJson = False,
) -> None:
    """Add a setting of your own, a trial like any other.

    It counts and moves the apparatus.

    \b
    Example:
      snakebo attach temperature=60 equivalents=2
    """
    settings = read_assignments(x, "A setting")
    if not settings:
        raise InputError("A setting of your own needs a value for every variable, as name=value.")
    campaign = load_campaign(storage, name)
    attached = campaign.attach(settings)
    if json:
        print_json(trial_record(attached))
        return
    say_trial(campaign, attached)
    _suggest_tell(ctx, campaign, attached)


def _suggest_tell(ctx: typer.Context, campaign: Campaign, trial: Trial) -> None:
    names = campaign.objectives
    value = "VALUE" if len(names) == 1 else " ".join(shlex.quote(f"{each}=VALUE") for each in names)
    print(f"Tell the result with: {suggest(ctx, f'tell {trial.id} {value}')}")
