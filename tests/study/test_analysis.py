"""The tables of a study against numbers found by hand, by simulation and by brute force."""

import itertools
import math
import operator

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn.datasets import load_iris
from sklearn.feature_selection import SelectKBest
from sklearn.naive_bayes import GaussianNB

import holdfast as hf
from holdfast.exceptions import InputError
from holdfast.study import Study, analysis
from holdfast.study.analysis.accuracy import corrected_t, mcnemar
from holdfast.study.analysis.choice import on_front
from holdfast.study.analysis.profiles import jaccard_by_chance, knot
from holdfast.study.results import Variant
from tests.study.crafted import outcome, results


def bits(right, n):
    return np.arange(n) < right


def test_mcnemar_by_hand():
    one = np.array([1, 1, 1, 1, 1, 1, 0, 1, 0], dtype=bool)
    other = np.array([0, 0, 0, 0, 0, 0, 1, 1, 0], dtype=bool)
    # 6 against 1 of 7: two-sided 2 (C(7,0) + C(7,1)) / 2^7
    assert mcnemar(one, other) == pytest.approx(2 * 8 / 128)
    assert mcnemar(other, one) == pytest.approx(2 * 8 / 128)
    assert mcnemar(one, one) == 1.0
    assert mcnemar(one[:0], one[:0]) == 1.0


@given(st.integers(0, 12), st.integers(0, 12))
@settings(max_examples=40)
def test_mcnemar_by_counting(first, second):
    n = first + second
    one = np.arange(n) < first
    ways = sum(math.comb(n, k) for k in range(min(first, second) + 1))
    assert mcnemar(one, ~one) == pytest.approx(min(1.0, 2 * ways / 2**n))


def test_corrected_t_by_hand():
    # mean 0.02, variance 0.0002 of four differences; 1/4 + 1/9 instead of 1/4
    differences = np.array([0.01, 0.03, 0.01, 0.03])
    variance = (4 * 0.01**2) / 3
    t = 0.02 / math.sqrt((0.25 + 1 / 9) * variance)
    assert corrected_t(differences, 1 / 9) == pytest.approx(2 * stats.t.sf(t, 3))
    assert corrected_t(differences, 0.0) == pytest.approx(stats.ttest_1samp(differences, 0).pvalue)
    assert corrected_t(differences, 0.25) > corrected_t(differences, 0.0)
    assert corrected_t(-differences, 1 / 9) == pytest.approx(corrected_t(differences, 1 / 9))
    assert corrected_t(np.zeros(5), 0.25) == 1.0
    assert corrected_t(np.full(5, 0.1), 0.25) == 0.0
    assert math.isnan(corrected_t(np.array([0.1]), 0.25))


def four_selectors():
    """Of 100 examples right: 90, 88, 60 and 30, over two folds."""
    return results(
        {
            name: [outcome([0], correct=bits(right, 100)[part::2]) for part in (0, 1)]
            for name, right in {"a": 90, "b": 88, "c": 60, "d": 30}.items()
        }
    )  # fmt: skip


def test_wins_and_ties():
    table = analysis.wins_table(four_selectors(), "m")
    rows = {row["selector"]: row for row in table.iter_rows(named=True)}
    # 90 and 88 tie (p = 1/2); all other differences are of 28 and more examples, one way.
    assert [rows["a"][c] for c in ("wins", "ties", "losses", "score")] == [2, 1, 0, 2.5]
    assert [rows["b"][c] for c in ("wins", "ties", "losses", "score")] == [2, 1, 0, 2.5]
    assert [rows["c"][c] for c in ("wins", "ties", "losses", "score")] == [1, 0, 2, 1.0]
    assert [rows["d"][c] for c in ("wins", "ties", "losses", "score")] == [0, 0, 3, 0.0]


def test_scores_of_four_sum_to_six():
    # As in every column of the paper's table 5: each of six pairs gives one point away.
    assert analysis.wins_table(four_selectors(), "m")["score"].sum() == 6
    random = np.random.default_rng(0)
    for _ in range(5):
        noisy = results(
            {s: [outcome([0], correct=random.random(30) < p) for _ in range(4)]
             for s, p in zip("abcd", random.random(4), strict=True)}
        )  # fmt: skip
        for test in ("mcnemar", "corrected-t"):
            table = analysis.wins_table(noisy, "m", test=test)
            assert table["score"].sum() == 6
            assert table["wins"].sum() == table["losses"].sum()


