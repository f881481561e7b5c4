"""Distances of normal classes against the formulas, and against themselves by other ways."""

from __future__ import annotations

import warnings
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine

from holdfast.contracts import Problem
from holdfast.criteria.distances import Bhattacharyya, Divergence, Mahalanobis
from holdfast.exceptions import InputError, SingularCovarianceWarning
from tests.criteria.moves import assert_moves_agree, random_subsets
from tests.naive import distances as naive

CRITERIA = {c.__name__: c for c in (Bhattacharyya, Divergence, Mahalanobis)}
DATA = {"wine": load_wine, "wdbc": load_breast_cancer, "iris": load_iris}
every_distance = pytest.mark.parametrize("name", CRITERIA)
nearly = partial(np.testing.assert_allclose, rtol=1e-9, atol=1e-12)


def scorer(name, x, y, *, n_jobs=1, sample_weight=None, max_bytes=2 << 30, **parameters):
    problem = Problem(
        x, y, x.shape[1], sample_weight=sample_weight, n_jobs=n_jobs, max_bytes=max_bytes
    )
    return CRITERIA[name](**parameters).prepare(problem).scorer


@every_distance
@pytest.mark.parametrize("data", DATA)
def test_values_are_those_of_the_formulas(name, data):
    x, y = DATA[data](return_X_y=True)
    ours = scorer(name, x, y)
    for subset in random_subsets(x.shape[1], 12):
        value = ours.score(subset)
        assert value.shape == (1,)
        nearly(value[0], naive.value(name, x[:, subset], y), rtol=1e-8)


@every_distance
def test_two_classes_by_hand(name):
    """One feature, means 0 and 2, variances 1 and 4."""
    x = np.array([-1.0, 1.0, 0.0, 4.0])[:, None]
    y = np.array([0, 0, 1, 1])
    expected = {
        "Bhattacharyya": 4 / 2.5 / 8 + np.log(2.5 / 2) / 2,
        "Divergence": 4 * (1 + 1 / 4) / 2 + (4 + 1 / 4 - 2) / 2,
        "Mahalanobis": 4 / 2.5,
    }[name]
    nearly(scorer(name, x, y).score(np.array([0])), [expected])


@every_distance
def test_weights_are_repetitions(name):
    x, y = load_wine(return_X_y=True)
    weights = np.random.default_rng(0).integers(1, 4, len(y))
    weighted = scorer(name, x, y, sample_weight=weights)
    repeated = scorer(name, x.repeat(weights, axis=0), y.repeat(weights))
    for subset in random_subsets(13, 6):
        nearly(weighted.score(subset), repeated.score(subset))
        nearly(weighted.score(subset)[0], naive.value(name, x[:, subset], y, weights), rtol=1e-8)


@every_distance
def test_a_class_without_weight_is_as_absent(name):
    x, y = load_wine(return_X_y=True)
    ours = scorer(name, x, y, sample_weight=(y != 1).astype(float))
    two = scorer(name, x[y != 1], y[y != 1])
    for subset in random_subsets(13, 4):
        nearly(ours.score(subset), two.score(subset))


@every_distance
@pytest.mark.parametrize("data", DATA)
def test_neighbours_are_as_from_scratch(name, data):
    x, y = DATA[data](return_X_y=True)
    ours = scorer(name, x, y)
    for base in random_subsets(x.shape[1], 6, seed=1):
        assert_moves_agree(ours, base, x.shape[1], nearly)
    assert_moves_agree(ours, np.zeros(0, np.intp), x.shape[1], nearly)


@every_distance
def test_more_features_are_never_worse(name):
    x, y = load_breast_cancer(return_X_y=True)
    ours = scorer(name, x, y)
    for base in random_subsets(30, 10, seed=2):
        value = ours.score(base)
        outside = np.setdiff1d(np.arange(30), base)
        if outside.size:
            assert (ours.additions(base, outside[:, None]) >= value).all()
        if base.size > 1:
            assert (ours.removals(base, base[:, None]) <= value).all()


@every_distance
@pytest.mark.parametrize("scale", ["range", "standard"])
def test_units_do_not_matter(name, scale):
    x, y = load_wine(return_X_y=True)
    plain, other = scorer(name, x, y), scorer(name, x * 10.0 ** np.arange(-6, 7), y, scale=scale)
    for subset in random_subsets(13, 6):
        nearly(plain.score(subset), other.score(subset), rtol=1e-8)


@every_distance
def test_the_order_of_columns_and_the_number_of_threads_do_not_matter(name):
    x, y = load_digits(return_X_y=True)
    x = x[:, x.std(axis=0) > 1][:, :25] + np.random.default_rng(0).normal(size=(len(y), 25))
    order = np.random.default_rng(0).permutation(25)
    position = np.argsort(order)
    ours, permuted = scorer(name, x, y), scorer(name, x[:, order], y, n_jobs=3)
    for base in random_subsets(20, 5):
        rest = np.setdiff1d(np.arange(25), base)
        here = ours.additions(base, rest[:, None])
        there = permuted.additions(np.sort(position[base]), position[rest][:, None])
        nearly(here, there, rtol=1e-11)
        assert here.argmax() == there.argmax()


@st.composite
def awkward_problems(draw):
    """Few examples, few distinct values, constant and repeated columns."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n, n_features, n_classes = (draw(st.integers(*r)) for r in ((6, 40), (2, 6), (2, 4)))
    x = rng.integers(0, draw(st.integers(2, 9)), (n, n_features)).astype(float)
    for kind, column in draw(
        st.lists(st.tuples(st.sampled_from("cd"), st.integers(0, n_features - 1)), max_size=3)
    ):
        x[:, column] = 7.0 if kind == "c" else x[:, (column + 1) % n_features]
    x *= 2.0 ** rng.integers(-20, 20, n_features)
    y = np.r_[np.arange(n_classes), rng.integers(0, n_classes, n - n_classes)]
    return x, y


@every_distance
@settings(max_examples=30, deadline=None)
@given(problem=awkward_problems(), seed=st.integers(0, 100))
def test_awkward_data_agree_with_the_formulas(name, problem, seed):
    x, y = problem
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SingularCovarianceWarning)
        ours = scorer(name, x, y)
        for subset in random_subsets(x.shape[1], 3, seed):
            # With a ridge of 1e-9 no more than seven digits are left.
            nearly(ours.score(subset)[0], naive.value(name, x[:, subset], y), rtol=1e-5, atol=1e-6)
            close = partial(np.testing.assert_allclose, rtol=1e-5, atol=1e-6)
            assert_moves_agree(ours, subset, x.shape[1], close)


@every_distance
def test_a_ridge_is_told_once(name):
    x, y = load_iris(return_X_y=True)
    ours = scorer(name, np.column_stack((x, x[:, 0])), y)
    with pytest.warns(SingularCovarianceWarning, match=f"{name}: .* singular .* 1e-09"):
        ours.score(np.array([0, 4]))
    ours.score(np.array([0, 1, 4]))  # a second warning would be an error here


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"scale": 1}, "'scale' .* 'range' or 'standard'"),
        ({"sample_weight": np.r_[np.ones(50), np.zeros(100)]}, "at least 2 classes"),
        ({"max_bytes": 10}, "'max_bytes' .* at least"),
    ],
)
def test_bad_input_is_refused(parameters, message):
    x, y = load_iris(return_X_y=True)
    with pytest.raises(InputError, match=message):
        scorer("Bhattacharyya", x, y, **parameters)
