"""How good is one subset of features."""

from holdfast.criteria.consistency import Consistency, MutualInformation
from holdfast.criteria.distances import Bhattacharyya, Divergence, Mahalanobis
from holdfast.criteria.estimator import Estimator
from holdfast.criteria.gaussian import Gaussian
from holdfast.criteria.hybrid import Hybrid
from holdfast.criteria.knn import KNN
from holdfast.criteria.naive_bayes import NaiveBayes
from holdfast.criteria.svm import SVM
from holdfast.criteria.vote import Vote

__all__ = [
    "KNN",
    "SVM",
    "Bhattacharyya",
    "Consistency",
    "Divergence",
    "Estimator",
    "Gaussian",
    "Hybrid",
    "Mahalanobis",
    "MutualInformation",
    "NaiveBayes",
    "Vote",
]
