"""Real data in five levels of equal width: results are consistent and minimal, whatever the set."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from holdfast import datasets
from holdfast.consistency import CWC, INTERACT, LCC
from holdfast.discretisers import EqualWidth
from holdfast.exceptions import InconsistentDataWarning
from tests.consistency.test_selectors import each_selector

# Those of the 2011 paper that can be had, and four microarrays.
NAMES = [
    *("ada", "madelon", "arcene", "sylva", "ad_adbench", "dexter", "hiva", "dorothea"),
    *("colon", "leukemia", "prostate_ge", "cns"),
]
SHIPPED = ["wdbc", "wine", "digits", "iris"]


def discrete(name):
    if name not in datasets.names():
        pytest.skip(f"no {name} here")
    data = datasets.load(name)
    return EqualWidth().fit_transform(data.X), np.unique(data.y, return_inverse=True)[1]


def fitted(selector, X, y):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InconsistentDataWarning)
        return selector.fit(X, y)


def columns_of(X, support):
    chosen = X[:, np.flatnonzero(support)]
    return np.ascontiguousarray(chosen.toarray() if hasattr(chosen, "toarray") else chosen)


def inconsistency(table, y):
    """Share outside the majority of equal rows, by sorting."""
    _, groups = np.unique(
        np.ascontiguousarray(table).view(f"V{table.shape[1] * table.itemsize}").ravel(),
        return_inverse=True,
    )
    counts = np.zeros((groups.max() + 1, y.max() + 1), int)
    np.add.at(counts, (groups, y), 1)
    return 1 - counts.max(axis=1).sum() / len(y)


def without(table, feature):
    return np.delete(table, feature, axis=1)


@pytest.mark.parametrize("name", SHIPPED + NAMES)
@pytest.mark.parametrize("denoise", ["moderate", "aggressive"])
def test_cwc_is_consistent_and_minimal(name, denoise):
    X, y = discrete(name)
    cwc = fitted(CWC(denoise=denoise), X, y)
    table, left = columns_of(X, cwc.support_)[~cwc.noise_], y[~cwc.noise_]
    if not cwc.support_.any():
        assert np.unique(left).size < 2
        return
    assert cwc.consistent_
    assert inconsistency(table, left) == 0
    # Witnesses prove minimality; by sorting it takes long where many are kept.
    for position, (a, b) in enumerate(cwc.witnesses_):
        rows = columns_of(X, cwc.support_)[[a, b]]
        assert (np.flatnonzero(rows[0] != rows[1]) == [position]).all()
        assert y[a] != y[b]
        assert not cwc.noise_[[a, b]].any()
    for position in range(0, table.shape[1], max(1, table.shape[1] // 5)):
        if table.shape[1] > 1:
            assert inconsistency(without(table, position), left) > 0


@pytest.mark.parametrize("name", SHIPPED + NAMES)
def test_lcc_is_minimal_at_its_threshold(name):
    X, y = discrete(name)
    lcc = fitted(LCC(), X, y)
    table = columns_of(X, lcc.support_)
    assert inconsistency(table, y) == pytest.approx(lcc.inconsistency_, abs=1e-12)
    assert lcc.inconsistency_ <= lcc.threshold_ + 1e-12
    for position in range(0, table.shape[1], max(1, table.shape[1] // 5)):
        if table.shape[1] > 1:
            assert inconsistency(without(table, position), y) > lcc.threshold_ + 1e-12


@pytest.mark.parametrize("name", ["wine", "wdbc", "ada", "colon", "arcene"])
def test_interact_reports_the_rate_of_what_it_keeps(name):
    X, y = discrete(name)
    interact = fitted(INTERACT(), X, y)
    table = columns_of(X, interact.support_)
    assert inconsistency(table, y) == pytest.approx(interact.inconsistency_, abs=1e-12)


@pytest.mark.parametrize("name", ["dexter", "dorothea"])
@each_selector
def test_sparse_and_dense_data_give_the_same(name, selector):
    X, y = discrete(name)
    X = X[:, :3000]
    sparse, dense = fitted(selector(), X, y), fitted(selector(), X.toarray(), y)
    assert (sparse.support_ == dense.support_).all()
    assert (sparse.order_ == dense.order_).all()
