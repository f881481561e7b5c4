"""The same result for any number of workers, any order of columns, and any number of times."""

from __future__ import annotations

from copy import deepcopy
from itertools import product
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.model_selection import ShuffleSplit, StratifiedKFold
from sklearn.naive_bayes import GaussianNB

from holdfast import OscillatingSelector, SequentialSelector
from holdfast.criteria import (
    KNN,
    SVM,
    Bhattacharyya,
    Divergence,
    Estimator,
    Gaussian,
    Hybrid,
    Mahalanobis,
    NaiveBayes,
    Vote,
)
from holdfast.exceptions import InputError
from tests.selectors.cases import SELECTORS, chosen, wine

FAST: dict[str, Any] = {
    "knn": KNN(3, cv=4),
    "knn within": KNN(3, cv=4, scale="range", scale_within=True),
    "gaussian": Gaussian(cv=4),
    "bayes": NaiveBayes(cv=4),
    "svm": SVM(cv=4),
    "linear svm": SVM(kernel="linear", cv=4),
    "bhattacharyya": Bhattacharyya(),
    "divergence": Divergence(),
    "mahalanobis": Mahalanobis(),
    "vote": Vote([KNN(3, cv=4), NaiveBayes(cv=4)]),
    "weighted vote": Vote([Gaussian(cv=4), NaiveBayes(cv=4)], by="weight"),
    "hybrid": Hybrid(Mahalanobis(), KNN(1, cv=4), 0.5),
}


def course(selector: Any) -> Any:
    return selector.history_.drop("seconds")


@pytest.mark.parametrize("criterion", FAST)
def test_any_number_of_threads(criterion: str) -> None:
    X, y = wine(13, step=1)
    one = SequentialSelector(FAST[criterion], floating=True, n_features_to_select=5, overshoot=2)
    one.fit(X, y)
    for n_jobs in (2, 3, -1):
        more = SequentialSelector(**{**one.get_params(deep=False), "n_jobs": n_jobs}).fit(X, y)
        assert course(more).equals(course(one))
        assert more.choices_.equals(one.choices_)


@pytest.mark.parametrize("name", SELECTORS)
def test_any_search_in_threads(name: str) -> None:
    X, y = wine(13, step=1)
    one, two = (SELECTORS[name](KNN(3, cv=4), n_jobs=n).fit(X, y) for n in (1, 2))
    assert course(one).equals(course(two))


def test_any_number_of_processes() -> None:
    X, y = wine()
    criterion = Estimator(GaussianNB(), ["accuracy", "neg_log_loss"], cv=3, drive="neg_log_loss")
    for parameters in ({"include": [5], "exclude": [0]}, {"feature_groups": [[0, 1], [2, 4]]}):
        one, two, all_ = (
            SequentialSelector(criterion, floating=True, n_jobs=n, **parameters).fit(X, y)
            for n in (None, 2, -1)
        )
        assert course(one).equals(course(two))
        assert course(one).equals(course(all_))


@pytest.mark.parametrize("criterion", FAST)
@pytest.mark.parametrize("direction", ["forward", "backward"])
def test_any_order_of_columns(criterion: str, direction: str) -> None:
    """Random weights leave no ties, so that the order of columns has nothing to decide."""
    X, y = wine(8, step=1)
    rng = np.random.default_rng(11)
    weights = rng.uniform(0.1, 1.0, len(y))
    selector = SequentialSelector(
        FAST[criterion], direction=direction, floating=True, n_features_to_select=4
    ).fit(X, y, sample_weight=weights)
    for _ in range(3):
        order = rng.permutation(8)
        again = SequentialSelector(**selector.get_params(deep=False))
        again.fit(X[:, order], y, sample_weight=weights)
        assert sorted(order[chosen(again)].tolist()) == chosen(selector)
        for size, subset in selector.subsets_by_size_.items():
            np.testing.assert_allclose(
                again.scores_by_size_[size], selector.scores_by_size_[size], rtol=1e-9
            )
            if "vote" not in criterion:
                assert sorted(order[again.subsets_by_size_[size]].tolist()) == subset.tolist()


@pytest.mark.parametrize(
    ("criterion", "name"),
    [
        *product(FAST, ["forward", "individual", "exhaustive"]),
        # Where both are in, covariances are singular and rounding decides.
        *product(["knn", "knn within", "bayes", "svm", "linear svm", "vote"], ["backward"]),
    ],
)
def test_ties_go_to_the_first_in_feature_order(criterion: str, name: str) -> None:
    """Of equal columns the first comes in; leaving the first that is not missed keeps the last."""
    X, y = wine(3, step=2)
    twins = np.column_stack([X[:, 1], X[:, 0], X[:, 2], X[:, 0]])
    selector = SELECTORS[name](FAST[criterion], exclude=[0], **{"n_features_to_select": 1})
    selector.fit(twins, y)
    alone = SELECTORS[name](FAST[criterion], exclude=[0], **{"n_features_to_select": 1})
    alone.fit(twins[:, :3], y)
    if 1 in chosen(alone):
        assert chosen(selector) == ([3] if name == "backward" else [1])
    else:
        assert chosen(selector) == chosen(alone) == [2]


@pytest.mark.parametrize("name", SELECTORS)
@pytest.mark.parametrize("criterion", ["knn", "estimator"])
def test_the_users_splitter_is_not_changed(name: str, criterion: str) -> None:
    X, y = wine()
    splitter = StratifiedKFold(3, shuffle=True, random_state=np.random.RandomState(5))
    before = deepcopy(splitter.random_state.get_state())
    made = KNN(1, cv=splitter) if criterion == "knn" else Estimator(GaussianNB(), cv=splitter)
    selector = SELECTORS[name](made).fit(X, y)
    assert made.cv is splitter
    assert_array_equal(splitter.random_state.get_state()[1], before[1])
    assert splitter.random_state.get_state()[2] == before[2]
    first = course(selector)
    assert course(selector.fit(X, y)).equals(first)


def test_pairs_of_rows_are_as_good_as_their_splitter() -> None:
    X, y = wine()
    splitter = ShuffleSplit(4, test_size=1 / 3, random_state=0)
    pairs = list(splitter.split(X))
    masks = [
        (np.isin(np.arange(len(y)), train), np.isin(np.arange(len(y)), test))
        for train, test in pairs
    ]
    expected = course(SequentialSelector(KNN(1, cv=splitter)).fit(X, y))
    for cv in (pairs, masks, tuple(pairs)):
        assert course(SequentialSelector(KNN(1, cv=cv)).fit(X, y)).equals(expected)
    generator = SequentialSelector(KNN(1, cv=(pair for pair in pairs)))
    assert course(generator.fit(X, y)).equals(expected)
    with pytest.raises(InputError, match="used up by the first fit"):
        generator.fit(X, y)


def test_a_seed_decides() -> None:
    X, y = wine(13, step=1)

    def started(seed: Any) -> list[int]:
        selector = OscillatingSelector(Mahalanobis(), 4, swing=1, init="random", random_state=seed)
        return selector.fit(X, y).history_["features"].to_list()[0]

    assert started(3) == started(3) == started(np.random.RandomState(3))
    assert len({tuple(started(seed)) for seed in range(8)}) > 4
