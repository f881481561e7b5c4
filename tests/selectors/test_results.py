"""What a fitted selector tells: history, best by size, ranking, choices, tables and JSON."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import polars as pl
import pytest
from sklearn.naive_bayes import GaussianNB

import holdfast
from holdfast import SequentialSelector
from holdfast.criteria import KNN, Estimator, NaiveBayes, Vote
from tests.selectors.cases import SELECTORS, chosen, wine


@pytest.mark.parametrize("name", SELECTORS)
def test_the_parts_agree(name: str) -> None:
    X, y = wine()
    criterion = NaiveBayes(cv=3)
    selector = SELECTORS[name](criterion).fit(X, y)
    picked = chosen(selector)
    assert selector.stop_reason_ == "complete"
    assert len(picked) == 2
    assert selector.subsets_by_size_[2].tolist() == picked
    assert selector.score_ == selector.scores_by_size_[2]
    assert selector.score_ == pytest.approx(selector.fold_scores_.mean())
    assert selector.n_evaluations_ == selector.evaluations_["NaiveBayes"] > 0
    assert selector.seconds_ >= selector.history_["seconds"][-1] > 0
    for size, subset in selector.subsets_by_size_.items():
        assert subset.size == size
        # The value is what any other search would give for the subset.
        others = sorted(set(range(6)) - set(subset.tolist()))
        alone = SequentialSelector(criterion, exclude=others, include=subset).fit(X, y)
        assert alone.score_ == selector.scores_by_size_[size]
    for feature, rank in enumerate(selector.ranking_):
        holding = [k for k, subset in selector.subsets_by_size_.items() if feature in subset]
        assert rank == min(holding, default=max(selector.subsets_by_size_) + 1)
    choices = selector.choices_
    assert choices["tolerance"].to_list() == [0.0]
    assert choices["features"].to_list() == [picked]


@pytest.mark.parametrize("name", SELECTORS)
def test_the_history_is_one(name: str) -> None:
    X, y = wine()
    steps: list[Any] = []
    selector = SELECTORS[name](KNN(1, cv=3), callback=lambda step: steps.append(step))
    history = selector.fit(X, y).history_
    assert history.equals(selector.to_frame())
    assert history["step"].to_list() == list(range(len(steps)))
    assert history["action"].to_list() == [step.action for step in steps]
    assert history["score"].to_list() == [step.subset.value for step in steps]
    for column in ("evaluations", "seconds"):
        assert history[column].is_sorted()
    assert history["evaluations"][-1] <= selector.n_evaluations_
    assert (history["features"].list.len() == history["size"]).all()
    folds = history["fold_scores"].list.mean()
    np.testing.assert_allclose(folds.to_numpy(), history["score"].to_numpy())
    held: set[int] | None = None
    for row in history.iter_rows(named=True):
        if not row["kept"]:
            continue
        if row["action"] in ("add", "remove") and held is not None:
            assert set(row["moved"]) == held ^ set(row["features"])
        held = set(row["features"])


def test_several_metrics_are_recorded_and_one_drives() -> None:
    X, y = wine()
    criterion = Estimator(
        GaussianNB(), ["accuracy", "balanced_accuracy"], cv=3, drive="balanced_accuracy"
    )
    selector = SequentialSelector(criterion, n_features_to_select=2).fit(X, y)
    alone = Estimator(GaussianNB(), "balanced_accuracy", cv=3)
    assert chosen(selector) == chosen(SequentialSelector(alone, n_features_to_select=2).fit(X, y))
    single = Estimator(GaussianNB(), "accuracy", cv=3)
    fixed = SequentialSelector(single, include=chosen(selector), n_features_to_select=2).fit(X, y)
    recorded = selector.history_["fold_scores_accuracy"][-1].to_list()
    np.testing.assert_array_equal(recorded, fixed.fold_scores_)


def test_members_of_a_vote_are_recorded() -> None:
    X, y = wine()
    selector = SequentialSelector(Vote([KNN(1, cv=3), NaiveBayes(cv=3)]), n_features_to_select=2)
    history = selector.fit(X, y).history_
    members = [history[f"fold_scores_member{i}"].list.mean().to_numpy() for i in range(2)]
    np.testing.assert_allclose(history["score"].to_numpy(), np.mean(members, axis=0))
    assert selector.evaluations_.keys() == {"KNN", "NaiveBayes"}


@pytest.mark.parametrize("name", SELECTORS)
def test_json_can_be_read_back(name: str) -> None:
    X, y = wine()
    table = pl.DataFrame(X, schema=[f'Ä"{f}' for f in range(6)])
    criterion = Vote([KNN(1, cv=3), NaiveBayes(cv=3)])
    selector = SELECTORS[name](criterion, max_seconds=1e6).fit(table, y)
    text = selector.to_json()

    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is not JSON")

    content = json.loads(text, parse_constant=refuse)
    assert content["holdfast"] == holdfast.__version__
    assert {"scikit-learn", "numpy", "python"} <= content.keys()
    assert content["selector"] == type(selector).__name__
    assert content["n_features"] == 6
    assert content["feature_names"] == table.columns
    assert content["selected"] == chosen(selector)
    assert content["score"] == selector.score_
    assert content["seconds"] == selector.seconds_
    assert content["stop_reason"] == "complete"
    parameters = content["parameters"]
    assert parameters.keys() == selector.get_params(deep=True).keys()
    assert parameters["max_seconds"] == 1e6
    assert parameters["criterion__member0__n_neighbors"] == 1
    history = pl.DataFrame(content["history"], schema=selector.history_.schema)
    assert history.equals(selector.history_)
    sizes = {int(size): score for size, score in content["scores_by_size"].items()}
    assert sizes == selector.scores_by_size_
    choices = pl.DataFrame(content["choices"], schema=selector.choices_.schema)
    assert choices.equals(selector.choices_)


def test_json_of_whatever_parameters_are() -> None:
    X, y = wine()
    pairs = [(np.arange(0, 40), np.arange(40, len(y))), (np.arange(20, len(y)), np.arange(20))]
    selector = SequentialSelector(
        KNN(np.int64(1), cv=pairs),
        prefer={f: np.float32(f) for f in range(6)},
        include=np.array([1]),
        tolerance=(0.0, 0.1),
    )
    parameters = json.loads(selector.fit(X, y).to_json())["parameters"]
    assert parameters["criterion__cv"] == [[a.tolist(), b.tolist()] for a, b in pairs]
    assert parameters["criterion__n_neighbors"] == 1
    assert parameters["prefer"] == {str(f): f for f in range(6)}
    assert parameters["include"] == [1]
    assert parameters["tolerance"] == [0.0, 0.1]
    assert parameters["criterion"].startswith("KNN(")


def test_json_has_no_numbers_that_json_has_not() -> None:
    X, y = wine()
    selector = SequentialSelector(
        Estimator(GaussianNB(), cv=3, error_score=np.nan), max_seconds=float("inf")
    )
    content = json.loads(selector.fit(X, y).to_json())
    assert content["parameters"]["max_seconds"] is None
    assert content["parameters"]["criterion__error_score"] is None
