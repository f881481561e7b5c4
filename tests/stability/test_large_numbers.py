"""Many runs and many features: no overflow, and whole numbers stay exact."""

from fractions import Fraction

import numpy as np
import pytest

import holdfast as hf
from holdfast.stability.frequency import nogueira2018_of

N_RUNS, N_FEATURES, SIZE = 100_000, 2_000, 20


@pytest.fixture(scope="module")
def runs():
    """Half of the runs take the first 20 features, the others some 20 in a row."""
    start = np.where(np.arange(N_RUNS) % 2, np.arange(N_RUNS) % (N_FEATURES - SIZE), 0)
    subsets = (start[:, None] + np.arange(SIZE)).tolist()
    return hf.Selections.from_subsets(subsets, n_features=N_FEATURES)


def test_cw_rel_in_exact_fractions(runs):
    f = [int(x) for x in runs.frequencies]
    total = sum(f)
    value = Fraction(sum(x * (x - 1) for x in f), total * (N_RUNS - 1))
    spare, rest = total % N_FEATURES, total % N_RUNS
    low = Fraction(
        total * total - N_FEATURES * (total - spare) - spare * spare,
        N_FEATURES * total * (N_RUNS - 1),
    )
    high = Fraction(rest * rest + total * (N_RUNS - 1) - rest * N_RUNS, total * (N_RUNS - 1))
    assert hf.stability.score(runs, "cw") == pytest.approx(float(value), rel=1e-14)
    assert hf.stability.score(runs, "cw_min") == float(low)
    assert hf.stability.score(runs, "cw_max") == float(high)
    assert hf.stability.score(runs, "cw_rel") == float((value - low) / (high - low))


def test_nogueira2018_in_exact_fractions(runs):
    f = [int(x) for x in runs.frequencies]
    share = Fraction(sum(f), N_RUNS * N_FEATURES)
    spread = Fraction(sum(x * (N_RUNS - x) for x in f), N_RUNS * (N_RUNS - 1) * N_FEATURES)
    expected = float(1 - spread / (share * (1 - share)))
    assert hf.stability.score(runs, "nogueira2018") == pytest.approx(expected, rel=1e-13)
    found = hf.stability.interval(runs)
    assert 0 < found.variance < 1e-4
    assert found.low < expected < found.high


def test_frequencies_beyond_32_bits():
    # A million runs that all take the same thousand of a million features.
    f = np.full(1000, 10**6, dtype=np.int64)
    assert nogueira2018_of(f.astype(float), 10**6, 10**6) == 1


def test_normalised_entropy_needs_no_gigantic_binomial(runs):
    value = hf.stability.score(runs, "krizek_normalised")
    assert 0 < value < 1
    half = hf.Selections.from_subsets([range(50_000), range(50_000, 100_000)], n_features=100_000)
    assert hf.stability.score(half, "krizek_normalised") == 0
