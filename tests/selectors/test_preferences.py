"""Costs, any second criterion, margins, and several tolerances in one run."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import pytest

from holdfast import ExhaustiveSelector, SequentialSelector
from holdfast.criteria import KNN, Bhattacharyya, Hybrid, NaiveBayes, Vote
from holdfast.exceptions import InputError
from tests.selectors.cases import SELECTORS, SIZING, chosen, wine
from tests.selectors.test_spaces import NAMES

PREFERRING = [name for name in SELECTORS if name != "individual"]
COSTS = [4.0, 1.0, 2.0, 0.5, 8.0, 1.0]
TAUS = [0.0, 0.02, 0.1]


def best(name: str, criterion: Any, **parameters: Any) -> Any:
    if name in SIZING:
        parameters["n_features_to_select"] = "best"
    return SELECTORS[name](criterion, **parameters)


@pytest.mark.parametrize("name", PREFERRING)
@pytest.mark.parametrize("prefer", ["smaller", COSTS])
@pytest.mark.parametrize("criterion", [KNN(1, cv=3), Vote([KNN(1, cv=3), NaiveBayes(cv=3)])])
def test_several_tolerances_cost_nothing(name: str, prefer: Any, criterion: Any) -> None:
    X, y = wine()
    together = best(name, criterion, tolerance=TAUS, prefer=prefer).fit(X, y)
    assert together.choices_["tolerance"].to_list() == TAUS
    assert together.choices_["features"][0].to_list() == chosen(together)
    top = together.choices_["score"][0]
    for number, tau in enumerate(TAUS):
        alone = best(name, criterion, tolerance=tau, prefer=prefer).fit(X, y)
        assert alone.choices_.row(0) == together.choices_.row(number)
        assert alone.evaluations_ == together.evaluations_
        assert alone.history_.drop("seconds").equals(together.history_.drop("seconds"))
        assert alone.score_ >= top - tau * abs(top)
    if prefer == "smaller":
        assert together.choices_["size"].is_sorted(descending=True)


def test_every_way_to_say_costs() -> None:
    X, y = wine()
    X = pd.DataFrame(X, columns=NAMES)
    named = dict(zip(NAMES, COSTS, strict=True))
    mixed = {(f if f % 2 else name): cost for f, (name, cost) in enumerate(named.items())}

    def negative_sum(features: np.ndarray) -> float:
        assert features.dtype.kind == "i"
        assert (np.diff(features) > 0).all()
        return -sum(COSTS[f] for f in features)

    selected = [
        SequentialSelector(KNN(1, cv=3), tolerance=0.1, prefer=prefer).fit(X, y)
        for prefer in (COSTS, tuple(COSTS), np.array(COSTS), named, mixed, negative_sum)
    ]
    assert len({tuple(chosen(selector)) for selector in selected}) == 1
    plain = SequentialSelector(KNN(1, cv=3)).fit(X, y)
    assert -negative_sum(np.array(chosen(selected[0]))) < -negative_sum(np.array(chosen(plain)))


def test_the_cheapest_of_all_that_are_equal() -> None:
    """With every subset within reach, exhaustive search finds the cheapest of its range."""
    X, y = wine()
    selector = ExhaustiveSelector(
        NaiveBayes(cv=3), n_features_to_select=(2, 3), tolerance=1.0, prefer=COSTS
    ).fit(X, y)
    subsets = [s for size in (2, 3) for s in combinations(range(6), size)]
    assert sum(COSTS[f] for f in chosen(selector)) == min(
        sum(COSTS[f] for f in subset) for subset in subsets
    )


def test_a_margin_lets_the_score_decide() -> None:
    X, y = wine()
    prices = [1.05, 1.04, 1.0, 1.03, 1.02, 1.01]
    parameters = {"n_features_to_select": 1, "tolerance": 1.0, "prefer": prices}
    cheap = ExhaustiveSelector(NaiveBayes(cv=3), **parameters).fit(X, y)
    assert chosen(cheap) == [2]
    good = ExhaustiveSelector(NaiveBayes(cv=3), **parameters, prefer_margin=0.1).fit(X, y)
    assert good.score_ == max(good.scores_by_size_.values())
    assert chosen(good) != [2]


def test_costs_of_a_block_add_up() -> None:
    X, y = wine()
    selector = ExhaustiveSelector(
        NaiveBayes(cv=3),
        n_features_to_select=1,
        tolerance=1.0,
        feature_groups=[[1, 3], [0, 2, 4]],
        prefer=[0.0, 3.0, 0.0, 3.0, 5.5, 5.6],
    ).fit(X, y)
    assert chosen(selector) == [0, 2, 4]


@pytest.mark.parametrize("name", PREFERRING)
@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"prefer": [1.0, 2.0]}, r"cost of each of 6 features. Got shape \(2,\)"),
        ({"prefer": np.ones((6, 1))}, "Got shape"),
        ({"prefer": {"a": 1.0}}, "no cost for 5 features, such as feature 1"),
        ({"prefer": dict.fromkeys([*NAMES, "z"], 1.0)}, "Got 'z'"),
        ({"prefer": "larger"}, "Got 'larger'"),
        ({"prefer": ["much"] * 6}, "'prefer' parameter"),
        ({"prefer": [1, 2, 3, 4, 5, -1]}, "finite costs >= 0. Got -1"),
        ({"prefer": [1, 2, 3, 4, 5, np.nan]}, "finite costs >= 0. Got nan"),
        ({"prefer": None}, "'prefer' parameter"),
        ({"tolerance": 1.1}, "'tolerance' parameter of .* must be from 0 to 1. Got 1.1"),
        ({"tolerance": [0.1, -0.1]}, "Got -0.1"),
        ({"tolerance": np.nan}, "Got nan"),
        ({"tolerance": []}, "a number or a list"),
        ({"tolerance": "little"}, "Got 'little'"),
        ({"tolerance": None}, "Got None"),
        ({"tolerance": True}, "Got True"),
        ({"prefer_margin": 2}, "'prefer_margin' parameter"),
    ],
)
def test_what_cannot_be_preferred_is_refused(
    name: str, parameters: dict[str, Any], message: str
) -> None:
    X, y = wine()
    with pytest.raises(InputError, match=message):
        SELECTORS[name](KNN(1, cv=3), **parameters).fit(pd.DataFrame(X, columns=NAMES), y)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_all_of_it_together(n_jobs: int) -> None:
    """A hybrid whose wrapper is a vote, inside the strongest search, with costs and three taus."""
    X, y = wine(13, step=2)
    costs = np.random.default_rng(0).integers(1, 9, 13)
    criterion = Hybrid(
        Bhattacharyya(), Vote([KNN(3, cv=3), NaiveBayes(cv=3), KNN(1, cv=3)], by="order"), 0.4
    )

    def fitted(tolerance: Any, **parameters: Any) -> Any:
        selector = SELECTORS["dynamic"](
            criterion,
            n_features_to_select=(2, 9),
            swing=5,
            tolerance=tolerance,
            prefer=costs,
            include=[3],
            exclude=[10],
            feature_groups=[[0, 7], [1, 2]],
            n_jobs=n_jobs,
            **parameters,
        )
        return selector.fit(X, y)

    selector = fitted([0.05, 0.0, 0.2])
    assert selector.stop_reason_ == "complete"
    choices = selector.choices_
    spent = [int(costs[features].sum()) for features in choices["features"].to_list()]
    # The wider the tolerance, the cheaper.
    assert spent[2] <= spent[0] <= spent[1]
    assert choices["features"][0].to_list() == chosen(selector)
    for features in choices["features"].to_list():
        assert 3 in features
        assert 10 not in features
        assert (0 in features) == (7 in features)
        assert (1 in features) == (2 in features)
    for number, tau in enumerate((0.05, 0.0, 0.2)):
        alone = fitted(tau)
        assert alone.choices_.row(0) == choices.row(number)
        assert alone.evaluations_ == selector.evaluations_
    # The filter sees more than the vote's members, which see about as much as each other.
    counts = selector.evaluations_
    assert counts["filter Bhattacharyya"] > counts["NaiveBayes"] > 0
    assert counts["KNN"] >= 2 * selector.n_evaluations_ * 0.9
    # The score is the members' mean, fold by fold.
    last = selector.history_.row(-1, named=True)
    members = np.mean([last[f"fold_scores_member{i}"] for i in range(3)], axis=0)
    np.testing.assert_allclose(last["fold_scores"], members)
    # A swing never ends below where the search began.
    history = selector.history_.filter(selector.history_["kept"])
    begun = history.filter(history["depth"] == 0)["score"][-1]
    assert history["score"][-1] >= begun
    with pytest.warns(UserWarning, match="max_evaluations"):
        short = fitted(0.0, max_evaluations=selector.n_evaluations_ // 2)
    assert short.n_evaluations_ == selector.n_evaluations_ // 2
