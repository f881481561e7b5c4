"""How kernels are compiled: on first use, and kept on disk where there is a place for it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any, TypeVar, cast

import numpy as np
from numba import config, njit

from holdfast._kernels import notice

Kernel = TypeVar("Kernel", bound=Callable[..., Any])

notice.install()


def compiled(kernel: Kernel) -> Kernel:
    """Compile a kernel on its first call; keep the machine code for later processes.

    numba keeps it beside the source, or in the user's cache directory, or in NUMBA_CACHE_DIR.
    Where it may write to none of them (a read-only installation and no home), it refuses at
    import; then each process compiles for itself.
    """
    try:
        return cast("Kernel", njit(kernel, cache=True, nogil=True))
    except RuntimeError:
        return cast("Kernel", njit(kernel, nogil=True))


_AS_IS: AbstractContextManager[Any] = nullcontext()


def wrapping() -> AbstractContextManager[Any]:
    """Where kernels run uncompiled, keep numpy from warning of words that wrap round on purpose."""
    return np.errstate(over="ignore") if cast(Any, config).DISABLE_JIT else _AS_IS


def part(kernel: Kernel) -> Kernel:
    """Write a step of one kernel into it before compiling.

    A kernel that calls another contains it, and so does the next around: each is compiled with all
    inside it. A large one that only one other calls is written into that instead, and compiled
    once.
    """
    return cast("Kernel", njit(kernel, nogil=True, inline="always"))
