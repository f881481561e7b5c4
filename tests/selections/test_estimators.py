import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.compose import ColumnTransformer, make_column_transformer
from sklearn.datasets import load_iris
from sklearn.decomposition import PCA
from sklearn.feature_selection import (
    RFE,
    RFECV,
    SelectFromModel,
    SelectKBest,
    SequentialFeatureSelector,
    VarianceThreshold,
)
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, KFold, cross_validate
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import FunctionTransformer, PolynomialFeatures, StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

import holdfast as hf
from holdfast.exceptions import InputError

from_selectors = hf.Selections.from_selectors
X, y = load_iris(return_X_y=True)
NAMES = ("sepal length", "sepal, width", "petal\nlength", "<petal> width")
TREE = DecisionTreeClassifier(random_state=0)
BEST = (2, 3)
"""What the univariate test finds best."""


class Boruta(BaseEstimator, TransformerMixin):
    """A selector outside scikit-learn: a boolean `support_` and no more."""

    def fit(self, X, y=None):
        self.n_features_in_ = X.shape[1]
        self.support_ = np.arange(X.shape[1]) >= X.shape[1] - 2
        return self

    def transform(self, X):
        return X[:, self.support_]


def chosen(estimator, X=X):
    return tuple(from_selectors([estimator.fit(X, y)])[0].tolist())


@pytest.mark.parametrize(
    "selector",
    [
        SelectKBest(k=2),
        SelectFromModel(TREE, max_features=2, threshold=-np.inf),
        RFE(TREE, n_features_to_select=2),
        RFECV(TREE, min_features_to_select=2, cv=3),
        SequentialFeatureSelector(TREE, n_features_to_select=2, cv=3),
        VarianceThreshold(0.6),
    ],
    ids=lambda selector: type(selector).__name__,
)
def test_selectors(selector):
    expected = tuple(np.flatnonzero(selector.fit(X, y).get_support()).tolist())
    assert chosen(selector) == expected
    assert chosen(make_pipeline(StandardScaler(), SelectKBest(k="all"), TREE)) == (0, 1, 2, 3)


def test_a_boolean_support_is_enough():
    assert chosen(Boruta()) == (2, 3)
    assert chosen(make_pipeline(StandardScaler(), Boruta(), TREE)) == (2, 3)


PIPELINES = {
    "scaled": make_pipeline(StandardScaler(), SelectKBest(k=2), TREE),
    "selector last": make_pipeline(StandardScaler(), SelectKBest(k=2)),
    "passed through": Pipeline([("a", "passthrough"), ("b", SelectKBest(k=2)), ("c", None)]),
    "two selectors": make_pipeline(
        SelectKBest(k=3), StandardScaler(), SelectKBest(k=2), PCA(1), TREE
    ),
    "nested": make_pipeline(make_pipeline(StandardScaler(), SelectKBest(k=2)), TREE),
    "one to one": make_pipeline(
        FunctionTransformer(np.log1p, feature_names_out="one-to-one"), SelectKBest(k=2), TREE
    ),
    "search": GridSearchCV(
        make_pipeline(StandardScaler(), SelectKBest(), TREE), {"selectkbest__k": [2]}, cv=3
    ),
    "search inside": make_pipeline(
        StandardScaler(),
        GridSearchCV(make_pipeline(SelectKBest(k=2), TREE), {"selectkbest__k": [2]}, cv=3),
    ),
}


@pytest.mark.parametrize("pipeline", PIPELINES.values(), ids=PIPELINES)
@pytest.mark.parametrize("frame", [None, pd.DataFrame, pl.DataFrame])
def test_pipelines(pipeline, frame):
    given = X if frame is None else frame(dict(zip(NAMES, X.T, strict=True)))
    runs = from_selectors([pipeline.fit(given, y)] * 2, run_names=["p", "q"])
    assert [run.tolist() for run in runs] == [list(BEST)] * 2
    assert runs.feature_names == (("x0", "x1", "x2", "x3") if frame is None else NAMES)
    assert runs.run_names == ("p", "q")


def test_columns_dropped_before_the_selector_are_not_chosen():
    gaps = X.copy()
    gaps[:, 0] = np.nan
    pipeline = make_pipeline(SimpleImputer(), SelectKBest(k=2), TREE)
    with pytest.warns(UserWarning, match="Skipping features without"):
        assert chosen(pipeline, gaps) == BEST


def test_columns_reordered_before_the_selector_are_followed():
    reordered = ColumnTransformer(
        [("petal", "passthrough", [3, 2]), ("sepal", StandardScaler(), [0])],
        verbose_feature_names_out=False,
    )
    assert chosen(make_pipeline(reordered, SelectKBest(k=1), TREE)) == chosen(SelectKBest(k=1))
    assert chosen(make_pipeline(reordered, SelectKBest(k=2), TREE)) == BEST


