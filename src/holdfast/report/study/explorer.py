"""The part of the page in which features are looked at one by one."""

from __future__ import annotations

from typing import Any

import polars as pl

from holdfast.report import charts
from holdfast.report.study.figures import for_page
from holdfast.report.study.tables import table_html
from holdfast.selections import Selections
from holdfast.study.analysis import frequency_table
from holdfast.study.results import Results, Variant

# What stands in the page before, or without, its script.
FIRST_ROWS = 25

_BODY = """
<p class="controls"><label for="variant">Selector</label>
<select id="variant">{options}</select>
<label for="filter">Find features</label>
<input id="filter" type="search" autocomplete="off" spellcheck="false"></p>
{some}<p>Choose a feature in a chart, or in a table: it is then marked everywhere. In a chart, the
arrow keys go from feature to feature, and Escape lets go of it.</p>
<aside id="picked" aria-labelledby="picked-name" hidden>
<h3 id="picked-name"></h3><p id="picked-said"></p>
<div id="picked-everywhere"></div>
<p><button type="button" id="let-go">Let go of it</button></p>
</aside>
<div class="pair">
<figure><div class="chart" id="chart-raster" data-kind="features" tabindex="0" role="application"
aria-label="Which run chose which feature. Arrow keys go from feature to feature."></div>
<figcaption>Which run chose which feature; the most often chosen on top. A stable selection draws
whole lines, an unstable one rain.<span id="blocks"></span></figcaption></figure>
<figure><div class="chart" id="chart-bars" data-kind="features" tabindex="0" role="application"
aria-label="How often each feature was chosen. Arrow keys go from feature to feature."></div>
<figcaption>The share of runs that chose each feature, with Wilson's 95 % interval. Dark: half of
the runs or more.</figcaption></figure>
</div>
<div class="pair even">
<div>{table}
<p class="controls" id="pages"><button type="button" id="back">Back</button>
<span id="page-said"></span><button type="button" id="on">On</button></p></div>
<div id="standins"></div>
</div>
"""


def explorer(
    results: Results, variant: Variant, options: str, some: str
) -> tuple[str, dict[str, dict[str, Any]]]:
    """HTML and empty charts; the script fills in the rows of the variant asked for."""
    table = frequency_table(results, variant).select("feature", "chosen", "share", "low", "high")
    head = table.filter(pl.col("chosen") > 0).head(FIRST_ROWS)
    caption = "How often each feature was chosen, with Wilson's 95 % interval"
    body = _BODY.format(
        options=options, some=some, table=table_html(head, caption, label="frequencies")
    )
    return body, _templates()


def _templates() -> dict[str, dict[str, Any]]:
    """The two charts, drawn once for nothing much: their rows are the script's to give."""
    few = Selections.from_subsets([[0], [0]], n_features=2)
    many = Selections.from_subsets([[0]] * (2 * charts.MOST_COLUMNS), n_features=2)
    counted = pl.DataFrame(
        {"feature": [""], "chosen": [1], "runs": [2], "share": [0.5], "low": [0.1], "high": [0.9]}
    )
    drawn = {
        "raster": charts.raster(few),
        "raster-blocks": charts.raster(many),
        "bars": charts.frequency_bars(counted),
    }
    specs = {label: for_page(chart) for label, chart in drawn.items()}
    for spec in specs.values():
        spec["datasets"].pop(spec["data"]["name"])
        spec["data"] = {"values": []}
    return specs
