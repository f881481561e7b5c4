"""The features that runs agree on, and what a model on them is worth, honestly estimated."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from holdfast.selections.core import Rule
from holdfast.study.analysis.frequencies import frequency_table
from holdfast.study.records import OWN_SIZE, Outcome, Task
from holdfast.study.results import Results, Variant
from holdfast.study.work import Work, evaluated


@dataclass(frozen=True)
class Consensus:
    """A subset that many runs agree on.

    Attributes
    ----------
    features : array of int
        Ascending, by the rule over all runs of the variant.
    feature_names : tuple of str
    frequencies : polars.DataFrame
        How often each feature was chosen.
    estimate : polars.DataFrame or None
        For each outer sample of a nested study: the consensus of its inner samples alone, and what
        models on it reach on examples that none of them saw. None where the study is not nested:
        then every example helped to choose, and no honest estimate can be had from it.
    """

    features: NDArray[np.intp]
    feature_names: tuple[str, ...]
    frequencies: pl.DataFrame
    estimate: pl.DataFrame | None


def consensus(
    results: Results,
    variant: Variant,
    work: Work | None = None,
    rule: Rule = "majority",
    **options: Any,
) -> Consensus:
    """Find the consensus of a variant; with the data of a nested study estimate it too.

    Parameters
    ----------
    results, variant
    work : Work, optional
        The data and models of the study.
    rule, **options
        As for ``Selections.consensus``: "majority", "threshold" with ``at_least``, or "top"
        with ``size``.
    """
    systems = results.systems(variant)
    runs = [run for system in systems for run in system]
    whole = results.together(runs)
    features = whole.consensus(rule, **options)
    estimate = None
    if results.nested and work is not None:
        estimate = _estimated(results, variant, work, rule, options)
    names = tuple(results.feature_names[f] for f in features)
    return Consensus(features, names, frequency_table(results, variant), estimate)


def _estimated(
    results: Results, variant: Variant, work: Work, rule: Rule, options: dict[str, Any]
) -> pl.DataFrame:
    rows = []
    repetitions = sorted({record.repetition for record, _ in results.outcomes(variant, inner=True)})
    systems = results.systems(variant)
    outer = {draw.repetition: place for place, draw in enumerate(work.draws) if draw.inner < 0}
    for repetition, system in zip(repetitions, systems, strict=True):
        agreed = system.consensus(rule, **options).astype(np.int32)
        task = Task("", variant.selector, outer[repetition], results.plan["random_state"])
        found: Outcome = evaluated(work, task, work.draws[task.draw], OWN_SIZE, agreed)
        rows += [
            {
                "repetition": repetition,
                "n_features": agreed.size,
                "model": model,
                "metric": metric,
                "value": value,
            }
            for model, metrics in found.scores.items()
            for metric, value in metrics.items()
        ]
    return pl.DataFrame(rows)
