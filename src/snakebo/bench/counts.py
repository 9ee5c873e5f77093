"""In how many cells a method is at least as good as a column of the paper, in regret, in cost and in both."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from snakebo.bench.labels import label_protocol
from snakebo.bench.paper import LENGTHSCALE, is_snake, show_column
from snakebo.bench.summary import Entry, stands_apart


@dataclass(frozen=True)
class Count:
    """One method under one kind of protocol against one column, or against the best of several."""

    method: str
    protocol: str
    against: str
    cells: int  # in which there are numbers of both
    regret: int
    cost: int | None  # None where the paper reports no cost
    both: int | None


def count_cells(entries: Iterable[Entry]) -> tuple[Count, ...]:
    """Count for each method and protocol against what it stands beside; for `snake`, against every column."""
    groups: dict[tuple[str, str], list[Entry]] = {}
    for entry in entries:
        groups.setdefault((entry.method, label_protocol(entry.protocol)), []).append(entry)
    counts = [count for group in groups.values() for count in _count_group(group)]
    return tuple(count for count in counts if count.cells)


def _count_group(group: Sequence[Entry]) -> list[Count]:
    beside = list(dict.fromkeys(column for entry in group for column in entry.columns))
    if not beside:
        return []
    several = "best SnAKe" + (" (cost: ℓ-SnAKe)" if LENGTHSCALE in beside else "")
    counts = [_count(group, several if len(beside) > 1 else show_column(beside[0]))]
    if stands_apart(group[0].method):
        every = (each for entry in group for numbers in entry.cell.numbers.values() for each in numbers)
        others = [column for column in dict.fromkeys(every) if [column] != beside]
        others.sort(key=lambda column: not is_snake(column))
        counts += [_count([entry.against([each]) for entry in group], show_column(each)) for each in others]
    return counts


def _count(entries: Sequence[Entry], against: str) -> Count:
    there = [entry for entry in entries if entry.regret.holds is not None]
    priced = any(entry.cost.holds is not None for entry in there)
    return Count(
        method=entries[0].method,
        protocol=label_protocol(entries[0].protocol),
        against=against,
        cells=len(there),
        regret=sum(entry.regret.holds is True for entry in there),
        cost=sum(entry.cost.holds is True for entry in there) if priced else None,
        both=sum(entry.regret.holds is True and entry.cost.holds is True for entry in there)
        if priced
        else None,
    )
