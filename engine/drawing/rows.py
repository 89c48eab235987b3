"""Charts that are tables at the same time: intervals against a band, and grids with words."""

from __future__ import annotations

import math

from .axis import Scale, finite, tick_words, ticks
from .model import Cell, HeatGrid, IntervalChart, IntervalRow
from .sketch import LEADING, Sketch
from .style import verdict_colour

NARROWEST_PLOT = 120.0


def interval_chart(sketch: Sketch, chart: IntervalChart, *, plot_only: bool = False) -> None:
    """Draw rows of label, plot, value, interval and verdict; the band row by row.

    ``plot_only`` leaves the words out: rows of the measures' height, for a page that sets the
    words itself beside them. On narrow paper the interval column goes first: it is in the table.
    """
    m = sketch.measures
    rows = chart.rows
    columns = _columns(sketch, chart, plot_only)
    left, right = columns["plot"], columns["plot_end"]
    scale = _distance_scale(rows, left + m.mark, right - m.mark)
    y = 0.0
    if not plot_only:
        y = _heads(sketch, chart, columns)
    plot_top = y
    group = ""
    for row in rows:
        if row.group != group and row.group and not plot_only:
            group = row.group
            lines = sketch.wrap(group, m.label, sketch.width, bold=True)
            y += m.group_row - m.label * LEADING
            sketch.lines_of_words(0, y + m.label, lines, m.label, bold=True)
            y += len(lines) * m.label * LEADING
            sketch.line(((0, y), (sketch.width, y)), "control", m.axis)
        y = _row(sketch, row, y, columns, scale, plot_only)
    values = _tick_values(scale)
    texts = tick_words(values, sign=True)
    apart = abs(scale(values[1]) - scale(values[0]))
    every = math.ceil((max(sketch.wide(t, m.small) for t in texts) + 4) / apart)
    zero = values.index(0.0)
    for place, (value, text) in enumerate(zip(values, texts, strict=True)):
        if (place - zero) % every:
            continue
        sketch.words(scale(value), y + 4 + m.small, text, m.small, "text2", anchor="middle")
    bottom = y + 4 + m.small * LEADING
    if not plot_only and chart.x_label:
        room = max(left - 2 * m.gap - 12, 40.0)
        lines = sketch.wrap(chart.x_label, m.small, room)
        sketch.lines_of_words(0, y + 4 + m.small, lines, m.small, "text2")
        bottom = max(bottom, y + 4 + m.small * LEADING * len(lines))
    sketch.height = max(bottom + 2, plot_top)


def _verdict_word(row: IntervalRow) -> str:
    return "" if row.verdict is None else row.verdict[:1].upper() + row.verdict[1:]


def _columns(sketch: Sketch, chart: IntervalChart, plot_only: bool) -> dict[str, float]:
    """Right or left edges of the columns; widens the sketch where the words need it."""
    m = sketch.measures
    if plot_only:
        return {"label": 0.0, "plot": 0.0, "plot_end": sketch.width}
    level = f"{100 * chart.confidence:g} % interval"
    wide_value = max([sketch.wide(r.shown, m.label, True) for r in chart.rows] + [
        sketch.wide("Value", m.small)
    ])  # fmt: skip
    wide_interval = max([sketch.wide(r.shown_interval, m.label) for r in chart.rows] + [
        sketch.wide(level, m.small)
    ])  # fmt: skip
    wide_verdict = m.verdict_mark + 4 + max(
        [sketch.wide(_verdict_word(r), m.label, True) for r in chart.rows], default=0.0
    )  # fmt: skip
    gap = 2 * m.gap
    plot = NARROWEST_PLOT * m.text / 9
    least = max([sketch.wide(w, m.label) for r in chart.rows for w in r.label.split()] + [60.0])
    least = min(least, 130.0 * m.text / 9)
    fixed = wide_value + wide_interval + wide_verdict + 4 * gap
    wanted = max(
        [sketch.wide(r.label, m.label) for r in chart.rows]
        + [sketch.wide(r.sub, m.small) for r in chart.rows]
        + [60.0]
    )
    label = min(wanted, max(sketch.width * 0.32, least))
    interval_shown = True
    if label + fixed + plot > sketch.width:
        label = min(wanted, max(sketch.width - fixed - plot, least))
        if label + fixed + plot > sketch.width and sketch.paper:
            fixed -= wide_interval + gap
            interval_shown = False
            label = min(wanted, max(sketch.width - fixed - plot, least))
        sketch.width = max(sketch.width, label + fixed + plot)
    end = sketch.width
    verdict = end - wide_verdict
    columns = {"label": label, "verdict": verdict}
    edge = verdict - gap
    if interval_shown:
        columns["interval_end"] = edge
        edge -= wide_interval + gap
    columns["value_end"] = edge
    columns["plot"] = label + gap
    columns["plot_end"] = edge - wide_value - gap
    return columns


