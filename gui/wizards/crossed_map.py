"""The map of crossed groups: a square a crossing, as large as its effective number of people."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFontMetrics,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from gui.palette import verdict_colour, verdict_tint
from gui.theme import theme
from gui.widgets.basic import painting, ring
from gui.widgets.verdict import MARK, draw_mark

from .crossed_words import FLAGS, text

SQUARE = 46.0
"""Side of the largest square in pixels at 100 %."""
LEAST_SQUARE = 7.0
"""A crossing with anybody in it is never smaller than this."""


@dataclass(frozen=True)
class MapCell:
    """A crossing as the map shows it; ``share`` is its effective number over the largest one."""

    key: str
    words: str
    rate: str
    people: str
    flag: str
    share: float
    tip: str


@dataclass(frozen=True)
class MapData:
    """Rows and columns with their names; ``cut`` where rows are left to the table."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[tuple[MapCell, ...], ...]
    cut: bool = False


def map_of(part: Mapping[str, Any]) -> MapData:
    """The map of a result, laid out as on paper."""
    from engine.base.wording import count, number, percent
    from engine.methods.intersection.grid import grid_of
    from engine.methods.intersection.words import cell_words, size_of

    cells: Mapping[str, Any] = part["cells"]
    largest = max((size_of(c) for c in cells.values()), default=0.0)

    def made(key: str) -> MapCell:
        cell = cells[key]
        called, n = cell_words(part, key), size_of(cell)
        if not cell["rows"]:
            tip = text("tip_empty", cell=called)
            return MapCell(key, called, "", text("nobody"), cell["flag"], 0.0, tip)
        people = text("people", n=count(round(n, 1)))
        rate, ratio = percent(cell["rate"]["value"]), number(cell["ratio"]["value"]) or "none"
        flag = FLAGS[cell["flag"]][1]
        tip = text("tip", cell=called, rate=rate, people=people, ratio=ratio, flag=flag)
        return MapCell(key, called, rate, people, cell["flag"], n / largest if largest else 0, tip)

    grid = grid_of(part)
    lines = tuple(tuple(made(key) for key in line) for line in grid.keys)
    return MapData(grid.rows, grid.columns, lines, grid.cut)


