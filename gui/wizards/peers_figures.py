"""Figures of the peers wizard: with buttons below, and the one in which people are chosen."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QPointF, QRectF, QSize, Signal
from PySide6.QtGui import QPainter, QPainterPath, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from engine.drawing.style import LOOKS
from gui import messages
from gui.theme import theme
from gui.widgets.basic import IconButton, painting
from gui.widgets.figure import FigureView

from .peers_words import text

if TYPE_CHECKING:
    from engine.drawing.model import Chart


class SmallFigure(FigureView):
    """A figure within a panel that names it: no words along its axes, its buttons are icons.

    Saved, it has its axes' words and goes without the panel.
    """

    def __init__(self, *, plot_height: float) -> None:
        super().__init__(heading=False, plot_height=plot_height)
        self.as_table = IconButton(
            "table", messages.text("figure.show_table"), on_click=self.toggle_table
        )
        self.as_picture = IconButton(
            "image", messages.text("figure.save"), on_click=lambda: self.save()
        )
        for button in (self.save_button, self.table_button):
            button.hide()
        whole = self.layout()
        assert isinstance(whole, QVBoxLayout)
        for place in (whole.count() - 1, 0):
            line = whole.takeAt(place).layout()
            if line is not None:
                line.deleteLater()

    def set_chart(self, chart: Chart) -> None:
        super().set_chart(chart)
        self._sentence.hide()
        self.as_picture.set_words(self.save_button.accessibleName())
        self._say_turn()

    def toggle_table(self) -> None:
        super().toggle_table()
        self.as_table.set_icon("chart-column" if self.shows_table else "table")
        self._say_turn()

    @property
    def shows_table(self) -> bool:
        """Whether the table is on show in the figure's place."""
        return self.stack.currentWidget() is self.table

    def _say_turn(self) -> None:
        self.as_table.set_words(self.table_button.accessibleName())

    def _draw(self) -> None:
        whole = self.chart
        if whole is None:
            return
        self.chart = replace(whole, x_label="", y_label=" ")
        try:
            super()._draw()
        finally:
            self.chart = whole


REACH = 14.0
"""A click counts for the nearest point within so many pixels at 100 %."""


class LowFigure(FigureView):
    """A figure whose buttons stand below it and whose title stands elsewhere on the page."""

    def __init__(self, *, plot_height: float) -> None:
        super().__init__(heading=False, plot_height=plot_height)
        whole = self.layout()
        assert isinstance(whole, QVBoxLayout)
        top = whole.takeAt(0).layout()
        foot = whole.itemAt(whole.count() - 1).layout()
        assert top is not None and isinstance(foot, QHBoxLayout)
        top.removeWidget(self.save_button)
        foot.insertWidget(1, self.save_button)
        foot.setSpacing(16)
        whole.addStretch(1)

    def set_chart(self, chart: Chart) -> None:
        super().set_chart(chart)
        self._sentence.hide()


