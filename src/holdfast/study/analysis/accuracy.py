"""How accurate the variants are, and which differences are more than chance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy import stats

from holdfast.exceptions import InputError, refusal
from holdfast.study.results import Results, Variant

Test = Literal["mcnemar", "corrected-t"]
Floats = NDArray[np.float64]


class Compared(NamedTuple):
    """Two variants under one model.

    Attributes
    ----------
    difference : float
        Of the metric, first minus second.
    p : float
        Of no difference.
    """

    difference: float
    p: float


def metric_of(results: Results, model: str) -> str:
    """What a model's accuracy is measured by: "accuracy", or "r2" in regression."""
    for record in results.records:
        for outcome in record.outcomes:
            if model in outcome.scores:
                return "accuracy" if "accuracy" in outcome.scores[model] else "r2"
    raise InputError(f"No run of the study has been tested with model {model!r} yet.")


def values_of(results: Results, variant: Variant, model: str, metric: str) -> dict[int, float]:
    """The metric by repetition."""
    return {
        record.repetition: outcome.scores[model][metric]
        for record, outcome in results.outcomes(variant)
        if model in outcome.scores
    }


def mcnemar(first: NDArray[np.bool_], second: NDArray[np.bool_]) -> float:
    """Exact p-value that two models err equally often on the same examples.

    Only examples that one gets right and the other wrong count; without any it is 1.
    """
    only_first = int((first & ~second).sum())
    only_second = int((second & ~first).sum())
    n = only_first + only_second
    return 1.0 if n == 0 else float(stats.binomtest(only_first, n).pvalue)


def corrected_t(differences: Floats, test_per_train: float) -> float:
    """p-value of the corrected resampled t test of Nadeau & Bengio (2003), two-sided.

    Samples of the same data overlap, so plain t tests find differences where there are none; here
    the variance of the mean is larger by the share of examples tested to examples learned from.
    Differences that are all the same have no variance: p is 1 where they are 0, else 0.
    """
    n = differences.size
    if n < 2:
        return np.nan
    mean, variance = float(differences.mean()), float(differences.var(ddof=1))
    if variance <= (1e-12 * max(1.0, abs(mean))) ** 2:
        return 1.0 if abs(mean) < 1e-12 else 0.0
    t = mean / np.sqrt((1.0 / n + test_per_train) * variance)
    return float(2.0 * stats.t.sf(abs(t), n - 1))


def suitable_test(results: Results, model: str, test: str) -> Test:
    """Which test suits: McNemar's where each example is tested once, else the corrected t test."""
    if test == "auto":
        once = results.plan["disjoint_tests"] and metric_of(results, model) == "accuracy"
        return "mcnemar" if once else "corrected-t"
    if test not in ("mcnemar", "corrected-t"):
        raise refusal("test", "Study", "'auto', 'mcnemar' or 'corrected-t'", repr(test))
    if test == "mcnemar" and not results.plan["disjoint_tests"]:
        raise refusal(
            "test",
            "Study",
            "'corrected-t' with this protocol, which tests examples more than once",
            "'mcnemar'",
        )
    return test  # type: ignore[return-value]


def compared(
    results: Results, first: Variant, second: Variant, model: str, test: str = "auto"
) -> Compared:
    """Compare two variants on the repetitions that both have finished."""
    metric = metric_of(results, model)
    one, other = (values_of(results, v, model, metric) for v in (first, second))
    both = sorted(one.keys() & other.keys())
    differences = np.array([one[r] - other[r] for r in both])
    if differences.size == 0:
        return Compared(np.nan, np.nan)
    if suitable_test(results, model, test) == "corrected-t":
        p = corrected_t(differences, results.plan["test_per_train"])
        return Compared(float(differences.mean()), p)
    bits = [_correct(results, v, model, both) for v in (first, second)]
    return Compared(float(bits[0].mean() - bits[1].mean()), mcnemar(*bits))


def _correct(
    results: Results, variant: Variant, model: str, repetitions: Sequence[int]
) -> NDArray[np.bool_]:
    by_repetition = {
        record.repetition: outcome.correct[model]
        for record, outcome in results.outcomes(variant)
        if model in outcome.correct
    }
    return np.concatenate([by_repetition[r] for r in repetitions])


def accuracy_table(results: Results, model: str) -> pl.DataFrame:
    """A row a variant: mean and spread of every metric over the repetitions, and their number."""
    rows = []
    for variant in results.variants():
        found = [o.scores[model] for _, o in results.outcomes(variant) if model in o.scores]
        for metric in found[0] if found else ():
            values = np.array([scores[metric] for scores in found])
            values = values[~np.isnan(values)]
            rows.append(
                {
                    "selector": variant.selector,
                    "cut_at": variant.size,
                    "model": model,
                    "metric": metric,
                    "mean": float(values.mean()) if values.size else np.nan,
                    "sd": float(values.std(ddof=1)) if values.size > 1 else np.nan,
                    "runs": values.size,
                }
            )
    schema = {
        "selector": pl.String, "cut_at": pl.Int64, "model": pl.String, "metric": pl.String,
        "mean": pl.Float64, "sd": pl.Float64, "runs": pl.Int64,
    }  # fmt: skip
    return pl.DataFrame(rows, schema=schema)


def wins_table(
    results: Results,
    model: str,
    alpha: float = 0.05,
    test: str = "auto",
    variants: Sequence[Variant] | None = None,
) -> pl.DataFrame:
    """A row a variant: significant wins, ties and losses against the others cut at the same size.

    The score of Kalousis, Prados & Hilario (2007): wins and half of the ties. Of all variants, or
    of those given.
    """
    rows = []
    variants = results.variants() if variants is None else variants
    for variant in variants:
        rivals = [v for v in variants if v.size == variant.size and v != variant]
        found = [compared(results, variant, rival, model, test) for rival in rivals]
        wins = sum(one.p < alpha and one.difference > 0 for one in found)
        losses = sum(one.p < alpha and one.difference < 0 for one in found)
        ties = len(found) - wins - losses
        rows.append(
            {
                "selector": variant.selector,
                "cut_at": variant.size,
                "wins": wins,
                "ties": ties,
                "losses": losses,
                "score": wins + 0.5 * ties,
            }
        )
    schema = {
        "selector": pl.String, "cut_at": pl.Int64, "wins": pl.Int64, "ties": pl.Int64,
        "losses": pl.Int64, "score": pl.Float64,
    }  # fmt: skip
    return pl.DataFrame(rows, schema=schema)