def test_only_those_cut_alike_are_rivals():
    found = results(
        {s: [[outcome([0], 1, correct=bits(5, 9)), outcome([0, 1], 2, correct=bits(5, 9))]] * 2
         for s in "abc"}
    )  # fmt: skip
    assert analysis.wins_table(found, "m")["ties"].to_list() == [2] * 6


def test_which_test_suits():
    overlapping = results({"a": [outcome([0], correct=bits(5, 9))] * 3}, disjoint=False)
    with pytest.raises(InputError, match="'corrected-t' with this protocol"):
        analysis.wins_table(
            results({s: [outcome([0], correct=bits(5, 9))] for s in "ab"}, disjoint=False),
            "m", test="mcnemar",
        )  # fmt: skip
    with pytest.raises(InputError, match="'auto', 'mcnemar' or 'corrected-t'"):
        analysis.recommend(overlapping, test="t")
    with pytest.raises(InputError, match="between 0 and 1"):
        analysis.recommend(overlapping, alpha=2)
    with pytest.raises(InputError, match="one of"):
        analysis.recommend(overlapping, model="n")


def test_the_most_stable_of_those_not_worse():
    subsets = {
        "best": [[0, 1], [2, 3], [4, 5], [0, 5]],  # accurate, unstable
        "close": [[0, 1], [0, 1], [0, 1], [0, 2]],  # nearly as accurate, stable
        "wide": [[0, 1, 2], [0, 1, 2], [0, 1, 3], [0, 1, 4]],
        "poor": [[3, 4]] * 4,  # perfectly stable, and bad
    }
    right = {"best": 24, "close": 23, "wide": 23, "poor": 5}
    found = results(
        {s: [outcome(one, correct=bits(right[s], 25)) for one in subsets[s]] for s in subsets}
    )
    chosen = analysis.recommend(found)
    assert chosen.variant == Variant("close")
    table = {row["selector"]: row for row in chosen.table.iter_rows(named=True)}
    assert [table[s]["worse"] for s in subsets] == [False, False, False, True]
    assert table["poor"]["stability"] == 1.0
    assert table["best"]["accuracy"] == 0.96
    assert table["close"]["stability"] == pytest.approx(
        hf.stability.score(found.systems(Variant("close"))[0], "nogueira2018")
    )  # fmt: skip
    assert [s for s in subsets if table[s]["recommended"]] == ["close"]
    assert "of the 3 that are not significantly less accurate" in str(chosen)
    assert [s for s in subsets if table[s]["front"]] == ["best", "close", "poor"]


def test_when_all_others_are_worse():
    found = results(
        {s: [outcome([0, 1], correct=bits(n, 50))] * 3 for s, n in {"a": 49, "b": 20}.items()}
    )
    assert "all others are significantly less accurate" in analysis.recommend(found).why


@given(st.lists(st.lists(st.integers(0, 3), min_size=3, max_size=3), min_size=1, max_size=12))
def test_the_front_by_brute_force(rows):
    values = np.array(rows, dtype=float)
    expected = [
        not any(other != row and all(map(operator.ge, other, row)) for other in rows)
        for row in rows
    ]  # fmt: skip
    assert on_front(values).tolist() == expected


def test_chance_by_enumeration():
    for n in range(1, 7):
        for size in range(n + 1):
            sets = [frozenset(c) for c in itertools.combinations(range(n), size)]
            values = [len(a & b) / len(a | b) if a | b else 1.0 for a in sets for b in sets]
            assert jaccard_by_chance(size, n) == pytest.approx(np.mean(values))


def test_knots():
    sizes = np.arange(1.0, 21.0)
    bent = np.where(sizes <= 8, 1 - 0.1 * sizes, 0.2)
    assert sizes[knot(sizes, bent)] in (7, 8)
    steep = np.where(sizes <= 5, sizes / 5, 1.0)
    assert sizes[knot(sizes, steep)] in (4, 5)
    assert knot(sizes, 0.3 * sizes) is None
    assert knot(sizes, np.full(20, 0.7)) is None
    assert knot(sizes[:3], bent[:3]) is None
    assert knot(sizes, np.full(20, np.nan)) is None
    noise = 0.01 * np.random.default_rng(0).normal(size=20)
    assert abs(sizes[knot(sizes, bent + noise)] - 8) <= 1


