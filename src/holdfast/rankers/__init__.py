"""One score per feature."""

from holdfast.rankers.forest import Forest
from holdfast.rankers.mrmr import JMI, MRMR
from holdfast.rankers.relief import ReliefF
from holdfast.rankers.svm import SVMRFE, LinearSVM
from holdfast.rankers.univariate import ChiSquare, InformationGain, SymmetricalUncertainty

__all__ = [
    "JMI",
    "MRMR",
    "SVMRFE",
    "ChiSquare",
    "Forest",
    "InformationGain",
    "LinearSVM",
    "ReliefF",
    "SymmetricalUncertainty",
]