def _heads(sketch: Sketch, chart: IntervalChart, columns: dict[str, float]) -> float:
    m = sketch.measures
    y = m.small
    middle = (columns["plot"] + columns["plot_end"]) / 2
    if any(r.band for r in chart.rows):
        sketch.words(middle, y, "Tolerance band", m.small, "text2", anchor="middle")
    sketch.words(columns["value_end"], y, "Value", m.small, "text2", anchor="end")
    if "interval_end" in columns:
        level = f"{100 * chart.confidence:g} % interval"
        sketch.words(columns["interval_end"], y, level, m.small, "text2", anchor="end")
    if any(r.verdict for r in chart.rows):
        sketch.words(columns["verdict"], y, "Verdict", m.small, "text2")
    y += m.small * 0.5
    if not chart.rows or not chart.rows[0].group:
        sketch.line(((0, y), (sketch.width, y)), "control", m.axis)
    return y


def _distance(value: float, row: IntervalRow) -> float:
    return value - (row.ideal or 0.0)


def _distance_scale(rows: tuple[IntervalRow, ...], start: float, end: float) -> Scale:
    """An axis of distances from the ideal, with 0 always on it and equal room on both sides."""
    seen = [0.0]
    for row in rows:
        ends = (row.value, row.low, row.high, *(row.band or ()))
        seen += [_distance(v, row) for v in finite(ends)]
    reach = max(abs(v) for v in seen) or 0.1
    marks = ticks(-reach, reach, most=6)
    return Scale(marks[0], marks[-1], start, end)


def _tick_values(scale: Scale) -> list[float]:
    """Round values on the axis; rounding outward must not set a mark beside the plot."""
    close = 1e-9 * (scale.high - scale.low)
    found = [
        v
        for v in ticks(scale.low, scale.high, most=6)
        if scale.low - close <= v <= scale.high + close
    ]
    return found if len(found) > 1 else [scale.low, 0.0, scale.high]


