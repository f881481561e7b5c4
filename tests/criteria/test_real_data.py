"""Every subset that SFFS visits on real data, scored by scikit-learn's own estimator as well."""

from __future__ import annotations

import numpy as np
import pytest
import sklearn
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import MinMaxScaler
from sklearn.svm import SVC

from holdfast.criteria import KNN, SVM, Gaussian, NaiveBayes
from holdfast.selectors import DynamicOscillatingSelector, SequentialSelector
from tests.criteria.recorded import Recorded

DATA = {"wine": load_wine, "wdbc": load_breast_cancer}
PAIRS = {
    "3-NN": (KNN(3), KNeighborsClassifier(3)),
    "SVM": (SVM(), SVC()),
    "linear SVM": (SVM("linear"), SVC(kernel="linear")),
    "naive Bayes": (NaiveBayes(), GaussianNB()),
    "normal Bayes": (Gaussian(), QuadraticDiscriminantAnalysis(tol=0.0)),
}
# Earlier versions divided covariances by one example less.
OTHER_COVARIANCES = tuple(map(int, sklearn.__version__.split(".")[:2])) < (1, 9)


def visited(criterion, X, y, size, overshoot):
    """Subsets and fold scores of one SFFS, each asked for once."""
    log = []
    selector = SequentialSelector(
        Recorded(criterion, log), floating=True, n_features_to_select=size, overshoot=overshoot
    ).fit(X, y)
    assert len({subset for subset, _ in log}) == len(log) == selector.n_evaluations_
    return log


def peer_scores(model, X, y, splits):
    with sklearn.config_context(skip_parameter_validation=True, assume_finite=True):
        return np.array(
            [model.fit(X[train], y[train]).score(X[test], y[test]) for train, test in splits]
        )


def assert_all_agree(name, X, y, size, overshoot):
    ours, theirs = PAIRS[name]
    splits = list(StratifiedKFold(10).split(X, y))
    for subset, scores in visited(ours, X, y, size, overshoot):
        part = np.ascontiguousarray(X[:, subset])
        expected = peer_scores(theirs, part, y, splits)
        if name == "3-NN":
            undecided = [ties_at_the_edge(part[train], part[test], 3) for train, test in splits]
            sizes = np.array([test.size for _, test in splits])
            assert (np.abs(scores - expected) * sizes <= np.array(undecided) + 1e-9).all()
        else:
            np.testing.assert_allclose(scores, expected, rtol=0, atol=1e-14, err_msg=str(subset))


def ties_at_the_edge(train, test, k):
    """Test examples of which the k-th and the next neighbour are equally far, but for rounding."""
    distances = ((test[:, None, :] - train[None, :, :]) ** 2).sum(axis=2)
    edge = np.partition(distances, (k - 1, k), axis=1)[:, k - 1 : k + 1]
    rounding = 1e-14 * ((test**2).sum(axis=1) + (train**2).sum(axis=1).max())
    return int((edge[:, 1] - edge[:, 0] <= rounding).sum())


def scaled_data(name):
    X, y = DATA[name](return_X_y=True)
    return MinMaxScaler().fit_transform(X), y


@pytest.mark.parametrize("name", PAIRS)
def test_all_subsets_of_a_whole_search_on_wine(name):
    if name == "normal Bayes" and OTHER_COVARIANCES:
        pytest.skip("other covariances")
    assert_all_agree(name, *scaled_data("wine"), "best", None)


@pytest.mark.parametrize("name", PAIRS)
def test_all_subsets_of_a_search_for_a_few_features_on_wdbc(name):
    if name == "normal Bayes" and OTHER_COVARIANCES:
        pytest.skip("other covariances")
    assert_all_agree(name, *scaled_data("wdbc"), 3, 0)


@pytest.mark.soak
@pytest.mark.parametrize("name", PAIRS)
def test_all_subsets_of_a_whole_search_on_wdbc(name):
    if name == "normal Bayes" and OTHER_COVARIANCES:
        pytest.skip("other covariances")
    assert_all_agree(name, *scaled_data("wdbc"), "best", None)


def test_k_nn_without_ties_of_distance_gives_the_very_same_numbers():
    X, y = scaled_data("wine")
    X = X + 1e-6 * np.random.default_rng(0).random(X.shape)
    splits = list(StratifiedKFold(10).split(X, y))
    for subset, scores in visited(KNN(3), X, y, 5, 1):
        expected = peer_scores(KNeighborsClassifier(3), X[:, subset], y, splits)
        np.testing.assert_array_equal(scores, expected)


@pytest.mark.parametrize("name", PAIRS)
def test_oscillation_scores_no_subset_twice(name):
    log = []
    selector = DynamicOscillatingSelector(
        Recorded(PAIRS[name][0], log), swing=3, max_evaluations=400
    )
    with_budget = selector.fit(*scaled_data("wine"))
    assert len({subset for subset, _ in log}) == len(log) == with_budget.n_evaluations_
