"""CWC and LCC over data in parts, with the result that the whole would give."""

from __future__ import annotations

from itertools import count
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdfast.consistency.elimination import ROUNDING, Outcome, Rule, eliminate
from holdfast.consistency.gathering import Distinct
from holdfast.consistency.noise import Denoise, NoiseFound, noise_in, nothing
from holdfast.consistency.passes import Passes, first_end
from holdfast.consistency.states import BITS, Binary, Counted
from holdfast.statistics.groups import Grouper, Groups
from holdfast.statistics.inconsistency import OfCounts
from holdfast.statistics.row_hashes import RowComparer

Ints = NDArray[np.int64]


class Consistent(NamedTuple):
    """What CWC chose and what it did to the data for it.

    Attributes
    ----------
    kept : array of int
        Features.
    pairs : array of int
        For each of them two examples that show that it is needed.
    consistent : bool
        Whether they are consistent on the examples left.
    was_inconsistent : bool
        Whether all features together were not, on all examples.
    noise : NoiseFound
        The examples removed.
    n_tests : int
        How many subsets were looked at, once the end of the order was found.
    """

    kept: Ints
    pairs: Ints
    consistent: bool
    was_inconsistent: bool
    noise: NoiseFound
    n_tests: int


def consistent_in_passes(passes: Passes, order: Ints, how: Denoise | None) -> Consistent:
    """Run CWC."""
    noise = nothing(passes.classes.size)
    none = np.empty((0, 2), np.int64)
    length = _consistent_end(passes, order, 0)
    was_inconsistent = False
    for seed in count():
        if length is not None:
            break
        groups = _certain_groups(passes, order, seed, every=how == "aggressive")
        counts = groups.counts(passes.classes, passes.counts.classes.size)
        mixed = bool((np.count_nonzero(counts, axis=1) > 1).any())
        if mixed and how is None:
            return Consistent(order, none, False, True, noise, 0)
        if mixed:
            was_inconsistent = True
            noise = noise_in(groups, passes.classes, how == "aggressive")
            passes.classes = np.where(noise.all, -1, passes.classes)
        length = _consistent_end(passes, order, seed)
    assert length is not None
    end = order[order.size - length :]
    if not length:
        return Consistent(end, none, True, was_inconsistent, noise, 0)
    rows = passes.distinct(end)
    states: list[Binary] = []
    pairs: list[tuple[int, int] | None] = []

    def begin(attempt: int) -> Binary:
        pairs.clear()
        comparer = RowComparer(rows.codes)
        states.append(Binary(rows.codes, rows.classes, comparer, BITS, attempt))
        return states[-1]

    outcome = eliminate(
        begin,
        np.arange(length),
        Rule(0.0, yields=False),
        lambda feature: pairs.append(states[-1].pair),
    )
    shown = rows.first[np.array(pairs, np.int64).reshape(-1, 2)]
    kept = end[outcome.kept]
    return Consistent(kept, shown, True, was_inconsistent, noise, outcome.n_tests)


def constrained_in_passes(
    passes: Passes, order: Ints, threshold: float, measure: OfCounts
) -> Outcome:
    """Run LCC under a measure of counts; features kept are those of the data."""
    classes, n_classes = passes.classes, passes.counts.classes.size
    grouper = Grouper(classes.size)

    def value_of(groups: Groups) -> float:
        return measure(groups.counts(classes, n_classes))

    def value(words: Any) -> float:
        return value_of(grouper.by_words(words))

    whole: float | None = None
    length = _end_within(passes, order, value, value_of(grouper.all_together()), threshold, 0)
    for seed in count():
        if length is not None:
            break
        exact = value_of(_certain_groups(passes, order, seed, every=False))
        if exact > threshold + ROUNDING:
            whole = threshold = exact
        empty = value_of(grouper.all_together())
        length = _end_within(passes, order, value, empty, threshold, seed)
    assert length is not None
    end = order[order.size - length :]
    if not length:
        empty = value_of(grouper.all_together())
        return Outcome([], empty, whole, threshold, 1)
    rows = passes.distinct(end)
    outcome = _eliminate_weighted(rows, length, threshold, measure)
    outcome.kept = end[outcome.kept].tolist()
    outcome.whole, outcome.threshold = whole, threshold
    return outcome


def _eliminate_weighted(
    rows: Distinct, length: int, threshold: float, measure: OfCounts
) -> Outcome:
    def begin(attempt: int) -> Counted:
        comparer = RowComparer(rows.codes)
        state = Counted(rows.codes, rows.classes, comparer, BITS, attempt, measure=measure)
        state.weights = rows.weights
        return state

    return eliminate(begin, np.arange(length), Rule(threshold))


def _end_within(
    passes: Passes, order: Ints, value: Any, of_none: float, threshold: float, seed: int
) -> int | None:
    limit = threshold + ROUNDING
    return 0 if of_none <= limit else first_end(passes.ends(order, seed), value, limit)


def _consistent_end(passes: Passes, order: Ints, seed: int) -> int | None:
    """Length of an end of the order that is consistent, short if there is such."""
    classes = passes.classes
    inside = classes[classes >= 0]
    if not inside.size or (inside == inside[0]).all():
        return 0
    grouper = Grouper(classes.size)

    def value(words: Any) -> float:
        return float(grouper.conflict(words, classes) is not None)

    return first_end(passes.ends(order, seed), value, 0.0)


def _certain_groups(passes: Passes, order: Ints, seed: int, every: bool) -> Groups:
    """Group equal examples by all features, and compare them.

    Groups of one example need no look, nor, unless `every` is asked for, those of one class: for
    what is counted they might as well be apart.
    """
    classes = passes.classes
    for more in count():
        (words,) = passes.words(order, [order.size], seed + 1000 * more)
        groups = Grouper(classes.size, classes < 0).by_words(words)
        counts = groups.counts(classes, passes.counts.classes.size)
        doubtful = counts.sum(axis=1) > 1
        if not every:
            doubtful &= np.count_nonzero(counts, axis=1) > 1
        if passes.agree(order, groups, doubtful):
            return groups
    raise AssertionError
