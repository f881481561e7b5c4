"""Models that fail inside a fold: which subset, which fold, and what is kept."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from sklearn.datasets import load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import SVC

from holdfast.contracts import Problem
from holdfast.criteria import Estimator
from holdfast.exceptions import EstimatorFailedError, EstimatorFailedWarning, SearchFailedError
from holdfast.selectors import SequentialSelector
from tests.criteria.models import Failing

N = 20
Y = np.r_[np.zeros(12, int), np.ones(8, int)]
SPLITS = [(np.arange(0, N, 2), np.arange(1, N, 2)), (np.arange(1, N, 2), np.arange(0, N, 2))]
X = np.random.default_rng(0).normal(size=(N, 4))
X[0, 2] = 99.0  # in the training part of fold 0 and in the test part of fold 1


def judge_of(criterion, n_jobs=1):
    return criterion.prepare(Problem(X, Y, 4, n_jobs=n_jobs))


def singles():
    return np.arange(4, dtype=np.intp)[:, None]


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize(("when", "fold"), [("fit", 0), ("predict", 1)])
def test_a_failure_names_the_subset_and_the_fold_and_leaves_it_out(when, fold, n_jobs):
    judge = judge_of(Estimator(Failing(when=when), cv=SPLITS), n_jobs)
    message = rf"Failing failed on features \[2\] in fold {fold}.*: ArithmeticError: a bad column\."
    with pytest.warns(EstimatorFailedWarning, match=message):
        verdict = judge.judge(np.zeros(0, np.intp), singles(), True)
    assert np.isnan(verdict.values).tolist() == [False, False, True, False]
    assert np.isneginf(verdict.preference).tolist() == [False, False, True, False]
    assert np.isnan(judge.folds(np.array([2]))).tolist() == [fold == 0, fold == 1]


@pytest.mark.parametrize("error_score", [0, 0.25, -1.0, np.float64(0.5)])
def test_a_failed_fold_gets_the_score_asked_for(error_score):
    judge = judge_of(Estimator(Failing(), cv=SPLITS, error_score=error_score))
    with pytest.warns(EstimatorFailedWarning):
        value = judge.value(np.array([2]))
    assert judge.folds(np.array([2])).tolist() == [error_score, 0.6]
    assert value == pytest.approx((error_score + 0.6) / 2)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_raise_says_which_and_what_to_do(n_jobs):
    judge = judge_of(Estimator(Failing(), cv=SPLITS, error_score="raise"), n_jobs)
    message = r"features \[2\] in fold 0: ArithmeticError: a bad column\. Pass error_score=numpy"
    with pytest.raises(EstimatorFailedError, match=message):
        judge.judge(np.zeros(0, np.intp), singles(), True)


def test_only_the_first_failures_are_shown():
    judge = judge_of(Estimator(Failing(), cv=SPLITS))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for others in ([], [0], [1], [3], [0, 1]):
            judge.value(np.array(sorted([2, *others])))
    messages = [str(one.message) for one in caught]
    assert len(messages) == 3
    assert [text.endswith("Further failures are not shown.") for text in messages] == [
        False, False, True,
    ]  # fmt: skip


def test_a_recorded_score_that_fails_does_not_lose_the_subset():
    """SVC has no probabilities; its accuracy is none the worse for it."""
    wine = load_wine(return_X_y=True)
    criterion = Estimator(SVC(), scoring=["accuracy", "neg_log_loss"])
    judge = criterion.prepare(Problem(*wine, 13))
    subset = np.array([0, 6])
    with pytest.warns(EstimatorFailedWarning, match=r"in fold \d, scorer neg_log_loss: Attr"):
        value = judge.value(subset)
    alone = Estimator(SVC()).prepare(Problem(*wine, 13))
    assert value == alone.value(subset)
    assert np.isnan(judge.others(subset)["neg_log_loss"]).all()
    driven = Estimator(SVC(), scoring=["accuracy", "neg_log_loss"], drive="neg_log_loss")
    judge = driven.prepare(Problem(*wine, 13))
    with pytest.warns(EstimatorFailedWarning):
        assert np.isnan(judge.value(subset))


def test_the_search_goes_on_without_the_subsets_that_failed():
    with pytest.warns(EstimatorFailedWarning):
        selector = SequentialSelector(Estimator(Failing(), cv=SPLITS), n_features_to_select=3).fit(
            X, Y
        )
    assert selector.get_support(indices=True).tolist() == [0, 1, 3]


def test_a_search_that_is_to_end_keeps_what_it_found():
    selector = SequentialSelector(
        Estimator(Failing(), cv=SPLITS, error_score="raise"),
        n_features_to_select=4,
        exclude=None,
        include=[0],
    )
    with pytest.raises(EstimatorFailedError, match=r"features \[0, 2\] in fold 0"):
        selector.fit(X, Y)
    assert selector.stop_reason_ == "failed"
    assert selector.get_support(indices=True).tolist() == [0]
    assert selector.history_["features"].to_list() == [[0]]


def test_where_every_subset_fails_the_search_says_so():
    with (
        pytest.warns(EstimatorFailedWarning, match="penalty|C"),
        pytest.raises(SearchFailedError, match="None of the 4 candidates of this step"),
    ):
        SequentialSelector(Estimator(LogisticRegression(C=-1.0), cv=2)).fit(X, Y)


def test_parameters_are_checked_in_every_fold_until_one_was_fitted():
    """Unchecked, a bad parameter might give a score."""
    judge = judge_of(Estimator(GaussianNB(var_smoothing=-1.0), cv=SPLITS, error_score=0.0))
    with pytest.warns(EstimatorFailedWarning, match="var_smoothing"):
        assert judge.value(np.array([0])) == 0.0
