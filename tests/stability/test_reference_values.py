"""Our numbers against those of the R package stabm 1.2.2, system by system.

Where stabm says NA we return a documented value, and the tests say which. The Monte-Carlo values of
stabm are compared loosely, with ours drawn by another generator.
"""

import json
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

import holdfast as hf
from tests.naive import subsets

REFERENCE = json.loads((Path(__file__).parents[1] / "data" / "stabm.json").read_text())
SYSTEMS = {system["name"]: system for system in REFERENCE["systems"]}

PLAIN = {
    "davis": ("davis", {}),
    "davis_penalty1": ("davis", {"penalty": 1}),
    "davis_penalty10": ("davis", {"penalty": 10}),
    "dice": ("dice", {}),
    "dice_exact": ("dice", {"chance": "exact"}),
    "dice_impute0": ("dice", {}),
    "hamming": ("hamming", {}),
    "hamming_exact": ("hamming", {"chance": "exact"}),
    "jaccard": ("jaccard", {}),
    "jaccard_exact": ("jaccard", {"chance": "exact"}),
    "jaccard_impute0": ("jaccard", {}),
    "kappa": ("kappa", {}),
    "kappa_impute0": ("kappa", {}),
    "lustgarten": ("lustgarten", {}),
    "lustgarten_impute0": ("lustgarten", {}),
    "nogueira": ("nogueira2018", {}),
    "novovicova": ("novovicova", {}),
    "ochiai": ("ochiai", {}),
    "ochiai_exact": ("ochiai", {"chance": "exact"}),
    "ochiai_impute0": ("ochiai", {}),
    "phi": ("phi", {}),
    "phi_impute0": ("phi", {}),
    "somol": ("cw_rel", {}),
    "unadjusted": ("unadjusted", {}),
    "unadjusted_impute0": ("unadjusted", {}),
    "wald": ("wald", {}),
    "wald_impute0": ("wald", {}),
}
ADJUSTED = {
    "yu": "yu2012",
    "zucknick": "zucknick",
    "intersectioncount": "intersection_count",
    "intersectiongreedy": "intersection_greedy",
    "intersectionmbm": "intersection_mbm",
    "intersectionmean": "intersection_mean",
}
EMPTY_PAIR_COUNTS_ONE_HERE = {"dice_impute0", "jaccard_impute0", "ochiai_impute0"}


def runs_of(system):
    subsets = [np.atleast_1d(f).astype(int) - 1 for f in system["features_1based"]]
    return hf.Selections.from_subsets(subsets, n_features=system["p"])


def has(name, reference):
    return SYSTEMS[name]["values"].get(reference) is not None


CASES = [(name, reference) for name in SYSTEMS for reference in PLAIN if has(name, reference)]
ADJUSTED_CASES = [
    (name, f"{stem}_{suffix}")
    for name in SYSTEMS
    for stem in ADJUSTED
    for suffix in ("none", "exact")
    if has(name, f"{stem}_{suffix}")
]
DRAWN_CASES = [
    (name, f"{stem}_estimate_N200_seed1")
    for name in SYSTEMS
    for stem in ADJUSTED
    if has(name, f"{stem}_estimate_N200_seed1")
]


# All subsets full: the warning that says so has a test of its own.
conventional = pytest.mark.filterwarnings("ignore::holdfast.exceptions.UndefinedStabilityWarning")


@conventional
@pytest.mark.parametrize(("name", "reference"), CASES)
def test_plain_measure(name, reference):
    system = SYSTEMS[name]
    runs = runs_of(system)
    key, options = PLAIN[reference]
    value = hf.stability.score(runs, key, **options)
    if reference in EMPTY_PAIR_COUNTS_ONE_HERE:
        # stabm counts a pair of empty subsets as undefined, here 0; we count it as equal, 1.
        n_empty = int((runs.sizes == 0).sum())
        value -= n_empty * (n_empty - 1) / (runs.n_runs * (runs.n_runs - 1))
    assert value == pytest.approx(system["values"][reference], abs=1e-10)


