"""A drawing before it is drawn: shapes in points, y downwards. Window and paper render the same.

Each chart kind is laid out once, here, and so shows the same numbers on both.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from .style import MARKS, Measures, verdict_colour

Point = tuple[float, float]
Measure = Callable[[str, float, bool], float]
"""``(text, size in points, bold) -> width in points``."""


@dataclass(frozen=True)
class Line:
    """An open path."""

    points: tuple[Point, ...]
    colour: str
    width: float
    dash: tuple[float, float] | None = None


@dataclass(frozen=True)
class Polygon:
    """A closed path; ``fill`` or ``stroke`` may be None."""

    points: tuple[Point, ...]
    fill: str | None
    stroke: str | None = None
    width: float = 0.75


@dataclass(frozen=True)
class Disc:
    """A circle."""

    x: float
    y: float
    radius: float
    fill: str | None
    stroke: str | None = None
    width: float = 0.75
    dash: tuple[float, float] | None = None


@dataclass(frozen=True)
class Words:
    """A line of text; ``y`` is its base line, ``anchor`` start, middle or end.

    ``turned`` is a quarter turn to the left, about the anchor.
    """

    x: float
    y: float
    text: str
    size: float
    colour: str
    bold: bool = False
    anchor: str = "start"
    turned: bool = False


@dataclass(frozen=True)
class Dots:
    """Many points of one look. ``name`` is ``series-<number>`` where it stands for a series."""

    x: tuple[float, ...]
    y: tuple[float, ...]
    shape: str
    fill: str
    size: float
    colour: str
    page: str
    width: float = 1.0
    name: str = ""


@dataclass(frozen=True)
class Area:
    """Where a plot lies, and the values at its edges: what a click is read with."""

    key: str
    left: float
    top: float
    right: float
    bottom: float
    x_limits: tuple[float, float]
    y_limits: tuple[float, float]


Shape = Line | Polygon | Disc | Words | Dots


@dataclass
class Sketch:
    """Collects the shapes of a chart. ``width`` may grow where words need more room."""

    width: float
    colours: dict[str, str]
    measures: Measures
    measure: Measure
    plot_height: float | None = None
    height: float = 0.0
    shapes: list[Shape] = field(default_factory=list)
    areas: list[Area] = field(default_factory=list)

    @property
    def paper(self) -> bool:
        """Whether this goes to paper: black, with patterns in place of colours."""
        return self.colours["accent"] == self.colours["text"]

    def colour(self, role: str) -> str:
        """The colour of a role, or a colour as it is."""
        return role if role.startswith("#") else self.colours[role]

    def line(
        self,
        points: Sequence[Point],
        colour: str,
        width: float,
        dash: tuple[float, float] | None = None,
    ) -> None:
        """Add an open path."""
        self.shapes.append(Line(tuple(points), self.colour(colour), width, dash))

    def polygon(
        self,
        points: Sequence[Point],
        fill: str | None,
        stroke: str | None = None,
        width: float = 0.75,
    ) -> None:
        """Add a closed path."""
        self.shapes.append(
            Polygon(
                tuple(points),
                self.colour(fill) if fill else None,
                self.colour(stroke) if stroke else None,
                width,
            )
        )

    def box(
        self,
        left: float,
        top: float,
        right: float,
        bottom: float,
        fill: str | None,
        stroke: str | None = None,
        width: float = 0.75,
    ) -> None:
        """Add a rectangle."""
        corners = ((left, top), (right, top), (right, bottom), (left, bottom))
        self.polygon(corners, fill, stroke, width)

    def pattern(
        self, left: float, top: float, right: float, bottom: float, pattern: str, colour: str
    ) -> None:
        """Fill a rectangle: ``full``, ``open``, ``tint`` or a hatch, always with its outline."""
        if right - left <= 0 or bottom - top <= 0:
            return
        page = "page" if pattern != "tint" else "selection"
        fill = colour if pattern == "full" else page
        self.box(left, top, right, bottom, fill, colour, 1.0)
        if pattern == ".":
            xs, ys = _grid(left, top, right, bottom, 4.5)
            self.dots(xs, ys, "disc", "full", 1.6, colour)
        for direction in {"/": (1,), "\\": (-1,), "x": (1, -1)}.get(pattern, ()):
            for start, end in hatch(left, top, right, bottom, 4.5, direction):
                self.line((start, end), colour, 0.8)

    def disc(
        self,
        x: float,
        y: float,
        radius: float,
        fill: str | None,
        stroke: str | None = None,
        width: float = 0.75,
        dash: tuple[float, float] | None = None,
    ) -> None:
        """Add a circle."""
        self.shapes.append(
            Disc(
                x,
                y,
                radius,
                self.colour(fill) if fill else None,
                self.colour(stroke) if stroke else None,
                width,
                dash,
            )
        )

    def words(
        self,
        x: float,
        y: float,
        text: str,
        size: float,
        colour: str = "text",
        *,
        bold: bool = False,
        anchor: str = "start",
        turned: bool = False,
    ) -> None:
        """Add a line of text; an empty text adds nothing."""
        if text:
            self.shapes.append(Words(x, y, text, size, self.colour(colour), bold, anchor, turned))

    def lines_of_words(
        self,
        x: float,
        y: float,
        lines: Sequence[str],
        size: float,
        colour: str = "text",
        *,
        bold: bool = False,
        anchor: str = "start",
    ) -> None:
        """Add lines of text below each other, the first on base line ``y``."""
        for number, text in enumerate(lines):
            self.words(x, y + number * size * LEADING, text, size, colour, bold=bold, anchor=anchor)

    def dots(
        self,
        x: Sequence[float],
        y: Sequence[float],
        shape: str,
        fill: str,
        size: float,
        colour: str,
        name: str = "",
        width: float = 1.0,
    ) -> None:
        """Add points of one look."""
        self.shapes.append(
            Dots(
                tuple(x),
                tuple(y),
                shape,
                fill,
                size,
                self.colour(colour),
                self.colours["page"],
                width,
                name,
            )
        )

    def verdict_mark(self, x: float, y: float, verdict: str, size: float) -> None:
        """Draw a verdict's mark with its centre at (x, y)."""
        colour = verdict_colour(verdict, self.colours)
        unit = size / 12

        def role(name: str | None) -> str | None:
            return None if name is None else colour if name == "mark" else self.colours["page"]

        for part in MARKS[verdict]:
            points = [(x + (px - 6) * unit, y + (py - 6) * unit) for px, py in part.points]
            fill, stroke = role(part.fill), role(part.stroke)
            if part.kind == "ring":
                dash = (2.2 * unit, 1.6 * unit) if part.dashed else None
                radius = points[1][0] - points[0][0]
                self.disc(*points[0], radius, fill, stroke, part.width * unit, dash)
            elif part.kind == "line":
                self.line(points, stroke or colour, part.width * unit)
            else:
                self.polygon(points, fill, stroke, part.width * unit)

    def wide(self, text: str, size: float, bold: bool = False) -> float:
        """Width of a text in points."""
        return self.measure(text, size, bold)

    def wrap(self, text: str, size: float, room: float, bold: bool = False) -> list[str]:
        """Break a text into lines no wider than ``room``; a longer word is broken within."""
        return wrap(text, lambda part: self.measure(part, size, bold), room)

    def put(self, other: Sketch, x: float, y: float) -> None:
        """Take over another sketch's shapes, shifted."""
        self.shapes += [moved(shape, x, y) for shape in other.shapes]
        self.areas += [
            replace(a, left=a.left + x, right=a.right + x, top=a.top + y, bottom=a.bottom + y)
            for a in other.areas
        ]

    def empty(self, width: float) -> Sketch:
        """A new sketch in the same look."""
        return Sketch(width, self.colours, self.measures, self.measure, self.plot_height)


