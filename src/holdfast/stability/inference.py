"""How sure one can be of a stability, as Nogueira, Sechidis & Brown (2018) estimate it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from holdfast.exceptions import UndefinedInferenceError, refusal
from holdfast.selections import Selections
from holdfast.stability.chance import checked_count, checked_seed
from holdfast.stability.frequency import nogueira2018, nogueira2018_of
from holdfast.stability.measure import at_least_two_runs

# Bounds the memory of a permutation test: this many times the features and runs, as doubles.
DEALS_AT_ONCE = 128

Alternative = Literal["two-sided", "greater", "less"]


@dataclass(frozen=True)
class Interval:
    """A stability with its uncertainty.

    Attributes
    ----------
    value, variance : float
        The estimate, and the estimated variance of it.
    low, high : float
        Confidence limits, cut at the highest possible value 1.
    level : float
        Confidence level.
    n_runs : int
        Number of runs it rests on.
    """

    value: float
    variance: float
    low: float
    high: float
    level: float
    n_runs: int


@dataclass(frozen=True)
class TestResult:
    """Outcome of a test of stability.

    Attributes
    ----------
    statistic : float
        The difference over its standard error; for a permutation test the difference itself.
    p_value : float
        Never 0.
    difference : float
        First minus second stability (or minus the hypothetical value).
    alternative, method : str
        What was tested, and how.
    """

    __test__ = False  # not a test case, whatever pytest makes of the name

    statistic: float
    p_value: float
    difference: float
    alternative: str
    method: str


def variance(runs: Selections) -> float:
    """Estimate the variance of the stability estimate: 4 / n^2 * sum of (phi_i - mean phi)^2.

    O(number of choices made).
    """
    n, d = runs.n_runs, runs.n_features
    mean_share = runs.indices.size / (n * d)
    by_chance = mean_share * (1 - mean_share)
    if by_chance == 0:
        return 0.0
    value = nogueira2018(runs)
    # Sum of a run's feature rates, as differences of one running sum in whole numbers.
    running = np.concatenate(([0], np.cumsum(runs.frequencies[runs.indices])))
    rate_sums = np.diff(running[runs.indptr]) / (n * d)
    shares = runs.sizes / d
    terms = (
        rate_sums
        - shares * mean_share
        + value / 2 * (2 * mean_share * shares - shares - mean_share + 1)
    ) / by_chance
    # Sorted, so that the order of the runs does not show in the last digit.
    terms.sort()
    spread = terms - terms.mean()
    # Equal terms differ by rounding only; their variance is 0, not dust.
    spread[np.abs(spread) < 1e-12 * max(1.0, float(np.abs(terms).max()))] = 0.0
    return float(4 / n**2 * (spread @ spread))


def interval(runs: Selections, level: float = 0.95) -> Interval:
    """Estimate the stability and a confidence interval for it.

    Parameters
    ----------
    runs : Selections
        At least two runs. The theory treats them as independent samples; runs on overlapping
        subsamples of one data set make the interval narrower than it should be.
    level : float, default=0.95
        Confidence level, above 0 and below 1.

    Returns
    -------
    Interval
        With `value`, `variance`, `low` and `high`. Identical runs have variance 0 and an interval
        of one point: no run has contradicted another yet.

    Examples
    --------
    >>> runs = Selections.from_subsets([[0, 1], [0, 1], [0, 2], [0, 1]], n_features=6)
    >>> result = interval(runs)
    >>> round(result.value, 4), round(result.low, 4), round(result.high, 4)
    (0.625, 0.3067, 0.9433)
    """
    at_least_two_runs(runs, "interval")
    if not (isinstance(level, (int, float)) and 0 < level < 1):
        raise refusal("level", "stability.interval", "above 0 and below 1", repr(level))
    value, spread = nogueira2018(runs), variance(runs)
    reach = float(ndtri(0.5 + level / 2)) * math.sqrt(spread)
    return Interval(value, spread, value - reach, min(1.0, value + reach), level, runs.n_runs)


def test(  # the name is the statistician's, not pytest's
    runs: Selections,
    value: float,
    alternative: Alternative = "two-sided",  # noqa: PT028
) -> TestResult:
    """Test whether the stability of the procedure behind the runs differs from a value.

    Parameters
    ----------
    runs : Selections
        At least two runs.
    value : float
        Stability under the null hypothesis, from -1 to 1.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        "greater": the stability is greater than `value`.

    Raises
    ------
    UndefinedInferenceError
        Where the estimated variance is 0 (as for identical runs) and the estimate is not `value`.
    """
    at_least_two_runs(runs, "test")
    if not (isinstance(value, (int, float)) and -1 <= value <= 1):
        raise refusal("value", "stability.test", "a number from -1 to 1", repr(value))
    difference = nogueira2018(runs) - value
    return _normal_test(difference, variance(runs), alternative, "stability.test")


def compare(
    first: Selections,
    second: Selections,
    *,
    alternative: Alternative = "two-sided",
    method: Literal["normal", "permutation"] = "normal",
    n_permutations: int = 9999,
    random_state: int = 0,
) -> TestResult:
    """Test whether two selection procedures are equally stable.

    Parameters
    ----------
    first, second : Selections
        Runs of the two procedures, independent of each other. They may have different numbers of
        runs, and of features.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        "greater": the first is more stable.
    method : {"normal", "permutation"}, default="normal"
        "normal": difference over its standard error (2018 paper, section 6.3). "permutation": deal
        the runs out anew between the two; asks whether the runs could come from one procedure,
        needs the same features, and is defined where the variances are 0.
    n_permutations, random_state : int
        For "permutation": how many deals, and the seed.

    Raises
    ------
    UndefinedInferenceError
        With "normal", where both variances are 0 and the stabilities differ.
    """
    owner = "stability.compare"
    at_least_two_runs(first, "compare")
    at_least_two_runs(second, "compare")
    difference = nogueira2018(first) - nogueira2018(second)
    if method == "normal":
        return _normal_test(difference, variance(first) + variance(second), alternative, owner)
    if method != "permutation":
        raise refusal("method", owner, "'normal' or 'permutation'", repr(method))
    if first.feature_names != second.feature_names:
        raise refusal("second", owner, "runs over the same features as the first", repr(second))
    checked_count(n_permutations, "n_permutations", owner)
    checked_seed(random_state, owner)
    drawn = _permuted_differences(first, second, n_permutations, random_state)
    # Differences that are equal on paper may differ by rounding.
    slack = 1e-12
    at_least_as_far = {
        "two-sided": np.abs(drawn) >= abs(difference) - slack,
        "greater": drawn >= difference - slack,
        "less": drawn <= difference + slack,
    }
    _checked_alternative(alternative, owner)
    p_value = (1 + int(at_least_as_far[alternative].sum())) / (1 + n_permutations)
    return TestResult(difference, p_value, difference, alternative, "permutation")


def _permuted_differences(
    first: Selections, second: Selections, n_permutations: int, random_state: int
) -> NDArray[np.float64]:
    """Differences after dealing the runs out anew; O(choices made + features) a deal."""
    from scipy.sparse import csr_array

    rng = np.random.default_rng(random_state)
    n, m, d = first.n_runs, second.n_runs, first.n_features
    total = first.frequencies + second.frequencies
    used = np.flatnonzero(total)
    column = np.zeros(d, np.int64)
    column[used] = np.arange(used.size)
    indices = column[np.concatenate((first.indices, second.indices))]
    indptr = np.concatenate((first.indptr, first.indptr[-1] + second.indptr[1:]))
    chosen = csr_array((np.ones(indices.size), indices, indptr), shape=(n + m, used.size))
    features_by_runs = chosen.T.tocsr()
    out = np.empty(n_permutations)
    for begin in range(0, n_permutations, DEALS_AT_ONCE):
        n_deals = min(DEALS_AT_ONCE, n_permutations - begin)
        dealt = np.zeros((n + m, n_deals))
        for deal in range(n_deals):
            dealt[rng.permutation(n + m)[:n], deal] = 1.0
        for deal, part in enumerate((features_by_runs @ dealt).T):
            here = nogueira2018_of(part, n, d)
            out[begin + deal] = here - nogueira2018_of(total[used] - part, m, d)
    return out


def _checked_alternative(alternative: str, owner: str) -> None:
    if alternative not in ("two-sided", "greater", "less"):
        raise refusal("alternative", owner, "'two-sided', 'greater' or 'less'", repr(alternative))


def _normal_test(difference: float, spread: float, alternative: str, owner: str) -> TestResult:
    _checked_alternative(alternative, owner)
    if spread == 0:
        if abs(difference) > 1e-12:
            raise UndefinedInferenceError(
                f"{owner}: the estimated variance is 0, so the difference of {difference:.6g} has "
                "no standard error and no p-value. Collect more runs, or use "
                "compare(..., method='permutation')."
            )
        statistic = 0.0
    else:
        statistic = difference / math.sqrt(spread)
    tail = {
        "two-sided": 2 * float(ndtr(-abs(statistic))),
        "greater": float(ndtr(-statistic)),
        "less": float(ndtr(statistic)),
    }[alternative]
    # Below the smallest double a p-value would round to an impossible 0.
    p_value = max(tail, 5e-324)
    return TestResult(statistic, p_value, difference, alternative, "normal")
