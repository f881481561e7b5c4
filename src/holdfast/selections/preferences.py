"""What a fitted selector prefers: scores of all features, or only its subset."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdfast.exceptions import InputError
from holdfast.selections.estimators import support_of

Floats = NDArray[np.float64]


def scores_of(fitted: Any, n_features: int) -> tuple[str, Floats]:
    """The kind, "weights" or "ranks", and one score a feature; "" and nothing where there is none.

    Looks for ``scores_``, ``feature_importances_``, ``coef_`` and ``ranking_``, inside pipelines
    too. The higher a weight the better, so of coefficients it is the magnitude; ranks count from
    the best, 1. Single features that have no score, such as constant ones, get the lowest.
    """
    for candidate in _candidates(fitted):
        if hasattr(candidate, "subsets_by_size_"):
            # A search knows subsets of many sizes; its ranks only tell of them.
            return "", np.empty(0)
        for name in ("scores_", "feature_importances_", "coef_"):
            values = getattr(candidate, name, None)
            if values is None:
                continue
            weights = np.asarray(values, dtype=np.float64)
            if name == "coef_":
                # As scikit-learn's importances of several classes: the norm over them.
                weights = np.abs(weights)
                if weights.ndim == 2:
                    several = len(weights) > 1
                    weights = np.linalg.norm(weights, axis=0) if several else weights[0]
            if weights.shape == (n_features,):
                return "weights", _complete(weights) if name == "scores_" else weights
        ranks = getattr(candidate, "ranking_", None)
        if ranks is not None and np.shape(ranks) == (n_features,):
            return "ranks", np.asarray(ranks, dtype=np.float64)
    return "", np.empty(0)


def subsets_by_size(fitted: Any) -> dict[int, NDArray[np.int32]]:
    """The best subsets that a search met, by size; empty for everything else."""
    for candidate in _candidates(fitted):
        known = getattr(candidate, "subsets_by_size_", None)
        if known is not None:
            return {size: np.asarray(subset, dtype=np.int32) for size, subset in known.items()}
    return {}


def cut(kind: str, scores: Floats, size: int) -> NDArray[np.int32]:
    """The best features by score, ties to the first."""
    worth = -scores if kind == "ranks" else scores
    return np.sort(np.argsort(-worth, kind="stable")[:size]).astype(np.int32)


def subset_of(fitted: Any, n_features: int, owner: str) -> NDArray[np.int32] | None:
    """What the selector chose; None for a model that scores features and chooses none."""
    try:
        support = support_of(fitted, owner)
    except InputError:
        if scores_of(fitted, n_features)[0]:
            return None
        raise
    if support.size != n_features:
        raise InputError(
            f"A selector answered for {support.size} features; the data have {n_features}."
        )
    return np.flatnonzero(support).astype(np.int32)


def _complete(scores: Floats) -> Floats:
    unknown = np.isnan(scores)
    if not unknown.any() or unknown.all():
        return scores
    return np.where(unknown, min(0.0, float(scores[~unknown].min())), scores)


def _candidates(fitted: Any) -> list[Any]:
    """The object, and the last step of a pipeline or search that keeps all columns before it."""
    found = [fitted]
    inner = getattr(fitted, "best_estimator_", None)
    if inner is not None:
        found += _candidates(inner)
    steps = getattr(fitted, "steps", None)
    if steps:
        found += _candidates(steps[-1][1])
    return found
