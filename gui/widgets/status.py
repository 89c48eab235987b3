"""A chip of any word in a verdict's mark and colour: for papers and for the register."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.palette import verdict_colour, verdict_tint
from gui.theme import theme

from .basic import painting
from .verdict import MARK, draw_mark


class StatusChip(QWidget):
    """Mark and word on a tint; the mark is that of ``verdict``, the word is your own."""

    def __init__(self, verdict: str, words: str) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme().changed.connect(self.updateGeometry)
        self.set_status(verdict, words)

    def set_status(self, verdict: str, words: str) -> None:
        """Show another status."""
        self.verdict, self._words = verdict, words
        self.setAccessibleName(words)
        self.updateGeometry()
        self.update()

    def words(self) -> str:
        """The word shown."""
        return self._words

    def sizeHint(self) -> QSize:
        t = theme()
        wide = QFontMetrics(t.font("chip")).horizontalAdvance(self._words)
        return QSize(wide + t.px(MARK + 5 + 18), t.px(22))

    def paintEvent(self, event: QPaintEvent) -> None:
        with painting(self) as painter:
            self._paint(painter)

    def _paint(self, painter: QPainter) -> None:
        t = theme()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colour, tint = verdict_colour(self.verdict), verdict_tint(self.verdict)
        painter.setPen(QPen(t.colour(colour), 1))
        painter.setBrush(t.colour(tint))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        side, middle = t.px(MARK), self.height() / 2
        where = QPointF(t.px(8) + side / 2, middle)
        draw_mark(painter, where, side, self.verdict, ground=tint)
        painter.setFont(t.font("chip"))
        painter.setPen(t.colour(colour))
        box = QRectF(t.px(8 + MARK + 5), 0, self.width(), self.height())
        align = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        painter.drawText(box, int(align), self._words)
