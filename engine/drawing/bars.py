"""Bars by category, and parts that add up to a whole."""

from __future__ import annotations

from typing import Any

from engine.base import wording

from .axis import Scale, finite, frame, key_row, reference_words, tick_words, ticks
from .model import BarChart, Series, Waterfall
from .sketch import LEADING, Sketch
from .style import PAPER_TINTS, Look, look_of


def _looks(sketch: Sketch, series: tuple[Series, ...]) -> list[Look]:
    return [look_of(s.style, i) for i, s in enumerate(series)]


def _fill(sketch: Sketch, style: str, look: Look) -> tuple[str, str]:
    """Colour and pattern of a bar; greys tell the full peer classes apart on paper."""
    if sketch.paper and style in PAPER_TINTS:
        return PAPER_TINTS[style], look.pattern
    return sketch.colour(look.colour), look.pattern


def categories(series: tuple[Series, ...]) -> list[Any]:
    """Every x of every series, in order of first appearance."""
    return list(dict.fromkeys(x for s in series for x in s.x))


def _at(values: tuple[Any, ...], place: int) -> Any:
    return values[place] if place < len(values) else None


def bar_chart(sketch: Sketch, chart: BarChart) -> None:
    """Draw bars; lying where asked for, or where the names are too long to stand under them."""
    m = sketch.measures
    names = [str(c) for c in categories(chart.series)]
    if not names:
        sketch.height = m.row
        sketch.words(0, m.text, "There is nothing to draw.", m.text, "text2")
        return
    room = sketch.width / len(names) - 8
    longest = max(sketch.wide(w, m.small) for n in names for w in n.split() or [""])
    top = 0.0
    if len(chart.series) > 1:
        entries = []
        for s, look in zip(chart.series, _looks(sketch, chart.series), strict=True):
            colour, pattern = _fill(sketch, s.style, look)
            entries.append((s.name, _swatch(sketch, colour, pattern)))
        top = key_row(sketch, 0.0, entries) + 2
    if chart.horizontal or longest > room * 0.9 or max(map(len, names)) > 28:
        _lying(sketch, chart, names, top)
    else:
        _standing(sketch, chart, names, top)


def _swatch(sketch: Sketch, colour: str, pattern: str) -> Any:
    def draw(x: float, y: float) -> None:
        sketch.pattern(x - 5, y - 4, x + 5, y + 4, pattern, colour)

    return draw


def _reach(chart: BarChart, names: list[Any]) -> list[float]:
    """Every value that the axis must hold, 0 among them."""
    seen = [0.0, *finite([chart.reference])]
    for s in chart.series:
        seen += finite(s.y) + finite(s.low) + finite(s.high)
    if chart.stacked:
        for name in names:
            parts = [v for s in chart.series for x, v in zip(s.x, s.y, strict=True) if x == name]
            seen.append(sum(v for v in finite(parts) if v > 0))
            seen.append(sum(v for v in finite(parts) if v < 0))
    return seen


def _bars(
    chart: BarChart,
) -> list[tuple[int, int, float | None, float, float | None, float | None, str]]:
    """``(series, category, value, base, low, high, text)``, one a bar."""
    names = categories(chart.series)
    place = {name: i for i, name in enumerate(names)}
    up: dict[int, float] = {}
    down: dict[int, float] = {}
    found = []
    for number, s in enumerate(chart.series):
        for i, (x, value) in enumerate(zip(s.x, s.y, strict=True)):
            at = place[x]
            base = 0.0
            if chart.stacked and value is not None:
                side = up if value >= 0 else down
                base = side.get(at, 0.0)
                side[at] = base + value
            found.append(
                (number, at, value, base, _at(s.low, i), _at(s.high, i), _at(s.labels, i) or "")
            )
    return found


