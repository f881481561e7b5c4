"""What holds for every fast wrapper: scikit-learn's numbers by any folds and on any way."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import sklearn
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_wine
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis
from sklearn.model_selection import (
    GroupKFold,
    LeaveOneOut,
    ShuffleSplit,
    StratifiedShuffleSplit,
    cross_val_score,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC

from holdfast.contracts import Problem
from holdfast.criteria import KNN, SVM, Gaussian, NaiveBayes
from holdfast.exceptions import SingularCovarianceWarning
from tests.criteria.moves import assert_moves_agree, random_subsets

FAST = {
    "3-NN": (KNN(3), KNeighborsClassifier(3)),
    "SVM": (SVM(), SVC()),
    "linear SVM": (SVM("linear"), SVC(kernel="linear")),
    "naive Bayes": (NaiveBayes(), GaussianNB()),
    "normal Bayes": (Gaussian(), QuadraticDiscriminantAnalysis(tol=0.0)),
}
# Earlier versions divided covariances by one example less.
OTHER_COVARIANCES = tuple(map(int, sklearn.__version__.split(".")[:2])) < (1, 9)
SPLITTERS = {
    "leave one out": LeaveOneOut(),
    "random thirds": ShuffleSplit(6, test_size=1 / 3, random_state=0),
    "stratified random thirds": StratifiedShuffleSplit(6, test_size=1 / 3, random_state=0),
    "groups": GroupKFold(4),
}


def scorer_of(criterion, X, y, cv=None, **more):
    """The scorer; warnings of singular covariances are the business of other tests."""
    own = sklearn.clone(criterion)
    if cv is not None:
        own.set_params(cv=cv)
    return own.prepare(Problem(X, y, X.shape[1], **more)).scorer


def wine():
    """Each fourth example, standardised, and no two distances or kernels equal."""
    X, y = load_wine(return_X_y=True)
    X, y = X[::4], y[::4]
    noise = 1e-5 * np.random.default_rng(0).random(X.shape)
    return (X - X.mean(axis=0)) / X.std(axis=0) + noise, y


@pytest.mark.parametrize("splitter", SPLITTERS)
@pytest.mark.parametrize("name", FAST)
def test_accuracy_is_that_of_scikit_learn_by_any_folds(name, splitter):
    if name == "normal Bayes" and OTHER_COVARIANCES:
        pytest.skip("other covariances")
    X, y = wine()
    criterion, model = FAST[name]
    cv, groups = SPLITTERS[splitter], np.arange(len(y)) % 9
    ours = scorer_of(criterion, X, y, cv, groups=groups if splitter == "groups" else None)
    splits = list(cv.split(X, y, groups if splitter == "groups" else None))
    for subset in random_subsets(7, 2, seed=3):
        expected = cross_val_score(model, X[:, subset], y, cv=splits)
        np.testing.assert_allclose(ours.score(subset), expected, rtol=0, atol=1e-14)
    base = np.array([1, 4])
    added = ours.additions(base, np.array([[0], [5]]))
    expected = [cross_val_score(model, X[:, sorted([1, 4, f])], y, cv=splits) for f in (0, 5)]
    np.testing.assert_allclose(added, expected, rtol=0, atol=1e-14)


@st.composite
def problems(draw):
    """Tiny classes, ties, constant and repeated columns, units far apart, weights."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n, d, n_classes = draw(st.integers(9, 24)), draw(st.integers(2, 5)), draw(st.integers(2, 4))
    X = rng.integers(0, draw(st.sampled_from([2, 4, 50])), (n, d)) / 3.0
    if draw(st.booleans()):
        X += rng.normal(size=X.shape)
    kind = draw(st.sampled_from(["plain", "constant", "repeated", "far apart"]))
    if kind == "constant":
        X[:, 0] = 0.1
    elif kind == "repeated":
        X[:, 1] = X[:, 0]
    elif kind == "far apart":
        X *= 10.0 ** rng.integers(-3, 4, d)
    y = np.r_[np.arange(n_classes).repeat(2), rng.integers(0, n_classes, n - 2 * n_classes)]
    order = rng.permutation(n)
    weight = rng.uniform(0.5, 2.0, n) if draw(st.booleans()) else None
    return X[order], y[order], weight


