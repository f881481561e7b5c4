"""How many features: a number, a share, a range, best, one standard error, tolerance, knee."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast import (
    DynamicOscillatingSelector,
    ExhaustiveSelector,
    IndividualSelector,
    OscillatingSelector,
    SequentialSelector,
)
from holdfast.criteria import KNN, Mahalanobis
from holdfast.exceptions import InputError
from holdfast.selectors.size_rules import knee
from holdfast.trace import Working
from tests.search.tables import Table, row_of
from tests.selectors.cases import SELECTORS, SIZING, chosen, wine


def by_size(*folds: Any) -> Table:
    """A criterion whose fold scores depend on the size alone, given for sizes 1, 2, …"""
    n = len(folds)
    width = np.size(folds[0])
    table = np.full((2**n, width), -9.0)
    for bits in range(1, 2**n):
        table[bits] = folds[bits.bit_count() - 1]
    return Table(table)


def fitted(criterion: Table, n_features_to_select: Any, **parameters: Any) -> SequentialSelector:
    n = int(np.log2(len(criterion.table)))
    selector = SequentialSelector(
        criterion, n_features_to_select=n_features_to_select, **parameters
    )
    return selector.fit(np.ones((4, n)), np.zeros(4))


@pytest.mark.parametrize("name", SIZING)
@pytest.mark.parametrize(
    ("size", "allowed"),
    [
        (1, {1}),
        (6, {6}),
        (0.5, {3}),
        (0.01, {1}),
        (0.999, {5}),
        ((2, 4), {2, 3, 4}),
        ((0.2, 0.5), {1, 2, 3}),
        ((1, 6), set(range(1, 7))),
        ("best", set(range(1, 7))),
        ("one_standard_error", set(range(1, 7))),
        ("knee", set(range(1, 7))),
    ],
)
def test_sizes(name: str, size: Any, allowed: set[int]) -> None:
    X, y = wine()
    swing = {"swing": 6} if name == "dynamic" else {}
    selector = SELECTORS[name](KNN(1, cv=3), **swing, **{"n_features_to_select": size}).fit(X, y)
    assert len(chosen(selector)) in allowed
    if size == "best" or isinstance(size, tuple):
        inside = {k: v for k, v in selector.scores_by_size_.items() if k in allowed}
        assert selector.score_ == max(inside.values())
        assert len(chosen(selector)) == min(k for k, v in inside.items() if v == selector.score_)


@pytest.mark.parametrize("maker", [OscillatingSelector, IndividualSelector])
def test_sizes_of_searches_for_one_size(maker: Any) -> None:
    X, y = wine()
    for size, expected in ((0.5, 3), (4, 4), (6, 6)):
        assert len(chosen(maker(Mahalanobis(), size).fit(X, y))) == expected
    for size in ("best", (2, 4), "one_standard_error", "knee"):
        with pytest.raises(InputError, match="must be one size"):
            maker(Mahalanobis(), size).fit(X, y)


@pytest.mark.parametrize(
    "size", [0, 7, -1, 1.0, 0.0, 1.5, "all", None, (4, 2), (1, 9), (1, 2, 3), True, [2, 3]]
)
def test_sizes_that_cannot_be(size: Any) -> None:
    X, y = wine()
    for maker in (SequentialSelector, ExhaustiveSelector, DynamicOscillatingSelector):
        with pytest.raises(InputError, match="'n_features_to_select' parameter"):
            maker(Mahalanobis(), n_features_to_select=size).fit(X, y)


def test_best_takes_the_smaller_of_equal_ones() -> None:
    criterion = by_size(0.5, 0.9, 0.9, 0.8)
    for direction in ("forward", "backward"):
        assert fitted(criterion, "best", direction=direction).support_.sum() == 2


def test_one_standard_error_has_the_root_of_n_and_looks_downwards() -> None:
    # Best: 4 features, fold scores 0.7 ± 0.1, standard deviation 0.1, error 0.1 / sqrt(4).
    best = 0.7 + 0.1 * np.sqrt(3) / 2 * np.array([-1.0, -1.0, 1.0, 1.0])
    assert best.std(ddof=1) == pytest.approx(0.1)
    flat = np.ones(4)
    # 0.62 is within one standard deviation but not within one error of 0.7; 0.66 is.
    criterion = by_size(0.5 * flat, 0.62 * flat, 0.66 * flat, best, 0.69 * flat)
    for direction in ("forward", "backward"):
        selector = fitted(criterion, "one_standard_error", direction=direction)
        assert selector.support_.sum() == 3
        assert selector.score_ == pytest.approx(0.66)
    # Of a score that is minimised, and so negative, too.
    negative = Table(criterion.table - 5.0)
    assert fitted(negative, "one_standard_error").support_.sum() == 3


@pytest.mark.parametrize("name", SIZING)
def test_one_standard_error_needs_folds(name: str) -> None:
    X, y = wine()
    selector = SELECTORS[name](Mahalanobis(), **{"n_features_to_select": "one_standard_error"})
    with pytest.raises(InputError, match="a criterion that has no folds"):
        selector.fit(X, y)


def test_tolerance_is_a_size_rule() -> None:
    criterion = by_size(0.80, 0.88, 0.895, 0.9, 0.9)
    for tolerance, size in ((0.0, 4), (0.01, 3), (0.03, 2), (0.2, 1), (1.0, 1)):
        for direction in ("forward", "backward"):
            selector = fitted(criterion, "best", tolerance=tolerance, direction=direction)
            assert selector.support_.sum() == size
    # Within a range, and of negative scores: -2.2 is 10 % below -2.
    assert fitted(criterion, (2, 5), tolerance=0.2).support_.sum() == 2
    negative = by_size(-3.0, -2.25, -2.15, -2.0)
    assert fitted(negative, "best", tolerance=0.1, direction="backward").support_.sum() == 3


def test_tolerance_does_not_look_back() -> None:
    """The paper keeps one subset on the way: what was passed over for it does not come back."""
    on_the_way = by_size(0.5, 0.84, 0.86, 0.95)
    # With 2 features chosen, 3 are not preferred; the best then rules out 2, and is what is left.
    assert fitted(on_the_way, "best", tolerance=0.1).support_.sum() == 4
    assert fitted(on_the_way, "best", tolerance=0.1, direction="backward").support_.sum() == 3


def test_knee() -> None:
    assert fitted(by_size(0.5, 0.8, 0.85, 0.9, 0.91, 0.7), "knee").support_.sum() == 2
    # After the best there is nothing to gain: 6 features do not count.
    assert fitted(by_size(0.5, 0.6, 0.9, 0.0, 0.0, 0.0), "knee").support_.sum() == 3
    # A straight rise, a late one, and too few sizes have no knee.
    assert fitted(by_size(0.1, 0.2, 0.3, 0.4), "knee").support_.sum() == 4
    assert fitted(by_size(0.1, 0.1, 0.1, 0.4), "knee").support_.sum() == 4
    assert fitted(by_size(0.1, 0.2), "knee").support_.sum() == 2
    assert fitted(by_size(0.3, 0.3, 0.3), "knee").support_.sum() == 1


@settings(max_examples=60)
@given(
    values=st.lists(st.integers(-16, 16).map(lambda k: k / 8), min_size=1, max_size=8),
    scale=st.sampled_from((0.25, 1.0, 64.0)),
)
def test_knee_is_farthest_from_the_chord(values: list[float], scale: float) -> None:
    rise = [Working(tuple(range(k)), value * scale) for k, value in enumerate(values, 1)]
    best = max(rise, key=lambda known: (known.value, -known.size))
    found = knee(rise, best)
    (x0, y0), (x1, y1) = (1, rise[0].value), (best.size, best.value)
    length = np.hypot(x1 - x0, y1 - y0) or 1.0

    def distance(known: Working) -> float:
        """Signed distance of a point from a line, by the cross product."""
        return float((x1 - x0) * (known.value - y0) - (known.size - x0) * (y1 - y0)) / length

    before = [known for known in rise if known.size <= best.size]
    most = max(map(distance, before))
    if most <= 1e-9:
        assert found == best
    else:
        assert distance(found) == pytest.approx(most)
        assert found == next(known for known in before if distance(known) >= most - 1e-9)


def test_twelve_of_twelve() -> None:
    """All features selected is a result like any other."""
    X, y = wine(12)
    for name in SELECTORS:
        selector = (
            SELECTORS[name](Mahalanobis(), **{"n_features_to_select": (12, 12)})
            if (name in SIZING)
            else SELECTORS[name](Mahalanobis(), **{"n_features_to_select": 12})
        )
        assert selector.fit(X, y).support_.all()
        assert selector.transform(X).shape == X.shape


def test_the_table_is_what_it_says() -> None:
    assert by_size(0.1, 0.2, 0.3).function(frozenset({0, 2})) == 0.2
    assert row_of(np.array([0, 2])) == 5
