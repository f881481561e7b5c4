"""How many features: which subset a size rule picks of all that a search has seen."""

from __future__ import annotations

import numpy as np

from holdfast.search.moves import Moves
from holdfast.search.observer import Observer
from holdfast.trace import Working

RULES = ("best", "one_standard_error", "knee")


def chosen(observer: Observer, moves: Moves, rule: str) -> Working:
    """The subset that the size rule picks from what the search has seen.

    Where a search stopped before it saw a size asked for, the best of the nearest size.
    """
    first = observer.choices[0]
    low, high = observer.sizes
    known = observer.trace.best
    if first.best is None or first.chosen is None:
        return known[min(known, key=lambda size: max(low - size, size - high))]
    if rule == "best":
        return first.chosen
    allowed = [known[size] for size in sorted(known) if low <= size <= high]
    if rule == "knee":
        return knee(allowed, first.best)
    return within_one_error(allowed, first.best, moves)


def within_one_error(by_size: list[Working], best: Working, moves: Moves) -> Working:
    """The smallest subset whose value is within one standard error of the best one's.

    The error is that of the best subset's mean over folds: the standard deviation of its fold
    scores over the square root of their number.
    """
    folds = moves.judge.folds(moves.features(best.units))
    if folds.size < 2:
        # Such a search was ended with an error at its first step.
        return best
    error = float(folds.std(ddof=1)) / np.sqrt(folds.size)
    return next(known for known in by_size if known.value >= best.value - error)


def knee(by_size: list[Working], best: Working) -> Working:
    """The subset farthest above the chord from the smallest to the best, of those in between.

    Where none is above it, scores rise to the end without a bend, and the best is taken.
    """
    rise = [known for known in by_size if known.size <= best.size]
    sizes = np.array([known.size for known in rise])
    values = np.array([known.value for known in rise])
    if sizes.size < 3:
        return best
    # Farthest in height is farthest in distance: both differ by the cosine of one angle.
    chord = np.interp(sizes, sizes[[0, -1]], values[[0, -1]])
    height = values - chord
    farthest = int(np.argmax(height))
    dust = 1e-12 * np.abs(values).max()
    return rise[farthest] if height[farthest] > dust else best
