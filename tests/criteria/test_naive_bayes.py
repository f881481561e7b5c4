"""Naive Bayes against scikit-learn, against its slow twin, and against itself by other ways."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.metrics import accuracy_score
from sklearn.model_selection import GroupKFold, ShuffleSplit, StratifiedKFold, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler

from holdfast.contracts import Problem
from holdfast.criteria.naive_bayes import NaiveBayes
from holdfast.exceptions import InputError, SingularCovarianceWarning
from tests.criteria.moves import assert_moves_agree, random_subsets
from tests.naive import naive_bayes as naive

DATA = {"wine": load_wine, "wdbc": load_breast_cancer, "iris": load_iris, "digits": load_digits}


def scorer(x, y, *, n_jobs=1, sample_weight=None, groups=None, max_bytes=2 << 30, **parameters):
    problem = Problem(
        x,
        y,
        x.shape[1],
        sample_weight=sample_weight,
        groups=groups,
        n_jobs=n_jobs,
        max_bytes=max_bytes,
    )
    return NaiveBayes(**parameters).prepare(problem).scorer


@pytest.mark.parametrize("name", DATA)
@pytest.mark.parametrize("var_smoothing", [1e-9, 1e-2])
def test_accuracy_is_that_of_scikit_learn(name, var_smoothing):
    x, y = DATA[name](return_X_y=True)
    kept = x.std(axis=0) > 0  # scikit-learn divides by 0 on a subset of constants
    x, x_all = x[:, kept], x
    ours = scorer(x, y, var_smoothing=var_smoothing)
    model = GaussianNB(var_smoothing=var_smoothing)
    for subset in random_subsets(x.shape[1], 12):
        theirs = cross_val_score(model, x[:, subset], y, cv=10)
        np.testing.assert_allclose(ours.score(subset), theirs, rtol=0, atol=1e-14)
    theirs = cross_val_score(model, x_all, y, cv=10)
    every = np.arange(x_all.shape[1])
    ours = scorer(x_all, y, var_smoothing=var_smoothing)
    np.testing.assert_allclose(ours.score(every), theirs, rtol=0, atol=1e-14)


@pytest.mark.parametrize("within", [False, True])
@pytest.mark.parametrize(
    ("scale", "scaler"), [("range", MinMaxScaler), ("standard", StandardScaler)]
)
def test_scaling_is_that_of_a_pipeline(scale, scaler, within):
    x, y = load_wine(return_X_y=True)
    ours = scorer(x, y, var_smoothing=0.1, scale=scale, scale_within=within, cv=5)
    model = GaussianNB(var_smoothing=0.1)
    for subset in random_subsets(x.shape[1], 8):
        if within:
            theirs = cross_val_score(make_pipeline(scaler(), model), x[:, subset], y, cv=5)
        else:
            theirs = cross_val_score(model, scaler().fit_transform(x)[:, subset], y, cv=5)
        np.testing.assert_allclose(ours.score(subset), theirs, rtol=0, atol=1e-14)


def test_weights_reach_fitting_and_scoring():
    x, y = load_wine(return_X_y=True)
    rng = np.random.default_rng(0)
    weights = rng.integers(0, 4, len(y)).astype(float)
    ours = scorer(x, y, sample_weight=weights)
    for subset in random_subsets(13, 8):
        theirs = []
        for train, test in StratifiedKFold(10).split(x, y):
            model = GaussianNB().fit(x[train][:, subset], y[train], weights[train])
            predicted = model.predict(x[test][:, subset])
            theirs.append(accuracy_score(y[test], predicted, sample_weight=weights[test]))
        np.testing.assert_allclose(ours.score(subset), theirs, rtol=0, atol=1e-14)
    assert_moves_agree(ours, np.arange(4, 9), 13)


def test_splits_and_groups_and_labels_of_any_kind():
    x, y = load_wine(return_X_y=True)
    names = np.array(["red", "white", "pink"])[y]
    cv = ShuffleSplit(4, test_size=1 / 3, random_state=0)
    groups = np.arange(len(y)) % 7
    subset = np.array([1, 4, 9])
    theirs = cross_val_score(GaussianNB(), x[:, subset], names, cv=cv)
    np.testing.assert_allclose(scorer(x, names, cv=cv).score(subset), theirs, atol=1e-14)
    theirs = cross_val_score(GaussianNB(), x[:, subset], y, cv=GroupKFold(5), groups=groups)
    ours = scorer(x, y, cv=GroupKFold(5), groups=groups)
    np.testing.assert_allclose(ours.score(subset), theirs, atol=1e-14)


def test_a_class_missing_from_a_training_part_is_never_chosen():
    x, y = load_iris(return_X_y=True)
    splits = [(np.arange(100), np.arange(50, 150)), (np.arange(50, 150), np.arange(100))]
    ours = scorer(x, y, cv=splits)
    theirs = cross_val_score(GaussianNB(), x, y, cv=splits)
    np.testing.assert_allclose(ours.score(np.arange(4)), theirs, atol=1e-14)


@pytest.mark.parametrize("name", ["wine", "wdbc"])
def test_a_walk_scores_as_from_scratch(name):
    x, y = DATA[name](return_X_y=True)
    ours = scorer(x, y)
    for base in random_subsets(x.shape[1], 8, seed=2):
        assert_moves_agree(ours, base, x.shape[1])
        assert_moves_agree(ours, np.setdiff1d(base, base[base.size > 1 :][:1]), x.shape[1])
    assert_moves_agree(ours, np.zeros(0, np.intp), x.shape[1])


@st.composite
def awkward_problems(draw):
    """Few examples, few distinct values, constant columns, weights of 0, widely different units."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n, n_features, n_classes = (draw(st.integers(*r)) for r in ((8, 30), (2, 6), (2, 4)))
    x = rng.integers(0, draw(st.integers(2, 9)), (n, n_features)).astype(float)
    if draw(st.booleans()):
        x += rng.normal(size=x.shape)
    for column in draw(st.lists(st.integers(0, n_features - 1), max_size=2)):
        x[:, column] = 4.0
    x *= 4.0 ** rng.integers(-6, 7, n_features)
    y = np.r_[np.arange(n_classes).repeat(2), rng.integers(0, n_classes, n - 2 * n_classes)]
    weights = rng.integers(0, 3, n) + 1.0 if draw(st.booleans()) else None
    return x, y, weights, draw(st.sampled_from([0.0, 1e-9, 0.5]))


