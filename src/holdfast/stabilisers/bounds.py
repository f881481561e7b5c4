"""How many features stability selection chooses wrongly, at most and on average.

Meinshausen & Bühlmann (2010) for any samples taken as exchangeable; Shah & Samworth (2013) for
complementary pairs, which asks for less.
"""

from __future__ import annotations

import numpy as np

from holdfast.exceptions import refusal


def worst_case(n_chosen: float, n_features: int, threshold: float) -> float:
    """Expected number of features chosen although they are no better than random, at most.

    q² / ((2τ - 1) p), where a sample chooses q of p features on average and a feature is kept that
    at least a share τ > 1/2 of the samples choose.
    """
    if not 0.5 < threshold <= 1:
        raise refusal(
            "threshold", "stability selection's bound", "above 0.5, at most 1", repr(threshold)
        )
    return n_chosen**2 / ((2.0 * threshold - 1.0) * n_features)


def unimodal(n_chosen: float, n_features: int, threshold: float, n_pairs: int) -> float:
    """The same for complementary pairs, if each such feature's share of samples is unimodal.

    Shah & Samworth (2013), theorem 2, with θ = q / p. Where the theorem says nothing (a threshold
    too near 1/2, or more than 1/√3 of the features chosen) it is the worst case.
    """
    rate, pairs = n_chosen / n_features, float(n_pairs)
    worst = worst_case(n_chosen, n_features, threshold)
    lowest = min(0.5 + rate**2, 0.5 + 1.0 / (2.0 * pairs) + 0.75 * rate**2)
    if rate > 1.0 / np.sqrt(3.0) or threshold <= lowest:
        return worst
    if threshold <= 0.75:
        factor = 1.0 / (2.0 * (2.0 * threshold - 1.0 - 1.0 / (2.0 * pairs)))
    else:
        factor = 4.0 * (1.0 - threshold + 1.0 / (2.0 * pairs)) / (1.0 + 1.0 / pairs)
    return min(worst, factor * rate * n_chosen) if factor > 0 else worst
