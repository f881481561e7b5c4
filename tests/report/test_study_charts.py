"""Charts of studies: drawn from small tables, in every format, by day and by night."""

import json

import numpy as np
import polars as pl
import pytest

from holdfast.exceptions import InputError
from holdfast.report import charts
from holdfast.report.charts.style import DARK, HUES, SHAPES, hues, shapes
from holdfast.study.analysis import (
    corrected_interval,
    frequency_table,
    likeness_map,
    profile_table,
    size_table,
    tradeoff_table,
)
from holdfast.study.results import Variant
from tests.report.studies import made_up

NASTY = "<script>alert(1)</script> a[0].b\x00\x1b[31m \"' {{x}} ünï"
SELECTORS = (NASTY, "rain", "b.c[0]")


@pytest.fixture(scope="module")
def study():
    return made_up(selectors=SELECTORS, sizes=(2, 4, 6, 8, 10), names=[NASTY, *"abcdefghijk"])


@pytest.fixture(scope="module")
def drawn(study):
    return {
        "tradeoff": charts.tradeoff(tradeoff_table(study)),
        "profiles": charts.profiles(profile_table(study)),
        "sizes": charts.sizes(size_table(study)),
        "likeness": charts.likeness(likeness_map(study, study.variants()[:5])),
        "bars": charts.frequency_bars(frequency_table(study, Variant("rain"))),
    }


NAMES = ("tradeoff", "profiles", "sizes", "likeness", "bars")


def data_of(chart):
    return max(json.loads(chart.to_json())["datasets"].values(), key=len)


@pytest.mark.parametrize("name", NAMES)
def test_every_chart_is_saved_in_every_format_and_for_a_dark_ground(tmp_path, drawn, name):
    chart = drawn[name]
    before = chart.to_json()
    for each, where in ((chart, tmp_path / "light"), (charts.dark(chart), tmp_path / "dark")):
        each.save(where.with_suffix(".png"))
        each.save(where.with_suffix(".svg"))
        each.save(where.with_suffix(".pdf"))
        assert where.with_suffix(".png").read_bytes().startswith(b"\x89PNG")
        assert where.with_suffix(".pdf").read_bytes().startswith(b"%PDF")
        svg = where.with_suffix(".svg").read_text("utf-8")
        assert "<script" not in svg
        assert "\x00" not in svg
    assert DARK["#ffffff"] in svg
    assert chart.to_json() == before


@pytest.mark.parametrize("name", NAMES)
def test_every_chart_says_in_words_what_it_shows(drawn, name):
    assert len(drawn[name].to_dict()["description"]) > 30


def test_names_are_data_and_never_field_names(drawn):
    for chart in drawn.values():
        spec = chart.to_dict()
        spec.pop("datasets", None)

        def fields(part):
            if isinstance(part, dict):
                for key, value in part.items():
                    if key == "field":
                        yield value
                    yield from fields(value)
            elif isinstance(part, list):
                for one in part:
                    yield from fields(one)

        assert all(field.replace("_", "").isalnum() for field in fields(spec))


def test_the_tradeoff_has_a_row_a_variant_and_one_recommended(study, drawn):
    rows = data_of(drawn["tradeoff"])
    assert len(rows) == len(study.variants()) == 18
    assert sum(row["recommended"] for row in rows) == 1
    for row in rows:
        assert row["accuracy_low"] <= row["accuracy"] <= max(row["accuracy_high"], row["accuracy"])


def test_the_edge_is_what_no_other_beats_in_accuracy_and_stability(study):
    table = tradeoff_table(study)
    points = table.select("accuracy", "stability").to_numpy()
    for point, edge in zip(points, table["edge"], strict=True):
        beaten = ((points >= point).all(axis=1) & (points > point).any(axis=1)).any()
        assert edge == (not beaten)


def test_intervals_widen_by_what_samples_share():
    values = np.array([0.8, 0.9, 0.7, 0.85])
    low, high = corrected_interval(values, 0.0)
    wider = corrected_interval(values, 0.25)
    assert wider[1] - wider[0] == pytest.approx((high - low) * np.sqrt(2.0))
    assert (low + high) / 2 == pytest.approx(values.mean())
    assert np.isnan(corrected_interval(values[:1], 0.25)).all()
    with pytest.raises(InputError, match="'level'"):
        corrected_interval(values, 0.25, 1.0)


def test_the_table_of_sizes_counts_every_run(study):
    table = size_table(study)
    assert table.group_by("selector").agg(pl.col("runs").sum())["runs"].to_list() == [20, 20, 20]
    assert set(table["n_features"]) == {4}


def test_a_profile_over_many_sizes_has_a_logarithmic_axis():
    few = pl.DataFrame(
        {"selector": "s", "size": [2, 1000], "stability": [0.1, 0.2], "random": 0.0, "knot": False}
    )
    assert '"type": "log"' in json.dumps(charts.profiles(few).to_dict())
    assert '"type": "log"' not in json.dumps(charts.profiles(few.head(1)).to_dict())
    charts.profiles(few.clear()).to_dict()


def test_bars_show_the_features_ever_chosen_with_their_intervals(study, drawn):
    table = frequency_table(study, Variant("rain"))
    rows = data_of(drawn["bars"])
    ever = table.filter(pl.col("chosen") > 0)
    assert [row["share"] for row in rows] == ever["share"].to_list()
    assert [row["low"] for row in rows] == ever["low"].to_list()
    assert len(data_of(charts.frequency_bars(table, top=2))) == 2
    for top in (0, 2.5, True, "all"):
        with pytest.raises(InputError, match="'top'"):
            charts.frequency_bars(table, top=top)


def test_fifty_selectors_have_marks_of_their_own():
    names = [f"s{i}" for i in range(49)]
    colours = hues(names).to_dict()["range"]
    forms = shapes(names).to_dict()["range"]
    assert len(set(zip(colours, forms, strict=True))) == 49
    assert len(HUES) == len(SHAPES) == 7


def test_without_anything_to_compare_a_map_is_one_mark(study):
    charts.likeness(likeness_map(study, study.variants()[:1])).to_dict()
