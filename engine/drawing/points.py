"""Lines over time or size, points by class, and distributions."""

from __future__ import annotations

import itertools
import math
from typing import Any

from engine.base.wording import count

from .axis import Frame, finite, frame, key_row, reference_words
from .bars import categories
from .model import Distribution, LineChart, ScatterChart, Series
from .sketch import LEADING, Sketch
from .style import Look, look_of

MOST_DOTS = 60
"""Samples up to this size are drawn as dots, one a person; larger ones as a histogram."""

MOST_LABELS = 30
"""Up to this many points of a scatter bear their names."""


def _number(value: Any) -> bool:
    return (isinstance(value, int | float) and not isinstance(value, bool)) or hasattr(
        value, "dtype"
    )


def line_chart(sketch: Sketch, chart: LineChart) -> None:
    """Draw lines with marks at their points, bands from low to high, and names at their ends."""
    m = sketch.measures
    names = categories(chart.series)
    numeric = all(_number(x) for x in names)
    places = {x: (float(x) if numeric else float(i)) for i, x in enumerate(names)}
    seen = finite([r[0] for r in chart.references]) + finite(chart.band or ())
    for s in chart.series:
        seen += finite(s.y) + finite(s.low) + finite(s.high)
    looks = [look_of(s.style, i) for i, s in enumerate(chart.series)]
    room, top = 0.0, 0.0
    direct = 1 < len(chart.series) <= 6
    if direct:
        room = max(sketch.wide(s.name, m.small) for s in chart.series) + 8
        direct = room <= sketch.width * 0.3
    if len(chart.series) > 1 and not direct:
        entries = [
            (s.name, _key(sketch, look, True)) for s, look in zip(chart.series, looks, strict=True)
        ]
        top, room = key_row(sketch, 0.0, entries) + 2, 0.0
    plot = frame(
        sketch, key=chart.key, x_values=list(places.values()) or [0.0] if numeric else None,
        y_values=seen or [0.0, 1.0], x_words=[str(n) for n in names], x_label=chart.x_label,
        y_label=chart.y_label, top=top, right_room=room if direct else 0.0, pad_x=3.0,
    )  # fmt: skip
    if chart.filled:
        for s in chart.series:
            _filled(sketch, [plot.x(places[x]) for x in s.x], s, plot)
    _line_grounds(sketch, chart, plot, places)
    ends: list[tuple[float, str, str]] = []
    for number, (s, look) in enumerate(zip(chart.series, looks, strict=True)):
        xs = [plot.x(places[x]) for x in s.x]
        if not chart.filled:
            _ribbon(sketch, xs, s.low, s.high, plot, look)
        for run in _runs(xs, s.y):
            points = [(x, plot.y(y)) for x, y in run]
            if chart.steps:
                points = _steps(points)
            sketch.line(points, look.colour, m.line, look.dash)
        kept = [(x, y) for x, y in zip(xs, s.y, strict=True) if y is not None and math.isfinite(y)]
        if not kept:
            continue
        if not chart.steps or len(kept) <= MOST_DOTS:
            sketch.dots(
                [x for x, _ in kept], [plot.y(y) for _, y in kept], look.shape, look.fill,
                m.point * 0.8, look.colour, name=f"series-{number}",
            )  # fmt: skip
        ends.append((plot.y(kept[-1][1]), s.name, look.colour))
    if direct:
        _end_names(sketch, ends, plot)
    for value, word in chart.references:
        reference_words(sketch, plot.right, plot.y(value), word, plot.right - plot.left)


