"""The study of the non-escape probability: what its file says, and performing what is missing of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from snakebo.bench.experiment import Experiment
from snakebo.bench.fixed import name_fixed, read_fixed
from snakebo.bench.run import find_problem, name_problem
from snakebo.bench.studies import StudyWatcher
from snakebo.bench.studies.non_escape import Setting, estimate_non_escape
from snakebo.bench.studies.non_escape_results import NonEscapeResults
from snakebo.errors import InputError, SpecError
from snakebo.spec.table import Table, as_numbers, located


@dataclass(frozen=True)
class NonEscape:
    """Settings, each estimated after 1, 2, …, `observations` observations, `repeats` times over."""

    settings: tuple[Setting, ...]
    observations: int
    repeats: int

    @classmethod
    def read(cls, parameters: Mapping[str, Any]) -> NonEscape:
        """Read the parameters of an experiment; SpecError leads to the key at fault."""
        known = ("problem", "intervals", "fixed", "observations", "samples", "repeats", "grid")
        table = Table(parameters, (), known)
        problem = _read_problem(table)
        samples, grid = _read_count(table, "samples", 1), _read_count(table, "grid", 11)
        settings = [
            Setting(problem, protocol, low, high, samples, grid)
            for low, high in _read_intervals(table, problem)
            for protocol in _read_protocols(table, problem)
        ]
        return cls(tuple(settings), _read_count(table, "observations", 1), _read_count(table, "repeats", 1))

    def units(self) -> list[tuple[Setting, int]]:
        """Return every setting and repeat; first all settings once."""
        return [(setting, repeat) for repeat in range(self.repeats) for setting in self.settings]


def run_non_escape(experiment: Experiment, results: Path, progress: StudyWatcher) -> None:
    """Estimate what is missing in the results; a repeat of a setting is stored as a whole, or not at all."""
    study = NonEscape.read(experiment.parameters)
    units = study.units()
    with NonEscapeResults.open(results) as stored:
        for done, (setting, repeat) in enumerate(units):
            progress(done, len(units))
            known = stored.count(setting, repeat)
            missing = range(known + 1, study.observations + 1)
            stored.add(setting, repeat, {n: estimate_non_escape(setting, repeat, n) for n in missing})
    progress(len(units), len(units))


def _read_problem(table: Table) -> str:
    with located(table.at("problem")):
        text = name_problem(table.text("problem"), {})
        problem = find_problem(text)
        if problem.space.dim != 1 or problem.direction != "maximize":
            raise InputError(f"must have one variable and one objective, which is maximised; {text} has not.")
        return text


def _read_intervals(table: Table, problem: str) -> list[tuple[float, float]]:
    (variable,) = find_problem(problem).space.variables
    found = []
    for each, path in table.items("intervals"):
        low, high = as_numbers(each, path, 2)
        if not variable.low <= low < high <= variable.high:
            raise SpecError(
                path, f"must be two rising numbers from {variable.low:g} to {variable.high:g}; got {each}."
            )
        found.append((low, high))
    if not found:
        raise SpecError(table.at("intervals"), "must not be empty.")
    return found


def _read_protocols(table: Table, problem: str) -> list[str]:
    found = []
    for each, path in table.items("fixed"):
        with located(path):
            found.append(name_fixed(each, path))
            read_fixed(found[-1], find_problem(problem))
    if not found:
        raise SpecError(table.at("fixed"), "must not be empty.")
    return found


def _read_count(table: Table, key: str, least: int) -> int:
    count = table.whole(key)
    if count < least:
        raise SpecError(table.at(key), f"must be at least {least}; got {count}.")
    return count
