"""Dataframes and their types reach the model inside; missing values and sparse data, too."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import RidgeClassifier
from sklearn.naive_bayes import GaussianNB, MultinomialNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.tree import DecisionTreeClassifier

from holdfast import SequentialSelector
from holdfast.criteria import KNN, Estimator, Mahalanobis, NaiveBayes
from tests.selectors.cases import NO_POLARS_NAMES, POLARS_NAMES, SELECTORS, chosen, wine


def mixed(frame: str) -> tuple[Any, np.ndarray]:
    """A text column that tells the classes apart, a number that helps, and noise of both kinds."""
    rng = np.random.default_rng(3)
    y = np.repeat([0, 1], 30)
    columns = {
        "noise": rng.normal(size=60),
        "colour": np.where(y == rng.permutation(60) % 2, "red", "blue").astype(object),
        "shape": np.where(rng.uniform(size=60) < 0.9, np.where(y, "disc", "cube"), "ball"),
        "length": y + rng.normal(scale=0.6, size=60),
        "count": rng.integers(0, 4, size=60),
    }
    if frame == "polars":
        return pl.DataFrame({name: list(values) for name, values in columns.items()}), y
    table = pd.DataFrame(columns)
    table["shape"] = table["shape"].astype("category")
    return table, y


class Witness(ClassifierMixin, BaseEstimator):
    """Notes what it is given, and finds columns with long names best."""

    seen: list[tuple[type, dict[str, str]]] = []  # noqa: RUF012

    def fit(self, X: Any, y: Any) -> Witness:
        Witness.seen.append((type(X), dict(zip(X.columns, map(str, X.dtypes), strict=True))))
        self.classes_ = np.unique(y)
        return self

    def score(self, X: Any, y: Any) -> float:
        Witness.seen.append((type(X), dict(zip(X.columns, map(str, X.dtypes), strict=True))))
        return float(len("".join(X.columns)))


@pytest.mark.parametrize("frame", ["pandas", "polars"])
@pytest.mark.parametrize("name", SELECTORS)
def test_frames_keep_their_kind_and_types(name: str, frame: str) -> None:
    if frame == "polars" and not POLARS_NAMES:
        pytest.skip(NO_POLARS_NAMES)
    X, y = mixed(frame)
    types = dict(zip(X.columns, map(str, X.dtypes), strict=True))
    Witness.seen.clear()
    selector = SELECTORS[name](Estimator(Witness(), cv=2)).fit(X, y)
    assert Witness.seen
    for kind, seen in Witness.seen:
        assert kind is type(X)
        assert seen == {column: types[column] for column in seen}
        assert list(seen) == [column for column in X.columns if column in seen]
    out = selector.set_output(transform=frame).transform(X)
    picked = [X.columns[f] for f in chosen(selector)]
    assert dict(zip(out.columns, map(str, out.dtypes), strict=True)) == {
        column: types[column] for column in picked
    }


def test_columns_by_name_and_type_inside_a_pipeline() -> None:
    X, y = mixed("pandas")
    encode = make_column_transformer(
        (OneHotEncoder(handle_unknown="ignore"), make_column_selector(dtype_exclude="number")),
        remainder="passthrough",
    )
    selector = SequentialSelector(make_pipeline(encode, RidgeClassifier()), n_features_to_select=2)
    selector.fit(X, y)
    assert selector.get_feature_names_out().tolist() == ["shape", "length"]
    assert selector.score_ > 0.9
    out = selector.set_output(transform="pandas").transform(X)
    assert str(out["shape"].dtype) == "category"


def test_text_is_refused_by_criteria_of_numbers() -> None:
    X, y = mixed("pandas")
    with pytest.raises(ValueError, match="convert string to float"):
        SequentialSelector(KNN(cv=2)).fit(X, y)


@pytest.mark.parametrize("name", SELECTORS)
def test_the_container_makes_no_difference(name: str) -> None:
    X, y = wine()
    X = np.asfortranarray(X)
    names = [f"f{f}" for f in range(X.shape[1])]
    expected = chosen(SELECTORS[name](KNN(1, cv=3)).fit(X, y))
    frozen = np.ascontiguousarray(X)
    frozen.setflags(write=False)
    for table in (
        X.tolist(),
        frozen,
        pd.DataFrame(X, columns=names),
        pd.DataFrame(X, columns=names, dtype="Float64"),
        pd.DataFrame(X, index=np.arange(len(y))[::-1]),
        pl.DataFrame(X, schema=names),
    ):
        for targets in (y, y.tolist(), pd.Series(y, index=np.arange(len(y)) + 5), pl.Series(y)):
            assert chosen(SELECTORS[name](KNN(1, cv=3)).fit(table, targets)) == expected
    labels = np.array(["a", "b", "c"])[y]
    assert chosen(SELECTORS[name](KNN(1, cv=3)).fit(X, labels)) == expected


@pytest.mark.parametrize("frame", ["array", "pandas", "polars"])
def test_missing_values_reach_a_model_that_takes_them(frame: str) -> None:
    X, y = wine()
    X[::7, 2] = np.nan
    names = [f"f{f}" for f in range(X.shape[1])]
    table = {
        "array": X,
        "pandas": pd.DataFrame(X, columns=names),
        "polars": pl.DataFrame(X, schema=names, nan_to_null=True),
    }[frame]
    imputing = make_pipeline(SimpleImputer(), GaussianNB())
    for model in (imputing, DecisionTreeClassifier(max_depth=2)):
        selector = SequentialSelector(Estimator(model, cv=2), n_features_to_select=2, include=[2])
        out = selector.fit(table, y).transform(table)
        assert out.shape == (len(y), 2)
        assert np.isnan(np.asarray(out, float)).any()
    for criterion in (KNN(cv=2), NaiveBayes(cv=2), Mahalanobis(), GaussianNB()):
        with pytest.raises(ValueError, match="NaN"):
            SequentialSelector(criterion).fit(table, y)


@pytest.mark.parametrize("kind", [sparse.csr_matrix, sparse.csc_matrix, sparse.csr_array])
def test_sparse_data_reach_a_model_that_takes_them(kind: Any) -> None:
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 20)
    X = rng.poisson(0.4, size=(40, 6)).astype(float)
    X[:, 4] += 3 * y
    for model in (RidgeClassifier(), MultinomialNB()):
        dense = SequentialSelector(Estimator(model, cv=2), n_features_to_select=2).fit(X, y)
        selector = SequentialSelector(Estimator(model, cv=2), n_features_to_select=2)
        out = selector.fit(kind(X), y).transform(kind(X))
        assert sparse.issparse(out)
        assert chosen(selector) == chosen(dense)
        assert_array_equal(selector.history_["score"], dense.history_["score"])
    with pytest.raises(TypeError, match=r"[Ss]parse"):
        SequentialSelector(KNN(cv=2)).fit(kind(X), y)
