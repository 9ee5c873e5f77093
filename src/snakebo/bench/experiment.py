"""Experiment: grids of runs under one title, and which figures and columns of the paper belong to them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from snakebo.bench.run import Run
from snakebo.checks import suggest
from snakebo.errors import InputError

KINDS = ("grid", "non-escape", "step")
FIGURES = ("curves", "escape", "lake", "non-escape", "step")


@dataclass(frozen=True)
class Place:
    """A problem of a grid, where runs on it start, and the protocols they follow."""

    problem: str
    start: str
    protocols: tuple[str, ...]


@dataclass(frozen=True)
class Grid:
    """Every problem × budget × delay × method × protocol, once for each seed."""

    places: tuple[Place, ...]
    budgets: tuple[int, ...]
    delays: tuple[int, ...]
    methods: tuple[str, ...]
    cost_budget: float | None
    seeds: tuple[int, ...]

    @property
    def problems(self) -> tuple[str, ...]:
        """The texts of the problems."""
        return tuple(place.problem for place in self.places)

    def runs(self, seed: int) -> Iterator[Run]:
        """Yield the runs of a seed; those that share an educated guess follow each other."""
        for place in self.places:
            for budget in self.budgets:
                for delay in self.delays:
                    for method in self.methods:
                        for protocol in place.protocols:
                            yield Run(
                                place.problem, budget, delay, method, protocol, self.cost_budget, place.start,
                                seed,
                            )  # fmt: skip


@dataclass(frozen=True)
class PaperColumns:
    """Which column of the paper's tables a method stands beside; `setting` says which tables, to readers."""

    setting: str
    columns: Mapping[str, str]


@dataclass(frozen=True)
class Experiment:
    """What a file describes. Kinds other than "grid" have no grids but `parameters` of their own."""

    name: str
    title: str
    kind: str = "grid"
    grids: tuple[Grid, ...] = ()
    figures: tuple[str, ...] = ()
    paper: PaperColumns | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)

    def runs(self) -> tuple[Run, ...]:
        """Return all runs, each once; first all with the first seed, so that few seeds come for all cells."""
        found: dict[Run, None] = {}
        for turn in range(max((len(grid.seeds) for grid in self.grids), default=0)):
            for grid in self.grids:
                for seed in grid.seeds[turn : turn + 1]:
                    found.update(dict.fromkeys(grid.runs(seed)))
        return tuple(found)

    def narrow(
        self,
        seeds: int | None = None,
        budgets: Sequence[int] | None = None,
        methods: Sequence[str] | None = None,
        problems: Sequence[str] | None = None,
    ) -> Experiment:
        """Keep the first `seeds` seeds and the named values; InputError for one that is in no grid."""
        _check_there("budgets", budgets, [each for grid in self.grids for each in grid.budgets])
        _check_there("methods", methods, [each for grid in self.grids for each in grid.methods])
        _check_there("problems", problems, [each for grid in self.grids for each in grid.problems])
        grids = (
            replace(
                grid,
                seeds=grid.seeds[:seeds],
                budgets=tuple(each for each in grid.budgets if budgets is None or each in budgets),
                methods=tuple(each for each in grid.methods if methods is None or each in methods),
                places=tuple(each for each in grid.places if problems is None or each.problem in problems),
            )
            for grid in self.grids
        )
        return replace(self, grids=tuple(grids))


def _check_there(what: str, wanted: Iterable[object] | None, there: Sequence[object]) -> None:
    known = list(dict.fromkeys(map(str, there)))
    for each in map(str, wanted or ()):
        if each not in known:
            raise InputError(
                f"{each} is none of the {what} of this experiment.{suggest(each, known)} "
                f"It has {', '.join(known) or 'none'}."
            )
