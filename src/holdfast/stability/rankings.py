"""Stability of weights and rankings: mean correlation over all pairs of runs.

The mean over pairs of the products of standardised rows is (|sum of rows|^2 - n) / (n (n - 1)),
so no pair is ever looked at: O(runs * features).
"""

from __future__ import annotations

import warnings

import numpy as np
from numpy.typing import NDArray

from holdfast.exceptions import UndefinedInferenceError, UndefinedStabilityWarning, refusal
from holdfast.selections import Selections
from holdfast.stability.correlation import standardised
from holdfast.stability.measure import Measure, Property


def _mean_correlation(rows: NDArray[np.float64], key: str) -> float:
    unit, varies = standardised(rows)
    n_all, n = rows.shape[0], int(varies.sum())
    if n < 2:
        raise UndefinedInferenceError(
            f"The measure {key!r} needs at least 2 runs whose values vary. Got {n}: a constant "
            "vector has no correlation with anything."
        )
    if n < n_all:
        left_out = n_all * (n_all - 1) // 2 - n * (n - 1) // 2
        warnings.warn(
            f"{key}: {n_all - n} of {n_all} runs are constant; the {left_out} pairs with them have "
            "no correlation and are left out.",
            UndefinedStabilityWarning,
            stacklevel=5,
        )
    total = unit.sum(axis=0)
    return float((total @ total - n) / (n * (n - 1)))


def pearson(runs: Selections) -> float:
    """Mean Pearson correlation of the weights."""
    if runs.scores is None or runs.score_kind != "weights":
        raise refusal(
            "runs",
            "the measure 'pearson'",
            "made from weights",
            f"one made from {runs.score_kind or 'subsets'}",
            "Use Selections.from_weights.",
        )
    return _mean_correlation(runs.scores, "pearson")


def spearman(runs: Selections) -> float:
    """Mean Spearman correlation of the rankings, ties by mid-rank."""
    if runs.scores is None:
        raise refusal(
            "runs",
            "the measure 'spearman'",
            "made from weights or rankings",
            "one made from subsets",
            "Use Selections.from_rankings or Selections.from_weights.",
        )
    from scipy.stats import rankdata

    by_magnitude = runs.score_kind == "weights" and runs.importance == "magnitude"
    scores = np.abs(runs.scores) if by_magnitude else runs.scores
    return _mean_correlation(rankdata(scores, axis=1), "spearman")


_KALOUSIS = "Kalousis, Prados & Hilario (2007), Stability of feature selection algorithms"
# The other properties are about subsets.
_OF_CORRELATIONS: frozenset[Property] = frozenset({"limits", "chance", "symmetric"})
_CONSTANT = (
    "A run whose values are all equal has no correlation: its pairs are left out, with a warning "
    "that counts them."
)

MEASURES = (
    Measure(
        key="pearson",
        title="Pearson S_W of weights",
        paper=_KALOUSIS,
        formula=r"\overline{\mathrm{corr}(w_i,w_j)}",
        low="-1/(n-1)",
        high="1",
        compute=pearson,
        properties=_OF_CORRELATIONS,
        asked=_OF_CORRELATIONS,
        needs=frozenset({"weights"}),
        note="Of the weights as given, signs included. " + _CONSTANT,
    ),
    Measure(
        key="spearman",
        title="Spearman S_R of rankings",
        paper=_KALOUSIS,
        formula=r"\overline{\mathrm{corr}(\mathrm{rank}\,w_i,\mathrm{rank}\,w_j)}",
        low="-1/(n-1)",
        high="1",
        compute=spearman,
        properties=_OF_CORRELATIONS,
        asked=_OF_CORRELATIONS,
        needs=frozenset({"weights or ranks"}),
        note="Ties get the mean of their ranks. Weights are ranked by magnitude or value, as the "
        "runs were made. " + _CONSTANT,
    ),
)
