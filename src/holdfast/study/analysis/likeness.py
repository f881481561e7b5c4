"""How alike the choices of different selectors are, and a map of them."""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from holdfast.exceptions import HoldfastError
from holdfast.stability import compare
from holdfast.study.results import Results, Variant

Floats = NDArray[np.float64]


def likeness_matrix(results: Results, variants: list[Variant]) -> Floats:
    """Mean Jaccard similarity of what two variants chose on the same samples.

    The diagonal is 1: a selector chooses on one sample what it chooses there.
    """
    masks = [
        {
            (record.repetition, record.inner): outcome.subset
            for inner in (False, True)
            for record, outcome in results.outcomes(variant, inner)
        }
        for variant in variants
    ]
    out = np.eye(len(variants))
    for i in range(len(variants)):
        for j in range(i):
            shared = sorted(masks[i].keys() & masks[j].keys())
            values = [_jaccard(masks[i][run], masks[j][run]) for run in shared]
            out[i, j] = out[j, i] = float(np.mean(values)) if values else np.nan
    return out


def likeness_map(results: Results, variants: list[Variant]) -> pl.DataFrame:
    """A row a variant: where it lies on a map on which like choices lie close together.

    Classical scaling of 1 - similarity: the two main axes, signs fixed, so that it comes out the
    same everywhere.
    """
    distances = 1.0 - np.nan_to_num(likeness_matrix(results, variants))
    n = len(variants)
    centring = np.eye(n) - 1.0 / n
    values, vectors = np.linalg.eigh(-0.5 * centring @ (distances**2) @ centring)
    points = np.zeros((n, 2))
    for axis, which in enumerate(np.argsort(-values)[:2]):
        if values[which] > 1e-12:
            along = vectors[:, which] * np.sqrt(values[which])
            points[:, axis] = along * np.sign(along[np.argmax(np.abs(along))])
    return pl.DataFrame(
        {
            "variant": [str(variant) for variant in variants],
            "selector": [variant.selector for variant in variants],
            "x": points[:, 0],
            "y": points[:, 1],
        }
    )


def stability_comparisons(results: Results, variants: list[Variant] | None = None) -> pl.DataFrame:
    """A row a pair of variants cut alike: difference of their stabilities, and its p-value.

    Of all variants, or of those given. Of nested studies there are none: the test is for one system
    of runs.
    """
    rows = []
    variants = results.variants() if variants is None else variants
    for i, first in enumerate(variants):
        for second in variants[i + 1 :]:
            if results.nested or first.size != second.size:
                continue
            try:
                found = compare(results.systems(first)[0], results.systems(second)[0])
            except HoldfastError:
                continue
            rows.append(
                {
                    "first": str(first),
                    "second": str(second),
                    "difference": found.difference,
                    "p": found.p_value,
                }
            )
    schema = {"first": pl.String, "second": pl.String, "difference": pl.Float64, "p": pl.Float64}
    return pl.DataFrame(rows, schema=schema)


def _jaccard(one: NDArray[np.int32], other: NDArray[np.int32]) -> float:
    both = np.intersect1d(one, other, assume_unique=True).size
    either = one.size + other.size - both
    return 1.0 if either == 0 else both / either
