"""Sequential and floating searches, forward and backward, by c-tuples.

Somol, Grim, Novovičová & Pudil (2011), section 1.2.2: SFS, SBS, SFFS, SFBS.
"""

from __future__ import annotations

from holdfast.search.moves import Moves
from holdfast.trace import Working


def forward(moves: Moves, start: Working, last_size: int) -> Working:
    """SFS: add the best tuple until the subset would exceed `last_size`."""
    working = start
    while working.size + moves.tuple_size <= last_size:
        added = moves.add(working)
        if added is None:
            break
        working = added
    return working


def backward(moves: Moves, start: Working, last_size: int) -> Working:
    """SBS: remove the tuple least missed while at least `last_size` units are left."""
    working = start
    while working.size - moves.tuple_size >= last_size:
        removed = moves.remove(working)
        if removed is None:
            break
        working = removed
    return working


def floating_forward(moves: Moves, start: Working, last_size: int) -> Working:
    """SFFS: after each addition remove as long as that improves the best known of the lower size.

    An addition that leads below the best known subset of its size goes on from that one instead:
    a search must not lose what it has found.
    """
    working = start
    while working.size + moves.tuple_size <= last_size:
        added = moves.add(working)
        if added is None:
            break
        working = _best_known(moves, added)
        while True:
            known = moves.observer.value_of(working.size - moves.tuple_size)
            removed = moves.remove(working, kept=False)
            if removed is None or not removed.value > known:
                break
            moves.observer.keep_from(moves.observer.n_steps - 1)
            working = removed
    return working


def floating_backward(moves: Moves, start: Working, last_size: int) -> Working:
    """SFBS: the same with additions and removals exchanged."""
    working = start
    while working.size - moves.tuple_size >= last_size:
        removed = moves.remove(working)
        if removed is None:
            break
        working = _best_known(moves, removed)
        while True:
            known = moves.observer.value_of(working.size + moves.tuple_size)
            added = moves.add(working, kept=False)
            if added is None or not added.value > known:
                break
            moves.observer.keep_from(moves.observer.n_steps - 1)
            working = added
    return working


def _best_known(moves: Moves, reached: Working) -> Working:
    known = moves.observer.trace.best[reached.size]
    if known.value > reached.value:
        moves.record("restore", (), known)
        return known
    return reached