def _standing(sketch: Sketch, chart: BarChart, names: list[str], top: float) -> None:
    m = sketch.measures
    reach = _reach(chart, categories(chart.series))
    plot = frame(
        sketch, key=chart.key, x_values=None, y_values=reach, x_words=names,
        x_label=chart.x_label, y_label=chart.y_label, top=top,
    )  # fmt: skip
    looks = _looks(sketch, chart.series)
    side = 1 if chart.stacked else len(chart.series)
    wide = abs(plot.x(1) - plot.x(0)) * 0.7 / side
    for number, at, value, base, low, high, text in _bars(chart):
        offset = 0.0 if chart.stacked else (number - (side - 1) / 2) * wide
        middle = plot.x(at) + offset
        if value is None:
            sketch.words(middle, plot.y(0) - 3, "—", m.small, "text2", anchor="middle")
            continue
        colour, pattern = _fill(sketch, chart.series[number].style, looks[number])
        ends = sorted((plot.y(base), plot.y(base + value)))
        half = min(wide * 0.46, 28.0)
        sketch.pattern(middle - half, ends[0], middle + half, ends[1], pattern, colour)
        if low is not None and high is not None:
            _standing_whisker(sketch, middle, plot.y(low), plot.y(high))
        if text and sketch.wide(text, m.small) <= wide + 6:
            above = min(ends[0], plot.y(high) if high is not None else ends[0])
            sketch.words(middle, max(above - 3, m.small), text, m.small, anchor="middle")
    sketch.line(((plot.left, plot.y(0)), (plot.right, plot.y(0))), "control", m.axis)
    if chart.reference is not None:
        y = plot.y(chart.reference)
        sketch.line(((plot.left, y), (plot.right, y)), "text2", 0.9, (1.5, 2.25))
        reference_words(sketch, plot.right, y, chart.reference_label, plot.right - plot.left)


def _standing_whisker(sketch: Sketch, x: float, low: float, high: float) -> None:
    m = sketch.measures
    sketch.line(((x, low), (x, high)), "text", m.line)
    for end in (low, high):
        sketch.line(((x - m.cap / 2, end), (x + m.cap / 2, end)), "text", m.line)


def _lying(sketch: Sketch, chart: BarChart, names: list[str], top: float) -> None:
    m = sketch.measures
    reach = _reach(chart, categories(chart.series))
    marks = ticks(min(reach), max(reach))
    left = min(max(sketch.wide(n, m.text) for n in names), sketch.width * 0.38) + m.gap
    texts = [b[6] for b in _bars(chart)] if not chart.stacked else []
    room = max(
        [sketch.wide(t, m.small) + m.gap for t in texts if t]
        + [sketch.wide(tick_words(marks)[-1], m.small) / 2 + 2]
    )
    first = sketch.wide(tick_words(marks)[0], m.small) / 2
    x = Scale(marks[0], marks[-1], max(left, first), sketch.width - room)
    side = 1 if chart.stacked else len(chart.series)
    wrapped = [sketch.wrap(n, m.text, left - m.gap) for n in names]
    heights = [
        max(side * m.small * 1.5 + 7, len(lines) * m.text * LEADING + 4, m.row * 0.8)
        for lines in wrapped
    ]
    y = top + 2
    tops = []
    for height in heights:
        tops.append(y)
        y += height
    bottom = y
    for mark in marks:
        sketch.line(((x(mark), top), (x(mark), bottom)), "hairline", m.hairline)
    for lines, start, height in zip(wrapped, tops, heights, strict=True):
        line = start + height / 2 - (len(lines) - 1) * m.text * LEADING / 2 + m.text * 0.35
        sketch.lines_of_words(left - m.gap, line, lines, m.text, anchor="end")
    looks = _looks(sketch, chart.series)
    for number, at, value, foot, low, high, text in _bars(chart):
        part = (heights[at] - 6) / side
        start = tops[at] + 3 + (0 if chart.stacked else number * part)
        middle = start + part / 2
        if value is None:
            word = text or "cannot be computed"
            sketch.words(x(0) + 3, middle + m.small * 0.35, word, m.small, "text2")
            continue
        colour, pattern = _fill(sketch, chart.series[number].style, looks[number])
        ends = sorted((x(foot), x(foot + value)))
        sketch.pattern(ends[0], start + 1, ends[1], start + part - 1, pattern, colour)
        after = ends[1]
        if low is not None and high is not None:
            sketch.line(((x(low), middle), (x(high), middle)), "text", m.line)
            for end in (x(low), x(high)):
                sketch.line(((end, middle - 2.5), (end, middle + 2.5)), "text", m.line)
            after = max(after, x(high))
        if text and not chart.stacked:
            sketch.words(after + 4, middle + m.small * 0.35, text, m.small)
    sketch.line(((x(0), top), (x(0), bottom)), "control", m.axis)
    _under(sketch, chart, x, marks, top, bottom)


