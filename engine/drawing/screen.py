"""Charts in the window and as saved pictures: matplotlib, ``Figure`` only."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import IO, Any

import matplotlib
from matplotlib import font_manager
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.markers import MarkerStyle
from matplotlib.patches import Circle
from matplotlib.patches import Polygon as PolygonPatch
from matplotlib.textpath import text_to_path

from . import style
from .alt import alt_of
from .compose import compose
from .model import Chart
from .sketch import Area, Disc, Dots, Line, Polygon, Shape, Sketch, Words

SHAPES = {"disc": "o", "square": "s", "diamond": "D", "up": "^", "down": "v"}
PAGE_WIDTH = 558.0
"""Points (744 px): the page of the window at 1280 px with both panels open."""
MARGIN = 4.0
MANY = 1500
"""From this number of points on, a saved SVG or PDF holds them as a picture."""


@cache
def register_fonts() -> None:
    """Make the program's own fonts known to matplotlib; DejaVu Sans stands in for what is missing."""
    for path in sorted(style.FONTS.glob("*.ttf")):
        font_manager.fontManager.addfont(str(path))
    # DejaVu has no 600: its bold answers for it, so that matplotlib need not search and warn.
    bold = font_manager.FontEntry(
        fname=str(style.FONTS / "DejaVuSans-Bold.ttf"), name="DejaVu Sans", style="normal",
        variant="normal", weight=600, stretch="normal", size="scalable",
    )  # fmt: skip
    font_manager.fontManager.ttflist.append(bold)


@cache
def _font(bold: bool) -> font_manager.FontProperties:
    return font_manager.FontProperties(
        family=["IBM Plex Sans", "DejaVu Sans"], weight=600 if bold else 400
    )


@cache
def _wide(text: str, bold: bool) -> float:
    prop = _font(bold).copy()
    prop.set_size(100)
    width, _, _ = text_to_path.get_text_width_height_descent(text, prop, ismath=False)
    return float(width) / 100


def measure(text: str, size: float, bold: bool) -> float:
    """Width of a text in points."""
    register_fonts()
    return _wide(text, bold) * size


def draw(
    chart: Chart,
    *,
    theme: str = "light",
    figure: Figure | None = None,
    width: float | None = None,
    plot_height: float | None = None,
    text_scale: float = 1.0,
) -> Figure:
    """Draw a chart.

    Parameters
    ----------
    chart : Chart
    theme : str
        ``light`` or ``dark``.
    figure : matplotlib.figure.Figure, optional
        Cleared and drawn into; a new one otherwise. Its size is set: the height follows from
        the content, and the width grows where words at a large text scale need it.
    width, plot_height : float, optional
        In inches at 96 dpi (a window's pixels / 96): the width of the whole, 7.75 by default, and
        the height of the plot inside its axes.
    text_scale : float
        1.0 to 2.0.

    Returns
    -------
    matplotlib.figure.Figure
        ``figure.chart_areas`` lists where each plot lies (:class:`~.sketch.Area`, points from
        the upper left corner): :func:`value_at` reads a click with it. Dots of series ``i`` carry
        the gid ``series-i``. ``figure.chart_alt`` is the chart in words.
    """
    register_fonts()
    measures = style.SCREEN_MEASURES.scaled(text_scale)
    sketch = Sketch(
        width=(width * 72 if width else PAGE_WIDTH) - 2 * MARGIN,
        colours=style.PALETTES[theme],
        measures=measures,
        measure=measure,
        plot_height=plot_height * 72 if plot_height else None,
    )
    compose(sketch, chart)
    wide, high = sketch.width + 2 * MARGIN, sketch.height + 2 * MARGIN
    with matplotlib.rc_context(style.rc(theme, text_scale)):
        if figure is None:
            figure = Figure(dpi=96)
        figure.clear()
        figure.set_size_inches(wide / 72, high / 72)
        figure.set_facecolor(sketch.colours["page"])
        axes = figure.add_axes((0, 0, 1, 1))
        axes.set_axis_off()
        axes.set_xlim(-MARGIN, wide - MARGIN)
        axes.set_ylim(high - MARGIN, -MARGIN)
        for order, shape in enumerate(sketch.shapes):
            _add(axes, shape, 1 + order * 1e-3)
    areas: list[Area] = [
        Area(
            a.key, a.left + MARGIN, a.top + MARGIN, a.right + MARGIN, a.bottom + MARGIN,
            a.x_limits, a.y_limits,
        )
        for a in sketch.areas
    ]  # fmt: skip
    figure.chart_areas = areas  # type: ignore[attr-defined]
    figure.chart_alt = alt_of(chart)  # type: ignore[attr-defined]
    return figure


