"""Means over all pairs of runs of a similarity of two subsets.

Each formula is evaluated once per line of the pair table, not once per pair.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from holdfast._kernels.overlaps import overlap_of_each
from holdfast.exceptions import refusal
from holdfast.selections import Selections
from holdfast.stability import formulas
from holdfast.stability.chance import checked_chance, corrected, expected_over_sizes
from holdfast.stability.formulas import Formula
from holdfast.stability.measure import Measure, Property, equal_size

Floats = NDArray[np.float64]


def _columns(runs: Selections) -> tuple[Floats, Floats, Floats]:
    pairs = runs.pairs
    return (
        pairs.smaller.astype(np.float64),
        pairs.larger.astype(np.float64),
        pairs.overlap.astype(np.float64),
    )


def _mean(formula: Formula) -> Callable[[Selections], float]:
    def compute(runs: Selections) -> float:
        return runs.pairs.mean(formula(*_columns(runs), runs.n_features))

    return compute


def _mean_less_chance(key: str, formula: Formula) -> Callable[..., float]:
    plain = _mean(formula)

    def compute(runs: Selections, chance: str) -> float:
        if checked_chance(chance, ("none", "exact"), key) == "none":
            return plain(runs)
        pairs = runs.pairs
        values = formula(*_columns(runs), runs.n_features)
        by_chance = expected_over_sizes(pairs.smaller, pairs.larger, runs.n_features, formula)
        return pairs.mean(corrected(values, by_chance, 1.0))

    return compute


def _mean_kuncheva(runs: Selections) -> float:
    equal_size(runs, "kuncheva")
    return _mean(formulas.kuncheva)(runs)


def _mean_npog(runs: Selections, pairs: str) -> float:
    checked_pairs(pairs, "npog")
    d = runs.n_features
    if pairs == "all":
        k1, k2, r = _columns(runs)
        return runs.pairs.mean((formulas.npog(k1, k2, r, d) + formulas.npog(k2, k1, r, d)) / 2)
    left, right = consecutive_pairs(runs)
    k1, k2 = runs.sizes[left].astype(float), runs.sizes[right].astype(float)
    r = overlap_of_each(runs.indptr, runs.indices, left, right).astype(float)
    return float(formulas.npog(k1, k2, r, d).mean())


def checked_pairs(pairs: object, key: str) -> None:
    """Which pairs a measure that is not symmetric goes through."""
    if pairs not in ("all", "consecutive"):
        raise refusal("pairs", f"the measure {key!r}", "'all' or 'consecutive'", repr(pairs))


def consecutive_pairs(runs: Selections) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Pair runs 0 and 1, 2 and 3, ... as Zhang et al. do; a last odd run is left out."""
    left = np.arange(0, runs.n_runs - 1, 2)
    return left, left + 1


def _pair_measure(
    key: str,
    title: str,
    paper: str,
    formula: str,
    function: Formula,
    properties: set[Property],
    low: str,
    note: str = "",
) -> Measure:
    """Describe a mean over pairs; those without a chance term take chance='exact'."""
    correctable = "chance" not in properties
    return Measure(
        key=key,
        title=title,
        paper=paper,
        formula=formula,
        low=low,
        high="1",
        compute=_mean_less_chance(key, function) if correctable else _mean(function),
        properties=frozenset(properties),
        options={"chance": "none"} if correctable else {},
        note=note,
    )


_KUNCHEVA_2007 = "Kuncheva (2007), A stability index for feature selection"
_ZHANG = "Zhang et al. (2009), Evaluating reproducibility of differential expression discoveries"
_BEYOND = r"r-\frac{k_1k_2}{D}"
_UNIT: set[Property] = {"limits", "monotone", "unconstrained", "symmetric"}
_EMPTY_OR_FULL = "A pair with an empty or a full subset counts 0: chance leaves it no room."

