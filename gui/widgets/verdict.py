"""Verdicts: the mark, the chip and the tally. The mark decides; its colour only repeats it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPainterPath, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from engine.drawing import style
from gui import messages
from gui.palette import VERDICTS, verdict_colour, verdict_tint
from gui.theme import theme

from .basic import Label, painting, row
from .flow import Flow

MARK = 12
"""Side of a mark in pixels at 100 %."""


@cache
def _part_path(part: style.MarkPart) -> QPainterPath:
    path = QPainterPath()
    if part.kind == "ring":
        (x, y), (edge, _) = part.points
        path.addEllipse(QPointF(x, y), edge - x, edge - x)
        return path
    path.addPolygon(QPolygonF([QPointF(x, y) for x, y in part.points]))
    if part.kind == "polygon":
        path.closeSubpath()
    return path


def draw_mark(
    painter: QPainter,
    centre: QPointF,
    side: float,
    verdict: str,
    *,
    colour: str | None = None,
    ground: str = "page",
) -> None:
    """Paint a verdict's mark around a point, ``side`` pixels wide, in its own colour.

    The shapes are those of :data:`engine.drawing.style.MARKS`, which plots and paper draw too;
    ``ground`` is the colour of their open parts.
    """
    t = theme()
    inks = {"mark": t.colour(colour or verdict_colour(verdict)), "page": t.colour(ground)}
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(centre.x() - side / 2, centre.y() - side / 2)
    painter.scale(side / 12, side / 12)
    for part in style.MARKS.get(verdict, ()):
        path = _part_path(part)
        if part.fill:
            painter.fillPath(path, inks[part.fill])
        if part.stroke:
            pen = QPen(inks[part.stroke], part.width)
            pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
            pen.setCapStyle(Qt.PenCapStyle.FlatCap if part.dashed else Qt.PenCapStyle.RoundCap)
            if part.dashed:
                pen.setDashPattern([1.35, 1.35])
            painter.strokePath(path, pen)
    painter.restore()


def chip_width(verdict: str, *, plain: bool = False) -> int:
    """How wide a chip is: mark, gap, word, and its padding unless it is plain."""
    t = theme()
    word = QFontMetrics(t.font("chip")).horizontalAdvance(messages.verdict_word(verdict))
    return t.px(MARK + 5) + word + (2 if plain else t.px(16))


def draw_chip(painter: QPainter, rect: QRectF, verdict: str, *, plain: bool = False) -> None:
    """Paint mark and word at the left of a rectangle, in its vertical middle."""
    t = theme()
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    ground = "page"
    x, middle = rect.left(), rect.center().y()
    if not plain:
        height = t.px(20)
        box = QRectF(x + 0.5, round(middle - height / 2) + 0.5, chip_width(verdict) - 1, height - 1)
        painter.setPen(QPen(t.colour(verdict_colour(verdict)), 1))
        painter.setBrush(t.colour(verdict_tint(verdict)))
        painter.drawRoundedRect(box, 4, 4)
        ground = verdict_tint(verdict)
        x += t.px(8)
    side = t.px(MARK)
    draw_mark(painter, QPointF(x + side / 2, middle), side, verdict, ground=ground)
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
        with painting(self) as painter:
            draw_mark(painter, centre, theme().px(self._size), self.verdict, colour=self._colour)


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
        with painting(self) as painter:
            draw_chip(painter, QRectF(self.rect()), self.verdict, plain=self._plain)


class Tally(QWidget):
    """Marks with word and count in one line, and a note on the right."""

    def __init__(
        self, counts: Mapping[str, int] | None = None, *, note: str = "",
        verdicts: tuple[str, ...] = VERDICTS[:5],
    ) -> None:  # fmt: skip
        super().__init__()
        self._verdicts = verdicts
        self._numbers: dict[str, Label] = {}
        parts: list[QWidget] = []
        for verdict in verdicts:
            number = Label("0", "chip")
            self._numbers[verdict] = number
            part = QWidget()
            word = Label(messages.verdict_word(verdict), "help")
            part.setLayout(row(VerdictMark(verdict), word, number, spacing=7))
            parts.append(part)
        self._note = Label(note, "help", tone="second")
        self.setLayout(Flow(*parts, self._note, spacing=14, last_right=True))
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.set_counts(counts or {}, note=note)

    def set_counts(self, counts: Mapping[str, int], *, note: str = "") -> None:
        """Show other counts; a verdict that is not named counts 0."""
        words = []
        for verdict, number in self._numbers.items():
            number.setText(str(counts.get(verdict, 0)))
            words.append(f"{messages.verdict_word(verdict)} {counts.get(verdict, 0)}")
        self._note.setText(note)
        self.setAccessibleName(", ".join([*words, note] if note else words))
