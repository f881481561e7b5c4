"""mRMR and JMI against their slow twins."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from sklearn.datasets import load_digits

from holdfast.contracts import OrderingRanker
from holdfast.discretisers import EqualFrequency
from holdfast.exceptions import InputError
from holdfast.rankers import JMI, MRMR
from holdfast.selectors.ranked import RankedSelector
from tests.naive import choosing as naive
from tests.naive.information import columns
from tests.statistics.strategies import FORMS, discrete

RANKERS = {
    "MID": (lambda **k: MRMR(**k), naive.mrmr),
    "MIQ": (lambda **k: MRMR("quotient", **k), lambda f, y: naive.mrmr(f, y, "quotient")),
    "JMI": (lambda **k: JMI(**k), naive.jmi),
}


@given(discrete(max_features=7, max_examples=40))
@settings(max_examples=60)
@pytest.mark.parametrize("name", RANKERS)
def test_the_order_is_that_of_the_slow_twin(name, case):
    table, y = case
    ranker, twin = RANKERS[name]
    assert ranker().order(table, y).tolist() == twin(columns(table.tolist()), y.tolist())


@given(discrete(max_features=7))
@settings(max_examples=10)
@pytest.mark.parametrize("name", RANKERS)
@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_the_data_gives_the_same_order(form, name, case):
    table, y = case
    ranker = RANKERS[name][0]()
    np.testing.assert_array_equal(ranker.order(FORMS[form](table), y), ranker.order(table, y))


@pytest.mark.parametrize("name", RANKERS)
def test_depth_shortens_the_work_and_not_the_head(name):
    table, y = load_digits(return_X_y=True)
    make = RANKERS[name][0]
    whole, head = make().order(table, y), make(depth=12).order(table, y)
    np.testing.assert_array_equal(head[:12], whole[:12])
    assert head[12] == whole[12]  # the next is the best beside the twelve
    assert sorted(head) == sorted(whole) == list(range(64))
    scores = make(depth=12).score(table, y)
    np.testing.assert_array_equal(np.argsort(-scores), head)


def test_jmi_sees_what_tells_only_together():
    rng = np.random.default_rng(0)
    a, b = rng.integers(0, 2, (2, 400))
    y = a ^ b
    weak = np.where(rng.random(400) < 0.7, y, 1 - y)
    table = np.column_stack((rng.integers(0, 2, 400), a, b, weak, a))
    order = JMI().order(table, y).tolist()
    assert order.index(2) < order.index(0)
    assert MRMR().order(table, y)[0] == 3


@pytest.mark.parametrize("name", RANKERS)
def test_text_and_discretised_numbers_reach_it_through_the_selector(name):
    make = RANKERS[name][0]
    table = pd.DataFrame({"a": ["x", "y", "x", "y"], "b": [1, 1, 2, 2], "c": [None, "u", "u", "u"]})
    y = [0, 1, 0, 1]
    assert RankedSelector(make(), 1).fit(table, y).get_feature_names_out().tolist() == ["a"]
    numbers = np.array([[0.1, 0.3], [0.2, 0.9], [0.9, 0.35], [np.nan, 0.8]])
    chosen = RankedSelector(make(discretiser=EqualFrequency(2)), 1).fit(numbers, y)
    assert chosen.get_support(indices=True).tolist() == [1]


def test_refusals():
    table, y = np.array([[0], [1]]), [0, 1]
    with pytest.raises(InputError, match="'scheme' parameter of MRMR"):
        MRMR("ratio").order(table, y)
    with pytest.raises(InputError, match="'depth' parameter of JMI"):
        JMI(depth=0).order(table, y)
    with pytest.raises(InputError, match="sample_weight"):
        JMI().order(table, y, sample_weight=[1, 1])
    with pytest.raises(InputError, match="must be discrete"):
        MRMR().order(np.array([[0.5], [1.0]]), y)


@pytest.mark.parametrize("name", RANKERS)
@pytest.mark.parametrize(
    "limits",
    [
        {},
        {"include": [63, 0], "exclude": [21, 42, 43]},
        {"feature_groups": {"top": [20, 21, 28], "left": [8, 16], "right": [42, 43, 36, 37]}},
    ],
)
def test_a_selector_chooses_the_same_without_ordering_the_rest(name, limits, monkeypatch):
    table, y = load_digits(return_X_y=True)
    ranker = RANKERS[name][0]()
    short = RankedSelector(ranker, 6, **limits).fit(table, y)
    monkeypatch.setattr(type(ranker), "leading", OrderingRanker.leading)
    whole = RankedSelector(ranker, 6, **limits).fit(table, y)
    np.testing.assert_array_equal(short.support_, whole.support_)
    np.testing.assert_array_equal(whole.ranking_[ranker.order(table, y)], np.arange(64) + 1)


def test_a_selector_goes_no_deeper_than_it_must(monkeypatch):
    table, y = load_digits(return_X_y=True)
    depths = []
    take = JMI._take
    monkeypatch.setattr(JMI, "_take", lambda *given: depths.append(given[-1]) or take(*given))
    RankedSelector(JMI(), 6).fit(table, y)
    RankedSelector(JMI(), 15, include=[0], exclude=[1, 2]).fit(table, y)
    RankedSelector(JMI(), 2, feature_groups=[[3, 4, 5], [6, 7]]).fit(table, y)
    RankedSelector(JMI(depth=2), 6).fit(table, y)
    RankedSelector(JMI(), threshold=-3).fit(table, y)
    assert depths == [6, 17, 5, 2, 64]