LEADING = 1.32
"""Distance of base lines as a multiple of the text size."""


def wrap(text: str, measure: Callable[[str], float], room: float) -> list[str]:
    """Break a text into lines no wider than ``room``.

    Examples
    --------
    >>> wrap("credit history", len, 8)
    ['credit', 'history']
    >>> wrap("profit_or_loss", len, 9)
    ['profit_', 'or_loss']
    >>> wrap("Donaudampfschiff", len, 6)
    ['Donaud', 'ampfsc', 'hiff']
    """
    lines: list[str] = []
    line = ""
    for word in text.split():
        trial = f"{line} {word}" if line else word
        if measure(trial) <= room:
            line = trial
            continue
        if line:
            lines.append(line)
        while len(word) > 1 and measure(word) > room:
            cut = len(word) - 1
            while cut > 1 and measure(word[:cut]) > room:
                cut -= 1
            # names of columns break where their parts meet, other words anywhere
            joint = max(word.rfind(mark, 0, cut) for mark in "_-/.") + 1
            cut = joint if joint > 1 else cut
            lines.append(word[:cut])
            word = word[cut:]
        line = word
    if line:
        lines.append(line)
    return lines or [""]


def hatch(
    left: float, top: float, right: float, bottom: float, gap: float, direction: int
) -> list[tuple[Point, Point]]:
    """Slanted lines within a rectangle; ``direction`` 1 rises to the right.

    Examples
    --------
    >>> hatch(0, 0, 4, 4, 4, 1)
    [((0, 4.0), (4, 0.0))]
    """
    found = []
    step = gap * 2**0.5
    # Lines x + y = c (rising to the right, since y runs downwards) or x - y = c.
    low, high = (left + top, right + bottom) if direction > 0 else (left - bottom, right - top)
    c = low + (step if high - low > 2 * step else (high - low) / 2)
    while c < high - 1e-9:
        if direction > 0:
            x1, x2 = max(left, c - bottom), min(right, c - top)
            found.append(((x1, c - x1), (x2, c - x2)))
        else:
            x1, x2 = max(left, c + top), min(right, c + bottom)
            found.append(((x1, x1 - c), (x2, x2 - c)))
        c += step
    return found


