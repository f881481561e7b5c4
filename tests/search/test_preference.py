"""Treated-as-equal choices on streams of values, and what the definition promises."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast.search.observer import Observer
from holdfast.search.preference import Choice, fewer, lowered
from holdfast.trace import Working
from tests.naive.preference import NaiveChoice

SUBSETS = [s for size in range(1, 5) for s in combinations(range(4), size)]
eighths = st.integers(-8, 8).map(lambda k: k / 8)
streams = st.lists(st.tuples(st.integers(0, len(SUBSETS) - 1), eighths), min_size=1, max_size=25)
shares = st.sampled_from((0.0, 0.125, 0.25, 0.5, 1.0))


@settings(max_examples=400, deadline=None)
@given(
    stream=streams,
    tau=shares,
    sigma=shares,
    costs=st.lists(st.sampled_from((0.0, 1.0, 1.25, 4.0)), min_size=4, max_size=4),
)
def test_follows_the_paper(stream, tau, sigma, costs) -> None:
    def second(units) -> float:
        return -sum(costs[u] for u in sorted(units))

    # A subset has one value however often it is seen.
    values: dict[int, float] = {}
    ours, twin = Choice(tau, second, sigma), NaiveChoice(tau, second, sigma)
    for number, value in stream:
        value = values.setdefault(number, value)
        ours.consider(Working(SUBSETS[number], value))
        twin.update(frozenset(SUBSETS[number]), value)
        assert frozenset(ours.chosen.units) == twin.x_sel
        assert ours.chosen.value >= lowered(ours.best.value, tau)


@settings(max_examples=200, deadline=None)
@given(
    batches=st.lists(st.lists(eighths, min_size=1, max_size=6), min_size=1, max_size=6), tau=shares
)
def test_a_batch_needs_its_best_only_where_sizes_decide(batches, tau) -> None:
    """The shortcut of the observer for second criteria that see sizes only changes nothing."""
    one_by_one, short = Choice(tau, fewer), Choice(tau, fewer)
    observer = Observer([short], (1, 10))
    for number, values in enumerate(batches):
        size = 1 + number % 3
        subsets = [tuple(range(i, i + size)) for i in range(len(values))]
        for subset, value in zip(subsets, values, strict=True):
            one_by_one.consider(Working(subset, value))
        observer.saw_all(np.array(values), size, subsets.__getitem__, uniform=True)
        assert one_by_one.chosen.value == short.chosen.value
        assert one_by_one.chosen.size == short.chosen.size


def test_threshold_of_negative_values() -> None:
    assert lowered(-2.0, 0.25) == -2.5
    assert lowered(2.0, 0.25) == 1.5
    choice = Choice(0.25, fewer)
    for units, value in [((0, 1, 2), -2.0), ((0, 1), -2.5), ((0,), -2.6)]:
        choice.consider(Working(units, value))
    assert choice.chosen.units == (0, 1)


@pytest.mark.parametrize("order", [1, -1])
def test_sigma_prefers_the_score_among_nearly_equal_costs(order: int) -> None:
    """Remark 2.3, in whichever order the two subsets come."""
    cheap, dear = Working((0,), 0.9), Working((1,), 0.95)
    costs = {(0,): -9.0, (1,): -10.0}
    for sigma, expected in ((0.0, cheap), (0.2, dear)):
        choice = Choice(0.5, costs.__getitem__, sigma)
        for subset in [cheap, dear][::order]:
            choice.consider(subset)
        assert choice.chosen == expected
