"""One score per feature."""

from holdfast.rankers.forest import Forest
from holdfast.rankers.relief import ReliefF
from holdfast.rankers.svm import SVMRFE, LinearSVM

__all__ = ["SVMRFE", "Forest", "LinearSVM", "ReliefF"]
