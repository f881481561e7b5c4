import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import holdfast as hf
from holdfast.exceptions import InputError

SUFFIXES = (".csv", ".tsv", ".json", ".parquet")
AWKWARD = ["", " ", "a,b", 'say "x"', "tab\there", "two\nlines", "cr\rhere", "<b>&amp;[bold]", "'"]
AWKWARD += [
    "特徴",
    "ΔΦ",
    "أ",
    "\ufeff",
    "0",
    "1",
    "true",
    "run ",
    "feature",
    "#",
    "\\",
    "\u2028",
    ";",
]

# Everything that can be encoded and that a table of text can hold.
characters = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
names = st.one_of(st.sampled_from(AWKWARD), st.text(characters, max_size=8))


@st.composite
def systems(draw):
    features = draw(st.lists(names.filter(lambda name: name != "run"), min_size=1, unique=True))
    index = st.integers(0, len(features) - 1)
    subsets = draw(st.lists(st.sets(index), min_size=1, max_size=6))
    n_runs = len(subsets)
    run_names = draw(st.none() | st.lists(names, min_size=n_runs, max_size=n_runs, unique=True))
    return hf.Selections.from_subsets(subsets, feature_names=features, run_names=run_names)


@given(runs=systems(), suffix=st.sampled_from(SUFFIXES))
def test_what_is_written_is_read(runs, suffix):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"runs{suffix}"
        if runs.feature_names == ("feature",) and suffix != ".json":
            with pytest.raises(InputError, match="Write JSON"):
                hf.write_selections(runs, path)
            return
        assert hf.write_selections(runs, path) == path
        assert hf.read_selections(path) == runs
        assert [file.name for file in Path(folder).iterdir()] == [path.name]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_scores_stay_behind(tmp_path, suffix):
    weighed = hf.Selections.from_weights([[0.0, 1.0], [2.0, 3.0]])
    read = hf.read_selections(hf.write_selections(weighed, tmp_path / f"runs{suffix}"))
    assert read == hf.Selections.from_subsets([[1], [0, 1]], 2)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_nothing_is_replaced_unasked(tmp_path, suffix):
    first = hf.Selections.from_subsets([[0]], 2)
    second = hf.Selections.from_subsets([[1]], 2)
    path = hf.write_selections(first, tmp_path / f"runs{suffix.upper()}")
    with pytest.raises(InputError, match=r"is there already.*overwrite=True"):
        hf.write_selections(second, path)
    assert hf.read_selections(path) == first
    hf.write_selections(second, path, overwrite=True)
    assert hf.read_selections(path) == second


def test_a_failed_write_leaves_what_was_there(tmp_path, monkeypatch):
    runs = hf.Selections.from_subsets([[0]], 2)
    path = hf.write_selections(runs, tmp_path / "runs.csv")

    def full_disk(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full_disk)
    monkeypatch.setattr(Path, "replace", full_disk)
    with pytest.raises(InputError, match=r"cannot be written .No space left"):
        hf.write_selections(hf.Selections.from_subsets([[1]], 2), path, overwrite=True)
    assert hf.read_selections(path) == runs
    assert list(tmp_path.iterdir()) == [path]


def test_links_and_rights_stay(tmp_path):
    runs = hf.Selections.from_subsets([[0]], 2)
    path = hf.write_selections(runs, tmp_path / "runs.csv")
    path.chmod(0o640)
    link = tmp_path / "link.csv"
    link.symlink_to(path)
    hf.write_selections(runs, link, overwrite=True)
    assert link.is_symlink()
    assert path.stat().st_mode & 0o777 == 0o640


def test_new_files_have_the_usual_rights(tmp_path):
    runs = hf.Selections.from_subsets([[0]], 2)
    usual = tmp_path / "usual"
    usual.touch()
    path = hf.write_selections(runs, tmp_path / "runs.parquet")
    assert path.stat().st_mode == usual.stat().st_mode


RUNS = hf.Selections.from_subsets([[0]], 2)


@pytest.mark.parametrize(
    ("runs", "name", "message"),
    [
        (RUNS, "runs.txt", "'path'.*ends in .csv, .tsv, .json, .parquet"),
        (RUNS, "no/such/folder.csv", "no folder"),
        ([[0]], "runs.csv", "'runs'.*a Selections. Got a list"),
        (
            hf.Selections.from_subsets([[0]], feature_names=["run", "a"]),
            "runs.csv",
            "'run'.*Write JSON",
        ),
        (
            hf.Selections.from_subsets([[0]], feature_names=["a\0"]),
            "runs.tsv",
            "null character.*Write JSON",
        ),
        (
            hf.Selections.from_subsets([[0]], feature_names=["\ud800"]),
            "runs.json",
            r"A name holds '\\ud800', which is no text. Rename it",
        ),
    ],
)
def test_refuses(tmp_path, runs, name, message):
    with pytest.raises(InputError, match=message):
        hf.write_selections(runs, tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_a_folder_is_not_replaced(tmp_path):
    (tmp_path / "runs.csv").mkdir()
    with pytest.raises(InputError, match="not a file"):
        hf.write_selections(RUNS, tmp_path / "runs.csv", overwrite=True)
