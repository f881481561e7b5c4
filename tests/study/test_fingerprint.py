import subprocess
import sys
from fractions import Fraction
from functools import partial

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csc_array, csr_array
from sklearn.feature_selection import RFE, SelectFromModel, SelectKBest, chi2, f_classif
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import holdfast as hf
from holdfast.exceptions import InputError
from holdfast.study.fingerprint import digest


def scored(power):
    def score(X, y):
        return f_classif(X, y)[0] ** power

    return score


class Plain:
    def __init__(self, value):
        self.value = value


class Slotted:
    __slots__ = ("value",)

    def __init__(self, value):
        self.value = value


class WithMethod(Plain):
    def score(self, X, y):
        return self.value


DIFFERENT = [
    None, True, 1, 1.0, "1", b"1", 1 + 0j, 2, -1, 0.0, -0.0, np.nan, np.inf, "", [], {}, [1], [[1]],
    {"a": 1}, {"a": 2}, {1: "a"}, {"1": "a"}, {1, 2}, {1, 3}, [1, 2], [2, 1],
    np.array([1, 2]), np.array([1, 3]), np.array([1.0, 2.0]), np.array([[1, 2]]),
    np.array(["a", "b"], dtype=object), np.array(["a", "c"], dtype=object), np.array([]),
    csr_array([[0, 1]]), csr_array([[0, 1, 0]]), csr_array([[1, 0]]), csr_array([[0, 2]]),
    f_classif, chi2, scored(1), scored(2), lambda X, y: X, lambda X, y: y, lambda X, y=1: X,
    partial(f_classif), partial(scored, 1), partial(scored, 2), np.add, np.subtract, len,
    Plain(1), Plain(2), Slotted(1), Slotted(2), WithMethod(1).score, WithMethod(2).score,
    "a".upper, "b".upper, Plain, Slotted, Fraction(1, 2), Fraction(1, 3), np.dtype("f4"),
    SelectKBest(), SelectKBest(k=3), SelectKBest(chi2), RFE(SVC()), RFE(SVC(kernel="linear")),
    RFE(SVC(kernel="linear", C=2)), make_pipeline(StandardScaler(), SelectKBest()),
    make_pipeline(StandardScaler(), SelectKBest(k=2)), make_pipeline(SelectKBest()),
    StratifiedKFold(3), StratifiedKFold(4), GroupKFold(3),
    SelectFromModel(LogisticRegression(), threshold=0.1), pl.Series([1, 2]), pl.Series([1, 3]),
    hf.SequentialSelector(hf.criteria.KNN(3)), hf.SequentialSelector(hf.criteria.KNN(5)),
    hf.SequentialSelector(hf.criteria.KNN(3), floating=True),
]  # fmt: skip


def test_different_things_differ():
    prints = [digest(one) for one in DIFFERENT]
    doubled = [DIFFERENT[i] for i, p in enumerate(prints) if prints.count(p) > 1]
    assert not doubled


def test_the_same_in_another_process():
    # Hash seeds, import orders and addresses are others there.
    code = "from tests.study.test_fingerprint import *\nprint(*[digest(one) for one in DIFFERENT])"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert found.stdout.decode().split() == [digest(one) for one in DIFFERENT]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (SVC(verbose=True, cache_size=10), SVC()),
        (LogisticRegression(C=np.float64(1.0)), LogisticRegression(C=1.0)),
        (make_pipeline(SVC(), memory="somewhere"), make_pipeline(SVC())),
        (scored(2), scored(2)),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
        ((1, 2), [1, 2]),
        (np.int64(3), 3),
        (csc_array([[0, 1], [1, 0]]).tocsr(), csr_array([[0, 1], [1, 0]])),
        (np.asfortranarray(np.eye(3)[:, :2]), np.ascontiguousarray(np.eye(3)[:, :2])),
        (SelectKBest(k=2).fit(np.eye(4), [0, 0, 1, 1]), SelectKBest(k=2)),
    ],
)
def test_what_does_not_matter(one, other):
    assert digest(one) == digest(other)


def test_workers_do_not_matter():
    from sklearn.ensemble import RandomForestClassifier

    assert digest(RandomForestClassifier(n_jobs=3)) == digest(RandomForestClassifier())
    assert digest(RandomForestClassifier(3)) != digest(RandomForestClassifier(4))


@pytest.mark.parametrize(
    "generator", [np.random.RandomState(0), np.random.default_rng(0), np.random.Generator]
)
def test_generators_are_refused_wherever_they_hide(generator):
    if isinstance(generator, type):
        assert digest(generator)  # the class has no state
        return
    for one in (generator, SVC(random_state=generator), make_pipeline(SVC(random_state=generator))):
        with pytest.raises(InputError, match="whole numbers as random_state"):
            digest(one)


def test_what_has_no_identity_is_refused():
    endless = []
    endless.append(endless)
    with pytest.raises(InputError, match="holds itself"):
        digest(endless)
    with open(__file__) as file, pytest.raises(InputError, match="could not resume"):  # noqa: PTH123
        digest(file)
    with pytest.raises(InputError, match="could not resume"):
        digest(one for one in "ab")


plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=8,
)


def exactly(value):
    """A form in which equality is identity of type and value."""
    if isinstance(value, list):
        return ("list", *map(exactly, value))
    if isinstance(value, dict):
        return ("dict", *sorted((k, exactly(v)) for k, v in value.items()))
    return (type(value).__name__, repr(value))


@given(plain, plain)
def test_as_different_as_the_values(one, other):
    assert (digest(one) == digest(other)) == (repr(exactly(one)) == repr(exactly(other)))
