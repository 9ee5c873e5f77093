"""export, import, report: a campaign to and from files."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from enum import StrEnum
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from snakebo.commands.display import print_json
from snakebo.commands.options import AsJson, Name, Storage, load_campaign, suggest
from snakebo.errors import InputError

if TYPE_CHECKING:
    import pandas as pd


class Format(StrEnum):
    """What a table can be written as."""

    CSV = "csv"
    PARQUET = "parquet"
    JSON = "json"


def export(
    path: Annotated[
        Path | None, typer.Argument(metavar="[FILE]", help="Where to; stdout if left out.")
    ] = None,
    form: Annotated[
        Format | None, typer.Option("--format", help="Else by the ending of FILE; csv on stdout.")
    ] = None,
    storage: Storage = None,
    name: Name = None,
    json: AsJson = False,
) -> None:
    """Write all trials as a table: CSV, Parquet or JSON.

    State, settings, values, cost of each move, cost spent until then. Numbers are exact. --json is
    --format json on stdout; with FILE it prints what was written where.

    \b
    Examples:
      snakebo export > trials.csv
      snakebo export trials.parquet
      snakebo export --format json | jq '.[-1]'
    """
    chosen = form or _format_of(path, Format.JSON if json else Format.CSV)
    if chosen is Format.PARQUET:
        if path is None:
            raise typer.BadParameter("Parquet is not for stdout; give a FILE.")
        if find_spec("pyarrow") is None:
            raise InputError("Parquet needs pyarrow: pip install 'snakebo[parquet]'. CSV and JSON do not.")
    frame = load_campaign(storage, name).to_frame().reset_index()
    if path is None:
        sys.stdout.write(_as_text(frame, chosen))
        return
    if chosen is Format.PARQUET:
        _write(path, lambda target: frame.to_parquet(target, engine="pyarrow", index=False))
    else:
        text = _as_text(frame, chosen)
        _write(path, lambda target: target.write_text(text, encoding="utf-8"))
    if json:
        print_json({"path": str(path), "format": str(chosen), "rows": len(frame)})
    else:
        print(f"Wrote {len(frame)} trials to {path}.")


def _format_of(path: Path | None, otherwise: Format) -> Format:
    if path is None:
        return otherwise
    ending = path.suffix.lower().removeprefix(".")
    if ending not in list(Format):
        known = ", ".join(f".{each}" for each in Format)
        raise InputError(f"{path} must end in one of {known}, or give --format.")
    return Format(ending)


def _as_text(frame: pd.DataFrame, form: Format) -> str:
    if form is Format.CSV:
        return str(frame.to_csv(index=False, lineterminator="\n"))
    import json

    records = frame.astype(object).where(frame.notna(), None).to_dict("records")
    return json.dumps(records, indent=2, default=lambda value: value.item()) + "\n"


def _write(path: Path, write: Callable[[Path], object]) -> None:
    """Write a file as a whole or not at all."""
    if path.is_dir():
        raise InputError(f"{path} is a directory; give the name of a file.")
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        write(beside)
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def import_data(
    ctx: typer.Context,
    path: Annotated[Path, typer.Argument(metavar="FILE.csv", help="A row for each measurement; - is stdin.")],
    storage: Storage = None,
    name: Name = None,
    json: AsJson = False,
) -> None:
    """Add measurements from before the campaign.

    They inform the model, cost nothing and move nothing. The table needs a column for each variable and each
    objective; other columns are left alone. All rows are checked before any is added.

    \b
    Examples:
      snakebo import last-year.csv
    """
    from snakebo.results import read_measurements

    campaign = load_campaign(storage, name)
    rows, unused = read_measurements(path, campaign)
    campaign.add_data(rows)
    if json:
        print_json({"added": len(rows), "columns_not_used": unused})
        return
    left = f"; not used: {', '.join(unused)}" if unused else ""
    print(f"Added {len(rows)} measurements{left}.")
    print(f"Ask for the next setting with: {suggest(ctx, 'ask')}")


def report(
    path: Annotated[
        Path | None, typer.Argument(metavar="[PATH]", help="Where to; else the campaign's name with .html.")
    ] = None,
    storage: Storage = None,
    name: Name = None,
    json: AsJson = False,
) -> None:
    """Write a report: one HTML file that needs no network.

    Figures, the plan ahead, all trials.

    \b
    Examples:
      snakebo report
      snakebo report results/tuesday.html
    """
    from snakebo.report import write_report

    campaign = load_campaign(storage, name)
    target = path or Path(f"{_file_name(campaign.name)}.html")
    write_report(campaign, target)
    if json:
        print_json({"path": str(target)})
    else:
        print(f"Wrote {target}. Open it in a browser.")


def _file_name(name: str) -> str:
    """Return a name in which whatever is no letter, digit, dot, dash or space is a dash."""
    safe = "".join(each if each.isalnum() or each in "._- " else "-" for each in name).strip(". ")
    return safe[:100] or "report"
