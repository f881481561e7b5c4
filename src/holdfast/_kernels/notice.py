"""Tell the user when kernels are being compiled, as nothing else seems to happen meanwhile."""

from __future__ import annotations

import logging
import sys
from time import perf_counter
from typing import Any

from numba.core import event

KERNELS = "holdfast._kernels."
# Seconds that a wait may last before it is worth a word.
PATIENCE = 0.5
TEXT = (
    "holdfast compiles its kernels for this machine: some seconds now, "
    "and only once, as they are kept on disk."
)

logger = logging.getLogger("holdfast")


class CompileNotice(event.Listener):
    """Logs one line in a process, where compiling goes on for longer than a moment.

    A warning, which Python shows without being asked, where somebody watches (a terminal or a
    notebook); an information in logs of batch jobs.
    """

    def __init__(self) -> None:
        self._began: float | None = None
        self._said = False

    def on_start(self, event: Any) -> None:
        if self._said or not _is_ours(event):
            return
        if self._began is None:
            self._began = perf_counter()
        elif perf_counter() - self._began >= PATIENCE:
            self._say()

    def on_end(self, event: Any) -> None:
        if self._said or self._began is None:
            return
        if perf_counter() - self._began >= PATIENCE:
            self._say()

    def _say(self) -> None:
        self._said = True
        logger.log(logging.WARNING if _somebody_watches() else logging.INFO, TEXT)


def _is_ours(event: Any) -> bool:
    return str(event.data["dispatcher"].py_func.__module__).startswith(KERNELS)


def _somebody_watches() -> bool:
    return "ipykernel" in sys.modules or bool(sys.stderr and sys.stderr.isatty())


def install() -> None:
    """Listen to numba from now on."""
    event.register("numba:compile", CompileNotice())  # type: ignore[no-untyped-call]
