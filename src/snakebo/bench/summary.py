"""What the runs of an experiment come to: mean and spread for each cell and method, beside the paper's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from snakebo.bench.estimate import Estimate, margin
from snakebo.bench.paper import LENGTHSCALE, check_columns, is_snake
from snakebo.bench.series import Cell, Series


@dataclass(frozen=True)
class Beside:
    """Our estimate beside one of the paper; either may be missing. Less is better in every metric."""

    ours: Estimate | None
    column: str | None = None
    paper: Estimate | None = None

    @property
    def margin(self) -> float | None:
        """By how many standard errors of the difference ours is better; None where one is missing."""
        return margin(self.ours, self.paper) if self.ours and self.paper else None

    @property
    def holds(self) -> bool | None:
        """Whether ours is at least as good; None where one is missing."""
        return self.ours.mean <= self.paper.mean if self.ours and self.paper else None


@dataclass(frozen=True)
class Entry:
    """One method under one protocol in one cell, set beside one or several columns of the paper."""

    cell: Cell
    method: str
    protocol: str
    planned: int  # seeds
    done: int
    regret: Beside
    cost: Beside
    columns: tuple[str, ...] = ()

    def against(self, columns: Iterable[str]) -> Entry:
        """Return the entry beside the best of these columns; in cost beside ℓ-SnAKe, if it is one of them."""
        chosen, numbers = tuple(columns), self.cell.numbers
        costly = (LENGTHSCALE,) if LENGTHSCALE in chosen else chosen
        return replace(
            self,
            columns=chosen,
            regret=_set_beside(self.regret.ours, numbers.get(self.cell.metric, {}), chosen),
            cost=_set_beside(self.cost.ours, numbers.get("cost", {}), costly),
        )


def summarise(series: Iterable[Series], columns: Mapping[str, str]) -> tuple[Entry, ...]:
    """Return an entry for each series, in the same order.

    columns: which column of the paper a method stands beside. Raises InputError for one that is not there.
    """
    check_columns(columns.values())
    return tuple(_enter(each, columns) for each in series)


def stands_apart(method: str) -> bool:
    """Tell whether a method is our `snake`, which no column of the paper is the equal of."""
    return method.partition(":")[0] == "snake"


def _enter(series: Series, columns: Mapping[str, str]) -> Entry:
    cell, regret, cost = series.cell, None, None
    if series.done:
        ends = 1000 * series.regret[:, -1] if cell.metric == "regret_x1000" else series.log_regret[:, -1]
        regret, cost = Estimate.of(ends), Estimate.of(series.spent[:, -1])
    bare = Entry(
        cell, series.method, series.protocol, series.planned, series.done, Beside(regret), Beside(cost)
    )
    return bare.against(_columns_of(series.method, columns, cell))


def _columns_of(method: str, columns: Mapping[str, str], cell: Cell) -> tuple[str, ...]:
    """The columns that a method stands beside; `snake` has none of its own, and stands beside every SnAKe."""
    if columns and stands_apart(method):
        return tuple(filter(is_snake, cell.numbers.get(cell.metric, ())))
    return (columns[method],) if method in columns else ()


def _set_beside(ours: Estimate | None, numbers: Mapping[str, Estimate], columns: Sequence[str]) -> Beside:
    """Our estimate beside the best of the columns."""
    there = [column for column in columns if column in numbers]
    if not there:
        return Beside(ours)
    best = min(there, key=lambda column: numbers[column].mean)
    return Beside(ours, best, numbers[best])
