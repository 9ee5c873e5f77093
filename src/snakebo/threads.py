"""One BLAS thread while planning.

For matrices of a few hundred rows more threads cost time, ten times over on a busy machine, and a plan must
not depend on how many cores there are.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any

import scipy.linalg  # noqa: F401  (its BLAS must be loaded before the controller looks for libraries)
from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]


class _OneThread:
    """The limit holds for the whole process: the first plan under way sets it, the last one lifts it."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.plans = 0
        self.controller: Any = None
        self.limit: Any = None

    def enter(self) -> None:
        with self.lock:
            if self.plans == 0:
                self.controller = self.controller or ThreadpoolController()
                self.limit = self.controller.limit(limits=1, user_api="blas")
            self.plans += 1

    def leave(self) -> None:
        with self.lock:
            self.plans -= 1
            if self.plans == 0:
                self.limit.restore_original_limits()


_one_thread = _OneThread()


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Hold NumPy's and SciPy's BLAS to one thread inside of this context."""
    _one_thread.enter()
    try:
        yield
    finally:
        _one_thread.leave()
