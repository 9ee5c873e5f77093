"""A campaign's definition as plain data, both ways: what storages keep, files say and requests carry.

Only `name`, `budget` and `variables` are needed. Parts that are code (a Predicate, a cost function, a
BoTorchModel, a method of one's own) are written as `{"kind": "code", "what": class}` and are given again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from snakebo import methods
from snakebo.errors import InputError, SpecError
from snakebo.settings import Settings
from snakebo.space import Space, Variable
from snakebo.spec.costs import read_cost, write_cost
from snakebo.spec.kinds import as_code, holds_code, kind_of
from snakebo.spec.protocols import read_protocol, write_protocol
from snakebo.spec.regions import read_region, write_region
from snakebo.spec.table import Path, Table, as_number, as_table, located, shown

__all__ = ["KEYS", "SpecError", "code_of", "from_spec", "to_spec"]

KEYS = (
    "name", "budget", "seed", "method", "variables", "region", "cost", "start", "objectives", "cost_budget",
    "protocol",
)  # fmt: skip
_CODE = ("method", "region", "cost", "protocol")
_DIRECTIONS = ("maximize", "minimize")


def to_spec(settings: Settings) -> dict[str, Any]:
    """Write the definition of a campaign as data that JSON can hold."""
    space = settings.space
    objectives = [
        {"name": name, "direction": direction, "share": share}
        for (name, direction), share in zip(settings.directions.items(), settings.proportions, strict=True)
    ]
    spec = {
        "name": settings.name,
        "budget": settings.budget,
        "seed": settings.seed,
        "method": methods.name_of(settings.method) or as_code(settings.method),
        "variables": [_write_variable(each) for each in space.variables],
        "region": write_region(space.region),
        "cost": write_cost(settings.cost),
        "start": None if settings.start is None else dict(settings.start),
        "objectives": objectives,
        "cost_budget": settings.cost_budget,
        "protocol": write_protocol(settings.protocol),
    }
    return {key: value for key, value in spec.items() if value is not None}


def from_spec(spec: Mapping[str, Any], code: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Read a definition: the keyword arguments of `Campaign`. `code` has the parts that are code, by key.

    Raises SpecError, whose `path` leads to the place at fault.
    """
    table, given = Table(spec, (), KEYS), _check_code(code or {}, as_table(spec, ()))
    space = _read_space(table, given)
    objectives = _read_objectives(table)
    name, cost_budget = table.text("name"), table.real("cost_budget", None)
    if not name:
        raise SpecError(("name",), "must not be empty.")
    if cost_budget is not None and cost_budget <= 0:
        raise SpecError(("cost_budget",), f"must be positive; got {shown(cost_budget)}.")
    cost, protocol = given.get("cost"), given.get("protocol")
    if cost is None and "cost" in table:
        cost = read_cost(table.get("cost"), ("cost",))
        with located(("cost",)):
            cost.bind(space)
    if protocol is None and "protocol" in table:
        protocol = read_protocol(table.get("protocol"), ("protocol",))
        with located(("protocol",)):
            protocol.check(space, len(objectives["objectives"]))
    arguments = {
        "name": name,
        "space": space,
        "budget": _whole(table, "budget", 1),
        "seed": _whole(table, "seed", 0) if "seed" in table else 0,
        "method": given.get("method") or _read_method(table),
        "cost": cost,
        "protocol": protocol,
        "start": _read_start(table, space),
        "cost_budget": cost_budget,
        **objectives,
    }
    with located(()):
        Settings.read(**arguments)
    return arguments


def code_of(settings: Settings) -> dict[str, Any]:
    """Return the parts of a definition that are code, by key: what `from_spec` needs beside its data."""
    spec, region = to_spec(settings), settings.space.region
    parts = {
        "method": settings.method,
        "region": region,
        "cost": settings.cost,
        "protocol": settings.protocol,
    }
    return {key: part for key, part in parts.items() if holds_code(spec.get(key))}


def _check_code(code: Mapping[str, Any], spec: Mapping[str, Any]) -> dict[str, Any]:
    for key in code:
        if key not in _CODE:
            raise InputError(f"Only {', '.join(_CODE)} can be given again as code; got {key!r}.")
        if not holds_code(spec.get(key)):
            raise InputError(f"The {key} of this campaign is stored as data already; leave {key}=… out.")
    return dict(code)


def _whole(table: Table, key: str, least: int) -> int:
    number = table.whole(key)
    if number < least:
        raise SpecError(table.at(key), f"must be at least {least}; got {shown(number)}.")
    return number


def _write_variable(variable: Variable) -> dict[str, Any]:
    written: dict[str, Any] = {"name": variable.name, "low": variable.low, "high": variable.high}
    if variable.unit:
        written["unit"] = variable.unit
    if variable.free:
        written["free"] = True
    if variable.step is not None:
        written["step"] = variable.step
    return written


def _read_variable(value: Any, path: Path) -> Variable:
    table = Table(value, path, ("name", "low", "high", "unit", "free", "step"))
    name, low, high = table.text("name"), table.real("low"), table.real("high")
    if not name.strip():
        raise SpecError(table.at("name"), "must not be empty.")
    with located(path):
        return Variable(
            name, low, high, table.text("unit", ""), table.flag("free", False), table.real("step", None)
        )


def _read_space(table: Table, given: Mapping[str, Any]) -> Space:
    items = table.items("variables")
    variables = [_read_variable(each, where) for each, where in items]
    first: dict[str, int] = {}
    for index, variable in enumerate(variables):
        if first.setdefault(variable.name, index) != index:
            raise SpecError(
                (*table.at("variables"), index, "name"),
                f"{shown(variable.name)} is the name of variables[{first[variable.name]}] already.",
            )
    with located(("variables",)):
        Space(variables)
    region = given.get("region")
    if region is None and "region" in table:
        region = read_region(table.get("region"), ("region",))
    with located(("region",)):
        return Space(variables, region)


def _read_method(table: Table) -> str:
    if isinstance(table.get("method", "snake"), Mapping):
        kind_of(table.get("method"), ("method",), "method")
    method = table.text("method", "snake")
    with located(("method",)):
        methods.get(method)
    return method


def _read_start(table: Table, space: Space) -> dict[str, float] | None:
    if "start" not in table:
        return None
    given = as_table(table.get("start"), ("start",))
    start = {name: as_number(value, ("start", name)) for name, value in given.items()}
    with located(("start",)):
        space.point(start)
    return start


def _read_objectives(table: Table) -> dict[str, Any]:
    items = table.items("objectives", [({"name": "value"}, ("objectives", 0))])
    if not items:
        raise SpecError(table.at("objectives"), "must have at least one entry.")
    names: list[str] = []
    directions: dict[str, str] = {}
    shares: list[float] = []
    for value, path in items:
        entry = Table(value, path, ("name", "direction", "share"))
        name, direction = entry.text("name"), entry.text("direction", "maximize")
        if not name or name in names:
            raise SpecError(entry.at("name"), f"must be a new, non-empty name; got {shown(name)}.")
        if direction not in _DIRECTIONS:
            raise SpecError(
                entry.at("direction"), f"must be {' or '.join(_DIRECTIONS)}; got {shown(direction)}."
            )
        names.append(name)
        directions[name] = direction
        shares.append(entry.real("share", 1.0))
        if shares[-1] < 0.0:
            raise SpecError(entry.at("share"), f"must not be negative; got {shares[-1]:g}.")
    return {"objectives": tuple(names), "direction": directions, "proportions": tuple(shares)}
