"""The report of a study: one HTML file with everything inside it, for any browser, offline."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from holdfast.io.whole import written_whole
from holdfast.report.study.findings import Findings
from holdfast.report.study.page import render
from holdfast.study.results import Results

__all__ = ["write_report"]


def write_report(
    results: Results,
    path: str | Path,
    model: str | None = None,
    alpha: float = 0.05,
    measures: Sequence[str] | None = None,
) -> Path:
    """Write the report of a study.

    Parameters
    ----------
    results : Results
        Of a study, which may be unfinished.
    path : str or pathlib.Path
        Of the page; replaced as a whole if it is there.
    model : str, optional
        Whose accuracy counts; the first by default.
    alpha : float, default=0.05
        Significance of differences.
    measures : sequence of str, optional
        Stability measures to list; every one that applies by default.

    Returns
    -------
    pathlib.Path
    """
    path = Path(path)
    text = render(Findings.of(results, model, alpha, measures))
    with written_whole(path) as spare:
        spare.write_text(text, encoding="utf-8")
    return path
