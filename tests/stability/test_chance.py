"""What random choices score on average: exactly 0 where a measure is corrected for chance."""

from itertools import product

import pytest

import holdfast as hf
from holdfast.stability import MEASURES
from tests.naive import chance
from tests.stability.strategies import runs_of

CORRECTED = [
    key
    for key, one in MEASURES.items()
    if one.corrected_for_chance and not one.needs & {"weights", "weights or ranks", "similarity"}
]
WITH_AN_OPTION = [key for key, one in MEASURES.items() if one.options.get("chance") == "none"]


def mean(key, sizes, d, **options):
    measure = MEASURES[key]
    return chance.mean_over_all_choices(
        sizes, d, lambda chosen, d: measure(runs_of(d, chosen), **options)
    )


@pytest.mark.parametrize("key", CORRECTED)
@pytest.mark.parametrize(("n_runs", "d"), [(2, 1), (2, 2), (2, 5), (3, 3), (4, 3)])
def test_mean_is_0_for_one_size(key, n_runs, d):
    for size in range(d + 1):
        assert mean(key, [size] * n_runs, d) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize(
    "key", [key for key in CORRECTED if key not in ("kuncheva", "nogueira2018")]
)
def test_mean_is_0_for_any_two_sizes(key):
    for sizes in product(range(6), repeat=2):
        assert mean(key, sizes, 5) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("sizes", [(1, 3), (0, 4), (1, 1, 3), (1, 2, 3, 2)])
def test_mean_of_nogueira2018_for_given_unequal_sizes(sizes):
    """Not 0 but below it, by the variance of the sizes over n D^2 p (1 - p)."""
    n, d = len(sizes), 4
    middle = sum(sizes) / n
    spread = sum((k - middle) ** 2 for k in sizes) / (n - 1)
    share = middle / d
    expected = -spread / (n * d**2 * share * (1 - share))
    assert mean("nogueira2018", sizes, d) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    "key", [k for k in WITH_AN_OPTION if "similarity" not in MEASURES[k].needs]
)
def test_the_option_corrects_the_others(key):
    for sizes in ((1, 1), (1, 3), (2, 3), (1, 2, 2)):
        assert mean(key, sizes, 4) > 0.1
        assert mean(key, sizes, 4, chance="exact") == pytest.approx(0, abs=1e-12)
    runs = hf.Selections.from_subsets([[0, 1]] * 3, n_features=4)
    assert hf.stability.score(runs, key, chance="exact") == pytest.approx(1, abs=1e-12)


def test_there_are_such_measures():
    assert set(WITH_AN_OPTION) == {
        "davis",
        "dice",
        "hamming",
        "jaccard",
        "novovicova",
        "ochiai",
        "zucknick",
    }
