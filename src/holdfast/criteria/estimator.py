"""Any scikit-learn estimator or pipeline with any scorer: the wrapper for everything else."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from sklearn import config_context, get_config
from sklearn.base import clone, is_classifier
from sklearn.compose import ColumnTransformer
from sklearn.metrics import check_scoring, get_scorer
from sklearn.pipeline import FeatureUnion, Pipeline
from sklearn.utils import Bunch, Tags, get_tags
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import has_fit_parameter

from holdfast.contracts import Criterion, Floats, Ints, Judge, Problem, Scorer
from holdfast.criteria.memory import Remembering
from holdfast.criteria.slices import columns_of, rows_of
from holdfast.criteria.splits import splits_of
from holdfast.exceptions import EstimatorFailedError, EstimatorFailedWarning, InputError, refusal

MOST_WARNINGS = 3


class Estimator(Criterion):
    """Cross-validated score of a scikit-learn estimator or pipeline on a subset.

    Parameters
    ----------
    estimator : scikit-learn estimator
        Classifier, regressor or pipeline. It is cloned; dataframes reach it as dataframes.
    scoring : str, callable, list or dict, optional
        One scorer, or several by name of which `drive` decides and the others are recorded in the
        history. The estimator's own ``score`` by default.
    cv : int, splitter or iterable, default=5
        The same folds for every subset.
    drive : str, optional
        Which of several scorers decides; the first by default.
    error_score : "raise" or float, default=nan
        What a fold scores in which fitting or scoring fails. NaN leaves the subset out of the
        search; the first failures are warnings that name the subset and the fold. "raise" ends the
        search; the selector keeps what it had found.

    Notes
    -----
    Sample weights reach both fitting and scoring. With metadata routing enabled they, and any other
    metadata, go where they are requested.
    """

    needs_numbers = False

    def __init__(
        self,
        estimator: Any,
        scoring: Any = None,
        cv: Any = 5,
        drive: str | None = None,
        error_score: Any = np.nan,
    ) -> None:
        self.estimator = estimator
        self.scoring = scoring
        self.cv = cv
        self.drive = drive
        self.error_score = error_score

    def prepare(self, problem: Problem) -> Judge:
        owner = "criteria.Estimator"
        if not hasattr(self.estimator, "fit") or isinstance(self.estimator, type):
            raise refusal("estimator", owner, "an estimator object with fit", repr(self.estimator))
        if self.error_score != "raise" and not isinstance(self.error_score, (int, float)):
            raise refusal("error_score", owner, "'raise' or a number", repr(self.error_score))
        scorers = scorers_of(self.estimator, self.scoring, owner)
        drive = self.drive if self.drive is not None else next(iter(scorers))
        if drive not in scorers:
            raise refusal("drive", owner, f"one of {list(scorers)}", repr(drive))
        routed = self._routed(problem, scorers, owner)
        splits = splits_of(self.cv, problem, is_classifier(self.estimator), owner, routed.split)
        folds = [_fold_of(problem, train, test, routed) for train, test in splits]
        if self.scoring == "accuracy" and type_of_target(problem.y) in ("binary", "multiclass"):
            scorers = {"accuracy": accuracy}
        scorer = EstimatorScorer(self.estimator, scorers, drive, problem, folds, self.error_score)
        name = type(self.estimator).__name__
        return Remembering(scorer, name, problem.n_features, problem.budget)

    def get_metadata_routing(self) -> MetadataRouter:
        """Who may get which metadata of ``fit``: the estimator, the scorers and the splitter."""
        router = MetadataRouter(owner=self).add(
            estimator=self.estimator, method_mapping=MethodMapping().add(caller="fit", callee="fit")
        )
        scorers = scorers_of(self.estimator, self.scoring, "criteria.Estimator")
        for name, scorer in scorers.items():
            to_score = MethodMapping().add(caller="fit", callee="score")
            router.add(**{f"scorer {name}": scorer}, method_mapping=to_score)
        to_split = MethodMapping().add(caller="fit", callee="split")
        return router.add(splitter=self.cv, method_mapping=to_split)

    def _routed(self, problem: Problem, scorers: Mapping[str, Any], owner: str) -> Bunch:
        """What goes to fit, score and split: as requested, or sample weights and groups by name."""
        if get_config()["enable_metadata_routing"]:
            given = dict(problem.params)
            if problem.sample_weight is not None:
                given["sample_weight"] = problem.sample_weight
            if problem.groups is not None:
                given["groups"] = problem.groups
            routed = process_routing(self, "fit", **given)
            scoring = {name: routed[f"scorer {name}"].score for name in scorers}
            return Bunch(fit=routed.estimator.fit, score=scoring, split=routed.splitter.split)
        if problem.params:
            raise refusal(
                next(iter(problem.params)),
                owner,
                "left out of fit",
                "it",
                "To pass it on, call sklearn.set_config(enable_metadata_routing=True) and request "
                "it where it is needed.",
            )
        groups = {} if problem.groups is None else {"groups": problem.groups}
        weights = {} if problem.sample_weight is None else {"sample_weight": problem.sample_weight}
        fit = {f"{self._weighted_step(owner)}sample_weight": w for w in weights.values()}
        return Bunch(fit=fit, score=dict.fromkeys(scorers, weights), split=groups)

    def _weighted_step(self, owner: str) -> str:
        """Prefix under which the model that learns takes sample weights."""
        prefix, model = "", self.estimator
        while isinstance(model, Pipeline):
            name, model = model.steps[-1]
            prefix += f"{name}__"
        if not has_fit_parameter(model, "sample_weight"):
            raise refusal(
                "sample_weight",
                owner,
                f"left out with {type(model).__name__}, whose fit takes no weights",
                "weights",
            )
        return prefix

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        if hasattr(self.estimator, "__sklearn_tags__"):
            tags.input_tags.sparse = get_tags(self.estimator).input_tags.sparse
            tags.input_tags.allow_nan = _takes_missing(self.estimator)
        return tags


def _takes_missing(estimator: Any) -> bool:
    """Whether missing values may be passed on; compositions may impute, so they decide inside."""
    if isinstance(estimator, Pipeline):
        steps = [step for _, step in estimator.steps if step not in (None, "passthrough")]
        return bool(steps) and _takes_missing(steps[0])
    if isinstance(estimator, (ColumnTransformer, FeatureUnion)):
        return True
    if not hasattr(estimator, "__sklearn_tags__"):
        return True
    return bool(get_tags(estimator).input_tags.allow_nan)


def accuracy(model: Any, X: Any, y: Any, sample_weight: Any = None) -> float:
    """What scikit-learn's scorer of this name gives for class labels.

    That one checks labels and predictions anew at each call, which takes longer than many models
    take to predict.
    """
    right = np.asarray(model.predict(X)) == np.asarray(y)
    return float(np.average(right, weights=sample_weight))


def scorers_of(estimator: Any, scoring: Any, owner: str) -> dict[str, Any]:
    """Scorers by name, from what scikit-learn users pass as `scoring`."""
    try:
        if scoring is None or isinstance(scoring, str) or callable(scoring):
            name = scoring if isinstance(scoring, str) else "score"
            return {name: check_scoring(estimator, scoring=scoring)}
        if isinstance(scoring, Mapping):
            return {
                name: get_scorer(one) if isinstance(one, str) else one
                for name, one in scoring.items()
            }
        return {name: get_scorer(name) for name in scoring}
    except (TypeError, ValueError) as error:
        raise refusal(
            "scoring", owner, "a scorer, its name, or several of them", repr(scoring), str(error)
        ) from error


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
            for fold, reason in failures:
                self._report(subset, fold, reason)
                table[:, fold] = self._error_score
        return [table for table, _ in answers]

    def _report(self, subset: Ints, fold: int, reason: str) -> None:
        name = type(self._estimator).__name__
        message = f"{name} failed on features {subset.tolist()} in fold {fold}: {reason}."
        if self._error_score == "raise":
            raise EstimatorFailedError(
                f"{message} Pass error_score=numpy.nan to leave such subsets out."
            )
        self._n_failures += 1
        if self._n_failures <= MOST_WARNINGS:
            last = " Further failures are not shown." if self._n_failures == MOST_WARNINGS else ""
            warnings.warn(message + last, EstimatorFailedWarning, stacklevel=2)


def _fold_of(problem: Problem, train: Ints, test: Ints, routed: Bunch) -> Fold:
    def cut(params: Mapping[str, Any], rows: Ints) -> dict[str, Any]:
        # What has one entry an example is cut; the rest goes to every fold as it is.
        return {
            name: rows_of(value, rows)
            if hasattr(value, "__len__") and len(value) == len(problem.y)
            else value
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


def _tables_of(
    estimator: Any,
    scorers: Mapping[str, Any],
    X: Any,
    folds: Sequence[Fold],
    subsets: Sequence[Ints],
) -> list[tuple[Floats, list[tuple[int, str]]]]:
    return [_table(estimator, scorers, columns_of(X, subset), folds) for subset in subsets]


def _table(
    estimator: Any, scorers: Mapping[str, Any], X: Any, folds: Sequence[Fold]
) -> tuple[Floats, list[tuple[int, str]]]:
    """Scorers x folds for the columns of one subset, and which folds failed and why."""
    table = np.full((len(scorers), len(folds)), np.nan)
    failures = []
    for number, fold in enumerate(folds):
        try:
            # The same parameters need no second check.
            with config_context(skip_parameter_validation=number > 0):
                model = clone(estimator)
                model.fit(rows_of(X, fold.train), fold.y_train, **fold.fit_params)
                X_test = rows_of(X, fold.test)
                for i, (name, scorer) in enumerate(scorers.items()):
                    score = scorer(model, X_test, fold.y_test, **fold.score_params[name])
                    table[i, number] = _number(score)
        except InputError:
            raise
        except Exception as error:
            failures.append((number, f"{type(error).__name__}: {error}"))
    return table, failures


def _number(score: Any) -> float:
    if isinstance(score, Mapping):
        raise InputError("A scorer returned several numbers; pass several scorers by name instead.")
    return float(score)
