"""One score per feature."""

from holdfast.rankers.mrmr import JMI, MRMR
from holdfast.rankers.relief import ReliefF
from holdfast.rankers.univariate import ChiSquare, InformationGain, SymmetricalUncertainty

__all__ = ["JMI", "MRMR", "ChiSquare", "InformationGain", "ReliefF", "SymmetricalUncertainty"]
