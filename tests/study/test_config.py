"""Study files: all mistakes at once, each with its line and the nearest right name."""

import re

import numpy as np
import pytest
from sklearn.feature_selection import f_classif
from sklearn.pipeline import Pipeline

import holdfast as hf
from holdfast.exceptions import InputError
from holdfast.study.config import read_study, store_of
from holdfast.study.places import line_of

GOOD = """
[study]
title = "Wine & <b>others</b>"
store = "kept/wine.sqlite"
seed = 3
time_limit = 60
sizes = [2, 5]
measures = ["jaccard", "cw_rel"]

[data]
file = "wine.csv"
target = "class"
exclude = ["id"]
groups = "batch"

[protocol]
name = "groups"
repetitions = 4

[selectors.best]
type = "SelectKBest"
k = 3
score_func = {type = "f_classif"}

[selectors."search, 3-NN"]
type = "SequentialSelector"
criterion = {type = "KNN", n_neighbors = 3}
n_features_to_select = 2

[selectors.piped]
type = "Pipeline"
steps = [{type = "StandardScaler"}, {type = "LinearSVC", dual = false}]

[models.nb]
type = "sklearn.naive_bayes.GaussianNB"
"""


@pytest.fixture
def folder(tmp_path):
    random = np.random.default_rng(0)
    rows = ["id,batch,a,b,c,d,e,class"]
    for i in range(60):
        values = ",".join(f"{v:.3f}" for v in random.normal(size=5) + i % 2)
        rows.append(f"{i},{i // 6},{values},{'xy'[i % 2]}")
    (tmp_path / "wine.csv").write_text("\n".join(rows))
    return tmp_path


@pytest.fixture
def mistakes(folder):
    """The lines of the refusal of a text."""

    def mistakes(text):
        file = folder / "study.toml"
        file.write_text(text, encoding="utf-8")
        with pytest.raises(InputError) as refused:
            read_study(file)
        assert str(folder) in str(refused.value)
        return str(refused.value).replace(f"{file}, ", "").replace(f"{file}", "file").splitlines()

    return mistakes


