"""Verdicts: the mark, the chip and the tally. The mark decides; its colour only repeats it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPainterPathStroker, QPaintEvent, QPen, QTransform
from PySide6.QtWidgets import QSizePolicy, QWidget

from .. import messages
from ..palette import VERDICTS, verdict_colour, verdict_tint
from ..theme import theme
from .basic import Label, row

MARK = 12
"""Side of a mark in pixels at 100 %."""


def _stroked(path: QPainterPath, width: float, *, dashes: tuple[float, ...] = ()) -> QPainterPath:
    stroker = QPainterPathStroker()
    stroker.setWidth(width)
    stroker.setCapStyle(Qt.PenCapStyle.FlatCap if dashes else Qt.PenCapStyle.RoundCap)
    stroker.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
    if dashes:
        stroker.setDashPattern(list(dashes))
    return stroker.createStroke(path)


def _lines(*lines: tuple[tuple[float, float], ...]) -> QPainterPath:
    path = QPainterPath()
    for points in lines:
        path.moveTo(*points[0])
        for point in points[1:]:
            path.lineTo(*point)
    return path


@cache
def mark_path(verdict: str) -> QPainterPath:
    """The mark of a verdict in a square of 12 units, as one path to be filled.

    Within: disc with tick. Outside: square with cross. Not settled: diamond, left half filled.
    Not computable: cross. Not checked: dashed ring. Shown: full square. Ruled out: open square.
    """
    path = QPainterPath()
    if verdict == "within":
        path.addEllipse(QRectF(0.5, 0.5, 11, 11))
        return path.subtracted(_stroked(_lines(((3.4, 6.2), (5.3, 8.1), (8.7, 4.3))), 1.5))
    if verdict == "outside":
        path.addRect(QRectF(1, 1, 10, 10))
        return path.subtracted(_stroked(_lines(((3.9, 3.9), (8.1, 8.1)), ((8.1, 3.9), (3.9, 8.1))), 1.5))
    if verdict == "not settled":
        diamond = _lines(((6.0, 0.9), (11.1, 6.0), (6.0, 11.1), (0.9, 6.0)))
        diamond.closeSubpath()
        left = _lines(((6.0, 0.9), (6.0, 11.1), (0.9, 6.0)))
        left.closeSubpath()
        return _stroked(diamond, 1.4).united(left)
    if verdict == "not computable":
        return _stroked(_lines(((2, 2), (10, 10)), ((10, 2), (2, 10))), 1.6)
    if verdict == "not checked":
        path.addEllipse(QRectF(1.2, 1.2, 9.6, 9.6))
        return _stroked(path, 1.4, dashes=(1.35, 1.35))
    if verdict == "shown":
        path.addRect(QRectF(1.5, 1.5, 9, 9))
        return path
    if verdict == "ruled out":
        path.addRect(QRectF(2.1, 2.1, 7.8, 7.8))
        return _stroked(path, 1.4)
    return path


def draw_mark(
    painter: QPainter, centre: QPointF, side: float, verdict: str, colour: str | None = None
) -> None:
    """Paint a verdict's mark around a point, ``side`` pixels wide, in its own colour."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    scale = side / 12
    moved = QTransform.fromTranslate(centre.x() - side / 2, centre.y() - side / 2).scale(scale, scale)
    painter.fillPath(moved.map(mark_path(verdict)), theme().colour(colour or verdict_colour(verdict)))
    painter.restore()


def chip_width(verdict: str, *, plain: bool = False) -> int:
    """How wide a chip is: mark, gap, word, and its padding unless it is plain."""
    t = theme()
    from PySide6.QtGui import QFontMetrics

    word = QFontMetrics(t.font("chip")).horizontalAdvance(messages.verdict_word(verdict))
    return t.px(MARK + 5) + word + (2 if plain else t.px(16))


def draw_chip(painter: QPainter, rect: QRectF, verdict: str, *, plain: bool = False) -> None:
    """Paint mark and word at the left of a rectangle, in its vertical middle."""
    t = theme()
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    x, middle = rect.left(), rect.center().y()
    if not plain:
        height = t.px(20)
        box = QRectF(x + 0.5, round(middle - height / 2) + 0.5, chip_width(verdict) - 1, height - 1)
        painter.setPen(QPen(t.colour(verdict_colour(verdict)), 1))
        painter.setBrush(t.colour(verdict_tint(verdict)))
        painter.drawRoundedRect(box, 4, 4)
        x += t.px(8)
    side = t.px(MARK)
    draw_mark(painter, QPointF(x + side / 2, middle), side, verdict)
    painter.setFont(t.font("chip"))
    painter.setPen(t.colour(verdict_colour(verdict)))
    painter.drawText(
        QRectF(x + t.px(MARK + 5), rect.top(), rect.right() - x, rect.height()),
        int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft),
        messages.verdict_word(verdict),
    )
    painter.restore()


class VerdictMark(QWidget):
    """A verdict's mark alone, ``size`` pixels at 100 %; its name is the word."""

    def __init__(self, verdict: str, size: float = MARK, colour: str | None = None) -> None:
        super().__init__()
        self._size, self._colour = size, colour
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme().changed.connect(self.updateGeometry)
        self.set_verdict(verdict)

    def set_verdict(self, verdict: str) -> None:
        """Show another verdict."""
        self.verdict = verdict
        self.setAccessibleName(messages.verdict_word(verdict))
        self.update()

    def sizeHint(self) -> QSize:
        side = theme().px(self._size)
        return QSize(side, side)

    def paintEvent(self, event: QPaintEvent) -> None:
        centre = QRectF(self.rect()).center()
        draw_mark(QPainter(self), centre, theme().px(self._size), self.verdict, self._colour)


class VerdictChip(QWidget):
    """Mark and word on the verdict's tint, or plain without tint and border."""

    def __init__(self, verdict: str, *, plain: bool = False) -> None:
        super().__init__()
        self._plain = plain
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme().changed.connect(self.updateGeometry)
        self.set_verdict(verdict)

    def set_verdict(self, verdict: str) -> None:
        """Show another verdict."""
        self.verdict = verdict
        self.setAccessibleName(messages.verdict_word(verdict))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(chip_width(self.verdict, plain=self._plain), theme().px(20))

    def paintEvent(self, event: QPaintEvent) -> None:
        draw_chip(QPainter(self), QRectF(self.rect()), self.verdict, plain=self._plain)


class Tally(QWidget):
    """Marks with word and count in one line, and a note on the right."""

    def __init__(
        self, counts: Mapping[str, int] | None = None, *, note: str = "",
        verdicts: tuple[str, ...] = VERDICTS[:5],
    ) -> None:  # fmt: skip
        super().__init__()
        self._verdicts = verdicts
        self._numbers: dict[str, Label] = {}
        parts: list[QWidget | int | None] = []
        for verdict in verdicts:
            number = Label("0", "chip")
            self._numbers[verdict] = number
            parts += [VerdictMark(verdict), Label(messages.verdict_word(verdict), "help"), number, 7]
        self._note = Label(note, "help", tone="second")
        self.setLayout(row(*parts, None, self._note, spacing=7))
        self.set_counts(counts or {}, note=note)

    def set_counts(self, counts: Mapping[str, int], *, note: str = "") -> None:
        """Show other counts; a verdict that is not named counts 0."""
        words = []
        for verdict, number in self._numbers.items():
            number.setText(str(counts.get(verdict, 0)))
            words.append(f"{messages.verdict_word(verdict)} {counts.get(verdict, 0)}")
        self._note.setText(note)
        self.setAccessibleName(", ".join([*words, note] if note else words))
