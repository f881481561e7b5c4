"""The SVM wrapper against scikit-learn's SVC, against a slow twin, and against itself."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_digits, load_wine
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import accuracy_score
from sklearn.model_selection import KFold, ShuffleSplit, StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler
from sklearn.svm import SVC

from holdfast.contracts import Problem
from holdfast.criteria import svm_scorer
from holdfast.criteria.svm import SVM
from holdfast.exceptions import InputError
from tests.naive import svm as naive

DATA = {"wine": load_wine, "wdbc": load_breast_cancer}
SCALERS = {"range": MinMaxScaler, "standard": StandardScaler}


def scorer(X, y, *, n_jobs=1, sample_weight=None, max_bytes=2 << 30, **parameters):
    problem = Problem(
        X, y, X.shape[1], sample_weight=sample_weight, n_jobs=n_jobs, max_bytes=max_bytes
    )
    return SVM(**parameters).prepare(problem).scorer


def random_subsets(n_features, number, seed=0):
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, n_features + 1, number)
    return [np.sort(rng.choice(n_features, size, replace=False)) for size in sizes]


def weighted_scores(model, X, y, splits, weight):
    return [
        accuracy_score(
            y[test],
            model.fit(X[train], y[train], sample_weight=weight[train]).predict(X[test]),
            sample_weight=weight[test],
        )
        for train, test in splits
    ]


@pytest.mark.parametrize("kernel", ["rbf", "linear"])
@pytest.mark.parametrize("scale", ["range", "standard"])
@pytest.mark.parametrize("name", DATA)
def test_accuracy_is_that_of_scikit_learn(name, scale, kernel):
    X, y = DATA[name](return_X_y=True)
    ours = scorer(X, y, kernel=kernel, scale=scale)
    whole = SCALERS[scale]().fit_transform(X)
    for subset in random_subsets(X.shape[1], 12):
        theirs = cross_val_score(SVC(kernel=kernel), whole[:, subset], y, cv=10)
        np.testing.assert_array_equal(ours.score(subset), theirs)


@pytest.mark.parametrize("parameters", [{}, {"C": 30.0}, {"gamma": "auto"}, {"gamma": 0.01}])
@pytest.mark.parametrize("name", DATA)
def test_accuracy_is_that_of_scikit_learn_on_raw_data(name, parameters):
    X, y = DATA[name](return_X_y=True)
    ours = scorer(X, y, **parameters)
    for subset in random_subsets(X.shape[1], 6, seed=1):
        theirs = cross_val_score(SVC(**parameters), X[:, subset], y, cv=10)
        np.testing.assert_array_equal(ours.score(subset), theirs)


def test_ten_classes_and_constant_columns():
    X, y = load_digits(return_X_y=True)
    X, y = X[:400], y[:400]
    ours = scorer(X, y, cv=4)
    for subset in random_subsets(X.shape[1], 6):
        theirs = cross_val_score(SVC(), X[:, subset], y, cv=4)
        np.testing.assert_array_equal(ours.score(subset), theirs)


@pytest.mark.parametrize("scale", SCALERS)
def test_scaling_within_folds_is_that_of_a_pipeline(scale):
    X, y = load_wine(return_X_y=True)
    ours = scorer(X, y, scale=scale, scale_within=True, C=3.0)
    model = make_pipeline(SCALERS[scale](), SVC(C=3.0))
    for subset in random_subsets(X.shape[1], 8):
        theirs = cross_val_score(model, X[:, subset], y, cv=10)
        np.testing.assert_array_equal(ours.score(subset), theirs)


@pytest.mark.parametrize("kernel", ["rbf", "linear"])
@pytest.mark.parametrize("name", DATA)
def test_weights_reach_fit_and_score(name, kernel):
    X, y = DATA[name](return_X_y=True)
    X = MinMaxScaler().fit_transform(X)
    weight = np.random.default_rng(0).choice([0.0, 0.3, 1.0, 5.0], len(y))
    ours = scorer(X, y, sample_weight=weight, kernel=kernel, cv=5)
    splits = list(StratifiedKFold(5).split(X, y))
    for subset in random_subsets(X.shape[1], 8):
        theirs = weighted_scores(SVC(kernel=kernel), X[:, subset], y, splits, weight)
        np.testing.assert_allclose(ours.score(subset), theirs, rtol=0, atol=1e-14)


def test_any_splits_and_any_labels():
    X, y = load_wine(return_X_y=True)
    names = np.array(["red", "green", "blue"])[y]
    rng = np.random.default_rng(0)
    drawn = [(rng.integers(0, 178, 120), rng.integers(0, 178, 40)) for _ in range(3)]
    # Fold 0 of the last knows two of three classes only.
    blocks = [(np.arange(100), np.arange(100, 178)), (np.arange(50, 178), np.arange(50))]
    for cv in (
        ShuffleSplit(4, random_state=0),
        KFold(5, shuffle=True, random_state=1),
        drawn,
        blocks,
    ):
        ours = scorer(X, names, cv=cv)
        for subset in random_subsets(X.shape[1], 3):
            theirs = cross_val_score(SVC(), X[:, subset], names, cv=cv)
            np.testing.assert_array_equal(ours.score(subset), theirs)


@settings(max_examples=40)
@given(st.data())
def test_accuracy_differs_from_scikit_learn_only_on_the_boundary(data):
    n = data.draw(st.integers(8, 24))
    n_classes = data.draw(st.integers(2, 3))
    y = np.arange(n) % n_classes
    values = data.draw(st.lists(st.integers(0, 2), min_size=2 * n, max_size=2 * n))
    X = np.array(values, float).reshape(n, 2)
    C = data.draw(st.sampled_from([0.1, 1.0, 10.0]))
    kernel = data.draw(st.sampled_from(["rbf", "linear"]))
    found = scorer(X, y, cv=2, kernel=kernel, C=C).score(np.arange(2))
    for score, (train, test) in zip(found, StratifiedKFold(2).split(X, y), strict=True):
        model = SVC(kernel=kernel, C=C, decision_function_shape="ovo").fit(X[train], y[train])
        values = np.abs(model.decision_function(X[test]).reshape(test.size, -1))
        close = (values.min(axis=1) < 0.01).sum()
        assert abs(score - model.score(X[test], y[test])) * test.size <= close + 1e-9


@pytest.mark.parametrize("kernel", ["rbf", "linear"])
def test_accuracy_is_that_of_the_slow_twin(kernel):
    X, y = load_wine(return_X_y=True)
    X, y = MinMaxScaler().fit_transform(X)[::2], y[::2]
    ours = scorer(X, y, cv=3, kernel=kernel)
    subset = np.array([0, 6, 9])
    found = ours.score(subset)
    for score, (train, test) in zip(found, StratifiedKFold(3).split(X, y), strict=True):
        values = naive.decisions(X[:, subset], y, train, test, kernel)
        assert score == (naive.vote(values, test.size, 3) == y[test]).mean()


@pytest.mark.parametrize("n_jobs", [1, 2, 3])
def test_additions_and_removals_are_the_scores_of_the_subsets(n_jobs):
    X, y = load_wine(return_X_y=True)
    ours, fresh = scorer(X, y, n_jobs=n_jobs), scorer(X, y)
    base = np.array([1, 4, 6, 9])
    for tuples in (np.array([[0], [2], [12]]), np.array([[0, 12], [10, 3]])):
        expected = [fresh.score(np.union1d(base, t)) for t in tuples]
        np.testing.assert_array_equal(ours.additions(base, tuples), expected)
    for tuples in (np.array([[1], [6], [9]]), np.array([[1, 6], [9, 4]])):
        expected = [fresh.score(np.setdiff1d(base, t)) for t in tuples]
        np.testing.assert_array_equal(ours.removals(base, tuples), expected)
    nothing = np.empty(0, np.intp)
    expected = [fresh.score(np.array([f])) for f in (3, 7)]
    np.testing.assert_array_equal(ours.additions(nothing, np.array([[3], [7]])), expected)


def test_scores_do_not_depend_on_the_way():
    X, y = load_breast_cancer(return_X_y=True)
    ours = scorer(X, y, scale="range", cv=4)
    rng = np.random.default_rng(0)
    subset, seen = np.array([3]), {}
    for _ in range(40):
        outside = np.setdiff1d(np.arange(X.shape[1]), subset)
        if subset.size > 5 or (subset.size > 1 and rng.random() < 0.4):
            moved = rng.choice(subset, 1)
            score, subset = ours.removals(subset, moved[None, :]), np.setdiff1d(subset, moved)
        else:
            moved = rng.choice(outside, 1)
            score, subset = ours.additions(subset, moved[None, :]), np.union1d(subset, moved)
        seen[tuple(subset)] = score[0]
    fresh = scorer(X, y, scale="range", cv=4, n_jobs=2, max_bytes=1 << 16)
    for key, score in reversed(seen.items()):
        np.testing.assert_array_equal(fresh.score(np.array(key)), score)


@pytest.mark.parametrize("scale", [None, "range", "standard"])
def test_scores_do_not_depend_on_the_order_of_columns(scale):
    X, y = load_breast_cancer(return_X_y=True)
    X = X[:, :12]
    places = np.random.default_rng(0).permutation(12)
    ours, permuted = scorer(X, y, cv=3, scale=scale), scorer(X[:, places], y, cv=3, scale=scale)
    for subset in random_subsets(12, 8):
        np.testing.assert_array_equal(permuted.score(subset), ours.score(places[subset]))


def test_the_data_are_left_as_they_are():
    X, y = load_wine(return_X_y=True)
    before = X.copy()
    scorer(X, y, scale="range").score(np.array([0, 5]))
    np.testing.assert_array_equal(X, before)


def test_equal_examples_of_both_classes():
    X, y = np.ones((20, 2)), np.arange(20) % 2
    for C in (1.0, 0.1):
        expected = cross_val_score(SVC(C=C), X, y, cv=5)
        np.testing.assert_array_equal(scorer(X, y, cv=5, C=C).score(np.arange(2)), expected)


def test_what_is_not_solved_is_told_once(monkeypatch):
    monkeypatch.setattr(svm_scorer, "MOST_STEPS", 3)
    X, y = load_wine(return_X_y=True)
    ours = scorer(X, y)
    with pytest.warns(ConvergenceWarning, match="not solved after 3 steps"):
        ours.score(np.array([0]))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ours.score(np.array([1]))


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"C": 0}, "'C' parameter of criteria.SVM must be a finite number > 0. Got 0"),
        ({"C": -1.0}, "'C' parameter"),
        ({"C": np.nan}, "'C' parameter"),
        ({"C": "1"}, "'C' parameter"),
        ({"C": True}, "'C' parameter"),
        ({"tol": 0.0}, "'tol' parameter"),
        ({"kernel": "poly"}, "'kernel' parameter .* Got 'poly' .* criteria.Estimator"),
        ({"kernel": ["rbf"]}, "'kernel' parameter"),
        ({"gamma": 0.0}, "'gamma' parameter"),
        ({"gamma": "wide"}, "'gamma' parameter .* Got 'wide'"),
        ({"gamma": np.inf}, "'gamma' parameter"),
        ({"scale": "log"}, "'scale' parameter"),
        ({"scale_within": 1}, "'scale_within' parameter"),
        ({"cv": 1}, "'cv' parameter"),
        ({"cv": [(np.arange(140, 178), np.arange(10))]}, r"'cv' .* only \[2\] in fold 0"),
    ],
)
def test_bad_parameters_are_refused(parameters, message):
    X, y = load_wine(return_X_y=True)
    with pytest.raises(InputError, match=message):
        scorer(X, y, **parameters)


def test_a_class_of_no_weight_is_refused():
    X, y = load_breast_cancer(return_X_y=True)
    with pytest.raises(InputError, match=r"only \[1\] in fold 0"):
        scorer(X, y, sample_weight=y.astype(float))


def test_continuous_targets_are_refused():
    X, y = load_wine(return_X_y=True)
    with pytest.raises(InputError, match="must be class labels"):
        scorer(X, y + np.linspace(0, 0.5, len(y)))


@pytest.mark.parametrize(("kernel", "value"), [("rbf", 1e200), ("linear", 1e20)])
def test_numbers_too_large_to_square_are_refused(kernel, value):
    X, y = load_wine(return_X_y=True)
    X[3, 4] = value
    with pytest.raises(InputError, match="in column 4"):
        scorer(X, y, kernel=kernel)
