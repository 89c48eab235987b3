"""A chart in words, for those who cannot see it."""

from __future__ import annotations

import math
from collections import Counter

from engine.base import wording

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


def alt_of(chart: Chart) -> str:
    """The chart's own description, or one made from its numbers.

    Examples
    --------
    >>> part = Waterfall(key="w", title="Gap", sentence="", parts=(("Age", -0.1, None, None, True),))
    >>> alt_of(part)
    'Gap. Parts that add up: Age −0.100.'
    """
    if chart.alt:
        return chart.alt
    start = " ".join(
        text if text.endswith((".", "!", "?")) else text + "."
        for text in (chart.title, chart.sentence)
        if text
    )
    return f"{start} {_content(chart)}".strip()


def _number(value: float | None) -> str:
    if value is None:
        return "not known"
    digits = 3 if abs(value) < 100 else 0
    return wording.number(value, digits=digits)


def _content(chart: Chart) -> str:
    if isinstance(chart, IntervalChart):
        verdicts = Counter(r.verdict for r in chart.rows if r.verdict)
        head = wording.listed([f"{n} {word}" for word, n in verdicts.items()])
        rows = "; ".join(
            _interval_words(r.label, r.group, r.value, r.shown, r.low, r.high, r.reason, r.verdict)
            for r in chart.rows
        )
        return f"{len(chart.rows)} rows{': ' + head if head else ''}. {rows}."
    if isinstance(chart, BarChart):
        parts = [
            f"{s.name + ', ' if len(chart.series) > 1 else ''}{x} {_number(y)}"
            for s in chart.series
            for x, y in zip(s.x, s.y, strict=True)
        ]
        return f"Bars: {'; '.join(parts)}."
    if isinstance(chart, LineChart):
        return "Lines: " + "; ".join(_line_words(s.name, s.x, s.y) for s in chart.series) + "."
    if isinstance(chart, ScatterChart):
        parts = [f"{s.name} {wording.count(len(s.x))}" for s in chart.series]
        axes = f" Across: {chart.x_label}. Upwards: {chart.y_label}." if chart.x_label else ""
        return f"Points by class: {'; '.join(parts)}.{axes}"
    if isinstance(chart, HeatGrid):
        rows = "; ".join(
            f"{name}: "
            + ", ".join(
                f"{c} {cell.text}" for c, cell in zip(chart.column_names, line, strict=True)
            )
            for name, line in zip(chart.row_names, chart.cells, strict=True)
        )
        return f"A grid. {rows}."
    if isinstance(chart, Waterfall):
        parts = [
            f"{name} {_number(value)}{'' if settled else ' (not settled)'}"
            for name, value, _, _, settled in chart.parts
        ]
        return f"Parts that add up: {'; '.join(parts)}."
    if isinstance(chart, Distribution):
        parts = []
        for name, values, _ in chart.samples:
            known = [v for v in values if math.isfinite(v)]
            if known:
                parts.append(
                    f"{name}, {wording.count(len(known))} values from {_number(min(known))} to {_number(max(known))}, mean {_number(sum(known) / len(known))}"
                )
        parts += [f"line at {_number(value)}: {name}" for value, name in chart.lines]
        return f"Distribution: {'; '.join(parts)}."
    if isinstance(chart, GraphChart):
        arrows = [f"{a} to {b}{f' ({label})' if label else ''}" for a, b, label, _ in chart.edges]
        return f"{len(chart.nodes)} nodes. Arrows: {'; '.join(arrows)}."
    if isinstance(chart, Panels):
        return " ".join(alt_of(part) for part in chart.charts)
    return ""


def _interval_words(
    label: str, group: str, value: float | None, shown: str, low: float | None,
    high: float | None, reason: str, verdict: str | None,
) -> str:  # fmt: skip
    name = f"{group}, {label}" if group else label
    if value is None:
        return f"{name}: {reason or 'no value'}".rstrip(".")
    text = f"{name} {shown or _number(value)}"
    if low is not None and high is not None:
        text += f" ({wording.interval(low, high)})"
    return f"{text}, {verdict}" if verdict else text


def _line_words(name: str, xs: tuple[object, ...], ys: tuple[float | None, ...]) -> str:
    known = [(x, y) for x, y in zip(xs, ys, strict=True) if y is not None]
    if not known:
        return f"{name} has no value"
    if len(known) <= 12:
        return f"{name} " + ", ".join(f"{x}: {_number(y)}" for x, y in known)
    lowest, highest = min(known, key=lambda p: p[1]), max(known, key=lambda p: p[1])
    return (
        f"{name} from {_number(known[0][1])} at {known[0][0]} to {_number(known[-1][1])} at "
        f"{known[-1][0]}, lowest {_number(lowest[1])} at {lowest[0]}, highest "
        f"{_number(highest[1])} at {highest[0]}"
    )
