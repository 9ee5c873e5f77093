"""What people see while an experiment runs: a live bar, or a line now and then where there is no terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, TextIO

from snakebo.bench.executors import Failure, Outcome
from snakebo.bench.runner import Tally, Watcher
from snakebo.bench.studies import StudyWatcher

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

_EVERY_S = 10.0
_EVERY_SHARE = 0.05


@contextmanager
def show_progress(title: str) -> Iterator[Watcher]:
    """Show the progress of `run_grid` on stderr while the block lasts."""
    from rich.console import Console

    console = Console(stderr=True)
    if not console.is_terminal:
        yield Lines(title, sys.stderr)
        return
    with _bar(console) as bar:
        task = bar.add_task(title, total=None, last="starting …")

        def watch(tally: Tally, outcome: Outcome | None) -> None:
            failed = f"{len(tally.failures)} failed  " if tally.failures else ""
            last = "" if outcome is None else str(outcome.run)
            bar.update(task, total=tally.total, completed=tally.stored, last=f"{failed}{last}")
            if isinstance(outcome, Failure):
                bar.console.print(show_failure(outcome), markup=False, highlight=False)

        yield watch


@contextmanager
def show_study(title: str) -> Iterator[StudyWatcher]:
    """Show the progress of `run_study` on stderr while the block lasts."""
    from rich.console import Console

    with _bar(Console(stderr=True)) as bar:
        task = bar.add_task(title, total=None, last="")
        yield lambda done, total: bar.update(task, total=total, completed=done)


def _bar(console: Console) -> Progress:
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[last]}", markup=False),
        console=console,
    )


class Lines:
    """A line at the beginning and at the end, and between after some time or some progress."""

    def __init__(self, title: str, stream: TextIO) -> None:
        self._title, self._stream = title, stream
        self._began = self._at = monotonic()
        self._before = self._stored = 0

    def __call__(self, tally: Tally, outcome: Outcome | None) -> None:
        """Write a line if it is time; a failure always gets one."""
        if isinstance(outcome, Failure):
            self._write(show_failure(outcome))
        if outcome is None:
            self._before = tally.stored
        ended = tally.stored + len(tally.failures) == tally.total
        progress = (tally.stored - self._stored) / max(1, tally.total)
        if outcome is None or ended or progress >= _EVERY_SHARE or monotonic() - self._at >= _EVERY_S:
            self._at, self._stored = monotonic(), tally.stored
            self._write(self._line(tally, outcome))

    def _line(self, tally: Tally, outcome: Outcome | None) -> str:
        line = f"{self._title}: {tally.stored}/{tally.total} runs"
        if tally.failures:
            line += f", {len(tally.failures)} failed"
        new, left = tally.stored - self._before, tally.total - tally.stored
        if new and left:
            line += f", about {show_duration((monotonic() - self._began) / new * left)} left"
        return line if outcome is None else f"{line}; last: {outcome.run}"

    def _write(self, line: str) -> None:
        print(line, file=self._stream, flush=True)


def show_failure(failure: Failure) -> str:
    """Return a failed run and its reason in a line."""
    return f"failed: {failure.run}: {failure.reason}"


def show_duration(seconds: float) -> str:
    """Return a time that people grasp: 40 s, 12 min, 3 h 20 min."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60:02d} min"
