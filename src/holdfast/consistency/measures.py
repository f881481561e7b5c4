"""The catalogue of consistency measures, and the ways to use it: one score, or a table of all."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from holdfast.exceptions import InputError, refusal
from holdfast.statistics.codes import codes_of
from holdfast.statistics.groups import Grouper
from holdfast.statistics.inconsistency import OF_COUNTS, OPTIONS, OfCounts, checked_options
from holdfast.statistics.interclass import interclass_distances, numbers_of
from holdfast.statistics.labels import labels_of

if TYPE_CHECKING:
    import polars as pl

PAPER = "Shin, Fernandes & Miyazaki (2011)"
PAIRS = (
    "Defined for two classes. With more it is the mean over pairs of classes, weighted by the "
    "product of their shares, each pair among its own examples."
)


@dataclass(frozen=True)
class Measure:
    """One measure of how far a subset of features is from telling all classes apart.

    Attributes
    ----------
    key, title : str
        Its name in code and in words.
    paper : str
        Where it was published.
    formula : str
        The formula, in LaTeX.
    low, high : str
        Range of its values; lower is more consistent.
    determinate : bool
        Whether it is 0 where, and only where, the subset is consistent; tested.
    monotone : bool
        Whether it never rises when a feature is added; tested.
    note : str
        What its definition leaves open and how it is settled here.
    of_counts : callable or None
        The measure as a function of the counts of classes among equal examples, groups x classes;
        None for the interclass distance.
    """

    key: str
    title: str
    formula: str
    determinate: bool
    monotone: bool
    low: str = "0"
    high: str = "1"
    paper: str = PAPER
    note: str = ""

    @property
    def options(self) -> Mapping[str, float]:
        """Keyword options and their defaults."""
        return OPTIONS.get(self.key, {})

    @property
    def of_counts(self) -> OfCounts | None:
        """The function of the counts."""
        return OF_COUNTS.get(self.key)

    def __call__(self, X: Any, y: Any, features: Any = None, **options: Any) -> float:
        """Compute the measure; see :func:`score`."""
        return score(X, y, self.key, features, **options)


def _rate(key: str, title: str, formula: str, **more: Any) -> Measure:
    return Measure(key, title, formula, True, True, **more)


def _divergences() -> list[Measure]:
    """The six divergences in both forms; p and q are conditional or joint probabilities."""
    rows = (
        ("ch", "Chernoff", r"\sum_x p^s q^{1-s}", True, True),
        ("bh", "Bhattacharyya", r"\sum_x \sqrt{p q}", True, True),
        ("kl", "Kullback–Leibler", r"e^{-\sum_x (p - q) \ln(p/q)}", False, True),
        ("kol", "Kolmogorov", r"1 - \sum_x |p - q| / z", True, True),
        ("ma", "Matusita", r"1 - \sum_x (\sqrt p - \sqrt q)^2 / z", True, True),
        ("pf", "Patrick–Fisher", r"1 - \sum_x (p - q)^2 / \sum_x (p^2 + q^2)", True, False),
    )
    forms = (
        ("n", "normalised", r"p = P(x \mid 0),\ q = P(x \mid 1)", "z = 2"),
        ("nn", "not normalised", r"p = P(x, 0),\ q = P(x, 1)", "z = 1"),
    )
    made = []
    for key, name, formula, determinate, monotone in rows:
        for prefix, form, where, scale in forms:
            stated = rf"{formula},\ {where}" + (rf",\ {scale}" if "z" in formula else "")
            note = PAIRS
            if key == "kl":
                note += " One pure group makes the divergence infinite, and so the measure 0."
            title = f"{name}, {form}"
            made.append(Measure(prefix + key, title, stated, determinate, monotone, note=note))
    return made


MEASURES: Mapping[str, Measure] = MappingProxyType(
    {
        one.key: one
        for one in (
            _rate(
                "icr",
                "inconsistency rate",
                r"\sum_x \bigl(P(x) - \max_c P(x, c)\bigr)",
                paper="Liu, Motoda & Dash (1998)",
            ),
            _rate(
                "rs",
                "rough set",
                r"1 - P(x : \exists c\ P(c \mid x) = 1)",
                paper="Pawlak (1991)",
                note="One minus the share of the examples in the positive region.",
            ),
            _rate(
                "icp",
                "inconsistent pairs",
                r"\textstyle \#\{a, b : a = b, c_a \ne c_b\} / \binom n2",
                paper="Arauzo-Azofra, Benitez & Castro (2008)",
                note="As a share of all pairs of examples.",
            ),
            _rate(
                "ce",
                "conditional entropy",
                r"H(C \mid X)",
                high="log2(classes)",
                paper="Shin & Xu (2009)",
                note="In bits.",
            ),
            Measure(
                "csu",
                "complementary symmetrical uncertainty",
                r"1 - 2 I(X; C) / (H(X) + H(C))",
                False,
                False,
                paper="Shin & Xu (2009)",
                note="The 2011 paper counts it among the consistency measures. As one minus the "
                "symmetrical uncertainty it is not one: where a consistent subset has more values "
                "than classes it is above 0, and a further feature may raise it. A value of 0 does "
                "mean that the subset is consistent.",
            ),
            _rate(
                "ep",
                "error probability",
                r"1 - \sum_x P(x) \max_c P(c \mid x)",
                paper="Ben-Bassat (1982)",
                note="The Bayes risk; on a finite data set it is the inconsistency rate.",
            ),
            *_divergences(),
            Measure(
                "interclass",
                "interclass distance",
                r"1 / (1 + \textstyle\sum_{c \ne d} D(c, d))",
                False,
                True,
                note="D is the mean city-block distance of examples of two classes. The paper asks "
                "for any falling function of the sum; this one stays within (0, 1]. It needs "
                "numbers, and depends on their scale.",
            ),
            _rate("bin", "binary", r"0 \text{ if consistent, else } 1", note="What CWC goes by."),
        )
    }
)


def measure(key: str) -> Measure:
    """Look a measure up by its key, as in ``catalogue()["key"]``."""
    found = MEASURES.get(key) if isinstance(key, str) else None
    if found is None:
        near = difflib.get_close_matches(str(key), MEASURES, n=3)
        hint = f"Did you mean {' or '.join(map(repr, near))}?" if near else ""
        known = ", ".join(MEASURES)
        raise InputError(
            f"There is no consistency measure {key!r}. There are: {known}. {hint}".rstrip()
        )
    return found


def score(X: Any, y: Any, key: str = "icr", features: Any = None, **options: Any) -> float:
    """Compute one consistency measure of a subset of features: 0 at best.

    Parameters
    ----------
    X : array, sparse matrix or dataframe, examples x features
        Discrete: whole numbers, booleans, text or categories. For the interclass distance, numbers.
    y : array
        Class of each example; at least two classes.
    key : str, default="icr"
        Which measure; see :func:`catalogue`.
    features : list of int, optional
        The subset, by index; all features by default.
    **options
        Options of that measure: ``s`` of the Chernoff divergences.

    Examples
    --------
    Half of the examples with a 0 are in the other class than the rest:

    >>> score([[0], [0], [1], [1]], [0, 1, 1, 1], "icr")
    0.25
    """
    chosen = measure(key)
    options = checked_options(key, options)
    owner = f"the measure {key!r}"
    classes = labels_of(y, owner)[1].astype(np.int64)
    subset = _subset_of(X, features, owner)
    if chosen.of_counts is None:
        return _interclass(X, classes, subset, owner)
    return chosen.of_counts(_counts(X, classes, subset, owner), **options)


def table(X: Any, y: Any, features: Any = None) -> pl.DataFrame:
    """Compute every measure of a subset of features, with their default options.

    Parameters
    ----------
    X, y, features
        As for :func:`score`. The interclass distance is left out where `X` is not of numbers.

    Returns
    -------
    polars.DataFrame
        Columns `measure`, `value`, `determinate`, `monotone` and `title`.
    """
    import polars as pl

    owner = "table"
    classes = labels_of(y, owner)[1].astype(np.int64)
    subset = _subset_of(X, features, owner)
    counts = _counts(X, classes, subset, owner)
    rows = []
    for one in MEASURES.values():
        if one.of_counts is not None:
            value = one.of_counts(counts, **one.options)
        else:
            try:
                value = _interclass(X, classes, subset, owner)
            except InputError:
                continue
        rows.append((one.key, value, one.determinate, one.monotone, one.title))
    schema = ["measure", "value", "determinate", "monotone", "title"]
    return pl.DataFrame(rows, schema=schema, orient="row")


def catalogue() -> pl.DataFrame:
    """Return all measures as a table: key, title, paper, range, determinacy, monotonicity."""
    import polars as pl

    columns = ("key", "title", "paper", "low", "high", "determinate", "monotone", "note")
    return pl.DataFrame(
        [{name: getattr(one, name) for name in columns} for one in MEASURES.values()]
    )


def _subset_of(X: Any, features: Any, owner: str) -> NDArray[np.int64]:
    n_features = np.shape(X)[1] if np.ndim(X) == 2 or hasattr(X, "shape") else 0
    if features is None:
        return np.arange(n_features)
    subset = np.asarray(features)
    if subset.size == 0:
        return np.zeros(0, np.int64)
    if subset.dtype == bool and subset.shape == (n_features,):
        return np.flatnonzero(subset)
    fits = subset.ndim == 1 and subset.dtype.kind in "iu"
    if not fits or (subset < 0).any() or (subset >= n_features).any():
        expected = f"a list of indices from 0 to {n_features - 1}, or a mask"
        raise refusal("features", owner, expected, repr(features))
    return np.unique(subset).astype(np.int64)


def _counts(
    X: Any, classes: NDArray[np.int64], subset: NDArray[np.int64], owner: str
) -> NDArray[Any]:
    codes = codes_of(X, owner)
    if codes.n_examples != classes.size:
        raise refusal(
            "y", owner, f"one class for each of {codes.n_examples} examples", classes.size
        )
    groups = Grouper(codes.n_examples).by_features(codes, subset)
    return groups.counts(classes, int(classes.max()) + 1)


def _interclass(X: Any, classes: NDArray[np.int64], subset: NDArray[np.int64], owner: str) -> float:
    distances = interclass_distances(numbers_of(X, owner), classes)
    return float(1 / (1 + distances[subset].sum()))
