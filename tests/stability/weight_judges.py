"""The properties that make sense for weights and rankings, tried on random ones (seeded)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

import numpy as np

from holdfast.selections import Selections
from holdfast.stability import Measure
from tests.stability.judges import EXACT, bounds

N_WEIGHT_CASES = 60


def _tables() -> Iterator[np.ndarray]:
    """Weights with ties now and then, but no constant run."""
    rng = np.random.default_rng(7)
    for i in range(N_WEIGHT_CASES):
        n, d = rng.integers(2, 6), rng.integers(2, 6)
        weights = rng.normal(size=(n, d))
        if i % 3 == 0:
            weights = np.round(weights)
            weights[:, 0] = weights[:, 1:].max(axis=1) + 1
        yield weights


def _value(measure: Measure, weights: np.ndarray) -> float:
    return measure(Selections.from_weights(weights, top=1, importance="value"))


def has_limits(measure: Measure) -> bool:
    for weights in _tables():
        low, high = bounds(measure, len(weights))
        if not low - EXACT <= _value(measure, weights) <= high + EXACT:
            return False
        if abs(_value(measure, np.repeat(weights[:1], 3, axis=0)) - high) > EXACT:
            return False
    return True


def has_chance(measure: Measure) -> bool:
    """Whether the mean over all orders of one run's weights is 0."""
    for weights in _tables():
        first, second = weights[0], weights[1]
        values = [_value(measure, np.array([first, order])) for order in permutations(second)]
        if abs(np.mean(values)) > EXACT:
            return False
    return True


def is_symmetric(measure: Measure) -> bool:
    rng = np.random.default_rng(8)
    return all(
        abs(_value(measure, weights) - _value(measure, rng.permutation(weights))) <= EXACT
        for weights in _tables()
    )


WEIGHT_JUDGES = {"limits": has_limits, "chance": has_chance, "symmetric": is_symmetric}