def _grid(
    left: float, top: float, right: float, bottom: float, gap: float
) -> tuple[list[float], list[float]]:
    """Points of a dot pattern strictly within a rectangle."""
    columns, rows = int((right - left) // gap), int((bottom - top) // gap)
    xs = [left + gap * (i + 0.5) for i in range(columns)]
    ys = [top + gap * (j + 0.5) for j in range(rows)]
    return [x for x in xs for _ in ys], [y for _ in xs for y in ys]


def moved(shape: Shape, x: float, y: float) -> Shape:
    """The same shape, shifted."""
    if isinstance(shape, Line | Polygon):
        return replace(shape, points=tuple((px + x, py + y) for px, py in shape.points))
    if isinstance(shape, Dots):
        return replace(shape, x=tuple(v + x for v in shape.x), y=tuple(v + y for v in shape.y))
    return replace(shape, x=shape.x + x, y=shape.y + y)


def extent(shape: Shape, measure: Measure) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of a shape, words included: what the tests hold to the page."""
    if isinstance(shape, Line | Polygon):
        xs, ys = [p[0] for p in shape.points], [p[1] for p in shape.points]
        return min(xs), min(ys), max(xs), max(ys)
    if isinstance(shape, Dots):
        half = shape.size / 2
        if not shape.x:
            return 0.0, 0.0, 0.0, 0.0
        return min(shape.x) - half, min(shape.y) - half, max(shape.x) + half, max(shape.y) + half
    if isinstance(shape, Disc):
        r = shape.radius
        return shape.x - r, shape.y - r, shape.x + r, shape.y + r
    wide = measure(shape.text, shape.size, shape.bold)
    before = {"start": 0.0, "middle": wide / 2, "end": wide}[shape.anchor]
    up, down = 0.78 * shape.size, 0.22 * shape.size
    if shape.turned:
        return shape.x - up, shape.y - (wide - before), shape.x + down, shape.y + before
    return shape.x - before, shape.y - up, shape.x - before + wide, shape.y + down
