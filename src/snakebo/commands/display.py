"""Campaigns and trials as people and as scripts read them: rounded with units, or exact as JSON."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from snakebo.campaign import Campaign
    from snakebo.space import Space, Variable
    from snakebo.trial import Trial

_FINENESS = 2000  # a setting is shown to this part of its range
_WIDE = 200  # columns, where the output is no terminal that could wrap


def print_json(data: Any) -> None:
    """Print data as JSON, numbers exact; NaN and infinity, which JSON lacks, as null."""
    sys.stdout.write(json.dumps(_plain(data), indent=2, allow_nan=False) + "\n")


def _plain(data: Any) -> Any:
    if isinstance(data, Mapping):
        return {str(key): _plain(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_plain(value) for value in data]
    if isinstance(data, float) and not math.isfinite(data):
        return None
    return data


def trial_record(trial: Trial) -> dict[str, Any]:
    """Return all of a trial under the names that the tables use."""
    return {
        "trial": trial.id,
        "state": str(trial.state),
        "x": dict(trial.x),
        "values": dict(trial.values),
        "cost": trial.cost,
        "attached": trial.attached,
        "reason": trial.reason,
    }


def show_number(value: float) -> str:
    """Return a measured value or a cost in five digits."""
    return f"{value:.5g}"


def show_setting(variable: Variable, value: float, unit: bool = True) -> str:
    """Return a setting with its unit, rounded to a small part of its range; one on steps as it is."""
    if variable.step is not None:
        shown = f"{value:.10g}"
    else:
        places = max(0, math.ceil(-math.log10((variable.high - variable.low) / _FINENESS)))
        shown = f"{value:.{places}f}" if places < 10 and abs(value) < 1e10 else f"{value:.6g}"
    return f"{shown} {variable.unit}" if unit and variable.unit else shown


def show_point(space: Space, x: Mapping[str, float]) -> str:
    """Return a setting in one line."""
    return ", ".join(f"{each.name} {show_setting(each, x[each.name])}" for each in space.variables)


def show_values(values: Mapping[str, float]) -> str:
    """Return what was measured in one line."""
    return ", ".join(f"{name} {show_number(value)}" for name, value in values.items())


def show_spent(campaign: Campaign) -> str:
    """Return the cost spent, and of how much if there is a limit."""
    limit = campaign.settings.cost_budget
    return show_number(campaign.spent) + ("" if limit is None else f" of {show_number(limit)}")


def say_trial(campaign: Campaign, trial: Trial) -> None:
    """Print a trial: its settings one below the other, what was measured, what the move costs."""
    space = campaign.space
    rows = [(each.name, show_setting(each, trial.x[each.name])) for each in space.variables]
    rows += [(name, show_number(value)) for name, value in trial.values.items()]
    rows.append(("cost of the move", show_number(trial.cost)))
    say_pairs(f"Trial {trial.id} ({trial.state}{', attached' if trial.attached else ''})", rows)


def say_pairs(title: str, rows: Iterable[tuple[str, str]]) -> None:
    """Print names and values below a title."""
    pairs = list(rows)
    width = max((len(name) for name, _ in pairs), default=0)
    print(title)
    for name, value in pairs:
        print(f"  {name:<{width}}  {value}".rstrip())


def say_table(columns: Sequence[str], rows: Iterable[Sequence[str]], right: Iterable[str] = ()) -> None:
    """Print a table; the columns named in `right` are numbers."""
    from rich.table import Table
    from rich.text import Text

    table: Table = Table(box=None, header_style="bold", pad_edge=False)
    numbers = set(right)
    for column in columns:
        table.add_column(Text(column), justify="right" if column in numbers else "left", overflow="fold")
    for row in rows:
        table.add_row(*map(Text, row))
    stdout().print(table)


def say_points(campaign: Campaign, first: str, rows: Iterable[tuple[str, Mapping[str, float], str]]) -> None:
    """Print settings as a table with units in its head: a first column, the variables, the cost."""
    variables = campaign.space.variables
    heads = [f"{each.name} [{each.unit}]" if each.unit else each.name for each in variables]
    body = [
        [label, *(show_setting(each, x[each.name], unit=False) for each in variables), cost]
        for label, x, cost in rows
    ]
    say_table([first, *heads, "cost"], body, right=[first, *heads, "cost"])


def stdout() -> Console:
    """Return a console for results."""
    from rich.console import Console

    plain = Console(file=sys.stdout)
    return plain if plain.is_terminal else Console(file=sys.stdout, width=_WIDE)
