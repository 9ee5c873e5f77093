"""Where runs are performed: what every executor does, and the one that does it in this process."""

from __future__ import annotations

import traceback
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Protocol

from snakebo.bench.perform import perform
from snakebo.bench.record import Record
from snakebo.bench.run import Run


@dataclass(frozen=True)
class Failure:
    """A run that gave no record, and why."""

    run: Run
    reason: str


Outcome = Record | Failure


class Executor(Protocol):
    """A place where runs are performed."""

    def outcomes(self, runs: Sequence[Run]) -> Generator[Outcome]:
        """Yield a record or a failure for each run, as they come; closing the iterator ends all work."""


def attempt(run: Run) -> Outcome:
    """Perform a run; an exception is a failure that says what was raised, and where."""
    try:
        return perform(run)
    except Exception as error:
        frame = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{frame.filename.rpartition('/')[2]}:{frame.lineno}"
        return Failure(run, f"{type(error).__name__}: {error} ({where})")


class InProcess:
    """One run after the other, here."""

    def outcomes(self, runs: Sequence[Run]) -> Generator[Outcome]:
        """Yield what comes out of each run, in order."""
        for run in runs:
            yield attempt(run)
