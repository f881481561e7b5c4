import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast.study.records import Outcome, Record, checksum

names = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
numbers = st.floats(width=64)


@st.composite
def outcomes(draw):
    subset = sorted(draw(st.sets(st.integers(0, 2**31 - 1), max_size=8)))
    metrics = st.dictionaries(names, numbers, max_size=2)
    bits = st.lists(st.booleans(), max_size=20)
    return Outcome(
        draw(st.integers(-1, 10**6)),
        np.array(subset, dtype=np.int32),
        draw(st.dictionaries(names, metrics, max_size=2)),
        {k: np.array(v, dtype=bool) for k, v in draw(st.dictionaries(names, bits)).items()},
    )


@st.composite
def records(draw):
    return Record(
        draw(names),
        draw(names),
        draw(st.integers(0, 10**9)),
        draw(st.integers(-1, 10**9)),
        draw(st.sampled_from(["done", "failed"])),
        draw(names),
        tuple(draw(st.lists(outcomes(), max_size=3))),
        draw(st.sampled_from(["weights", "ranks", ""])),
        np.array(draw(st.lists(numbers, max_size=5)), dtype=np.float64),
        draw(st.floats(0, 1e6)),
    )


@given(records())
@settings(max_examples=150)
def test_records_come_back_as_they_were(record):
    packed = record.packed()
    back = Record.unpacked(packed, record.seconds)
    assert back.packed() == packed
    assert checksum(back.packed()) == checksum(packed)
    for name in ("key", "selector", "repetition", "inner", "status", "reason", "seconds"):
        assert getattr(back, name) == getattr(record, name)
    for one, other in zip(back.outcomes, record.outcomes, strict=True):
        assert one.size == other.size
        np.testing.assert_array_equal(one.subset, other.subset)
        assert one.subset.dtype == np.int32
        assert {m: set(s) for m, s in one.scores.items()} == {
            m: set(s) for m, s in other.scores.items()
        }
        for model, bits in other.correct.items():
            np.testing.assert_array_equal(one.correct[model], bits)
    np.testing.assert_array_equal(back.scores, record.scores)


@given(records(), st.data())
@settings(max_examples=100)
def test_checksums_tell_rows_apart(record, data):
    packed = list(record.packed())
    place = data.draw(st.integers(0, len(packed) - 1))
    other = data.draw(records()).packed()[place]
    changed = [*packed[:place], other, *packed[place + 1 :]]
    assert (checksum(tuple(packed)) == checksum(tuple(changed))) == (packed == changed)


def test_checksums_see_where_one_part_ends_and_the_next_begins():
    assert checksum(("ab", "c")) != checksum(("a", "bc"))
