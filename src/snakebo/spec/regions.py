"""Regions as written: a table for each, told apart by `kind`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from snakebo.errors import SpecError
from snakebo.region import Candidates, LinearInequalities, Polygon, Region
from snakebo.spec.kinds import as_code, kind_of, unknown_kind
from snakebo.spec.table import Path, Table, as_items, as_number, as_numbers, as_table, located

_KINDS = ("polygon", "linear", "candidates")


def write_region(region: Region | Sequence[Region] | None) -> Any:
    """Write one region as a table, several as a list."""
    if isinstance(region, Sequence):
        return [write_region(each) for each in region]
    match region:
        case None:
            return None
        case Polygon() if type(region) is Polygon:
            return {"kind": "polygon", **write_polygon(region)}
        case LinearInequalities() if type(region) is LinearInequalities:
            bounds = {"upper": region.upper, "lower": region.lower}
            finite = {side: bound for side, bound in bounds.items() if math.isfinite(bound)}
            return {"kind": "linear", "coefficients": dict(region.coefficients), **finite}
        case Candidates() if type(region) is Candidates:
            rows = [list(row) for row in region.points]
            names = region.names
            points = rows if names is None else [dict(zip(names, row, strict=True)) for row in rows]
            return {"kind": "candidates", "points": points}
    return as_code(region)


def write_polygon(polygon: Polygon) -> dict[str, Any]:
    """Write rings and variables."""
    rings = [[list(vertex) for vertex in ring] for ring in (polygon.vertices, *polygon.holes)]
    written: dict[str, Any] = {"vertices": rings[0]}
    if rings[1:]:
        written["holes"] = rings[1:]
    if polygon.variables is not None:
        written["variables"] = list(polygon.variables)
    return written


def read_region(value: Any, path: Path) -> Region | tuple[Region, ...]:
    """Read a table, or a list of them."""
    if not isinstance(value, str) and isinstance(value, Sequence):
        return tuple(_read_one(each, where) for each, where in as_items(value, path))
    return _read_one(value, path)


def _read_one(value: Any, path: Path) -> Region:
    kind = kind_of(value, path, "region")
    if kind == "polygon":
        return read_polygon(value, path)
    if kind == "linear":
        return _read_linear(value, path)
    if kind == "candidates":
        return _read_candidates(value, path)
    raise unknown_kind(kind, path, _KINDS)


def read_polygon(value: Any, path: Path) -> Polygon:
    """Read rings and variables."""
    table = Table(value, path, ("kind", "vertices", "holes", "variables"))
    vertices = _read_ring(table.get("vertices"), table.at("vertices"))
    holes = tuple(_read_ring(hole, where) for hole, where in table.items("holes", ()))
    names = None
    if "variables" in table:
        names = tuple(name for name, _ in table.items("variables"))
        if len(names) != 2 or not all(isinstance(name, str) for name in names):
            raise SpecError(table.at("variables"), f"must be the names of two variables; got {names!r:.80}.")
    with located(path):
        return Polygon(vertices, holes, names)


def _read_ring(value: Any, path: Path) -> tuple[tuple[float, ...], ...]:
    return tuple(as_numbers(vertex, where, 2) for vertex, where in as_items(value, path))


def _read_linear(value: Any, path: Path) -> Region:
    table = Table(value, path, ("kind", "coefficients", "upper", "lower"))
    coefficients = {name: as_number(each, where) for name, each, where in table.by_name("coefficients")}
    upper = table.real("upper", math.inf, finite=False)
    lower = table.real("lower", -math.inf, finite=False)
    with located(path):
        return LinearInequalities(coefficients, upper, lower)


def _read_candidates(value: Any, path: Path) -> Region:
    table = Table(value, path, ("kind", "points"))
    items = table.items("points")
    points: list[Any] = []
    for each, where in items:
        if items and isinstance(items[0][0], Sequence):
            points.append(as_numbers(each, where, len(items[0][0])))
        else:
            row = as_table(each, where)
            points.append({name: as_number(number, (*where, name)) for name, number in row.items()})
    with located(table.at("points")):
        return Candidates(points)
