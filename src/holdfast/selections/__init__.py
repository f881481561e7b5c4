"""The choices of many runs over one set of features."""

from holdfast.selections.core import Selections
from holdfast.selections.pairs import PairTable

__all__ = ["PairTable", "Selections"]
