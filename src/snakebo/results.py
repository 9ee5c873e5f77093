"""Tables of results and of earlier measurements, checked against a campaign as a whole before any is used."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from snakebo.checks import suggest
from snakebo.csv_table import CsvError, CsvTable, Row, read_csv
from snakebo.errors import InputError, UnknownTrialError
from snakebo.settings import FRAME_COLUMNS
from snakebo.trial import State

if TYPE_CHECKING:
    from snakebo.campaign import Campaign


@dataclass(frozen=True)
class Measured:
    """The result of one trial, and what was really set, if that was written down."""

    trial: int
    values: Mapping[str, float]
    x: Mapping[str, float] | None


@dataclass(frozen=True)
class Results:
    """What a table tells; rows without any result are only counted."""

    measured: Sequence[Measured]
    left_out: int


def read_results(path: Path, campaign: Campaign, replace: bool) -> Results:
    """Read a table with the columns trial and objectives, and variables where x is corrected.

    Other columns of an exported table are left alone. Raises CsvError that names row and column; also where
    a trial was told something else before and `replace` is not set.
    """
    table = read_csv(path)
    names, objectives = campaign.space.names, campaign.objectives
    _check_columns(table, ("trial", *objectives), (*names, *FRAME_COLUMNS))
    corrected = [name for name in names if name in table.columns]
    measured: list[Measured] = []
    first: dict[int, int] = {}
    for row in table.rows:
        if all(map(row.blank, objectives)):
            continue
        number = row.whole_in("trial")
        if first.setdefault(number, row.number) != row.number:
            raise row.fault(f"trial {number} is in row {first[number]} already.", "trial")
        values = {name: row.number_in(name) for name in objectives}
        x = {name: row.number_in(name) for name in corrected if not row.blank(name)}
        measured.append(_check(row, campaign, Measured(number, values, x or None), replace))
    return Results(measured, len(table.rows) - len(measured))


def read_measurements(path: Path, campaign: Campaign) -> tuple[list[dict[str, float]], list[str]]:
    """Read a table with a column for each variable and objective; return rows, and the columns not used."""
    table = read_csv(path)
    names = (*campaign.space.names, *campaign.objectives)
    _check_columns(table, names, table.columns)
    rows = []
    for row in table.rows:
        values = {name: row.number_in(name) for name in names}
        try:
            campaign.space.point({name: values[name] for name in campaign.space.names})
            campaign.settings.values({name: values[name] for name in campaign.objectives})
        except InputError as error:
            raise row.fault(str(error)) from None
        rows.append(values)
    if not rows:
        raise CsvError(f"{table.source} has no rows below the names of the columns.")
    return rows, [column for column in table.columns if column not in names]


def _check_columns(table: CsvTable, needed: Sequence[str], allowed: Sequence[str]) -> None:
    if missing := [name for name in needed if name not in table.columns]:
        raise CsvError(
            f"{table.source} lacks the column {', '.join(missing)}; it has {', '.join(table.columns)}."
        )
    for column in table.columns:
        if column not in needed and column not in allowed:
            raise CsvError(
                f"{table.source}, column {column[:100]}: unknown.{suggest(column, [*needed, *allowed])} "
                "Rename it or leave it out."
            )


def _check(row: Row, campaign: Campaign, given: Measured, replace: bool) -> Measured:
    """Return the result with a complete x; raise what `tell` would raise, before anything is told."""
    try:
        trial = campaign.trial(given.trial)
    except UnknownTrialError as error:
        raise row.fault(str(error), "trial") from None
    x = None if given.x is None else {**trial.x, **given.x}
    try:
        values = campaign.settings.values(given.values)
        done = trial.x if x is None else campaign.space.mapping(campaign.space.point(x))
    except InputError as error:
        raise row.fault(str(error)) from None
    changed = trial.state is not State.OUTSTANDING and trial.told(values, done) != trial
    if changed and not replace:
        raise row.fault(
            f"trial {trial.id} {_outcome(trial.state, trial.values)} already. Pass --replace to correct it.",
            "trial",
        )
    return Measured(given.trial, values, x)


def _outcome(state: State, values: Mapping[str, float]) -> str:
    if state is State.FAILED:
        return "failed"
    return "was told " + ", ".join(f"{name}={value:g}" for name, value in values.items())
