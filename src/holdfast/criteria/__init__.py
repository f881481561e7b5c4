"""How good is one subset of features."""

from holdfast.criteria.estimator import Estimator
from holdfast.criteria.hybrid import Hybrid
from holdfast.criteria.knn import KNN
from holdfast.criteria.svm import SVM
from holdfast.criteria.vote import Vote

__all__ = ["KNN", "Estimator", "Hybrid", "SVM", "Vote"]
