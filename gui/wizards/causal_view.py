"""The canvas of a graph: drawing with the mouse and the keyboard, zoom, and the picture of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleEvent,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPen,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QGraphicsView, QSizePolicy

from gui.theme import theme
from gui.widgets.basic import ring

from .causal_draft import Edge, Place, arrange
from .causal_items import ArrowItem, NodeItem
from .causal_scene import Face, GraphScene
from .causal_words import text

LEAST, MOST = 292, 540
ZOOMS = (0.5, 0.6, 0.75, 0.9, 1.0, 1.25, 1.5, 2.0, 3.0)
DIRECTIONS = {
    Qt.Key.Key_Left: (-1, 0), Qt.Key.Key_Right: (1, 0), Qt.Key.Key_Up: (0, -1), Qt.Key.Key_Down: (0, 1),
}  # fmt: skip
Choice = str | Edge | None


class GraphView(QGraphicsView):
    """Shows a graph; what a person does goes out as signals, the graph itself is never changed here.

    Signals
    -------
    picked(object) : a variable's name, an arrow (start, end), or None.
    drawn(str, str) : an arrow was drawn.
    moved(object) : variables were moved by hand: name -> (x, y).
    remove_asked() : Delete was pressed.
    told(str) : a hint for the line above the canvas; empty takes it away.
    """

    picked = Signal(object)
    drawn = Signal(str, str)
    moved = Signal(object)
    remove_asked = Signal()
    told = Signal(str)

    def __init__(self) -> None:
        self._scene = GraphScene()
        super().__init__(self._scene)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setTransformationAnchor(QGraphicsView.ViewportAnchor.AnchorViewCenter)
        self.setViewportUpdateMode(QGraphicsView.ViewportUpdateMode.FullViewportUpdate)
        self.setMouseTracking(True)
        self._name = text("canvas", graph="", nodes=0, arrows=0)
        self.setAccessibleName(self._name)
        self.setAccessibleDescription(text("canvas_help"))
        self.viewport().setObjectName("qt_scrollarea_viewport")
        self.face = Face()
        self.choice: Choice = None
        self.drawing = False
        self.read_only = False
        self._last = ""
        self._by_hand: dict[str, Place] = {}
        self._zoom: float | None = None
        self._pending = ""
        self._drag: NodeItem | None = None
        self._drag_from = QPointF()
        self._rubber: tuple[QPointF, QPointF] | None = None
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.timeout.connect(self._lay_out)
        theme().changed.connect(self._stale)
        self._measure(LEAST)

    # Showing ------------------------------------------------------------------------------------

    def show_graph(self, face: Face, by_hand: Mapping[str, Place], *, last: str, name: str) -> None:
        """Show a graph; ``by_hand`` holds places that a person gave, ``last`` what is compared."""
        same = (face.nodes, face.edges) == (self.face.nodes, self.face.edges)
        self.face, self._by_hand, self._last = face, dict(by_hand), last
        self._scene.show_face(face)
        if not self._still_there():
            self.choice = None
        if not same:
            self._pending = self._pending if self._pending in face.nodes else ""
        self._name = text("canvas", graph=name, nodes=len(face.nodes), arrows=len(face.edges))
        self._lay_out()
        self._mark()

    def _still_there(self) -> bool:
        return self.choice in self.face.nodes or self.choice in self.face.edges

    def _lay_out(self) -> None:
        """Arrange what nobody moved, and fit the canvas to it."""
        if self._drag is not None:
            return
        self._arrange(self._zoom or theme().scale)
        if self._zoom is None and self.scale_now() < theme().scale:
            self._arrange(self.scale_now())  # made smaller to fit in height: the width has room
        box = self._scene.extent()
        self._measure(box.height() * self.scale_now())
        self._set_rect(box)

    def _arrange(self, scale: float) -> None:
        """Put every variable where a person, else the machine, wants it."""
        room = self.viewport().width() / scale - 24
        places = arrange(
            self.face.nodes, self.face.edges, self._scene.sizes(), width=max(300.0, room),
            last=self._last,
        )  # fmt: skip
        places.update({n: p for n, p in self._by_hand.items() if n in places})
        self._scene.place(places)

    def _stale(self) -> None:
        self._later.start(0)

    def _set_rect(self, box: QRectF) -> None:
        self.resetTransform()
        scale, room = self.scale_now(), self.maximumViewportSize()
        self.scale(scale, scale)
        seen = box.width() * scale <= room.width() + 1 and box.height() * scale <= room.height() + 1
        bars = Qt.ScrollBarPolicy
        policy = bars.ScrollBarAlwaysOff if seen else bars.ScrollBarAsNeeded
        self.setHorizontalScrollBarPolicy(policy)
        self.setVerticalScrollBarPolicy(policy)
        wide, high = self.viewport().width() / scale, self.viewport().height() / scale
        grow_x, grow_y = max(0.0, wide - box.width()) / 2, max(0.0, high - box.height()) / 2
        self._scene.setSceneRect(box.adjusted(-grow_x, -grow_y, grow_x, grow_y))

    def scale_now(self) -> float:
        """Pixels for one pixel at 100 %: text scale times zoom; fitted unless a person zoomed."""
        base = theme().scale
        if self._zoom is not None:
            return self._zoom
        box = self._scene.extent()
        if box.isEmpty():
            return base
        fit = min(self.viewport().width() / box.width(), theme().px(MOST) / box.height())
        return max(min(base, fit), 0.62 * base)

    def _measure(self, high: float) -> None:
        self.setFixedHeight(round(min(max(high + 4, theme().px(LEAST)), theme().px(MOST))))

    def sizeHint(self) -> QSize:
        return QSize(theme().px(480), self.height())

    def minimumSizeHint(self) -> QSize:
        return QSize(theme().px(220), theme().px(120))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._later.start(0)

    def zoom_by(self, step: int) -> None:
        """Zoom in or out by a step."""
        now = self.scale_now() / theme().scale
        if step > 0:
            found = next((z for z in ZOOMS if z > now + 0.01), ZOOMS[-1])
        else:
            found = next((z for z in reversed(ZOOMS) if z < now - 0.01), ZOOMS[0])
        self._zoom = found * theme().scale
        self._set_rect(self._scene.extent())

    def fit(self) -> None:
        """Fit the whole graph into the canvas again."""
        self._zoom = None
        self._lay_out()

    def save_picture(self, path: str) -> bool:
        """Write the graph as PNG, twice as fine as on the screen; False where that fails."""
        target = Path(path)
        whole = target if target.suffix else target.with_suffix(".png")
        return self._scene.image().save(str(whole))

    # Choosing -----------------------------------------------------------------------------------

    def choose(self, choice: Choice) -> None:
        """Choose a variable, an arrow or nothing."""
        if choice != self.choice:
            self.choice = choice
            self._mark()
            self.picked.emit(choice)
        if isinstance(choice, str) and choice in self._scene.node_items:
            self.ensureVisible(self._scene.node_items[choice], 10, 10)

    def _mark(self) -> None:
        for name, item in self._scene.node_items.items():
            item.chosen = name == self.choice
            item.pending = name == self._pending
            item.focused = self.hasFocus()
            item.update()
        for edge, arrow in self._scene.arrow_items.items():
            arrow.chosen = edge == self.choice
            arrow.setZValue(1.5 if arrow.chosen else 1)
            arrow.prepareGeometryChange()
            arrow.update()
        said = self.said()
        whole = f"{self._name}. {said}" if said else self._name
        if whole != self.accessibleName():
            self.setAccessibleName(whole)
            QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.NameChanged))

    def said(self) -> str:
        """What is chosen, in words, for those who cannot see it."""
        if isinstance(self.choice, tuple):
            arrow = self._scene.arrow_items.get(self.choice)
            words = text("arrow_said", start=self.choice[0], end=self.choice[1])
            extra = [arrow.label, arrow.remark] if arrow is not None else []
            return ", ".join([words, *(e for e in extra if e)])
        item = self._scene.node_items.get(self.choice or "")
        if item is None:
            return ""
        words = ", ".join(e for e in (item.sub, item.remark) if e)
        return text("node_said", node=item.name, sub=words) if words else item.name

    def set_drawing(self, on: bool) -> None:
        """Whether dragging draws an arrow rather than moving a variable."""
        self.drawing = on
        if not on:
            self._give_up()
        self.viewport().setCursor(Qt.CursorShape.CrossCursor if on else Qt.CursorShape.ArrowCursor)
        self.told.emit(text("hint_arrow") if on else "")

    def begin_arrow(self) -> None:
        """Begin an arrow at the chosen variable, for the keyboard."""
        if isinstance(self.choice, str) and not self.read_only:
            self._pending = self.choice
            self.told.emit(text("hint_from", node=self.choice))
            self._mark()

    def _give_up(self) -> None:
        self._pending, self._rubber = "", None
        self.told.emit("")
        self._mark()
        self.viewport().update()

    # The mouse ----------------------------------------------------------------------------------

    def node_point(self, name: str) -> QPointF:
        """The middle of a variable in pixels of the viewport."""
        return QPointF(self.mapFromScene(self._scene.node_items[name].pos()))

    def arrow_point(self, edge: Edge) -> QPointF:
        """A point on an arrow in pixels of the viewport."""
        return QPointF(self.mapFromScene(self._scene.arrow_items[edge]._at))

    def _item_at(self, event: QMouseEvent, kind: type) -> Any:
        for item in self.items(event.position().toPoint()):
            if isinstance(item, kind):
                return item
        return None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        node = self._item_at(event, NodeItem)
        here = self.mapToScene(event.position().toPoint())
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if node is not None:
            if (self.drawing or shift) and not self.read_only:
                self._pending = node.name
                self._rubber = (node.pos(), here)
                self._mark()
                return
            self.choose(node.name)
            if not self.read_only:
                self._drag, self._drag_from = node, here - node.pos()
                self._start = node.pos()
            return
        arrow = self._item_at(event, ArrowItem)
        self.choose(arrow.edge if arrow is not None else None)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        here = self.mapToScene(event.position().toPoint())
        if self._rubber is not None:
            self._rubber = (self._rubber[0], here)
            self.viewport().update()
        elif self._drag is not None:
            self._drag.setPos(here - self._drag_from)
            self._scene.lead()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._rubber is not None:
            node, start = self._item_at(event, NodeItem), self._pending
            self._give_up_rubber()
            if node is not None and node.name != start:
                self.drawn.emit(start, node.name)
            return
        item, self._drag = self._drag, None
        if item is not None:
            if (item.pos() - self._start).manhattanLength() > 3:
                self._keep()
            else:
                item.setPos(self._start)
                self._scene.lead()

    def _give_up_rubber(self) -> None:
        self._rubber, self._pending = None, ""
        self._mark()
        self.viewport().update()

    def _keep(self) -> None:
        """Places are kept for all once one was moved: else the others would jump."""
        places = {
            name: (round(item.pos().x(), 1), round(item.pos().y(), 1))
            for name, item in self._scene.node_items.items()
        }
        self._by_hand = dict(places)
        self._set_rect(self._scene.extent())
        self.moved.emit(places)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom_by(1 if event.angleDelta().y() > 0 else -1)
            event.accept()
        else:
            event.ignore()  # the wheel scrolls the page

    # The keyboard -------------------------------------------------------------------------------

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        names = self.face.nodes
        if self.choice is None and names and event.reason() in (
            Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason
        ):  # fmt: skip
            back = event.reason() == Qt.FocusReason.BacktabFocusReason
            self.choose(names[-1] if back else names[0])
        self._mark()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._mark()

    def focusNextPrevChild(self, next: bool) -> bool:
        names = list(self.face.nodes)
        here = self.choice if isinstance(self.choice, str) else None
        at = names.index(here) if here in names else (-1 if next else len(names))
        at += 1 if next else -1
        if self.hasFocus() and 0 <= at < len(names):
            self.choose(names[at])
            return True
        return bool(super().focusNextPrevChild(next))

    def event(self, event: QEvent) -> bool:
        own = (Qt.Key.Key_Delete, Qt.Key.Key_Space, Qt.Key.Key_Escape)
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride and event.key() in own:  # fmt: skip
            event.accept()
            return True
        return bool(super().event(event))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        held = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if key in DIRECTIONS and isinstance(self.choice, str):
            self._shift(*DIRECTIONS[key]) if held else self._go(*DIRECTIONS[key])
        elif key in DIRECTIONS and self.face.nodes:
            self.choose(self.choice[1] if isinstance(self.choice, tuple) else self.face.nodes[0])
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._enter()
        elif key == Qt.Key.Key_Space:
            self._next_arrow()
        elif key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            if self.choice is not None and not self.read_only:
                self.remove_asked.emit()
        elif key == Qt.Key.Key_Escape and (self._pending or self.drawing):
            self._give_up()
            self.set_drawing(False)
        else:
            steps: dict[Qt.Key, Callable[[], None]] = {
                Qt.Key.Key_Plus: lambda: self.zoom_by(1),
                Qt.Key.Key_Minus: lambda: self.zoom_by(-1),
                Qt.Key.Key_0: self.fit,
            }
            if key in steps:
                steps[key]()
            else:
                event.ignore()

    def _enter(self) -> None:
        if not isinstance(self.choice, str) or self.read_only:
            return
        if not self._pending:
            self.begin_arrow()
        elif self.choice != self._pending:
            start = self._pending
            self._give_up()
            self.drawn.emit(start, self.choice)
        else:
            self._give_up()

    def _go(self, dx: int, dy: int) -> None:
        """Choose the nearest variable in a direction."""
        best = self._scene.neighbour(str(self.choice), dx, dy)
        if best:
            self.choose(best)

    def _shift(self, dx: int, dy: int) -> None:
        if self.read_only:
            return
        item = self._scene.node_items[str(self.choice)]
        item.setPos(item.pos() + QPointF(dx * GRID_STEP, dy * GRID_STEP))
        self._scene.lead()
        self._keep()

    def _next_arrow(self) -> None:
        """Step through the arrows of the chosen variable."""
        node = self.choice if isinstance(self.choice, str) else ""
        if isinstance(self.choice, tuple):
            edges = list(self.face.edges)
            self.choose(edges[(edges.index(self.choice) + 1) % len(edges)])
            return
        mine = [e for e in self.face.edges if node in e]
        if mine:
            self.choose(mine[0])

    def paintEvent(self, event: Any) -> None:
        super().paintEvent(event)
        painter = QPainter(self.viewport())
        try:
            if self._rubber is not None:
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                painter.setPen(QPen(theme().colour("accent"), 2, Qt.PenStyle.DashLine))
                painter.drawLine(
                    self.mapFromScene(self._rubber[0]), self.mapFromScene(self._rubber[1])
                )
            if self.hasFocus():
                ring(painter, QRectF(self.viewport().rect()))
        finally:
            painter.end()


GRID_STEP = 10
