"""Runs on a Dask cluster; what a lost worker had in hand, Dask gives to another."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Generator, Sequence
from concurrent.futures import CancelledError
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from snakebo.bench.executors import Failure, Outcome, attempt
from snakebo.bench.run import Run
from snakebo.errors import InputError, SnakeboError

if TYPE_CHECKING:
    from distributed import Client, Future

_PATIENCE_S = 30.0  # for a scheduler to answer, and for its first worker
_ADDRESS = re.compile(r"\w+://[^\s/]+:\d+/?")  # Dask itself takes a minute to refuse others
_AHEAD = 2  # runs in flight for each thread of a worker, so that none waits for us


class ClusterError(SnakeboError):
    """The cluster cannot be used, or not any longer."""


class DaskCluster:
    """Runs on the workers of the scheduler at an address such as tcp://10.0.0.5:8786."""

    def __init__(self, address: str) -> None:
        if not _ADDRESS.fullmatch(address):
            raise InputError(f"A scheduler is written tcp://host:port, as Dask prints it; got {address!r}.")
        self.address = address

    def outcomes(self, runs: Sequence[Run]) -> Generator[Outcome]:
        """Yield what comes out of the runs, as they end. Raises ClusterError if the scheduler is lost."""
        if not runs:
            return
        with self._connect() as client:
            from distributed import as_completed

            waiting = deque(runs)
            in_flight: dict[Future[Any], Run] = {}
            completed = as_completed(loop=client.loop)
            while waiting or in_flight:
                try:
                    while waiting and len(in_flight) < max(1, _AHEAD * sum(client.nthreads().values())):
                        future = client.submit(attempt, waiting[0], key=f"snakebo-{uuid4()}", pure=False)
                        in_flight[future] = waiting.popleft()
                        completed.add(future)
                    future = next(completed)
                    outcome = _outcome(future, in_flight.pop(future))
                except (OSError, CancelledError) as error:
                    raise ClusterError(
                        f"The scheduler at {self.address} is gone: {error}. Finished runs are stored; "
                        "the same command goes on with the rest."
                    ) from error
                yield outcome

    def _connect(self) -> Client:
        try:
            from distributed import Client
        except ImportError:
            raise InputError("--scheduler needs Dask: pip install 'snakebo[bench]'") from None
        try:
            client = Client(self.address, timeout=_PATIENCE_S, set_as_default=False, name="snakebo")
        except (OSError, ValueError) as error:
            raise ClusterError(
                f"No Dask scheduler answers at {self.address}: {error}. Start one with: dask scheduler"
            ) from error
        try:
            client.wait_for_workers(1, timeout=_PATIENCE_S)
        except TimeoutError:
            client.close()
            raise ClusterError(
                f"The scheduler at {self.address} has no workers. Start one with: "
                f"dask worker {self.address} --nthreads 1"
            ) from None
        except BaseException:
            client.close()
            raise
        return client


def _outcome(future: Future[Any], run: Run) -> Outcome:
    if future.status == "cancelled":
        raise CancelledError("it gave up the run")
    error = future.exception()
    if error is not None:  # not the run's own, which `attempt` returns
        return Failure(run, f"{type(error).__name__}: {error}")
    outcome: Outcome = future.result()
    return outcome
