"""k-NN accuracies: the naive twin's exactly, scikit-learn's where no distances tie."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.model_selection import (
    KFold,
    LeaveOneOut,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    cross_val_score,
)
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler

from holdfast.contracts import Problem
from holdfast.criteria.knn import KNN
from holdfast.criteria.knn_scorer import LEAST_CANDIDATES
from holdfast.criteria.splits import splits_of
from holdfast.criteria.table import scaled
from holdfast.exceptions import InputError
from tests.naive.knn import fold_scores

TABLES = {
    "random": lambda rng, n, d: rng.normal(size=(n, d)),
    "whole numbers": lambda rng, n, d: rng.integers(0, 4, size=(n, d)).astype(float),
    "tied fractions": lambda rng, n, d: rng.integers(0, 4, size=(n, d)) / 3.0,
    "binary": lambda rng, n, d: rng.integers(0, 2, size=(n, d)) * 0.1,
    "constant": lambda rng, n, d: np.full((n, d), 0.1),
    "repeated rows": lambda rng, n, d: rng.normal(size=(5, d))[rng.integers(0, 5, size=n)],
    "repeated columns": lambda rng, n, d: rng.normal(size=(n, 2))[:, rng.integers(0, 2, size=d)],
    "badly scaled": lambda rng, n, d: rng.normal(size=(n, d)) * 10.0 ** rng.integers(-8, 9, size=d),
    "badly scaled, tied": lambda rng, n, d: (
        rng.integers(0, 4, size=(n, d)) / 3.0 * 10.0 ** rng.integers(-8, 9, size=d)
    ),
    "far from 0": lambda rng, n, d: rng.normal(size=(n, d)) + 1e9,
    "outliers": lambda rng, n, d: rng.standard_cauchy(size=(n, d)) ** 3,
}
SPLITTERS = {
    "3 folds": lambda rng, n: 3,
    "leave one out": lambda rng, n: LeaveOneOut(),
    "random parts": lambda rng, n: ShuffleSplit(4, test_size=1 / 3, random_state=0),
    "repeated folds": lambda rng, n: RepeatedStratifiedKFold(
        n_splits=3, n_repeats=2, random_state=0
    ),
    "one split": lambda rng, n: [(np.arange(n // 2, n), np.arange(n // 2))],
    "bootstrap": lambda rng, n: [
        (rng.integers(0, n, size=n), rng.permutation(n)[: n // 3]) for _ in range(3)
    ],
    "trained and tested on the same": lambda rng, n: [(np.arange(n), np.arange(n))],
}


def labels_of(rng, n, n_classes=3):
    y = rng.integers(0, n_classes, size=n)
    y[: 3 * n_classes] = np.arange(3 * n_classes) % n_classes
    return y


def scorer_of(criterion, X, y, **more):
    return criterion.prepare(Problem(X, y, X.shape[1], **more)).scorer


@pytest.mark.parametrize("splitter", SPLITTERS)
@pytest.mark.parametrize("table", TABLES)
def test_every_answer_is_the_naive_twins(table, splitter):
    rng = np.random.default_rng([list(TABLES).index(table), list(SPLITTERS).index(splitter)])
    n, d = 24, 6
    X, y = TABLES[table](rng, n, d), labels_of(rng, n)
    k = int(rng.choice([1, 2, 3, 5, 7]))
    cv = SPLITTERS[splitter](rng, n)
    problem = Problem(X, y, d)
    splits = splits_of(cv, problem, True, "test")
    scorer = KNN(k, cv=splits).prepare(problem).scorer

    def twin(subset):
        return fold_scores(X, y, subset, splits, k)

    nothing, base = np.empty(0, np.intp), np.array([0, 2, 3, 5])
    singles = np.array([[1], [4]])
    pairs = np.array([[0, 2], [2, 5]])
    np.testing.assert_array_equal(
        scorer.additions(nothing, singles), [twin(members) for members in singles]
    )
    np.testing.assert_array_equal(
        scorer.additions(nothing, pairs), [twin(members) for members in pairs]
    )
    np.testing.assert_array_equal(
        scorer.additions(base, singles), [twin([*base, *members]) for members in singles]
    )
    np.testing.assert_array_equal(
        scorer.removals(base, base[:, None]), [twin(np.setdiff1d(base, f)) for f in base]
    )
    np.testing.assert_array_equal(
        scorer.removals(base, pairs), [twin(np.setdiff1d(base, members)) for members in pairs]
    )
    np.testing.assert_array_equal(scorer.additions(base, singles.T), [twin([*base, 1, 4])])
    np.testing.assert_array_equal(scorer.score(base), twin(base))


@pytest.mark.parametrize("near_first", [False, True])
@pytest.mark.parametrize("k", [1, 3, 4, 9, 11])
@pytest.mark.parametrize("table", TABLES)
def test_many_candidates_at_once_get_the_naive_twins_answers(table, k, near_first):
    rng = np.random.default_rng([list(TABLES).index(table), k])
    n, d = 24, LEAST_CANDIDATES + 2
    X, y = TABLES[table](rng, n, d), labels_of(rng, n)
    problem = Problem(X, y, d)
    splits = splits_of(3, problem, True, "test")
    scorer = KNN(k, cv=splits).prepare(problem).scorer
    scorer._near_pays = near_first
    base = np.array([3, 8])
    singles = np.setdiff1d(np.arange(d), base)[:, None]
    pairs = np.hstack((singles[:-1], singles[1:]))

    def twins(tuples):
        return [fold_scores(X, y, [*base, *members], splits, k) for members in tuples]

    # Few first: what was found for them must not be taken for what many need.
    for tuples in (singles[:2], singles, np.vstack((pairs, pairs[:1, ::-1])), singles[1:4]):
        np.testing.assert_array_equal(scorer.additions(base, tuples), twins(tuples))


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.integers(0, 2**32 - 1),
    st.sampled_from(sorted(TABLES)),
    st.sampled_from([1, 2, 3, 5, 7]),
    st.sampled_from([None, "range", "standard"]),
)
def test_a_walk_in_any_order_gets_the_naive_twins_answers(seed, table, k, scale):
    rng = np.random.default_rng(seed)
    n, d = 20, 5
    X, y = TABLES[table](rng, n, d), labels_of(rng, n, 2)
    problem = Problem(X, y, d)
    splits = splits_of(3, problem, True, "test")
    scorer = KNN(k, cv=3, scale=scale).prepare(problem).scorer
    table = scaled(X, scale, None, "test")
    subset = np.sort(rng.permutation(d)[: rng.integers(1, d)])
    for _ in range(6):
        absent = np.setdiff1d(np.arange(d), subset)
        adding = subset.size == 1 or (absent.size > 0 and rng.random() < 0.5)
        ask, offered = (scorer.additions, absent) if adding else (scorer.removals, subset)
        c = 2 if adding and offered.size > 1 and rng.random() < 0.3 else 1
        tuples = np.array([np.sort(rng.permutation(offered)[:c]) for _ in range(2)])
        combine = np.union1d if adding else np.setdiff1d
        np.testing.assert_array_equal(
            ask(subset, tuples),
            [fold_scores(table, y, combine(subset, t), splits, k) for t in tuples],
        )
        subset = combine(subset, tuples[0])


@pytest.mark.parametrize("load", [load_wine, load_breast_cancer])
@pytest.mark.parametrize("scale", [None, "range", "standard"])
@pytest.mark.parametrize("within", [False, True])
def test_accuracies_are_scikit_learns(load, scale, within):
    rng = np.random.default_rng(7)
    X, y = load(return_X_y=True)
    # Decimal data tie often; a little noise leaves no ties of distance.
    X = X * (1.0 + 1e-4 * rng.random(X.shape))
    d = X.shape[1]
    scaler = {None: None, "range": MinMaxScaler(), "standard": StandardScaler()}[scale]
    scorer = scorer_of(KNN(3, cv=10, scale=scale, scale_within=within), X, y)
    for size in (1, 2, 5, d - 2):
        subset = np.sort(rng.permutation(d)[:size])
        added = np.setdiff1d(np.arange(d), subset)[:2]
        model = KNeighborsClassifier(3)
        if scaler is not None and within:
            model = make_pipeline(scaler, model)
        data = X if scaler is None or within else scaler.fit_transform(X)

        def peer(features, data=data, model=model):
            return cross_val_score(model, data[:, features], y, cv=10)

        np.testing.assert_allclose(scorer.score(subset), peer(subset), rtol=1e-12)
        np.testing.assert_allclose(
            scorer.additions(subset, added[:, None]),
            [peer(np.union1d(subset, f)) for f in added],
            rtol=1e-12,
        )
        if size > 2:
            np.testing.assert_allclose(
                scorer.removals(subset, subset[:2, None]),
                [peer(np.setdiff1d(subset, f)) for f in subset[:2]],
                rtol=1e-12,
            )


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("table", ["random", "tied fractions", "outliers"])
def test_threads_and_tiles_change_nothing(table, weighted):
    rng = np.random.default_rng(3)
    n, d = 90, 7
    X, y = TABLES[table](rng, n, d), labels_of(rng, n)
    weight = rng.random(n) if weighted else None
    base = np.array([1, 3, 6])
    answers = []
    for n_jobs, max_bytes in ((1, 2 << 30), (2, 2 << 30), (3, 2 << 30), (1, 20_000), (2, 1)):
        for scale in (None, "standard"):
            scorer = scorer_of(
                KNN(3, cv=5, scale=scale, scale_within=True),
                X, y, n_jobs=n_jobs, max_bytes=max_bytes, sample_weight=weight,
            )  # fmt: skip
            many = np.tile(np.array([[0], [2], [4], [5]]), (20, 1))
            answers.append(
                (
                    scale,
                    scorer.additions(base, many),
                    scorer.removals(base, np.tile(base[:, None], (30, 1))),
                    scorer.additions(base[:0], many),
                )
            )
    for scale, *answer in answers:
        first = next(other for other in answers if other[0] == scale)
        for mine, theirs in zip(answer, first[1:], strict=True):
            np.testing.assert_array_equal(mine, theirs)


@pytest.mark.parametrize("table", TABLES)
def test_permuted_columns_give_the_same_scores(table):
    rng = np.random.default_rng(11)
    n, d = 60, 8
    X, y = TABLES[table](rng, n, d), labels_of(rng, n)
    order = rng.permutation(d)
    plain, moved = scorer_of(KNN(3, cv=5), X, y), scorer_of(KNN(3, cv=5), X[:, order], y)
    place = np.argsort(order)
    for size in (2, 4, 7):
        subset = np.sort(rng.permutation(d)[:size])
        rest = np.setdiff1d(np.arange(d), subset)
        there = np.sort(place[subset])
        np.testing.assert_array_equal(
            plain.additions(subset, rest[:, None]), moved.additions(there, place[rest][:, None])
        )
        np.testing.assert_array_equal(
            plain.removals(subset, subset[:, None]), moved.removals(there, place[subset][:, None])
        )


def test_weights_weigh_the_accuracy():
    rng = np.random.default_rng(5)
    X, y, weight = rng.normal(size=(50, 4)), labels_of(rng, 50), rng.random(50)
    problem = Problem(X, y, 4)
    splits = splits_of(4, problem, True, "test")
    scorer = scorer_of(KNN(3, cv=4), X, y, sample_weight=weight)
    np.testing.assert_allclose(
        scorer.additions(np.array([1]), np.array([[0], [3]])),
        [fold_scores(X, y, subset, splits, 3, weight) for subset in ([0, 1], [1, 3])],
        rtol=1e-14,
    )


def test_scaling_is_learned_from_each_training_part():
    rng = np.random.default_rng(6)
    X, y = TABLES["outliers"](rng, 40, 4), labels_of(rng, 40)
    splits = splits_of(KFold(4), Problem(X, y, 4), True, "test")
    tables = [scaled(X, "range", train, "test") for train, _ in splits]
    scorer = scorer_of(KNN(3, cv=splits, scale="range", scale_within=True), X, y)
    np.testing.assert_array_equal(
        scorer.additions(np.array([0, 2]), np.array([[1], [3]])),
        [fold_scores(tables, y, subset, splits, 3) for subset in ([0, 1, 2], [0, 2, 3])],
    )


def test_labels_may_be_words():
    X, y = load_wine(return_X_y=True)
    words = np.array(["red", "white", "amber"])[y]
    expected = cross_val_score(KNeighborsClassifier(1), X[:, [0, 9]], words, cv=5)
    np.testing.assert_allclose(
        scorer_of(KNN(1, cv=5), X, words).score(np.array([0, 9])), expected, rtol=1e-12
    )


@pytest.mark.parametrize("k", [0, -1, 2.5, "3", True, None])
def test_a_number_of_neighbours_that_is_none_is_refused(k):
    X, y = load_wine(return_X_y=True)
    with pytest.raises(InputError, match=r"'n_neighbors' parameter of criteria.KNN must be"):
        scorer_of(KNN(k), X, y)


def test_more_neighbours_than_training_examples_are_refused():
    X, y = load_wine(return_X_y=True)
    with pytest.raises(InputError, match=r"at most 160, the smallest training part. Got 161"):
        scorer_of(KNN(161), X, y)
    assert scorer_of(KNN(160), X, y).score(np.array([1, 2])).shape == (10,)


def test_numbers_for_classes_are_refused():
    X, y = load_wine(return_X_y=True)
    with pytest.raises(InputError, match=r"'y' parameter of criteria.KNN must be class labels"):
        scorer_of(KNN(), X, y + 0.5)


def test_values_whose_squares_do_not_fit_are_refused():
    X, y = load_wine(return_X_y=True)
    with pytest.raises(InputError, match=r"a wider one in column 0"):
        scorer_of(KNN(), X * 1e200, y)
