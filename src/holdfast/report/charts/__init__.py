"""Charts; each is drawn from a small table that can be had on its own.

A chart is an Altair chart: show it in a notebook, or save it as PNG, SVG or PDF with
``chart.save(path)``, and with ``inline=True`` as an HTML page that needs no network.
"""

from holdfast.report.charts.choices import (
    MOST_COLUMNS,
    frequencies,
    frequency_table,
    raster,
    raster_table,
)
from holdfast.report.charts.course import course, course_table

__all__ = [
    "MOST_COLUMNS",
    "course",
    "course_table",
    "frequencies",
    "frequency_table",
    "raster",
    "raster_table",
]
