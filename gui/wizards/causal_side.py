"""All graphs of a question side by side: their pictures, and by which arrows they differ."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from gui.theme import theme
from gui.widgets.basic import Label

from . import causal_draft as draft
from .causal_scene import Face, GraphScene
from .causal_state import State
from .causal_words import text

CARD = 430
"""Least width of a picture at 100 %; as many stand in a row as there is room for."""


class SideBySide(QWidget):
    """Pictures of graphs in rows. ``opened(int)`` is sent when one is chosen."""

    opened = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(16)
        self.cards: list[Card] = []
        self._shown: Any = None

    def show_graphs(self, state: State) -> None:
        """Show every graph, the open one marked."""
        shown = (
            state.graphs, state.index, state.start, dict(state.subs), state.trial, state.trials
        )  # fmt: skip
        if shown == self._shown:
            return
        self._shown = shown
        for old in self.cards:
            self._grid.removeWidget(old)
            old.hide()
            old.deleteLater()
        last = state.start.target if state.start else ""
        self.cards = []
        for place, graph in enumerate(state.graphs):
            words = differences(state.graphs[0], graph) if place else ""
            card = Card(str(graph.get("name") or ""), state.face(place), last, words)
            card.chosen = place == state.index
            card.picked.connect(lambda p=place: self.opened.emit(p))
            self.cards.append(card)
        self._place()

    def _place(self) -> None:
        columns = max(1, self.width() // theme().px(CARD))
        for place, card in enumerate(self.cards):
            self._grid.addWidget(card, place // columns, place % columns)
            card.show()
        for at in range(self._grid.columnCount()):
            self._grid.setColumnStretch(at, 1 if at < columns else 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()


def differences(first: Mapping[str, Any], other: Mapping[str, Any]) -> str:
    """By which arrows a graph differs from the first one.

    Examples
    --------
    >>> differences({"name": "a", "edges": [["A", "B"]]}, {"edges": [["A", "C"]]})
    'Against “a”: Also A → C; Without A → B.'
    """
    name = str(first.get("name") or "")
    a, b = draft.edges_of(first), draft.edges_of(other)
    more = [f"{s} → {e}" for s, e in b if (s, e) not in a]
    less = [f"{s} → {e}" for s, e in a if (s, e) not in b]
    if not more and not less:
        return text("side_same", graph=name)
    changes = [
        text(code, arrows=", ".join(arrows))
        for code, arrows in (("side_more", more), ("side_less", less))
        if arrows
    ]
    return text("side_against", graph=name, changes="; ".join(changes))


class Card(QWidget):
    """One graph: its name, its picture, and how it differs. ``picked()`` asks to open it."""

    picked = Signal()

    def __init__(self, name: str, face: Face, last: str, words: str) -> None:
        super().__init__()
        self.chosen = False
        inner = QVBoxLayout(self)
        inner.setContentsMargins(12, 8, 12, 8)
        inner.setSpacing(4)
        inner.addWidget(Label(name, "key", wrap=True))
        self.picture = Picture(face, last)
        inner.addWidget(self.picture)
        said = words or text("side_first", arrows=len(face.edges))
        inner.addWidget(Label(said, "help", tone="second", wrap=True))
        inner.addStretch(1)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(text("side_open", graph=name))
        self.setAccessibleDescription(said)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.picked.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.picked.emit()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        strong = self.chosen or self.hasFocus()
        painter.setPen(QPen(theme().colour("accent" if strong else "hairline"), 2 if strong else 1))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 6, 6)


class Picture(QWidget):
    """A graph as it is laid out, made to fit; nothing in it can be moved."""

    def __init__(self, face: Face, last: str) -> None:
        super().__init__()
        self._scene = GraphScene()
        self._scene.setParent(self)
        self._scene.show_face(face)
        places = draft.arrange(face.nodes, face.edges, self._scene.sizes(), width=480, last=last)
        self._scene.place(places)

    def _scale(self) -> float:
        box = self._scene.extent()
        wide = self.width() or theme().px(CARD)
        return min(theme().scale, wide / box.width()) if not box.isEmpty() else 1.0

    def sizeHint(self) -> QSize:
        box = self._scene.extent()
        return QSize(theme().px(CARD - 40), round(box.height() * self._scale()))

    def minimumSizeHint(self) -> QSize:
        return QSize(theme().px(120), self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.setFixedHeight(max(40, round(self._scene.extent().height() * self._scale())))

    def paintEvent(self, event: QPaintEvent) -> None:
        box, scale = self._scene.extent(), self._scale()
        painter = QPainter(self)
        wide = box.width() * scale
        left = (self.width() - wide) / 2
        self._scene.render(painter, QRectF(left, 0, wide, box.height() * scale), box)
