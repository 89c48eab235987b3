"""Variables and arrows of a graph as they are drawn. Measures are pixels at 100 %."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QPainter,
    QPainterPath,
    QPainterPathStroker,
    QPen,
    QPolygonF,
)
from PySide6.QtWidgets import QGraphicsItem

from gui.palette import TYPE
from gui.theme import theme

NARROW, WIDE, HIGH = 116.0, 140.0, 44.0
TONES = {"refusal": "outside", "warning": "not_settled"}


def plain_font(role: str) -> QFont:
    """A font of the look at 100 %: the view itself scales what is drawn."""
    family, points, weight = TYPE[role]
    font = QFont(family)
    font.setPixelSize(round(points * 96 / 72))
    font.setWeight(QFont.Weight(weight))
    return font


def broken(words: str, metrics: QFontMetricsF, room: float) -> list[str]:
    """Words in lines that fit; a single long word is broken where it must be."""
    lines, line = [], ""
    for word in words.replace("_", "_\u200b").split():
        while metrics.horizontalAdvance(word) > room and len(word) > 4:
            cut = next(
                (n for n in range(len(word), 3, -1) if metrics.horizontalAdvance(word[:n]) <= room),
                4,
            )
            if line:
                lines.append(line)
                line = ""
            lines.append(word[:cut])
            word = word[cut:]
        longer = f"{line} {word}".strip()
        if line and metrics.horizontalAdvance(longer) > room:
            lines.append(line)
            line = word
        else:
            line = longer
    return [*lines, line] if line else lines or [""]


class NodeItem(QGraphicsItem):
    """A variable: its name, a thin line that says what it is, and a mark where it has a trouble."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name, self.sub, self.special, self.grade, self.remark = name, "", False, "", ""
        self.chosen = self.pending = self.focused = False
        self._lines: list[str] = []
        self._subs: list[str] = []
        self.wide, self.high = NARROW, HIGH
        self.setZValue(2)
        self.setCursor(Qt.CursorShape.OpenHandCursor)

    def show_words(self, sub: str, *, special: bool, grade: str, remark: str) -> None:
        """Say what the variable is, and what is wrong with it."""
        self.prepareGeometryChange()
        self.sub, self.special, self.grade, self.remark = sub, special, grade, remark
        name, small = QFontMetricsF(plain_font("key")), QFontMetricsF(plain_font("small"))
        room = WIDE - 16
        self._lines = broken(self.name, name, room)
        self._subs = broken(remark or sub, small, room) if remark or sub else []
        widest = [name.horizontalAdvance(t) for t in self._lines]
        widest += [small.horizontalAdvance(t) + (16 if remark else 0) for t in self._subs]
        self.wide = min(WIDE, max(NARROW, max(widest) + 20))
        self.high = max(HIGH, 17 * len(self._lines) + 14 * len(self._subs) + 12)
        self.setToolTip(remark or "")
        self.update()

    def box(self) -> QRectF:
        """The box around the words, about the item's own middle."""
        return QRectF(-self.wide / 2, -self.high / 2, self.wide, self.high)

    def boundingRect(self) -> QRectF:
        return self.box().adjusted(-5, -5, 5, 5)

    def paint(self, painter: QPainter, option: Any, widget: Any = None) -> None:
        t = theme()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = self.box()
        strong = self.special or self.chosen
        edge = TONES.get(self.grade, "accent" if strong else "control")
        painter.setBrush(t.colour("selection" if self.special or self.chosen else "page"))
        painter.setPen(QPen(t.colour(edge), 2 if strong or self.grade in TONES else 1))
        inset = 1.0 if strong or self.grade in TONES else 0.5
        painter.drawRoundedRect(box.adjusted(inset, inset, -inset, -inset), 5, 5)
        if (self.chosen and self.focused) or self.pending:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            style = Qt.PenStyle.DashLine if self.pending else Qt.PenStyle.SolidLine
            painter.setPen(QPen(t.colour("accent"), 2, style))
            painter.drawRoundedRect(box.adjusted(-3, -3, 3, 3), 7, 7)
        whole = 17 * len(self._lines) + 14 * len(self._subs)
        y = -whole / 2
        painter.setFont(plain_font("key"))
        painter.setPen(t.colour("text"))
        middle = int(Qt.AlignmentFlag.AlignCenter)
        for line in self._lines:
            painter.drawText(QRectF(box.left(), y, box.width(), 17), middle, line)
            y += 17
        painter.setFont(plain_font("small"))
        painter.setPen(t.colour(TONES.get(self.grade, "text2") if self.remark else "text2"))
        for line in self._subs:
            painter.drawText(QRectF(box.left(), y, box.width(), 14), middle, line)
            y += 14