MEASURES = (
    _pair_measure(
        "jaccard",
        "Jaccard = Tanimoto = generalised Kalousis GK",
        "Kalousis, Prados & Hilario (2007), Stability of feature selection algorithms",
        r"\overline{\frac{r}{k_1+k_2-r}}",
        formulas.jaccard,
        _UNIT,
        "0",
        "Known as GK (Somol & Novovičová 2008), ATI, S_S (Kalousis et al. 2007) and Tanimoto. "
        "Two empty subsets count 1. chance='exact' rescales each pair by its exact expectation.",
    ),
    _pair_measure(
        "hamming",
        "Relative Hamming",
        "Dunne, Cunningham & Azuaje (2002), Solutions to instability problems",
        r"\overline{1-\frac{k_1+k_2-2r}{D}}",
        formulas.hamming,
        _UNIT,
        "0",
    ),
    _pair_measure(
        "dice",
        "Dice",
        "Dice (1945), Measures of the amount of ecologic association between species",
        r"\overline{\frac{2r}{k_1+k_2}}",
        formulas.dice,
        _UNIT,
        "0",
        "Two empty subsets count 1.",
    ),
    _pair_measure(
        "ochiai",
        "Ochiai",
        "Ochiai (1957), Zoogeographical studies on the soleoid fishes",
        r"\overline{\frac{r}{\sqrt{k_1k_2}}}",
        formulas.ochiai,
        _UNIT,
        "0",
        "Two empty subsets count 1, one empty subset counts 0.",
    ),
    Measure(
        key="kuncheva",
        title="Kuncheva's consistency index",
        paper=_KUNCHEVA_2007,
        formula=r"\overline{\frac{r-k^2/D}{k-k^2/D}}",
        low="-1",
        high="1",
        compute=_mean_kuncheva,
        properties=frozenset({"limits", "monotone", "chance", "symmetric"}),
        needs=frozenset({"equal sizes"}),
        note=_EMPTY_OR_FULL,
    ),
    _pair_measure(
        "lustgarten",
        "Lustgarten",
        "Lustgarten, Gopalakrishnan & Visweswaran (2009), Measuring stability of feature selection",
        rf"\overline{{\frac{{{_BEYOND}}}{{\min(k_1,k_2)-\max(0,k_1+k_2-D)}}}}",
        formulas.lustgarten,
        {"monotone", "chance", "unconstrained", "symmetric"},
        "-1",
        _EMPTY_OR_FULL,
    ),
    _pair_measure(
        "wald",
        "Wald",
        "Wald, Khoshgoftaar & Napolitano (2013), Stability of filter- and wrapper-based selection",
        rf"\overline{{\frac{{{_BEYOND}}}{{\min(k_1,k_2)-k_1k_2/D}}}}",
        formulas.wald,
        {"monotone", "chance", "unconstrained", "symmetric"},
        "1-D",
        _EMPTY_OR_FULL,
    ),
    Measure(
        key="npog",
        title="nPOG",
        paper=_ZHANG,
        formula=rf"\overline{{\frac{{{_BEYOND}}}{{k_1-k_1k_2/D}}}}",
        low="1-D",
        high="1",
        compute=_mean_npog,
        properties=frozenset({"monotone", "chance", "unconstrained"}),
        options={"pairs": "consecutive"},
        note="Not symmetric in the two subsets. pairs='consecutive' is the mean over runs 1-2, "
        "3-4, ... as published, so it depends on the order of the runs; pairs='all' is the mean "
        "over all ordered pairs, which does not. " + _EMPTY_OR_FULL,
    ),
    _pair_measure(
        "nogueira2016",
        "Nogueira & Brown sim_N",
        "Nogueira & Brown (2016), Measuring the stability of feature selection with applications "
        "to ensemble methods",
        rf"\overline{{\frac{{{_BEYOND}}}{{\max\{{\frac{{k_1k_2}}D-\max(0,k_1+k_2-D),\ "
        rf"\min(k_1,k_2)-\frac{{k_1k_2}}D\}}}}}}",
        formulas.nogueira2016,
        {"limits", "monotone", "chance", "unconstrained", "symmetric"},
        "-1",
        _EMPTY_OR_FULL,
    ),
    _pair_measure(
        "phi",
        "Phi coefficient",
        "Nogueira & Brown (2015), Measuring the stability of feature selection",
        rf"\overline{{\frac{{{_BEYOND}}}{{\sqrt{{k_1(1-k_1/D)\,k_2(1-k_2/D)}}}}}}",
        formulas.phi,
        {"limits", "monotone", "chance", "unconstrained", "symmetric"},
        "-1",
        "Mean Pearson correlation of the runs' indicator vectors. " + _EMPTY_OR_FULL,
    ),
    _pair_measure(
        "kappa",
        "Cohen's kappa",
        "Carletta (1996), Assessing agreement on classification tasks",
        r"\overline{\frac{p_o-p_e}{1-p_e}}",
        formulas.kappa,
        {"limits", "monotone", "chance", "unconstrained", "symmetric"},
        "-1",
        "p_o is the Hamming share, p_e its expectation. " + _EMPTY_OR_FULL,
    ),
    _pair_measure(
        "unadjusted",
        "Adjusted intersection without similarities",
        "Bommert & Rahnenführer (2020), Adjusted measures for feature selection stability",
        rf"\overline{{\frac{{{_BEYOND}}}{{\sqrt{{k_1k_2}}-k_1k_2/D}}}}",
        formulas.unadjusted,
        {"limits", "monotone", "chance", "unconstrained", "symmetric"},
        "-1",
        _EMPTY_OR_FULL,
    ),
)
