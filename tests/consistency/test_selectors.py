"""CWC, LCC and INTERACT as scikit-learn selectors: what goes in, what comes out."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.datasets import load_breast_cancer, load_digits, load_wine
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KBinsDiscretizer
from sklearn.tree import DecisionTreeClassifier

from holdfast.consistency import CWC, INTERACT, LCC, score
from holdfast.discretisers import EqualFrequency
from holdfast.exceptions import InconsistentDataWarning, InputError
from tests.consistency.problems import random_problem
from tests.estimator_checks import with_checks
from tests.naive import consistency as naive

SELECTORS = [CWC, LCC, INTERACT]
each_selector = pytest.mark.parametrize("selector", SELECTORS)
PARITY = np.array([[0, 0, 1], [0, 1, 1], [1, 0, 1], [1, 1, 0]])
ODD = np.array([0, 1, 1, 0])


@pytest.mark.filterwarnings("ignore::holdfast.exceptions.InconsistentDataWarning")
# Few levels of few columns: some checks give data in which no feature is needed or none suffices.
@pytest.mark.filterwarnings("ignore:No features were selected:UserWarning")
@with_checks([selector(discretiser="equal_width") for selector in SELECTORS])
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@each_selector
@pytest.mark.parametrize("load", [load_wine, load_breast_cancer, load_digits])
def test_the_default_order_is_by_ascending_uncertainty(selector, load):
    X, y = load(return_X_y=True)
    X = np.rint(X[:, :12] / X[:, :12].max(axis=0).clip(1) * 4).astype(int)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InconsistentDataWarning)
        fitted = selector().fit(X, y)
        again = selector(order=naive.ascending_uncertainty(X, y)).fit(X, y)
    assert fitted.order_.tolist() == naive.ascending_uncertainty(X, y)
    assert (fitted.support_ == again.support_).all()


@pytest.mark.filterwarnings("ignore::holdfast.exceptions.InconsistentDataWarning")
@each_selector
def test_every_form_of_the_data_gives_the_same(selector):
    for seed in range(5):
        X, y = random_problem(np.random.default_rng(seed), 80, 12, 3, 3, noise=0.0)
        order = np.random.default_rng(seed).permutation(12)
        names = [f"f{i}" for i in range(12)]
        text = np.array(["zero", "one", "two"], dtype=object)[X]
        expected = selector(order=order).fit(X, y)
        forms = [
            X.astype(np.uint8),
            X.astype(float),
            np.asfortranarray(X),
            sparse.csr_matrix(X),
            sparse.csc_array(X.astype(float)),
            sparse.coo_array(X),
            text,
            pd.DataFrame(text, columns=names),
            pd.DataFrame(text, columns=names).astype("category"),
            pl.DataFrame({n: text[:, i].astype(str) for i, n in enumerate(names)}),
        ]
        for form in forms:
            fitted = selector(order=order).fit(form, np.array(["a", "b", "c"])[y])
            assert (fitted.support_ == expected.support_).all()
            assert fitted.classes_.tolist() == ["a", "b", "c"]
        by_name = selector(order=[names[f] for f in order]).fit(forms[-2], y)
        assert (by_name.support_ == expected.support_).all()
        assert by_name.order_.tolist() == order.tolist()


def test_columns_are_only_selected_so_new_values_do_not_matter():
    frame = pd.DataFrame({"a": ["x", "x", "y", "y"], "b": list("uvuv"), "c": list("tttt")})
    cwc = CWC().set_output(transform="pandas").fit(frame, ODD)
    assert cwc.get_feature_names_out().tolist() == ["a", "b"]
    new = pd.DataFrame({"a": ["never seen"], "b": [None], "c": ["w"]})
    pd.testing.assert_frame_equal(cwc.transform(new), new[["a", "b"]])
    numbers = CWC().fit(PARITY, ODD)
    assert numbers.transform([[7, -3, 0]]).tolist() == [[7, -3]]


def test_a_missing_value_is_a_value():
    X = np.array([[np.nan, 1], [np.nan, 1], [0, 1], [1, 1]])
    assert CWC().fit(X, [0, 0, 1, 1]).support_.tolist() == [True, False]
    all_missing = np.column_stack((np.full(4, np.nan), [0, 0, 1, 1]))
    assert CWC().fit(all_missing, [0, 0, 1, 1]).support_.tolist() == [False, True]


@each_selector
def test_continuous_data_go_through_a_discretiser(selector):
    X, y = load_breast_cancer(return_X_y=True)
    with pytest.raises(InputError, match=r"(?s)17\.99 in column 0.*EqualWidth.*MDL"):
        selector().fit(X, y)
    given = selector(discretiser=EqualFrequency(5)).fit(X, y)
    outside = EqualFrequency(5).fit(X)
    by_hand = selector().fit(outside.transform(X), y)
    assert (given.support_ == by_hand.support_).all()
    assert given.discretiser_.n_bins == 5
    assert given.transform(X).shape == (569, given.support_.sum())
    for name in ("equal_width", "mdl"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", InconsistentDataWarning)
            assert selector(discretiser=name).fit(X, y).support_.any()
    other = KBinsDiscretizer(4, encode="ordinal", strategy="uniform")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InconsistentDataWarning)
        assert selector(discretiser=other).fit(X, y).support_.any()


def test_it_works_inside_a_pipeline():
    X, y = load_breast_cancer(return_X_y=True)
    model = make_pipeline(CWC(discretiser="equal_frequency"), DecisionTreeClassifier())
    assert model.fit(X, y).score(X, y) > 0.9


def test_the_rules_of_denoising_are_counted():
    """Groups: 3 against 1 (rule 1), 1 against 1 (rule 2), a lone one (rule 3), and two clean."""
    X = [[0, 0]] * 4 + [[0, 1]] * 2 + [[1, 0]] + [[1, 1]] * 2
    y = [0, 0, 0, 1, 0, 1, 0, 1, 1]
    with pytest.warns(InconsistentDataWarning, match=r"moderate .* 3 of 9 .*1 minor, 2 tied, 0"):
        moderate = CWC().fit(X, y)
    assert moderate.n_removed_ == {"minor": 1, "tied": 2, "single": 0}
    assert np.flatnonzero(moderate.noise_).tolist() == [3, 4, 5]
    assert moderate.consistent_
    assert moderate.support_.tolist() == [False, True]  # feature 0 goes first: of equal SU
    with pytest.warns(InconsistentDataWarning, match="aggressive .* 4 of 9 .*1 single"):
        aggressive = CWC(denoise="aggressive", order=[1, 0]).fit(X, y)
    assert aggressive.n_removed_ == {"minor": 1, "tied": 2, "single": 1}
    assert aggressive.support_.tolist() == [True, False]
    with pytest.warns(InconsistentDataWarning, match="Nothing was denoised, so all features"):
        nothing = CWC(denoise=None).fit(X, y)
    assert nothing.support_.all()
    assert not nothing.consistent_
    assert not nothing.noise_.any()
    assert nothing.witnesses_.shape == (0, 2)


def test_where_denoising_leaves_nothing_it_says_so():
    with pytest.warns(InconsistentDataWarning, match="no feature is kept"):
        fitted = CWC().fit([[0], [0]], [0, 1])
    assert not fitted.support_.any()


def test_witnesses_show_why_each_feature_is_kept():
    cwc = CWC().fit(PARITY, ODD)
    for feature, (a, b) in zip(np.flatnonzero(cwc.support_), cwc.witnesses_, strict=True):
        others = np.setdiff1d(np.flatnonzero(cwc.support_), feature)
        assert (PARITY[a, others] == PARITY[b, others]).all()
        assert ODD[a] != ODD[b]


def test_lcc_says_where_its_threshold_cannot_be_met():
    X, y = [[0, 0], [0, 0], [0, 1], [1, 0]], [0, 1, 1, 0]
    with pytest.warns(InconsistentDataWarning, match=r"\(icr\) of 0\.25, .* threshold 0\.01"):
        lcc = LCC().fit(X, y)
    assert lcc.threshold_ == lcc.inconsistency_ == 0.25
    assert LCC(threshold=0.3).fit(X, y).threshold_ == 0.3
    assert lcc.inconsistency_ == score(X, y, "icr", np.flatnonzero(lcc.support_))


def test_lcc_by_distances_of_discretised_data():
    X, y = load_wine(return_X_y=True)
    lcc = LCC(threshold=0.1, measure="interclass", discretiser="equal_width").fit(X, y)
    levels = lcc.discretiser_.transform(X)
    inside = np.flatnonzero(lcc.support_)
    assert score(levels, y, "interclass", inside) <= 0.1
    for feature in inside:
        assert score(levels, y, "interclass", np.setdiff1d(inside, feature)) > 0.1


def test_interact_lets_small_contributions_add_up():
    """Each of 20 features tells two examples of 400 apart from the rest: 0.005 each."""
    X = np.zeros((400, 20), int)
    X[np.arange(40), np.repeat(np.arange(20), 2)] = 1
    y = (np.arange(400) < 40).astype(int)
    order = np.arange(20)
    assert not INTERACT(threshold=0.01, order=order).fit(X, y).support_.any()
    assert LCC(threshold=0.01, order=order).fit(X, y).support_.sum() == 18


def test_refitting_gives_the_same():
    X, y = random_problem(np.random.default_rng(3), 60, 15, 3, 2, noise=0.0)
    cwc = CWC()
    first = cwc.fit(X, y).support_.copy()
    assert (cwc.fit(X, y).support_ == first).all()


@pytest.mark.parametrize(
    ("fit", "message"),
    [
        (lambda: CWC(denoise="some").fit(PARITY, ODD), "'denoise' .* None"),
        (lambda: CWC(order=[0, 1]).fit(PARITY, ODD), "'order' .* permutation .* feature 2 0 times"),
        (lambda: CWC(order=[0, 1, 1]).fit(PARITY, ODD), "feature 1 2 times"),
        (lambda: CWC(order=[0, 1, 3]).fit(PARITY, ODD), "the index 3"),
        (lambda: CWC(order=[0, 1, 2, 2]).fit(PARITY, ODD), "feature 2 2 times"),
        (lambda: CWC(order=["a", "b", "c"]).fit(PARITY, ODD), "the unknown 'a'"),
        (lambda: CWC(order=[0.0, 1.0, 2.0]).fit(PARITY, ODD), "type float64"),
        (lambda: CWC(order=[[0, 1, 2]]).fit(PARITY, ODD), r"shape \(1, 3\)"),
        (lambda: LCC(threshold=-1).fit(PARITY, ODD), "'threshold' .* >= 0"),
        (lambda: INTERACT(threshold="0").fit(PARITY, ODD), "'threshold' .* >= 0"),
        (lambda: LCC(measure="csu").fit(PARITY, ODD), r"'measure' .* monotone .*icr, .*'csu'"),
        (lambda: LCC(measure="icd").fit(PARITY, ODD), "no consistency measure"),
        (lambda: CWC(discretiser="width").fit(PARITY, ODD), "'discretiser' .*equal_width"),
        (lambda: CWC(discretiser=3).fit(PARITY, ODD), "'discretiser'"),
        (lambda: CWC().fit(PARITY, [1, 1, 1, 1]), "at least 2 classes"),
        (lambda: CWC().fit(PARITY, [0.1, 0.2, 0.3, 0.4]), "Unknown label type"),
        (
            lambda: LCC(measure="interclass").fit(np.array(["a", "b"])[PARITY], ODD),
            "finite numbers",
        ),
    ],
)
def test_bad_input_is_refused(fit, message):
    with pytest.raises(InputError, match=message):
        fit()
