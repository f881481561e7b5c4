"""From the records of a study to tables: stability, accuracy, what to choose and why."""

from holdfast.study.analysis.accuracy import accuracy_table, compared, wins_table
from holdfast.study.analysis.choice import Recommendation, recommend, weighed
from holdfast.study.analysis.consensus import Consensus, consensus
from holdfast.study.analysis.frequencies import frequency_table
from holdfast.study.analysis.likeness import (
    likeness_map,
    likeness_matrix,
    stability_comparisons,
)
from holdfast.study.analysis.profiles import profile_table
from holdfast.study.analysis.redundancy import substitutes
from holdfast.study.analysis.sizes import size_table
from holdfast.study.analysis.steadiness import preference_table, stability_table
from holdfast.study.analysis.tradeoff import corrected_interval, tradeoff_table

__all__ = [
    "Consensus",
    "Recommendation",
    "accuracy_table",
    "compared",
    "consensus",
    "corrected_interval",
    "frequency_table",
    "likeness_map",
    "likeness_matrix",
    "preference_table",
    "profile_table",
    "recommend",
    "size_table",
    "stability_comparisons",
    "stability_table",
    "substitutes",
    "tradeoff_table",
    "weighed",
    "wins_table",
]
