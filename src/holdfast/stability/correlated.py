"""Similarity-adjusted measures: a feature's close relative counts as (nearly) the feature itself.

A pair of runs scores its overlap plus what the two find in each other among similar features.
Scores are corrected by what random subsets of the same sizes would score: in closed form where
the score is a sum over features, by listing all subsets where they are few, else by seeded draws.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdfast._kernels import similar as kernel
from holdfast.exceptions import InputError, refusal
from holdfast.selections import Selections
from holdfast.stability.chance import (
    checked_chance,
    corrected,
    overlap_distribution,
    ratio_or_zero,
)
from holdfast.stability.measure import Measure, Property
from holdfast.stability.pairwise import consecutive_pairs
from holdfast.stability.similarity import Links, Matrix, links_above, resolve

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
# Sizes of left and right subsets, and the kernel's answer for each pair.
Formula = Callable[[Floats, Floats, Floats], Floats]

BLOCK_PAIRS = 1 << 18
MOST_LISTED_PAIRS = 2_000_000


class Score:
    """What one measure gives a pair of subsets, and what it can give at most.

    Parameters
    ----------
    how : int or None
        What members find in the other subset (a constant of the kernel); None for a matching.
    formula : callable
        From sizes and the kernel's answer to the score.
    highest : callable
        Highest score for given sizes.
    greedy : bool
        Which matching, where `how` is None.
    """

    def __init__(
        self,
        how: int | None,
        formula: Formula,
        highest: Callable[[Floats, Floats], Floats],
        greedy: bool = False,
    ) -> None:
        self.how = how
        self.formula = formula
        self.highest = highest
        self.greedy = greedy

    def of_pairs(
        self,
        left: NDArray[np.int32],
        left_bounds: tuple[Ints, Ints],
        right: NDArray[np.int32],
        right_bounds: tuple[Ints, Ints],
        links: Links,
    ) -> Floats:
        """Score the p-th left subset with the p-th right one, for all p."""
        n_pairs = left_bounds[0].size
        arguments = (left, *left_bounds, right, *right_bounds, tuple(links))
        if self.how is None:
            answer = np.empty(n_pairs)
            kernel.matchings(self.greedy, *arguments, answer)
        else:
            answer = np.empty((3, n_pairs))
            kernel.two_ways(self.how, *arguments, answer)
        k1 = (left_bounds[1] - left_bounds[0]).astype(np.float64)
        k2 = (right_bounds[1] - right_bounds[0]).astype(np.float64)
        return self.formula(k1, k2, answer)

    def of_runs(self, runs: Selections, links: Links, i: Ints, j: Ints) -> Floats:
        """Score run i[p] with run j[p], for all p."""
        start, stop = runs.indptr[:-1], runs.indptr[1:]
        return self.of_pairs(
            runs.indices, (start[i], stop[i]), runs.indices, (start[j], stop[j]), links
        )


def _unordered_pairs(n_runs: int) -> Iterator[tuple[Ints, Ints]]:
    """All i < j, in blocks."""
    step = max(1, BLOCK_PAIRS // n_runs)
    for first in range(0, n_runs - 1, step):
        i, j = np.triu_indices(min(step, n_runs - 1 - first), first + 1, n_runs)
        yield i + first, j


# --- what random subsets score ------------------------------------------------------------------


class DrawnChance:
    """Mean score of random subsets, from one bank of seeded draws shared by all sizes.

    Draw t of size k is the first k of the t-th random order, so a size's draws do not depend on
    which other sizes there are.
    """

    def __init__(self, score: Score, links: Links, largest: int, n_draws: int, seed: int) -> None:
        d = links.near_ptr.size - 1
        rng = np.random.default_rng(seed)
        self.score, self.links, self.n_draws, self.width = score, links, n_draws, largest
        self.left = np.empty((n_draws, largest), np.int32)
        self.right = np.empty((n_draws, largest), np.int32)
        for t in range(n_draws):
            self.left[t] = rng.permutation(d)[:largest]
            self.right[t] = rng.permutation(d)[:largest]

    def __call__(self, k1: int, k2: int) -> float:
        """Mean score of the drawn pairs of these sizes."""
        start = np.arange(self.n_draws, dtype=np.int64) * self.width
        scores = self.score.of_pairs(
            self.left.ravel(),
            (start, start + k1),
            self.right.ravel(),
            (start, start + k2),
            self.links,
        )
        return float(scores.mean())


def _listed_chance(score: Score, links: Links, key: str, k1: int, k2: int) -> float:
    """Mean score over all pairs of subsets of these sizes, one by one."""
    d = links.near_ptr.size - 1
    n_left, n_right = math.comb(d, k1), math.comb(d, k2)
    if n_left * n_right > MOST_LISTED_PAIRS:
        raise InputError(
            f"The measure {key!r} with chance='exact' would list {n_left * n_right} pairs of "
            f"subsets (sizes {k1} and {k2} of {d} features). Use chance='estimate'."
        )
    left = np.array(list(combinations(range(d), k1)), np.int32).reshape(n_left, k1)
    right = np.array(list(combinations(range(d), k2)), np.int32).reshape(n_right, k2)
    a = np.repeat(np.arange(n_left, dtype=np.int64), n_right) * k1
    b = np.tile(np.arange(n_right, dtype=np.int64), n_left) * k2
    scores = score.of_pairs(left.ravel(), (a, a + k1), right.ravel(), (b, b + k2), links)
    return float(scores.mean())


def _found_by_chance(links: Links, anywhere: bool, k1: int, k2: int) -> float:
    """Expected number of features only in a random k1-subset that find a similar one.

    They look in the whole k2-subset, or in its part outside the k1-subset. By symmetry only the
    number g of similar features counts: given the overlap r, a feature outside the other subset
    misses all g of them with the probability that `pool` features hold none of the g.
    """
    d = links.near_ptr.size - 1
    degrees, how_many = np.unique(np.diff(links.near_ptr), return_counts=True)
    overlaps, probability = overlap_distribution(k1, k2, d)
    expected = 0.0
    for r, p in zip(overlaps.tolist(), probability.tolist(), strict=True):
        # A given feature is in the first subset only with probability (k1 - r) / d; the places
        # where it looks are then a random sample of the d - 1 others.
        looks_at = k2 if anywhere else k2 - r
        misses = _none_of(degrees, looks_at, d - 1)
        expected += p * (k1 - r) / d * float(how_many @ (1 - misses))
    return expected


def _none_of(degrees: Ints, n_looked_at: int, n_others: int) -> Floats:
    """Probability that a random sample of the others holds none of `degree` marked ones."""
    out = np.ones(degrees.size)
    for position, g in enumerate(degrees.tolist()):
        if g > n_others - n_looked_at:
            out[position] = 0.0
        else:
            steps = np.arange(g)
            out[position] = np.prod((n_others - n_looked_at - steps) / (n_others - steps))
    return out


def _similar_total_by_chance(links: Links, k1: int, k2: int) -> float:
    """Expected Zucknick score: given the overlap, any ordered pair of features is as likely."""
    if k1 + k2 == 0:
        return 1.0
    d = links.near_ptr.size - 1
    r, probability = overlap_distribution(k1, k2, d)
    per_pair = float(links.weight.sum()) / (d * (d - 1)) if d > 1 else 0.0
    found = np.zeros(r.size)
    if k2:
        found += per_pair * k1 * (k2 - r) / k2
    if k1:
        found += per_pair * k2 * (k1 - r) / k1
    return float(probability @ ((r + found) / (k1 + k2 - r)))


def _yu2012_by_chance(links: Links, k1: int, k2: int) -> float:
    d = links.near_ptr.size - 1
    forward = _found_by_chance(links, False, k1, k2)
    return k1 * k2 / d + (forward + _found_by_chance(links, False, k2, k1)) / 2


def _pogr_by_chance(links: Links, k1: int, k2: int) -> float:
    d = links.near_ptr.size - 1
    return k1 * k2 / d + _found_by_chance(links, True, k1, k2)


# --- the measures -------------------------------------------------------------------------------


def _root(k1: Floats, k2: Floats) -> Floats:
    return np.sqrt(k1 * k2)


def _overlap_and_lesser(k1: Floats, k2: Floats, found: Floats) -> Floats:
    return found[0] + np.minimum(found[1], found[2])


def _zucknick(k1: Floats, k2: Floats, found: Floats) -> Floats:
    ways = ratio_or_zero(found[1], k2) + ratio_or_zero(found[2], k1)
    return np.where(k1 + k2 == 0, 1.0, ratio_or_zero(found[0] + ways, k1 + k2 - found[0]))


ZUCKNICK = Score(kernel.TOTAL, _zucknick, lambda k1, k2: np.ones_like(k1))
COUNT = Score(kernel.COUNT, _overlap_and_lesser, _root)
MEAN = Score(kernel.MEAN, _overlap_and_lesser, _root)
GREEDY = Score(None, lambda k1, k2, matched: matched, _root, greedy=True)
MBM = Score(None, lambda k1, k2, matched: matched, _root)
YU2012 = Score(
    kernel.COUNT,
    lambda k1, k2, found: found[0] + (found[1] + found[2]) / 2,
    lambda k1, k2: (k1 + k2) / 2,
)
POGR = Score(kernel.ANYWHERE, lambda k1, k2, found: found[0] + found[1], lambda k1, k2: k1)

ClosedForm = Callable[[Links, int, int], float]


def _chance_terms(
    key: str,
    score: Score,
    closed_form: ClosedForm | None,
    links: Links,
    chance: str,
    largest: int,
    n_draws: int,
    random_state: int,
) -> Callable[[int, int], float]:
    if chance == "estimate":
        if not isinstance(n_draws, (int, np.integer)) or n_draws < 1:
            raise refusal("n_draws", f"the measure {key!r}", "a whole number >= 1", repr(n_draws))
        return DrawnChance(score, links, largest, int(n_draws), random_state)
    if closed_form is not None:
        return partial(closed_form, links)
    return partial(_listed_chance, score, links, key)


def _adjusted(
    runs: Selections,
    similarity: Any,
    X: Any,
    threshold: float,
    chance: str,
    n_draws: int,
    random_state: int,
    *,
    key: str,
    score: Score,
    closed_form: ClosedForm | None = None,
    pairs: str | None = None,
) -> float:
    """Mean over pairs of the score, corrected for chance unless chance='none'."""
    checked_chance(chance, ("none", "exact", "estimate"), key)
    links = links_above(resolve(runs, similarity, X, key), threshold, key)
    distinct, size_class = np.unique(runs.sizes, return_inverse=True)
    by_chance = np.full((distinct.size, distinct.size), np.nan)
    if chance != "none":
        term = _chance_terms(
            key, score, closed_form, links, chance, int(distinct[-1]), n_draws, random_state
        )
    if pairs == "consecutive":
        blocks = iter([consecutive_pairs(runs, pairs, key)])
    elif pairs == "all":
        blocks = ((np.append(i, j), np.append(j, i)) for i, j in _unordered_pairs(runs.n_runs))
    elif pairs is None:
        blocks = _unordered_pairs(runs.n_runs)
    else:
        raise refusal("pairs", f"the measure {key!r}", "'all' or 'consecutive'", repr(pairs))
    total, n_pairs = 0.0, 0
    for i, j in blocks:
        values = score.of_runs(runs, links, i, j)
        if chance != "none":
            a, b = size_class[i], size_class[j]
            for p, q in np.unique(np.stack((a, b)), axis=1).T.tolist():
                if np.isnan(by_chance[p, q]):
                    by_chance[p, q] = term(int(distinct[p]), int(distinct[q]))
            highest = score.highest(distinct[a].astype(float), distinct[b].astype(float))
            values = corrected(values, by_chance[a, b], highest)
        total += float(values.sum())
        n_pairs += i.size
    return total / n_pairs


def yu(runs: Selections, similarity: Any, X: Any) -> float:
    """Weight of the best one-to-one pairing of the two subsets over their mean size.

    One assignment problem a pair of runs, O(k^3) each, by scipy; equal pairs are solved once.
    """
    from scipy.optimize import linear_sum_assignment

    matrix = resolve(runs, similarity, X, "yu")
    subsets = [run.tobytes() for run in runs]
    known: dict[tuple[bytes, bytes], float] = {}
    total = 0.0
    for i, j in combinations(range(runs.n_runs), 2):
        first, second = sorted((subsets[i], subsets[j]))
        if (first, second) not in known:
            a, b = np.frombuffer(first, np.int32), np.frombuffer(second, np.int32)
            if a.size + b.size == 0 or first == second:
                value = 1.0
            else:
                weights = matrix[np.ix_(a, b)]
                rows, columns = linear_sum_assignment(weights, maximize=True)
                value = 2 * float(weights[rows, columns].sum()) / (a.size + b.size)
            known[first, second] = value
        total += known[first, second]
    return total / (runs.n_runs * (runs.n_runs - 1) / 2)


def sechidis(runs: Selections, similarity: Any, X: Any, threshold: float) -> float:
    """1 - trace(C S) / trace(C Sigma) over the similar pairs only: O(choices * similar features)."""
    from scipy.sparse import csr_array

    matrix = resolve(runs, similarity, X, "sechidis")
    links = links_above(matrix, threshold, "sechidis")
    n, d = runs.n_runs, runs.n_features
    f = runs.frequencies.astype(np.float64)
    similar = csr_array((links.weight, links.near, links.near_ptr), shape=(d, d))
    ones = np.ones(runs.indices.size)
    chosen = csr_array((ones, runs.indices, runs.indptr), shape=(n, d))
    # Sum over i != j of c_ij times how many runs chose both.
    together = float((chosen @ similar).multiply(chosen).sum())
    observed = (f.sum() + together - (f @ f + f @ (similar @ f)) / n) / (n - 1)
    mean_size = f.sum() / n
    on_diagonal = mean_size / d * (1 - mean_size / d)
    mean_square = float((runs.sizes.astype(np.float64) ** 2).mean())
    beside = (mean_square - mean_size) / (d * d - d) - (mean_size / d) ** 2 if d > 1 else 0.0
    by_chance = d * on_diagonal + beside * float(links.weight.sum())
    return float(1 - observed / by_chance) if abs(by_chance) > 1e-12 else 0.0


def nonsymmetric_pogr(
    runs: Selections,
    similarity: Any,
    X: Any,
    threshold: float,
    pairs: str,
    chance: str,
    n_draws: int,
    random_state: int,
) -> float:
    """nPOG with the features of the first subset that have a similar one in the second."""
    checked_chance(chance, ("exact", "estimate"), "npogr")
    return _adjusted(
        runs,
        similarity,
        X,
        threshold,
        chance,
        n_draws,
        random_state,
        key="npogr",
        score=POGR,
        closed_form=_pogr_by_chance,
        pairs=pairs,
    )


_BOMMERT = "Bommert & Rahnenführer (2020), Adjusted measures for feature selection stability"
_MATRIX: dict[str, Any] = {"similarity": None, "X": None}
_DRAWS: dict[str, Any] = {"n_draws": 1000, "random_state": 0}
_CORRECTED: set[Property] = {"chance", "unconstrained", "symmetric", "redundancy"}
_SIMILARITY: frozenset[Any] = frozenset({"similarity"})


def _intersection(name: str, title: str, formula: str, score: Score, note: str) -> Measure:
    key = f"intersection_{name}"
    return Measure(
        key=key,
        title=title,
        paper=_BOMMERT,
        formula=rf"\overline{{\frac{{I-E[I]}}{{\sqrt{{k_1k_2}}-E[I]}}}},\ I=r+{formula}",
        low="unbounded",
        high="1",
        compute=partial(_adjusted, key=key, score=score),
        properties=frozenset(_CORRECTED),
        needs=_SIMILARITY,
        options={**_MATRIX, "threshold": 0.9, "chance": "estimate", **_DRAWS},
        note=note + " The chance term is the mean of seeded random draws; chance='exact' lists all "
        "subsets of the two sizes, for few features; chance='none' is the mean of I itself, not "
        "on a scale to 1.",
    )


MEASURES = (
    Measure(
        key="npogr",
        title="nPOGR",
        paper="Zhang et al. (2009), Evaluating reproducibility of differential expression "
        "discoveries",
        formula=r"\overline{\frac{r+O_{12}-E[r+O_{12}]}{k_1-E[r+O_{12}]}}",
        low="unbounded",
        high="1",
        compute=nonsymmetric_pogr,
        properties=frozenset({"chance", "unconstrained", "redundancy"}),
        needs=_SIMILARITY,
        options={
            **_MATRIX,
            "threshold": 0.9,
            "pairs": "consecutive",
            "chance": "exact",
            **_DRAWS,
        },
        note="O_12 counts the features only in the first subset that have a similar one anywhere "
        "in the second. The chance term is exact in closed form; chance='estimate' draws it, as "
        "published. pairs as for npog.",
    ),
    Measure(
        key="yu",
        title="Yu sim_M",
        paper="Yu, Ding & Loscalzo (2008), Stable feature selection via dense feature groups",
        formula=r"\overline{\frac{2}{k_1+k_2}\max_M\sum_{(x,y)\in M}s_{xy}}",
        low="0",
        high="1",
        compute=yu,
        properties=frozenset({"limits", "monotone", "unconstrained", "symmetric", "redundancy"}),
        needs=_SIMILARITY,
        options=_MATRIX,
        note="M is a one-to-one pairing of the two subsets (maximum-weight bipartite matching). "
        "Two empty subsets count 1.",
    ),
    Measure(
        key="yu2012",
        title="Yu, Han & Berens",
        paper="Yu, Han & Berens (2012), Stable gene selection from microarray data via sample "
        "weighting",
        formula=r"\overline{\frac{I-E[I]}{(k_1+k_2)/2-E[I]}},\ I=r+\frac{O_{12}+O_{21}}2",
        low="unbounded",
        high="1",
        compute=partial(_adjusted, key="yu2012", score=YU2012, closed_form=_yu2012_by_chance),
        properties=frozenset(_CORRECTED),
        needs=_SIMILARITY,
        options={**_MATRIX, "threshold": 0.9, "chance": "exact", **_DRAWS},
        note="The measure that the R package stabm calls Yu. O_12 counts the features only in the "
        "first subset that have a similar one among those only in the second. The chance term is "
        "exact in closed form. chance='none' is the mean of I itself, not on a scale to 1.",
    ),
    Measure(
        key="zucknick",
        title="Zucknick",
        paper="Zucknick, Richardson & Stronach (2008), Comparing the characteristics of gene "
        "expression profiles",
        formula=r"\overline{\frac{r+C_{12}+C_{21}}{k_1+k_2-r}}",
        low="0",
        high="unbounded",
        compute=partial(
            _adjusted, key="zucknick", score=ZUCKNICK, closed_form=_similar_total_by_chance
        ),
        properties=frozenset({"unconstrained", "symmetric", "redundancy"}),
        needs=_SIMILARITY,
        options={**_MATRIX, "threshold": 0.9, "chance": "none", **_DRAWS},
        note="C_12 is the sum of similarities of all features of the first subset to those only in "
        "the second, over k_2; with large groups of similar features it exceeds 1. Two empty "
        "subsets count 1. chance='exact' is in closed form.",
    ),
    Measure(
        key="sechidis",
        title="Sechidis",
        paper="Sechidis et al. (2020), On the stability of feature selection in the presence of "
        "feature correlations",
        formula=r"1-\frac{\mathrm{tr}(CS)}{\mathrm{tr}(C\Sigma)}",
        low="unbounded",
        high="unbounded",
        compute=sechidis,
        properties=frozenset({"unconstrained", "symmetric"}),
        needs=_SIMILARITY,
        options={**_MATRIX, "threshold": 0.9},
        note="C holds the similarities at or above the threshold, S the sample covariance of the "
        "indicators, Sigma the same for random choices. 0 where tr(C Sigma) is 0.",
    ),
    _intersection(
        "count",
        "Adjusted intersection, count",
        r"\min(O_{12},O_{21})",
        COUNT,
        "O_12 as for yu2012.",
    ),
    _intersection(
        "greedy",
        "Adjusted intersection, greedy matching",
        r"|M_{greedy}|",
        GREEDY,
        "A greedy pairing of similar features, each in one subset only: the most similar first, "
        "ties to the pair first in feature order.",
    ),
    _intersection(
        "mbm",
        "Adjusted intersection, maximum matching",
        r"|M_{max}|",
        MBM,
        "The largest pairing of similar features, each in one subset only.",
    ),
    _intersection(
        "mean",
        "Adjusted intersection, mean",
        r"\min(C_{12},C_{21})",
        MEAN,
        "C_12 sums, over the features only in the first subset, their mean similarity to the "
        "similar ones only in the second.",
    ),
)
