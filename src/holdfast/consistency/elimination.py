"""Backward elimination in a given order, many features at a time.

Taken one by one, each feature in turn goes if the subset can do without it. A measure that never
falls when features go allows to leap: if a whole block can go, each of its features could have gone
in its turn. So blocks double while they can go and are halved when they cannot, and the long
beginning of the order, which goes anyway, is never even added.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count

import numpy as np
from numpy.typing import NDArray

from holdfast.consistency.states import State

Ints = NDArray[np.int64]

# Values that differ by less are taken for equal: they are sums of rounded terms.
ROUNDING = 1e-12


class CollisionFound(Exception):
    """Two different rows had the same hash, and it mattered: begin again with other words."""


@dataclass(frozen=True)
class Rule:
    """When features may go.

    Attributes
    ----------
    threshold : float
        The highest value allowed; or, by contribution, the highest rise for one feature.
    by_contribution : bool
        Whether the rise counts that the loss of a feature makes, instead of the value after it.
    yields : bool
        Whether the threshold rises to the value of all features where that is above it; else
        nothing is removed there.
    """

    threshold: float
    by_contribution: bool = False
    yields: bool = True

    def limit(self, value: float) -> float:
        """The highest value allowed after the next removal from a subset of this value."""
        base = value if self.by_contribution else 0.0
        return base + self.threshold + ROUNDING


@dataclass
class Outcome:
    """What an elimination came to.

    Attributes
    ----------
    kept : list of int
        The features kept, in the order they were come to.
    value : float
        Value of the subset.
    whole : float or None
        Value of all features, where it had to be found: no end of the order was low enough.
    threshold : float
        The threshold used.
    n_tests : int
        How many subsets were looked at.
    """

    kept: list[int] = field(default_factory=list)
    value: float = 0.0
    whole: float | None = None
    threshold: float = 0.0
    n_tests: int = 0


def eliminate(
    state_of: Callable[[int], State],
    order: Ints,
    rule: Rule,
    on_kept: Callable[[int], None] = lambda feature: None,
    from_whole: bool = False,
) -> Outcome:
    """Go through the features in order and remove each that may go.

    Parameters
    ----------
    state_of : callable
        Makes a state, given which attempt it is; each attempt must use other random words.
    order : array of int
        Features, the first to be removed first.
    rule : Rule
        When a feature may go.
    on_kept : callable, optional
        Told of each feature kept, while the state is without it.
    from_whole : bool, default=False
        Whether states begin with all features, which are low enough, and not empty. That is better
        where it is known that most are needed.

    Notes
    -----
    Each feature is added and removed a few times at most, and for each one kept there are
    O(log D) groupings of n rows.
    """
    for attempt in count():
        try:
            return _Run(state_of(attempt), order, rule, on_kept).result(from_whole)
        except CollisionFound:
            continue
    raise AssertionError


class _Run:
    """One attempt."""

    def __init__(
        self, state: State, order: Ints, rule: Rule, on_kept: Callable[[int], None]
    ) -> None:
        self.state = state
        self.order = order
        self.rule = rule
        self.on_kept = on_kept
        self.outcome = Outcome(threshold=rule.threshold)

    def result(self, from_whole: bool) -> Outcome:
        position, value = (0, self._value()) if from_whole else self._end_of_order()
        if from_whole and value > self.rule.limit(0.0):
            raise CollisionFound
        if self.outcome.whole is not None and not self.rule.yields:
            self.outcome.kept, position = self.order.tolist(), self.order.size
        size, too_far = 1, self.order.size + 1
        while position < self.order.size:
            size = min(size, self.order.size - position)
            saved = self.state.save()
            self.state.remove(self.order[position : position + size])
            after = self._value()
            if after <= self.rule.limit(value):
                position, value = position + size, after
                if self.rule.by_contribution:
                    self._assure(position)
                # Past a block that cannot go as a whole, the gap to its end is halved.
                size = max(1, (too_far - position) // 2) if too_far <= self.order.size else 2 * size
            elif size > 1:
                self.state.restore(saved)
                too_far, size = position + size, size // 2
            else:
                self._keep(position)
                self.state.restore(saved)
                position, size, too_far = position + 1, 1, self.order.size + 1
        self.outcome.value = self._value()
        self._assure(position)
        return self.outcome

    def _end_of_order(self) -> tuple[int, float]:
        """Where an end of the order begins that is low enough, short if there is such; its value.

        All before it may go: together they raise the value by no more than the threshold.
        """
        position, size = self.order.size, 1
        value = self._value()
        while value > self.rule.limit(0.0) and position > 0:
            start = max(0, position - size)
            self.state.add(self.order[start:position])
            position, size = start, 2 * size
            value = self._value()
        if value > self.rule.limit(0.0):
            self._assure(0)
            self.outcome.whole = value
            if self.rule.yields and not self.rule.by_contribution:
                self.rule = Rule(value)
                self.outcome.threshold = value
        elif self.rule.by_contribution:
            self._assure(position)
        return position, value

    def _value(self) -> float:
        self.outcome.n_tests += 1
        return self.state.value()

    def _keep(self, position: int) -> None:
        """Keep the feature there; the state is without it, and its value too high."""
        feature = int(self.order[position])
        self._assure(position + 1)
        self.on_kept(feature)
        self.outcome.kept.append(feature)

    def _assure(self, position: int) -> None:
        """Begin anew where a collision has made the value last found."""
        subset = np.concatenate((np.array(self.outcome.kept, np.int64), self.order[position:]))
        if not self.state.is_certain(subset):
            raise CollisionFound
