"""From a chart to its sketch: one place that knows which kind is drawn by whom."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .bars import bar_chart, waterfall
from .graphs import graph_chart
from .model import (
    BarChart,
    Chart,
    Distribution,
    GraphChart,
    HeatGrid,
    IntervalChart,
    LineChart,
    Panels,
    ScatterChart,
    Waterfall,
)
from .points import distribution, line_chart, scatter_chart
from .rows import heat_grid, interval_chart
from .sketch import LEADING, Sketch

KINDS: dict[type[Chart], Callable[[Sketch, Any], None]] = {
    IntervalChart: interval_chart,
    BarChart: bar_chart,
    LineChart: line_chart,
    ScatterChart: scatter_chart,
    HeatGrid: heat_grid,
    Waterfall: waterfall,
    Distribution: distribution,
    GraphChart: graph_chart,
}
LEAST_PANEL = 180.0
"""Panels narrower than this stand below each other instead."""


def compose(sketch: Sketch, chart: Chart) -> Sketch:
    """Lay a chart out on a sketch and return it; its height is then known."""
    if isinstance(chart, Panels):
        _panels(sketch, chart)
    else:
        KINDS[type(chart)](sketch, chart)
    return sketch


def _panels(sketch: Sketch, chart: Panels) -> None:
    m = sketch.measures
    gap = 4 * m.gap
    across = max(1, min(chart.across, len(chart.charts) or 1))
    least = LEAST_PANEL * m.text / 9
    while across > 1 and (sketch.width - gap * (across - 1)) / across < least:
        across -= 1
    wide = (sketch.width - gap * (across - 1)) / across
    inners = [compose(sketch.empty(wide), part) for part in chart.charts]
    while across > 1 and any(inner.width > wide + 0.5 for inner in inners):
        across -= 1  # a part needs more room than a column has: fewer columns
        wide = (sketch.width - gap * (across - 1)) / across
        inners = [compose(sketch.empty(wide), part) for part in chart.charts]
    top = 0.0
    for first in range(0, len(chart.charts), across):
        tallest = 0.0
        for place, part in enumerate(chart.charts[first : first + across]):
            inner = inners[first + place]
            lines = sketch.wrap(part.title, m.title, wide, True) if part.title else []
            head = len(lines) * m.title * LEADING + (4 if lines else 0)
            x = place * (wide + gap)
            sketch.lines_of_words(x, top + m.title, lines, m.title, bold=True)
            sketch.put(inner, x, top + head)
            sketch.width = max(sketch.width, x + inner.width)
            tallest = max(tallest, head + inner.height)
        top += tallest + 2 * m.gap
    sketch.height = max(top - 2 * m.gap, m.row)
