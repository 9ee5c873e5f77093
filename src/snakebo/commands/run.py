"""run: let the campaign measure by itself, with a test problem, a Python function or a program."""

from __future__ import annotations

import math
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from snakebo.commands.display import (
    print_json,
    say_trial,
    show_number,
    show_spent,
    show_values,
    trial_record,
)
from snakebo.commands.exits import Exit, say
from snakebo.commands.options import AsJson, Name, Storage, load_campaign, suggest

if TYPE_CHECKING:
    from snakebo.campaign import Campaign
    from snakebo.drive import Driver, Ending, Evaluator, Watcher
    from snakebo.trial import Trial


def run(
    ctx: typer.Context,
    problem: Annotated[
        str | None, typer.Option("--problem", metavar="NAME", help="Measure with a test problem.")
    ] = None,
    python: Annotated[
        str | None,
        typer.Option("--python", metavar="MODULE:FUNCTION", help="Measure with a function of a dictionary."),
    ] = None,
    command: Annotated[
        str | None,
        typer.Option("--command", metavar="COMMAND", help="Measure with a program: JSON in, result out."),
    ] = None,
    timeout: Annotated[
        float | None, typer.Option("--timeout", min=0.001, metavar="SECONDS", help="For one COMMAND.")
    ] = None,
    delay: Annotated[
        int, typer.Option("--delay", min=0, metavar="K", help="Tell each result K asks late.")
    ] = 0,
    parallel: Annotated[
        int, typer.Option("--parallel", min=1, max=1000, metavar="N", help="Measure N settings at once.")
    ] = 1,
    steps: Annotated[
        int | None, typer.Option("--steps", min=1, metavar="N", help="Measure N settings this time.")
    ] = None,
    most_failures: Annotated[
        int,
        typer.Option("--max-failures", min=0, metavar="N", help="Give up after N in a row; 0: never."),
    ] = 10,
    storage: Storage = None,
    name: Name = None,
    json: AsJson = False,
) -> None:
    """Ask, measure and tell by itself until the budget is used up.

    A COMMAND gets the settings as a JSON object on stdin (and the trial's id in SNAKEBO_TRIAL) and prints a
    number, or a JSON object by objective, as its last line. If it exits with another code than 0, takes too
    long or prints something else, the trial is failed with that reason.

    Ctrl-C stops: what was measured is told, the rest stays outstanding. The same command goes on later, with
    the outstanding trials first.

    \b
    Examples:
      snakebo run --problem snar4d --delay 25
      snakebo run --command "python reactor.py" --timeout 600
      snakebo run --python mylab:measure --parallel 4
    """
    if sum(each is not None for each in (problem, python, command)) != 1:
        raise typer.BadParameter("Give one of --problem, --python and --command.")
    if timeout is not None and command is None:
        raise typer.BadParameter("--timeout is for --command; a function cannot be ended from outside.")
    from snakebo.drive import Driver

    campaign = load_campaign(storage, name)
    evaluator = _evaluator(campaign, problem, python, command, timeout)
    if not campaign.outstanding and campaign.finished:
        say(f"Nothing is left to ask: {len(campaign.trials)} of {campaign.budget} steps are used, spent "
            f"{show_spent(campaign)}.")  # fmt: skip
        if json:
            print_json(_summary(campaign, None))
        raise typer.Exit(Exit.NOTHING_LEFT)
    with _progress(campaign) as watch:
        driver = Driver(
            campaign,
            evaluator,
            delay=delay,
            parallel=parallel,
            most_failures=most_failures or math.inf,
            most_steps=steps or math.inf,
            watch=watch,
        )
        with _stop_by_signal(driver):
            ending = driver.run()
    _conclude(ctx, campaign, ending, json)


def _evaluator(
    campaign: Campaign, problem: str | None, python: str | None, command: str | None, timeout: float | None
) -> Evaluator:
    from snakebo.evaluators import Program, load_function, load_problem

    if problem is not None:
        return load_problem(problem, campaign)
    if python is not None:
        return load_function(python)
    return Program(command or "", timeout)


def _conclude(ctx: typer.Context, campaign: Campaign, ending: Ending, json: bool) -> None:
    if json:
        print_json(_summary(campaign, ending))
    else:
        best, waiting = campaign.best, len(campaign.outstanding)
        print(
            f"{ending.told} results told, {ending.failed} failed, {waiting} outstanding; "
            f"{len(campaign.trials)} of {campaign.budget} steps used, spent {show_spent(campaign)}."
        )
        if best is not None:
            print("Best so far:")
            say_trial(campaign, best)
        if not ending.interrupted and not ending.trouble:
            print(f"See all of it with: {suggest(ctx, 'report')}")
    if ending.trouble:
        say(f"Error: gave up: {ending.trouble}")
        raise typer.Exit(Exit.ERROR)
    if ending.interrupted:
        say("Interrupted; what was measured is told. The same command goes on from here.")
        raise typer.Exit(Exit.INTERRUPTED)


def _summary(campaign: Campaign, ending: Ending | None) -> dict[str, Any]:
    best = campaign.best
    return {
        "told": ending.told if ending else 0,
        "failed": ending.failed if ending else 0,
        "interrupted": bool(ending and ending.interrupted),
        "gave_up": ending.trouble if ending else "",
        "steps": len(campaign.trials),
        "budget": campaign.budget,
        "outstanding": [trial.id for trial in campaign.outstanding],
        "spent": campaign.spent,
        "best": None if best is None else trial_record(best),
    }


@contextmanager
def _stop_by_signal(driver: Driver) -> Iterator[None]:
    """Let the first Ctrl-C, or a SIGTERM, end the run in order; a second one does not wait for planning."""

    def handle(number: int, frame: Any) -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        driver.stop()

    kinds = (signal.SIGINT, signal.SIGTERM)
    before = {kind: signal.signal(kind, handle) for kind in kinds}
    try:
        yield
    finally:
        for kind, handler in before.items():
            signal.signal(kind, handler)


@contextmanager
def _progress(campaign: Campaign) -> Iterator[Watcher]:
    """A live display on stderr; where that is no terminal, a line for each result."""
    from rich.console import Console

    console = Console(stderr=True)
    if not console.is_terminal:
        yield _line_printer(campaign)
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    bar = Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[now]}", markup=False),
        console=console,
    )
    with bar:
        task = bar.add_task(campaign.name, total=campaign.budget, completed=_done(campaign), now="planning …")

        def watch(trial: Trial | None, running: int) -> None:
            bar.update(task, completed=_done(campaign), now=f"{_best(campaign)}  measuring {running}")
            if trial is not None and trial.reason:
                bar.console.print(f"trial {trial.id} failed: {trial.reason}", markup=False, highlight=False)

        yield watch


def _line_printer(campaign: Campaign) -> Callable[[Trial | None, int], None]:
    def watch(trial: Trial | None, running: int) -> None:
        if trial is not None:
            what = f"failed: {trial.reason}" if trial.reason else show_values(trial.values)
            line = f"[{_done(campaign)}/{campaign.budget}] trial {trial.id} {what}  ({_best(campaign)})"
            print(line, file=sys.stderr, flush=True)

    return watch


def _done(campaign: Campaign) -> int:
    return len(campaign.trials) - len(campaign.outstanding)


def _best(campaign: Campaign) -> str:
    best = campaign.best
    shown = "–" if best is None else show_number(best.values[campaign.objectives[0]])
    return f"best {shown}, spent {show_spent(campaign)}"
