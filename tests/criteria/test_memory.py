"""The memory of scores against a dict, and the judge on top of it: nothing lost, nothing twice."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast.contracts import Problem, Scorer
from holdfast.criteria.memory import Remembering, ScoreTable, feature_keys
from holdfast.search.budget import SearchBudget
from tests.search.tables import Spec, Table, row_of, specs


def keys_of(pairs):
    return np.array(pairs, dtype=np.uint64).reshape(-1, 2)


# Few low words, so that most keys begin at the same few slots; words of 0 and of the last slot.
WORDS = st.sampled_from([0, 1, 2, 1023, 1024, 2047, 2**64 - 1, 2**63])
KEYS = st.tuples(WORDS, st.integers(0, 2**64 - 1)).filter(lambda key: key != (0, 0))


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.lists(KEYS, min_size=1, max_size=40, unique=True), max_size=6), st.integers(1, 4)
)
def test_it_answers_as_a_dict_does(batches, n_columns):
    table, twin = ScoreTable(), {}
    rng = np.random.default_rng(0)
    for batch in batches:
        new = [key for key in batch if key not in twin]
        rows = rng.normal(size=(len(new), n_columns))
        if new:
            table.put(keys_of(new), rows)
        twin |= dict(zip(new, rows, strict=True))
        assert table.size == len(twin)
        for key in batch:
            np.testing.assert_array_equal(table.row(keys_of([key])[0]), twin[key])
    if twin:
        for column in range(n_columns):
            np.testing.assert_array_equal(
                table.look_up(keys_of(list(twin)), column),
                [row[column] for row in twin.values()],
            )
    unknown = keys_of([(1, 2**64 - 1), (5, 5)])
    expected = [twin.get(tuple(key), [np.nan])[0] for key in unknown.tolist()]
    np.testing.assert_array_equal(table.look_up(unknown, 0), expected)


def test_it_grows_and_loses_nothing():
    rng = np.random.default_rng(1)
    # Half of the keys share their low word: each lookup must pass the others.
    keys = rng.integers(0, 2**64, size=(6_000, 2), dtype=np.uint64)
    keys[::2, 0] = 7
    rows = rng.normal(size=(6_000, 3))
    table, first = ScoreTable(), 0
    for size in (1, 2, 300, 1, 700, 0, 4_000, 996):
        table.put(keys[first : first + size], rows[first : first + size])
        first += size
    assert table.size == first == 6_000
    for column in range(3):
        np.testing.assert_array_equal(table.look_up(keys, column), rows[:, column])
    assert np.isnan(table.look_up(keys ^ np.uint64(1 << 40), 0)).all()


def test_a_row_that_is_given_out_is_a_copy():
    table, key = ScoreTable(), keys_of([(3, 4)])
    table.put(key, np.array([[1.0, 2.0]]))
    table.row(key[0])[:] = 9.0
    assert table.row(key[0]).tolist() == [1.0, 2.0]
    assert table.row(keys_of([(4, 3)])[0]) is None


def test_keys_of_subsets_are_all_different():
    keys = feature_keys(16)
    bits = np.arange(2**16)[:, None] >> np.arange(16) & 1
    sums = bits.astype(np.uint64) @ keys
    assert len(np.unique(sums, axis=0)) == 2**16
    assert len(np.unique(sums[:, 0])) == len(np.unique(sums[:, 1])) == 2**16


def test_keys_do_not_depend_on_the_process_or_the_number_of_features_asked_before():
    np.testing.assert_array_equal(feature_keys(5), feature_keys.__wrapped__(5))
    with pytest.raises(ValueError, match="read-only"):
        feature_keys(5)[0] = 0


def judge_of(criterion, n_features, budget=None):
    budget = budget or SearchBudget()
    y = np.zeros(4)
    return criterion.prepare(Problem(np.zeros((4, n_features)), y, n_features, budget=budget))


def singles(features):
    return np.array(sorted(features), dtype=np.intp)[:, None]


@settings(max_examples=60, deadline=None)
@given(specs(2, 6), st.lists(st.tuples(st.integers(1, 63), st.booleans()), max_size=12))
def test_no_subset_is_scored_twice_however_it_is_come_by(spec, moves):
    log = []
    table = Table(spec.table(), log)
    n = spec.n_features
    judge = judge_of(table, n)
    for bits, adding in moves:
        base = frozenset(f for f in range(n) if bits >> f & 1)
        movable = frozenset(range(n)) - base if adding else base
        if not base or not movable or (not adding and len(base) == 1):
            continue
        here = np.array(sorted(base), dtype=np.intp)
        assert judge.value(here) == table.function(base)
        verdict = judge.judge(here, singles(movable), adding)
        expected = [table.function(base ^ {f}) for f in sorted(movable)]
        assert verdict.values.tolist() == verdict.preference.tolist() == expected
        for f in movable:
            subset = np.array(sorted(base ^ {f}), dtype=np.intp)
            np.testing.assert_array_equal(judge.folds(subset), table.table[row_of(subset)])
    assert len(log) == len(set(log)) == judge.evaluations
    assert judge.counts == {"table": len(log)}


def test_blocks_of_any_width_are_asked_by_width_and_answered_in_place():
    table = Table(Spec("normal", 6, 3, 0).table())
    blocks = [np.array(block, dtype=np.intp) for block in ([1], [2, 3], [4], [2, 3, 5], [4, 5])]
    verdict = judge_of(table, 6).judge(np.array([0]), blocks, True)
    assert verdict.values.tolist() == [table.function({0, *block.tolist()}) for block in blocks]
    full = np.arange(6)
    verdict = judge_of(table, 6).judge(full, blocks, False)
    assert verdict.values.tolist() == [table.function({*range(6)} - {*b.tolist()}) for b in blocks]


def test_a_failed_subset_is_remembered_as_failed():
    spec = Spec("normal", 3, 3, 0)
    values, log = spec.table(), []
    values[0b001, 1] = np.nan
    judge = judge_of(Table(values, log), 3)
    for _ in range(2):
        verdict = judge.judge(np.zeros(0, np.intp), singles(range(3)), True)
        assert np.isnan(verdict.values).tolist() == [True, False, False]
        assert np.isneginf(verdict.preference).tolist() == [True, False, False]
        assert np.isnan(judge.value(np.array([0])))
    np.testing.assert_array_equal(judge.folds(np.array([0])), values[0b001])
    assert len(log) == 3


def test_a_spent_budget_answers_what_is_known_and_no_more():
    log = []
    table = Table(Spec("normal", 5, 1, 0).table(), log)
    judge = judge_of(table, 5, SearchBudget(max_evaluations=3))
    nothing = np.zeros(0, np.intp)
    verdict = judge.judge(nothing, singles(range(5)), True)
    assert np.isnan(verdict.values).tolist() == [False, False, False, True, True]
    assert np.isnan(judge.value(np.array([4])))
    assert judge.value(np.array([2])) == verdict.values[2]
    assert len(log) == judge.evaluations == 3


class Given(Scorer):
    """Answers with rows that were made elsewhere, in any layout of memory."""

    def __init__(self, rows):
        self.rows = rows

    def score(self, subset):
        return self.rows[subset[0]]

    def additions(self, base, tuples):
        return np.asfortranarray(self.rows[tuples[:, 0]])


@pytest.mark.parametrize("unit", [1.0, 1e-12, 3e9, -1.0, 1e-200, 1e200])
def test_equal_errors_in_other_folds_are_a_tie(unit):
    """One error in any of seven folds is one accuracy, whatever the sum of floats ends with."""
    rows = np.ones((7, 7)) - np.eye(7) * (1 / 3 + 1 / 7)
    shuffled = np.stack([np.roll(np.linspace(0.1, 0.9, 7), shift) for shift in range(7)])
    for scores in (rows, shuffled):
        judge = Remembering(Given(scores * unit), "given", 7, SearchBudget())
        values = judge.judge(np.zeros(0, np.intp), singles(range(7)), True).values
        assert len(set(values.tolist())) == 1
        np.testing.assert_allclose(values, (scores * unit).mean(axis=1), rtol=1e-12)
        one = Remembering(Given(scores * unit), "given", 7, SearchBudget())
        assert one.value(np.array([3])) == values[3]


def test_different_means_stay_different():
    rows = np.full((2, 4), 0.5)
    rows[1, 0] += 1e-10
    judge = Remembering(Given(rows), "given", 2, SearchBudget())
    assert judge.value(np.array([1])) > judge.value(np.array([0]))


@pytest.mark.parametrize("value", [0.0, np.inf, 1e-310, -1e-290, 1e307])
def test_extreme_scores_are_themselves(value):
    judge = Remembering(Given(np.full((1, 3), value)), "given", 1, SearchBudget())
    assert judge.value(np.array([0])) == pytest.approx(value, rel=1e-12, abs=0)


@pytest.mark.parametrize("scores", [[-1e308, -1e308], [np.nan, 1.0], [-np.inf, 1.0]])
def test_scores_without_a_mean_are_failures(scores):
    judge = Remembering(Given(np.array([scores])), "given", 1, SearchBudget())
    assert np.isnan(judge.value(np.array([0])))
    np.testing.assert_array_equal(judge.folds(np.array([0])), scores)
