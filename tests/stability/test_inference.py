"""Variance, interval and tests of the 2018 measure."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import holdfast as hf
from holdfast.exceptions import InputError, UndefinedInferenceError
from holdfast.stability.inference import variance
from tests.naive import permutations as naive_permutations
from tests.naive import subsets as naive
from tests.stability.strategies import runs_of, subsets

Z_95 = 1.959963984540054
IDENTICAL = runs_of(5, [{0, 1}] * 4)
EMPTY = runs_of(5, [set()] * 4)
FULL = runs_of(5, [set(range(5))] * 4)


def drawn(rng, n, rates):
    """Runs that take each feature independently, and the stability of that procedure."""
    return hf.Selections.from_masks(rng.random((n, len(rates))) < rates)


def population(rates):
    share = np.mean(rates)
    return 1 - np.mean(rates * (1 - rates)) / (share * (1 - share))


@given(system=subsets())
def test_variance(system):
    d, chosen = system
    theirs = naive.nogueira2018_variance(chosen, d)
    assert variance(runs_of(d, chosen)) == pytest.approx(theirs, abs=1e-12)


@given(system=subsets())
def test_interval(system):
    d, chosen = system
    found = hf.stability.interval(runs_of(d, chosen))
    low, high = naive.interval(chosen, d, Z_95)
    # The root makes rounding of a variance of 0 look large.
    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-6)
    assert found.low <= found.value <= found.high <= 1
    assert found.n_runs == len(chosen)


@given(system=subsets(), value=st.floats(-1, 1))
def test_one_sample_test(system, value):
    d, chosen = system
    runs = runs_of(d, chosen)
    spread = naive.nogueira2018_variance(chosen, d)
    assume(spread > 1e-9)
    statistic = (naive.nogueira2018(chosen, d) - value) / math.sqrt(spread)
    found = hf.stability.test(runs, value)
    assert found.statistic == pytest.approx(statistic, rel=1e-6, abs=1e-6)
    two_sided = math.erfc(abs(statistic) / math.sqrt(2))
    assert found.p_value == pytest.approx(two_sided, rel=1e-5, abs=1e-300)
    greater = hf.stability.test(runs, value, "greater").p_value
    less = hf.stability.test(runs, value, "less").p_value
    assert greater + less == pytest.approx(1, abs=1e-12)
    assert found.p_value == pytest.approx(2 * min(greater, less), rel=1e-9)


@given(first=subsets(), second=subsets())
def test_two_sample_test(first, second):
    (d1, one), (d2, two) = first, second
    spread = naive.nogueira2018_variance(one, d1) + naive.nogueira2018_variance(two, d2)
    assume(spread > 1e-9)
    difference = naive.nogueira2018(one, d1) - naive.nogueira2018(two, d2)
    found = hf.stability.compare(runs_of(d1, one), runs_of(d2, two))
    assert found.difference == pytest.approx(difference, abs=1e-12)
    assert found.statistic == pytest.approx(difference / math.sqrt(spread), rel=1e-6, abs=1e-6)
    assert 0 < found.p_value <= 1
    other_way = hf.stability.compare(runs_of(d2, two), runs_of(d1, one))
    assert other_way.p_value == found.p_value
    assert other_way.statistic == -found.statistic


def test_the_interval_covers_the_population_value():
    """95 % intervals of 60 independent runs; the normal theory is approximate."""
    rng = np.random.default_rng(0)
    rates = np.linspace(0.05, 0.95, 25) ** 2
    truth = population(rates)
    found = [hf.stability.interval(drawn(rng, 60, rates)) for _ in range(1000)]
    covered = np.mean([one.low <= truth <= one.high for one in found])
    assert 0.925 <= covered <= 0.97
    values = np.array([one.value for one in found])
    assert np.mean(values) == pytest.approx(truth, abs=0.005)
    assert np.mean([one.variance for one in found]) == pytest.approx(values.var(), rel=0.15)


def test_a_true_null_is_rejected_as_often_as_it_should_be():
    rng = np.random.default_rng(1)
    rates = np.linspace(0.1, 0.9, 20)
    p_values = [
        hf.stability.compare(drawn(rng, 50, rates), drawn(rng, 50, rates)).p_value
        for _ in range(1000)
    ]
    assert 0.03 <= np.mean(np.array(p_values) < 0.05) <= 0.075


def test_permutation_test_against_all_deals():
    rng = np.random.default_rng(2)
    for _ in range(5):
        rates = rng.random(6)
        first = [frozenset(np.flatnonzero(rng.random(6) < rates).tolist()) for _ in range(4)]
        second = [frozenset(np.flatnonzero(rng.random(6) < rates).tolist()) for _ in range(4)]
        found = hf.stability.compare(
            runs_of(6, first), runs_of(6, second), method="permutation", n_permutations=4000
        )
        exact = naive_permutations.exact_p_value(first, second, 6)
        assert found.p_value == pytest.approx(exact, abs=0.03)


def test_normal_and_permutation_test_agree_where_runs_are_many():
    rng = np.random.default_rng(3)
    rates = np.linspace(0.1, 0.9, 20)
    first, second = drawn(rng, 60, rates), drawn(rng, 60, rates**1.4)
    normal = hf.stability.compare(first, second)
    permuted = hf.stability.compare(first, second, method="permutation", n_permutations=3000)
    assert permuted.p_value == pytest.approx(normal.p_value, abs=0.05)
    again = hf.stability.compare(first, second, method="permutation", n_permutations=3000)
    assert again == permuted


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_one_sided_permutation_tests(alternative):
    rng = np.random.default_rng(4)
    noisy = drawn(rng, 20, np.full(10, 0.5))
    steady = hf.Selections.from_subsets([[0, 1, 2]] * 20, n_features=10)
    found = hf.stability.compare(
        steady, noisy, alternative=alternative, method="permutation", n_permutations=199
    )
    assert found.p_value == (1 if alternative == "less" else 1 / 200)


class TestWhereTheVarianceIsZero:
    @pytest.mark.parametrize(("runs", "value"), [(IDENTICAL, 1), (EMPTY, 0), (FULL, 0)])
    def test_interval_of_one_point(self, runs, value):
        found = hf.stability.interval(runs)
        assert (found.value, found.variance, found.low, found.high) == (value, 0, value, value)

    @pytest.mark.parametrize(("runs", "value"), [(IDENTICAL, 0.5), (EMPTY, 0.5), (FULL, 1)])
    def test_no_p_value_for_another_stability(self, runs, value):
        with pytest.raises(UndefinedInferenceError, match="variance is 0"):
            hf.stability.test(runs, value)

    def test_no_difference_is_no_evidence(self):
        found = hf.stability.test(IDENTICAL, 1.0)
        assert (found.statistic, found.p_value) == (0, 1)
        found = hf.stability.compare(IDENTICAL, IDENTICAL)
        assert (found.statistic, found.p_value) == (0, 1)

    def test_two_such_procedures_that_differ_need_the_permutation_test(self):
        with pytest.raises(UndefinedInferenceError, match="permutation"):
            hf.stability.compare(IDENTICAL, EMPTY)
        found = hf.stability.compare(IDENTICAL, EMPTY, method="permutation", n_permutations=99)
        assert 0 < found.p_value <= 1


def test_far_from_the_null_the_p_value_is_small_but_not_zero():
    rng = np.random.default_rng(5)
    chosen = rng.random((3000, 40)) < np.where(np.arange(40) < 10, 0.98, 0.01)
    found = hf.stability.test(hf.Selections.from_masks(chosen), -1.0)
    assert found.statistic > 100
    assert 0 < found.p_value < 1e-300


@pytest.mark.parametrize("level", [0, 1, -1, 95, math.nan, "high", None])
def test_wrong_level(level):
    with pytest.raises(InputError, match=r"'level'.*above 0 and below 1"):
        hf.stability.interval(IDENTICAL, level)


@pytest.mark.parametrize("value", [1.5, -2, math.nan, "0", None])
def test_wrong_value(value):
    with pytest.raises(InputError, match=r"'value'.*from -1 to 1"):
        hf.stability.test(IDENTICAL, value)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"alternative": "bigger"}, "'alternative'"),
        ({"method": "bootstrap"}, "'method'"),
        ({"method": "permutation", "n_permutations": 0}, "'n_permutations'"),
        ({"method": "permutation", "n_permutations": 2.5}, "'n_permutations'"),
        ({"method": "permutation", "random_state": None}, "'random_state'"),
        ({"method": "permutation", "random_state": -1}, "'random_state'"),
    ],
)
def test_wrong_options(options, told):
    with pytest.raises(InputError, match=told):
        hf.stability.compare(IDENTICAL, IDENTICAL, **options)


def test_permutation_needs_the_same_features():
    other = hf.Selections.from_subsets([[0], [1], [0, 1, 2]], n_features=6)
    with pytest.raises(InputError, match="same features"):
        hf.stability.compare(IDENTICAL, other, method="permutation")
    assert hf.stability.compare(IDENTICAL, other).p_value < 1


@pytest.mark.parametrize("ask", [hf.stability.interval, lambda r: hf.stability.test(r, 0.0)])
def test_one_run_is_not_enough(ask):
    with pytest.raises(InputError, match="at least 2 runs"):
        ask(hf.Selections.from_subsets([[0]], n_features=3))
