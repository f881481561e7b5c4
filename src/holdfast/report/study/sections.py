"""The sections of the page, one function each: text, tables, and the charts they hold."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from html import escape
from typing import Any

import polars as pl

from holdfast.report import charts
from holdfast.report.study import words
from holdfast.report.study.explorer import explorer
from holdfast.report.study.figures import for_page
from holdfast.report.study.findings import Findings
from holdfast.report.study.tables import table_html

SIDE = 330  # of the map; fits a phone
Specs = dict[str, dict[str, Any]]


@dataclass(frozen=True)
class Section:
    """A part of the page.

    Attributes
    ----------
    label, heading : str
        Its id, and what stands above it.
    body : str
        HTML.
    specs : mapping
        The charts in it, by the id of their place.
    """

    label: str
    heading: str
    body: str
    specs: Specs = field(default_factory=dict)


def sections(findings: Findings) -> Iterator[Section]:
    """All sections that this study has something for."""
    for make in _ALL:
        found = make(findings)
        if found is not None:
            yield found


def _recommended(findings: Findings) -> Section | None:
    return Section("recommendation", "Recommendation", words.recommendation(findings))


def _compared(findings: Findings) -> Section | None:
    table = findings.tradeoff
    if table is None:
        return None
    shown = table.select(
        "variant",
        pl.col("accuracy").alias(table["metric"][0]),
        pl.col("accuracy_low").alias("from"),
        pl.col("accuracy_high").alias("to"),
        "stability",
        pl.col("low").alias("from "),
        pl.col("high").alias("to "),
        pl.col("n_features").alias("features, mean"),
        pl.col("p").alias("p of best"),
        pl.col("worse").alias("significantly worse"),
        pl.col("front").alias("on the front"),
        "recommended",
    )
    figure = _figure(
        "tradeoff",
        "Accuracy against stability, with 95 % intervals; further up and right is better. Filled "
        "marks: no other is better in accuracy, stability and size at once. The ring is on the one "
        "recommended. The numbers are in the table below.",
        kind="variants",
    )
    body = figure + table_html(
        shown,
        f"All that was weighed; {_left_out(findings)}accuracy by {findings.model}",
        {"features, mean": 1},
    )
    spec = for_page(charts.tradeoff(table), 360)
    return Section("compared", "Accuracy and stability", body, {"tradeoff": spec})


def _left_out(findings: Findings) -> str:
    total = len(findings.results.variants())
    listed = len(findings.listed)
    return f"{listed} of {total} sizes and selectors; " if listed < total else ""


def _wins(findings: Findings) -> Section | None:
    parts = []
    if findings.wins is not None and findings.wins.height > 1:
        parts.append(
            table_html(
                findings.wins.rename({"cut_at": "cut at"}),
                f"Significant wins, ties and losses in accuracy at {findings.alpha:g}, against the "
                "others cut at the same size; the score is wins and half of the ties",
                {"score": 1},
            )
        )
    if findings.comparisons.height:
        parts.append(
            table_html(
                findings.comparisons,
                "Differences in stability, first less second, with the p-value of equal ones; the "
                "test takes the runs of the two to be independent",
            )
        )
    if not parts:
        return None
    return Section("differences", "More than chance?", "\n".join(parts))


def _stability(findings: Findings) -> Section | None:
    parts: list[str] = []
    specs: Specs = {}
    if not findings.profiles.is_empty():
        specs["profiles"] = for_page(charts.profiles(findings.profiles, measure="Jaccard"), 300)
        parts.append(
            _figure(
                "profiles",
                "Stability over the number of features: mean Jaccard similarity of two runs. "
                "Dashed: random choices of that size. A large mark is where a profile bends most.",
            )
        )
        parts.append(_folded("The profile as a table", findings.profiles, "Stability by size"))
    if not findings.stabilities.is_empty():
        parts.append(
            table_html(
                findings.stabilities,
                "Stability by every measure that applies; – where it is not defined for these runs",
            )
        )
    if not findings.preferences.is_empty():
        table = findings.preferences.drop("cut_at")
        parts.append(table_html(table, "Stability of the scores: S_W (Pearson), S_R (Spearman)"))
    return Section("stability", "Stability", "\n".join(parts), specs) if parts else None


def _sizes(findings: Findings) -> Section | None:
    if findings.sizes.is_empty():
        return None
    spec = for_page(charts.sizes(findings.sizes))
    body = _figure(
        "sizes", "How many features each selector takes; the larger a mark, the more runs did."
    ) + _folded("The sizes as a table", findings.sizes, "Runs by number of features")
    return Section("sizes", "Sizes", body, {"sizes": spec})


def _likeness(findings: Findings) -> Section | None:
    if findings.likeness.is_empty():
        return None
    spec = for_page(charts.likeness(findings.likeness), square=SIDE)
    body = _figure(
        "likeness",
        "The closer two marks, the more features they share on the same samples (Jaccard). The "
        "axes have no meaning of their own.",
        kind="variants",
    ) + _folded("The map as a table", findings.likeness, "Where each lies on the map")
    return Section("likeness", "Who chooses alike", body, {"likeness": spec})


def _features(findings: Findings) -> Section | None:
    variants = findings.looked_into
    if not variants:
        return None
    options = "".join(
        f'<option value="{i}">{words.safe(str(variant))}</option>'
        for i, variant in enumerate(variants)
    )
    some = ""
    total = len(findings.results.variants())
    if len(variants) < total:
        some = f"<p>{len(variants)} of {total} sizes and selectors can be looked into here.</p>"
    body, specs = explorer(findings.results, variants[0], options, some)
    return Section("features", "Features", body, specs)


def _failures(findings: Findings) -> Section | None:
    failures = findings.results.failures
    if not failures:
        return None
    table = pl.DataFrame(
        {
            "selector": [one.selector for one in failures],
            "repetition": [one.repetition for one in failures],
            "inner": [one.inner if one.inner >= 0 else None for one in failures],
            "reason": [one.reason for one in failures],
        },
        schema_overrides={"inner": pl.Int64},
    )
    body = table_html(table, "Runs that failed", rest="; all of them are in the store")
    return Section("failures", "Failures", body)


def _done(findings: Findings) -> Section | None:
    status = findings.results.status()
    body = words.done(findings) + table_html(status, "Runs planned, done and failed")
    return Section("done", "What was done", f"{body}<p>{words.SCOPE}</p>")


_ALL: tuple[Callable[[Findings], Section | None], ...] = (
    _recommended, _compared, _features, _stability, _sizes, _likeness, _wins, _failures, _done,
)  # fmt: skip


def _figure(label: str, caption: str, kind: str = "") -> str:
    """A place for a chart, with its caption."""
    link = f' data-kind="{kind}"' if kind else ""
    return (
        f'<figure><div class="chart" id="chart-{label}"{link}></div>'
        f"<figcaption>{escape(caption)}</figcaption></figure>\n"
    )


def _folded(heading: str, table: pl.DataFrame, caption: str) -> str:
    return f"<details><summary>{escape(heading)}</summary>{table_html(table, caption)}</details>\n"
