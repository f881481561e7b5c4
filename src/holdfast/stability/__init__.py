"""How stable a feature selection is: from the choices of many runs to numbers."""

from holdfast.stability.inference import Interval, TestResult, compare, interval, test
from holdfast.stability.measure import PROPERTIES, Measure
from holdfast.stability.registry import ALIASES, MEASURES, catalogue, measure, score, table
from holdfast.stability.similarity import similarity

__all__ = [
    "ALIASES",
    "MEASURES",
    "PROPERTIES",
    "Interval",
    "Measure",
    "TestResult",
    "catalogue",
    "compare",
    "interval",
    "measure",
    "score",
    "similarity",
    "table",
    "test",
]
