"""Experiments from TOML files, found by name; errors name the file, the line and the key."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from importlib import resources
from pathlib import Path
from typing import Any

from snakebo.bench.experiment import FIGURES, KINDS, Experiment, Grid, PaperColumns
from snakebo.bench.fixed import is_fixed
from snakebo.bench.grid_table import KEYS, choose, read_grid, read_method
from snakebo.bench.paper import check_columns
from snakebo.checks import suggest
from snakebo.errors import SpecError
from snakebo.spec.table import Table, as_table, located, shown
from snakebo.toml_spec import SpecFileError, naming_lines, parse_toml, read_text

_HEAD = ("title", "kind", "figures")
_SHIPPED = resources.files("snakebo") / "bench" / "experiments"


def shipped() -> dict[str, str]:
    """Return the titles of the experiments that come with the package, by name."""
    names = sorted(
        each.name.removesuffix(".toml") for each in _SHIPPED.iterdir() if each.name.endswith(".toml")
    )
    return {name: tomllib.loads(_read_shipped(name))["title"] for name in names}


def read_experiment(where: str | Path) -> Experiment:
    """Read an experiment of the package by its name, or any by the path of its file.

    Raises SpecFileError with the line and the key.
    """
    name, text, source = _find(str(where))
    entries = parse_toml(text, source)
    with naming_lines(text, source):
        return parse_experiment(entries, name)


def parse_experiment(value: Mapping[str, Any], name: str) -> Experiment:
    """Read an experiment from plain data; SpecError leads to the place at fault.

    The parameters of kinds other than "grid" are left to those who know the kind.
    """
    entries = as_table(value, ())
    kind = choose(entries.get("kind", "grid"), ("kind",), KINDS, "kind")
    if kind != "grid":
        own = {key: each for key, each in entries.items() if key not in _HEAD}
        head = Table({key: each for key, each in entries.items() if key in _HEAD}, (), _HEAD)
        return Experiment(name, head.text("title"), kind, figures=_read_figures(head), parameters=own)
    table = Table(entries, (), (*_HEAD, *KEYS, "paper", "also"))
    shared = {key: each for key, each in table.entries.items() if key in KEYS}
    blocks = [({**shared, **as_table(each, path)}, path) for each, path in table.items("also", ())]
    grids = tuple(read_grid(Table(each, path, KEYS)) for each, path in [(shared, ()), *blocks])
    protocols = {protocol for grid in grids for each in grid.places for protocol in each.protocols}
    if "fixed" in table and not any(map(is_fixed, protocols)):
        raise SpecError(("fixed",), 'is not used; write protocols = ["fixed"], or leave it out.')
    _check_one_fixed(grids)
    return Experiment(name, table.text("title"), kind, grids, _read_figures(table), _read_paper(table))


def _check_one_fixed(grids: Iterable[Grid]) -> None:
    """Tables and figures tell runs apart by problem, method and kind of protocol."""
    known: dict[str, str] = {}
    for index, grid in enumerate(grids):
        for each in grid.places:
            for protocol in filter(is_fixed, each.protocols):
                if known.setdefault(each.problem, protocol) != protocol:
                    raise SpecError(
                        ("also", index - 1, "fixed"),
                        f"{each.problem} has other hyper-parameters above; write a file for each.",
                    )


def _find(where: str) -> tuple[str, str, str]:
    """The name of an experiment, its text, and what errors call it."""
    titles = shipped()
    if where in titles:
        return where, _read_shipped(where), f"{where}.toml"
    file = Path(where)
    if file.suffix != ".toml" and not file.is_file():
        raise SpecFileError(
            f"No experiment is called {where!r}.{suggest(where, titles)} "
            f"Give a path to a TOML file, or one of {', '.join(titles)}."
        )
    return file.stem, read_text(file), file.name


def _read_shipped(name: str) -> str:
    return (_SHIPPED / f"{name}.toml").read_text(encoding="utf-8")


def _read_figures(table: Table) -> tuple[str, ...]:
    return tuple(choose(each, path, FIGURES, "figure") for each, path in table.items("figures", ()))


def _read_paper(table: Table) -> PaperColumns | None:
    if "paper" not in table:
        return None
    paper = Table(table.get("paper"), table.at("paper"), ("setting", "columns"))
    columns = {}
    for method, column, path in paper.by_name("columns"):
        if not isinstance(column, str):
            raise SpecError(path, f"must be the name of a column; got {shown(column)}.")
        with located(path):
            check_columns([column])
        columns[read_method(method, path)] = column
    return PaperColumns(paper.text("setting", ""), columns)