@settings(max_examples=50, deadline=None)
@given(awkward_problems(), st.integers(0, 100))
def test_awkward_data_agree_with_the_slow_twin(problem, seed):
    x, y, weights, smoothing = problem
    splits = list(StratifiedKFold(2).split(x, y))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SingularCovarianceWarning)
        ours = scorer(x, y, cv=2, sample_weight=weights, var_smoothing=smoothing)
        for subset in random_subsets(x.shape[1], 2, seed):
            theirs = naive.scores(x[:, subset], y, splits, smoothing, weights)
            np.testing.assert_allclose(ours.score(subset), theirs, atol=1e-14)
            assert_moves_agree(ours, subset, x.shape[1])


def test_far_features_leave_no_trace_when_taken_out():
    rng = np.random.default_rng(3)
    x = rng.normal(size=(60, 4))
    y = np.arange(60) % 2
    x[:, 0] = 1e9 * y + 1e-3 * rng.normal(size=60)
    ours = scorer(x, y, cv=3, var_smoothing=0.0)
    base = np.arange(4)
    expected = [ours.score(np.setdiff1d(base, [f])) for f in base]
    np.testing.assert_array_equal(ours.removals(base, base[:, None]), expected)


def test_the_order_of_columns_and_the_number_of_threads_do_not_matter():
    x, y = load_breast_cancer(return_X_y=True)
    order = np.random.default_rng(0).permutation(30)
    ours, permuted = scorer(x, y), scorer(x[:, order], y, n_jobs=3)
    position = np.argsort(order)
    for base in random_subsets(30, 6):
        rest = np.setdiff1d(np.arange(30), base)
        here = ours.additions(base, rest[:, None])
        there = permuted.additions(np.sort(position[base]), position[rest][:, None])
        np.testing.assert_array_equal(here, there)


def test_variances_of_zero_are_replaced_with_one_warning():
    x, y = load_iris(return_X_y=True)
    x = np.column_stack((x, np.full(len(y), 3.0)))
    ours = scorer(x, y)
    with pytest.warns(SingularCovarianceWarning, match="variance .* is 0"):
        scores = ours.score(np.array([4]))
    ours.score(np.array([4]))  # a second warning would be an error here
    np.testing.assert_allclose(scores, 1 / 3)  # the priors are equal, and the first class wins


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"var_smoothing": -1.0}, "'var_smoothing' .* at least 0"),
        ({"var_smoothing": "no"}, "'var_smoothing' .* at least 0"),
        ({"scale": "minmax"}, "'scale' .* 'range' or 'standard'"),
        ({"scale_within": 1}, "'scale_within' .* True or False"),
        ({"cv": 51}, "'cv' .* at most 50"),
        ({"sample_weight": np.ones(3)}, "'sample_weight' .* 150 examples"),
        ({"sample_weight": -np.ones(150)}, "'sample_weight' .* not negative"),
        ({"sample_weight": np.full(150, np.nan)}, "'sample_weight' .* finite"),
        ({"sample_weight": np.r_[np.zeros(140), np.ones(10)]}, "some example of every test part"),
        ({"max_bytes": 1000}, "'max_bytes' .* at least"),
    ],
)
def test_bad_input_is_refused(parameters, message):
    x, y = load_iris(return_X_y=True)
    with pytest.raises(InputError, match=message):
        scorer(x, y, **parameters)
