"""The page: everything inside it, nothing in it that was not meant."""

from html.parser import HTMLParser

import polars as pl
import pytest

from holdfast import Selections, charts
from holdfast.report.page import Part, render

NASTY = '<script>alert("1")</script> & </p>'


class Outline(HTMLParser):
    """Collects tags, their links, and text."""

    def __init__(self):
        super().__init__()
        self.tags, self.links, self.text = [], [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.links += [value for name, value in attrs if name in ("src", "href")]

    def handle_data(self, data):
        self.text.append(data)


@pytest.fixture
def page():
    runs = Selections.from_subsets([[NASTY], [NASTY, "b"]], feature_names=[NASTY, "b"])
    parts = [
        Part(NASTY, NASTY, table=pl.DataFrame({NASTY: [NASTY]})),
        Part("Picture", chart=charts.raster(runs), described=NASTY),
    ]
    outline = Outline()
    outline.feed(render(NASTY, NASTY, parts))
    return outline


def test_text_stays_text(page):
    assert "script" not in page.tags
    assert page.text.count(NASTY) == 7


def test_nothing_comes_from_elsewhere(page):
    assert page.tags.count("img") == 1
    assert all(link.startswith("data:image/svg+xml;base64,") for link in page.links)
    assert "link" not in page.tags
