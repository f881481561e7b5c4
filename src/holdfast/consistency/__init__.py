"""Subsets of features that tell the classes apart: measures, and algorithms that go by them."""

from holdfast.consistency.cfs import CFS
from holdfast.consistency.cwc import CWC
from holdfast.consistency.fcbf import FCBF
from holdfast.consistency.interact import INTERACT
from holdfast.consistency.lcc import LCC
from holdfast.consistency.measures import MEASURES, Measure, catalogue, measure, score, table

__all__ = [
    "CFS",
    "CWC",
    "FCBF",
    "INTERACT",
    "LCC",
    "MEASURES",
    "Measure",
    "catalogue",
    "measure",
    "score",
    "table",
]
