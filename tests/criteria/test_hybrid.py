"""Hybrids: how many candidates the filter lets through, which, and who is counted."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import load_wine
from sklearn.naive_bayes import GaussianNB
from sklearn.utils import get_tags

from holdfast.contracts import Problem
from holdfast.criteria import KNN, Bhattacharyya, Estimator, Hybrid, NaiveBayes, Vote
from holdfast.exceptions import InputError
from holdfast.search.budget import SearchBudget
from holdfast.selectors import DynamicOscillatingSelector, SequentialSelector
from tests.naive import search as naive
from tests.search.tables import Spec, Table, specs

NOTHING = np.zeros(0, np.intp)


def singles(n):
    return np.arange(n, dtype=np.intp)[:, None]


def judge_of(hybrid, n, **more):
    return hybrid.prepare(Problem(np.zeros((4, n)), np.zeros(4), n, **more))


def passed(share, n, filter_values=None):
    """Which single features the wrapper gets to see."""
    first, second = np.zeros((2**n, 1)), np.zeros((2**n, 1))
    if filter_values is not None:
        first[[1 << f for f in range(n)], 0] = filter_values
    log = []
    judge = judge_of(Hybrid(Table(first), Table(second, log), share), n)
    verdict = judge.judge(NOTHING, singles(n), True)
    seen = sorted(row.bit_length() - 1 for row in log)
    assert np.flatnonzero(~np.isnan(verdict.values)).tolist() == seen
    assert np.flatnonzero(~np.isneginf(verdict.preference)).tolist() == seen
    return seen


@settings(max_examples=80, deadline=None)
@given(st.floats(0, 1), st.integers(1, 9))
def test_max_of_1_and_the_rounded_share_go_to_the_wrapper(share, n):
    exact = Fraction(share) * n
    rounded = math.floor(exact + Fraction(1, 2))  # half is rounded up
    assert len(passed(share, n)) == max(1, rounded)


@pytest.mark.parametrize(
    ("share", "n", "number"),
    [(0, 5, 1), (0.0, 1, 1), (1, 5, 5), (1.0, 1, 1), (0.5, 5, 3), (0.5, 3, 2), (0.25, 6, 2),
     (0.25, 10, 3), (0.1, 4, 1), (0.3, 5, 2), (0.7, 5, 4), (1e-12, 8, 1), (np.float32(0.5), 8, 4)],
)  # fmt: skip
def test_half_is_rounded_up(share, n, number):
    assert len(passed(share, n)) == number


def test_the_filters_favourites_pass_and_ties_go_to_the_first():
    assert passed(0.5, 4, [0.1, 0.4, 0.2, 0.3]) == [1, 3]
    assert passed(0.5, 4, [0.1, 0.4, 0.1, 0.1]) == [0, 1]
    assert passed(0.5, 4, [0.2, 0.2, 0.2, 0.2]) == [0, 1]
    assert passed(0, 4, [0.0, -1.0, 0.0, -2.0]) == [0]


def test_what_the_filter_could_not_score_does_not_pass():
    assert passed(0.5, 4, [np.nan, np.nan, np.nan, 1.0]) == [3]
    assert passed(1, 4, [np.nan, 2.0, np.nan, 1.0]) == [1, 3]
    assert passed(1, 3, [np.nan] * 3) == []


@settings(max_examples=80, deadline=None)
@given(specs(3, 6), st.floats(0, 1), st.integers(0, 63), st.booleans(), st.integers(1, 2))
def test_a_step_is_that_of_the_slow_twin(spec, share, bits, adding, c):
    n = spec.n_features
    base = frozenset(f for f in range(n) if bits >> f & 1)
    movable = sorted(set(range(n)) - base) if adding else sorted(base)
    tuples = list(combinations(movable, c))
    if not tuples or (not adding and len(base) <= c):
        return
    first, second = Table(spec.table(1)), Table(spec.table())
    twin = naive.Hybrid(naive.Plain(first.function), naive.Plain(second.function), share)
    expected = twin.judge(base, tuples, adding)
    here = np.array(sorted(base), dtype=np.intp)
    judge = judge_of(Hybrid(first, second, share), n)
    verdict = judge.judge(here, np.array(tuples, dtype=np.intp), adding)
    found = [None if np.isnan(v) else (v, v) for v in verdict.values.tolist()]
    assert found == expected
    np.testing.assert_array_equal(verdict.preference[~np.isnan(verdict.values)],
                                  [v[0] for v in expected if v])  # fmt: skip


def test_both_are_counted_and_the_wrapper_drives():
    first, second = [], []
    hybrid = Hybrid(
        Table(Spec("normal", 6, 1, 1).table(), first, "quick"),
        Table(Spec("normal", 6, 3, 2).table(), second, "slow"),
        0.5,
    )
    judge = judge_of(hybrid, 6)
    judge.judge(NOTHING, singles(6), True)
    judge.judge(np.array([0]), singles(6)[1:], True)
    assert judge.evaluations == len(second) == 3 + 3
    assert judge.counts == {"filter quick": 11, "slow": 6}
    assert len(first) == 11


def test_the_value_and_the_folds_are_the_wrappers():
    first, second = Table(Spec("normal", 3, 1, 1).table()), Table(Spec("normal", 3, 3, 2).table())
    judge = judge_of(Hybrid(first, second), 3)
    subset = np.array([0, 2])
    assert judge.value(subset) == second.function({0, 2})
    assert judge.folds(subset).tolist() == second.table[0b101].tolist()
    assert judge.others(subset) == {}


def test_evaluations_of_the_filter_are_free():
    log = []
    hybrid = Hybrid(Table(np.zeros((64, 1))), Table(np.zeros((64, 1)), log), 0.5)
    budget = SearchBudget(max_evaluations=4)
    judge = judge_of(hybrid, 6, budget=budget)
    judge.judge(NOTHING, singles(6), True)
    verdict = judge.judge(np.array([0]), singles(6)[1:], True)
    assert len(log) == 4
    assert budget.spent_reason == "max_evaluations"
    assert (~np.isnan(verdict.values)).sum() == 1


def test_all_or_one_of_the_candidates():
    """With share=1 the wrapper alone decides; with 0 the filter's favourite is always taken."""
    X, y = load_wine(return_X_y=True)
    wrapper, quick = KNN(3, scale="range"), Bhattacharyya()
    alone = SequentialSelector(wrapper, n_features_to_select=4).fit(X, y)
    every = SequentialSelector(Hybrid(quick, wrapper, 1.0), n_features_to_select=4).fit(X, y)
    np.testing.assert_array_equal(every.support_, alone.support_)
    assert every.n_evaluations_ == alone.n_evaluations_
    fewest = SequentialSelector(Hybrid(quick, wrapper, 0.0), n_features_to_select=4).fit(X, y)
    by_filter = SequentialSelector(quick, n_features_to_select=4).fit(X, y)
    np.testing.assert_array_equal(fewest.support_, by_filter.support_)
    assert fewest.n_evaluations_ == 4
    assert fewest.evaluations_ == {"filter Bhattacharyya": 13 + 12 + 11 + 10, "KNN": 4}


