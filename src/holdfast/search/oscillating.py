"""Oscillating search: improve a subset by swings down and up, ever deeper.

Somol, Grim, Novovičová & Pudil (2011), section 1.2.2: OS keeps the size, DOS finds it as well.
A swing that would leave 1 .. D units is cut there, which repeats a shallower swing at no cost.
"""

from __future__ import annotations

from collections.abc import Callable

from holdfast.search.moves import Moves
from holdfast.trace import Working

Move = Callable[[Working], Working | None]


def oscillating(moves: Moves, start: Working, swing: int) -> Working:
    """OS: the whole swing must end better than it began; then begin again at depth 1."""
    working, depth = start, 1
    while depth * moves.tuple_size <= max(swing, moves.tuple_size):
        moves.depth = depth
        better = _swing(moves, working, depth, first_down=True)
        if better is None:
            better = _swing(moves, working, depth, first_down=False)
        if better is None:
            depth += 1
        else:
            moves.keep()
            working, depth = better, 1
    moves.depth = 0
    return working


def _swing(moves: Moves, working: Working, depth: int, first_down: bool) -> Working | None:
    """Swing by so many tuples and back; return where it led if that is better."""
    there, back = _ways(moves, first_down)
    current = working
    for move in [there] * depth + [back] * depth:
        moved = move(current)
        if moved is None:
            return None
        current = moved
    return current if current.value > working.value else None


def dynamic_oscillating(moves: Moves, start: Working, swing: int) -> Working:
    """DOS: any subset met on a swing may become the new working subset if it is better."""
    working, depth = start, 1
    while depth * moves.tuple_size <= max(swing, moves.tuple_size):
        moves.depth = depth
        better = _first_better(moves, working, depth, first_down=True)
        if better is None:
            better = _first_better(moves, working, depth, first_down=False)
        if better is None:
            depth += 1
        else:
            moves.keep()
            working, depth = better, 1
    moves.depth = 0
    return working


def _first_better(moves: Moves, working: Working, depth: int, first_down: bool) -> Working | None:
    there, back = _ways(moves, first_down)
    current, steps = working, 0
    while steps < depth:
        moved = there(current)
        if moved is None:
            break
        current, steps = moved, steps + 1
        if current.value > working.value:
            return current
    for _ in range(steps):
        moved = back(current)
        if moved is None:
            break
        current = moved
        if current.value > working.value:
            return current
    return None


def _ways(moves: Moves, first_down: bool) -> tuple[Move, Move]:
    def down(working: Working) -> Working | None:
        return moves.remove(working, kept=False)

    def up(working: Working) -> Working | None:
        return moves.add(working, kept=False)

    return (down, up) if first_down else (up, down)
