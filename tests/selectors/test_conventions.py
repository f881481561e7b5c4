"""What users of scikit-learn rely on: names, output, pipelines, searches, copies, refitting."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from numpy.testing import assert_array_equal
from sklearn.base import clone
from sklearn.datasets import load_wine
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import estimator_html_repr, get_tags

from holdfast import SequentialSelector
from holdfast.criteria import KNN, Estimator, Hybrid, Mahalanobis, NaiveBayes, Vote
from tests.selectors.cases import NO_POLARS_NAMES, POLARS_NAMES, SELECTORS, chosen, wine

NAMES = list(load_wine().feature_names[:6])
every = pytest.mark.parametrize("name", SELECTORS)


def vote() -> Vote:
    return Vote([KNN(1, cv=3), NaiveBayes(cv=3)])


@every
@pytest.mark.parametrize("frame", ["pandas", "polars"])
def test_names_and_output(name: str, frame: str) -> None:
    X, y = wine()
    table = {"pandas": pd.DataFrame(X, columns=NAMES), "polars": pl.DataFrame(X, schema=NAMES)}
    selector = SELECTORS[name](Mahalanobis()).fit(table[frame], y)
    picked = chosen(selector)
    expected = [NAMES[f] for f in picked]
    if frame == "polars" and not POLARS_NAMES:
        pytest.skip(NO_POLARS_NAMES)
    assert_array_equal(selector.feature_names_in_, NAMES)
    assert selector.get_feature_names_out().tolist() == expected
    assert selector.get_support(indices=True).tolist() == picked
    assert_array_equal(np.flatnonzero(selector.get_support()), picked)
    # Arrays unless asked otherwise, whatever came in.
    plain = selector.transform(table[frame])
    assert isinstance(plain, np.ndarray)
    assert_array_equal(plain, X[:, picked])
    for kind, output in (("pandas", pd.DataFrame), ("polars", pl.DataFrame)):
        out = selector.set_output(transform=kind).transform(table[frame])
        assert isinstance(out, output)
        assert list(out.columns) == expected
        assert_array_equal(out.to_numpy(), X[:, picked])
    selector.set_output(transform="default")
    back = selector.inverse_transform(plain)
    assert_array_equal(back[:, picked], plain)
    assert not back[:, ~selector.support_].any()


def test_names_are_asked_for() -> None:
    X, y = wine()
    selector = SequentialSelector(Mahalanobis(), n_features_to_select=2).fit(X, y)
    assert not hasattr(selector, "feature_names_in_")
    assert selector.get_feature_names_out().tolist() == [f"x{f}" for f in chosen(selector)]
    with pytest.raises(ValueError, match="expecting 6 features"):
        selector.transform(X[:, :5])
    named = SequentialSelector(Mahalanobis()).fit(pd.DataFrame(X, columns=NAMES), y)
    with pytest.raises(ValueError, match="feature names"):
        named.transform(pd.DataFrame(X, columns=NAMES[::-1]))


@every
def test_not_fitted(name: str) -> None:
    selector = SELECTORS[name](Mahalanobis())
    for use in (
        selector.get_support,
        selector.to_frame,
        selector.to_json,
        selector.get_feature_names_out,
        lambda: selector.transform(wine()[0]),
    ):
        with pytest.raises(NotFittedError):
            use()


@every
@pytest.mark.parametrize("criterion", [KNN(1, cv=3), Estimator(GaussianNB(), cv=2), vote()])
def test_refitting_changes_nothing(name: str, criterion: Any) -> None:
    X, y = wine(4)
    selector = SELECTORS[name](criterion)
    given = selector.get_params(deep=True)
    shown = repr(given)
    first = selector.fit(X, y).history_.drop("seconds")
    assert selector.get_params(deep=True).keys() == given.keys()
    assert all(selector.get_params(deep=True)[key] is value for key, value in given.items())
    assert repr(selector.get_params(deep=True)) == shown
    for again in (selector, clone(selector), pickle.loads(pickle.dumps(clone(selector)))):
        assert again.fit(X, y).history_.drop("seconds").equals(first)


@every
def test_a_fitted_selector_can_be_pickled(name: str) -> None:
    X, y = wine()
    selector = SELECTORS[name](vote()).fit(X, y)
    back = pickle.loads(pickle.dumps(selector))
    assert back.to_json() == selector.to_json()
    assert_array_equal(back.transform(X), selector.transform(X))
    assert not hasattr(clone(selector), "support_")


def test_inside_a_pipeline() -> None:
    X, y = load_wine(return_X_y=True, as_frame=True)
    pipe = make_pipeline(
        StandardScaler(),
        SequentialSelector(Mahalanobis(), n_features_to_select=3),
        RidgeClassifier(),
    ).set_output(transform="pandas")
    pipe.fit(X, y)
    assert pipe[-1].feature_names_in_.tolist() == pipe[:-1].get_feature_names_out().tolist()
    assert cross_val_score(pipe, X, y, cv=3).mean() > 0.9


@pytest.mark.parametrize(
    ("criterion", "grid"),
    [
        (KNN(1, cv=3), {"criterion__n_neighbors": [1, 3], "floating": [False, True]}),
        (vote(), {"criterion__member0__n_neighbors": [1, 3], "criterion__by": ["order", "weight"]}),
        (
            Hybrid(Mahalanobis(), vote(), 0.5),
            {"criterion__wrapper__member1": [NaiveBayes(cv=2)], "criterion__share": [0.2, 1.0]},
        ),
        (Estimator(GaussianNB(), cv=3), {"criterion__estimator__var_smoothing": [1e-9, 0.1]}),
        (GaussianNB(), {"criterion__var_smoothing": [1e-9, 0.1], "tolerance": [0.0, 0.1]}),
    ],
    ids=["knn", "vote", "hybrid", "estimator", "model"],
)
def test_tuned_by_a_grid_search(criterion: Any, grid: dict[str, list[Any]]) -> None:
    X, y = wine()
    pipe = make_pipeline(SequentialSelector(criterion, n_features_to_select=2), GaussianNB())
    before = repr(pipe.get_params())
    named = {f"sequentialselector__{key}": values for key, values in grid.items()}
    search = GridSearchCV(pipe, named, cv=2).fit(X, y)
    best = search.best_estimator_[0].get_params(deep=True)
    for key in grid:
        assert repr(best[key]) == repr(search.best_params_[f"sequentialselector__{key}"])
    assert repr(pipe.get_params()) == before


def test_tags_are_those_of_what_is_inside() -> None:
    def tags(criterion: Any) -> tuple[bool, bool]:
        inputs = get_tags(SequentialSelector(criterion)).input_tags
        return inputs.sparse, inputs.allow_nan

    assert tags(KNN()) == (False, False)
    assert tags(LogisticRegression()) == (True, False)
    assert tags(make_pipeline(StandardScaler(), LogisticRegression()))[1]
    assert tags(Vote([KNN(), Estimator(LogisticRegression())])) == (False, False)
    assert get_tags(SequentialSelector(KNN())).target_tags.required


@every
def test_shows_itself(name: str) -> None:
    selector = SELECTORS[name](vote())
    assert type(selector).__name__ in estimator_html_repr(selector)
    assert "member" in repr(selector)