class ArrowItem(QGraphicsItem):
    """An arrow with the figure on it; refused or doubted ones say in a few words why."""

    def __init__(self, start: str, end: str) -> None:
        super().__init__()
        self.start, self.end = start, end
        self.label, self.remark, self.grade, self.dashed = "", "", "", False
        self.chosen = False
        self._points: list[QPointF] = []
        self._at = QPointF()
        self.setZValue(1)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    @property
    def edge(self) -> tuple[str, str]:
        """From cause to effect."""
        return self.start, self.end

    def show_words(self, label: str, *, remark: str, grade: str, dashed: bool) -> None:
        """Say the arrow's figure and its trouble."""
        self.prepareGeometryChange()
        self.label, self.remark, self.grade, self.dashed = label, remark, grade, dashed
        self.setToolTip(remark)
        self.update()

    def lead(self, points: Sequence[QPointF], label_at: float = 0.5) -> None:
        """Lay the arrow along some points; the label sits at a share of its longest stretch."""
        self.prepareGeometryChange()
        self._points = list(points)
        pairs = list(zip(self._points, self._points[1:], strict=False))
        a, b = max(pairs, key=lambda p: math.hypot(p[1].x() - p[0].x(), p[1].y() - p[0].y()))
        self._at = a + (b - a) * label_at
        self.update()

    def _words(self) -> list[tuple[str, str, str]]:
        found = []
        if self.label:
            found.append((self.label, "key" if self.chosen else "small", "text"))
        if self.remark:
            found.append((self.remark, "small", TONES.get(self.grade, "text2")))
        return found

    def label_box(self) -> QRectF:
        """The room of the words on the arrow; empty without any."""
        words = self._words()
        if not words:
            return QRectF()
        wide = max(QFontMetricsF(plain_font(r)).horizontalAdvance(w) for w, r, _ in words) + 10
        high = 16.0 * len(words)
        return QRectF(self._at.x() - wide / 2, self._at.y() - high / 2, wide, high)

    def _line(self) -> QPainterPath:
        path = QPainterPath()
        if self._points:
            path.moveTo(self._points[0])
            for point in self._points[1:]:
                path.lineTo(point)
        return path

    def boundingRect(self) -> QRectF:
        return self._line().boundingRect().united(self.label_box()).adjusted(-8, -8, 8, 8)

    def shape(self) -> QPainterPath:
        stroker = QPainterPathStroker()
        stroker.setWidth(12)
        path = stroker.createStroke(self._line())
        if self._words():
            path.addRect(self.label_box())
        return path

    def paint(self, painter: QPainter, option: Any, widget: Any = None) -> None:
        if len(self._points) < 2:
            return
        t = theme()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        tone = "accent" if self.chosen else TONES.get(self.grade, "text2")
        pen = QPen(t.colour(tone), 2 if self.chosen else 1.25)
        if self.dashed:
            pen.setDashPattern([4, 3])
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(self._line())
        tip, before = self._points[-1], self._points[-2]
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(t.colour(tone))
        painter.drawPolygon(arrow_head(before, tip, 9 if self.chosen else 8))
        box = self.label_box()
        if not box.isNull():
            painter.fillRect(box, t.colour("page"))
        y = box.top()
        for words, role, colour in self._words():
            painter.setFont(plain_font(role))
            painter.setPen(QColor(t.colour(colour)))
            painter.drawText(
                QRectF(box.left(), y, box.width(), 16), int(Qt.AlignmentFlag.AlignCenter), words
            )
            y += 16


def arrow_head(before: QPointF, tip: QPointF, size: float) -> QPolygonF:
    """The triangle at the end of an arrow."""
    angle = math.atan2(tip.y() - before.y(), tip.x() - before.x())
    points = [tip]
    for side in (0.4, -0.4):
        points.append(
            QPointF(
                tip.x() - size * math.cos(angle + side), tip.y() - size * math.sin(angle + side)
            )
        )
    return QPolygonF(points)
