"""Numba's compiler behind a typed decorator: machine code, cached on disk, free of the GIL.

Kernels are never parallel: many campaigns share one machine, and one result must not depend on its cores.
Numba checks its cache against the file of a function only: a kernel calls kernels of its own file and none
of another, or stale machine code would outlive a change there.
"""

from collections.abc import Callable
from typing import Any, TypeVar, cast, overload

from numba import njit

F = TypeVar("F", bound=Callable[..., Any])


@overload
def compiled(function: F, /) -> F: ...


@overload
def compiled(*, fastmath: bool = ...) -> Callable[[F], F]: ...


def compiled(function: F | None = None, /, *, fastmath: bool = False) -> F | Callable[[F], F]:
    """Compile a function of numbers and arrays; use as `@compiled` or `@compiled(fastmath=True)`.

    With `fastmath` sums may be reordered, and NaN or infinity must not occur.
    """

    def compile_one(kernel: F) -> F:
        return cast("F", njit(cache=True, nogil=True, fastmath=fastmath)(kernel))

    return compile_one if function is None else compile_one(function)
