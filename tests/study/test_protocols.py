import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.model_selection import GroupKFold, LeaveOneOut, StratifiedKFold

from holdfast.exceptions import InputError
from holdfast.resampling import Bootstrap, ComplementaryPairs
from holdfast.study.protocols import PROTOCOLS, Draws, Protocol, protocol_of
from tests.naive import resampling as naive

N = 300
y = np.repeat([0, 1, 2], [150, 90, 60])
X = np.random.default_rng(0).normal(size=(N, 4))
groups = np.arange(N) // 6
# name: repetitions, outer and inner samples, share of the examples that is learned from
EXPECTED = {
    "bootstrap": (100, 100, 0, 1.0),
    "complementary-pairs": (50, 100, 0, 0.5),
    "groups": (100, 100, 0, 0.8),
    "kalousis2007": (10, 10, 100, 0.9),
    "nogueira2016": (100, 100, 0, 0.9),
    "shin2011": (5, 5, 0, 0.8),
    "somol2008": (1000, 1000, 0, 0.8),
    "somol2011-2.3": (1, 1, 0, 0.5),
    "somol2011-3.2": (10, 10, 0, 0.9),
    "somol2011-4.1": (1, 1, 0, 0.5),
    "subsampling": (100, 100, 0, 0.8),
}
STRATIFIED = set(EXPECTED) - {"groups", "nogueira2016"}
GROWING = set(EXPECTED) - {"kalousis2007", "shin2011", "somol2011-3.2"}


def draws(name, repetitions=None, seed=0):
    made = protocol_of(name, repetitions, seed, "test")
    return list(made.draws(X, y, groups if name == "groups" else None))


def alike(one, other):
    return all(
        a[:2] == b[:2] and np.array_equal(a.train, b.train) and np.array_equal(a.test, b.test)
        for a, b in zip(one, other, strict=True)
    )


def test_all_are_tested():
    assert set(EXPECTED) == set(PROTOCOLS)


@pytest.mark.parametrize("name", EXPECTED)
def test_samples_are_as_defined(name):
    _, n_outer, n_inner, share = EXPECTED[name]
    found = draws(name)
    outer = [draw for draw in found if draw.inner < 0]
    inner = [draw for draw in found if draw.inner >= 0]
    assert (len(outer), len(inner)) == (n_outer, n_inner)
    assert [draw.repetition for draw in outer] == list(range(n_outer))
    whole = np.bincount(y) / N
    for draw in outer:
        assert np.intersect1d(draw.train, draw.test).size == 0
        assert draw.train.size == round(share * N)
        assert np.union1d(draw.train, draw.test).size == N
        if name != "bootstrap":
            assert np.unique(draw.train).size == draw.train.size
            assert draw.train.size + draw.test.size == N
        if name in STRATIFIED:
            shares = np.bincount(y[draw.train]) / draw.train.size
            np.testing.assert_allclose(shares, whole, atol=1.5 / draw.train.size)
        if name == "groups":
            assert not set(groups[draw.train]) & set(groups[draw.test])
    for draw in inner:
        around = outer[draw.repetition]
        assert np.isin(draw.train, around.train).all()
        assert np.isin(draw.test, around.train).all()
        assert np.intersect1d(draw.train, draw.test).size == 0
        assert draw.train.size + draw.test.size == around.train.size
        assert set(y[draw.train]) == {0, 1, 2}


@pytest.mark.parametrize("name", EXPECTED)
def test_the_same_seed_gives_the_same_samples(name):
    few = min(EXPECTED[name][0], 12)
    assert alike(draws(name, few), draws(name, few))
    if few > 1:
        assert not alike(draws(name, few), draws(name, few, seed=1))


@pytest.mark.parametrize("name", sorted(GROWING))
def test_more_repetitions_begin_with_the_same(name):
    few, many = draws(name, 3), draws(name, 7)
    assert alike(few, many[: len(few)])


def test_inner_samples_are_ten_folds():
    for repetition in range(10):
        inner = [d for d in draws("kalousis2007") if d.repetition == repetition and d.inner >= 0]
        tested = np.concatenate([draw.test for draw in inner])
        assert np.unique(tested).size == tested.size == 270


