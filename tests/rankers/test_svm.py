"""Linear machines: solved to the last digits, and eliminating what scikit-learn's would."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_iris, load_wine, make_classification
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_selection import RFE
from sklearn.preprocessing import minmax_scale
from sklearn.svm import SVC

import holdfast.rankers.machines as machines_module
from holdfast.exceptions import InputError
from holdfast.rankers import SVMRFE, LinearSVM
from holdfast.rankers.machines import LinearMachines
from tests.naive.elimination import elimination, squared_weights


@st.composite
def problems(draw):
    """Examples repeated and contradictory, features repeated and constant, more of either."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n, d = draw(st.integers(3, 25)), draw(st.integers(1, 30))
    X = rng.normal(size=(n, d))
    if draw(st.booleans()):
        X = np.round(X)
    if draw(st.booleans()):
        X[n // 2 :] = X[: n - n // 2]
    y = rng.integers(0, draw(st.integers(2, 4)), n)
    y[:2] = [0, 1]
    return X * 10.0 ** draw(st.integers(-2, 2)), y, 10.0 ** draw(st.integers(-3, 3))


@given(problems())
@settings(max_examples=150)
def test_machines_meet_their_conditions(problem):
    """Kuhn's and Tucker's, computed from the definition."""
    X, y, C = problem
    codes = np.unique(y, return_inverse=True)[1]
    centred = X - X.mean(axis=0)
    machines = LinearMachines(centred, codes, C, 1e-8)
    machines.solve(np.arange(X.shape[1]))
    assert machines.solved
    inner = machines._machines
    for p, n in enumerate(inner.sizes):
        table, labels = centred[inner.examples[p, :n]], inner.labels[p, :n]
        beta = inner.betas[p, :n]
        alpha = beta * labels
        assert abs(beta.sum()) <= 1e-9 * max(1.0, alpha.sum())
        assert (alpha >= 0).all()
        assert (alpha <= C).all()
        gap = labels - table @ (table.T @ beta)
        up, down = (beta < inner.high[p, :n]), (beta > inner.low[p, :n])
        tol = 4e-8 + 1e-12 * (np.abs(table) @ np.abs(table.T) @ np.abs(beta)).max()
        assert gap[up].max() <= gap[down].min() + tol


@given(problems(), st.sampled_from([1, 1, 2, 5]))
@settings(max_examples=25)
def test_eliminates_like_its_twin(problem, step):
    X, y, C = problem
    # A lower price, since the twin's solver takes seconds for a high one.
    X, C = X / (np.abs(X).max() or 1.0), min(C, 1.0)
    last = min(2, X.shape[1])
    order = SVMRFE(step, C, last).order(X, y)
    assert sorted(order) == list(range(X.shape[1]))
    expected, closest = elimination(X, y, step, C, last)
    # Where weights are tied, the last digits of libsvm decide in the twin.
    assume(closest > 1e-5)
    assert order.tolist() == expected


@pytest.mark.parametrize(
    ("n", "d", "n_classes", "C", "step"),
    [
        (60, 400, 2, 1.0, 1),
        (40, 200, 3, 0.05, 1),
        (150, 30, 2, 1.0, 1),
        (50, 120, 4, 1.0, 7),
        (60, 90, 2, 1.0, 0.15),
    ],
)
def test_the_ranking_of_scikit_learn(n, d, n_classes, C, step):
    X, y = make_classification(n, d, n_informative=6, n_classes=n_classes, random_state=n + d)
    theirs = RFE(SVC(kernel="linear", C=C, tol=1e-9), step=step, n_features_to_select=5)
    ranking = theirs.fit(X, y).ranking_
    order = SVMRFE(step, C, 5).order(X, y)
    assert set(order[:5]) == set(np.flatnonzero(ranking == 1))
    assert (np.diff(ranking[order]) >= 0).all()


@pytest.mark.parametrize("data", [load_iris, load_wine, load_breast_cancer])
def test_weights_of_one_run(data):
    X, y = data(return_X_y=True)
    scores = LinearSVM(C=0.5, scale="range").score(X, y)
    expected = np.sqrt(squared_weights(minmax_scale(X), y, 0.5))
    np.testing.assert_allclose(scores, expected, rtol=1e-5)
    np.testing.assert_allclose(LinearSVM(C=0.5).score(minmax_scale(X), y), scores, rtol=1e-7)


def test_tied_weights_go_by_feature_order():
    X, y = load_iris(return_X_y=True)
    twice = np.hstack((X, np.ones((150, 1)), X))
    order = SVMRFE().order(twice, y).tolist()
    assert order[-1] == 4
    scores = LinearSVM().score(twice, y)
    assert scores[4] == 0.0
    assert (scores[:4] == scores[5:]).all()
    assert LinearSVM().order(twice, y).tolist()[-1] == 4


def test_permuted_columns():
    X, y = make_classification(40, 60, random_state=3)
    order = np.random.default_rng(1).permutation(60)
    ranked = SVMRFE().order(X, y)
    assert (order[SVMRFE().order(X[:, order], y)] == ranked).all()


def test_many_examples_are_left_to_scikit_learn(monkeypatch):
    X, y = load_wine(return_X_y=True)
    X = minmax_scale(X)
    ranked, scores = SVMRFE().order(X, y), LinearSVM().score(X, y)
    monkeypatch.setattr(machines_module, "MOST_EXAMPLES", 100)
    assert (SVMRFE().order(X, y) == ranked).all()
    np.testing.assert_allclose(LinearSVM().score(X, y), scores, rtol=1e-5)


def test_what_is_not_solved_is_said(monkeypatch):
    X, y = load_breast_cancer(return_X_y=True)
    monkeypatch.setattr(machines_module, "MOST_MOVES", 3)
    with pytest.warns(ConvergenceWarning, match="not solved to tol"):
        LinearSVM().score(X, y)


def test_data_far_from_zero_and_in_any_unit():
    X, y = make_classification(40, 60, random_state=5)
    ranked = SVMRFE().order(X, y)
    assert (SVMRFE().order(X + 1e6, y) == ranked).all()
    assert (
        SVMRFE(scale="standard").order(X * 1e30, y) == SVMRFE(scale="standard").order(X, y)
    ).all()


@pytest.mark.parametrize(
    ("ranker", "message"),
    [
        (SVMRFE(step=0), "a share between 0 and 1"),
        (SVMRFE(step=1.5), "a share between 0 and 1"),
        (SVMRFE(step=True), "a share between 0 and 1"),
        (SVMRFE(n_features_to_select=14), "from 1 to 13"),
        (SVMRFE(C=0), "a finite number > 0"),
        (LinearSVM(C="1"), "a finite number > 0"),
        (LinearSVM(tol=np.inf), "a finite number > 0"),
        (LinearSVM(scale="minmax"), "None, 'range' or 'standard'"),
    ],
)
def test_refused_parameters(ranker, message):
    X, y = load_wine(return_X_y=True)
    with pytest.raises(InputError, match=message):
        ranker.score(X, y)


def test_refused_data():
    X, y = load_wine(return_X_y=True)
    with pytest.raises(InputError, match="at least 2 classes"):
        LinearSVM().score(X, np.zeros(178))
    with pytest.raises(InputError, match="one label for each"):
        LinearSVM().score(X, y[1:])
    with pytest.raises(InputError, match="examples x features"):
        LinearSVM().score(X[:, 0], y)
    with pytest.raises(InputError, match="more in column 0"):
        LinearSVM().score(X * 1e200, y)
