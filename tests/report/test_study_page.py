"""The report of a study: whole, small, and nothing in it that was not meant."""

import json
import re
import time
from html.parser import HTMLParser

import polars as pl
import pytest

from holdfast.exceptions import InputError
from holdfast.report.study import write_report
from holdfast.report.study.findings import MOST_LISTED, MOST_LOOKED_INTO, Findings
from holdfast.report.study.page import in_script
from holdfast.report.study.tables import MOST_ROWS, table_html
from holdfast.study import Study
from tests.report.studies import made_up

NASTY = "</script><script>window.hacked=1</script><img src=x onerror=alert(1)> & \x00"
FETCHING = {"src", "href", "action", "data", "poster", "srcset", "formaction", "background"}
VOID = {"meta", "input", "br", "img", "link"}


class Page(HTMLParser):
    """What a browser would see of a page without running its scripts."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.links, self.ids, self.words = [], [], [], []
        self.open, self.scripts, self.handlers = [], {}, []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.tags.append((tag, given))
        self.links += [value for name, value in attributes if name in FETCHING]
        self.handlers += [name for name, _ in attributes if name.startswith("on")]
        self.ids += [given["id"]] if "id" in given else []
        if tag == "script":
            self.scripts[given.get("id", len(self.scripts))] = ""
        if tag not in VOID:
            self.open.append((tag, given))

    def handle_endtag(self, tag):
        assert self.open.pop()[0] == tag

    def handle_data(self, data):
        inside = self.open[-1][0] if self.open else ""
        if inside == "script":
            last = list(self.scripts)[-1]
            self.scripts[last] += data
        elif inside != "style":
            self.words.append(data)

    @property
    def data(self):
        return json.loads(self.scripts["study"])


def written(results, path, **options):
    return Page(write_report(results, path / "r.html", **options).read_text("utf-8"))


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    results = made_up(sizes=(2, 4, 6, 8), failures=2, selectors=("steady", "rain", "storm"))
    return written(results, tmp_path_factory.mktemp("page"))


def test_every_section_is_there_and_linked(plain):
    headings = [given["id"] for tag, given in plain.tags if tag == "section"]
    assert headings == [
        "recommendation", "compared", "features", "stability", "sizes", "likeness", "differences",
        "failures", "done",
    ]  # fmt: skip
    assert [link for link in plain.links if link != "#main"] == [f"#{one}" for one in headings]
    assert not plain.open
    assert len(set(plain.ids)) == len(plain.ids)


def test_all_charts_have_their_place_and_a_caption(plain):
    places = {given["id"] for tag, given in plain.tags if given.get("class") == "chart"}
    templates = {"raster-blocks"}
    assert places == {f"chart-{name}" for name in plain.data["specs"] if name not in templates}
    tags = [tag for tag, _ in plain.tags]
    assert tags.count("figure") == tags.count("figcaption") == len(places)


def test_tables_can_be_read_aloud_and_sorted(plain):
    tables = [given for tag, given in plain.tags if tag == "table"]
    tags = [tag for tag, _ in plain.tags]
    assert tags.count("caption") == len(tables)
    heads = [given for tag, given in plain.tags if tag == "th"]
    assert all(head["scope"] in ("col", "row") for head in heads)
    assert all(head["aria-sort"] == "none" for head in heads if head["scope"] == "col")
    landmarks = {"header", "nav", "main"}
    assert landmarks <= set(tags)
    assert ("html", {"lang": "en"}) in plain.tags
    assert any(given.get("aria-live") == "polite" for _, given in plain.tags)


def test_nothing_is_fetched_and_only_its_own_scripts_may_run(plain):
    policy = next(given["content"] for tag, given in plain.tags if "content" in given)
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe-eval" not in policy
    assert "unsafe-inline" not in policy.split("style-src")[0]
    assert all(link.startswith("#") for link in plain.links)
    assert not plain.handlers
    assert not any(tag in ("img", "link", "iframe", "object", "base") for tag, _ in plain.tags)


def test_numbers_of_the_script_unpack_to_those_of_the_tables(plain):
    results = made_up(sizes=(2, 4, 6, 8), failures=2, selectors=("steady", "rain", "storm"))
    variant = next(one for one in plain.data["variants"] if one["name"] == "rain")
    runs = results.selections("rain")
    counts = [count for count, n in variant["counts"] for _ in range(n)]
    assert dict(zip(variant["features"], counts, strict=True)) == {
        f: n for f, n in enumerate(runs.frequencies.tolist()) if n
    }
    row = variant["raster"]["rows"][0]
    assert row == runs.masks()[:, variant["features"][0]].astype(int).tolist()
    assert plain.data["names"] == list(results.feature_names)


def test_names_and_titles_stay_text(tmp_path):
    results = made_up(
        names=[NASTY, *"abcdefghijk"],
        selectors=(NASTY, "{title}"),
        models=(NASTY,),
        title=NASTY,
        failures=1,
        sizes=(2, 4),
    )
    page = written(results, tmp_path)
    shown = NASTY.replace("\x00", "\\x00")
    assert len(page.scripts) == 3
    assert not any(tag == "img" for tag, _ in page.tags)
    assert not page.handlers
    assert shown in page.words
    assert "{title}" in " ".join(page.words)
    assert page.data["names"][0] == shown


def test_json_cannot_leave_its_element():
    text = in_script({"</script>": "<!-- & \u2028 \ud800"})
    assert not set("<>&\u2028") & set(text)
    assert json.loads(text) == {"</script>": "<!-- & \u2028 \ud800"}


def test_a_thousand_runs_of_five_thousand_features_in_seconds_and_below_3_mb(tmp_path):
    names = [f"gene_{f:05d}_at, a probe of its chromosome" for f in range(5000)]
    selectors = [f"selector {i}" for i in range(10)]
    results = made_up(1000, 5000, selectors, names=names, chosen=50)
    begun = time.perf_counter()
    path = write_report(results, tmp_path / "r.html")
    assert time.perf_counter() - begun < 30
    assert path.stat().st_size < 3_000_000


def test_a_study_of_very_many_sizes_is_told_within_reason(tmp_path):
    results = made_up(4, 1000, sizes=range(10, 1001, 5), selectors=("a", "b", "c"))
    findings = Findings.of(results, None, 0.05, ("jaccard",))
    assert len(findings.listed) == findings.tradeoff.height == MOST_LISTED
    assert len(findings.looked_into) == MOST_LOOKED_INTO
    assert findings.recommendation.variant == findings.looked_into[0]
    assert {v.selector for v in findings.looked_into if v.size is None} == {"a", "b", "c"}
    assert findings.profiles.height <= 3 * 122
    page = write_report(results, tmp_path / "r.html")
    assert page.stat().st_size < 3_000_000
    assert f"{MOST_LISTED} of 600 sizes and selectors" in page.read_text("utf-8")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"n_runs": 0}, "No run has finished yet"),
        ({"models": ()}, "no model to tell accuracy by"),
        ({"n_runs": 1}, "at least two finished runs"),
        ({"n_runs": 3, "failures": 3, "selectors": ("only",)}, "No run has finished yet"),
        ({"chosen": 0}, "steady"),
        ({"selectors": ("one",)}, "one"),
        ({"inner": 3, "n_runs": 3}, "inner samples"),
        ({"title": ""}, "Study"),
    ],
    ids=str,
)
def test_whatever_there_is_can_be_told(tmp_path, options, said):
    page = written(made_up(**options), tmp_path)
    assert said in " ".join(page.words)
    assert not page.open


def test_measures_asked_for_are_listed_and_wrong_ones_refused(tmp_path):
    page = written(made_up(), tmp_path, measures=["jaccard", "somol"])
    words = " ".join(page.words)
    assert "cw_rel" in words
    assert "kuncheva" not in words
    for wrong in ({"measures": ["jacard"]}, {"model": "SVM"}, {"alpha": 0}):
        with pytest.raises(InputError):
            write_report(made_up(), tmp_path / "never.html", **wrong)
    assert not (tmp_path / "never.html").exists()


def test_long_tables_end_and_say_so():
    table = pl.DataFrame({"a": range(MOST_ROWS + 3), "b": [float("nan")] * (MOST_ROWS + 3)})
    text = table_html(table, "Numbers")
    assert text.count("<tr>") == MOST_ROWS + 1
    assert f"The first {MOST_ROWS} of {MOST_ROWS + 3} rows." in text
    assert "–" in text


def test_a_study_writes_its_report(tmp_path):
    from sklearn.datasets import load_wine
    from sklearn.feature_selection import SelectKBest

    X, y = load_wine(return_X_y=True)
    study = Study(X, y, {"F": SelectKBest(k=3), "F 5": SelectKBest(k=5)}, repetitions=4).run()
    path = study.report(tmp_path / "wine.html")
    assert path == tmp_path / "wine.html"
    page = Page(path.read_text("utf-8"))
    assert re.search(r"2 selectors on 13 features; 8 of 8 runs ended", " ".join(page.words))
