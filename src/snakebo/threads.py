"""One BLAS thread while planning.

For matrices of a few hundred rows more threads cost time, ten times over on a busy machine, and a plan must
not depend on how many cores there are.
"""

from contextlib import AbstractContextManager
from functools import cache

import scipy.linalg  # noqa: F401  (its BLAS must be loaded before the controller looks for libraries)
from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]


@cache
def _controller() -> ThreadpoolController:
    return ThreadpoolController()


def one_blas_thread() -> AbstractContextManager[object]:
    """Return a context in which NumPy's and SciPy's BLAS use one thread."""
    limit: AbstractContextManager[object] = _controller().limit(limits=1, user_api="blas")
    return limit
