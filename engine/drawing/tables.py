"""The numbers of a chart as a table, with headings in words."""

from __future__ import annotations

from typing import Any

from .bars import categories
from .model import (
    BarChart,
    Chart,
    ChartTable,
    Distribution,
    GraphChart,
    HeatGrid,
    IntervalChart,
    LineChart,
    Panels,
    ScatterChart,
    Series,
    Waterfall,
)


def table_of(chart: Chart) -> ChartTable:
    """The table of any chart: the same numbers that are drawn, unrounded; None where there is none.

    Examples
    --------
    >>> part = Waterfall(key="w", title="", sentence="", parts=(("Age", -0.1, None, None, True),))
    >>> table_of(part).rows
    (('Age', -0.1, None, None, 'settled'),)
    """
    if isinstance(chart, IntervalChart):
        level = f"{100 * chart.confidence:g} % interval"
        return ChartTable(
            (
                "Group", "Metric", "What is compared", "Value", f"{level}, from", f"{level}, to",
                "Tolerance from", "Tolerance to", "Verdict", "Reason",
            ),
            tuple(
                (
                    r.group, r.label, r.sub, r.value, r.low, r.high, *(r.band or (None, None)),
                    r.verdict or "", r.reason,
                )
                for r in chart.rows
            ),
        )  # fmt: skip
    if isinstance(chart, BarChart | LineChart):
        return _by_category(chart, chart.series)
    if isinstance(chart, ScatterChart):
        ends = any(s.low for s in chart.series)
        return ChartTable(
            (
                "Class", "Name", chart.x_label or "Across", chart.y_label or "Upwards",
                *(("Interval from", "Interval to") if ends else ()),
            ),
            tuple(
                (
                    s.name, s.labels[i] if i < len(s.labels) else "",
                    chart.x_words[int(x)] if chart.x_words else x, y,
                    *((s.low[i], s.high[i]) if s.low else (None, None) if ends else ()),
                )
                for s in chart.series
                for i, (x, y) in enumerate(zip(s.x, s.y, strict=True))
            ),
        )  # fmt: skip
    if isinstance(chart, HeatGrid):
        return ChartTable(
            (chart.y_label or "Row", *chart.column_names),
            tuple(
                (name, *(cell.text for cell in line))
                for name, line in zip(chart.row_names, chart.cells, strict=True)
            ),
        )
    if isinstance(chart, Waterfall):
        return ChartTable(
            ("Part", chart.x_label or "Value", "Interval from", "Interval to", "Settled"),
            tuple(
                (name, value, low, high, "settled" if settled else "not settled")
                for name, value, low, high, settled in chart.parts
            ),
        )
    if isinstance(chart, Distribution):
        rows = [(name, value) for name, values, _ in chart.samples for value in values]
        rows += [(name, value) for value, name in chart.lines]
        return ChartTable(("What", chart.x_label or "Value"), tuple(rows))
    if isinstance(chart, GraphChart):
        return ChartTable(
            ("From", "To", "On the arrow", "Line"),
            tuple((a, b, label, "dashed" if d else "drawn") for a, b, label, d in chart.edges),
        )
    if isinstance(chart, Panels):
        return _panels(chart)
    raise TypeError(f"no table for {type(chart).__name__}")


def _by_category(chart: Chart, series: tuple[Series, ...]) -> ChartTable:
    """One row a category, one column a series, with its interval where there is one."""
    lying = isinstance(chart, BarChart) and chart.horizontal  # its categories stand upwards
    heads: list[str] = [(chart.y_label if lying else chart.x_label) or "Category"]
    columns: list[dict[Any, Any]] = []
    for s in series:
        heads.append(s.name)
        columns.append(dict(zip(s.x, s.y, strict=True)))
        if any(v is not None for v in (*s.low, *s.high)):
            heads += [f"{s.name}, interval from", f"{s.name}, interval to"]
            columns.append(dict(zip(s.x, s.low, strict=False)))
            columns.append(dict(zip(s.x, s.high, strict=False)))
    rows = tuple((x, *(column.get(x) for column in columns)) for x in categories(series))
    return ChartTable(tuple(heads), rows)


def _panels(chart: Panels) -> ChartTable:
    """All parts below each other where their headings agree; else one row a number."""
    tables = [(part.title, table_of(part)) for part in chart.charts]
    if tables and all(t.columns == tables[0][1].columns for _, t in tables):
        rows = tuple((title, *row) for title, t in tables for row in t.rows)
        return ChartTable(("Part", *tables[0][1].columns), rows)
    long: list[tuple[Any, ...]] = []
    for title, t in tables:
        for row in t.rows:
            long += [
                (title, row[0], head, cell)
                for head, cell in zip(t.columns[1:], row[1:], strict=True)
            ]
    return ChartTable(("Part", "Of", "What", "Value"), tuple(long))
