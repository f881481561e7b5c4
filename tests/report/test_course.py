"""The course of a search: its table is the history, and any run can be drawn."""

import json

import numpy as np
import pytest
from sklearn.datasets import load_wine
from sklearn.dummy import DummyClassifier

import holdfast as hf
from holdfast import charts
from holdfast.exceptions import InputError

X, Y = load_wine(return_X_y=True)
QUICK = hf.criteria.Mahalanobis()


def rows_of(chart):
    return max(json.loads(chart.to_json())["datasets"].values(), key=len)


@pytest.fixture(scope="module")
def swinging():
    criterion = hf.criteria.NaiveBayes(cv=3)
    return hf.DynamicOscillatingSelector(criterion, swing=3, tolerance=0.01).fit(X, Y)


def test_the_table_has_a_line_for_each_step_of_the_history(swinging):
    table = charts.course_table(swinging)
    history = swinging.history_
    assert table["step"].to_list() == list(range(1, history.height + 1))
    for name in ("action", "size", "score", "kept", "evaluations"):
        assert table[name].to_list() == history[name].to_list()
    assert table["best"].to_list() == np.maximum.accumulate(history["score"].to_numpy()).tolist()
    assert table["kept"].any()
    assert not table["kept"].all()


def test_the_chart_shows_these_numbers_and_says_what_was_found(swinging):
    chart = charts.course(swinging, title="DOS")
    rows = rows_of(chart)
    table = charts.course_table(swinging)
    assert [row["size"] for row in rows] == table["size"].to_list()
    assert [row["became"] == "kept" for row in rows] == table["kept"].to_list()
    assert chart.title.text == "DOS"
    assert chart.title.subtitle == (
        f"{swinging.support_.sum()} of 13 features, score {swinging.score_:.4f}, "
        f"{swinging.n_evaluations_} subsets evaluated"
    )
    assert charts.course(swinging, subtitle="mine").title.subtitle == "mine"


def marked(chart):
    found = [
        one["transform"][0]["filter"]
        for view in chart.to_dict()["vconcat"]
        for one in view["layer"]
        if "transform" in one
    ]
    return [int(filter.removeprefix("datum.step == ")) for filter in found]


def test_the_mark_is_on_the_first_step_that_led_to_the_choice():
    selector = hf.SequentialSelector(QUICK, n_features_to_select=4).fit(X, Y)
    assert marked(charts.course(selector)) == [4]
    step = selector.history_.row(3, named=True)
    assert step["features"] == selector.get_support(indices=True).tolist()


def test_a_choice_that_no_step_led_to_has_no_mark():
    """The preferred among equals may be a candidate that lost its step."""
    costs = np.arange(13.0)
    found = hf.SequentialSelector(QUICK, tolerance=1.0, prefer=costs, include=[5]).fit(X, Y)
    led_to = found.history_["features"].to_list()
    chosen = found.get_support(indices=True).tolist()
    assert len(marked(charts.course(found))) == (chosen in led_to)


@pytest.mark.parametrize(
    "selector",
    [
        hf.SequentialSelector(QUICK),
        hf.SequentialSelector(QUICK, floating=True, direction="backward"),
        hf.OscillatingSelector(QUICK, 4),
        hf.IndividualSelector(QUICK, 3),
        hf.ExhaustiveSelector(QUICK, n_features_to_select=2),
        hf.SequentialSelector(QUICK, feature_groups=[[0, 1, 2], [3, 4]]),
        hf.SequentialSelector(DummyClassifier(), n_features_to_select=1),
    ],
    ids=lambda s: f"{type(s).__name__}-{type(s.criterion).__name__}",
)
def test_every_search_can_be_drawn(tmp_path, selector):
    chart = charts.course(selector.fit(X, Y), title="<i>\x01</i>")
    chart.save(tmp_path / "a.png")
    chart.save(tmp_path / "a.svg")
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    text = (tmp_path / "a.svg").read_text("utf-8")
    assert "features in the subset" in text
    assert "<i>" not in text


def test_a_long_search_stays_small_on_disk(tmp_path, swinging):
    charts.course(swinging).save(tmp_path / "a.svg")
    size = (tmp_path / "a.svg").stat().st_size
    assert size < 20_000 + 700 * swinging.history_.height


@pytest.mark.parametrize("thing", [None, hf.SequentialSelector(QUICK), "history"])
def test_only_a_fitted_search_has_a_course(thing):
    with pytest.raises(InputError, match=r"'selector'.*a fitted search.*Call its fit first"):
        charts.course(thing)
