"""The solver against libsvm, step by step, and against a slow twin that knows no shortcuts."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.svm import SVC

from holdfast._kernels import svm as kernel
from holdfast._kernels.svm_folds import Machine, decide
from holdfast._kernels.svm_rows import Pairs, exp_of_negative
from tests.naive import svm as naive


def scaled(load):
    X, y = load(return_X_y=True)
    return (X - X.min(axis=0)) / np.ptp(X, axis=0), y


def pairs_of(X, linear, n_rows):
    table = np.ascontiguousarray(X.T)
    subset = np.arange(X.shape[1])
    known = np.zeros(len(X), bool)
    return Pairs(table, subset, linear, np.empty((n_rows, len(X))), known)


def solved(X, sign, bound, gamma, tol=1e-3, slots=None, n_rows=None):
    """Multipliers with their signs, threshold and steps; the first class is in front."""
    n = len(sign)
    state, places = np.ones((kernel.STATE_ROWS, n)), np.zeros((kernel.PLACE_ROWS, n), np.int64)
    state[kernel.SIGN], state[kernel.BOUND] = sign, bound
    places[kernel.EXAMPLE] = np.arange(n)
    if np.isnan(gamma):
        state[kernel.CURVE] = (X**2).sum(axis=1)
    slots = n if slots is None else slots
    threshold, steps = kernel.solve(
        pairs_of(X, bool(np.isnan(gamma)), n if n_rows is None else n_rows),
        gamma, state, places,
        np.empty((slots, n), np.float32), np.empty(slots + 2, np.int64), tol, 10**6,
    )  # fmt: skip
    alpha = np.empty(n)
    alpha[places[kernel.ORIGIN]] = state[kernel.ALPHA]
    return alpha * sign, threshold, steps


def two_classes(name, n_features, seed):
    X, y = scaled({"wine": load_wine, "wdbc": load_breast_cancer}[name])
    rng = np.random.default_rng(seed)
    X = X[:, rng.choice(X.shape[1], n_features, replace=False)]
    X, y = X[y < 2], y[y < 2]
    order = np.argsort(y, kind="stable")
    return X[order], y[order], np.where(y[order] == 0, 1.0, -1.0)


def signed_alpha_of(model, n):
    out = np.zeros(n)
    # Of two classes, scikit-learn turns the sign of what libsvm gives.
    out[model.support_] = -model.dual_coef_[0]
    return out


@pytest.mark.parametrize("linear", [False, True])
@pytest.mark.parametrize("C", [0.1, 1.0, 20.0])
@pytest.mark.parametrize("n_features", [1, 2, 5])
@pytest.mark.parametrize("name", ["wine", "wdbc"])
def test_steps_and_solution_are_those_of_libsvm(name, n_features, C, linear):
    X, y, sign = two_classes(name, n_features, seed=n_features)
    gamma = np.nan if linear else 1 / (n_features * X.var())
    alpha, threshold, steps = solved(X, sign, np.full(len(X), C), gamma)
    model = SVC(kernel="linear" if linear else "rbf", C=C).fit(X, y)
    # Where rounding leaves a multiplier just off its bound, one more step puts it there.
    assert abs(steps - model.n_iter_[0]) <= 1
    np.testing.assert_allclose(alpha, signed_alpha_of(model, len(X)), atol=1e-6 * C)
    assert threshold == pytest.approx(model.intercept_[0], abs=1e-6 * C)


def test_the_cases_above_include_shrinking_more_than_once():
    X, _, sign = two_classes("wdbc", 1, seed=1)
    *_, steps = solved(X, sign, np.full(len(X), 20.0), 1 / X.var())
    assert steps > 2 * len(X)


@pytest.mark.parametrize("slots", [2, 3, 50])
@pytest.mark.parametrize("linear", [False, True])
def test_rows_that_are_not_kept_change_nothing(slots, linear):
    X, _, sign = two_classes("wdbc", 2, seed=0)
    gamma = np.nan if linear else 5.0
    bound = np.full(len(X), 20.0)
    expected = solved(X, sign, bound, gamma)
    found = solved(X, sign, bound, gamma, slots=slots, n_rows=1)
    np.testing.assert_array_equal(found[0], expected[0])
    assert found[1:] == expected[1:]


coarse = st.integers(0, 3).map(float)


@settings(max_examples=60)
@given(st.data())
def test_solutions_are_optimal(data):
    n, d = data.draw(st.integers(2, 14)), data.draw(st.integers(1, 3))
    values = data.draw(st.lists(coarse, min_size=n * d, max_size=n * d))
    X = np.array(values).reshape(n, d)
    n_first = data.draw(st.integers(1, n - 1))
    sign = np.where(np.arange(n) < n_first, 1.0, -1.0)
    bound = np.array(data.draw(st.lists(st.sampled_from([0.1, 1.0, 7.0]), min_size=n, max_size=n)))
    linear = data.draw(st.booleans())
    alpha, *_ = solved(X, sign, bound, np.nan if linear else 0.7, tol=1e-4)
    multipliers = alpha * sign
    assert (multipliers >= 0).all()
    assert (multipliers <= bound).all()
    assert alpha.sum() == pytest.approx(0, abs=1e-9)
    K = naive.kernel_matrix(X, X, "linear" if linear else "rbf", 0.7)
    lead = sign - K @ alpha
    rise = np.where(sign > 0, multipliers < bound, multipliers > 0)
    fall = np.where(sign > 0, multipliers > 0, multipliers < bound)
    assert lead[rise].max(initial=-np.inf) - lead[fall].min(initial=np.inf) < 2e-4
    # The sum over examples is the same in every solution, so the values but for the threshold are.
    slow, _ = naive.solve(K, sign, bound, tol=1e-6)
    np.testing.assert_allclose(K @ alpha, K @ (slow * sign), atol=0.05)


@pytest.mark.parametrize("kind", ["rbf", "linear"])
def test_decisions_are_those_of_the_twin(kind):
    X, y, _ = two_classes("wine", 4, seed=3)
    asked = np.arange(0, len(y), 7)
    train = np.setdiff1d(np.arange(len(y)), asked)
    gamma = naive.gamma_of(X[train], "scale")
    machine = Machine(kind == "linear", gamma, 1e-6, 10**6, np.ones(len(y)), np.ones(len(y)), y)
    pairs = pairs_of(X, kind == "linear", len(y))
    n_first = int((y[train] == 0).sum())
    room = np.empty(train.size**2, np.float32)
    values, _ = decide(pairs, gamma, train, n_first, machine, room, asked)
    expected = naive.decisions(X, y, train, asked, kind)[0, 1]
    np.testing.assert_allclose(values, expected, atol=1e-4)


def test_exp_is_exact_to_thirteen_digits():
    z = np.concatenate(([0.0, 1e-300], np.geomspace(1e-12, 690, 5000), np.linspace(0, 50, 5001)))
    found = z.copy()
    exp_of_negative(found, np.empty_like(z))
    np.testing.assert_allclose(found, np.exp(-z), rtol=1e-13)
    far = np.array([1e3, 1e300, np.inf])
    exp_of_negative(far, np.empty(3))
    assert (far < 1e-300).all()


@given(st.lists(st.sampled_from([-np.inf, -2.5, -1e-300, 0.0, 1e-300, 3.0]), min_size=1))
def test_last_greatest_is_the_last_of_the_greatest(values):
    numbers = np.array(values * 30)
    expected = np.flatnonzero(numbers == numbers.max())[-1]
    assert kernel.last_greatest(numbers.view(np.int64), numbers.size) == expected
