"""Included, excluded and initial features and blocks, by index, name and mask, everywhere."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from holdfast import (
    DynamicOscillatingSelector,
    ExhaustiveSelector,
    IndividualSelector,
    OscillatingSelector,
    SequentialSelector,
)
from holdfast.criteria import KNN, Hybrid, Mahalanobis, NaiveBayes, Vote
from holdfast.exceptions import InputError
from tests.selectors.cases import SELECTORS, SIZING, chosen, wine

NAMES = ["a", "b", "c", "d", "e", "f"]
every = pytest.mark.parametrize("name", SELECTORS)
CRITERIA = {
    "knn": KNN(1, cv=3),
    "bayes": NaiveBayes(cv=3),
    "vote": Vote([KNN(1, cv=3), NaiveBayes(cv=3)]),
    "hybrid": Hybrid(Mahalanobis(), NaiveBayes(cv=3), 0.5),
}


def frame() -> tuple[pd.DataFrame, np.ndarray]:
    X, y = wine()
    return pd.DataFrame(X, columns=NAMES), y


def tried(selector: Any) -> list[set[int]]:
    """Every subset that is shown anywhere."""
    shown = selector.history_["features"].to_list() + selector.choices_["features"].to_list()
    shown += [subset.tolist() for subset in selector.subsets_by_size_.values()]
    return [set(subset) for subset in (*shown, chosen(selector))]


def ways(features: list[int]) -> list[Any]:
    """The same features said in every way there is."""
    mask = np.isin(np.arange(6), features)
    names = [NAMES[f] for f in features]
    negative = [f - 6 for f in features]
    mixed = [names[0], *features[1:]]
    return [
        features,
        tuple(features),
        np.array(features),
        names,
        mask,
        mask.tolist(),
        negative,
        mixed,
    ]


@every
@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_include_and_exclude_are_kept(name: str, criterion: str, n_jobs: int) -> None:
    X, y = frame()
    parameters = {"include": ["b"], "exclude": [0, "d"], "n_jobs": n_jobs}
    selector = SELECTORS[name](CRITERIA[criterion], **parameters, **{"n_features_to_select": 3})
    if name == "dynamic":
        selector.set_params(swing=5)
    selector.fit(X, y)
    for subset in tried(selector):
        assert 1 in subset
        assert not subset & {0, 3}
    assert len(chosen(selector)) == 3


@every
def test_every_way_to_name_features(name: str) -> None:
    X, y = frame()
    expected = None
    for include, exclude in zip(ways([2, 5]), ways([0, 1]), strict=True):
        selector = SELECTORS[name](
            NaiveBayes(cv=3), include=include, exclude=exclude, **{"n_features_to_select": 3}
        ).fit(X, y)
        expected = expected or chosen(selector)
        assert chosen(selector) == expected
    assert {2, 5} < set(expected)
    assert not {0, 1} & set(expected)


@every
@pytest.mark.parametrize(
    "feature_groups",
    [[[0, 3], [1, 4]], [["a", "d"], ["e", "b"]], {"first": ["d", "a"], "second": [1, 4]}],
)
def test_blocks_move_as_a_whole(name: str, feature_groups: Any) -> None:
    X, y = frame()
    selector = SELECTORS[name](KNN(1, cv=3), feature_groups=feature_groups).fit(X, y)
    for subset in tried(selector):
        for block in ({0, 3}, {1, 4}):
            assert block <= subset or not block & subset
    sizes = {size: subset.size for size, subset in selector.subsets_by_size_.items()}
    assert all(size <= width <= 2 * size for size, width in sizes.items())
    # A block counts as one.
    blocks = sum(block <= set(chosen(selector)) for block in ({0, 3}, {1, 4}))
    assert len(chosen(selector)) - blocks == 2


@every
def test_a_feature_of_a_block_stands_for_the_block(name: str) -> None:
    X, y = frame()
    selector = SELECTORS[name](
        KNN(1, cv=3), feature_groups=[[0, 3], [1, 4]], include=["d"], exclude=[4]
    ).fit(X, y)
    for subset in tried(selector):
        assert {0, 3} <= subset
        assert not subset & {1, 4}
    with pytest.raises(InputError, match="A block counts as a whole"):
        SELECTORS[name](KNN(1, cv=3), feature_groups=[[0, 3]], include=[0], exclude=[3]).fit(X, y)


def test_blocks_are_worth_what_their_features_are() -> None:
    """A search over blocks is a search over columns that hold the blocks."""
    X, y = wine()
    blocks = [[0, 3], [1, 4], [2], [5]]
    selector = ExhaustiveSelector(NaiveBayes(cv=3), feature_groups=blocks).fit(X, y)
    best = -1.0
    for bits in range(1, 16):
        columns = sorted(f for u, block in enumerate(blocks) if bits >> u & 1 for f in block)
        others = [f for f in range(6) if f not in columns]
        alone = SequentialSelector(NaiveBayes(cv=3), include=columns, exclude=others).fit(X, y)
        best = max(best, alone.score_)
    assert selector.score_ == best
    assert selector.n_evaluations_ == 15


@pytest.mark.parametrize("init", ways([1, 4]))
def test_searches_begin_where_they_are_told(init: Any) -> None:
    X, y = frame()
    for maker in (SequentialSelector, DynamicOscillatingSelector):
        for include in (None, [0]):
            first = maker(KNN(1, cv=3), init=init, include=include).fit(X, y).history_.row(0)
            expected = [1, 4] if include is None else [0, 1, 4]
            assert (first[1], first[3]) == ("start", expected)
    backward = SequentialSelector(KNN(1, cv=3), init=init, direction="backward").fit(X, y)
    assert backward.history_["features"].to_list()[0] == [1, 4]
    assert backward.history_["size"].to_list() == [2, 1]
    swinging = OscillatingSelector(KNN(1, cv=3), 2, init=init).fit(X, y)
    assert swinging.history_["features"].to_list()[0] == [1, 4]
    assert swinging.score_ >= swinging.history_["score"][0]


@pytest.mark.parametrize("maker", [OscillatingSelector, DynamicOscillatingSelector])
@pytest.mark.parametrize("init", ["individual", "random", "forward"])
def test_named_starts(maker: Any, init: str) -> None:
    X, y = wine()
    sized = {"n_features_to_select": 3} if maker is OscillatingSelector else {}
    selector = maker(KNN(1, cv=3), init=init, include=[2], exclude=[4], random_state=7, **sized)
    history = selector.fit(X, y).history_
    # What a start in steps went through is in the history, too.
    size = 3 if maker is OscillatingSelector else 4
    start = history.filter(history["depth"] == 0).row(-1, named=True)
    assert start["size"] == size
    assert max(selector.scores_by_size_.values()) >= start["score"]


@every
def test_everything_forced_is_evaluated_and_chosen(name: str) -> None:
    X, y = wine()
    free = {"n_features_to_select": 6 if name not in SIZING else (6, 6)}
    selector = SELECTORS[name](KNN(1, cv=3), include=range(6), **free).fit(X, y)
    assert selector.support_.all()
    assert selector.n_evaluations_ == 1


@every
@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"include": [1, 2], "exclude": [2, 3]}, "features 2 in both"),
        ({"include": ["a"], "exclude": [0]}, "features 0 in both"),
        ({"exclude": range(6)}, "such that a feature is left"),
        ({"include": [6]}, "'include' parameter .* indices from 0 to 5. Got 6"),
        ({"include": [-7]}, "Got -7"),
        ({"exclude": ["z"]}, "'exclude' parameter .* column names. Got 'z'"),
        ({"exclude": [1.0]}, "Got 1.0"),
        ({"include": "a"}, "a list of names or indices. Got 'a'"),
        ({"include": 3}, "a list of names or indices. Got 3"),
        ({"include": [0, "a"]}, "free of repetition"),
        ({"include": [True, False]}, "a mask of 6"),
        ({"feature_groups": [[0, 1], [1, 2]]}, "features 1 in several"),
        ({"feature_groups": [[0, 1], []]}, "an empty one"),
        ({"feature_groups": [["nobody"]]}, "'nobody'"),
        ({"include": [0, 1, 2]}, "from 3 to 6"),
        ({"exclude": [0, 1, 2, 3, 4]}, "from 1 to 1"),
        ({"feature_groups": [range(6)]}, "from 1 to 1"),
    ],
)
def test_contradictions_are_refused(name: str, parameters: dict[str, Any], message: str) -> None:
    X, y = frame()
    selector = SELECTORS[name](Mahalanobis(), **parameters, **{"n_features_to_select": 2})
    with pytest.raises(InputError, match=message):
        selector.fit(X, y)
    assert not hasattr(selector, "support_")


@pytest.mark.parametrize(
    ("selector", "message"),
    [
        (SequentialSelector(KNN(), init=[0], exclude=[0]), "free of excluded features"),
        (SequentialSelector(KNN(), init="forward"), "a list of names or indices"),
        (OscillatingSelector(KNN(), 2, init=[0, 1, 2]), "size asked for, 2. Got one of 3"),
        (OscillatingSelector(KNN(), 2, init="best"), "'init' parameter"),
        (OscillatingSelector(KNN(), 2, swing=0), "'swing' parameter"),
        (DynamicOscillatingSelector(KNN(), swing=1.5), "'swing' parameter"),
        (DynamicOscillatingSelector(KNN(), init=[9]), "indices from 0 to 5"),
        (SequentialSelector(KNN(), direction="sideways"), "'forward' or 'backward'"),
        (SequentialSelector(KNN(), overshoot=2), "None unless floating=True"),
        (SequentialSelector(KNN(), floating=True, overshoot=-1), "'overshoot' parameter"),
        (SequentialSelector(KNN(), tuple_size=7), "at most 6, the free units"),
        (SequentialSelector(KNN(), tuple_size=0), "a whole number >= 1"),
        (
            SequentialSelector(KNN(), tuple_size=2, n_features_to_select=3),
            "a size that this search",
        ),
        (OscillatingSelector(KNN(), 3, tuple_size=2, init="forward"), "a divisor of the 3"),
        (SequentialSelector(KNN(), max_evaluations=0), "'max_evaluations'"),
        (SequentialSelector(KNN(), max_seconds=0), "'max_seconds'"),
        (SequentialSelector(KNN(), max_seconds="1"), "'max_seconds'"),
        (SequentialSelector(KNN(), max_bytes=1.5), "'max_bytes'"),
        (SequentialSelector("knn"), "a criterion or a scikit-learn estimator"),
        (SequentialSelector(KNN), "a criterion or a scikit-learn estimator"),
    ],
    ids=lambda value: None if isinstance(value, str) else type(value).__name__,
)
def test_parameters_of_searches_are_checked(selector: Any, message: str) -> None:
    X, y = wine()
    with pytest.raises(InputError, match=message):
        selector.fit(X, y)


def test_tuples_of_blocks_and_forced_features_together() -> None:
    X, y = wine(10)
    selector = SequentialSelector(
        NaiveBayes(cv=3),
        tuple_size=2,
        floating=True,
        include=[9],
        exclude=[8],
        feature_groups=[[0, 5], [1, 7]],
        n_features_to_select=(3, 5),
    ).fit(X, y)
    for subset in tried(selector):
        assert 9 in subset
        assert 8 not in subset
        assert not len(subset & {0, 5}) % 2
        assert not len(subset & {1, 7}) % 2


def test_individual_features_are_judged_beside_the_included() -> None:
    X, y = wine()
    scores = [
        SequentialSelector(NaiveBayes(cv=3), include=[0, f], n_features_to_select=2)
        .fit(X, y)
        .score_
        for f in range(1, 6)
    ]
    order = 1 + np.argsort(-np.array(scores), kind="stable")
    selector = IndividualSelector(NaiveBayes(cv=3), 3, include=[0]).fit(X, y)
    assert chosen(selector) == sorted([0, *order[:2]])


def test_searches_that_would_never_end_are_refused() -> None:
    X = np.random.default_rng(0).normal(size=(12, 300))
    y = np.arange(12) % 2
    with pytest.raises(InputError, match="too many to try"):
        ExhaustiveSelector(Mahalanobis()).fit(X[:, :40], y)
    with pytest.raises(InputError, match="Use a smaller tuple_size"):
        SequentialSelector(Mahalanobis(), tuple_size=5).fit(X, y)
