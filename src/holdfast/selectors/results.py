"""From the course of a search to what a fitted selector holds."""

from __future__ import annotations

import json
import math
import platform
from time import perf_counter
from typing import Any

import numpy as np
import polars as pl

import holdfast
from holdfast.search.moves import Moves
from holdfast.search.observer import Observer
from holdfast.trace import Step, Working


def store(selector: Any, observer: Observer, moves: Moves, subset: Working) -> None:
    """Write the fitted attributes."""
    trace = observer.trace
    features = moves.features(subset.units)
    selector.support_ = np.zeros(selector.n_features_in_, dtype=bool)
    selector.support_[features] = True
    selector.score_ = subset.value
    selector.fold_scores_ = moves.judge.folds(features)
    selector.history_ = history(trace.steps, moves)
    best = sorted(trace.best.items())
    selector.scores_by_size_ = {size: known.value for size, known in best}
    selector.subsets_by_size_ = {size: moves.features(known.units) for size, known in best}
    selector.ranking_ = ranking(selector.subsets_by_size_, selector.n_features_in_)
    selector.choices_ = choices(observer, moves)
    selector.n_evaluations_ = moves.judge.evaluations
    selector.evaluations_ = dict(moves.judge.counts)
    selector.stop_reason_ = trace.stopped
    selector.seconds_ = perf_counter() - observer.began


def ranking(subsets_by_size: dict[int, np.ndarray], n_features: int) -> np.ndarray:
    """For each feature the smallest size of which the best known subset holds it."""
    out = np.full(n_features, max(subsets_by_size) + 1, dtype=np.int64)
    for size in sorted(subsets_by_size, reverse=True):
        out[subsets_by_size[size]] = size
    return out


def history(steps: list[Step], moves: Moves) -> pl.DataFrame:
    """A row a step."""
    schema: dict[str, Any] = {
        "step": pl.Int64,
        "action": pl.String,
        "moved": pl.List(pl.Int64),
        "features": pl.List(pl.Int64),
        "size": pl.Int64,
        "score": pl.Float64,
        "fold_scores": pl.List(pl.Float64),
        "kept": pl.Boolean,
        "depth": pl.Int64,
        "evaluations": pl.Int64,
        "seconds": pl.Float64,
    }
    others = sorted({name for step in steps for name in step.others})
    schema |= {f"fold_scores_{name}": pl.List(pl.Float64) for name in others}
    rows = [
        {
            "step": number,
            "action": step.action,
            "moved": moves.features(step.moved).tolist(),
            "features": moves.features(step.subset.units).tolist(),
            "size": step.subset.size,
            "score": step.subset.value,
            "fold_scores": step.folds.tolist(),
            "kept": step.kept,
            "depth": step.depth,
            "evaluations": step.evaluations,
            "seconds": step.seconds,
            **{f"fold_scores_{name}": scores.tolist() for name, scores in step.others.items()},
        }
        for number, step in enumerate(steps)
    ]
    return pl.DataFrame(rows, schema=schema)


def choices(observer: Observer, moves: Moves) -> pl.DataFrame:
    """A row a tolerance: the subset chosen for it."""
    return pl.DataFrame(
        [
            {
                "tolerance": choice.tolerance,
                "size": choice.chosen.size,
                "score": choice.chosen.value,
                "features": moves.features(choice.chosen.units).tolist(),
            }
            for choice in observer.choices
            if choice.chosen is not None
        ],
        schema={
            "tolerance": pl.Float64,
            "size": pl.Int64,
            "score": pl.Float64,
            "features": pl.List(pl.Int64),
        },
    )


def as_json(selector: Any) -> str:
    """Everything a fitted selector knows, for other programs."""
    import sklearn

    names = getattr(selector, "feature_names_in_", None)
    content = {
        "holdfast": holdfast.__version__,
        "scikit-learn": sklearn.__version__,
        "numpy": np.__version__,
        "python": platform.python_version(),
        "selector": type(selector).__name__,
        "parameters": selector.get_params(deep=True),
        "n_features": selector.n_features_in_,
        "feature_names": None if names is None else [str(name) for name in names],
        "selected": np.flatnonzero(selector.support_).tolist(),
        "score": selector.score_,
        "fold_scores": selector.fold_scores_.tolist(),
        "scores_by_size": selector.scores_by_size_,
        "subsets_by_size": {k: v.tolist() for k, v in selector.subsets_by_size_.items()},
        "choices": selector.choices_.to_dicts(),
        "evaluations": selector.evaluations_,
        "stop_reason": selector.stop_reason_,
        "seconds": selector.seconds_,
        "history": selector.history_.to_dicts(),
    }
    return json.dumps(_plain(content), ensure_ascii=False, allow_nan=False)


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        # JSON has no NaN and no infinities.
        return value if math.isfinite(value) else None
    if isinstance(value, (np.ndarray, np.generic)):
        return _plain(value.tolist())
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    if isinstance(value, dict):
        return {str(name): _plain(one) for name, one in value.items()}
    return repr(value)
