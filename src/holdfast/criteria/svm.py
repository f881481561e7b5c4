"""The support vector machine wrapper: cross-validated accuracy of a subset of features."""

from __future__ import annotations

from numbers import Real
from typing import Any, Literal

import numpy as np

from holdfast.contracts import Criterion, Judge, Problem
from holdfast.criteria.folds import Folds
from holdfast.criteria.memory import Remembering
from holdfast.criteria.svm_scorer import SVMScorer, canonical_order, training_of
from holdfast.criteria.table import Matrix, Scale, numbers_of, scaled
from holdfast.exceptions import refusal

OWNER = "criteria.SVM"
# Beyond this, squared differences may not fit a float, nor products a float of single precision.
WIDEST = {"rbf": 1e150, "linear": 1e17}


class SVM(Criterion):
    """Accuracy of a support vector machine with RBF or linear kernel.

    The predictions are those of :class:`sklearn.svm.SVC` with the same parameters under the same
    splits: the solver takes the steps of libsvm, so both stop at the same approximate solution.
    What can differ is rounding in the last digits of the kernel, which matters where an example
    lies on the decision boundary to within rounding, or where two steps are equally good to within
    rounding. The result for a subset depends on nothing but the subset.

    Parameters
    ----------
    kernel : {"rbf", "linear"}, default="rbf"
        Kernel of the machine.
    C : float, default=1.0
        Price of an error: the upper bound of each multiplier.
    gamma : {"scale", "auto"} or float, default="scale"
        Factor of the squared distance in the RBF kernel; the linear kernel has none. "scale" is 1
        over the number of features of the subset times the variance of all their values in the
        training part; "auto" is 1 over the number of features of the subset.
    cv : int, splitter or iterable, default=10
        The same folds for every subset; a number makes stratified folds.
    scale : {None, "range", "standard"}, default=None
        Scale each feature to [0, 1], or to mean 0 and variance 1. None takes the data as they are,
        so that a feature counts by its unit.
    scale_within : bool, default=False
        Learn the scaling from the training part of each split, not from all data.
    tol : float, default=1e-3
        How far from optimal a solution may be.

    Notes
    -----
    With more than two classes each pair has its machine and one vote; the first of the classes with
    most votes wins. Sample weights multiply `C` for each example, and weigh the accuracy.

    A step of the solver takes O(n) for n training examples, and each example that ever moves a row
    of the kernel, O(n d) once for all folds and O(n) for each. Rows of the kernel are kept as far
    as the memory allowed reaches. Data whose mean is a million times their spread are handled
    exactly here; scikit-learn's RBF kernel loses digits there. A machine that is not solved after
    10 million steps is used as it is, with a `ConvergenceWarning`; scale the data then.
    """

    def __init__(
        self,
        kernel: Literal["rbf", "linear"] = "rbf",
        C: float = 1.0,
        gamma: float | Literal["scale", "auto"] = "scale",
        cv: Any = 10,
        scale: Scale = None,
        scale_within: bool = False,
        tol: float = 1e-3,
    ) -> None:
        self.kernel = kernel
        self.C = C
        self.gamma = gamma
        self.cv = cv
        self.scale = scale
        self.scale_within = scale_within
        self.tol = tol

    def prepare(self, problem: Problem) -> Judge:
        """Bind the data."""
        self._check_parameters()
        X = numbers_of(problem, OWNER)
        order = canonical_order(X)
        folds = Folds.of(problem, self.cv, OWNER)
        _refuse_single_class(folds)
        everywhere = scaled(X, self.scale, None, OWNER)
        _refuse_wide(everywhere, self.kernel)
        numbers = list(range(len(folds.splits)))
        if self.scale_within and self.scale is not None:
            trainings = [
                training_of(scaled(X, self.scale, folds.splits[k][0], OWNER), order, folds, [k])
                for k in numbers
            ]
        else:
            trainings = [training_of(everywhere, order, folds, numbers)]
        scorer = SVMScorer(
            trainings,
            order,
            folds,
            linear=self.kernel == "linear",
            price=float(self.C),
            gamma=self.gamma,
            tol=float(self.tol),
            problem=problem,
        )
        return Remembering(scorer, "SVM", problem.n_features, problem.budget)

    def _check_parameters(self) -> None:
        if not isinstance(self.kernel, str) or self.kernel not in WIDEST:
            cure = "For another kernel use criteria.Estimator(SVC(...))."
            raise refusal("kernel", OWNER, "'rbf' or 'linear'", repr(self.kernel), cure)
        for name in ("C", "tol"):
            if not _is_positive(getattr(self, name)):
                raise refusal(name, OWNER, "a finite number > 0", repr(getattr(self, name)))
        named = isinstance(self.gamma, str) and self.gamma in ("scale", "auto")
        if not named and not _is_positive(self.gamma):
            raise refusal(
                "gamma", OWNER, "'scale', 'auto' or a finite number > 0", repr(self.gamma)
            )
        if not isinstance(self.scale_within, (bool, np.bool_)):
            raise refusal("scale_within", OWNER, "True or False", repr(self.scale_within))


def _is_positive(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool) and 0 < float(value) < np.inf


def _refuse_single_class(folds: Folds) -> None:
    """Refuse training parts with one class, which has no boundary to any other."""
    for number, (train, _) in enumerate(folds.splits):
        counted = train if folds.weights is None else train[folds.weights[train] > 0]
        found = folds.classes[np.unique(folds.codes[counted])]
        if found.size < 2:
            raise refusal(
                "cv",
                OWNER,
                "such that each training part has examples, of positive weight, of two classes",
                f"only {found.tolist()} in fold {number}",
                "Use stratified folds or fewer of them.",
            )


def _refuse_wide(X: Matrix, kernel: str) -> None:
    with np.errstate(over="ignore"):
        width = np.ptp(X, axis=0) if kernel == "rbf" else np.abs(X).max(axis=0)
    wide = np.flatnonzero(~(width < WIDEST[kernel]))
    if wide.size:
        raise refusal(
            "X",
            OWNER,
            f"within {WIDEST[kernel]:g} in every column",
            f"{width[wide[0]]:g} in column {wide[0]}",
            "Scale the data, for example by scale='range'.",
        )
