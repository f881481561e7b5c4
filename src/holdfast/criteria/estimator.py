"""Any scikit-learn estimator or pipeline with any scorer: the wrapper for everything else."""

from __future__ import annotations

from collections.abc import Mapping
from inspect import Parameter, signature
from typing import Any

import numpy as np
from sklearn import get_config
from sklearn.base import is_classifier
from sklearn.compose import ColumnTransformer
from sklearn.metrics import check_scoring, get_scorer
from sklearn.pipeline import FeatureUnion, Pipeline
from sklearn.utils import Bunch, Tags, get_tags
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.validation import has_fit_parameter

from holdfast.contracts import Criterion, Judge, Problem
from holdfast.criteria.estimator_scorer import EstimatorScorer, fold_of
from holdfast.criteria.memory import Remembering
from holdfast.criteria.splits import splits_of
from holdfast.exceptions import refusal


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
        What a fold scores in which fitting fails, for all scorers, or scoring, for that scorer. NaN
        leaves a subset out of the search where the driving score has one; the first failures are
        warnings that name the subset and the fold. "raise" ends the search; the selector keeps what
        it had found.

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
        if not _is_error_score(self.error_score):
            raise refusal("error_score", owner, "'raise' or a number", repr(self.error_score))
        scorers = scorers_of(self.estimator, self.scoring, owner)
        drive = self.drive if self.drive is not None else next(iter(scorers))
        if drive not in scorers:
            raise refusal("drive", owner, f"one of {list(scorers)}", repr(drive))
        routed = self._routed(problem, scorers, owner)
        classifier = is_classifier(self.estimator)
        splits = splits_of(self.cv, problem, classifier, owner, routed.split, ascending=False)
        folds = [fold_of(problem, train, test, routed) for train, test in splits]
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
        for name in [name for name in scorers if weights and not _takes_weights(scorers[name])]:
            raise refusal(
                "sample_weight",
                owner,
                f"left out with scorer {name!r}, which takes no weights",
                "weights",
            )
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


def _is_error_score(value: Any) -> bool:
    if isinstance(value, str):
        return value == "raise"
    return isinstance(value, (int, float, np.number)) and not isinstance(value, bool)


def _takes_weights(scorer: Any) -> bool:
    """Whether a scorer can be called with weights; where nobody knows, it is tried."""
    try:
        parameters = signature(scorer).parameters
    except (TypeError, ValueError):
        return True
    kinds = {parameter.kind for parameter in parameters.values()}
    return "sample_weight" in parameters or Parameter.VAR_KEYWORD in kinds


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


def scorers_of(estimator: Any, scoring: Any, owner: str) -> dict[str, Any]:
    """Scorers by name, from what scikit-learn users pass as `scoring`."""
    try:
        if scoring is None or isinstance(scoring, str) or callable(scoring):
            name = scoring if isinstance(scoring, str) else "score"
            return {name: check_scoring(estimator, scoring=scoring)}
        named = scoring if isinstance(scoring, Mapping) else {name: name for name in scoring}
        if not named:
            raise ValueError("There is none.")
        # get_scorer passes on what can be called, and refuses the rest.
        return {name: get_scorer(one) for name, one in named.items()}
    except (TypeError, ValueError) as error:
        raise refusal(
            "scoring", owner, "a scorer, its name, or several of them", repr(scoring), str(error)
        ) from error