class LikelihoodFigure(LowFigure):
    """Own likelihood against the peers'; ``chosen(str)`` names the person of a clicked point.

    ``stepped(int)`` is sent by the arrow keys: -1 the person before, 1 the one after.
    """

    chosen = Signal(str)
    stepped = Signal(int)

    def __init__(self) -> None:
        super().__init__(plot_height=228)
        self.table.row_chosen.connect(self._row)

    def ring(self, chart: Chart) -> None:
        """Show the same points with another one ringed; the table stays as it is."""
        self.chart = chart
        self._stale()

    def _draw(self) -> None:
        before = self._canvas
        focused = before is not None and before.hasFocus()
        super()._draw()
        if self._canvas is not None and self._canvas is not before:
            self._canvas.mpl_connect("button_press_event", self._pressed)
            self._canvas.mpl_connect("key_press_event", self._key)
            self._canvas.setToolTip(text("figure_help"))
            if focused:
                self._canvas.setFocus()

    def _row(self, row: int) -> None:
        self.chosen.emit(self.table.model().text(row, 1))

    def _key(self, event: Any) -> None:
        step = {"left": -1, "up": -1, "right": 1, "down": 1}.get(str(event.key))
        if step:
            self.stepped.emit(step)

    def _pressed(self, event: Any) -> None:
        box = event.canvas.figure.bbox
        self.choose_at(event.x / box.width, 1 - event.y / box.height)

    def choose_at(self, x: float, y: float) -> None:
        """Choose the person nearest to a place, in shares of the figure from the upper left."""
        from engine.drawing import screen

        if self._canvas is None or self.chart is None:
            return
        figure = self._canvas.figure
        found = screen.value_at(figure, x, y)
        area = next((a for a in figure.chart_areas if found and a.key == found[0]), None)
        if found is None or area is None:
            return
        (x0, x1), (y0, y1) = area.x_limits, area.y_limits
        across = (area.right - area.left) / ((x1 - x0) or 1.0) / 0.75
        up = (area.bottom - area.top) / ((y1 - y0) or 1.0) / 0.75
        best, name = theme().px(REACH) * 1.0, ""
        for series in self.chart.series:  # type: ignore[attr-defined]
            for px, py, label in zip(series.x, series.y, series.labels, strict=True):
                if py is None:
                    continue
                away = math.hypot((px - found[1]) * across, (py - found[2]) * up)
                if away < best:
                    best, name = away, label
        if name:
            self.chosen.emit(name)


def mark_path(shape: str, centre: QPointF, side: float) -> QPainterPath:
    """A class' mark: triangle up or down, or a disc."""
    path = QPainterPath()
    half = side / 2
    if shape == "disc":
        path.addEllipse(centre, half * 0.85, half * 0.85)
        return path
    tip = -half if shape == "up" else half
    x, y = centre.x(), centre.y()
    path.addPolygon(
        QPolygonF([QPointF(x, y + tip), QPointF(x - half, y - tip), QPointF(x + half, y - tip)])
    )
    path.closeSubpath()
    return path


class ClassMark(QWidget):
    """The mark of a class as the figure draws it; decoration, its word stands beside it."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._look = LOOKS[name]
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme().changed.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:
        return QSize(theme().px(12), theme().px(12))

    def paintEvent(self, event: QPaintEvent) -> None:
        colour = theme().colour(self._look.colour)
        with painting(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            path = mark_path(self._look.shape, QRectF(self.rect()).center(), theme().px(9))
            if self._look.fill == "full":
                painter.fillPath(path, colour)
            painter.strokePath(path, QPen(colour, 1.2))


class ClassBar(QWidget):
    """The five classes as one bar; every part also stands as mark, word and number below it."""

    def __init__(self) -> None:
        super().__init__()
        self._parts: tuple[tuple[str, float], ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._measure()
        theme().changed.connect(self._measure)

    def _measure(self) -> None:
        self.setFixedHeight(theme().px(16))

    def set_shares(self, parts: tuple[tuple[str, float], ...], words: str) -> None:
        """Show class and share of each part, from the left; ``words`` says the same."""
        self._parts = parts
        self.setAccessibleName(words)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        with painting(self) as painter:
            left = 0.0
            for name, share in self._parts:
                right = left + share * self.width()
                self._part(painter, name, QRectF(left, 0, max(0.0, right - left), self.height()))
                left = right

    def _part(self, painter: QPainter, name: str, box: QRectF) -> None:
        look, t = LOOKS[name], theme()
        colour = t.colour(look.colour)
        inner = box.adjusted(0, 0, -1 if box.width() > 2 else 0, 0)
        if look.pattern == "full":
            painter.fillRect(inner, colour)
            return
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setClipRect(inner)
        painter.fillRect(inner, t.colour("page"))
        painter.setPen(QPen(colour, 1.3 * t.scale))
        high, step = inner.height(), 6.0 * t.scale
        lean = high if look.pattern == "/" else -high
        start = inner.left() - high
        while start < inner.right() + high:
            painter.drawLine(QPointF(start, inner.bottom()), QPointF(start + lean, inner.top()))
            start += step
        painter.setPen(QPen(colour, 1))
        painter.drawRect(inner.adjusted(0.5, 0.5, -0.5, -0.5))
        painter.restore()
