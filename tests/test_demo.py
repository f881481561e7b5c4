"""The demo ends with a picture and a page on disk, and says where."""

from html.parser import HTMLParser

from holdfast import demo


class Links(HTMLParser):
    """Collects what a page would fetch."""

    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attrs):
        self.found += [value for name, value in attrs if name in ("src", "href")]


def test_it_leaves_a_picture_and_a_page_and_prints_their_paths(tmp_path, capsys):
    page = demo.main(tmp_path / "new folder")
    assert page.read_text("utf-8").startswith("<!doctype html>")
    picture = page.with_suffix(".png")
    assert picture.read_bytes().startswith(b"\x89PNG")
    said = capsys.readouterr().out
    assert str(page) in said
    assert str(picture) in said
    links = Links()
    links.feed(page.read_text("utf-8"))
    assert links.found
    assert all(link.startswith("data:") for link in links.found)


def test_stability_tells_the_selectors_apart_where_accuracy_does_not():
    _, sparse, tree, floating = (each for _, each in demo.outcomes())
    assert abs(sparse.accuracy - tree.accuracy) < 0.02
    assert sparse.interval.low > tree.interval.high + 0.3
    assert len(sparse.trusted) > len(tree.trusted)
    assert abs(sparse.accuracy - floating.accuracy) < 0.02
    assert sparse.interval.low > floating.interval.high + 0.3
