"""The grid of fits: a row an algorithm, a square a fold, filled as the fits end."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QHelpEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from engine.base.watch import DONE, FAILED, UNSETTLED, WAITING
from gui.theme import theme
from gui.widgets.basic import painting
from gui.widgets.table import defused

from .crossval_words import text

STATES = {WAITING: "waiting", DONE: "done", UNSETTLED: "unsettled", FAILED: "failed"}
"""The letter of a fit -> the code of its word."""
ROW, SIDE, LEAST = 26, 18, 5
"""Height of a row, largest and smallest side of a square, in pixels at 100 %."""


def draw_fit(painter: QPainter, box: QRectF, letter: str) -> None:
    """Paint a fit's square: open, full, half full, or crossed. The form decides, not the colour."""
    t = theme()
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    ink = t.colour("outside" if letter == FAILED else "accent")
    edge = t.colour("control") if letter == WAITING else ink
    painter.setPen(QPen(edge, 1))
    painter.setBrush(ink if letter == DONE else Qt.BrushStyle.NoBrush)
    painter.drawRect(box)
    if letter == UNSETTLED:
        painter.setBrush(ink)
        painter.drawPolygon(QPolygonF([box.bottomLeft(), box.topRight(), box.bottomRight()]))
    if letter == FAILED:
        inset = box.adjusted(2, 2, -2, -2)
        painter.setPen(QPen(ink, 1.5))
        painter.drawLine(inset.topLeft(), inset.bottomRight())
        painter.drawLine(inset.topRight(), inset.bottomLeft())
    painter.restore()


class FitGrid(QWidget):
    """Shows how far the fits have come; its accessible text says the same in words."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: dict[str, str] = {}
        self.titles: dict[str, str] = {}
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(text("grid"))
        theme().changed.connect(self.updateGeometry)

    def show_grid(self, rows: Mapping[str, str], titles: Mapping[str, str]) -> None:
        """Show a grid: algorithm -> a letter a fold (:mod:`engine.base.watch`)."""
        known = [*titles, *(model for model in rows if model not in titles)]
        rows = {model: rows[model] for model in known if model in rows}
        if rows == self.rows and dict(titles) == self.titles:
            return
        tall = len(rows) != len(self.rows)
        self.rows, self.titles = rows, dict(titles)
        self.setAccessibleDescription("; ".join(self.lines()))
        if tall:
            self.updateGeometry()
        self.update()

    def lines(self) -> list[str]:
        """How far each algorithm is, in words."""
        return [
            text("grid_name", algorithm=self.titles.get(model, model), done=done, total=len(row))
            for model, row in self.rows.items()
            for done in [len(row) - row.count(WAITING)]
        ]

    def as_csv(self) -> str:
        """Every fit with its state."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow([text("col_algorithm"), text("fold_head"), "State"])
        for model, row in self.rows.items():
            for place, letter in enumerate(row, start=1):
                title = defused(self.titles.get(model, model))
                writer.writerow([title, place, text(STATES[letter])])
        return out.getvalue()

    # Measures -----------------------------------------------------------------------------------

    def _measures(self) -> tuple[float, float, float]:
        """Left edge of the squares, step from one to the next, side of one."""
        t = theme()
        metrics = QFontMetrics(t.font("text"))
        titles = [self.titles.get(model, model) for model in self.rows]
        left = max((metrics.horizontalAdvance(one) for one in titles), default=0) + t.px(14)
        right = QFontMetrics(t.font("help")).horizontalAdvance("000 of 000") + t.px(10)
        most = max((len(row) for row in self.rows.values()), default=1)
        step = min(t.px(SIDE + 4), max(t.px(LEAST), (self.width() - left - right) / most))
        return left, step, min(t.px(SIDE), max(3.0, step - max(1.0, 0.18 * step)))

    def _box(self, line: int, place: int) -> QRectF:
        t = theme()
        left, step, side = self._measures()
        top = t.px(20) + line * t.px(ROW) + (t.px(ROW) - side) / 2
        return QRectF(round(left + place * step) + 0.5, round(top) + 0.5, round(side), round(side))

    def sizeHint(self) -> QSize:
        return QSize(theme().px(560), theme().px(20 + ROW * max(1, len(self.rows))))

    def minimumSizeHint(self) -> QSize:
        return QSize(theme().px(260), self.sizeHint().height())

    # Painting -----------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        t = theme()
        _, step, _ = self._measures()
        most = max((len(row) for row in self.rows.values()), default=0)
        with painting(self) as painter:
            painter.setFont(t.font("small"))
            painter.setPen(t.colour("text2"))
            every = 1 if step >= t.px(20) else 5 if step >= t.px(7) else 10
            for place in range(most):
                if place + 1 == 1 or (place + 1) % every == 0:
                    box = self._box(0, place)
                    words = QRectF(box.center().x() - 20, 0, 40, t.px(16))
                    painter.drawText(words, int(Qt.AlignmentFlag.AlignCenter), str(place + 1))
            for line, (model, row) in enumerate(self.rows.items()):
                height = t.px(ROW)
                top = t.px(20) + line * height
                painter.setPen(t.colour("text"))
                painter.setFont(t.font("text"))
                middle = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)
                name = QRectF(0, top, self.width(), height)
                painter.drawText(name, middle, self.titles.get(model, model))
                for place, letter in enumerate(row):
                    draw_fit(painter, self._box(line, place), letter)
                painter.setFont(t.font("help"))
                painter.setPen(t.colour("text2"))
                last = self._box(line, len(row) - 1).right() + t.px(10)
                done = text("count", done=len(row) - row.count(WAITING), total=len(row))
                painter.drawText(QRectF(last, top, self.width() - last, height), middle, done)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self.words_at(QPointF(event.pos())), self)
            return True
        return super().event(event)

    def words_at(self, at: QPointF) -> str:
        """What the square under a point says; empty beside the squares."""
        for line, (model, row) in enumerate(self.rows.items()):
            for place, letter in enumerate(row):
                if self._box(line, place).contains(at):
                    title, state = self.titles.get(model, model), text(STATES[letter])
                    return text("cell", algorithm=title, fold=place + 1, state=state)
        return ""


class Key(QWidget):
    """What the squares mean: each form with its word."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("; ".join(text(code) for code in STATES.values()))
        theme().changed.connect(self.updateGeometry)

    def _places(self) -> list[tuple[str, QRectF]]:
        t = theme()
        metrics = QFontMetrics(t.font("help"))
        x = y = 0.0
        found = []
        for letter, code in STATES.items():
            wide = t.px(20) + metrics.horizontalAdvance(text(code)) + 2
            if x and x + wide > self.width():
                x, y = 0.0, y + t.px(20)
            found.append((letter, QRectF(x, y, wide, t.px(18))))
            x += wide + t.px(18)
        return found

    def sizeHint(self) -> QSize:
        return QSize(theme().px(420), theme().px(18))

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return round(self._places()[-1][1].bottom()) + 1

    def resizeEvent(self, event: object) -> None:
        self.setFixedHeight(self.heightForWidth(self.width()))

    def paintEvent(self, event: QPaintEvent) -> None:
        t = theme()
        with painting(self) as painter:
            for letter, place in self._places():
                side = t.px(12)
                top = round(place.center().y() - side / 2) + 0.5
                draw_fit(painter, QRectF(round(place.left()) + 0.5, top, side, side), letter)
                painter.setFont(t.font("help"))
                painter.setPen(t.colour("text2"))
                words = place.adjusted(t.px(20), 0, 0, 0)
                middle = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)
                painter.drawText(words, middle, text(STATES[letter]))
