"""Similarity-adjusted measures: a feature's close relative counts as (nearly) the feature itself.

A pair of runs scores its overlap plus what the two find in each other among similar features.
Scores are corrected by what random subsets of the same sizes would score: in closed form where
the score is a sum over features, by listing all subsets where they are few, else by seeded draws.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdfast.selections import Selections
from holdfast.stability import scores
from holdfast.stability.chance import checked_chance, checked_count, checked_seed, corrected
from holdfast.stability.measure import Measure, Property
from holdfast.stability.pairwise import checked_pairs, consecutive_pairs
from holdfast.stability.scores import Score
from holdfast.stability.similar_chance import (
    DrawnChance,
    listed_chance,
    pogr_by_chance,
    yu2012_by_chance,
    zucknick_by_chance,
)
from holdfast.stability.similarity import Links, links_above, resolve

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

BLOCK_PAIRS = 1 << 18

ClosedForm = Callable[[Links, int, int], float]
Blocks = Iterator[tuple[Ints, Ints]]


def _unordered_pairs(n_runs: int) -> Blocks:
    """All i < j, in blocks."""
    step = max(1, BLOCK_PAIRS // n_runs)
    for first in range(0, n_runs - 1, step):
        i, j = np.triu_indices(min(step, n_runs - 1 - first), first + 1, n_runs)
        yield i + first, j


def _pairs_to_score(runs: Selections, pairs: str | None) -> Blocks:
    """Unordered pairs for a symmetric score (None), else what the option asks for."""
    if pairs is None:
        return _unordered_pairs(runs.n_runs)
    if pairs == "all":
        return ((np.append(i, j), np.append(j, i)) for i, j in _unordered_pairs(runs.n_runs))
    return iter([consecutive_pairs(runs)])


class _ChanceTable:
    """Chance terms by pair of sizes, each computed once, when first met."""

    def __init__(self, term: Callable[[int, int], float], sizes: Ints, symmetric: bool) -> None:
        self.distinct, self.size_class = np.unique(sizes, return_inverse=True)
        self.known = np.full((self.distinct.size, self.distinct.size), np.nan)
        self.term, self.symmetric = term, symmetric

    def of(self, i: Ints, j: Ints) -> Floats:
        """Chance term of run i[p] with run j[p], for all p."""
        a, b = self.size_class[i], self.size_class[j]
        if self.symmetric:
            # Drawn terms differ a little between (k1, k2) and (k2, k1); the order of the runs
            # must not show.
            a, b = np.minimum(a, b), np.maximum(a, b)
        for p, q in np.unique(np.stack((a, b)), axis=1).T.tolist():
            if np.isnan(self.known[p, q]):
                self.known[p, q] = self.term(int(self.distinct[p]), int(self.distinct[q]))
        found: Floats = self.known[a, b]
        return found


def _chance_term(
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
        owner = f"the measure {key!r}"
        checked_count(n_draws, "n_draws", owner)
        checked_seed(random_state, owner)
        return DrawnChance(score, links, largest, int(n_draws), random_state)
    if closed_form is not None:
        return partial(closed_form, links)
    return partial(listed_chance, score, links, key)


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
    blocks = _pairs_to_score(runs, pairs)
    largest = int(runs.sizes.max())
    if chance != "none":
        term = _chance_term(key, score, closed_form, links, chance, largest, n_draws, random_state)
        by_chance = _ChanceTable(term, runs.sizes, symmetric=pairs is None)
    sizes = runs.sizes.astype(np.float64)

    def of_block(i: Ints, j: Ints) -> list[float]:
        values = score.of_runs(runs, links, i, j)
        if chance != "none":
            values = corrected(values, by_chance.of(i, j), score.highest(sizes[i], sizes[j]))
        listed: list[float] = values.tolist()
        return listed

    # An exact sum: the order of the runs must not show, not even in the last digit.
    n_pairs = runs.n_runs // 2 if pairs == "consecutive" else math.comb(runs.n_runs, 2)
    total = math.fsum(value for block in blocks for value in of_block(*block))
    return total / (2 * n_pairs if pairs == "all" else n_pairs)


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
    """Count in nPOG also those features of the first subset with a similar one in the second."""
    checked_chance(chance, ("exact", "estimate"), "npogr")
    checked_pairs(pairs, "npogr")
    return _adjusted(
        runs,
        similarity,
        X,
        threshold,
        chance,
        n_draws,
        random_state,
        key="npogr",
        score=scores.POGR,
        closed_form=pogr_by_chance,
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
        properties=frozenset({"monotone", "chance", "unconstrained", "redundancy"}),
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
        key="yu2012",
        title="Yu, Han & Berens",
        paper="Yu, Han & Berens (2012), Stable gene selection from microarray data via sample "
        "weighting",
        formula=r"\overline{\frac{I-E[I]}{(k_1+k_2)/2-E[I]}},\ I=r+\frac{O_{12}+O_{21}}2",
        low="unbounded",
        high="1",
        compute=partial(_adjusted, key="yu2012", score=scores.YU2012, closed_form=yu2012_by_chance),
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
        high="1",
        compute=partial(
            _adjusted, key="zucknick", score=scores.ZUCKNICK, closed_form=zucknick_by_chance
        ),
        properties=frozenset({"limits", "unconstrained", "symmetric", "redundancy"}),
        needs=_SIMILARITY,
        options={**_MATRIX, "threshold": 0.9, "chance": "none", **_DRAWS},
        note="C_12 is the sum of similarities of all features of the first subset to those only in "
        "the second, over k_2. Two empty subsets count 1. chance='exact' is in closed form.",
    ),
    _intersection(
        "count",
        "Adjusted intersection, count",
        r"\min(O_{12},O_{21})",
        scores.COUNT,
        "O_12 as for yu2012.",
    ),
    _intersection(
        "greedy",
        "Adjusted intersection, greedy matching",
        r"|M_{greedy}|",
        scores.GREEDY,
        "A greedy pairing of similar features, each in one subset only: the most similar first, "
        "ties to the pair first in feature order.",
    ),
    _intersection(
        "mbm",
        "Adjusted intersection, maximum matching",
        r"|M_{max}|",
        scores.MBM,
        "The largest pairing of similar features, each in one subset only.",
    ),
    _intersection(
        "mean",
        "Adjusted intersection, mean",
        r"\min(C_{12},C_{21})",
        scores.MEAN,
        "C_12 sums, over the features only in the first subset, their mean similarity to the "
        "similar ones only in the second.",
    ),
)
