"""Every subset of the sizes asked for, and the best individual features."""

from __future__ import annotations

from math import comb

import numpy as np

from holdfast.exceptions import InputError, SearchFailedError
from holdfast.search.moves import Moves
from holdfast.trace import Working

MOST_SUBSETS = 2**32


def exhaustive(moves: Moves, sizes: tuple[int, int]) -> None:
    """Judge every subset with a size in the range, as additions to its prefix.

    The children of a prefix are one batch, so a criterion that reuses its base does so here too.
    Subsets are compared by their value, also those of a vote. The history has a step for each one
    that is better than all before.
    """
    low, high = sizes[0] - len(moves.fixed), sizes[1] - len(moves.fixed)
    n_subsets = sum(comb(len(moves.free), k) for k in range(max(low, 0), high + 1))
    if n_subsets > MOST_SUBSETS:
        raise InputError(
            f"There are {n_subsets} subsets of these sizes, too many to try. Use a search such as "
            "SequentialSelector, or exclude features first."
        )
    start = moves.start(moves.fixed) if low <= 0 else Working(moves.fixed, np.nan)
    _below(moves, start, 0, low, high)


def _below(moves: Moves, prefix: Working, first: int, low: int, high: int) -> None:
    """Judge the extensions of a prefix by the free units from position `first` on."""
    level = prefix.size - len(moves.fixed)
    if level >= high:
        return
    movable = np.asarray(moves.free[first:], dtype=np.intp)
    if movable.size == 0:
        return
    if level + 1 >= low:
        before = moves.observer.best
        moves.judged(prefix, movable[:, None], adding=True, by_value=True)
        best = moves.observer.best
        if best is not None and best is not before:
            moves.record("improve", (), best)
        moves.raise_if_spent()
    for i, unit in enumerate(movable.tolist()):
        longer = Working(tuple(sorted((*prefix.units, unit))), np.nan)
        # A prefix too near the end cannot reach the smallest size asked for.
        if level + 1 + movable.size - i - 1 >= low:
            _below(moves, longer, first + i + 1, low, high)


def individual(moves: Moves, size: int) -> Working:
    """BIF: the units that are best on their own, beside the fixed ones; ties to the first."""
    movable = np.asarray(moves.free, dtype=np.intp)
    n_wanted = size - len(moves.fixed)
    if n_wanted == 0:
        return moves.start(moves.fixed)
    verdict = moves.judged(Working(moves.fixed, np.nan), movable[:, None], adding=True)
    moves.raise_if_spent()
    n_scored = int((~np.isneginf(verdict.preference)).sum())
    if n_scored < n_wanted:
        raise SearchFailedError(
            f"Only {n_scored} of {movable.size} candidates were scored on their own, and the best "
            f"{n_wanted} are asked for. The others failed, or the filter of a hybrid left them out."
        )
    order = np.argsort(-verdict.preference, kind="stable")
    return moves.start((*moves.fixed, *movable[order[:n_wanted]].tolist()))
