"""Axes: round tick values, their words, and the frame of a plot."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from engine.base import wording

from .sketch import LEADING, Area, Sketch


def finite(values: Iterable[float | None]) -> list[float]:
    """The values that can be drawn."""
    return [float(v) for v in values if v is not None and math.isfinite(v)]


def ticks(low: float, high: float, *, most: int = 6) -> list[float]:
    """Round values that cover low to high; the first and last are the axis's ends.

    Examples
    --------
    >>> ticks(-0.35, 0.33)
    [-0.4, -0.2, 0.0, 0.2, 0.4]
    >>> ticks(0.0, 1.0)
    [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
    """
    if not high > low:
        spread = abs(low) * 0.1 or 0.1
        low, high = low - spread, high + spread
    raw = (high - low) / max(1, most - 1)
    power = 10.0 ** math.floor(math.log10(raw))
    for factor in (1, 2, 2.5, 5, 10):
        step = factor * power
        first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
        if last - first < most:
            break
    return [round(i * step, 12) + 0.0 for i in range(first, last + 1)]


def tick_words(values: Sequence[float], *, sign: bool = False) -> list[str]:
    """Tick values as text, with as many digits as their step needs; zero is ``0``.

    Examples
    --------
    >>> tick_words([-0.4, -0.2, 0.0, 0.2], sign=True)
    ['−0.4', '−0.2', '0', '+0.2']
    """
    digits = 0
    close = 1e-6 * min((abs(b - a) for a, b in itertools.pairwise(values)), default=1.0)
    while digits < 12 and any(abs(v - round(v, digits)) > close for v in values):
        digits += 1
    words = [wording.number(v, digits=digits, sign=sign) for v in values]
    return ["0" if v == 0 and sign else w for v, w in zip(values, words, strict=True)]


@dataclass(frozen=True)
class Scale:
    """Turns a value into a place: ``start`` is where ``low`` lies, ``end`` where ``high`` does."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)


@dataclass(frozen=True)
class Frame:
    """A plot's place and scales, in points."""

    x: Scale
    y: Scale
    left: float
    top: float
    right: float
    bottom: float


def frame(
    sketch: Sketch,
    *,
    key: str,
    x_values: Sequence[float] | None,
    y_values: Sequence[float],
    x_words: Sequence[str] = (),
    x_label: str,
    y_label: str,
    top: float,
    sign: bool = False,
    pad_x: float = 0.0,
    right_room: float = 0.0,
    bare: bool = False,
    turned: bool = False,
) -> Frame:
    """Draw grid, axis line, tick words and axis words; return the scales.

    ``x_values`` None makes an axis of categories named by ``x_words`` (places 0, 1, ...).
    ``right_room`` keeps a margin for direct labels; ``bare`` leaves the upright axis out;
    ``turned`` writes the upright axis' word along it where it fits. Sets ``sketch.height``.
    """
    m = sketch.measures
    y_ticks = [min(y_values), max(y_values)] if bare else ticks(min(y_values), max(y_values))
    y_texts = [] if bare else tick_words(y_ticks, sign=sign)
    height = sketch.plot_height or m.plot_height
    turned = turned and bool(y_label) and sketch.wide(y_label, m.text) <= height
    label_lines = sketch.wrap(y_label, m.text, sketch.width) if y_label and not turned else []
    left = max([sketch.wide(t, m.text) for t in y_texts] + [0.0]) + m.gap
    left += m.text * LEADING if turned else 0.0
    sketch.lines_of_words(0, top + m.text, label_lines, m.text)
    top += m.small if not label_lines else len(label_lines) * m.text * LEADING + m.gap
    right = sketch.width - right_room - m.gap
    bottom = top + height
    if turned:
        sketch.words(
            m.text, (top + bottom) / 2, y_label, m.text, "text", anchor="middle", turned=True
        )
    y = Scale(y_ticks[0], y_ticks[-1], bottom, top)
    for value, text in zip(y_ticks, y_texts, strict=False):
        sketch.line(((left, y(value)), (right, y(value))), "hairline", m.hairline)
        sketch.words(left - m.gap, y(value) + m.text * 0.35, text, m.text, "text", anchor="end")
    if x_values is None:
        x = Scale(-0.5, max(len(x_words), 1) - 0.5, left, right)
        under = _category_words(sketch, x_words, x, bottom)
    else:
        x_ticks = ticks(min(x_values), max(x_values))
        texts = tick_words(x_ticks)
        inner = max(sketch.wide(t, m.small) for t in texts) / 2
        right = min(right, sketch.width - inner)
        x = Scale(x_ticks[0], x_ticks[-1], left + pad_x, right - pad_x)
        every = _every(sketch, texts, x)
        for value, text in list(zip(x_ticks, texts, strict=True))[::every]:
            place = x(value)
            sketch.line(((place, top), (place, bottom)), "hairline", m.hairline)
            sketch.line(((place, bottom), (place, bottom + 3)), "control", m.axis)
            sketch.words(place, bottom + 4 + m.small, text, m.small, "text2", anchor="middle")
        under = bottom + 4 + m.small * LEADING
    sketch.line(((left, bottom), (right, bottom)), "control", m.axis)
    for text in sketch.wrap(x_label, m.text, sketch.width) if x_label else ():
        under += m.text * LEADING
        middle = (left + right) / 2
        half = sketch.wide(text, m.text) / 2
        sketch.words(
            min(max(middle, half), sketch.width - half), under, text, m.text, anchor="middle"
        )
    sketch.height = under + m.gap
    limits = (x.low, x.high)
    sketch.areas.append(Area(key, x.start, top, x.end, bottom, limits, (y.low, y.high)))
    return Frame(x, y, left, top, right, bottom)


def _every(sketch: Sketch, texts: Sequence[str], x: Scale) -> int:
    """Name every tick, or every second, third...: as many as have room."""
    if len(texts) < 2:
        return 1
    apart = abs(x.end - x.start) / (len(texts) - 1)
    widest = max(sketch.wide(t, sketch.measures.small) for t in texts) + 4
    return max(1, math.ceil(widest / max(apart, 0.1)))


def _category_words(sketch: Sketch, words: Sequence[str], x: Scale, bottom: float) -> float:
    """Names of categories under the axis, wrapped into their column; lowest base line returned."""
    m = sketch.measures
    if not words:
        return bottom
    room = (x.end - x.start) / len(words) - 4
    lowest = bottom
    longest = max((sketch.wide(part, m.small) for w in words for part in w.split()), default=0)
    every = 1 if longest <= room else math.ceil(longest / max(room, 1.0))
    for place, word in list(enumerate(words))[::every]:
        lines = sketch.wrap(word, m.small, room * every + 4 * (every - 1))
        middle = x(place)
        half = max(sketch.wide(t, m.small) for t in lines) / 2
        middle = min(max(middle, half), sketch.width - half)
        sketch.lines_of_words(
            middle, bottom + 4 + m.small, lines, m.small, "text2", anchor="middle"
        )
        lowest = max(lowest, bottom + 4 + m.small * LEADING * len(lines))
    return lowest


def reference_words(sketch: Sketch, right: float, y: float, text: str, room: float) -> None:
    """The name of a level line at its right end, on a ground of its own so that it can be read."""
    m = sketch.measures
    if not text:
        return
    line = sketch.wrap(text, m.small, room)[0]
    wide = sketch.wide(line, m.small)
    y = max(y - 3, m.small)
    sketch.box(right - wide - 2, y - m.small * 0.85, right + 1, y + m.small * 0.28, "page")
    sketch.words(right, y, line, m.small, "text2", anchor="end")


def key_row(
    sketch: Sketch, top: float, entries: Sequence[tuple[str, Callable[[float, float], None]]]
) -> float:
    """A line of ``(word, draw mark at x, y)`` above a plot; wraps; returns its bottom."""
    m = sketch.measures
    x, y = 0.0, top + m.small
    for word, draw in entries:
        lines = sketch.wrap(word, m.small, sketch.width - 16)
        wide = 14 + max(sketch.wide(t, m.small) for t in lines)
        if x and x + wide > sketch.width:
            x, y = 0.0, y + m.small * 1.6
        draw(x + 5, y - m.small * 0.33)
        sketch.lines_of_words(x + 14, y, lines, m.small, "text")
        y += (len(lines) - 1) * m.small * LEADING
        x += wide + 14
    return y + m.small * 0.6
