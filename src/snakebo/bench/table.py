"""The tables of an experiment: ours beside the paper's for each problem, and in how many cells we lead."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Literal, TypeVar

from snakebo.bench.counts import Count, count_cells
from snakebo.bench.labels import label_limits, label_method, label_problem, label_protocol
from snakebo.bench.paper import show_column
from snakebo.bench.sheet import NOTHING, Group, Sheet, Text
from snakebo.bench.summary import Beside, Entry
from snakebo.bench.wording import write_estimates, write_verdict

Shown = Literal["regret", "cost", "both"]
T = TypeVar("T")

_HEADS = {"log_regret": "log-regret", "regret_x1000": "regret ×1000", "cost": "cost"}
_PLACES = {"log_regret": 2, "regret_x1000": 3, "cost": 1}


def make_sheets(entries: Sequence[Entry], shown: Shown = "both") -> tuple[Sheet, ...]:
    """Return a sheet for each problem and objective, and one with the counts where there are any."""
    usual = entries[0].protocol
    parts = _split(entries, lambda entry: label_problem(entry.cell))
    sheets = [_make_sheet(part, shown, usual) for part in parts]
    counts = count_cells(entries)
    return (*sheets, _make_count_sheet(counts)) if counts else tuple(sheets)


def make_notes(entries: Sequence[Entry]) -> tuple[str, ...]:
    """Return what a reader of the sheets has to know."""
    seeds = sorted({entry.planned for entry in entries})
    over = f"{seeds[0]}" if len(seeds) == 1 else f"{seeds[0]} to {seeds[-1]}"
    word = "seed" if seeds == [1] else "seeds"
    notes = [
        f"Mean ± standard deviation over {over} {word}, or as many as a row says; less is better, and the "
        "least of a group is bold.",
        "Log-regret is the natural logarithm of the best point's regret; cost is that of all moves.",
        f"Protocol of the hyper-parameters: {label_protocol(entries[0].protocol)} unless a row says another.",
    ]
    if any(entry.columns for entry in entries):
        notes.append(
            "paper: Folch et al. (2022), 25 runs a cell, 10 for SnAr and Ypacarai. "
            "better: whose mean is less, and by how many standard errors of the difference."
        )
    if any(len(entry.columns) > 1 for entry in entries):
        notes.append(
            "snake stands beside the best SnAKe column in regret and beside ℓ-SnAKe in cost; "
            "the brackets hold the ε of that column."
        )
    if any(entry.done < entry.planned for entry in entries):
        notes.append("(2/5): two of five planned seeds are done. –: no number.")
    return tuple(notes)


def _make_sheet(entries: Sequence[Entry], shown: Shown, usual: str) -> Sheet:
    parts: list[tuple[str, Callable[[Entry], Beside]]] = []
    if shown != "cost":
        parts.append((entries[0].cell.metric, lambda entry: entry.regret))
    if shown != "regret":
        parts.append(("cost", lambda entry: entry.cost))
    beside = {name: any(part(entry).paper for entry in entries) for name, part in parts}
    heads = ["method"]
    for name, _ in parts:
        heads += [_HEADS[name], "paper", "better"] if beside[name] else [_HEADS[name]]
    groups = []
    for group in _split(entries, lambda entry: entry.cell):
        columns = [[_label_row(entry, usual) for entry in group]]
        for name, part in parts:
            pairs = list(map(part, group))
            columns.append(write_estimates([pair.ours for pair in pairs], _PLACES[name]))
            if beside[name]:
                columns += [_write_paper(group, pairs), list(map(write_verdict, pairs))]
        groups.append(Group(label_limits(group[0].cell), tuple(zip(*columns, strict=True))))
    return Sheet(label_problem(entries[0].cell), tuple(heads), tuple(groups))


def _label_row(entry: Entry, usual: str) -> Text:
    fewer = f" ({entry.done}/{entry.planned})" if entry.done < entry.planned else ""
    return Text(label_method(entry.method, entry.protocol, usual) + fewer)


def _write_paper(group: Sequence[Entry], pairs: Sequence[Beside]) -> list[Text]:
    """The paper's estimates, with the ε of the column in brackets where an entry stands beside several."""
    texts = write_estimates([pair.paper for pair in pairs])
    return [
        replace(text, text=f"{text.text} [{show_column(pair.column).removesuffix('-SnAKe')}]")
        if pair.column and len(entry.columns) > 1
        else text
        for entry, pair, text in zip(group, pairs, texts, strict=True)
    ]


def _make_count_sheet(counts: Sequence[Count]) -> Sheet:
    groups = [
        Group(f"protocol: {part[0].protocol}", tuple(map(_make_count_row, part)))
        for part in _split(sorted(counts, key=lambda count: count.protocol != "paper"), lambda c: c.protocol)
    ]
    heads = ("method", "against the paper's", "cells", "regret", "cost", "both")
    return Sheet("In how many cells ours is at least as good as the paper's", heads, tuple(groups), names=2)


def _make_count_row(count: Count) -> tuple[Text, ...]:
    numbers = (count.cells, count.regret, count.cost, count.both)
    return (
        Text(label_method(count.method)),
        Text(count.against),
        *(NOTHING if number is None else Text(str(number)) for number in numbers),
    )


def _split(items: Sequence[T], key: Callable[[T], Hashable]) -> list[list[T]]:
    return [list(part) for _, part in groupby(items, key)]
