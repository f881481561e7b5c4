"""End a task that takes too long, as gently as it can be ended."""

from __future__ import annotations

import ctypes
import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

# After the limit a task is asked to end; it is given this long before its process is ended.
GRACE_SECONDS = 5.0


class TimeLimit(BaseException):
    """Raised inside a task whose time is over; no task that catches errors can swallow it."""


@contextmanager
def limited(seconds: float | None, end_process: Callable[[], None] | None = None) -> Iterator[None]:
    """Raise `TimeLimit` in the block after so many seconds.

    Parameters
    ----------
    seconds : float or None
        None is no limit.
    end_process : callable, optional
        Called if the block does not end soon after, as compiled code may not; in a process that
        others can replace.
    """
    if seconds is None:
        yield
        return
    last = None
    if end_process is not None:
        last = threading.Timer(seconds + GRACE_SECONDS, end_process)
        last.daemon = True
        last.start()
    try:
        with _raised_after(seconds):
            yield
    except TimeLimit:
        raise TimeoutError(f"it took longer than the time limit of {seconds:g} s") from None
    finally:
        if last is not None:
            last.cancel()


@contextmanager
def _raised_after(seconds: float) -> Iterator[None]:
    main = threading.current_thread() is threading.main_thread()
    if main and hasattr(signal, "setitimer"):
        before = signal.signal(signal.SIGALRM, _raise)
        signal.setitimer(signal.ITIMER_REAL, seconds)
        try:
            yield
        finally:
            try:
                signal.setitimer(signal.ITIMER_REAL, 0.0)
            finally:
                signal.signal(signal.SIGALRM, before)
        return
    # Signals reach the main thread only; elsewhere Python itself can be asked.
    thread, ended, one_at_a_time = threading.get_ident(), threading.Event(), threading.Lock()

    def ask() -> None:
        with one_at_a_time:
            if not ended.is_set():
                _raise_in(thread)

    timer = threading.Timer(seconds, ask)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        with one_at_a_time:
            ended.set()


def _raise(number: int, frame: FrameType | None) -> None:
    raise TimeLimit


def _raise_in(thread: int) -> None:
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(TimeLimit))


def end_this_process() -> None:
    """End now, without the clean-up that a stuck task would block."""
    os._exit(70)
