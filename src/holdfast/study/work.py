"""One task: select on a sample, and see what models make of the choice on the rest."""

from __future__ import annotations

import inspect
import time
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone, is_regressor
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.metrics import accuracy_score, r2_score, roc_auc_score, root_mean_squared_error

from holdfast.criteria.slices import columns_of, rows_of
from holdfast.selections.preferences import cut, scores_of, subset_of, subsets_by_size
from holdfast.stabilisers.seeding import common_generators, seeded
from holdfast.study.protocols import Draw, Draws
from holdfast.study.records import OWN_SIZE, Outcome, Record, Task

LONGEST_REASON = 2000


@dataclass(frozen=True)
class Work:
    """Everything tasks need beyond their own few numbers; sent once to each worker.

    Attributes
    ----------
    X, y, groups : the data
    draws : Draws
    selectors, models : mapping
        By name, not fitted.
    sizes : tuple of int
        At which scores are cut.
    time_limit : float or None
        Seconds a task may take.
    """

    X: Any
    y: NDArray[Any]
    groups: NDArray[Any] | None
    draws: Draws
    selectors: Mapping[str, Any]
    models: Mapping[str, Any]
    sizes: tuple[int, ...]
    time_limit: float | None = None


def done(work: Work, task: Task) -> Record:
    """Do a task; whatever goes wrong inside becomes a failed record with its reason."""
    draw = work.draws[task.draw]
    began = time.perf_counter()
    try:
        with warnings.catch_warnings(), common_generators(task.seed):
            warnings.simplefilter("ignore")
            found = _selected(work, task, draw)
        return Record(
            task.key,
            task.selector,
            draw.repetition,
            draw.inner,
            "done",
            "",
            *found,
            time.perf_counter() - began,
        )
    except (Exception, SystemExit) as error:
        return failed(task, draw, f"{type(error).__name__}: {error}", time.perf_counter() - began)


def failed(task: Task, draw: Draw, reason: str, seconds: float = 0.0) -> Record:
    """The record of a task that did not come to an end."""
    return Record(
        task.key,
        task.selector,
        draw.repetition,
        draw.inner,
        "failed",
        # Messages may hold anything; a file of text may not.
        reason[:LONGEST_REASON].encode("utf-8", "replace").decode(),
        seconds=seconds,
    )


def _selected(
    work: Work, task: Task, draw: Draw
) -> tuple[tuple[Outcome, ...], str, NDArray[np.float64]]:
    n_features = work.X.shape[1]
    selector = seeded(clone(work.selectors[task.selector]), task.seed)
    X_train, y_train = rows_of(work.X, draw.train), work.y[draw.train]
    if work.groups is not None and _takes_groups(selector):
        selector.fit(X_train, y_train, groups=work.groups[draw.train])
    else:
        selector.fit(X_train, y_train)
    subsets: dict[int, NDArray[np.int32]] = {}
    own = subset_of(selector, n_features, "Study")
    if own is not None:
        subsets[OWN_SIZE] = own
    kind, scores = scores_of(selector, n_features)
    if kind and not np.isfinite(scores).all():
        raise ValueError("the selector gave scores that are not finite")
    met = subsets_by_size(selector)
    for size in work.sizes:
        if kind:
            subsets[size] = cut(kind, scores, size)
        elif size in met:
            subsets[size] = met[size]
    outcomes = tuple(
        evaluated(work, task, draw, size, subset) for size, subset in sorted(subsets.items())
    )
    return outcomes, kind, scores


def evaluated(work: Work, task: Task, draw: Draw, size: int, subset: NDArray[np.int32]) -> Outcome:
    """What the models make of a subset; of inner samples, which serve stability only, nothing."""
    if draw.inner >= 0:
        return Outcome(size, subset)
    scores: dict[str, dict[str, float]] = {}
    correct: dict[str, NDArray[np.bool_]] = {}
    y_train, y_test = work.y[draw.train], work.y[draw.test]
    columns = columns_of(work.X, subset.astype(np.intp))
    X_train, X_test = rows_of(columns, draw.train), rows_of(columns, draw.test)
    for name, model in work.models.items():
        own = seeded(clone(model), task.seed)
        if subset.size == 0:
            # Without features there is nothing but the classes' sizes, or the mean, to go by.
            own = DummyRegressor() if is_regressor(model) else DummyClassifier()
            X_train, X_test = np.zeros((len(y_train), 1)), np.zeros((len(y_test), 1))
        own.fit(X_train, y_train)
        if is_regressor(model):
            predicted = own.predict(X_test)
            scores[name] = {
                "r2": float(r2_score(y_test, predicted)) if len(y_test) > 1 else np.nan,
                "rmse": float(root_mean_squared_error(y_test, predicted)),
            }
            continue
        predicted = own.predict(X_test)
        correct[name] = np.asarray(predicted == y_test, dtype=bool)
        scores[name] = {
            "accuracy": float(accuracy_score(y_test, predicted)),
            "auc": _auc(own, X_test, y_test),
        }
    return Outcome(size, subset, scores, correct)


def _auc(model: Any, X: Any, y: NDArray[Any]) -> float:
    """Area under the ROC curve, one class against the others; NaN where a class is not tested."""
    classes = np.asarray(model.classes_)
    if hasattr(model, "predict_proba"):
        shown = model.predict_proba(X)
    elif hasattr(model, "decision_function"):
        shown = model.decision_function(X)
    else:
        return np.nan
    if classes.size == 2:
        values = shown[:, 1] if np.ndim(shown) == 2 else shown
        if np.unique(y).size < 2:
            return np.nan
        return float(roc_auc_score(y == classes[1], values))
    if np.ndim(shown) != 2 or shown.shape[1] != classes.size:
        return np.nan
    tested = [c for c in range(classes.size) if 0 < (y == classes[c]).sum() < y.size]
    if not tested:
        return np.nan
    areas = [roc_auc_score(y == classes[c], shown[:, c]) for c in tested]
    return float(np.mean(areas))


def _takes_groups(selector: Any) -> bool:
    return "groups" in inspect.signature(selector.fit).parameters
