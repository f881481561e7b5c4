"""Searches and rankings as scikit-learn selectors."""

from holdfast.selectors.exhaustive import ExhaustiveSelector
from holdfast.selectors.individual import IndividualSelector
from holdfast.selectors.oscillating import DynamicOscillatingSelector, OscillatingSelector
from holdfast.selectors.ranked import RankedSelector
from holdfast.selectors.sequential import SequentialSelector

__all__ = [
    "DynamicOscillatingSelector",
    "ExhaustiveSelector",
    "IndividualSelector",
    "OscillatingSelector",
    "RankedSelector",
    "SequentialSelector",
]