def test_tests_that_overlap_are_known():
    assert Draws(draws("shin2011")).disjoint_tests()
    assert Draws(draws("kalousis2007")).disjoint_tests()
    assert not Draws(draws("subsampling", 10)).disjoint_tests()
    assert Draws(draws("subsampling", 10)).test_per_train() == pytest.approx(0.25)
    assert Draws(draws("kalousis2007")).test_per_train() == pytest.approx(1 / 9)


def test_draws_are_a_sequence():
    found = draws("kalousis2007")
    packed = Draws(iter(found))
    assert len(packed) == 110
    assert alike(list(packed), found)
    assert alike(packed[3:7], found[3:7])
    with pytest.raises(IndexError):
        packed[110]
    assert len(Draws([])) == 0


@pytest.mark.parametrize(
    ("name", "smallest"),
    [("shin2011", 5), ("somol2011-3.2", 10), ("kalousis2007", 12), ("subsampling", 2),
     ("bootstrap", 2), ("complementary-pairs", 2), ("somol2008", 2), ("somol2011-2.3", 2)],
)  # fmt: skip
def test_classes_may_be_just_large_enough(name, smallest):
    for size in (smallest, smallest - 1):
        labels = np.r_[np.zeros(30, int), np.full(size, 7)]
        rows = np.zeros((labels.size, 1))
        made = protocol_of(name, None if name != "somol2008" else 10, 0, "test")
        if size == smallest:
            for draw in made.draws(rows, labels, None):
                assert set(labels[draw.train]) == {0, 7} or name == "complementary-pairs"
        else:
            with pytest.raises(InputError, match=rf"class 7 has {size}\. Join small classes"):
                list(made.draws(rows, labels, None))


def test_splitters_of_ones_own():
    own = protocol_of(GroupKFold(5), None, 0, "test")
    found = list(own.draws(X, y, groups))
    assert own.name == "GroupKFold"
    assert len(found) == 5
    assert len(list(protocol_of(LeaveOneOut(), None, 0, "test").draws(X, y, None))) == N
    nested = Protocol("mine", StratifiedKFold(3), StratifiedKFold(2))
    assert [d[:2] for d in nested.draws(X, y, None)] == [
        (r, i) for r in range(3) for i in (-1, 0, 1)
    ]
    assert protocol_of(nested, None, 0, "test") is nested


labels = st.lists(st.integers(0, 2), min_size=4, max_size=25)


@given(labels, st.integers(0, 2**31), st.booleans(), st.integers(1, 5))
@settings(max_examples=60)
def test_bootstrap_is_as_its_twin(labels, seed, stratify, n):
    labels = np.array(labels)
    found = list(Bootstrap(n, stratify, seed).split(np.zeros((labels.size, 1)), labels))
    expected = naive.bootstrap(labels.tolist() if stratify else [0] * labels.size, n, seed)
    assert [(a.tolist(), b.tolist()) for a, b in found] == expected
    for train, test in found:
        assert train.size == labels.size
        assert test.size > 0
        if stratify:
            assert sorted(labels[train]) == sorted(labels)


@given(labels, st.integers(0, 2**31), st.booleans(), st.integers(1, 5))
@settings(max_examples=60)
def test_complementary_pairs_are_as_their_twin(labels, seed, stratify, n):
    labels = np.array(labels)
    splitter = ComplementaryPairs(n, stratify, seed)
    found = list(splitter.split(np.zeros((labels.size, 1)), labels))
    given = labels.tolist() if stratify else [0] * labels.size
    assert [(a.tolist(), b.tolist()) for a, b in found] == naive.complementary_pairs(given, n, seed)
    assert len(found) == splitter.get_n_splits() == 2 * n
    for i in range(0, 2 * n, 2):
        (one, other), (second, first) = found[i], found[i + 1]
        assert sorted([*one, *other]) == list(range(labels.size))
        assert abs(one.size - other.size) <= (3 if stratify else 1)
        np.testing.assert_array_equal(one, first)
        np.testing.assert_array_equal(other, second)
        if stratify:
            for label in set(labels):
                inside = (labels[one] == label).sum(), (labels[other] == label).sum()
                assert abs(inside[0] - inside[1]) <= 1


def test_resampling_refuses_too_few():
    with pytest.raises(InputError, match="at least 4 examples"):
        list(ComplementaryPairs(1).split(np.zeros((3, 1))))
    with pytest.raises(InputError, match="two examples or more"):
        list(Bootstrap(1).split(np.zeros((3, 1)), [0, 1, 2]))
