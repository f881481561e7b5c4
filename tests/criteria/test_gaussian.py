"""Normal Bayes against scikit-learn, against its slow twin, and against itself by other ways."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import sklearn
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_digits, load_wine
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis
from sklearn.model_selection import ShuffleSplit, StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler

from holdfast.contracts import Problem
from holdfast.criteria.gaussian import Gaussian
from holdfast.exceptions import SingularCovarianceWarning
from tests.criteria.moves import assert_moves_agree, random_subsets
from tests.naive import gaussian as naive

DATA = {"wine": load_wine, "wdbc": load_breast_cancer}
# Earlier versions divided covariances by one example less.
same_normalisation = pytest.mark.skipif(
    tuple(map(int, sklearn.__version__.split(".")[:2])) < (1, 9), reason="other covariances"
)


def scorer(x, y, *, n_jobs=1, sample_weight=None, max_bytes=2 << 30, **parameters):
    problem = Problem(
        x, y, x.shape[1], sample_weight=sample_weight, n_jobs=n_jobs, max_bytes=max_bytes
    )
    return Gaussian(**parameters).prepare(problem).scorer


@same_normalisation
@pytest.mark.parametrize("name", DATA)
@pytest.mark.parametrize("reg_param", [0.0, 1e-3, 0.3, 1.0])
def test_accuracy_is_that_of_scikit_learn(name, reg_param):
    x, y = DATA[name](return_X_y=True)
    ours = scorer(x, y, reg_param=reg_param)
    model = QuadraticDiscriminantAnalysis(reg_param=reg_param, tol=0.0)
    for subset in random_subsets(x.shape[1], 12):
        theirs = cross_val_score(model, x[:, subset], y, cv=10)
        np.testing.assert_allclose(ours.score(subset), theirs, rtol=0, atol=1e-14)


@same_normalisation
@pytest.mark.parametrize("name", DATA)
def test_decisions_are_those_of_scikit_learn_to_nine_digits(name):
    x, y = DATA[name](return_X_y=True)
    x = (x - x.mean(axis=0)) / x.std(axis=0)
    for reg_param in (0.0, 0.01):
        ours = scorer(x, y, reg_param=reg_param)
        model = QuadraticDiscriminantAnalysis(reg_param=reg_param, tol=0.0)
        for subset in random_subsets(x.shape[1], 5):
            folds = StratifiedKFold(10).split(x, y)
            for (train, test), mine in zip(folds, ours.decisions(subset), strict=True):
                model.fit(x[train][:, subset], y[train])
                theirs = model.decision_function(x[test][:, subset])
                if mine.shape[1] == 2:
                    mine = mine[:, 1] - mine[:, 0]
                np.testing.assert_allclose(mine, theirs, rtol=1e-9, atol=1e-9)


@same_normalisation
@pytest.mark.parametrize("within", [False, True])
@pytest.mark.parametrize(
    ("scale", "scaler"), [("range", MinMaxScaler), ("standard", StandardScaler)]
)
def test_scaling_is_that_of_a_pipeline(scale, scaler, within):
    x, y = load_wine(return_X_y=True)
    ours = scorer(x, y, reg_param=0.1, scale=scale, scale_within=within, cv=5)
    model = QuadraticDiscriminantAnalysis(reg_param=0.1, tol=0.0)
    for subset in random_subsets(x.shape[1], 8):
        if within:
            theirs = cross_val_score(make_pipeline(scaler(), model), x[:, subset], y, cv=5)
        else:
            theirs = cross_val_score(model, scaler().fit_transform(x)[:, subset], y, cv=5)
        np.testing.assert_allclose(ours.score(subset), theirs, rtol=0, atol=1e-14)


@same_normalisation
def test_many_classes_and_any_splitter():
    x, y = load_digits(return_X_y=True)
    x = x + np.random.default_rng(0).normal(size=x.shape)
    cv = ShuffleSplit(3, test_size=1 / 3, random_state=0)
    ours = scorer(x, y, cv=cv)
    for subset in random_subsets(20, 4):
        model = QuadraticDiscriminantAnalysis(tol=0.0)
        theirs = cross_val_score(model, x[:, subset], y, cv=cv)
        np.testing.assert_allclose(ours.score(subset), theirs, rtol=0, atol=1e-14)
    assert_moves_agree(ours, np.arange(3, 12), 20)


@pytest.mark.parametrize("name", DATA)
def test_a_walk_scores_as_from_scratch(name):
    x, y = DATA[name](return_X_y=True)
    ours = scorer(x, y)
    rng = np.random.default_rng(1)
    base = np.array([3], dtype=np.intp)
    for turn in range(40):
        assert_moves_agree(ours, base, x.shape[1])
        grow = base.size == 1 or (rng.random() < 0.6 and base.size < x.shape[1])
        if turn % 13 == 12:
            base = random_subsets(x.shape[1], 1, seed=turn)[0]
        elif grow:
            base = np.union1d(base, rng.choice(np.setdiff1d(np.arange(x.shape[1]), base)))
        else:
            base = np.setdiff1d(base, rng.choice(base))


def test_additions_to_nothing_are_single_features():
    x, y = load_wine(return_X_y=True)
    ours = scorer(x, y)
    none = np.zeros(0, np.intp)
    assert_moves_agree(ours, none, 13)
    triples = np.array([(0, 1, 2), (0, 1, 5), (3, 6, 12)])
    expected = [ours.score(t) for t in triples]
    np.testing.assert_array_equal(ours.additions(none, triples), expected)


@st.composite
def awkward_problems(draw):
    """Few examples, few distinct values, constant and repeated columns."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n, n_features, n_classes = (draw(st.integers(*r)) for r in ((8, 40), (2, 7), (2, 4)))
    x = rng.integers(0, draw(st.integers(2, 9)), (n, n_features)).astype(float)
    if draw(st.booleans()):
        x += rng.normal(size=x.shape)
    for kind, column in draw(
        st.lists(st.tuples(st.sampled_from("cds"), st.integers(0, n_features - 1)), max_size=3)
    ):
        other = x[:, (column + 1) % n_features]
        x[:, column] = {"c": 7.0, "d": other, "s": other * 3 - 1}[kind]
    x *= 10.0 ** rng.integers(-6, 7, n_features)
    y = np.r_[np.arange(n_classes).repeat(2), rng.integers(0, n_classes, n - 2 * n_classes)]
    return x, y


@settings(max_examples=60, deadline=None)
@given(awkward_problems(), st.integers(0, 100))
def test_awkward_data_agree_with_the_slow_twin(problem, seed):
    x, y = problem
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SingularCovarianceWarning)
        ours = scorer(x, y, cv=2)
        splits = list(StratifiedKFold(2).split(x, y))
        for subset in random_subsets(x.shape[1], 3, seed):
            theirs = naive.scores(x[:, subset], y, splits)
            np.testing.assert_allclose(ours.score(subset), theirs, atol=1e-14)
            assert_moves_agree(ours, subset, x.shape[1])
