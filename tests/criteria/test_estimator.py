"""Any estimator, any scorer: the numbers of scikit-learn, in one process or several."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.compose import TransformedTargetRegressor
from sklearn.datasets import load_diabetes, load_iris, load_wine
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.metrics import get_scorer, make_scorer, mean_pinball_loss
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    LeaveOneOut,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
    cross_val_score,
    cross_validate,
)
from sklearn.multioutput import MultiOutputRegressor
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR
from sklearn.tree import DecisionTreeClassifier

from holdfast.contracts import Problem
from holdfast.criteria import Estimator
from holdfast.exceptions import InputError
from holdfast.selectors import SequentialSelector
from tests.criteria.moves import assert_moves_agree, random_subsets
from tests.naive.estimator import scores as naive_scores

WINE = load_wine(return_X_y=True)
DIABETES = load_diabetes(return_X_y=True)


def judge_of(criterion, X, y, **more):
    return criterion.prepare(Problem(X, y, np.shape(X)[1], **more))


def scorer_of(criterion, X, y, **more):
    return judge_of(criterion, X, y, **more).scorer


REPEATED = RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=0)
MIXED = KFold(3, shuffle=True, random_state=0)
THIRDS = ShuffleSplit(3, test_size=1 / 3, random_state=0)
LOGARITHM = TransformedTargetRegressor(Ridge(), func=np.log, inverse_func=np.exp)
PINBALL = make_scorer(mean_pinball_loss, greater_is_better=False, alpha=0.9)


@pytest.mark.parametrize(
    ("model", "data", "scoring", "cv"),
    [
        (GaussianNB(), WINE, None, 5),
        (GaussianNB(), WINE, "f1_macro", REPEATED),
        (DecisionTreeClassifier(random_state=0), WINE, "balanced_accuracy", MIXED),
        (make_pipeline(StandardScaler(), SVC()), WINE, "accuracy", 3),
        (make_pipeline(StandardScaler(), GaussianNB()), WINE, "neg_log_loss", 3),
        (KNeighborsClassifier(3), WINE, "roc_auc_ovr", StratifiedKFold(3)),
        (RandomForestClassifier(3, random_state=3), WINE, None, THIRDS),
        (LinearRegression(), DIABETES, None, 5),
        (Ridge(), DIABETES, "neg_root_mean_squared_error", THIRDS),
        (make_pipeline(StandardScaler(), SVR()), DIABETES, "r2", 3),
        (LOGARITHM, DIABETES, "neg_mean_absolute_error", 3),
        (Ridge(), DIABETES, PINBALL, 3),
    ],
    ids=lambda value: type(value).__name__ if hasattr(value, "fit") else None,
)
def test_scores_are_those_of_cross_val_score(model, data, scoring, cv):
    X, y = data
    judge = judge_of(Estimator(model, scoring=scoring, cv=cv), X, y)
    for subset in random_subsets(X.shape[1], 3):
        expected = cross_val_score(model, X[:, subset], y, scoring=scoring, cv=cv)
        np.testing.assert_array_equal(judge.scorer.score(subset), expected)
        assert judge.value(subset) == pytest.approx(expected.mean(), rel=1e-12)
    assert_moves_agree(judge.scorer, np.array([0, 3, 4]), 6)


def test_leave_one_out():
    X, y = load_iris(return_X_y=True)
    X, y = X[::5], y[::5]
    found = scorer_of(Estimator(GaussianNB(), cv=LeaveOneOut()), X, y).score(np.array([1, 2]))
    expected = cross_val_score(GaussianNB(), X[:, [1, 2]], y, cv=LeaveOneOut())
    np.testing.assert_array_equal(found, expected)


def test_targets_of_several_outputs():
    X, y = DIABETES
    y = np.column_stack((y, X[:, 0]))
    model = MultiOutputRegressor(Ridge())
    found = scorer_of(Estimator(model, cv=3), X, y).score(np.array([1, 2]))
    np.testing.assert_array_equal(found, cross_val_score(model, X[:, [1, 2]], y, cv=3))


def test_the_model_and_the_data_are_left_as_they_are():
    X, y = (part.copy() for part in WINE)
    model = GaussianNB()
    scorer_of(Estimator(model), X, y).score(np.array([0]))
    assert not hasattr(model, "classes_")
    np.testing.assert_array_equal(X, WINE[0])


SEVERAL = ["accuracy", "f1_macro", "neg_log_loss"]


@pytest.mark.parametrize(
    ("scoring", "n_jobs"),
    [
        (SEVERAL, 1),
        (tuple(SEVERAL), 1),
        ({name: name for name in SEVERAL}, 1),
        ({name: get_scorer(name) for name in SEVERAL}, 2),
    ],
    ids=["list", "tuple", "names", "scorers"],
)
def test_several_scores_are_recorded_and_one_drives(scoring, n_jobs):
    X, y = WINE[0][:, :5], WINE[1]
    criterion = Estimator(GaussianNB(), scoring=scoring, drive="neg_log_loss")
    selector = SequentialSelector(criterion, n_features_to_select=2, n_jobs=n_jobs).fit(X, y)
    alone = SequentialSelector(
        Estimator(GaussianNB(), scoring="neg_log_loss"), n_features_to_select=2
    ).fit(X, y)
    np.testing.assert_array_equal(selector.support_, alone.support_)
    for row in selector.history_.iter_rows(named=True):
        expected = cross_validate(GaussianNB(), X[:, row["features"]], y, scoring=SEVERAL)
        assert row["fold_scores"] == expected["test_neg_log_loss"].tolist()
        for name in ("accuracy", "f1_macro"):
            assert row[f"fold_scores_{name}"] == expected[f"test_{name}"].tolist()


def test_the_first_of_several_drives_by_default():
    X, y = WINE
    judge = judge_of(Estimator(GaussianNB(), scoring=SEVERAL), X, y)
    subset = np.array([0, 6])
    judge.value(subset)
    expected = cross_val_score(GaussianNB(), X[:, subset], y)
    np.testing.assert_array_equal(judge.folds(subset), expected)
    assert list(judge.others(subset)) == ["f1_macro", "neg_log_loss"]


def test_one_score_has_no_others():
    judge = judge_of(Estimator(GaussianNB(), scoring=["accuracy"]), *WINE)
    judge.value(np.array([0]))
    assert judge.others(np.array([0])) == {}


def test_groups_reach_the_splitter():
    X, y = WINE
    groups = np.random.default_rng(0).integers(0, 8, len(y))
    splits = list(GroupKFold(4).split(X, y, groups))
    found = scorer_of(Estimator(GaussianNB(), cv=GroupKFold(4)), X, y, groups=groups)
    for subset in random_subsets(13, 3):
        expected = naive_scores(GaussianNB(), X, y, subset, splits, get_scorer("accuracy"))
        np.testing.assert_array_equal(found.score(subset), expected)


@pytest.mark.parametrize(
    ("model", "data", "scoring", "prefix"),
    [
        (GaussianNB(), WINE, None, ""),
        (LogisticRegression(max_iter=3000), (WINE[0] / 100, WINE[1]), "neg_log_loss", ""),
        (make_pipeline(StandardScaler(), SVC()), WINE, "accuracy", "svc__"),
        (make_pipeline(StandardScaler(), make_pipeline(GaussianNB())), WINE, None,
         "pipeline__gaussiannb__"),
        (Ridge(), DIABETES, "r2", ""),
    ],
)  # fmt: skip
def test_weights_reach_fit_and_score(model, data, scoring, prefix):
    X, y = data
    weight = np.random.default_rng(0).uniform(0.1, 3.0, len(y))
    criterion = Estimator(model, scoring=scoring, cv=KFold(3, shuffle=True, random_state=0))
    splits = list(criterion.cv.split(X))
    scorer = get_scorer(scoring) if scoring else lambda m, X, y, **w: m.score(X, y, **w)
    found = scorer_of(criterion, X, y, sample_weight=weight)
    plain = scorer_of(criterion, X, y)
    subset = np.array([1, 4, 7])
    expected = naive_scores(model, X, y, subset, splits, scorer, weight=weight, fit_prefix=prefix)
    np.testing.assert_array_equal(found.score(subset), expected)
    assert (found.score(subset) != plain.score(subset)).any()


def test_weights_count_each_example_so_many_times():
    """Weights of 0, 1 and 2 do what leaving out and repeating do, in fitting and in scoring."""
    X, y = WINE
    count = np.random.default_rng(1).integers(0, 3, len(y))
    rows = np.repeat(np.arange(len(y)), count)
    # Test the first half, train on the second, and the other way round.
    half = np.random.default_rng(2).random(len(y)) < 0.5
    splits = [(np.flatnonzero(half), np.flatnonzero(~half))]
    repeated = [(np.flatnonzero(half[rows]), np.flatnonzero(~half[rows]))]
    subset = np.array([0, 6])
    for model in (GaussianNB(), DecisionTreeClassifier(random_state=0)):
        weighted = scorer_of(Estimator(model, cv=splits), X, y, sample_weight=count)
        longer = scorer_of(Estimator(model, cv=repeated), X[rows], y[rows])
        assert weighted.score(subset) == pytest.approx(longer.score(subset), rel=1e-12)


@pytest.mark.parametrize(
    ("model", "name"),
    [(KNeighborsClassifier(), "KNeighborsClassifier"),
     (make_pipeline(StandardScaler(), KNeighborsClassifier()), "KNeighborsClassifier")],
)  # fmt: skip
def test_weights_for_a_model_that_takes_none_are_refused(model, name):
    weight = np.ones(len(WINE[1]))
    with pytest.raises(InputError, match=f"'sample_weight' .* left out with {name}, whose fit"):
        judge_of(Estimator(model), *WINE, sample_weight=weight)


def test_weights_for_a_scorer_that_takes_none_are_refused():
    criterion = Estimator(GaussianNB(), scoring={"mine": lambda model, X, y: 1.0})
    with pytest.raises(InputError, match=r"'sample_weight' .* left out with scorer 'mine', which"):
        judge_of(criterion, *WINE, sample_weight=np.ones(178))
    assert judge_of(criterion, *WINE).value(np.array([0])) == 1.0


def test_other_metadata_need_routing():
    with pytest.raises(InputError, match=r"'colour' .* left out of fit.*enable_metadata_routing"):
        judge_of(Estimator(GaussianNB()), *WINE, params={"colour": 1})


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"estimator": GaussianNB}, "'estimator' .* an estimator object with fit"),
        ({"estimator": "nb"}, "'estimator' .* an estimator object with fit"),
        ({"estimator": None}, "'estimator'"),
        ({"scoring": "accurate"}, "'scoring' .* a scorer, its name, or several of them"),
        ({"scoring": ["accuracy", "accurate"]}, "'scoring'"),
        ({"scoring": []}, "'scoring' .* There is none"),
        ({"scoring": {}}, "'scoring' .* There is none"),
        ({"scoring": {"a": 5}}, "'scoring'"),
        ({"scoring": 5}, "'scoring'"),
        ({"estimator": StandardScaler()}, "'scoring' .* Got None"),
        ({"drive": "f1"}, r"'drive' .* one of \['score'\]. Got 'f1'"),
        ({"scoring": ["r2", "accuracy"], "drive": "score"}, r"one of \['r2', 'accuracy'\]"),
        ({"error_score": "ignore"}, "'error_score' .* 'raise' or a number"),
        ({"error_score": None}, "'error_score'"),
        ({"error_score": True}, "'error_score'"),
        ({"cv": 1}, "'cv' parameter of criteria.Estimator"),
    ],
)
def test_bad_parameters_are_refused(parameters, message):
    criterion = Estimator(**{"estimator": GaussianNB(), **parameters})
    with pytest.raises(InputError, match=message):
        judge_of(criterion, *WINE)


def test_a_scorer_of_several_numbers_is_refused():
    criterion = Estimator(GaussianNB(), scoring=lambda model, X, y: {"a": 1.0, "b": 2.0})
    with pytest.raises(InputError, match="returned several numbers; pass several scorers by name"):
        judge_of(criterion, *WINE).value(np.array([0]))


def test_missing_targets_are_refused():
    X, y = DIABETES
    y = np.r_[y[:-1], np.nan]
    with pytest.raises(
        InputError, match=r"'y' parameter .* free of missing values. Got one in row"
    ):
        judge_of(Estimator(Ridge()), X, y)


def test_models_without_targets_to_learn_still_get_them():
    """Clusterings are scored against them."""
    X, y = WINE
    criterion = Estimator(KMeans(3, n_init=1, random_state=0), scoring="adjusted_rand_score", cv=3)
    expected = cross_val_score(
        criterion.estimator, X[:, [0, 6]], y, scoring="adjusted_rand_score", cv=KFold(3)
    )
    np.testing.assert_array_equal(scorer_of(criterion, X, y).score(np.array([0, 6])), expected)


def test_processes_change_nothing():
    X, y = WINE[0][:, :7], WINE[1]
    answers = []
    for n_jobs in (1, 2):
        selector = SequentialSelector(
            Estimator(make_pipeline(StandardScaler(), SVC()), scoring=["accuracy", "f1_macro"]),
            floating=True,
            n_features_to_select=3,
            overshoot=0,
            n_jobs=n_jobs,
        ).fit(X, y)
        answers.append(selector.history_.drop("seconds"))
    assert answers[0].equals(answers[1])
