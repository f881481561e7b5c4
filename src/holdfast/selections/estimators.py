"""Which columns a fitted scikit-learn object kept: selectors, pipelines, searches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdfast.exceptions import refusal

Getter = Callable[[Any], Any]


def support_of(estimator: Any, owner: str) -> NDArray[np.bool_]:
    """Boolean mask over the columns the fitted estimator was given."""
    inner = getattr(estimator, "best_estimator_", None)
    if inner is not None and not hasattr(estimator, "get_support"):
        return support_of(inner, owner)
    if hasattr(estimator, "get_support"):
        return np.asarray(estimator.get_support(), dtype=bool)
    if hasattr(estimator, "steps"):
        return _support_of_steps(estimator, owner)
    support = np.asarray(getattr(estimator, "support_", None))
    # SVC has a `support_` too: indices of rows. Only a mask over columns will do.
    if support.dtype == bool and support.ndim == 1:
        return support
    raise refusal(
        "selectors",
        owner,
        "fitted selectors with get_support(), or pipelines that hold one",
        f"a {type(estimator).__name__}",
        "Pass getter=, a function from the fitted object to a mask or an index list.",
    )


def _support_of_steps(pipeline: Any, owner: str) -> NDArray[np.bool_]:
    """Follow the columns from the pipeline's door to its last selector."""
    steps = [(name, step) for name, step in pipeline.steps if hasattr(step, "fit")]
    selecting = [i for i, (_, step) in enumerate(steps) if hasattr(step, "get_support")]
    if not selecting:
        raise refusal(
            "selectors",
            owner,
            "fitted pipelines that hold a selector",
            f"steps {list(dict(steps))}",
        )
    kept: NDArray[np.intp] | None = None
    n_columns = 0
    for name, step in steps[: selecting[-1] + 1]:
        receives = getattr(step, "n_features_in_", None)
        if kept is None and receives is not None:
            n_columns = int(receives)
            kept = np.arange(n_columns)
        if kept is not None and receives is not None and receives != kept.size:
            raise refusal(
                "selectors",
                owner,
                "pipelines whose steps before the selector keep one column per feature",
                f"one whose step {name!r} receives {receives} columns instead of {kept.size}",
                "Pass getter=, a function from the fitted pipeline to a mask or an index list.",
            )
        if hasattr(step, "get_support"):
            mask = np.asarray(step.get_support(), dtype=bool)
            if kept is None:
                n_columns, kept = mask.size, np.arange(mask.size)
            kept = kept[mask]
    support = np.zeros(n_columns, dtype=bool)
    support[kept] = True
    return support


def names_of(estimator: Any) -> tuple[str, ...] | None:
    """The column names the fitted estimator saw, if it saw any."""
    inner = getattr(estimator, "best_estimator_", estimator)
    first = inner.steps[0][1] if hasattr(inner, "steps") else inner
    names = getattr(inner, "feature_names_in_", getattr(first, "feature_names_in_", None))
    return None if names is None else tuple(map(str, names))
