"""ADD and RMV: the best tuple of units to add to, or remove from, a working subset.

Equations 3 to 7 of Somol, Grim, Novovičová & Pudil (2011). Every search is made of these two. Ties
go to the tuple that comes first in feature order, unless the judge has a tie rule of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from math import comb
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from holdfast.contracts import Judge, Verdict
from holdfast.exceptions import InputError, SearchFailedError
from holdfast.search.budget import SearchStopped
from holdfast.search.observer import Observer
from holdfast.trace import Action, Step, Working

Ints = NDArray[np.intp]
MOST_CANDIDATES = 20_000_000


class Moves:
    """What a search may do, in units of single features or blocks of them.

    Parameters
    ----------
    judge : Judge
        Who says how good a subset is.
    units : sequence of arrays
        The features of each unit, ascending.
    fixed : sequence of int
        Units in every subset.
    free : sequence of int
        Units that may come and go.
    tuple_size : int
        How many units move at once.
    observer : Observer
        Told of everything that is evaluated.
    spent : callable
        Says why the budget is spent, or None.
    uniform : bool
        Whether the second criterion sees sizes only.
    """

    def __init__(
        self,
        judge: Judge,
        units: Sequence[Ints],
        fixed: Sequence[int],
        free: Sequence[int],
        tuple_size: int,
        observer: Observer,
        spent: Callable[[], str | None],
        uniform: bool = True,
    ) -> None:
        self.judge = judge
        self.fixed = tuple(sorted(fixed))
        self.free = tuple(sorted(free))
        self.tuple_size = tuple_size
        self.observer = observer
        self.depth = 0
        self._units = units
        self._single = np.concatenate(units) if all(len(unit) == 1 for unit in units) else None
        self._spent = spent
        self._uniform = uniform

    @property
    def largest(self) -> int:
        """Size of the largest subset there is."""
        return len(self.fixed) + len(self.free)

    @property
    def smallest(self) -> int:
        """Size of the smallest subset allowed: never empty."""
        return max(1, len(self.fixed))

    def features(self, units: Sequence[int]) -> Ints:
        """Ascending feature indices of some units."""
        if not units:
            return np.zeros(0, np.intp)
        if self._single is not None:
            return np.sort(self._single[list(units)])
        return np.sort(np.concatenate([self._units[u] for u in units]))

    def start(self, units: Sequence[int]) -> Working:
        """Evaluate a subset to begin from; the empty one has no value."""
        units = tuple(sorted(units))
        if not units:
            return Working((), -np.inf)
        value = self.judge.value(self.features(units))
        self.raise_if_spent()
        if np.isnan(value):
            raise SearchFailedError("The starting subset could not be scored.")
        working = Working(units, value)
        self.observer.saw(working)
        self.record("start", (), working)
        return working

    def add(self, working: Working, *, kept: bool = True) -> Working | None:
        """ADD_c; None where fewer than c units are left to add.

        A step that is only tried is recorded as not `kept`, until the observer is told otherwise.
        """
        inside = set(working.units)
        return self._move(working, [u for u in self.free if u not in inside], True, kept)

    def remove(self, working: Working, *, kept: bool = True) -> Working | None:
        """RMV_c; None where that would leave fewer units than must stay."""
        if working.size - self.tuple_size < self.smallest:
            return None
        fixed = set(self.fixed)
        return self._move(working, [u for u in working.units if u not in fixed], False, kept)

    def candidates(self, movable: Sequence[int]) -> Ints:
        """All c-tuples of the units, in feature order."""
        n, c = len(movable), self.tuple_size
        if c == 1:
            return np.asarray(movable, dtype=np.intp)[:, None]
        if comb(n, c) > MOST_CANDIDATES:
            raise InputError(
                f"tuple_size={c} makes {comb(n, c)} candidates of {n} units in one step. Use a "
                "smaller tuple_size, or exclude features first."
            )
        flat = np.fromiter((u for t in combinations(movable, c) for u in t), np.intp)
        return flat.reshape(-1, c)

    def judged(
        self, working: Working, tuples: Ints, adding: bool, by_value: bool = False
    ) -> Verdict:
        """Verdict on the subset with each tuple of units added or removed; the observer sees it.

        Of a vote only the winner is put forward, as the values of the others did not decide; unless
        nothing but values decides (`by_value`).
        """
        verdict = self._verdict(self.features(working.units), tuples, adding)
        values = verdict.values
        if not (by_value or self.judge.comparable):
            winner = int(np.argmax(verdict.preference))
            values = np.where(np.arange(values.size) == winner, values, np.nan)
        size = working.size + (tuples.shape[1] if adding else -tuples.shape[1])
        self.observer.saw_all(
            values, size, lambda i: _moved(working.units, tuples[i], adding), self._uniform
        )
        return verdict

    def record(
        self, action: Action, moved: tuple[int, ...], subset: Working, kept: bool = True
    ) -> None:
        """Write a step into the history."""
        features = self.features(subset.units)
        self.observer.record(
            Step(
                action,
                moved,
                subset,
                self.judge.folds(features),
                self.judge.others(features),
                kept,
                self.depth,
                self.judge.evaluations,
                perf_counter() - self.observer.began,
            )
        )

    def _move(
        self, working: Working, movable: Sequence[int], adding: bool, kept: bool
    ) -> Working | None:
        if len(movable) < self.tuple_size:
            return None
        tuples = self.candidates(movable)
        verdict = self.judged(working, tuples, adding)
        winner = int(np.argmax(verdict.preference))
        if np.isneginf(verdict.preference[winner]):
            self.raise_if_spent()
            raise SearchFailedError(
                f"None of the {len(tuples)} candidates of this step could be scored."
            )
        moved = tuple(tuples[winner].tolist())
        best = Working(_moved(working.units, tuples[winner], adding), float(verdict.values[winner]))
        # A step cut short by the budget has shown its candidates to the observer, no more.
        self.raise_if_spent()
        self.record("add" if adding else "remove", moved, best, kept)
        return best

    def _verdict(self, base: Ints, tuples: Ints, adding: bool) -> Verdict:
        if self._single is not None:
            return self.judge.judge(base, self._single[tuples], adding)
        blocks = [np.concatenate([self._units[u] for u in t]) for t in tuples]
        return self.judge.judge(base, blocks, adding)

    def raise_if_spent(self) -> None:
        """Stop the search where the budget is spent."""
        reason = self._spent()
        if reason is not None:
            raise SearchStopped(reason)


def _moved(units: tuple[int, ...], moved: Ints, adding: bool) -> tuple[int, ...]:
    there = set(units)
    there ^= set(moved.tolist())
    return tuple(sorted(there))