class Silent(BaseEstimator, TransformerMixin):
    """A transformer that says nothing of its columns."""

    def fit(self, X, y=None):
        return self

    def transform(self, X):
        return X[:, ::-1]


@pytest.mark.parametrize(
    ("transformer", "words"),
    [
        (PCA(4), "'pca', a PCA"),
        (PolynomialFeatures(2, include_bias=False), "'polynomialfeatures'"),
        (make_column_transformer((StandardScaler(), [3, 2, 1, 0])), "'columntransformer'"),
        (FunctionTransformer(lambda X: X[:, ::-1]), "'functiontransformer'.*one-to-one"),
        (Silent(), "'silent', a Silent"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_new_columns_before_the_selector_are_refused(transformer, words):
    """Four columns out of four would otherwise be taken for the four that went in."""
    pipeline = make_pipeline(transformer, SelectKBest(k=2), TREE).fit(X, y)
    with pytest.raises(InputError, match=f"'selectors'.*step {words}.*getter="):
        from_selectors([pipeline])
    kept = from_selectors([pipeline], getter=lambda fitted: fitted[1].get_support())
    assert kept.sizes.tolist() == [2]


def test_projections_of_columns_that_have_the_names_of_projections_are_refused():
    frame = pd.DataFrame(X, columns=[f"pca{i}" for i in range(4)])
    with pytest.raises(InputError, match="step 'pca'"):
        from_selectors([make_pipeline(PCA(4), SelectKBest(k=2)).fit(frame, y)])


@pytest.mark.parametrize(
    ("selectors", "message"),
    [
        ([SelectKBest()], "'selectors'.*fitted. Got a SelectKBest that is not"),
        ([make_pipeline(SelectKBest(), TREE)], "fitted. Got a SelectKBest that is not"),
        ([GridSearchCV(SelectKBest(), {})], "Got a GridSearchCV.*Fit it first"),
        ([TREE], "Got a DecisionTreeClassifier.*getter="),
        ([SVC().fit(X, y)], "Got a SVC"),
        ([make_pipeline(StandardScaler(), TREE).fit(X, y)], "Got a Pipeline"),
        ([None], "Got a NoneType"),
        (SelectKBest(), "list of fitted selectors, one a run. Got a SelectKBest"),
        ([], "at least one run"),
        (
            [SelectKBest(k=1).fit(X, y), SelectKBest(k=1).fit(X[:, :3], y)],
            "'selectors'.*4 columns in run 0 and 3 in run 1",
        ),
        (
            [
                SelectKBest(k=1).fit(pd.DataFrame(X, columns=list(names)), y)
                for names in ("abcd", "abdc")
            ],
            "same columns in one order. Got other columns in run 1",
        ),
    ],
)
def test_refuses(selectors, message):
    with pytest.raises(InputError, match=message):
        from_selectors(selectors)


@pytest.mark.parametrize(
    ("mask", "message"),
    [
        ([0, 2, 3], "'getter'.*booleans or 0/1. Got 2 for feature 1"),
        ([[True, False]], r"'getter'.*shape \(1, 2\) for run 0"),
        (None, "'getter'"),
    ],
)
def test_refuses_what_a_getter_gives(mask, message):
    with pytest.raises(InputError, match=message):
        from_selectors([TREE], getter=lambda fitted: mask)


def test_a_getter_for_other_objects():
    sparse = [LogisticRegression(C=C, max_iter=1000).fit(X, y) for C in (0.1, 1)]
    runs = from_selectors(sparse, getter=lambda fitted: np.abs(fitted.coef_[0]) > 0.5)
    assert runs.n_runs == 2


def test_cross_validate():
    results = cross_validate(
        PIPELINES["search"],
        pd.DataFrame(X, columns=NAMES),
        y,
        cv=KFold(3, shuffle=True, random_state=0),
        return_estimator=True,
    )
    runs = hf.Selections.from_cross_validate(results)
    assert [run.tolist() for run in runs] == [list(BEST)] * 3
    assert runs.feature_names == NAMES
    renamed = hf.Selections.from_cross_validate(results, feature_names=list("abcd"))
    assert renamed.feature_names == tuple("abcd")


@pytest.mark.parametrize("results", [{"test_score": [1.0]}, [TREE], None])
def test_other_results_are_refused(results):
    with pytest.raises(InputError, match=r"'results'.*return_estimator=True"):
        hf.Selections.from_cross_validate(results)
