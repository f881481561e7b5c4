"""Charts; each is drawn from a small table that can be had on its own.

A chart is an Altair chart: show it in a notebook, or save it as PNG, SVG or PDF with
``chart.save(path)``, and with ``inline=True`` as an HTML page that needs no network.
"""

from holdfast.report.charts.bars import frequency_bars
from holdfast.report.charts.choices import (
    MOST_COLUMNS,
    frequencies,
    frequency_table,
    raster,
    raster_table,
)
from holdfast.report.charts.course import course, course_table
from holdfast.report.charts.likeness import likeness
from holdfast.report.charts.profiles import profiles
from holdfast.report.charts.sizes import sizes
from holdfast.report.charts.style import dark
from holdfast.report.charts.tradeoff import tradeoff

__all__ = [
    "MOST_COLUMNS",
    "course",
    "course_table",
    "dark",
    "frequencies",
    "frequency_bars",
    "frequency_table",
    "likeness",
    "profiles",
    "raster",
    "raster_table",
    "sizes",
    "tradeoff",
]