def _under(
    sketch: Sketch,
    chart: BarChart | Waterfall,
    x: Scale,
    marks: list[float],
    top: float,
    bottom: float,
) -> None:
    """Tick words, reference and axis words under lying bars."""
    m = sketch.measures
    words = tick_words(marks)
    widest = max(sketch.wide(t, m.small) for t in words) + 4
    apart = (x.end - x.start) / max(len(marks) - 1, 1)
    every = max(1, round(widest / apart + 0.49))
    for value, text in list(zip(marks, words, strict=True))[::every]:
        sketch.words(x(value), bottom + 3 + m.small, text, m.small, "text2", anchor="middle")
    under = bottom + 3 + m.small * LEADING
    reference = chart.reference if isinstance(chart, BarChart) else None
    if reference is not None and isinstance(chart, BarChart):
        place = x(reference)
        sketch.line(((place, top), (place, bottom)), "text2", 0.9, (1.5, 2.25))
        for text in sketch.wrap(chart.reference_label, m.small, sketch.width):
            half = sketch.wide(text, m.small) / 2
            at = min(max(place, half), sketch.width - half)
            under += m.small * LEADING
            sketch.words(at, under, text, m.small, "text2", anchor="middle")
    turned = isinstance(chart, BarChart) and not chart.horizontal  # its words stand for upright
    label = (turned and chart.y_label) or chart.x_label or chart.y_label
    for text in sketch.wrap(label, m.text, sketch.width) if label else ():
        half = sketch.wide(text, m.text) / 2
        at = min(max((x.start + x.end) / 2, half), sketch.width - half)
        under += m.text * LEADING
        sketch.words(at, under, text, m.text, anchor="middle")
    sketch.height = under + m.gap


def waterfall(sketch: Sketch, chart: Waterfall) -> None:
    """Draw parts adding up to the last one: settled full, not settled hatched, total outlined."""
    m = sketch.measures
    parts = chart.parts
    at = 0.0
    spans: list[tuple[float, float] | None] = []
    for place, (_, value, _, _, _) in enumerate(parts):
        if value is None:
            spans.append(None)
        elif place == len(parts) - 1:
            spans.append((0.0, value))
        else:
            spans.append((at, at + value))
            at += value
    marks = ticks(
        min([0.0] + [min(s) for s in spans if s]), max([0.0] + [max(s) for s in spans if s])
    )
    texts = []
    for _, value, low, high, _ in parts:
        ends = wording.interval(low, high, sign=True)
        texts.append(
            (wording.number(value, sign=True) if value is not None else "cannot be computed", ends)
        )
    if sketch.width < 55 * m.small:  # narrow: the plot needs the room, the table has the ends
        texts = [(text, "") for text, _ in texts]
    right = max([sketch.wide(t, m.small, True) for t, _ in texts] + [0.0]) + m.gap
    ends_room = max([sketch.wide(e, m.small) for _, e in texts] + [0.0])
    right += ends_room + (m.gap if ends_room else 0)
    left = (
        min(max([sketch.wide(p[0], m.text) for p in parts] + [30.0]), sketch.width * 0.34) + m.gap
    )
    half = sketch.wide(tick_words(marks)[0], m.small) / 2
    x = Scale(marks[0], marks[-1], left + half, sketch.width - right - m.gap)
    heights = [
        max(len(sketch.wrap(p[0], m.text, left - m.gap)) * m.text * LEADING + 4, m.row * 0.82)
        for p in parts
    ]
    bottom = sum(heights) + 2
    for value in marks:
        sketch.line(((x(value), 0), (x(value), bottom)), "hairline", m.hairline)
    top = 1.0
    for place, ((name, _, _, _, settled), span, height) in enumerate(
        zip(parts, spans, heights, strict=True)
    ):
        total = place == len(parts) - 1
        middle = top + height / 2
        lines = sketch.wrap(name, m.text, left - m.gap, total)
        base = middle - (len(lines) - 1) * m.text * LEADING / 2 + m.text * 0.35
        sketch.lines_of_words(left - m.gap, base, lines, m.text, bold=total, anchor="end")
        number, ends = texts[place]
        sketch.words(
            sketch.width - (ends_room + m.gap if ends_room else 0),
            middle + m.small * 0.35,
            number,
            m.small,
            bold=True,
            anchor="end",
        )
        sketch.words(sketch.width, middle + m.small * 0.35, ends, m.small, "text2", anchor="end")
        if span is not None:
            low, high = sorted((x(span[0]), x(span[1])))
            if total:
                sketch.box(low, top + 2, high, top + height - 2, "page", "text", 1.2)
            else:
                role = "accent" if settled else "not_settled"
                sketch.pattern(
                    low,
                    top + 2,
                    high,
                    top + height - 2,
                    "full" if settled else "/",
                    role if not sketch.paper else sketch.colours["text"],
                )
                sketch.line(
                    ((x(span[1]), top + height - 2), (x(span[1]), top + height + 2)),
                    "control",
                    m.axis,
                )
        top += height
    sketch.line(((x(0), 0), (x(0), bottom)), "control", m.axis)
    _under(sketch, chart, x, marks, 0, bottom)
