"""A process that performs runs for `Processes`; light, so that it minds signals before it loads the rest."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from multiprocessing import parent_process
from multiprocessing.connection import Connection, wait
from threading import Thread


def work(pipe: Connection) -> None:
    """Perform the runs that come through the pipe until it is closed, and send back what comes out."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which ends its workers
    Thread(target=_end_with_parent, daemon=True).start()
    from snakebo.bench.executors import attempt

    with suppress(EOFError, OSError):
        while True:
            pipe.send(attempt(pipe.recv()))


def _end_with_parent() -> None:
    """Leave nothing running where the parent was killed."""
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