def _row(
    sketch: Sketch,
    row: IntervalRow,
    top: float,
    columns: dict[str, float],
    scale: Scale,
    plot_only: bool,
) -> float:
    """Draw one row; returns its bottom."""
    m = sketch.measures
    height = m.row
    label: list[str] = []
    sub: list[str] = []
    if not plot_only:
        label = sketch.wrap(row.label, m.label, columns["label"])
        sub = sketch.wrap(row.sub, m.small, columns["label"]) if row.sub else []
        needed = len(label) * m.label * LEADING + len(sub) * m.small * LEADING + 2
        height = max(height, needed)
    reason: list[str] = []
    if row.value is None and row.reason:
        room = scale.end - scale.start
        reason = sketch.wrap(row.reason, m.small, room)
        height = max(height, len(reason) * m.small * LEADING + 4)
    bottom, middle = top + height, top + height / 2
    _cells(sketch, row, top, bottom, scale, plain=bool(reason))
    if label:
        block = len(label) * m.label * LEADING + len(sub) * m.small * LEADING
        y = middle - block / 2 + m.label
        sketch.lines_of_words(0, y, label, m.label)
        y += (len(label) - 1) * m.label * LEADING + m.small * LEADING * 1.05
        sketch.lines_of_words(0, y, sub, m.small, "text2")
    if reason:
        y = middle - (len(reason) - 1) * m.small * LEADING / 2 + m.small * 0.35
        sketch.lines_of_words(scale.start, y, reason, m.small, "text2")
    else:
        _whisker(sketch, row, middle, scale)
    if not plot_only:
        base = middle + m.label * 0.35
        sketch.words(columns["value_end"], base, row.shown, m.label, bold=True, anchor="end")
        if "interval_end" in columns:
            sketch.words(
                columns["interval_end"], base, row.shown_interval, m.label, "text2", anchor="end"
            )
        if row.verdict:
            x = columns["verdict"] + m.verdict_mark / 2
            sketch.verdict_mark(x, middle, row.verdict, m.verdict_mark)
            colour = verdict_colour(row.verdict, sketch.colours)
            x += m.verdict_mark / 2 + 4
            sketch.words(x, base, _verdict_word(row), m.label, colour, bold=True)
        sketch.line(((0, bottom), (sketch.width, bottom)), "hairline", m.hairline)
    return bottom


def _cells(
    sketch: Sketch, row: IntervalRow, top: float, bottom: float, scale: Scale, *, plain: bool
) -> None:
    """Grid, band and ideal behind a row."""
    m = sketch.measures
    if plain:
        return
    for value in _tick_values(scale):
        sketch.line(((scale(value), top), (scale(value), bottom)), "hairline", m.hairline)
    if row.band is not None:
        low, high = (scale(_distance(v, row)) for v in row.band)
        sketch.box(low, top, high, bottom, "band")
        for edge in (low, high):
            sketch.line(((edge, top), (edge, bottom)), "band_edge", 0.75)
    if row.ideal is not None:
        sketch.line(((scale(0), top), (scale(0), bottom)), "text2", 0.9, (1.5, 2.25))


def _whisker(sketch: Sketch, row: IntervalRow, y: float, scale: Scale) -> None:
    m = sketch.measures
    if row.value is None:
        return
    colour = verdict_colour(row.verdict, sketch.colours)
    if row.low is not None and row.high is not None:
        low, high = scale(_distance(row.low, row)), scale(_distance(row.high, row))
        sketch.line(((low, y), (high, y)), colour, m.whisker)
        for end in (low, high):
            sketch.line(((end, y - m.cap / 2), (end, y + m.cap / 2)), colour, m.whisker)
    shape, fill = {
        "outside": ("square", "full"),
        "not settled": ("diamond", "left"),
        "not checked": ("disc", "open"),
        "shown": ("square", "full"),
        "ruled out": ("square", "open"),
    }.get(row.verdict or "", ("disc", "full"))
    sketch.dots([scale(_distance(row.value, row))], [y], shape, fill, m.mark, colour, width=1.2)


def heat_grid(sketch: Sketch, chart: HeatGrid) -> None:
    """Draw a grid with words in its cells; tints repeat what the words say."""
    m = sketch.measures
    names = list(chart.row_names)
    wanted = max([sketch.wide(n, m.text) for n in names] + [30.0])
    left = min(wanted, sketch.width * 0.3) + m.gap
    count = max(len(chart.column_names), 1)
    texts = [cell.text for line in chart.cells for cell in line]
    longest = max((sketch.wide(w, m.text) for t in texts for w in t.split()), default=20.0)
    least = longest + 8 + (m.verdict_mark + 3 if _any_verdict(chart) else 0)
    if left + least * count > sketch.width and not sketch.paper:
        sketch.width = left + least * count
    step = (sketch.width - left) / count
    top = _column_names(sketch, chart, left, step)
    values = finite(cell.value for line in chart.cells for cell in line)
    low, high = (min(values), max(values)) if values else (0.0, 0.0)
    for name, line in zip(names, chart.cells, strict=True):
        name_lines = sketch.wrap(name, m.text, left - m.gap)
        wrapped = [sketch.wrap(c.text, m.text, step - 8 - _mark_room(sketch, c)) for c in line]
        tallest = max([len(w) for w in wrapped] + [len(name_lines), 1])
        bottom = top + max(tallest * m.text * LEADING + 8, m.row)
        middle = (top + bottom) / 2
        sketch.lines_of_words(0, _first(middle, name_lines, m.text), name_lines, m.text)
        for place, (cell, lines) in enumerate(zip(line, wrapped, strict=True)):
            x = left + place * step
            share = (
                (cell.value - low) / (high - low) if cell.value is not None and high > low else 0
            )
            _cell(sketch, cell, lines, (x, top, x + step, bottom), share)
        top = bottom
    y = top
    for label in (chart.x_label, chart.y_label):
        for text in sketch.wrap(label, m.small, sketch.width) if label else ():
            y += m.small * LEADING
            sketch.words(0, y, text, m.small, "text2")
    sketch.height = y + m.gap


