"""Data that cannot be used: a clear error, or the documented behaviour, through every selector."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.linear_model import RidgeClassifier
from sklearn.model_selection import KFold
from sklearn.naive_bayes import GaussianNB

from holdfast import SequentialSelector
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
from holdfast.exceptions import InputError, SingularCovarianceWarning
from tests.selectors.cases import SELECTORS, SIZING, chosen, wine

WRAPPERS = {
    "knn": KNN(1, cv=3),
    "gaussian": Gaussian(cv=3),
    "bayes": NaiveBayes(cv=3),
    "svm": SVM(cv=3),
}
FILTERS = {
    "bhattacharyya": Bhattacharyya(),
    "divergence": Divergence(),
    "mahalanobis": Mahalanobis(),
}
COMPOSED = {
    "vote": Vote([KNN(1, cv=3), NaiveBayes(cv=3)]),
    "hybrid": Hybrid(Mahalanobis(), KNN(1, cv=3), 1.0),
}
DENSE = {**WRAPPERS, **FILTERS, **COMPOSED}
MODEL = {"model": Estimator(GaussianNB(), cv=3)}
EVERYTHING = {**DENSE, **MODEL}

every = pytest.mark.parametrize("name", SELECTORS)


@every
@pytest.mark.parametrize("criterion", EVERYTHING)
@pytest.mark.parametrize(("value", "message"), [(np.nan, "NaN"), (np.inf, "infinity")])
def test_not_finite(name: str, criterion: str, value: float, message: str) -> None:
    X, y = wine()
    X[7, 4] = value
    for table in (X, pd.DataFrame(X, columns=list("abcdef"))):
        with pytest.raises(ValueError, match=message):
            SELECTORS[name](EVERYTHING[criterion]).fit(table, y)


@every
@pytest.mark.parametrize("criterion", DENSE)
def test_constant_columns_are_worth_little(name: str, criterion: str) -> None:
    """They are neither refused nor chosen before a column that tells something."""
    X, y = wine(4)
    X = np.column_stack([np.full(len(y), 7.0), X, np.zeros(len(y))])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("warnings.warn", lambda *_, **__: None)
        selector = SELECTORS[name](DENSE[criterion]).fit(X, y)
    assert not {0, 5} & set(chosen(selector))
    assert np.isfinite(selector.history_["score"].to_numpy()).all()


@pytest.mark.parametrize("criterion", DENSE)
@pytest.mark.filterwarnings("ignore::holdfast.exceptions.SingularCovarianceWarning")
def test_nothing_but_constants(criterion: str) -> None:
    X, y = np.ones((30, 3)), np.arange(30) % 3
    selector = SequentialSelector(DENSE[criterion]).fit(X, y)
    assert chosen(selector) == [0]
    assert np.isfinite(selector.score_)


def test_singular_covariances_are_told_once() -> None:
    X, y = wine(4)
    X = np.column_stack([X, X])
    for criterion in (Gaussian(cv=3), Mahalanobis()):
        with pytest.warns(SingularCovarianceWarning) as told:
            SequentialSelector(criterion).fit(X, y)
        assert len(told) == 1


@every
@pytest.mark.parametrize("criterion", DENSE)
def test_one_class(name: str, criterion: str) -> None:
    X, y = wine()
    with pytest.raises(InputError, match=r"at least 2 classes. Got only \[4\]"):
        SELECTORS[name](DENSE[criterion]).fit(X, np.full_like(y, 4))


@every
@pytest.mark.parametrize("criterion", [*WRAPPERS, *COMPOSED, *MODEL])
def test_a_class_with_fewer_members_than_folds(name: str, criterion: str) -> None:
    X, y = wine()
    y = np.where(np.arange(len(y)) < 2, "rare", "other")
    message = "must be at most 2, the number of examples of class 'rare'. Got 3 instead. Use fewer"
    with pytest.raises(InputError, match=message):
        SELECTORS[name](EVERYTHING[criterion]).fit(X, y)


def test_a_splitter_may_leave_a_class_out() -> None:
    """As the message suggests: folds that a class is missing from."""
    X, y = wine()
    y = np.where(np.isin(np.arange(len(y)), [0, len(y) - 1]), "rare", "other")
    for make in (KNN, NaiveBayes, SVM, lambda cv: Estimator(GaussianNB(), cv=cv)):
        selector = SequentialSelector(make(cv=KFold(4)), n_features_to_select=2).fit(X, y)
        assert 0 < selector.score_ <= 1


@every
@pytest.mark.parametrize("criterion", ["knn", "mahalanobis", "model"])
def test_more_features_than_there_are(name: str, criterion: str) -> None:
    X, y = wine()
    for size in (7, (2, 7)) if name in SIZING else (7,):
        with pytest.raises(InputError, match=r"must be from 1 to 6, .* Got 7 instead"):
            SELECTORS[name](EVERYTHING[criterion], **{"n_features_to_select": size}).fit(X, y)


@every
@pytest.mark.parametrize("criterion", DENSE)
def test_columns_of_objects(name: str, criterion: str) -> None:
    X, y = wine()
    numbers = SELECTORS[name](DENSE[criterion]).fit(X, y)
    objects = SELECTORS[name](DENSE[criterion]).fit(X.astype(object), y)
    assert chosen(objects) == chosen(numbers)
    words = pd.DataFrame(X, columns=list("abcdef")).astype({"c": object})
    words.loc[3, "c"] = "many"
    for table in (words, words.to_numpy()):
        with pytest.raises(ValueError, match="could not convert string to float"):
            SELECTORS[name](DENSE[criterion]).fit(table, y)


@every
@pytest.mark.parametrize("criterion", DENSE)
def test_sparse_data_for_dense_criteria(name: str, criterion: str) -> None:
    X, y = wine()
    with pytest.raises(TypeError, match=r"[Ss]parse"):
        SELECTORS[name](DENSE[criterion]).fit(sparse.csr_matrix(X), y)


def test_a_vote_takes_what_every_member_takes() -> None:
    X, y = wine()
    table = sparse.csr_matrix(X - X.min(axis=0))
    both = Vote([Estimator(RidgeClassifier(), cv=2), Estimator(RidgeClassifier(alpha=9), cv=3)])
    assert len(chosen(SequentialSelector(both, n_features_to_select=2).fit(table, y))) == 2
    with pytest.raises(TypeError, match=r"[Ss]parse"):
        SequentialSelector(Vote([both, KNN()])).fit(table, y)


@every
@pytest.mark.parametrize("criterion", EVERYTHING)
def test_targets_that_do_not_fit(name: str, criterion: str) -> None:
    X, y = wine()
    selector = SELECTORS[name](EVERYTHING[criterion])
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        selector.fit(X, y[:-1])
    with pytest.raises(ValueError, match="requires y to be passed"):
        selector.fit(X)
    missing = np.arange(len(y)) == 3
    for value, shown in ((np.nan, "NaN"), (np.inf, "infinity")):
        with pytest.raises(InputError, match=rf"'y' parameter of .* Got {shown} instead"):
            selector.fit(X, np.where(missing, value, y))
    with pytest.raises(InputError, match=r"'y' parameter of .* Got NaN instead"):
        selector.fit(X, np.where(missing, np.nan, y.astype(object)))
    if criterion in DENSE:
        with pytest.raises(InputError, match="class labels"):
            selector.fit(X, y + 0.5 * X[:, 0])
        with pytest.raises(InputError, match="one label an example"):
            selector.fit(X, np.column_stack([y, y]))


@every
def test_tables_that_are_none(name: str) -> None:
    _, y = wine()
    selector = SELECTORS[name](KNN(1, cv=3))
    with pytest.raises(ValueError, match="Expected 2D array"):
        selector.fit(y, y)
    with pytest.raises(ValueError, match="0 feature"):
        selector.fit(np.empty((len(y), 0)), y)
    with pytest.raises(ValueError, match="minimum of 2"):
        selector.fit(np.ones((1, 3)), y[:1])
    with pytest.raises(ValueError, match="Complex data"):
        selector.fit(np.ones((len(y), 3), complex), y)


def test_folds_that_are_none() -> None:
    X, y = wine()
    rows = np.arange(len(y))
    for cv, message in [
        (1, "from 2 to"),
        (len(y) + 1, "from 2 to"),
        (True, "'cv' parameter"),
        ("five", "'cv' parameter"),
        ([], "at least one"),
        ([(rows[1:], rows[:0])], "an empty one in fold 0"),
        ([(rows[1:], np.array([len(y)]))], "others in fold 0"),
        ([(rows[1:], np.array([-1]))], "others in fold 0"),
        (KFold(len(y) + 1), "cannot split these data"),
    ]:
        for make in (KNN, NaiveBayes, lambda cv: Estimator(GaussianNB(), cv=cv)):
            with pytest.raises(InputError, match=message):
                SequentialSelector(make(cv=cv)).fit(X, y)
