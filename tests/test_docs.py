"""What the README and the guide show is what one gets, and their pictures are of these runs."""

import importlib.util
import re
from pathlib import Path

import pytest

import holdfast

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "docs" / "examples.py"

if not SOURCE.exists():
    pytest.skip("the documentation is not part of this source archive", allow_module_level=True)

spec = importlib.util.spec_from_file_location("examples", SOURCE)
examples = importlib.util.module_from_spec(spec)
spec.loader.exec_module(examples)

TEXT = re.compile(r"<text[^>]*>([^<]*)</text>")


@pytest.mark.parametrize("page", examples.PAGES, ids=lambda page: page.stem)
def test_the_examples_of_a_page_give_what_it_shows(page, tmp_path):
    examples.run(page, tmp_path)
    for picture in tmp_path.glob("*.svg"):
        committed = examples.PICTURES / picture.name
        assert committed.exists(), f"{picture.name}: run `python docs/examples.py`"
        assert words_in(committed) == words_in(picture), f"{picture.name} is out of date"


def words_in(picture):
    """Texts with a letter: features, titles and numbers in them, but not the ticks of an axis."""
    found = TEXT.findall(picture.read_text("utf-8"))
    return [text for text in found if re.search("[a-z]", text)]


def test_every_picture_on_a_page_is_there_and_every_picture_is_on_a_page():
    shown = {
        name
        for page in examples.PAGES
        for name in re.findall(r"_static/([\w.-]+)", page.read_text("utf-8"))
    }
    assert shown == {path.name for path in examples.PICTURES.iterdir()}


def test_a_wrong_output_is_found(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("```pycon\n>>> 1 + 1\n3\n```\n")
    with pytest.raises(AssertionError, match="Expected"):
        examples.run(page, tmp_path)
    page.write_text("```console\n$ echo yes\nno\n```\n")
    with pytest.raises(AssertionError, match="got:\nyes"):
        examples.run(page, tmp_path)


def test_the_guide_has_the_page_that_people_look_for():
    page = ROOT / "docs" / "guide" / "folds-disagree.md"
    assert page.read_text("utf-8").startswith("# Folds disagree: which features do I use?\n")


def test_the_readme_counts_the_measures_right():
    subsets = [
        measure
        for key, measure in holdfast.stability.MEASURES.items()
        if key not in ("cw_min", "cw_max", "krizek_normalised")
        and not measure.needs & {"weights", "weights or ranks"}
    ]
    correlated = [measure for measure in subsets if "similarity" in measure.needs]
    readme = (ROOT / "README.md").read_text("utf-8")
    assert f"| stability measures of subsets | {len(subsets)} |" in readme
    assert f"| – that count correlated features as alike | {len(correlated)} |" in readme


def test_the_citation_is_of_this_version():
    citation = (ROOT / "CITATION.cff").read_text("utf-8")
    assert f"\nversion: {holdfast.__version__}\n" in citation