def _line_grounds(sketch: Sketch, chart: LineChart, plot: Frame, places: dict[Any, float]) -> None:
    """Tolerance band, named references and marked events."""
    m = sketch.measures
    if chart.band is not None:
        low, high = (plot.y(v) for v in chart.band)
        sketch.box(plot.left, high, plot.right, low, "band")
        for edge in (low, high):
            sketch.line(((plot.left, edge), (plot.right, edge)), "band_edge", 0.75)
    for value, _ in chart.references:
        y = plot.y(value)
        sketch.line(((plot.left, y), (plot.right, y)), "text2", 0.9, (1.5, 2.25))
    for number, (x, word) in enumerate(chart.events):
        if x not in places and not _number(x):
            continue
        place = plot.x(places.get(x, float(x) if _number(x) else 0.0))
        if not plot.left <= place <= plot.right:
            continue
        sketch.line(((place, plot.top), (place, plot.bottom)), "text", 1.0, (3, 2))
        room = max(plot.right - place, place - plot.left) - 4
        anchor, shift = ("start", 3) if plot.right - place >= place - plot.left else ("end", -3)
        for text in sketch.wrap(word, m.small, room)[:1]:
            y = plot.top + m.small * (1 + number % 4 * LEADING)
            sketch.words(place + shift, y, text, m.small, "text", anchor=anchor)


def _runs(xs: list[float], ys: tuple[float | None, ...]) -> list[list[tuple[float, float]]]:
    """Stretches without a gap; a missing value breaks the line."""
    found: list[list[tuple[float, float]]] = [[]]
    for x, y in zip(xs, ys, strict=True):
        if y is None or not math.isfinite(y):
            found.append([])
        else:
            found[-1].append((x, float(y)))
    return [run for run in found if len(run) > 1]