def _any_verdict(chart: HeatGrid) -> bool:
    return any(cell.verdict for line in chart.cells for cell in line)


def _mark_room(sketch: Sketch, cell: Cell) -> float:
    return sketch.measures.verdict_mark + 3 if cell.verdict else 0.0


def _first(middle: float, lines: list[str], size: float) -> float:
    return middle - (len(lines) - 1) * size * LEADING / 2 + size * 0.35


def _column_names(sketch: Sketch, chart: HeatGrid, left: float, step: float) -> float:
    """Names above the columns, wrapped; returns where the first row begins."""
    m = sketch.measures
    wrapped = [sketch.wrap(name, m.small, step - 4) for name in chart.column_names]
    tallest = max((len(lines) for lines in wrapped), default=0)
    for place, lines in enumerate(wrapped):
        y = m.small + (tallest - len(lines)) * m.small * LEADING
        x = left + (place + 0.5) * step
        sketch.lines_of_words(x, y, lines, m.small, "text2", anchor="middle")
    return tallest * m.small * LEADING + 4


def _cell(
    sketch: Sketch,
    cell: Cell,
    lines: list[str],
    place: tuple[float, float, float, float],
    share: float,
) -> None:
    m = sketch.measures
    left, top, right, bottom = place
    size = min(1.0, max(0.0, cell.size)) ** 0.5
    middle_x, middle_y = (left + right) / 2, (top + bottom) / 2
    half_x, half_y = (right - left - 2) / 2 * size, (bottom - top - 2) / 2 * size
    if cell.verdict in ("within", "outside", "not settled", "not computable", "not checked"):
        fill = sketch.colour(cell.verdict.replace(" ", "_") + "_tint")
    else:
        fill = blend(sketch.colours["page"], sketch.colours["selection"], share)
    sketch.box(
        middle_x - half_x, middle_y - half_y, middle_x + half_x, middle_y + half_y, fill,
        "hairline", m.hairline,
    )  # fmt: skip
    base = _first(middle_y, lines, m.text)
    if cell.verdict is None:
        sketch.lines_of_words(middle_x, base, lines, m.text, anchor="middle")
        return
    wide = max(sketch.wide(t, m.text) for t in lines) + m.verdict_mark + 3
    x = max(middle_x - wide / 2, left + 2)
    sketch.verdict_mark(x + m.verdict_mark / 2, middle_y, cell.verdict, m.verdict_mark)
    sketch.lines_of_words(x + m.verdict_mark + 3, base, lines, m.text)


def blend(low: str, high: str, share: float) -> str:
    """A colour between two.

    Examples
    --------
    >>> blend("#000000", "#FFFFFF", 0.5)
    '#808080'
    """
    a = [int(low[i : i + 2], 16) for i in (1, 3, 5)]
    b = [int(high[i : i + 2], 16) for i in (1, 3, 5)]
    mixed = (round(p + (q - p) * share) for p, q in zip(a, b, strict=True))
    return "#" + "".join(f"{v:02X}" for v in mixed)
