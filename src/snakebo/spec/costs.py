"""Movement costs as written: a table for each, told apart by `kind`; sums and maxima hold others."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from snakebo import cost as costs
from snakebo.cost import MovementCost
from snakebo.errors import SpecError
from snakebo.region import Polygon
from snakebo.spec.kinds import as_code, kind_of, unknown_kind
from snakebo.spec.regions import read_polygon, write_polygon
from snakebo.spec.table import Path, Table, as_number, as_numbers, located

_DEEPEST = 20  # costs inside costs

Inner = Callable[[Any, Path], MovementCost]  # reads a cost inside another one


@dataclass(frozen=True)
class _Form:
    """How one class of costs is written: its keys, and both directions."""

    of: type[MovementCost]
    keys: tuple[str, ...]
    write: Callable[[Any], dict[str, Any]]
    read: Callable[[Table, Inner], MovementCost]


def write_cost(cost: MovementCost) -> dict[str, Any]:
    """Write a cost as a table; one of a class that is not in the table below is code."""
    for kind, form in _FORMS.items():
        if type(cost) is form.of:
            return {"kind": kind, **form.write(cost)}
    return as_code(cost)


def read_cost(value: Any, path: Path, depth: int = 0) -> MovementCost:
    """Read a table, or the name of a kind that needs no more."""
    if depth > _DEEPEST:
        raise SpecError(path, f"costs are nested more than {_DEEPEST} deep.")
    value = {"kind": value} if isinstance(value, str) else value
    kind = kind_of(value, path, "cost")
    if kind not in _FORMS:
        raise unknown_kind(kind, path, tuple(_FORMS))
    table = Table(value, path, ("kind", *_FORMS[kind].keys))
    with located(path):
        return _FORMS[kind].read(table, lambda inner, where: read_cost(inner, where, depth + 1))


def _plain(number: float) -> float | str:
    """Infinity as a text: JSON has no such number."""
    return number if math.isfinite(number) else "inf"


def _write_geodesic(cost: costs.Geodesic) -> dict[str, Any]:
    plain = type(cost.polygon) is Polygon
    return {"polygon": write_polygon(cost.polygon) if plain else as_code(cost.polygon)}


def _read_polygon(table: Table) -> Polygon:
    value, path = table.get("polygon"), table.at("polygon")
    if isinstance(value, dict) and "kind" in value and kind_of(value, path, "cost") != "polygon":
        raise SpecError((*path, "kind"), 'must be "polygon".')
    return read_polygon(value, path)


def _read_weights(table: Table) -> dict[str, float]:
    return {name: as_number(each, at) for name, each, at in table.by_name("weights")}


def _read_lists(table: Table, key: str, size: int) -> dict[str, Any]:
    return {name: as_numbers(each, at, size, finite=False) for name, each, at in table.by_name(key)}


def _read_combine(table: Table) -> Any:
    combine = table.text("combine", "max")
    if combine not in ("max", "sum"):
        raise SpecError(table.at("combine"), f'must be "max" or "sum"; got {combine!r:.60}.')
    return combine


_FORMS = {
    "euclidean": _Form(
        costs.Euclidean,
        (),
        write=lambda cost: {},
        read=lambda table, inner: costs.Euclidean(),
    ),
    "norm": _Form(
        costs.Norm,
        ("p",),
        write=lambda cost: {"p": _plain(cost.p)},
        read=lambda table, inner: costs.Norm(table.real("p", finite=False)),
    ),
    "weighted": _Form(
        costs.Weighted,
        ("weights", "p"),
        write=lambda cost: {"weights": dict(cost.weights), "p": _plain(cost.p)},
        read=lambda table, inner: costs.Weighted(_read_weights(table), table.real("p", 2.0, finite=False)),
    ),
    "first-order-response": _Form(
        costs.FirstOrderResponse,
        ("constants", "combine"),
        write=lambda cost: {
            "constants": {name: list(each) for name, each in cost.constants.items()},
            "combine": cost.combine,
        },
        read=lambda table, inner: costs.FirstOrderResponse(
            _read_lists(table, "constants", 3), _read_combine(table)
        ),
    ),
    "ramp-rate": _Form(
        costs.RampRate,
        ("rates", "combine"),
        write=lambda cost: {
            "rates": {name: [_plain(rate) for rate in each] for name, each in cost.rates.items()},
            "combine": cost.combine,
        },
        read=lambda table, inner: costs.RampRate(_read_lists(table, "rates", 2), _read_combine(table)),
    ),
    "geodesic": _Form(
        costs.Geodesic,
        ("polygon",),
        write=_write_geodesic,
        read=lambda table, inner: costs.Geodesic(_read_polygon(table)),
    ),
    "sum": _Form(
        costs.Sum,
        ("costs",),
        write=lambda cost: {"costs": [write_cost(each) for each in cost.costs]},
        read=lambda table, inner: costs.Sum(*(inner(each, at) for each, at in table.items("costs"))),
    ),
    "maximum": _Form(
        costs.Maximum,
        ("costs",),
        write=lambda cost: {"costs": [write_cost(each) for each in cost.costs]},
        read=lambda table, inner: costs.Maximum(*(inner(each, at) for each, at in table.items("costs"))),
    ),
    "scaled": _Form(
        costs.Scaled,
        ("factor", "cost"),
        write=lambda cost: {"factor": cost.factor, "cost": write_cost(cost.cost)},
        read=lambda table, inner: costs.Scaled(
            inner(table.get("cost"), table.at("cost")), table.real("factor")
        ),
    ),
}