@pytest.mark.parametrize("name", FAST)
@settings(max_examples=8, deadline=None)
@given(problem=problems(), seed=st.integers(0, 2**32 - 1))
def test_a_floating_walk_gets_the_scores_of_each_subset_alone(name, problem, seed):
    """Additions and removals of one and two features, by threads, in little memory."""
    X, y, weight = problem
    d, rng = X.shape[1], np.random.default_rng(seed)
    criterion = FAST[name][0]
    if name == "linear SVM":
        criterion = SVM("linear", scale="range")  # units far apart take it millions of steps
    little = {} if name in ("naive Bayes", "normal Bayes") else {"max_bytes": 1 << 14}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SingularCovarianceWarning)
        walker = scorer_of(criterion, X, y, 2, sample_weight=weight, n_jobs=2, **little)
        alone = scorer_of(criterion, X, y, 2, sample_weight=weight)
        subset = np.zeros(0, np.intp)
        for _ in range(6):
            outside = np.setdiff1d(np.arange(d), subset)
            adding = subset.size < 2 or (outside.size > 0 and rng.random() < 0.55)
            movable = outside if adding else subset
            c = min(int(rng.integers(1, 3)), movable.size - (not adding))
            moved = np.stack([np.sort(rng.permutation(movable)[:c]) for _ in range(2)])
            combine = np.union1d if adding else np.setdiff1d
            ask = walker.additions if adding else walker.removals
            found = ask(subset, moved)
            for one, scores in zip(moved, found, strict=True):
                np.testing.assert_array_equal(scores, alone.score(combine(subset, one)))
            subset = combine(subset, moved[0])


@pytest.mark.parametrize("name", ["3-NN", "SVM", "naive Bayes", "normal Bayes"])
@pytest.mark.parametrize("offset", [2.0**20, -(2.0**30)])
def test_a_large_offset_changes_nothing(name, offset):
    """Values that are exact with and without the offset: only differences count."""
    X, y = wine()
    X = np.rint(X * 2**12) / 2**12
    plain, moved = (scorer_of(FAST[name][0], table, y, 3) for table in (X, X + offset))
    for subset in random_subsets(13, 6, seed=5):
        if name == "normal Bayes" and subset.size > 6:
            subset = subset[:6]
        np.testing.assert_array_equal(moved.score(subset), plain.score(subset))
        outside = np.setdiff1d(np.arange(13), subset)[:, None]
        if outside.size:
            np.testing.assert_array_equal(
                moved.additions(subset, outside), plain.additions(subset, outside)
            )


@pytest.mark.parametrize("criterion", [NaiveBayes(var_smoothing=0.0), Gaussian()])
def test_units_change_nothing_where_a_model_has_none(criterion):
    X, y = wine()
    units = 2.0 ** np.random.default_rng(1).integers(-40, 41, X.shape[1])
    plain, other = (scorer_of(criterion, table, y, 3) for table in (X, X * units))
    for subset in random_subsets(13, 6, seed=6):
        subset = subset[:6]
        np.testing.assert_array_equal(other.score(subset), plain.score(subset))


@pytest.mark.parametrize("name", FAST)
def test_permuted_columns_threads_and_memory_change_nothing(name):
    X, y = wine()
    order = np.random.default_rng(0).permutation(13)
    place = np.argsort(order)
    roomy = {"naive Bayes": 1 << 20, "normal Bayes": 1 << 20}.get(name, 1 << 15)
    plain = scorer_of(FAST[name][0], X, y, 3)
    other = scorer_of(FAST[name][0], X[:, order], y, 3, n_jobs=2, max_bytes=roomy)
    for subset in random_subsets(13, 4, seed=7):
        subset = subset[:6]
        outside = np.setdiff1d(np.arange(13), subset)
        here, there = np.sort(place[subset]), place[outside][:, None]
        np.testing.assert_array_equal(
            plain.additions(subset, outside[:, None]), other.additions(here, there)
        )
        if subset.size > 1:
            np.testing.assert_array_equal(
                plain.removals(subset, subset[:, None]),
                other.removals(here, place[subset][:, None]),
            )


def test_weights_weigh_the_accuracy_of_normal_bayes():
    X, y = wine()
    weight = np.random.default_rng(2).random(len(y))
    cv = list(StratifiedShuffleSplit(3, test_size=1 / 3, random_state=0).split(X, y))
    found = scorer_of(Gaussian(), X, y, cv, sample_weight=weight)
    if OTHER_COVARIANCES:
        pytest.skip("other covariances")
    subset = np.array([0, 6])
    expected = []
    for train, test in cv:
        model = QuadraticDiscriminantAnalysis(tol=0.0).fit(X[train][:, subset], y[train])
        expected.append(model.score(X[test][:, subset], y[test], sample_weight=weight[test]))
    np.testing.assert_allclose(found.score(subset), expected, rtol=1e-12)
    assert_moves_agree(found, np.arange(2, 6), 13)