class CrossedMap(QWidget):
    """Paints a :class:`MapData`. A click, the arrow keys or a hover name a crossing.

    Signals
    -------
    chosen(str) : the key of the crossing that a person chose.
    """

    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.data = MapData((), (), ())
        self.place: tuple[int, int] | None = None
        self._over: tuple[int, int] | None = None
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setAccessibleName(text("map"))
        theme().changed.connect(self._measure)

    def show_data(self, data: MapData) -> None:
        """Show another map, nothing chosen."""
        self.data, self.place, self._over = data, None, None
        self.setAccessibleDescription(text("map_note"))
        self._measure()

    def choose(self, key: str) -> None:
        """Mark a crossing, without sending ``chosen``."""
        self.place = next(
            (
                (r, c)
                for r, line in enumerate(self.data.cells)
                for c, cell in enumerate(line)
                if cell.key == key
            ),
            None,
        )
        if self.place is not None:
            self.setAccessibleDescription(self._cell(self.place).tip)
        self.update()

    def _cell(self, place: tuple[int, int]) -> MapCell:
        return self.data.cells[place[0]][place[1]]

    # Measures -----------------------------------------------------------------------------------

    def _measure(self) -> None:
        self.updateGeometry()
        self.update()

    def _beside(self, wide: float) -> bool:
        """Whether the words of a cell fit beside its square, or stand under it."""
        t = theme()
        metrics = QFontMetrics(t.font("small"))
        longest = max(
            (
                max(metrics.horizontalAdvance(c.people), metrics.horizontalAdvance(c.rate) + t.px(MARK + 4))
                for line in self.data.cells
                for c in line
            ),
            default=0,
        )  # fmt: skip
        return self._step(wide) >= t.px(SQUARE + 12) + longest

    def _left(self, wide: float) -> float:
        metrics = QFontMetrics(theme().font("small"))
        longest = max((metrics.horizontalAdvance(n) for n in self.data.rows), default=0)
        return min(longest + theme().px(12), wide * 0.34) if longest else 0.0

    def _step(self, wide: float) -> float:
        return (wide - self._left(wide)) / max(1, len(self.data.columns))

    def _lines(self, words: str, wide: float, most: int = 4) -> list[str]:
        """Words broken to a width, the last line shortened where there is no room for all."""
        metrics = QFontMetrics(theme().font("small"))
        found: list[str] = []
        for word in words.split(" "):
            if found and metrics.horizontalAdvance(f"{found[-1]} {word}") <= wide:
                found[-1] += f" {word}"
            else:
                found.append(word)
        if len(found) > most:
            found = [*found[: most - 1], " ".join(found[most - 1 :])]
        return [metrics.elidedText(f, Qt.TextElideMode.ElideRight, int(wide)) for f in found]

    def _head(self, wide: float) -> float:
        t = theme()
        step = self._step(wide) - t.px(6)
        tallest = max((len(self._lines(n, step)) for n in self.data.columns), default=0)
        return float(tallest * t.px(15) + t.px(6))

    def _row_height(self, wide: float) -> float:
        t = theme()
        left = self._left(wide) - t.px(8)
        names = max((len(self._lines(n, left)) for n in self.data.rows), default=1)
        own = SQUARE + 8 if self._beside(wide) else SQUARE + 8 + 32
        return float(max(t.px(own), names * t.px(15) + t.px(6)))

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        rows = len(self.data.rows)
        return math.ceil(self._head(width) + rows * self._row_height(width) + theme().px(4))

    def sizeHint(self) -> QSize:
        wide = max(self.width(), theme().px(320))
        return QSize(theme().px(320), self.heightForWidth(wide))

    def minimumSizeHint(self) -> QSize:
        return QSize(theme().px(200), theme().px(60))

    def area(self, place: tuple[int, int]) -> QRectF:
        """Where a crossing lies, in pixels."""
        wide = float(self.width())
        step, high = self._step(wide), self._row_height(wide)
        return QRectF(
            self._left(wide) + place[1] * step, self._head(wide) + place[0] * high, step, high
        )

    def square(self, place: tuple[int, int]) -> QRectF:
        """The square of a crossing: its area is to the largest one as their effective numbers."""
        t = theme()
        cell, area = self._cell(place), self.area(place)
        side = t.px(SQUARE) * math.sqrt(cell.share)
        side = max(side, t.px(LEAST_SQUARE)) if cell.share > 0 else 0.0
        if self._beside(self.width()):
            middle = QPointF(area.left() + t.px(4 + SQUARE / 2), area.center().y())
        else:
            middle = QPointF(area.center().x(), area.top() + t.px(4 + SQUARE / 2))
        return QRectF(middle.x() - side / 2, middle.y() - side / 2, side, side)

    # Painting -----------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        with painting(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._names(painter)
            for r, line in enumerate(self.data.cells):
                for c, cell in enumerate(line):
                    self._paint_cell(painter, (r, c), cell)
            if self.hasFocus() and self.place is None:
                ring(painter, QRectF(self.rect()))

    def _names(self, painter: QPainter) -> None:
        t, wide = theme(), float(self.width())
        step, head, left = self._step(wide), self._head(wide), self._left(wide)
        painter.setFont(t.font("small"))
        painter.setPen(t.colour("text2"))
        align = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        for c, name in enumerate(self.data.columns):
            lines = self._lines(name, step - t.px(6))
            for n, one in enumerate(lines):
                y = head - t.px(6) - (len(lines) - n) * t.px(15)
                painter.drawText(QRectF(left + c * step + t.px(4), y, step, t.px(15)), align, one)
        painter.setPen(t.colour("text"))
        for r, name in enumerate(self.data.rows):
            lines = self._lines(name, left - t.px(8))
            area = self.area((r, 0))
            top = area.center().y() - len(lines) * t.px(15) / 2
            for n, one in enumerate(lines):
                painter.drawText(QRectF(0, top + n * t.px(15), left, t.px(15)), align, one)

    def _paint_cell(self, painter: QPainter, place: tuple[int, int], cell: MapCell) -> None:
        t = theme()
        area = self.area(place).adjusted(1, 1, -1, -1)
        mine = place == self.place
        if mine or place == self._over:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(t.colour("selection" if mine else "total"))
            painter.drawRoundedRect(area, 4, 4)
        verdict = FLAGS[cell.flag][0]
        box = self.square(place)
        if cell.share > 0:
            painter.setPen(QPen(t.colour(verdict_colour(verdict)), 1.25))
            painter.setBrush(t.colour(verdict_tint(verdict)))
            painter.drawRect(box)
        painter.setFont(t.font("small"))
        painter.setPen(t.colour("text" if cell.share > 0 else "text2"))
        beside = self._beside(self.width())
        high = t.px(15)
        if beside:
            x = area.left() + t.px(SQUARE + 10)
            y = area.center().y() - (high if cell.rate else high / 2)
        else:
            x, y = area.left() + t.px(4), area.top() + t.px(SQUARE + 6)
        room = area.right() - x
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        if cell.rate:
            side = t.px(MARK)
            ground = "selection" if mine else "page"
            draw_mark(painter, QPointF(x + side / 2, y + high / 2), side, verdict, ground=ground)
            painter.drawText(QRectF(x + side + t.px(4), y, room, high), left, cell.rate)
            y += high
            painter.setPen(t.colour("text2"))
        metrics = QFontMetrics(t.font("small"))
        people = metrics.elidedText(cell.people, Qt.TextElideMode.ElideRight, int(room))
        painter.drawText(QRectF(x, y, room, high), left, people)
        if mine and self.hasFocus():
            ring(painter, area, inset=0.0)

    # Hands --------------------------------------------------------------------------------------

    def place_at(self, where: QPointF) -> tuple[int, int] | None:
        """The crossing under a point."""
        for r, line in enumerate(self.data.cells):
            for c in range(len(line)):
                if self.area((r, c)).contains(where):
                    return r, c
        return None

    def _pick(self, place: tuple[int, int]) -> None:
        self.place = place
        self.setAccessibleDescription(self._cell(place).tip)
        self.update()
        self.chosen.emit(self._cell(place).key)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        over = self.place_at(event.position())
        if over != self._over:
            self._over = over
            self.update()

    def leaveEvent(self, event: QEvent) -> None:
        self._over = None
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        place = self.place_at(event.position())
        if place is not None:
            self._pick(place)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {
            Qt.Key.Key_Left: (0, -1),
            Qt.Key.Key_Right: (0, 1),
            Qt.Key.Key_Up: (-1, 0),
            Qt.Key.Key_Down: (1, 0),
        }
        step = steps.get(Qt.Key(event.key()))
        if step is None or not self.data.cells:
            super().keyPressEvent(event)
            return
        if self.place is None:
            self._pick((0, 0))
            return
        r, c = self.place[0] + step[0], self.place[1] + step[1]
        if 0 <= r < len(self.data.cells) and 0 <= c < len(self.data.columns):
            self._pick((r, c))

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            place = self.place_at(QPointF(event.pos()))
            if place is None:
                QToolTip.hideText()
            else:
                QToolTip.showText(event.globalPos(), self._cell(place).tip, self)
            return True
        return super().event(event)
