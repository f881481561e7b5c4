"""The least of many numbers: what numpy sorts to the front."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from holdfast._kernels.neighbours_least import (
    FAR,
    collect,
    fold_first,
    fold_second,
    fourth_least,
    last_of_least,
    room_for,
)

NUMBERS = arrays.arrays(
    np.float64,
    st.integers(1, 300),
    elements=st.sampled_from([0.0, 1.0, 2.0, 1e-300, 1e300, np.inf]) | st.floats(0.0, 1e3),
)


@settings(max_examples=60, deadline=None)
@given(NUMBERS, st.integers(1, 12))
def test_the_bound_covers_as_many_as_asked_for(numbers, n_least):
    room = room_for(numbers.size, n_least)
    room.numbers[: numbers.size] = numbers
    fold_first(room.by_row, room.folded)
    fold_second(room.folded_by_row, room.lanes)
    bound = last_of_least(room.lanes, np.empty(n_least))
    assert bound == FAR or np.count_nonzero(numbers <= bound) >= n_least
    assert np.isin(bound, numbers) or bound == FAR
    place = np.empty(room.numbers.size, np.int32)
    size = collect(room.numbers, bound, room.flags, room.words, place)
    np.testing.assert_array_equal(place[:size], np.flatnonzero(numbers <= bound))


@settings(max_examples=60, deadline=None)
@given(NUMBERS)
def test_the_fourth_least_is_the_fourth_of_the_sorted(numbers):
    padded = np.sort(np.append(numbers, [FAR] * 4))
    assert fourth_least(numbers) == min(padded[3], FAR)
    assert last_of_least(numbers, np.empty(4)) == min(padded[3], FAR)