def test_a_whole_study(folder):
    file = folder / "study.toml"
    file.write_text(GOOD, encoding="utf-8")
    (folder / "kept").mkdir()
    found = read_study(file)
    study = found.study
    assert found.measures == ("jaccard", "cw_rel")
    assert study.title == "Wine & <b>others</b>"
    assert study.path == store_of(file) == folder / "kept" / "wine.sqlite"
    assert study.card.feature_names == tuple("abcde")
    assert study.groups.tolist() == [i // 6 for i in range(60)]
    assert (study.sizes, study.time_limit, study.protocol.name) == ((2, 5), 60, "groups")
    assert study.selectors["best"].score_func is f_classif
    assert isinstance(study.selectors["search, 3-NN"].criterion, hf.criteria.KNN)
    assert isinstance(study.selectors["piped"], Pipeline)
    assert list(study.models) == ["nb"]
    assert len(study.tasks) == 12
    assert not study.run().results.failures


def test_all_mistakes_at_once(mistakes):
    text = (
        GOOD.replace("seed = 3", "sead = 3")
        .replace("time_limit = 60", 'time_limit = "long"')
        .replace("score_func", "scor_func")
        .replace('"KNN"', '"KNM"')
        .replace("GaussianNB", "GausianNB")
        .replace("repetitions = 4", "repetitions = 0")
    )
    told = mistakes(text)
    assert told == [
        "line 5: [study] has no field 'sead'; did you mean 'seed'?",
        "line 6: study.time_limit: input should be a valid number. Got 'long' instead.",
        "line 18: protocol.repetitions: input should be greater than or equal to 1. Got 0 instead.",
        "line 23: SelectKBest has no field 'scor_func'; did you mean 'score_func'?",
        "line 27: there is no type 'KNM'; did you mean 'KNN'?",
        "line 35: there is no 'sklearn.naive_bayes.GausianNB' to import.",
    ]


def test_names_of_measures_protocols_and_columns(mistakes):
    text = (
        GOOD.replace('"jaccard"', '"jacard"')
        .replace('"groups"\nrep', '"group"\nrep')
        .replace('["id"]', '["ident", "clas"]')
        .replace('groups = "batch"', 'groups = "bach"')
        .replace("sizes = [2, 5]", 'sizes = "all"')
    )
    told = mistakes(text)
    assert told[0].startswith("line 7: sizes must be a list of numbers or 'profile'. Got 'all'")
    assert told[1] == "line 8: there is no measure 'jacard'; did you mean 'jaccard'?"
    assert told[2] == "line 13: there is no column 'ident'."
    assert told[3].startswith("line 13: there is no column 'clas'")
    assert told[4] == "line 14: there is no column 'bach'; did you mean 'batch'?"
    assert told[5] == "line 17: there is no protocol 'group'; did you mean 'groups'?"
    assert len(told) == 6


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ('target = "class"', 'target = "klass"', "klass"),
        ('file = "wine.csv"', 'file = "none.csv"', "none.csv"),
        ('file = "wine.csv"', 'name = "vine"', "vine"),
        ('file = "wine.csv"', 'file = "wine.csv"\nname = "wine"', "needs one of file and name"),
        ('file = "wine.csv"\n', "", "needs one of file and name"),
        ("[models.nb]\ntype", "[models.nb]\nkind", "line 34: models.nb has no type"),
        ('type = "SelectKBest"', "type = 3", "the type must be a name. Got 3"),
        ('type = "SelectKBest"', 'type = "RFE"', "RFE needs 'estimator'"),
        ("{type = \"f_classif\"}", "{type = \"f_classif\", a = 1}", "takes no fields"),
        ("[study]", "[studies]", "a study file has no field 'studies'; did you mean 'study'?"),
        ("sizes = [2, 5]", "sizes = [2, 9]", "from 1 to 5"),
        ("sizes = [2, 5]", "sizes = [0]", "greater than or equal to 1"),
        ("repetitions = 4", "repetitions = -1", "greater than or equal to 1"),
        ("repetitions = 4", 'repetitions = "4"', "valid integer"),
        ("[selectors.piped]", "[selectors.best]", "given twice; rename or remove one"),
        ("k = 3", "k = 3\nk = 4", "given twice; rename or remove one"),
        ("k = 3", "k = = 3", r"not TOML.*line 22"),
        ("k = 3", "k = 0\nwrong = 1", "no field 'wrong'"),
    ],
)  # fmt: skip
def test_single_mistakes(mistakes, before, after, said):
    assert before in GOOD
    told = "\n".join(mistakes(GOOD.replace(before, after)))
    assert re.search(said, told), told


def test_a_name_given_twice_has_its_line(mistakes):
    told = mistakes(GOOD.replace("k = 3", "k = 3\nk = 4"))
    assert "line 23" in told[0]
    told = mistakes(GOOD.replace("[selectors.piped]", "[selectors.best]"))
    assert "line 30" in told[0]


def test_no_selectors(mistakes):
    assert "there is no data" in "\n".join(mistakes("[selectors]\n"))
    assert "there is no selectors" in "\n".join(mistakes('[data]\nname = "wine"\n'))
    assert mistakes("")


def test_classes_too_small(mistakes, folder):
    text = (folder / "wine.csv").read_text() + "\n60,10,1,2,3,4,5,z"
    (folder / "wine.csv").write_text(text)
    told = mistakes(GOOD.replace('"groups"\nrep', '"subsampling"\nrep'))
    assert "needs at least 2 examples of each class: class z has 1" in told[0]


def test_unreadable(tmp_path):
    with pytest.raises(InputError, match="cannot be read"):
        read_study(tmp_path / "none.toml")
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="cannot be read"):
        read_study(tmp_path / "bytes.toml")


def test_lines():
    text = "# c\n[a]\nb = 1\n[\"x y\".c]\n  d . e = 2\n[[f]]\n'g h' = 3 # [a]\n"
    for path, line in [
        (("a",), 2), (("a", "b"), 3), (("x y", "c"), 4), (("x y", "c", "d", "e"), 5),
        (("x y", "c", "d"), 4), (("f",), 6), (("f", "g h"), 7), (("a", "z"), 2), (("z",), None),
    ]:  # fmt: skip
        assert line_of(text, path) == line
