"""scikit-learn's own checks of estimators, for every public selector."""

from __future__ import annotations

from typing import Any

import pytest
import sklearn
from sklearn.linear_model import Ridge, RidgeClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.utils.estimator_checks import estimator_checks_generator

from holdfast import (
    DynamicOscillatingSelector,
    ExhaustiveSelector,
    IndividualSelector,
    OscillatingSelector,
    SequentialSelector,
)
from holdfast.criteria import (
    KNN,
    SVM,
    Bhattacharyya,
    Estimator,
    Gaussian,
    Hybrid,
    Mahalanobis,
    NaiveBayes,
    Vote,
)

FOLDS_OF_EXAMPLES = (
    "folds are made of examples: one of weight 2 is in one fold, two of weight 1 may be in two"
)
FEW_A_CLASS = "five folds, as for a model given by itself, need five examples of each class"
OBJECTS = (
    "what objects mean is for the model inside to say, as a pipeline may encode them; where it "
    "fails, the subset is left out"
)
DENSE = {"check_sample_weight_equivalence_on_dense_data": FOLDS_OF_EXAMPLES}
SPARSE = {"check_sample_weight_equivalence_on_sparse_data": FOLDS_OF_EXAMPLES}
FEW = dict.fromkeys(["check_dtype_object", "check_fit2d_1feature"], FEW_A_CLASS)
if tuple(map(int, sklearn.__version__.split(".")[:2])) < (1, 7):
    FEW["check_n_features_in_after_fitting"] = FEW_A_CLASS

# Every search, every criterion, and what is expected to fail. Weights that differ from repeated
# examples need not show in what is chosen, so few of those checks fail.
CASES: list[tuple[Any, dict[str, str]]] = [
    (SequentialSelector(KNN(1, cv=2), n_features_to_select=1), DENSE),
    (SequentialSelector(Mahalanobis(), n_features_to_select=1, tolerance=[0.1, 0.2]), {}),
    (SequentialSelector(NaiveBayes(cv=2), n_features_to_select=1, direction="backward"), DENSE),
    (
        SequentialSelector(
            Mahalanobis(), n_features_to_select=1, direction="backward", floating=True
        ),
        {},
    ),
    (SequentialSelector(Gaussian(cv=2), n_features_to_select=1, floating=True), {}),
    (OscillatingSelector(NaiveBayes(cv=2), 1, swing=1), {}),
    (OscillatingSelector(SVM(cv=2), 1, swing=1, init="random", random_state=0), {}),
    (
        DynamicOscillatingSelector(
            Hybrid(Bhattacharyya(), Vote([KNN(1, cv=2), NaiveBayes(cv=2)]), 0.5), swing=1
        ),
        DENSE,
    ),
    (IndividualSelector(KNN(1, cv=2), 1), DENSE),
    (ExhaustiveSelector(NaiveBayes(cv=2), n_features_to_select=1), {}),
    # Models of scikit-learn: by itself, cross-validated as told, and a regressor.
    (SequentialSelector(GaussianNB(), n_features_to_select=1), {**DENSE, **FEW}),
    (IndividualSelector(Estimator(RidgeClassifier(), cv=2), 1), {"check_dtype_object": OBJECTS}),
    (
        OscillatingSelector(Estimator(Ridge(), cv=2), 1, swing=1),
        {"check_dtype_object": OBJECTS, **DENSE, **SPARSE},
    ),
]
# A list: newer pytest does not take the generator of the oldest scikit-learn's decorator.
CHECKS = [
    pair
    for selector, failures in CASES
    for pair in estimator_checks_generator(selector, expected_failed_checks=failures, mark="xfail")
]


def name_of(value: Any) -> str:
    """A check by its name, a selector by its own and its criterion's."""
    if hasattr(value, "func"):
        return value.func.__name__
    return f"{type(value).__name__}-{type(value.criterion).__name__}"


@pytest.mark.filterwarnings("ignore::holdfast.exceptions.SingularCovarianceWarning")
@pytest.mark.parametrize(("selector", "check"), CHECKS, ids=name_of)
def test_scikit_learn_agrees(selector: Any, check: Any) -> None:
    check(selector)