def _steps(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    found = points[:1]
    for (_, y), (x2, y2) in itertools.pairwise(points):
        found += [(x2, y), (x2, y2)]
    return found


def _filled(sketch: Sketch, xs: list[float], series: Series, plot: Frame) -> None:
    """The room between the interval ends as a band with its edges; a missing end breaks it."""
    run: list[tuple[float, float, float]] = []
    for x, a, b in [*zip(xs, series.low, series.high, strict=False), (0.0, None, None)]:
        if a is not None and b is not None:
            run.append((x, plot.y(a), plot.y(b)))
            continue
        if len(run) > 1:
            low, high = [(x, y) for x, y, _ in run], [(x, y) for x, _, y in run]
            sketch.polygon([*low, *reversed(high)], "band")
            for edge in (low, high):
                sketch.line(edge, "band_edge", 0.75)
        elif run:
            ((x, y, top),) = run
            sketch.line(((x, y), (x, top)), "band_edge", 0.75)
        run = []


def _ribbon(
    sketch: Sketch,
    xs: list[float],
    low: tuple[float | None, ...],
    high: tuple[float | None, ...],
    plot: Frame,
    look: Look,
) -> None:
    """Interval ends as whiskers: they print in black and stay apart where lines cross."""
    m = sketch.measures
    for x, a, b in zip(xs, low, high, strict=False):
        if a is None or b is None:
            continue
        sketch.line(((x, plot.y(a)), (x, plot.y(b))), look.colour, m.hairline)
        for end in (a, b):
            y = plot.y(end)
            sketch.line(((x - 2.2, y), (x + 2.2, y)), look.colour, m.hairline)


def _end_names(sketch: Sketch, ends: list[tuple[float, str, str]], plot: Frame) -> None:
    """Names beside the ends of the lines, moved apart where they would meet."""
    m = sketch.measures
    step = m.small * 1.25
    placed: list[tuple[float, str, str]] = []
    last = plot.top - step
    for y, name, colour in sorted(ends):
        last = max(y, last + step)
        placed.append((last, name, colour))
    over = max(0.0, last - plot.bottom)
    for y, name, colour in placed:
        sketch.words(plot.right + 6, y - over + m.small * 0.35, name, m.small, colour)


def _key(sketch: Sketch, look: Look, line: bool = False) -> Any:
    def draw(x: float, y: float) -> None:
        if line:
            sketch.line(((x - 6, y), (x + 6, y)), look.colour, sketch.measures.line, look.dash)
        size = sketch.measures.point * (0.8 if line else 1.0)
        sketch.dots([x], [y], look.shape, look.fill, size, look.colour)

    return draw


def scatter_chart(sketch: Sketch, chart: ScatterChart) -> None:
    """Draw points by class: each class has its mark and its word, colour repeats them."""
    m = sketch.measures
    looks = [look_of(s.style, i) for i, s in enumerate(chart.series)]
    top = 0.0
    if len(chart.series) > 1 and chart.keys:
        entries = [
            (f"{s.name} · {_single(s)}", _key(sketch, look))
            for s, look in zip(chart.series, looks, strict=True)
        ]
        top = key_row(sketch, 0.0, entries) + 2
    points = [
        [
            (float(x), float(y))
            for x, y in zip(s.x, s.y, strict=True)
            if x is not None and y is not None and math.isfinite(x) and math.isfinite(y)
        ]
        for s in chart.series
    ]
    xs = [x for part in points for x, _ in part] or [0.0, 1.0]
    ys = [y for part in points for _, y in part] or [0.0, 1.0]
    ys += [v for s in chart.series for v in (*finite(s.low), *finite(s.high))]
    plot = frame(
        sketch, key=chart.key, x_values=None if chart.x_words else xs, x_words=chart.x_words,
        y_values=ys, x_label=chart.x_label,
        y_label=chart.y_label, top=top, turned=not chart.keys,
    )  # fmt: skip
    if chart.diagonal:
        _diagonal(sketch, chart, plot)
    for s, look in zip(chart.series, looks, strict=True):
        _ribbon(sketch, [plot.x(float(x)) for x in s.x], s.low, s.high, plot, look)
    for number, (part, look) in enumerate(zip(points, looks, strict=True)):
        sketch.dots(
            [plot.x(x) for x, _ in part], [plot.y(y) for _, y in part], look.shape, look.fill,
            m.point, look.colour, name=f"series-{number}", width=0.9,
        )  # fmt: skip
    spots = [(plot.x(x), plot.y(y)) for part in points for x, y in part]
    for word, side in ((chart.above, -1), (chart.below, 1)):
        if word and chart.diagonal:
            _side(sketch, word, side, plot, spots)
    if chart.chosen is not None:
        _chosen(sketch, chart, plot)
    else:
        _labels(sketch, chart, plot)


def _single(series: Series) -> int:
    """How many points of a series stand for one thing each: those with an interval sum up."""
    return len(series.x) - sum(low is not None for low in series.low)


def _labels(sketch: Sketch, chart: ScatterChart, plot: Frame) -> None:
    """The points' names beside them, where there are few; a name without free room is left out
    (the chart's table has it)."""
    m = sketch.measures
    named = [
        (plot.x(float(x)), plot.y(float(y)), label)
        for s in chart.series
        for x, y, label in zip(s.x, s.y, s.labels, strict=False)
        if y is not None and label
    ]
    if len(named) > MOST_LABELS:
        return
    taken = [(x - m.point, y - m.point, x + m.point, y + m.point) for x, y, _ in named]
    for x, y, label in named:
        wide, gap = sketch.wide(label, m.small), m.point + 2
        for left, middle in (
            (x + gap, y), (x - gap - wide, y), (x - wide / 2, y - gap - m.small * 0.5), (x - wide / 2, y + gap + m.small * 0.5),
        ):  # fmt: skip
            box = (left, middle - m.small * 0.5, left + wide, middle + m.small * 0.5)
            inside = (
                box[0] >= plot.left
                and box[2] <= plot.right
                and box[1] >= plot.top
                and box[3] <= plot.bottom
            )
            if inside and not any(
                box[0] < t[2] and t[0] < box[2] and box[1] < t[3] and t[1] < box[3] for t in taken
            ):
                sketch.words(left, middle + m.small * 0.35, label, m.small, "text")
                taken.append(box)
                break


def _diagonal(sketch: Sketch, chart: ScatterChart, plot: Frame) -> None:
    """The line of equal values, with its word in the free corner beside it."""
    m = sketch.measures
    low, high = max(plot.x.low, plot.y.low), min(plot.x.high, plot.y.high)
    if low >= high:
        return
    ends = ((plot.x(low), plot.y(low)), (plot.x(high), plot.y(high)))
    sketch.line(ends, "text", 0.9)
    if chart.diagonal_label:
        text = sketch.wrap(chart.diagonal_label, m.small, (plot.right - plot.left) * 0.6)[0]
        x = ends[1][0] - 6
        y = plot.y(plot.y.low + (high - plot.y.low)) + m.small * 2.2
        wide = sketch.wide(text, m.small)
        if x - wide < plot.left:
            x = plot.left + wide + 4
        sketch.box(x - wide - 2, y - m.small, x + 2, y + 3, "page")
        sketch.words(x, y, text, m.small, "text", anchor="end")


def _side(
    sketch: Sketch, word: str, side: int, plot: Frame, spots: list[tuple[float, float]]
) -> None:
    """The name of one side of the diagonal (-1 above), where it covers the fewest points."""
    m = sketch.measures
    wide, high = sketch.wide(word, m.small), m.small * 1.3
    best: tuple[int, float, float] | None = None
    rows = max(1, int((plot.bottom - plot.top) / high))
    for row in range(rows):
        top = plot.top + row * high if side < 0 else plot.bottom - (row + 1) * high
        for left in (plot.right - wide - 4, plot.left + 4, (plot.left + plot.right - wide) / 2):
            corner = (left if side > 0 else left + wide, top if side > 0 else top + high)
            value = plot.x.low + (corner[0] - plot.x.start) / (plot.x.end - plot.x.start) * (
                plot.x.high - plot.x.low
            )
            if left < plot.left or (plot.y(value) - corner[1]) * side > 0:
                continue
            under = sum(
                left - m.point < x < left + wide + m.point
                and top - m.point / 2 < y < top + high + m.point / 2
                for x, y in spots
            )
            if best is None or under < best[0]:
                best = (under, left, top)
    if best is None:
        return
    under, left, top = best
    if under:
        sketch.box(left - 2, top, left + wide + 2, top + high, "page")
    sketch.words(left, top + m.small, word, m.small, "text")


def _chosen(sketch: Sketch, chart: ScatterChart, plot: Frame) -> None:
    """A ring about one point and its name beside it."""
    m = sketch.measures
    assert chart.chosen is not None
    number, place = chart.chosen
    s = chart.series[number]
    y_value = s.y[place]
    if y_value is None:
        return
    x, y = plot.x(float(s.x[place])), plot.y(float(y_value))
    sketch.disc(x, y, m.point * 1.25, None, "text", 1.4)
    label = s.labels[place] if place < len(s.labels) else ""
    if not label:
        return
    wide = sketch.wide(label, m.text, True) + 8
    left = x + 20 if x + 22 + wide <= plot.right else x - 20 - wide
    left = max(left, 0.0)
    near = left if left > x else left + wide
    at = min(max(y + 10, plot.top + m.text), plot.bottom - m.text)
    sketch.line(((x, y), (near, at)), "text", 0.9)
    sketch.box(left, at - m.text * 0.8, left + wide, at + m.text * 0.8, "page", "text", 0.9)
    sketch.words(left + 4, at + m.text * 0.35, label, m.text, bold=True)


def distribution(sketch: Sketch, chart: Distribution) -> None:
    """Draw samples as dots (one a value) or histograms, with named lines over them."""
    m = sketch.measures
    samples = [(name, finite(values), style) for name, values, style in chart.samples]
    everything = [v for _, values, _ in samples for v in values]
    everything += [value for value, _ in chart.lines]
    if not everything:
        sketch.words(0, m.text, "There is no value to draw.", m.text, "text2")
        sketch.height = m.row
        return
    low, high = min(everything), max(everything)
    if low == high:
        low, high = low - 0.5, high + 0.5
    looks = [look_of(style, i) for i, (_, _, style) in enumerate(samples)]
    top = 0.0
    if len(samples) > 1:
        entries = [
            (
                f"{name} · {count(chart.sizes[i]) if chart.sizes else len(values)}",
                _swatch(sketch, look, _dash(i)),
            )
            for i, ((name, values, _), look) in enumerate(zip(samples, looks, strict=True))
        ]
        top = key_row(sketch, 0.0, entries) + 2
    label_room = m.small * LEADING * len(chart.lines)
    bins = max(4, min(chart.bins, 60))
    step = (high - low) / bins
    heights = [_heights(values, low, step, bins, chart.density) for _, values, _ in samples]
    dots = all(len(values) <= MOST_DOTS for _, values, _ in samples) and len(samples) == 1
    tallest = max((max(h) for h in heights if h), default=1.0) or 1.0
    if dots:
        heights = [_heights(values, low, step, bins, False) for _, values, _ in samples]
        tallest = max(max(h) for h in heights if h)
        sketch.plot_height = max(3.0, tallest) * m.point * 1.15
    else:
        word = chart.y_label or ("Share per unit" if chart.density else "People")
        for text in sketch.wrap(word, m.text, sketch.width) if word.strip() else ():
            top += m.text * LEADING
            sketch.words(0, top - m.text * 0.3, text, m.text)
    plot = frame(
        sketch, key=chart.key, x_values=[low, high], y_values=[0.0, tallest],
        x_label=chart.x_label, y_label="", top=top + label_room, pad_x=m.point / 2, bare=dots,
    )  # fmt: skip
    for number, (look, bars) in enumerate(zip(looks, heights, strict=True)):
        if dots:
            _stacks(sketch, plot, look, bars, low, step, number)
        else:
            _histogram(sketch, plot, look, bars, low, step, number)
    _lines(sketch, chart, plot)


def _heights(values: list[float], low: float, step: float, bins: int, density: bool) -> list[float]:
    counts = [0.0] * bins
    for v in values:
        counts[min(bins - 1, int((v - low) / step))] += 1
    if density and values:
        return [c / (len(values) * step) for c in counts]
    return counts


def _swatch(sketch: Sketch, look: Look, dash: tuple[float, float] | None) -> Any:
    def draw(x: float, y: float) -> None:
        sketch.line(((x - 6, y), (x + 6, y)), look.colour, sketch.measures.line, dash)

    return draw


def _histogram(
    sketch: Sketch, plot: Frame, look: Look, bars: list[float], low: float, step: float, number: int
) -> None:
    """A stepped outline, the first sample with a tint under it."""
    points = [(plot.x(low), plot.y(0))]
    for i, tall in enumerate(bars):
        points += [
            (plot.x(low + i * step), plot.y(tall)),
            (plot.x(low + (i + 1) * step), plot.y(tall)),
        ]
    points.append((plot.x(low + len(bars) * step), plot.y(0)))
    if number == 0:
        sketch.polygon(points, "selection")
    sketch.line(points, look.colour, sketch.measures.line, _dash(number))


def _dash(number: int) -> tuple[float, float] | None:
    """Samples laid over each other are told apart by their dash, in black too."""
    return (None, (4.0, 2.0), (1.5, 1.5), (7.0, 2.0))[number % 4]


def _stacks(
    sketch: Sketch, plot: Frame, look: Look, bars: list[float], low: float, step: float, number: int
) -> None:
    size = min(sketch.measures.point, abs(plot.x(low + step) - plot.x(low)) * 0.95)
    xs, ys = [], []
    for i, tall in enumerate(bars):
        for level in range(int(tall)):
            xs.append(plot.x(low + (i + 0.5) * step))
            ys.append(plot.y(level + 0.5))
    sketch.dots(xs, ys, "disc", "open", size, look.colour, name=f"series-{number}")


def _lines(sketch: Sketch, chart: Distribution, plot: Frame) -> None:
    """Named vertical lines: the first strong, the others dashed; one line of words each."""
    m = sketch.measures
    for number, (value, _) in enumerate(chart.lines):
        x = plot.x(value)
        strong = number == 0
        y = plot.top - (len(chart.lines) - number - 1) * m.small * LEADING - 4
        sketch.line(
            ((x, y + 2), (x, plot.bottom)), "text" if strong else "text2",
            1.6 if strong else 1.0, None if strong else (3, 2),
        )  # fmt: skip
    for number, (value, word) in enumerate(chart.lines):
        x, strong = plot.x(value), number == 0
        y = plot.top - (len(chart.lines) - number - 1) * m.small * LEADING - 4
        text = sketch.wrap(word, m.small, sketch.width, strong)[0]
        half = sketch.wide(text, m.small, strong) / 2
        at = min(max(x, half), sketch.width - half)
        # a ground of its own, so that a line that passes behind does not cut the words
        sketch.box(at - half - 1, y - m.small * 0.82, at + half + 1, y + m.small * 0.22, "page")
        sketch.words(
            at, y, text, m.small, "text" if strong else "text2", bold=strong, anchor="middle"
        )
