"""Charts on paper: reportlab's own graphics, black, with marks and hatches in place of colours."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from reportlab.graphics import shapes as rl
from reportlab.lib.colors import HexColor
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

from . import style
from .compose import compose
from .model import Chart, IntervalChart
from .rows import interval_chart
from .sketch import Disc, Dots, Line, Polygon, Shape, Sketch, Words

FONTS: dict[str, str] = {
    "text": "PlexSans", "bold": "PlexSans-SemiBold", "fallback": "DejaVuSans",
}  # fmt: skip
"""Names under which the fonts are registered with reportlab."""
FILES = {
    "PlexSans": "IBMPlexSans-Regular.ttf",
    "PlexSans-SemiBold": "IBMPlexSans-SemiBold.ttf",
    "DejaVuSans": "DejaVuSans.ttf",
}
LEAST_PLOT = 70.0
MANY = 1500
"""Points a series shows on paper at most; beyond that every second, third... is drawn."""


def register_fonts() -> None:
    """Register the program's fonts where nobody has yet."""
    known = set(pdfmetrics.getRegisteredFontNames())
    for name, file in FILES.items():
        if name not in known:
            pdfmetrics.registerFont(TTFont(name, str(style.FONTS / file)))


@cache
def _has(font: str, character: str) -> bool:
    face = getattr(pdfmetrics.getFont(font), "face", None)
    return face is None or ord(character) in face.charToGlyph


def runs(text: str, font: str, fallback: str) -> list[tuple[str, str]]:
    """Split a text into ``(part, font)``, with the stand-in where a character is missing."""
    found: list[tuple[str, str]] = []
    for character in text:
        name = font if _has(font, character) or not _has(fallback, character) else fallback
        if found and found[-1][1] == name:
            found[-1] = (found[-1][0] + character, name)
        else:
            found.append((character, name))
    return found


def draw(
    chart: Chart,
    *,
    width: float,
    max_height: float | None = None,
    fonts: Mapping[str, str] = FONTS,
    plot_only: bool = False,
) -> rl.Drawing:
    """Draw a chart in black and white.

    Parameters
    ----------
    chart : Chart
    width : float
        In points.
    max_height : float, optional
        In points. Plots with axes are made lower to fit; a chart of rows that is still too high
        is made smaller as a whole (split its rows instead where that is too small to read).
    fonts : mapping
        ``text``, ``bold`` and ``fallback`` names, as registered with reportlab.
    plot_only : bool
        Of an interval chart: the plot alone, in rows of 15 pt, for a page that sets the words.

    Returns
    -------
    reportlab.graphics.shapes.Drawing
        Not wider than ``width``.
    """
    register_fonts()
    sketch = _sketch(chart, width, None, fonts, plot_only)
    if max_height is not None and sketch.height > max_height:
        plot = style.PAPER_MEASURES.plot_height - (sketch.height - max_height)
        sketch = _sketch(chart, width, max(plot, LEAST_PLOT), fonts, plot_only)
    scale = min(1.0, width / sketch.width)
    if max_height is not None:
        scale = min(scale, max_height / sketch.height)
    drawing = rl.Drawing(sketch.width * scale, sketch.height * scale)
    group = rl.Group()
    for shape in sketch.shapes:
        _add(group, shape, sketch.height, fonts)
    group.transform = (scale, 0, 0, scale, 0, 0)
    drawing.add(group)
    return drawing


def _sketch(
    chart: Chart,
    width: float,
    plot_height: float | None,
    fonts: Mapping[str, str],
    plot_only: bool,
) -> Sketch:
    def measure(text: str, size: float, bold: bool) -> float:
        font = fonts["bold" if bold else "text"]
        return sum(
            float(pdfmetrics.stringWidth(part, name, size))
            for part, name in runs(text, font, fonts["fallback"])
        )

    sketch = Sketch(width, style.PAPER, style.PAPER_MEASURES, measure, plot_height)
    if plot_only and isinstance(chart, IntervalChart):
        interval_chart(sketch, chart, plot_only=True)
        return sketch
    return compose(sketch, chart)


def _add(group: rl.Group, shape: Shape, height: float, fonts: Mapping[str, str]) -> None:
    """Add a shape; reportlab's y runs upwards."""
    if isinstance(shape, Line):
        flat = [v for x, y in shape.points for v in (x, height - y)]
        group.add(
            rl.PolyLine(
                flat,
                strokeColor=HexColor(shape.colour),
                strokeWidth=max(shape.width, 0.5),
                strokeDashArray=list(shape.dash) if shape.dash else None,
                fillColor=None,
            )
        )
    elif isinstance(shape, Polygon):
        flat = [v for x, y in shape.points for v in (x, height - y)]
        group.add(
            rl.Polygon(
                flat,
                fillColor=HexColor(shape.fill) if shape.fill else None,
                strokeColor=HexColor(shape.stroke) if shape.stroke else None,
                strokeWidth=max(shape.width, 0.5),
            )
        )
    elif isinstance(shape, Disc):
        group.add(
            rl.Circle(
                shape.x,
                height - shape.y,
                shape.radius,
                fillColor=HexColor(shape.fill) if shape.fill else None,
                strokeColor=HexColor(shape.stroke) if shape.stroke else None,
                strokeWidth=max(shape.width, 0.5),
                strokeDashArray=list(shape.dash) if shape.dash else None,
            )
        )
    elif isinstance(shape, Words):
        _add_words(group, shape, height, fonts)
    else:
        every = max(1, -(-len(shape.x) // MANY))
        for x, y in list(zip(shape.x, shape.y, strict=True))[::every]:
            _add_dot(group, shape, x, height - y)


def _add_words(group: rl.Group, shape: Words, height: float, fonts: Mapping[str, str]) -> None:
    font = fonts["bold" if shape.bold else "text"]
    parts = runs(shape.text, font, fonts["fallback"])
    wide = [float(pdfmetrics.stringWidth(part, name, shape.size)) for part, name in parts]
    x = {"start": 0.0, "middle": -sum(wide) / 2, "end": -sum(wide)}[shape.anchor]
    line = rl.Group()
    for (part, name), step in zip(parts, wide, strict=True):
        line.add(
            rl.String(
                x, 0, part, fontName=name, fontSize=shape.size, fillColor=HexColor(shape.colour)
            )
        )
        x += step
    turn = (0, 1, -1, 0) if shape.turned else (1, 0, 0, 1)
    line.transform = (*turn, shape.x, height - shape.y)
    group.add(line)


def _add_dot(group: rl.Group, shape: Dots, x: float, y: float) -> None:
    half = shape.size / 2
    ink, page = HexColor(shape.colour), HexColor(shape.page)
    face = ink if shape.fill == "full" else page
    look = {"strokeColor": ink, "strokeWidth": max(shape.width * 0.8, 0.5)}
    if shape.shape == "disc":
        group.add(rl.Circle(x, y, half, fillColor=face, **look))
        return
    corners = {
        "square": (-1, -1, 1, -1, 1, 1, -1, 1),
        "diamond": (0, 1.15, 1.15, 0, 0, -1.15, -1.15, 0),
        "up": (-1, -0.85, 1, -0.85, 0, 1),
        "down": (-1, 0.85, 1, 0.85, 0, -1),
    }[shape.shape]
    points = [(x if i % 2 == 0 else y) + v * half for i, v in enumerate(corners)]
    group.add(rl.Polygon(points, fillColor=face, **look))
    if shape.fill == "left":
        part = [v for i, v in enumerate(points) if i not in (2, 3)]
        group.add(rl.Polygon(part, fillColor=ink, strokeColor=None))
