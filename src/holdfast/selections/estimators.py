"""Which columns a fitted scikit-learn object kept: selectors, pipelines, searches."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdfast.exceptions import InputError, refusal

Getter = Callable[[Any], Any]
Columns = NDArray[np.intp]

_GETTER = "pass getter=, a function from the fitted object to a mask over the features."


def masks_of(fitted: list[Any], getter: Getter | None, owner: str) -> list[NDArray[Any]]:
    """Get one mask a run, all over the same number of columns."""
    if getter is not None:
        masks = [np.asarray(getter(estimator)) for estimator in fitted]
        flat = [mask.ndim == 1 for mask in masks]
        if not all(flat):
            i = flat.index(False)
            raise refusal(
                "getter",
                owner,
                "a function that returns a mask over the features",
                f"an array of shape {masks[i].shape} for run {i}",
            )
    else:
        masks = [support_of(estimator, owner) for estimator in fitted]
    for i, mask in enumerate(masks):
        if mask.size != masks[0].size:
            raise refusal(
                "getter" if getter else "selectors",
                owner,
                "about the same columns in every run",
                f"{masks[0].size} columns in run 0 and {mask.size} in run {i}",
            )
    return masks


def common_names(fitted: list[Any], n_columns: int, owner: str) -> tuple[str, ...] | None:
    """Find the column names that all fitted objects saw, if they saw any."""
    names = [_names_of(estimator) for estimator in fitted]
    for i, other in enumerate(names):
        if other != names[0]:
            raise refusal(
                "selectors",
                owner,
                "fitted on the same columns in one order",
                f"other columns in run {i} than in run 0",
                "Bring the columns into one order before fitting.",
            )
    known = names[0]
    # A getter may speak of features that are not the columns given.
    return known if known is not None and len(known) == n_columns else None


def support_of(estimator: Any, owner: str) -> NDArray[np.bool_]:
    """Follow the columns to the estimator's last selector; return a mask over them."""
    steps = list(_flat_steps("", estimator))
    masks = [_mask_of(step, owner) for _, step in steps]
    selecting = [i for i, mask in enumerate(masks) if mask is not None]
    if not selecting:
        raise refusal(
            "selectors",
            owner,
            "fitted selectors with get_support(), or fitted pipelines or searches that hold one",
            f"a {type(estimator).__name__}",
            f"Fit it first if it is not (a search with refit=True); else {_GETTER}",
        )
    kept: Columns | None = None
    n_columns = 0
    for (name, step), mask in zip(steps[: selecting[-1] + 1], masks, strict=False):
        passed = _columns_passed(step, mask)
        if passed is None:
            raise _lost_track(name, step, owner)
        n_received, positions = passed
        if kept is None:
            n_columns = n_received
            kept = np.arange(n_columns)
        if n_received != kept.size:
            raise _lost_track(name, step, owner)
        kept = kept[positions]
    support = np.zeros(n_columns, dtype=bool)
    support[kept] = True
    return support


def _flat_steps(name: str, estimator: Any) -> Iterator[tuple[str, Any]]:
    """Selectors and transformers in order, out of any pipelines and searches around them."""
    if hasattr(estimator, "get_support"):
        yield name, estimator
    elif getattr(estimator, "best_estimator_", None) is not None:
        yield from _flat_steps(name, estimator.best_estimator_)
    elif hasattr(estimator, "steps"):
        for inner_name, step in estimator.steps:
            yield from _flat_steps(inner_name, step)
    elif hasattr(estimator, "transform") or not name or hasattr(estimator, "support_"):
        yield name, estimator


def _mask_of(step: Any, owner: str) -> NDArray[np.bool_] | None:
    if hasattr(step, "get_support"):
        try:
            return np.asarray(step.get_support(), dtype=bool)
        except (AttributeError, ValueError) as error:
            raise refusal(
                "selectors", owner, "fitted", f"a {type(step).__name__} that is not ({error})"
            ) from error
    support = np.asarray(getattr(step, "support_", None))
    # SVC has a `support_` too: indices of rows. Only a mask over columns will do.
    return support if support.dtype == bool and support.ndim == 1 else None


def _columns_passed(step: Any, mask: NDArray[np.bool_] | None) -> tuple[int, Columns] | None:
    """Tell how many columns a step received and which its outputs are; None if they are not."""
    if mask is not None:
        return mask.size, np.flatnonzero(mask)
    n_received = getattr(step, "n_features_in_", None)
    if n_received is None:
        return None
    received = getattr(step, "feature_names_in_", [f"x{f}" for f in range(n_received)])
    try:
        passed = list(step.get_feature_names_out())
    except (AttributeError, TypeError, ValueError):
        return None
    position = {name: f for f, name in enumerate(received)}
    # Projections call their outputs pca0, pca1, ..., which earlier ones may have given as inputs.
    made_up = [f"{type(step).__name__.lower()}{i}" for i in range(len(passed))]
    if passed == made_up or any(name not in position for name in passed):
        return None
    return n_received, np.array([position[name] for name in passed], dtype=np.intp)


def _lost_track(name: str, step: Any, owner: str) -> InputError:
    return refusal(
        "selectors",
        owner,
        "pipelines whose steps before the last selector keep, drop or reorder columns, and say so "
        "with get_feature_names_out()",
        f"step {name!r}, a {type(step).__name__}, whose output columns are not its input columns",
        "Put the selector first, give the transformer feature_names_out='one-to-one' if that is "
        f"true of it, or {_GETTER}",
    )


def _names_of(estimator: Any) -> tuple[str, ...] | None:
    # The first step sees the columns as they came in.
    first = next(_flat_steps("", estimator), ("", estimator))[1]
    names = getattr(first, "feature_names_in_", None)
    return None if names is None else tuple(map(str, names))
