"""Dataframes, sparse and missing values reach the model as they are; metadata go where asked."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn import config_context
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.datasets import load_wine
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, make_scorer
from sklearn.model_selection import GroupKFold, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import LinearSVC
from sklearn.utils import get_tags

from holdfast.contracts import Problem
from holdfast.criteria import Estimator
from holdfast.selectors import SequentialSelector
from tests.criteria.models import Curious

WINE = load_wine(return_X_y=True)
N = 12
RNG = np.random.default_rng(0)
Y = np.arange(N) % 2


@pytest.fixture
def seen():
    Curious.seen.clear()
    return Curious.seen


def mixed_frame():
    return pd.DataFrame(
        {
            "size": RNG.normal(size=N),
            "colour": pd.Categorical(np.array(["red", "blue"])[Y]),
            "name": list("abababababab"),
            "count": pd.array([1, None] * (N // 2), dtype="Int64"),
        },
        index=[f"row {i}" for i in range(N)],
    )


def score(criterion, X, y, subset, **more):
    return criterion.prepare(Problem(X, y, X.shape[1], **more)).scorer.score(np.array(subset))


def test_a_pandas_frame_is_cut_with_its_types_names_and_index(seen):
    X = mixed_frame()
    y = pd.Series(Y, index=X.index)
    score(Estimator(Curious(), cv=[(range(8), range(8, N))]), X, y, [1, 3])
    (_, train, target, _, _), (_, test) = seen
    pd.testing.assert_frame_equal(train, X.iloc[:8, [1, 3]])
    pd.testing.assert_frame_equal(test, X.iloc[8:, [1, 3]])
    pd.testing.assert_series_equal(target, y.iloc[:8])


def test_a_polars_frame_stays_one(seen):
    X = pl.DataFrame({"a": range(N), "b": list("xy" * 6)}, schema_overrides={"b": pl.Categorical})
    score(Estimator(Curious(), cv=[(range(8), range(8, N))]), X, pl.Series(Y), [1])
    (_, train, target, _, _), (_, test) = seen
    assert train.equals(X[:8, ["b"]])
    assert test.equals(X[8:, ["b"]])
    assert isinstance(target, pl.Series)


def test_a_selector_passes_the_frame_on(seen):
    X = mixed_frame().drop(columns="count")
    SequentialSelector(Estimator(Curious(), cv=2), n_features_to_select=2).fit(X, Y)
    frames = [call[1] for call in seen]
    assert all(isinstance(frame, pd.DataFrame) for frame in frames)
    assert {tuple(frame.columns) for frame in frames if frame.shape[1] == 1} == {
        ("size",), ("colour",), ("name",),
    }  # fmt: skip


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_pipeline_that_picks_columns_by_type_works_on_every_subset(n_jobs):
    X = mixed_frame()[["size", "colour", "name"]]
    text = make_column_selector(dtype_exclude=np.number)
    model = make_pipeline(
        ColumnTransformer(
            [("text", OneHotEncoder(handle_unknown="ignore"), text)], remainder="passthrough"
        ),
        LogisticRegression(),
    )
    selector = SequentialSelector(Estimator(model, cv=2), n_jobs=n_jobs).fit(X, Y)
    assert selector.get_feature_names_out().tolist() == ["colour"]
    assert selector.score_ == 1.0


@pytest.mark.parametrize(
    "kind", [sparse.csr_matrix, sparse.csc_matrix, sparse.csr_array, sparse.csc_array]
)
def test_sparse_data_stay_sparse(kind, seen):
    X, y = (WINE[0] > np.median(WINE[0], axis=0)).astype(float), WINE[1]
    model = LinearSVC(random_state=0)
    expected = cross_val_score(model, X[:, [0, 6, 9]], y)
    np.testing.assert_array_equal(score(Estimator(model), kind(X), y, [0, 6, 9]), expected)
    score(Estimator(Curious(), cv=2), kind(X), y, [0, 6])
    assert all(sparse.issparse(call[1]) for call in seen)
    dense = SequentialSelector(Estimator(model, cv=3), n_features_to_select=2).fit(X, y)
    selector = SequentialSelector(Estimator(model, cv=3), n_features_to_select=2).fit(kind(X), y)
    np.testing.assert_array_equal(selector.support_, dense.support_)


def test_missing_values_reach_a_model_that_takes_them():
    X, y = WINE[0][:, :3].copy(), WINE[1]
    X[RNG.random(X.shape) < 0.1] = np.nan
    for model in (
        HistGradientBoostingClassifier(max_iter=1, random_state=0),
        make_pipeline(SimpleImputer(), GaussianNB()),
    ):
        expected = cross_val_score(model, X[:, [0, 2]], y, cv=3)
        np.testing.assert_array_equal(score(Estimator(model, cv=3), X, y, [0, 2]), expected)
        assert get_tags(Estimator(model)).input_tags.allow_nan
        SequentialSelector(Estimator(model, cv=3), n_features_to_select=1).fit(X, y)


def test_missing_values_are_refused_for_a_model_that_takes_none():
    X = WINE[0].copy()
    X[3, 1] = np.nan
    for model in (GaussianNB(), make_pipeline(LogisticRegression())):
        assert not get_tags(Estimator(model)).input_tags.allow_nan
        with pytest.raises(ValueError, match="contains NaN"):
            SequentialSelector(Estimator(model)).fit(X, WINE[1])


def routed():
    return config_context(enable_metadata_routing=True)


def test_with_routing_weights_go_where_they_are_requested(seen):
    weight = np.arange(N) + 1.0
    splits = [(np.arange(8), np.arange(8, N))]
    X = RNG.normal(size=(N, 2))
    with routed():
        scorer = make_scorer(accuracy_score).set_score_request(sample_weight=False)
        to_fit = Curious().set_fit_request(sample_weight=True, colour=False)
        score(Estimator(to_fit, scorer, splits), X, Y, [0], sample_weight=weight)
        assert seen[0][3].tolist() == weight[:8].tolist()
        seen.clear()
        scorer = make_scorer(accuracy_score).set_score_request(sample_weight=True)
        to_score = Curious().set_fit_request(sample_weight=False, colour=False)
        found = score(Estimator(to_score, scorer, splits), X, Y, [0], sample_weight=weight)
        assert seen[0][3] is None
        # The model says class 0, which is that of examples 8 and 10.
        assert found == pytest.approx([(9 + 11) / (9 + 10 + 11 + 12)])


def test_with_routing_other_metadata_reach_fit_cut_to_the_fold(seen):
    colours = [f"colour {i}" for i in range(N)]
    splits = [([0, 3, 4], [1, 2])]
    with routed():
        model = Curious().set_fit_request(sample_weight=False, colour=True)
        for given, expected in (
            (colours, ["colour 0", "colour 3", "colour 4"]),
            ("a" * N, "a" * N),  # a word, however long, is no row of examples
            ({str(i): i for i in range(N)}, {str(i): i for i in range(N)}),
            (7, 7),
            (["too", "short"], ["too", "short"]),
        ):
            seen.clear()
            score(Estimator(model, cv=splits), np.eye(N), Y, [0], params={"colour": given})
            assert seen[0][4] == expected
        seen.clear()
        rows = sparse.csr_matrix(np.eye(N))
        score(Estimator(model, cv=splits), np.eye(N), Y, [0], params={"colour": rows})
        np.testing.assert_array_equal(seen[0][4].toarray(), np.eye(N)[[0, 3, 4]])


def test_with_routing_groups_reach_a_splitter_that_requests_them():
    X, y = WINE
    groups = np.arange(len(y)) % 5
    model = make_pipeline(StandardScaler(), GaussianNB())
    expected = cross_val_score(model, X[:, [0, 6]], y, cv=list(GroupKFold(5).split(X, y, groups)))
    with routed():
        found = score(Estimator(model, cv=GroupKFold(5)), X, y, [0, 6], groups=groups)
        selector = SequentialSelector(
            Estimator(model, cv=GroupKFold(5)), n_features_to_select=2
        ).fit(X, y, groups=groups)
    np.testing.assert_array_equal(found, expected)
    plain = SequentialSelector(Estimator(model, cv=GroupKFold(5)), n_features_to_select=2).fit(
        X, y, groups=groups
    )
    np.testing.assert_array_equal(selector.support_, plain.support_)


def test_with_routing_what_nobody_requests_is_an_error():
    with routed(), pytest.raises(TypeError, match="colour"):
        score(Estimator(GaussianNB()), *WINE, [0], params={"colour": 1})
