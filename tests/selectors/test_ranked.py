"""The selector of the best ranked features."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn import config_context
from sklearn.base import clone
from sklearn.datasets import load_wine
from sklearn.feature_selection import SelectKBest, f_classif
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from holdfast.contracts import OrderingRanker
from holdfast.exceptions import InputError
from holdfast.rankers import SVMRFE, Forest, LinearSVM, ReliefF
from holdfast.selectors import RankedSelector
from tests.estimator_checks import with_checks

X, Y = load_wine(return_X_y=True)
NAMES = load_wine().feature_names
RANKERS = [
    ReliefF(),
    LinearSVM(scale="range"),
    SVMRFE(scale="range"),
    Forest(n_trees=20, random_state=0),
]


@with_checks([RankedSelector(ranker) for ranker in [*RANKERS, f_classif]])
def test_scikit_learn_battery(estimator, check):
    check(estimator)


@pytest.mark.parametrize("ranker", RANKERS)
def test_takes_the_best_and_remembers_all(ranker):
    selector = RankedSelector(ranker, 4).fit(X, Y)
    order = ranker.order(X, Y)
    assert set(selector.get_support(indices=True)) == set(order[:4])
    assert (np.argsort(selector.ranking_) == order).all()
    assert (selector.scores_ == ranker.score(X, Y)).all()
    if not isinstance(ranker, OrderingRanker):
        assert (ranker.order(X, Y) == np.argsort(-ranker.score(X, Y), kind="stable")).all()
    assert selector.transform(X).shape == (178, 4)


@pytest.mark.parametrize("ranker", RANKERS)
def test_is_a_score_function_too(ranker):
    ours = RankedSelector(ranker, 4).fit(X, Y)
    theirs = SelectKBest(ranker, k=4).fit(X, Y)
    assert (ours.scores_ == theirs.scores_).all()
    assert clone(theirs).score_func is not ranker


def tied(X, y):
    return np.array([1.0, 2.0, np.nan, 2.0, 1.0])


def test_ties_go_to_the_first_and_nan_comes_last():
    selector = RankedSelector(tied, 3).fit(X[:, :5], Y)
    assert selector.ranking_.tolist() == [3, 1, 5, 2, 4]
    assert selector.get_support(indices=True).tolist() == [0, 1, 3]


@pytest.mark.parametrize(
    ("settings", "chosen"),
    [
        ({}, [0, 1, 2, 3, 4]),
        ({"n_features_to_select": 0.5}, [1, 3]),
        ({"threshold": 2.0}, [1, 3]),
        ({"threshold": 3.0}, []),
        ({"n_features_to_select": 2, "include": [4]}, [1, 4]),
        ({"n_features_to_select": 2, "exclude": [1]}, [0, 3]),
        ({"threshold": 2, "include": [4], "exclude": [3]}, [1, 4]),
        ({"n_features_to_select": 2, "feature_groups": [[2, 3]]}, [1, 2, 3]),
        ({"exclude": [0, 2]}, [1, 3, 4]),
    ],
)
def test_sizes_and_spaces(settings, chosen):
    selector = RankedSelector(tied, **settings).fit(X[:, :5], Y)
    assert selector.get_support(indices=True).tolist() == chosen


def test_ten_where_nothing_is_said():
    assert RankedSelector(f_classif).fit(X, Y).support_.sum() == 10


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"n_features_to_select": 14}, "from 1 to 13"),
        ({"n_features_to_select": 0}, "from 1 to 13"),
        ({"n_features_to_select": "best"}, "a number, a share or None"),
        ({"n_features_to_select": (2, 4)}, "a number, a share or None"),
        ({"n_features_to_select": 3, "threshold": 0.5}, "Give one of the two"),
        ({"threshold": "high"}, "a number or None"),
        ({"threshold": np.nan}, "a number or None"),
        ({"ranker": ReliefF}, r"Try rankers.ReliefF\(\)"),
        ({"ranker": "relief"}, "a ranker, or a function of X and y"),
        ({"ranker": lambda X, y: np.zeros(3)}, "13 scores, one a feature"),
        ({"include": [1], "exclude": [1]}, "free of features that include asks for"),
    ],
)
def test_refusals(settings, message):
    with pytest.raises(InputError, match=message):
        RankedSelector(**{"ranker": f_classif, **settings}).fit(X, Y)


@pytest.mark.parametrize("ranker", RANKERS)
def test_bad_data_is_refused(ranker):
    selector = RankedSelector(ranker)
    with pytest.raises(InputError, match="at least 2 classes"):
        selector.fit(X, np.zeros(178))
    with pytest.raises(InputError, match="continuous"):
        selector.fit(X, X[:, 0])
    broken = X.copy()
    broken[3, 4] = np.inf
    with pytest.raises(ValueError, match="infinity"):
        selector.fit(broken, Y)
    broken[3, 4] = np.nan
    if not ranker.takes_missing:
        with pytest.raises(ValueError, match="NaN"):
            selector.fit(broken, Y)


def test_names_of_columns_and_containers():
    frame = pd.DataFrame(X, columns=NAMES)
    selector = RankedSelector(ReliefF(), 2, include=["ash"]).fit(frame, Y)
    plain = RankedSelector(ReliefF(), 2, include=[2]).fit(X, Y)
    assert (selector.support_ == plain.support_).all()
    best = plain.ranking_.argmin()
    assert set(selector.get_feature_names_out()) == {"ash", NAMES[best]}
    for kind, table in (("pandas", frame), ("polars", pl.DataFrame(frame.to_dict("list")))):
        out = clone(selector).set_output(transform=kind).fit_transform(table, Y)
        assert list(out.columns) == list(selector.get_feature_names_out())


def test_in_pipelines_and_searches():
    selector = RankedSelector(ReliefF(n_neighbors=5), 5)
    model = make_pipeline(StandardScaler(), selector, LogisticRegression())
    assert cross_val_score(model, X, Y, cv=3).mean() > 0.9
    grid = {"rankedselector__ranker__n_neighbors": [3, 10]}
    assert GridSearchCV(model, grid, cv=3).fit(X, Y).best_score_ > 0.9


def test_survives_clone_and_pickle():
    selector = RankedSelector(SVMRFE(scale="range"), 3).fit(X, Y)
    again = pickle.loads(pickle.dumps(selector))
    assert (again.support_ == selector.support_).all()
    assert not hasattr(clone(selector), "support_")


def test_weights_reach_rankers_that_take_them():
    weights = np.where(Y == 0, 0.0, 1.0) + 1e-3
    weighted = RankedSelector(Forest(20, random_state=0)).fit(X, Y, sample_weight=weights)
    assert (weighted.scores_ != Forest(20, random_state=0).score(X, Y)).any()
    with pytest.raises(InputError, match="ReliefF does not take it"):
        RankedSelector(ReliefF()).fit(X, Y, sample_weight=weights)
    with pytest.raises(InputError, match="one for each of 178"):
        RankedSelector(Forest()).fit(X, Y, sample_weight=[1, 2])


def test_weights_are_routed():
    weights = np.linspace(0.1, 1.0, 178)
    with config_context(enable_metadata_routing=True):
        ranker = Forest(20, random_state=0)
        with pytest.raises(ValueError, match="sample_weight"):
            RankedSelector(ranker).fit(X, Y, sample_weight=weights)
        ranker.set_score_request(sample_weight=True)
        selector = RankedSelector(ranker).fit(X, Y, sample_weight=weights)
    assert (selector.scores_ == Forest(20, random_state=0).score(X, Y, weights)).all()


def test_sparse_and_missing_where_the_ranker_takes_them():
    holes = np.where(np.random.default_rng(0).random(X.shape) < 0.1, np.nan, X)
    assert np.isfinite(RankedSelector(ReliefF()).fit(holes, Y).scores_).all()
    assert np.isfinite(RankedSelector(Forest(9, random_state=0)).fit(holes, Y).scores_).all()
    dense = RankedSelector(ReliefF()).fit(X, Y)
    thin = RankedSelector(ReliefF()).fit(sparse.csr_matrix(X), Y)
    assert (dense.support_ == thin.support_).all()
    with pytest.raises(TypeError, match="dense data is required"):
        RankedSelector(LinearSVM()).fit(sparse.csr_matrix(X), Y)


def test_text_and_categories_where_the_ranker_takes_them():
    frame = pd.DataFrame({"a": X[:, 0], "b": np.array(["x", "y", "z"])[Y], "c": X[:, 2]})
    frame["d"] = pd.Categorical(Y)
    selector = RankedSelector(ReliefF(), 2).fit(frame, Y)
    assert list(selector.get_feature_names_out()) == ["b", "d"]
    assert selector.scores_[1] == selector.scores_[3] == pytest.approx(1.0)
