"""The order of runs and of features does not show, not even in the last digit."""

import numpy as np
import pytest

import holdfast as hf
from holdfast.stability import MEASURES

RNG = np.random.default_rng(0)
N_FEATURES, N_RUNS = 30, 12
SIZES = RNG.integers(1, N_FEATURES, N_RUNS)
CHOSEN = [RNG.permutation(N_FEATURES)[:k] for k in SIZES]
ONE_SIZE = [RNG.permutation(N_FEATURES)[:7] for _ in range(N_RUNS)]
# No two pairs of features are equally similar, so that greedy matching has no ties.
SIMILARITY = hf.stability.similarity(
    RNG.normal(size=(40, 8)) @ RNG.normal(size=(8, N_FEATURES))
    + 0.2 * RNG.normal(size=(40, N_FEATURES))
)
ASYMMETRIC = {"npog", "npogr"}
OF_SUBSETS = [
    key for key, one in MEASURES.items() if not one.needs & {"weights", "weights or ranks"}
]


def compute(key, chosen, order=None):
    """The measure, after the features have been put in another order."""
    order = np.arange(N_FEATURES) if order is None else order
    position = np.argsort(order)
    runs = hf.Selections.from_subsets([position[list(s)] for s in chosen], n_features=N_FEATURES)
    options = {}
    if "similarity" in MEASURES[key].needs:
        options["similarity"] = SIMILARITY[np.ix_(order, order)]
    if "threshold" in MEASURES[key].options:
        options["threshold"] = 0.5
    return MEASURES[key](runs, **options)


def system_for(key):
    return ONE_SIZE if "equal sizes" in MEASURES[key].needs else CHOSEN


@pytest.mark.parametrize("key", [key for key in OF_SUBSETS if key not in ASYMMETRIC])
def test_permuted_runs(key):
    chosen = system_for(key)
    before = compute(key, chosen)
    for seed in range(5):
        order = np.random.default_rng(seed).permutation(N_RUNS)
        assert compute(key, [chosen[i] for i in order]) == before


@pytest.mark.parametrize("key", sorted(ASYMMETRIC))
def test_permuted_runs_over_all_ordered_pairs(key):
    options = {"similarity": SIMILARITY} if key == "npogr" else {}
    orders = [np.random.default_rng(seed).permutation(N_RUNS) for seed in range(5)]
    found = {
        MEASURES[key](
            hf.Selections.from_subsets([CHOSEN[i] for i in order], n_features=N_FEATURES),
            pairs="all",
            **options,
        )
        for order in orders
    }
    assert len(found) == 1


@pytest.mark.parametrize("key", OF_SUBSETS)
def test_permuted_features(key):
    chosen = system_for(key)
    before = compute(key, chosen)
    for seed in range(3):
        order = np.random.default_rng(seed).permutation(N_FEATURES)
        after = compute(key, chosen, order)
        if MEASURES[key].options.get("chance") == "estimate":
            # Which features are drawn is a matter of their order.
            assert after == pytest.approx(before, abs=0.05)
        else:
            assert after == pytest.approx(before, abs=1e-12)
        if "similarity" not in MEASURES[key].needs:
            assert after == before


@pytest.mark.parametrize("key", [key for key in OF_SUBSETS if key.startswith("intersection")])
def test_permuted_features_without_the_drawn_part(key):
    def score(order):
        position = np.argsort(order)
        runs = hf.Selections.from_subsets([position[s] for s in CHOSEN], n_features=N_FEATURES)
        matrix = SIMILARITY[np.ix_(order, order)]
        return MEASURES[key](runs, similarity=matrix, threshold=0.5, chance="none")

    before = score(np.arange(N_FEATURES))
    after = score(np.random.default_rng(1).permutation(N_FEATURES))
    assert after == pytest.approx(before, abs=1e-12)


def test_inference():
    runs = hf.Selections.from_subsets(CHOSEN, n_features=N_FEATURES)
    before = hf.stability.interval(runs)
    for seed in range(5):
        rng = np.random.default_rng(seed)
        order, position = rng.permutation(N_RUNS), rng.permutation(N_FEATURES)
        after = hf.Selections.from_subsets(
            [position[CHOSEN[i]] for i in order], n_features=N_FEATURES
        )
        assert hf.stability.interval(after) == before
