"""Charts: their tables hold the right numbers, and every name and size can be drawn."""

import json

import altair as alt
import numpy as np
import pytest

from holdfast import Selections, charts
from holdfast.exceptions import InputError

AWKWARD = [
    "a[0]",
    "a.b",
    "it's",
    'say "hi"',
    "back\\slash",
    "<b>bold</b>",
    "</script><script>alert(1)</script>",
    "ünï,комма",
    "",
    " ",
    "line\nbreak",
    "\x00zero",
    "\x1b[31mred",
    "datum.x",
    "null",
    "true",
    "1",
    "1.0",
    "{{ x }} ${x} &amp;",
]


def random_runs(n_runs, n_features, seed=0, **names):
    rng = np.random.default_rng(seed)
    return Selections.from_masks(rng.random((n_runs, n_features)) < 0.4, **names)


def rows_of(chart):
    """The largest data set inside the chart's specification."""
    return max(json.loads(chart.to_json())["datasets"].values(), key=len)


@pytest.fixture
def few():
    return Selections.from_subsets(
        [["c", "a"], ["c"], ["c", "a"], ["d"]],
        feature_names=["a", "b", "c", "d"],
        run_names=["w", "x", "y", "z"],
    )


def test_raster_table_has_the_mask_of_each_run(few):
    table = charts.raster_table(few)
    assert table["feature"].unique(maintain_order=True).to_list() == ["c", "a", "d"]
    assert table["share"].to_list() == [1, 1, 1, 0, 1, 0, 1, 0, 0, 0, 0, 1]
    assert table["frequency"].to_list() == [0.75] * 4 + [0.5] * 4 + [0.25] * 4
    assert table["first"].to_list() == table["last"].to_list() == [1, 2, 3, 4] * 3
    assert table["run"].to_list() == ["w", "x", "y", "z"] * 3


@pytest.mark.parametrize("n_runs", [1, 2, 119, 120, 121, 240, 241, 1000])
def test_blocks_cover_every_run_once_and_count_its_choices(n_runs):
    runs = random_runs(n_runs, 7)
    table = charts.raster_table(runs, top=5)
    features = table["feature"].unique(maintain_order=True).to_list()
    masks = runs.masks()
    for name in features:
        lines = table.filter(feature=name)
        assert lines.height <= charts.MOST_COLUMNS
        covered = [
            run
            for a, b in zip(lines["first"], lines["last"], strict=True)
            for run in range(a, b + 1)
        ]
        assert covered == list(range(1, n_runs + 1))
        column = masks[:, runs.feature_names.index(name)]
        for first, last, share in lines.select("first", "last", "share").iter_rows():
            assert share == pytest.approx(column[first - 1 : last].mean())


def test_the_most_often_chosen_come_first_and_ties_in_feature_order():
    runs = Selections.from_subsets([[3, 1], [1, 3], [2]], n_features=5)
    assert charts.frequency_table(runs)["feature"].to_list() == ["x1", "x3", "x2"]
    assert charts.frequency_table(runs, top=1)["feature"].to_list() == ["x1"]
    assert charts.frequency_table(runs)["share"].to_list() == pytest.approx([2 / 3, 2 / 3, 1 / 3])


def test_runs_that_chose_nothing_can_be_drawn():
    runs = Selections.from_subsets([[], []], n_features=3)
    assert charts.raster_table(runs)["share"].to_list() == [0.0] * 6
    assert charts.frequency_table(runs)["runs"].to_list() == [0, 0, 0]
    charts.raster(runs).to_json()
    charts.frequencies(runs).to_json()


@pytest.mark.parametrize("chart", [charts.raster, charts.frequencies])
@pytest.mark.parametrize("top", [0, -1, 2.5, "all", True])
def test_top_must_be_a_whole_number(few, chart, top):
    with pytest.raises(InputError, match="'top'"):
        chart(few, top=top)


def test_dark_bars_are_the_consensus(few):
    rows = rows_of(charts.frequencies(few, at_least=0.5))
    assert {row["feature"] for row in rows if row["agreed"]} == {"a", "c"}
    rows = rows_of(charts.frequencies(few, at_least=0.75))
    assert {row["feature"] for row in rows if row["agreed"]} == {"c"}


def test_the_subtitle_says_when_features_are_left_out(few):
    assert "2 most often chosen of 3" in charts.raster(few, top=2).title.subtitle
    assert "of 3" not in charts.raster(few, top=3).title.subtitle
    assert charts.raster(few, subtitle="mine").title.subtitle == "mine"


@pytest.mark.parametrize("draw", [charts.raster, charts.frequencies])
def test_png_svg_and_html_hold_every_awkward_name(tmp_path, draw):
    runs = Selections.from_subsets(
        [range(len(AWKWARD)), range(0, len(AWKWARD), 2)], feature_names=AWKWARD
    )
    chart = draw(runs, title="<i>\x01</i>")
    chart.save(tmp_path / "a.png")
    chart.save(tmp_path / "a.svg")
    chart.save(tmp_path / "a.html", inline=True)
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    assert "комма" in (tmp_path / "a.svg").read_text("utf-8")
    page = (tmp_path / "a.html").read_text("utf-8")
    assert "<script>alert" not in page
    assert len({row["feature"] for row in rows_of(chart)}) == len(AWKWARD)


def test_the_html_needs_no_network(few, tmp_path):
    charts.raster(few).save(tmp_path / "a.html", inline=True)
    page = (tmp_path / "a.html").read_text("utf-8")
    assert "<script src" not in page
    assert "<link" not in page


def test_many_runs_and_features_stay_within_altairs_limit_or_around_it():
    runs = random_runs(1000, 300)
    assert charts.raster_table(runs).height <= 40 * charts.MOST_COLUMNS
    wide = charts.raster(runs, top=50)
    assert len(rows_of(wide)) > 5000
    assert alt.data_transformers.active == "default"


def test_a_large_system_is_drawn_without_a_dense_table():
    rng = np.random.default_rng(0)
    chosen = np.argsort(rng.random((2000, 500)), axis=1)[:, :5] * 1000
    runs = Selections.from_subsets(chosen.tolist(), n_features=500_000)
    table = charts.raster_table(runs, top=3)
    assert table.height == 3 * 118
