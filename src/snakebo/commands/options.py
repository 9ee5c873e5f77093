"""The options that commands share, and the campaign that they lead to."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from snakebo.csv_table import read_number
from snakebo.errors import InputError

if TYPE_CHECKING:
    from snakebo.campaign import Campaign

STORAGE = "sqlite:///snakebo.db"
_STORAGE_HELP = "Database of the campaigns, as a URL."
_NAME_HELP = "Name of the campaign; not needed where the storage has only one."


def _storage(ctx: typer.Context, value: str | None) -> str:
    return value or ctx.find_root().params.get("storage") or STORAGE


def _name(ctx: typer.Context, value: str | None) -> str | None:
    return value or ctx.find_root().params.get("name")


GlobalStorage = Annotated[
    str | None,
    typer.Option(
        "--storage", envvar="SNAKEBO_STORAGE", metavar="URL", help=f"{_STORAGE_HELP} [default: {STORAGE}]"
    ),
]
GlobalName = Annotated[str | None, typer.Option("--name", metavar="NAME", help=_NAME_HELP)]
Storage = Annotated[
    str | None,
    typer.Option(
        "--storage",
        metavar="URL",
        callback=_storage,
        help=f"{_STORAGE_HELP} [env var: SNAKEBO_STORAGE; default: {STORAGE}]",
    ),
]
Name = Annotated[str | None, typer.Option("--name", metavar="NAME", callback=_name, help=_NAME_HELP)]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON with exact values, and nothing else.")]


def load_campaign(storage: str | None, name: str | None) -> Campaign:
    """Return the campaign of that name, or the only one of the storage."""
    where = storage or STORAGE
    check_there(where)
    from snakebo.campaign import Campaign

    return Campaign.load(where, name or only_name(where))


def only_name(storage: str) -> str:
    """Return the name of the only campaign of a storage; InputError if there are none or several."""
    names = stored_names(storage)
    if not names:
        raise InputError(
            f"There is no campaign in {hide_password(storage)} yet. Create one with: snakebo init SPEC.toml"
        )
    if len(names) > 1:
        raise InputError(
            f"{hide_password(storage)} has {len(names)} campaigns; choose one with --name: "
            f"{', '.join(map(repr, names))}."
        )
    return names[0]


def stored_names(storage: str) -> list[str]:
    """Return the names of the campaigns of a storage."""
    from snakebo.storage import open_storage

    check_there(storage)
    return list(open_storage(storage).names())


def check_there(storage: str) -> None:
    """Raise InputError where there is nothing to read yet: opening would create an empty database."""
    check_lasting(storage)
    kind, slashes, path = storage.partition(":///")
    if not slashes or not kind.startswith("sqlite") or not path or path.startswith("file:"):
        return  # a server, or a path in SQLite's own notation
    if not Path(path.partition("?")[0]).exists():
        raise InputError(
            f"There is no campaign in {hide_password(storage)} yet: no such file. "
            "Create one with: snakebo init SPEC.toml"
        )


def check_lasting(storage: str) -> None:
    """Raise InputError for a storage that would be gone when the command ends."""
    if storage.startswith("memory"):
        raise InputError(f"{storage} ends with the command; use a database, such as {STORAGE}.")


def hide_password(storage: str) -> str:
    """Return a URL as it may be shown."""
    return re.sub(r"(://[^:/@]*):[^@]*@", r"\1:***@", storage)


def suggest(ctx: typer.Context, command: str) -> str:
    """Return a command to type next, with the storage and the name that were typed for this one."""
    root, typed = ctx.find_root(), ["snakebo", command]
    for option in ("storage", "name"):
        for context in (ctx, root):
            source = context.get_parameter_source(option)
            if source is not None and source.name == "COMMANDLINE":
                typed += [f"--{option}", shlex.quote(hide_password(str(context.params[option])))]
                break
    return " ".join(typed)


def read_assignments(texts: list[str], what: str) -> dict[str, float]:
    """Read `name=value` texts; InputError names the one at fault."""
    values: dict[str, float] = {}
    for text in texts:
        name, equals, number = text.rpartition("=")
        name = name.strip()
        if not equals or not name:
            raise InputError(f"{what} is written name=value; got {text!r}.")
        if name in values:
            raise InputError(f"{what} is given twice for {name!r}.")
        values[name] = read_number(number, name)
    return values
