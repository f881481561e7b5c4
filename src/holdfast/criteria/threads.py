"""Run a kernel over pieces of its work, in threads; kernels let go of the interpreter lock."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import TypeVar

Result = TypeVar("Result")


@lru_cache(maxsize=4)
def _pool(n_threads: int) -> ThreadPoolExecutor:
    """Make threads once: starting one costs more than a small piece of work."""
    return ThreadPoolExecutor(n_threads, thread_name_prefix="holdfast")


if hasattr(os, "register_at_fork"):
    # A forked child inherits the pool but none of its threads, and would wait for ever.
    os.register_at_fork(after_in_child=_pool.cache_clear)


def map_chunks(
    function: Callable[[int, int], Result],
    n_items: int,
    n_jobs: int,
    at_least: int = 1,
    pieces_each: int = 1,
) -> list[Result]:
    """Call ``function(first, last)`` on even, consecutive pieces of the work.

    Parameters
    ----------
    function : callable
        Must give the same in any piece; it runs in several threads at once.
    n_items : int
        How much there is to do; pieces are parts of ``range(n_items)``.
    n_jobs : int
        How many threads at most.
    at_least : int
        Pieces are no smaller than this, so that little work is not spread thin.
    pieces_each : int
        Pieces for each thread, which takes the next when it is done with one: more than 1 where
        some of the work takes longer than the rest.

    Returns
    -------
    list
        The results in the order of the pieces; empty where there is nothing to do.
    """
    if n_items <= 0:
        return []
    n_jobs = max(1, min(n_jobs, n_items // max(1, at_least)))
    n_chunks = 1 if n_jobs == 1 else max(1, min(n_jobs * pieces_each, n_items // max(1, at_least)))
    edges = [n_items * c // n_chunks for c in range(n_chunks + 1)]
    if n_chunks == 1:
        return [function(0, n_items)]
    # The calling thread takes the first piece itself, or waits while there are many.
    pool, own = (_pool(n_jobs - 1), 1) if n_chunks == n_jobs else (_pool(n_jobs), 0)
    others = [pool.submit(function, edges[c], edges[c + 1]) for c in range(own, n_chunks)]
    first = [function(edges[0], edges[1])] if own else []
    return first + [other.result() for other in others]