def test_a_filter_before_an_ensemble_in_an_oscillating_search_with_costs():
    X, y = load_wine(return_X_y=True)
    ensemble = Vote([KNN(3, scale="range"), NaiveBayes(), Estimator(GaussianNB(), cv=3)])
    selector = DynamicOscillatingSelector(
        Hybrid(Bhattacharyya(), ensemble, 0.3),
        swing=2,
        prefer=list(range(1, 14)),
        tolerance=[0.0, 0.01, 0.05],
    ).fit(X, y)
    assert selector.choices_["tolerance"].to_list() == [0.0, 0.01, 0.05]
    counts = selector.evaluations_
    assert set(counts) == {"filter Bhattacharyya", "KNN", "NaiveBayes", "GaussianNB"}
    assert selector.n_evaluations_ == counts["KNN"] < counts["filter Bhattacharyya"]


@pytest.mark.parametrize("share", [-0.1, 1.1, np.nan, np.inf, "0.5", None, [0.5], True])
def test_shares_that_are_none_are_refused(share):
    hybrid = Hybrid(Table(np.zeros((2, 1))), Table(np.zeros((2, 1))), share)
    with pytest.raises(InputError, match=r"'share' parameter of criteria.Hybrid must be a number"):
        judge_of(hybrid, 1)


@pytest.mark.parametrize("part", ["filter", "wrapper"])
def test_parts_that_are_no_criteria_are_refused(part):
    parts = {"filter": Table(np.zeros((2, 1))), "wrapper": Table(np.zeros((2, 1)))}
    with pytest.raises(InputError, match=f"'{part}' parameter of criteria.Hybrid must be a crit"):
        judge_of(Hybrid(**{**parts, part: GaussianNB()}), 1)


def test_it_is_cloned_and_set_like_any_estimator():
    hybrid = Hybrid(Bhattacharyya(), KNN(3), 0.3)
    copy = clone(hybrid).set_params(wrapper__n_neighbors=5, share=0.4)
    assert (copy.wrapper.n_neighbors, copy.share) == (5, 0.4)
    assert (hybrid.wrapper.n_neighbors, hybrid.share) == (3, 0.3)


def test_it_takes_what_both_parts_take():
    sparse_one = Estimator(GaussianNB())
    assert get_tags(Hybrid(KNN(), sparse_one)).input_tags.sparse is False
    assert Hybrid(KNN(), sparse_one).needs_numbers
    assert not Hybrid(sparse_one, sparse_one).needs_numbers
