"""Verdict marks on paper: drawn, never typed, and told apart without colour."""

from __future__ import annotations

from typing import Any

from .style import BLACK, WHITE


def draw_mark(canvas: Any, word: str, *, x: float, y: float, size: float) -> None:
    """Draw the mark of a verdict with its lower left corner at ``x``, ``y``.

    Within: disc with tick. Outside: square with cross. Not settled: diamond, left half filled.
    Not computable: cross. Not checked: dashed ring. Shown: full square. Ruled out: open square.
    """
    canvas.saveState()
    canvas.setFillColorRGB(*BLACK)
    canvas.setStrokeColorRGB(*BLACK)
    thin = max(0.6, size / 12)
    canvas.setLineWidth(thin)
    canvas.setLineCap(1)
    canvas.setLineJoin(1)
    mid_x, mid_y, half = x + size / 2, y + size / 2, size / 2
    if word == "within":
        canvas.circle(mid_x, mid_y, half, stroke=0, fill=1)
        _stroke(canvas, WHITE, size / 8)
        _path(canvas, [(-0.24, 0.0), (-0.07, -0.17), (0.25, 0.17)], mid_x, mid_y, size)
    elif word == "outside":
        side = size * 0.9
        canvas.rect(mid_x - side / 2, mid_y - side / 2, side, side, stroke=0, fill=1)
        _stroke(canvas, WHITE, size / 8)
        _cross(canvas, mid_x, mid_y, size * 0.22)
    elif word == "not settled":
        inner = half - thin / 2
        _half_diamond(canvas, mid_x, mid_y, inner)
    elif word == "not computable":
        canvas.setLineWidth(size / 7)
        _cross(canvas, mid_x, mid_y, size * 0.36)
    elif word == "not checked":
        canvas.setDash(size / 6, size / 6)
        canvas.circle(mid_x, mid_y, half - thin, stroke=1, fill=0)
    elif word == "shown":
        canvas.rect(x + size * 0.1, y + size * 0.1, size * 0.8, size * 0.8, stroke=0, fill=1)
    elif word == "ruled out":
        canvas.rect(x + size * 0.12, y + size * 0.12, size * 0.76, size * 0.76, stroke=1, fill=0)
    canvas.restoreState()


def draw_point(canvas: Any, word: str | None, *, x: float, y: float, size: float) -> None:
    """Draw the point of an interval: disc within, square outside, half diamond not settled."""
    canvas.saveState()
    canvas.setFillColorRGB(*BLACK)
    canvas.setStrokeColorRGB(*BLACK)
    canvas.setLineWidth(0.75)
    half = size / 2
    if word == "outside":
        side = size * 0.84
        canvas.rect(x - side / 2, y - side / 2, side, side, stroke=0, fill=1)
    elif word == "not settled":
        canvas.setFillColorRGB(*WHITE)
        _diamond(canvas, x, y, half * 1.15, fill=1)
        canvas.setFillColorRGB(*BLACK)
        _half_diamond(canvas, x, y, half * 1.15)
    else:
        canvas.circle(x, y, half * 0.9, stroke=0, fill=1)
    canvas.restoreState()


def _stroke(canvas: Any, color: tuple[float, float, float], width: float) -> None:
    canvas.setStrokeColorRGB(*color)
    canvas.setLineWidth(width)


def _path(canvas: Any, points: list[tuple[float, float]], x: float, y: float, size: float) -> None:
    path = canvas.beginPath()
    path.moveTo(x + points[0][0] * size, y + points[0][1] * size)
    for dx, dy in points[1:]:
        path.lineTo(x + dx * size, y + dy * size)
    canvas.drawPath(path, stroke=1, fill=0)


def _cross(canvas: Any, x: float, y: float, arm: float) -> None:
    canvas.line(x - arm, y - arm, x + arm, y + arm)
    canvas.line(x - arm, y + arm, x + arm, y - arm)


def _diamond(canvas: Any, x: float, y: float, half: float, *, fill: int) -> None:
    path = canvas.beginPath()
    path.moveTo(x - half, y)
    path.lineTo(x, y + half)
    path.lineTo(x + half, y)
    path.lineTo(x, y - half)
    path.close()
    canvas.drawPath(path, stroke=1, fill=fill)


def _half_diamond(canvas: Any, x: float, y: float, half: float) -> None:
    _diamond(canvas, x, y, half, fill=0)
    path = canvas.beginPath()
    path.moveTo(x - half, y)
    path.lineTo(x, y + half)
    path.lineTo(x, y - half)
    path.close()
    canvas.drawPath(path, stroke=0, fill=1)
