"""Lucide icons in the palette's colours: one pixmap a name, colour, size and screen scale."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from .paths import RESOURCES
from .theme import theme

STROKE = "1.75"


@cache
def _svg(name: str) -> str:
    file = RESOURCES / "icons" / f"{name}.svg"
    # A missing picture must not break painting; a test holds every name in the code to a file.
    text = (
        file.read_text("utf-8") if file.is_file() else '<svg xmlns="http://www.w3.org/2000/svg"/>'
    )
    return text.replace('stroke-width="2"', f'stroke-width="{STROKE}"')


def svg(name: str, colour: str) -> bytes:
    """An icon's SVG with its colour written in: QtSvg would paint ``currentColor`` black."""
    return _svg(name).replace("currentColor", colour).encode()


@cache
def _rendered(name: str, colour: str, pixels: int, ratio: float) -> QPixmap:
    made = QPixmap(round(pixels * ratio), round(pixels * ratio))
    made.fill(Qt.GlobalColor.transparent)
    painter = QPainter(made)
    QSvgRenderer(QByteArray(svg(name, colour))).render(
        painter, QRectF(0, 0, made.width(), made.height())
    )
    painter.end()
    made.setDevicePixelRatio(ratio)
    return made


def pixmap(name: str, colour: str = "text", size: float = 18, ratio: float = 1.0) -> QPixmap:
    """An icon in a colour of the palette, ``size`` in pixels at 100 % text scale."""
    return _rendered(name, getattr(theme().colours, colour), theme().px(size), ratio)


def paint(painter: QPainter, name: str, rect: QRectF, colour: str) -> None:
    """Paint an icon into a rectangle, sharp at the painter's own screen scale."""
    ratio = painter.device().devicePixelRatioF()
    found = _rendered(name, getattr(theme().colours, colour), max(1, round(rect.width())), ratio)
    painter.drawPixmap(rect.topLeft(), found)


def icon(
    name: str, colour: str = "text", size: float = 16, *, gap: float = 0, gap_left: bool = False
) -> QIcon:
    """An icon for buttons and menus, greyed where disabled; ``gap`` keeps it off the words."""
    made = QIcon()
    for ratio in (1.0, 2.0):
        for mode, ink in ((QIcon.Mode.Normal, colour), (QIcon.Mode.Disabled, "not_checked")):
            found = pixmap(name, ink, size, ratio)
            made.addPixmap(_with_gap(found, theme().px(gap), gap_left) if gap else found, mode)
    return made


def _with_gap(picture: QPixmap, gap: int, left: bool) -> QPixmap:
    ratio = picture.devicePixelRatio()
    made = QPixmap(picture.width() + round(gap * ratio), picture.height())
    made.fill(Qt.GlobalColor.transparent)
    made.setDevicePixelRatio(ratio)
    painter = QPainter(made)
    painter.drawPixmap(gap if left else 0, 0, picture)
    painter.end()
    return made


_folder: tempfile.TemporaryDirectory[str] | None = None


def _kept(name: str, content: bytes) -> str:
    """A file of this process for the stylesheet, which takes pictures by path alone."""
    global _folder
    if _folder is None:
        _folder = tempfile.TemporaryDirectory(prefix="fairassay-icons-")
    file = Path(_folder.name) / name
    if not file.exists():
        file.write_bytes(content)
    return file.as_posix()


def file_of(name: str, colour: str) -> str:
    """The path of an icon's SVG in a colour (``#rrggbb``)."""
    return _kept(f"{name}-{colour.lstrip('#')}.svg", svg(name, colour))


def indicator(kind: str, on: bool, border: str, fill: str, mark: str) -> str:
    """The path of a check box or radio button, drawn for the stylesheet."""
    shape = (
        f'<rect x="0.5" y="0.5" width="15" height="15" rx="3" fill="{fill}" stroke="{border}"/>'
        if kind == "check"
        else f'<circle cx="8" cy="8" r="7.5" fill="{fill}" stroke="{border}"/>'
    )
    tick = ""
    if on and kind == "check":
        tick = (
            f'<path d="M3.6 8.4 6.6 11.4 12.6 4.8" fill="none" stroke="{mark}" '
            'stroke-width="1.7" stroke-linecap="round" stroke-linejoin="round"/>'
        )
    elif on:
        tick = f'<circle cx="8" cy="8" r="3" fill="{mark}"/>'
    name = f"{kind}-{'on' if on else 'off'}-{border}{fill}{mark}.svg".replace("#", "")
    text = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16" viewBox="0 0 16 16">'
        f"{shape}{tick}</svg>"
    )
    return _kept(name, text.encode())