@conventional
@pytest.mark.parametrize(("name", "reference"), ADJUSTED_CASES)
def test_adjusted_measure(name, reference):
    system = SYSTEMS[name]
    stem, chance = reference.split("_")
    value = hf.stability.score(
        runs_of(system),
        ADJUSTED[stem],
        similarity=np.array(system["sim"]),
        threshold=system["threshold"],
        chance=chance,
    )
    assert value == pytest.approx(system["values"][reference], abs=1e-10)


@pytest.mark.parametrize("name", [name for name in SYSTEMS if has(name, "sechidis")])
def test_sechidis(name):
    system = SYSTEMS[name]
    value = hf.stability.score(
        runs_of(system),
        "sechidis",
        similarity=np.array(system["sim"]),
        threshold=system["threshold"],
    )
    assert value == pytest.approx(system["values"]["sechidis"], abs=1e-10)


@pytest.mark.parametrize(("name", "reference"), DRAWN_CASES)
def test_drawn_chance(name, reference):
    system = SYSTEMS[name]
    value = hf.stability.score(
        runs_of(system),
        ADJUSTED[reference.split("_")[0]],
        similarity=np.array(system["sim"]),
        threshold=system["threshold"],
        chance="estimate",
        n_draws=2000,
    )
    theirs = system["values"][reference]
    assert value == pytest.approx(theirs, abs=0.06 * (2 - min(theirs, 0)))


@conventional
@pytest.mark.parametrize(
    ("name", "key"),
    [(n, key) for n in SYSTEMS for key in ("davis", "novovicova") if has(n, f"{key}_exact")],
)
def test_chance_of_two_runs_is_not_chance_of_many(name, key):
    """stabm subtracts from a value of m runs what two random runs would score, pair by pair.

    Then random choices of more than two runs do not score 0 on average. We subtract what m random
    runs of these sizes score, and agree with stabm where there are two runs.
    """
    system = SYSTEMS[name]
    runs = runs_of(system)
    value = hf.stability.score(runs, key)
    corrected = []
    for k1, k2 in combinations(runs.sizes.tolist(), 2):
        by_chance = chance_of_two(key, k1, k2, runs.n_features)
        corrected.append((value - by_chance) / (1 - by_chance) if by_chance < 1 else 0.0)
    theirs = system["values"][f"{key}_exact"]
    assert np.mean(corrected) == pytest.approx(theirs, abs=1e-10)
    if runs.n_runs == 2:
        assert hf.stability.score(runs, key, chance="exact") == pytest.approx(theirs, abs=1e-10)


def chance_of_two(key, k1, k2, d):
    formula = getattr(subsets, key)
    first = frozenset(range(k1))
    return np.mean([formula([first, frozenset(b)], d) for b in combinations(range(d), k2)])


def test_every_reference_is_used():
    used = (
        {"davis_exact", "novovicova_exact"}
        | set(PLAIN)
        | {"sechidis"}
        | {reference for _, reference in ADJUSTED_CASES + DRAWN_CASES}
    )
    given = {reference for system in SYSTEMS.values() for reference in system["values"]}
    assert given <= used


def test_undefined_there_is_defined_here():
    undefined = [
        (name, reference)
        for name, system in SYSTEMS.items()
        for reference, value in system["values"].items()
        if value is None and reference in PLAIN
    ]
    assert undefined
    for name, reference in undefined:
        key, options = PLAIN[reference]
        runs = runs_of(SYSTEMS[name])
        trivial = runs.sizes.min() == runs.n_features
        measure = hf.stability.measure(key)
        if trivial and measure.corrected_for_chance:
            with pytest.warns(hf.exceptions.UndefinedStabilityWarning):
                value = hf.stability.score(runs, key, **options)
            assert value == 0
        else:
            assert -1 <= hf.stability.score(runs, key, **options) <= 1
