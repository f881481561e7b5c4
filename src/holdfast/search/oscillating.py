"""Oscillating search: improve a subset by swings down and up, ever deeper.

Somol, Grim, Novovičová & Pudil (2011), section 1.2.2: OS keeps the size, DOS finds it as well.
A swing that would leave 1 .. D units is cut there, which repeats a shallower swing at no cost.
"""

from __future__ import annotations

from collections.abc import Callable

from holdfast.exceptions import SearchFailedError
from holdfast.search.moves import Moves
from holdfast.trace import Working

Move = Callable[[Working], Working | None]
Swing = Callable[[Working, Move, Move, int], Working | None]


def oscillating(moves: Moves, start: Working, swing: int) -> Working:
    """OS: the whole swing must end better than it began; then begin again at depth 1."""
    return _swinging(moves, start, swing, _whole)


def dynamic_oscillating(moves: Moves, start: Working, swing: int) -> Working:
    """DOS: any subset met on a swing may become the new working subset if it is better."""
    return _swinging(moves, start, swing, _first_better)


def _swinging(moves: Moves, start: Working, swing: int, tried: Swing) -> Working:
    """Swing ever deeper, each depth down first and then up; begin again where one improves."""

    def down(working: Working) -> Working | None:
        return _where_possible(moves.remove, working)

    def up(working: Working) -> Working | None:
        return _where_possible(moves.add, working)

    working, depth = start, 1
    while True:
        moves.depth = depth
        before = moves.observer.n_steps
        better = tried(working, down, up, depth)
        if better is None:
            before = moves.observer.n_steps
            better = tried(working, up, down, depth)
        if better is not None:
            moves.observer.keep_from(before)
            working, depth = better, 1
        elif depth * moves.tuple_size < swing:
            depth += 1
        else:
            break
    moves.depth = 0
    return working


def _whole(working: Working, there: Move, back: Move, depth: int) -> Working | None:
    """Swing by so many tuples and back; return where it led if that is better."""
    current = working
    for move in [there] * depth + [back] * depth:
        moved = move(current)
        if moved is None:
            return None
        current = moved
    return current if current.value > working.value else None


def _first_better(working: Working, there: Move, back: Move, depth: int) -> Working | None:
    """Swing as far as it goes and back; return the first subset that is better."""
    current, steps = working, 0
    for move in [there] * depth + [back] * depth:
        if move is back and steps == 0:
            break
        moved = move(current)
        if moved is None:
            continue
        current, steps = moved, steps + (1 if move is there else -1)
        if current.value > working.value:
            return current
    return None


def _where_possible(move: Callable[..., Working | None], working: Working) -> Working | None:
    """Move where there is a candidate that can be scored: elsewhere a swing just ends."""
    try:
        moved: Working | None = move(working, kept=False)
    except SearchFailedError:
        return None
    return moved
