"""Runs in several processes of this machine; one that dies costs no more than a second try of its run."""

from __future__ import annotations

import os
import signal
from collections import Counter, deque
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from typing import cast

from snakebo.bench.executors import Failure, Outcome
from snakebo.bench.run import Run
from snakebo.bench.worker import work

_MOST_TRIES = 3  # of a run whose worker dies
# A worker has one core; libraries read these when they are loaded.
_ONE_THREAD = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"), "1"
)


class Processes:
    """Runs beside each other, one at a time in each of `jobs` workers."""

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs

    def outcomes(self, runs: Sequence[Run]) -> Generator[Outcome]:
        """Yield what comes out of the runs, as they end."""
        waiting = deque(runs)
        tries: Counter[Run] = Counter()
        workers: list[_Worker] = []
        try:
            while waiting or workers:
                while waiting and len(workers) < self.jobs:
                    workers.append(_Worker(waiting.popleft()))
                for worker in _ready(workers):
                    run, outcome = worker.run, worker.receive()
                    if outcome is not None and waiting:
                        worker.give(waiting.popleft())
                    else:
                        workers.remove(worker)
                        worker.end()
                    if outcome is None:  # it died
                        tries[run] += 1
                        if tries[run] < _MOST_TRIES:
                            waiting.append(run)
                            continue
                        outcome = Failure(run, f"its process died {_MOST_TRIES} times ({worker.exit_shown})")
                    yield outcome
        finally:
            for worker in workers:
                worker.end()


class _Worker:
    """A process that performs runs, one after the other."""

    def __init__(self, run: Run) -> None:
        context = get_context("spawn")  # a fork would copy locks and threads of the libraries
        self.pipe, far_end = context.Pipe()
        self._process = context.Process(target=work, args=(far_end,), daemon=True)
        with _environment(_ONE_THREAD):
            self._process.start()
        far_end.close()  # so that the end of the process is the end of the pipe
        self.give(run)

    def give(self, run: Run) -> None:
        self.run = run
        with suppress(OSError):  # it has died: `receive` will say so
            self.pipe.send(run)

    def receive(self) -> Outcome | None:
        """What came out of the run; None if the process died."""
        try:
            return cast(Outcome, self.pipe.recv())
        except (EOFError, OSError):
            self._process.join()
            return None

    @property
    def exit_shown(self) -> str:
        code = self._process.exitcode
        if code is not None and code < 0:
            with suppress(ValueError):
                return f"signal {signal.Signals(-code).name}"
        return f"exit code {code}"

    def end(self) -> None:
        self.pipe.close()
        self._process.terminate()
        self._process.join()


def _ready(workers: list[_Worker]) -> list[_Worker]:
    ends = {worker.pipe: worker for worker in workers}
    return [ends[cast(Connection, pipe)] for pipe in wait(list(ends))]


@contextmanager
def _environment(variables: dict[str, str]) -> Iterator[None]:
    """Set environment variables for the processes that are started inside."""
    before = dict(os.environ)
    os.environ.update(variables)
    try:
        yield
    finally:
        for name in variables:
            if name in before:
                os.environ[name] = before[name]
            else:
                del os.environ[name]