def value_at(figure: Figure, x: float, y: float) -> tuple[str, float, float] | None:
    """Read a place as values: the chart's key with its x and y, or None beside the plots.

    ``x`` and ``y`` are shares of the figure's width and height, from the upper left corner.
    """
    wide, high = figure.get_size_inches() * 72
    for area in getattr(figure, "chart_areas", ()):
        px, py = x * wide, y * high
        if area.left <= px <= area.right and area.top <= py <= area.bottom:
            across = (px - area.left) / (area.right - area.left)
            up = (area.bottom - py) / (area.bottom - area.top)
            (x0, x1), (y0, y1) = area.x_limits, area.y_limits
            return area.key, x0 + across * (x1 - x0), y0 + up * (y1 - y0)
    return None


def save(figure: Figure, target: str | Path | IO[bytes], *, kind: str) -> None:
    """Save as ``png``, ``svg`` or ``pdf``, without a clock time, so that bytes repeat."""
    rc = {"pdf.fonttype": 42, "svg.hashsalt": "fairassay", "svg.fonttype": "path"}
    metadata: dict[str, Any] = {
        "png": {"Software": None, "Description": figure.chart_alt},  # type: ignore[attr-defined]
        "svg": {"Date": None, "Description": figure.chart_alt},  # type: ignore[attr-defined]
        "pdf": {"CreationDate": None, "Subject": figure.chart_alt},  # type: ignore[attr-defined]
    }[kind]
    with matplotlib.rc_context(rc):
        figure.savefig(
            target, format=kind, dpi=200, facecolor=figure.get_facecolor(), metadata=metadata
        )


def _add(axes: Any, shape: Shape, order: float) -> None:
    if isinstance(shape, Line):
        dash = (0, tuple(d / shape.width for d in shape.dash)) if shape.dash else "solid"
        axes.add_line(
            Line2D(
                *zip(*shape.points, strict=True),
                color=shape.colour,
                linewidth=shape.width,
                linestyle=dash,
                solid_capstyle="butt",
                dash_capstyle="butt",
                zorder=order,
            )
        )
    elif isinstance(shape, Polygon):
        axes.add_patch(
            PolygonPatch(
                shape.points,
                closed=True,
                facecolor=shape.fill or "none",
                edgecolor=shape.stroke or "none",
                linewidth=shape.width if shape.stroke else 0,
                zorder=order,
            )
        )
    elif isinstance(shape, Disc):
        dash = (0, tuple(d / shape.width for d in shape.dash)) if shape.dash else "solid"
        axes.add_patch(
            Circle(
                (shape.x, shape.y),
                shape.radius,
                facecolor=shape.fill or "none",
                edgecolor=shape.stroke or "none",
                linewidth=shape.width if shape.stroke else 0,
                linestyle=dash,
                zorder=order,
            )
        )
    elif isinstance(shape, Words):
        axes.text(
            shape.x, shape.y, shape.text, color=shape.colour, fontproperties=_font(shape.bold),
            fontsize=shape.size, ha={"start": "left", "middle": "center", "end": "right"}[shape.anchor],
            va="baseline", rotation=90 if shape.turned else 0, rotation_mode="anchor",
            parse_math=False, zorder=order,
        )  # fmt: skip
    else:
        _add_dots(axes, shape, order)


def _add_dots(axes: Any, shape: Dots, order: float) -> None:
    if not shape.x:
        return
    face = {"full": shape.colour, "open": shape.page, "left": shape.colour}[shape.fill]
    # A diamond of matplotlib is a turned square: its width is 1.41 times the marker size.
    size = shape.size / (1.2 if shape.shape == "diamond" else 1.0)
    dots = Line2D(
        shape.x, shape.y, linestyle="none", marker=MarkerStyle(SHAPES[shape.shape]),
        markersize=size, markerfacecolor=face, markeredgecolor=shape.colour,
        markeredgewidth=shape.width, zorder=order, rasterized=len(shape.x) > MANY,
    )  # fmt: skip
    if shape.fill == "left":
        dots.set_fillstyle("left")
        dots.set_markerfacecoloralt(shape.page)
    if shape.name:
        dots.set_gid(shape.name)
        dots.set_pickradius(6)
        dots.set_picker(True)
    axes.add_line(dots)