def test_knots_by_brute_force():
    random = np.random.default_rng(1)
    for _ in range(30):
        x = np.sort(random.choice(50, 9, replace=False)).astype(float)
        y = random.normal(size=9)

        def rest(a, b):
            return np.sum((np.polyval(np.polyfit(a, b, 1), a) - b) ** 2)

        parted = {i: rest(x[:i], y[:i]) + rest(x[i:], y[i:]) for i in range(2, 8)}
        best = min(parted, key=parted.get)
        expected = best - 1 if parted[best] <= 0.9 * rest(x, y) else None
        assert knot(x, y) == expected


def test_profiles():
    cut = {2: [[0, 1], [0, 2], [0, 1]], 3: [[0, 1, 2]] * 3}
    found = results({"a": [[outcome(cut[s][i], s) for s in cut] for i in range(3)]})
    rows = analysis.profile_table(found).rows(named=True)
    assert [row["size"] for row in rows] == [2, 3]
    assert rows[0]["stability"] == pytest.approx((1 + 1 / 3 + 1 / 3) / 3)
    assert rows[0]["random"] == pytest.approx(jaccard_by_chance(2, 6))
    assert rows[1]["stability"] == 1.0


def test_wilson_intervals_are_scipys():
    found = results({"a": [outcome([0]), outcome([0, 1]), outcome([0, 1, 2]), outcome([0, 3])]})
    table = analysis.frequency_table(found, Variant("a"))
    assert table["feature"].to_list() == ["x0", "x1", "x2", "x3", "x4", "x5"]
    for row in table.iter_rows(named=True):
        interval = stats.binomtest(row["chosen"], row["runs"]).proportion_ci(method="wilson")
        assert (row["low"], row["high"]) == pytest.approx(tuple(interval))
        assert row["share"] == row["chosen"] / 4
    with pytest.raises(InputError, match="between 0 and 1"):
        analysis.frequency_table(found, Variant("a"), level=1.0)


def test_planted_twins_stand_in_for_each_other():
    random = np.random.default_rng(0)
    subsets = [
        sorted({0, 1 + int(random.random() < 0.5), *random.choice([3, 4, 5], 1)}) for _ in range(60)
    ]
    X = random.normal(size=(40, 6))
    X[:, 2] = X[:, 1] + 0.01 * random.normal(size=40)
    table = analysis.substitutes(results({"a": [outcome(s) for s in subsets]}), Variant("a"), X)
    first = table.row(0, named=True)
    assert {first["feature"], first["substitute"]} == {"x1", "x2"}
    assert (first["either"], first["both"], first["runs"]) == (60, 0, 60)
    assert first["correlation"] > 0.99
    counts = np.sum([[1 in s, 2 in s] for s in subsets], axis=0)
    one_sided = stats.fisher_exact([[0, counts[0]], [counts[1], 0]], "less").pvalue
    assert first["p"] == pytest.approx(one_sided * 10)  # five features move: ten pairs
    independent = results(
        {"a": [outcome(np.flatnonzero(random.random(6) < 0.5)) for _ in range(60)]}
    )
    assert analysis.substitutes(independent, Variant("a")).is_empty()
    fixed = results({"a": [outcome([0, 1])] * 4})
    assert analysis.substitutes(fixed, Variant("a")).is_empty()


def test_likeness():
    found = results(
        {
            "a": [outcome([0, 1]), outcome([0, 2])],
            "b": [outcome([0, 1]), outcome([0, 2])],
            "c": [outcome([0, 3]), outcome([4, 5])],
        }
    )
    variants = found.variants()
    matrix = analysis.likeness_matrix(found, variants)
    np.testing.assert_allclose(
        matrix, [[1, 1, 1 / 6], [1, 1, 1 / 6], [1 / 6, 1 / 6, 1]], atol=1e-12
    )
    points = analysis.likeness_map(found, variants).select("x", "y").to_numpy()
    between = np.linalg.norm(points[:, None] - points[None], axis=2)
    np.testing.assert_allclose(between, 1 - matrix, atol=1e-7)  # three points fit on a map
    assert analysis.likeness_map(found, variants[:1]).select("x", "y").row(0) == (0, 0)


