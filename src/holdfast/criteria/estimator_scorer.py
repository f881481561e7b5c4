"""Fit and score clones of an estimator on the columns of subsets, fold by fold."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from sklearn import config_context
from sklearn.utils import Bunch
from sklearn.utils.parallel import Parallel, delayed

from holdfast.contracts import Floats, Ints, Problem, Scorer
from holdfast.criteria.refitting import modeller
from holdfast.criteria.slices import columns_of, rows_of
from holdfast.exceptions import EstimatorFailedError, EstimatorFailedWarning, InputError

MOST_WARNINGS = 3


class Failure(NamedTuple):
    """What went wrong in a fold: with one scorer, or with fitting and so with all."""

    fold: int
    scorer: int | None
    reason: str


class Fold(NamedTuple):
    """The examples of one fold, and what is cut to them once for all subsets."""

    train: Ints
    test: Ints
    y_train: Any
    y_test: Any
    fit_params: Mapping[str, Any]
    score_params: Mapping[str, Mapping[str, Any]]


class EstimatorScorer(Scorer):
    """Fits and scores clones; candidates in parallel processes where n_jobs asks for it."""

    def __init__(
        self,
        estimator: Any,
        scorers: Mapping[str, Any],
        drive: str,
        problem: Problem,
        folds: list[Fold],
        error_score: Any,
    ) -> None:
        self._estimator = estimator
        self._scorers = scorers
        self._drive = list(scorers).index(drive)
        self._X = problem.X
        self._folds = folds
        self._error_score = error_score
        self._n_jobs = problem.n_jobs
        self._known: dict[bytes, Floats] = {}
        self._n_failures = 0

    def score(self, subset: Ints) -> Floats:
        folds: Floats = self._scored([subset])[0]
        return folds

    def additions(self, base: Ints, tuples: Ints) -> Floats:
        return self._scored([np.sort(np.concatenate((base, t))) for t in tuples])

    def removals(self, base: Ints, tuples: Ints) -> Floats:
        return self._scored([np.setdiff1d(base, t) for t in tuples])

    def others(self, subset: Ints) -> Mapping[str, Floats]:
        if len(self._scorers) == 1:
            return {}
        table = self._known[subset.tobytes()]
        names = enumerate(self._scorers)
        return {name: table[i] for i, name in names if i != self._drive}

    def _scored(self, subsets: list[Ints]) -> Floats:
        tables = self._tables(subsets)
        if len(self._scorers) > 1:
            self._known |= {s.tobytes(): t for s, t in zip(subsets, tables, strict=True)}
        return np.stack([table[self._drive] for table in tables])

    def _tables(self, subsets: list[Ints]) -> list[Floats]:
        """Scorers x folds for each subset."""
        arguments = self._estimator, self._scorers, self._X, self._folds
        n_parts = min(self._n_jobs, len(subsets))
        if n_parts == 1:
            answers = _tables_of(*arguments, subsets)
        else:
            # One task a worker: the data travel once to each, and not with every candidate.
            parts = [subsets[i::n_parts] for i in range(n_parts)]
            done = Parallel(n_jobs=n_parts)(delayed(_tables_of)(*arguments, part) for part in parts)
            answers = [done[i % n_parts][i // n_parts] for i in range(len(subsets))]
        for subset, (table, failures) in zip(subsets, answers, strict=True):
            for failure in failures:
                self._report(subset, failure)
                which = slice(None) if failure.scorer is None else failure.scorer
                table[which, failure.fold] = self._error_score
        return [table for table, _ in answers]

    def _report(self, subset: Ints, failure: Failure) -> None:
        name = type(self._estimator).__name__
        scorer = "" if failure.scorer is None else f", scorer {list(self._scorers)[failure.scorer]}"
        where = f"features {subset.tolist()} in fold {failure.fold}{scorer}"
        message = f"{name} failed on {where}: {failure.reason.rstrip('.')}."
        if self._error_score == "raise":
            raise EstimatorFailedError(
                f"{message} Pass error_score=numpy.nan to leave such subsets out."
            )
        self._n_failures += 1
        if self._n_failures <= MOST_WARNINGS:
            last = " Further failures are not shown." if self._n_failures == MOST_WARNINGS else ""
            warnings.warn(message + last, EstimatorFailedWarning, stacklevel=2)


def fold_of(problem: Problem, train: Ints, test: Ints, routed: Bunch) -> Fold:
    """Cut targets and metadata to one fold; `routed` says what goes to fit and to each scorer."""

    def cut(params: Mapping[str, Any], rows: Ints) -> dict[str, Any]:
        # What has one entry an example is cut; the rest goes to every fold as it is.
        return {
            name: rows_of(value, rows) if _entries(value) == len(problem.y) else value
            for name, value in params.items()
        }

    return Fold(
        train,
        test,
        rows_of(problem.y, train),
        rows_of(problem.y, test),
        cut(routed.fit, train),
        {name: cut(params, test) for name, params in routed.score.items()},
    )


def _entries(value: Any) -> int | None:
    """How many entries a container has that can be cut; None for anything else."""
    if hasattr(value, "shape"):
        return int(value.shape[0]) if value.shape else None
    if isinstance(value, Sequence) and not isinstance(value, (str, bytes)):
        return len(value)
    return None


def _tables_of(
    estimator: Any,
    scorers: Mapping[str, Any],
    X: Any,
    folds: Sequence[Fold],
    subsets: Sequence[Ints],
) -> list[tuple[Floats, list[Failure]]]:
    model = modeller(estimator, scorers.values())
    return [_table(model, scorers, columns_of(X, subset), folds) for subset in subsets]


def _table(
    model_to_fit: Callable[[], Any], scorers: Mapping[str, Any], X: Any, folds: Sequence[Fold]
) -> tuple[Floats, list[Failure]]:
    """Scorers x folds for the columns of one subset, and what failed."""
    table = np.full((len(scorers), len(folds)), np.nan)
    failures: list[Failure] = []
    checked = False
    for number, fold in enumerate(folds):
        # Parameters with which a fold was fitted need no second check.
        with config_context(skip_parameter_validation=checked or None):
            try:
                model = model_to_fit()
                model.fit(rows_of(X, fold.train), fold.y_train, **fold.fit_params)
            except Exception as error:
                failures.append(Failure(number, None, f"{type(error).__name__}: {error}"))
                continue
            checked = True
            X_test = rows_of(X, fold.test)
            for i, (name, scorer) in enumerate(scorers.items()):
                try:
                    score = scorer(model, X_test, fold.y_test, **fold.score_params[name])
                    table[i, number] = _number(score)
                except InputError:
                    raise
                except Exception as error:
                    failures.append(Failure(number, i, f"{type(error).__name__}: {error}"))
    return table, failures


def _number(score: Any) -> float:
    if isinstance(score, Mapping):
        raise InputError("A scorer returned several numbers; pass several scorers by name instead.")
    return float(score)
