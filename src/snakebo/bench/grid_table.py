"""One grid of an experiment, read from its table and checked; SpecError leads to the place at fault."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from snakebo import methods as known_methods
from snakebo import problems as known_problems
from snakebo.bench.experiment import Grid, Place
from snakebo.bench.fixed import name_fixed, read_fixed
from snakebo.bench.run import find_problem, name_method, name_problem, name_start
from snakebo.checks import suggest
from snakebo.errors import SpecError
from snakebo.problems.problem import Problem
from snakebo.spec.table import Path, Table, as_number, as_table, located, shown

KEYS = ("problems", "budgets", "delays", "cost_budget", "methods", "protocols", "fixed", "seeds", "start")
PROTOCOLS = ("paper", "cold", "fixed")
_LARGEST = 1_000_000_000
_MOST_SEEDS = 100_000


def read_grid(table: Table) -> Grid:
    """Read a table with all of KEYS that it needs."""
    methods = [read_method(each, path) for each, path in _filled(table, "methods")]
    written = _filled(table, "protocols") if "protocols" in table else [("paper", ())]
    protocols = [choose(each, path, PROTOCOLS, "protocol") for each, path in written]
    delays = _filled(table, "delays") if "delays" in table else [(0, ())]
    cost_budget = table.real("cost_budget", None)
    if cost_budget is not None and cost_budget <= 0:
        raise SpecError(table.at("cost_budget"), f"must be positive; got {cost_budget:g}.")
    places = []
    for value, path in _filled(table, "problems"):
        places.append(_read_place(value, path, table, protocols))
        _check_methods(methods, table.at("methods"), find_problem(places[-1].problem))
    return Grid(
        places=tuple(places),
        budgets=tuple(_whole(each, path, 1) for each, path in _filled(table, "budgets")),
        delays=tuple(_whole(each, path, 0) for each, path in delays),
        methods=tuple(methods),
        cost_budget=cost_budget,
        seeds=_read_seeds(table),
    )


def read_method(value: Any, path: Path) -> str:
    """Return the one text for a method that is written there."""
    if not isinstance(value, str):
        raise SpecError(path, f"must be the name of a method; got {shown(value)}.")
    with located(path):
        return name_method(value)


def choose(value: Any, path: Path, known: Sequence[str], what: str) -> str:
    """Return a name that is one of the known ones."""
    if isinstance(value, str) and value in known:
        return value
    raise SpecError(
        path, f"unknown {what} {shown(value)}.{suggest(value, known)} Choose from {', '.join(known)}."
    )


def _read_place(value: Any, path: Path, table: Table, protocols: list[str]) -> Place:
    settings: dict[str, Any] = {"name": value} if isinstance(value, str) else as_table(value, path)
    own = as_table(settings.pop("fixed", {}), (*path, "fixed"))
    name = choose(settings.pop("name", None), path, known_problems.names(), "problem")
    with located(path):
        text = name_problem(name, settings)
        problem = find_problem(text)
    fixed = {**as_table(table.get("fixed", {}), table.at("fixed")), **own}
    where = (*path, "fixed") if own else table.at("fixed")
    named = [_read_fixed(fixed, where, problem) if each == "fixed" else each for each in protocols]
    return Place(text, _read_start(table, problem), tuple(named))


def _read_fixed(value: dict[str, Any], path: Path, problem: Problem) -> str:
    protocol = name_fixed(value, path)
    with located(path):
        read_fixed(protocol, problem)
    return protocol


def _check_methods(methods: Sequence[str], path: Path, problem: Problem) -> None:
    several = len(problem.objectives)
    for index, method in enumerate(methods):
        if several > 1 and not getattr(known_methods.get(method), "several_objectives", True):
            raise SpecError(
                (*path, index), f"{method} optimises one objective; {problem.name} has {several} of them."
            )


def _read_start(table: Table, problem: Problem) -> str:
    if "start" not in table:
        return name_start(None)
    given = table.named("start")
    start = {name: as_number(each, (*table.at("start"), name)) for name, each in given.items()}
    with located(table.at("start")):
        problem.values(start)  # inside of the region, too
        return name_start(problem.space.mapping(problem.space.point(start)))


def _read_seeds(table: Table) -> tuple[int, ...]:
    if not isinstance(table.get("seeds"), Mapping):
        return tuple(range(_whole(table.get("seeds"), table.at("seeds"), 1, _MOST_SEEDS)))
    seeds = Table(table.get("seeds"), table.at("seeds"), ("first", "count"))
    first = _whole(seeds.get("first", 0), seeds.at("first"), 0)
    return tuple(range(first, first + _whole(seeds.get("count"), seeds.at("count"), 1, _MOST_SEEDS)))


def _filled(table: Table, key: str) -> list[tuple[Any, Path]]:
    items = table.items(key)
    if not items:
        raise SpecError(table.at(key), "must not be empty.")
    return items


def _whole(value: Any, path: Path, least: int, most: int = _LARGEST) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise SpecError(path, f"must be a whole number from {least} to {most}; got {shown(value)}.")
    return value