def test_comparisons_of_stability():
    steady = [outcome([0, 1])] * 9 + [outcome([0, 2])]
    loose = [outcome([i % 6, (i + 1 + i // 6) % 6]) for i in range(10)]
    found = results({"steady": steady, "loose": loose})
    row = analysis.stability_comparisons(found).row(0, named=True)
    direct = hf.stability.compare(
        found.systems(Variant("steady"))[0], found.systems(Variant("loose"))[0]
    )
    assert (row["difference"], row["p"]) == (direct.difference, direct.p_value)
    assert row["p"] < 0.05


def nested():
    return results(
        {
            "a": [
                ([outcome([0], correct=bits(8, 10))], [outcome([0, 1]), outcome([0, 1])]),
                ([outcome([0], correct=bits(9, 10))], [outcome([0, 1]), outcome([2, 3])]),
            ]
        },
        nested=True,
    )


def test_stability_of_nested_studies_is_the_mean_over_outer_samples():
    table = analysis.stability_table(nested(), ("jaccard", "nogueira2018"))
    parts = [[[0, 1], [0, 1]], [[0, 1], [2, 3]]]
    for row in table.iter_rows(named=True):
        values = [
            hf.stability.score(hf.Selections.from_subsets(p, n_features=6), row["measure"])
            for p in parts
        ]
        assert row["value"] == pytest.approx(np.mean(values))
        half = 2 * np.std(values, ddof=1) / math.sqrt(2)
        assert row["low"] == pytest.approx(row["value"] - half)
        assert row["high"] == pytest.approx(min(1.0, row["value"] + half))
    assert analysis.weighed(nested())["stability"][0] == pytest.approx(table["value"][1])
    assert analysis.weighed(nested())["accuracy"][0] == pytest.approx(0.85)
    assert analysis.stability_comparisons(nested()).is_empty()


def test_consensus_of_a_nested_study_is_estimated_on_what_it_never_saw():
    X, y = load_iris(return_X_y=True)
    study = Study(
        X, y, {"F": SelectKBest(k=2)}, protocol="kalousis2007", repetitions=3,
        models={"nb": GaussianNB()}, sizes=[],
    ).run()  # fmt: skip
    found = study.consensus("F")
    assert found.features.tolist() == [2, 3]
    assert found.feature_names == ("x2", "x3")
    outer = [draw for draw in study._draws if draw.inner < 0]
    accuracies = found.estimate.filter(metric="accuracy")["value"].to_list()
    for draw, value in zip(outer, accuracies, strict=True):
        model = GaussianNB().fit(X[draw.train][:, [2, 3]], y[draw.train])
        assert value == model.score(X[draw.test][:, [2, 3]], y[draw.test])
    flat = Study(X, y, {"F": SelectKBest(k=2)}, repetitions=4, models={}).run()
    assert flat.consensus("F").estimate is None


def test_preferences():
    X, y = load_iris(return_X_y=True)
    study = Study(X, y, {"F": SelectKBest(k=2)}, repetitions=4, models={}).run()
    table = analysis.preference_table(study.results)
    weights = np.stack([record.scores for record in study.results.records])
    pairs = list(itertools.combinations(weights, 2))
    assert table["measure"].to_list() == ["pearson", "spearman"]
    assert table["value"][0] == pytest.approx(np.mean([stats.pearsonr(*p)[0] for p in pairs]))
    assert table["value"][1] == pytest.approx(np.mean([stats.spearmanr(*p)[0] for p in pairs]))


def test_accuracy_table_by_hand():
    found = results({"a": [outcome([0], accuracy=v) for v in (0.5, 0.7, 0.9)]})
    row = analysis.accuracy_table(found, "m").row(0, named=True)
    assert (row["mean"], row["sd"], row["runs"]) == pytest.approx((0.7, 0.2, 3))
    assert isinstance(analysis.accuracy_table(found, "m"), pl.DataFrame)


def test_variants_compare_on_what_both_finished():
    right, wrong = outcome([0], correct=bits(9, 9)), outcome([0], correct=bits(1, 9))
    both = results({"a": [right] * 3, "b": [wrong] * 2})
    compared = analysis.compared(both, Variant("a"), Variant("b"), "m")
    assert compared.difference == pytest.approx(8 / 9)
    assert compared.p == pytest.approx(2 / 2**16)
