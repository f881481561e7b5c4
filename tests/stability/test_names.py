"""The names that others rely on."""

import numpy as np
import pytest

import holdfast as hf

KEYS = [
    "c",
    "cw",
    "cw_rel",
    "jaccard",
    "hamming",
    "dice",
    "ochiai",
    "kuncheva",
    "lustgarten",
    "wald",
    "npog",
    "npogr",
    "nogueira2016",
    "nogueira2018",
    "yu",
    "krizek",
    "davis",
    "phi",
    "novovicova",
    "zucknick",
    "sechidis",
    "intersection_count",
    "intersection_greedy",
    "intersection_mbm",
    "intersection_mean",
    "pearson",
    "spearman",
    "cw_min",
    "cw_max",
    "kappa",
    "unadjusted",
    "yu2012",
    "krizek_normalised",
]
DATA = np.random.default_rng(0).normal(size=(30, 6))
RUNS = hf.Selections.from_weights(np.random.default_rng(1).normal(size=(5, 6)), top=2)


@pytest.mark.parametrize("key", KEYS)
def test_every_key_gives_a_float(key):
    options = {"X": DATA} if "similarity" in hf.stability.measure(key).needs else {}
    assert isinstance(hf.stability.score(RUNS, key, **options), float)


def test_there_is_no_other_key():
    assert set(hf.stability.MEASURES) == set(KEYS)
    assert hf.stability.catalogue()["key"].to_list() == list(hf.stability.MEASURES)


def test_the_table_holds_every_measure_that_applies():
    everything = hf.stability.table(RUNS, X=DATA)
    assert set(everything["measure"]) == set(KEYS)
    plain = hf.stability.table(hf.Selections.from_subsets([[0], [1, 2]], n_features=4))
    missing = set(KEYS) - set(plain["measure"])
    needs = {key: hf.stability.measure(key).needs for key in KEYS}
    assert missing == {key for key in KEYS if needs[key]}


def test_the_table_and_the_scores_agree():
    table = hf.stability.table(RUNS, ["cw_rel", "tanimoto", "nogueira2018"])
    assert table["measure"].to_list() == ["cw_rel", "jaccard", "nogueira2018"]
    assert table["value"].to_list() == [hf.stability.score(RUNS, key) for key in table["measure"]]
    interval = hf.stability.interval(RUNS)
    assert table.row(2, named=True)["low"] == interval.low
    assert table["low"].to_list()[:2] == [None, None]


def test_a_measure_asked_for_that_does_not_apply_is_an_error():
    runs = hf.Selections.from_subsets([[0], [1, 2]], n_features=4)
    with pytest.raises(hf.exceptions.InputError, match="one size only"):
        hf.stability.table(runs, ["kuncheva"])
    with pytest.raises(hf.exceptions.InputError, match="'similarity'"):
        hf.stability.table(runs, ["yu"])


def test_the_catalogue_says_what_each_measure_has():
    catalogue = hf.stability.catalogue()
    row = catalogue.filter(catalogue["key"] == "npog").row(0, named=True)
    assert [name for name in hf.stability.PROPERTIES if row[name]] == [
        "monotone",
        "chance",
        "unconstrained",
    ]
