"""Protocols of hyper-parameters as written: cold, fixed or the paper's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from snakebo.spec.kinds import as_code, kind_of, unknown_kind
from snakebo.spec.table import Path, Table, as_items, as_number, as_numbers, located
from snakebo.surrogate.gp import Hyperparameters
from snakebo.surrogate.paper_protocol import Paper
from snakebo.surrogate.protocol import Cold, Fixed

_KEYS = {
    "cold": ("kernel", "scaling", "growth", "lengthscales", "noise", "noise_floor"),
    "fixed": ("sets",),
    "paper": ("guess",),
}


def write_protocol(protocol: Any) -> dict[str, Any]:
    """Write a protocol in full, so that other defaults one day change nothing."""
    if type(protocol) is Cold:
        scales = {
            name: [float(bound) for bound in each] if isinstance(each, Sequence) else float(each)
            for name, each in protocol.lengthscales.items()
        }
        noise = protocol.noise if isinstance(protocol.noise, str | None) else float(protocol.noise)
        written = {"kind": "cold", "kernel": protocol.kernel, "scaling": protocol.scaling}
        numbers = {"growth": float(protocol.growth), "noise_floor": float(protocol.noise_floor)}
        known = {"lengthscales": scales} if scales else {}
        return {**written, **numbers, **known, **({} if noise is None else {"noise": noise})}
    if type(protocol) is Fixed:
        one = isinstance(protocol.hyperparameters, Hyperparameters)
        sets = [_write_set(each) for each in protocol.sets]
        return {"kind": "fixed", "sets": sets[0] if one else sets}
    if type(protocol) is Paper:
        return {"kind": "paper", "guess": [_write_set(each) for each in protocol.guess]}
    return as_code(protocol)


def _write_set(hyper: Hyperparameters) -> dict[str, Any]:
    numbers = {name: float(getattr(hyper, name)) for name in ("outputscale", "noise", "mean")}
    return {"lengthscales": [float(each) for each in hyper.lengthscales], **numbers, "kernel": hyper.kernel}


def read_protocol(value: Any, path: Path) -> Any:
    """Read a table, or the name of a kind that needs no more."""
    value = {"kind": value} if isinstance(value, str) else value
    kind = kind_of(value, path, "protocol")
    if kind not in _KEYS:
        raise unknown_kind(kind, path, tuple(_KEYS))
    table = Table(value, path, ("kind", *_KEYS[kind]))
    with located(path):
        if kind == "cold":
            return _read_cold(table)
        if kind == "paper":
            return Paper(tuple(_read_set(each, at) for each, at in table.items("guess")))
        sets = table.get("sets")
        if isinstance(sets, Mapping):
            return Fixed(_read_set(sets, table.at("sets")))
        return Fixed(tuple(_read_set(each, at) for each, at in as_items(sets, table.at("sets"))))


def _read_cold(table: Table) -> Cold:
    usual = Cold()
    scales = {}
    if "lengthscales" in table:
        for name, each, at in table.by_name("lengthscales"):
            pair = isinstance(each, Sequence) and not isinstance(each, str)
            scales[name] = as_numbers(each, at, 2) if pair else as_number(each, at)
    noise: float | str | None = None
    if "noise" in table:
        noise = table.text("noise") if isinstance(table.get("noise"), str) else table.real("noise")
    return Cold(
        kernel=cast(Any, table.text("kernel", usual.kernel)),
        scaling=cast(Any, table.text("scaling", usual.scaling)),
        growth=table.real("growth", usual.growth),
        lengthscales=cast(Any, scales),
        noise=noise,
        noise_floor=table.real("noise_floor", usual.noise_floor),
    )


def _read_set(value: Any, path: Path) -> Hyperparameters:
    table = Table(value, path, ("lengthscales", "outputscale", "noise", "mean", "kernel"))
    with located(path):
        return Hyperparameters(
            lengthscales=table.reals("lengthscales"),
            outputscale=table.real("outputscale"),
            noise=table.real("noise"),
            mean=table.real("mean", 0.0),
            kernel=cast(Any, table.text("kernel", "matern52")),
        )
