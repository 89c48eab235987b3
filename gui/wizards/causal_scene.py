"""A graph laid out on a scene: where its arrows run."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from PySide6.QtCore import QPointF, QRect, QRectF
from PySide6.QtGui import QImage, QPainter, QPen
from PySide6.QtWidgets import QGraphicsScene

from gui.theme import theme

from .causal_draft import Edge, Place
from .causal_items import ArrowItem, NodeItem

GRID = 20
PORT = 9.0
SHARES = (0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74)
"""Where along an arrow its words may stand, the best first."""


@dataclass(frozen=True)
class Face:
    """What a graph shows: words of its variables and figures of its arrows.

    ``subs``: variable -> the thin line; ``special``: attribute and target; ``labels``: arrow ->
    figure; ``remarks``: arrow or variable -> (grade, few words); ``direct``: the arrow that runs
    from the attribute straight to the target.
    """

    nodes: tuple[str, ...] = ()
    edges: tuple[Edge, ...] = ()
    subs: Mapping[str, str] = field(default_factory=dict)
    special: frozenset[str] = frozenset()
    labels: Mapping[Edge, str] = field(default_factory=dict)
    remarks: Mapping[Edge | str, tuple[str, str]] = field(default_factory=dict)
    direct: Edge | None = None
    direct_words: str = ""


class GraphScene(QGraphicsScene):
    """The items of a graph, kept while it changes so that nothing flickers."""

    def __init__(self) -> None:
        super().__init__()
        self.node_items: dict[str, NodeItem] = {}
        self.arrow_items: dict[Edge, ArrowItem] = {}

    def show_face(self, face: Face) -> None:
        """Show other words and arrows; places are set by :meth:`place`."""
        for name in [n for n in self.node_items if n not in face.nodes]:
            self.removeItem(self.node_items.pop(name))
        for edge in [e for e in self.arrow_items if e not in face.edges]:
            self.removeItem(self.arrow_items.pop(edge))
        for name in face.nodes:
            item = self.node_items.get(name)
            if item is None:
                item = self.node_items[name] = NodeItem(name)
                self.addItem(item)
            grade, remark = face.remarks.get(name, ("", ""))
            item.show_words(
                face.subs.get(name, ""), special=name in face.special, grade=grade, remark=remark
            )
        for edge in face.edges:
            arrow = self.arrow_items.get(edge)
            if arrow is None:
                arrow = self.arrow_items[edge] = ArrowItem(*edge)
                self.addItem(arrow)
            grade, remark = face.remarks.get(edge, ("", ""))
            direct = edge == face.direct
            label = face.labels.get(edge, "")
            if direct:
                label = f"{face.direct_words} {label}".strip()
            arrow.show_words(label, remark=remark, grade=grade, dashed=direct)

    def sizes(self) -> dict[str, tuple[float, float]]:
        """Width and height of every variable."""
        return {name: (item.wide, item.high) for name, item in self.node_items.items()}

    def place(self, places: Mapping[str, Place]) -> None:
        """Put the variables, and lead the arrows anew."""
        for name, item in self.node_items.items():
            if name in places:
                item.setPos(QPointF(*places[name]))
        self.lead()

    def lead(self) -> None:
        """Lead every arrow from box to box, and round over the top where a box is in its way."""
        over = [e for e in self.arrow_items if self._goes_over(e)]
        top = min((i.pos().y() - i.high / 2 for i in self.node_items.values()), default=0.0)
        ports = self._ports([e for e in self.arrow_items if e not in over])
        taken = [
            item.sceneBoundingRect().adjusted(3, 3, -3, -3) for item in self.node_items.values()
        ]
        for lane, edge in enumerate(over):
            first, last = self.node_items[edge[0]], self.node_items[edge[1]]
            y = top - 14 - 20 * lane
            shift = 10.0 * lane
            a = QPointF(first.pos().x() + shift, first.pos().y() - first.high / 2)
            b = QPointF(last.pos().x() - shift, last.pos().y() - last.high / 2)
            self.arrow_items[edge].lead([a, QPointF(a.x(), y), QPointF(b.x(), y), b])
            taken.append(self.arrow_items[edge].label_box())
        for edge, (a, b) in ports.items():
            self._lead_clear(self.arrow_items[edge], [a, b], taken)

    def _lead_clear(self, arrow: ArrowItem, points: list[QPointF], taken: list[QRectF]) -> None:
        """Lead a straight arrow with its words where they cover neither a box nor other words."""
        hidden = []
        for share in SHARES:
            arrow.lead(points, share)
            box = arrow.label_box()
            covered = [box.intersected(other) for other in taken if box.intersects(other)]
            hidden.append((sum(c.width() * c.height() for c in covered), share))
            if not covered:
                break
        arrow.lead(points, min(hidden, key=lambda h: h[0])[1])
        taken.append(arrow.label_box())

    def _goes_over(self, edge: Edge) -> bool:
        start, end = (self.node_items[n].pos() for n in edge)
        if end.x() - start.x() < 100:
            return False
        arrow = self.arrow_items[edge]
        for name, item in self.node_items.items():
            if name in edge or not start.x() + 60 < item.pos().x() < end.x() - 60:
                continue
            if arrow.dashed:
                return True
            share = (item.pos().x() - start.x()) / (end.x() - start.x())
            y = start.y() + share * (end.y() - start.y())
            if abs(y - item.pos().y()) < item.high / 2 + 6:
                return True
        return False

    def _ports(self, edges: list[Edge]) -> dict[Edge, tuple[QPointF, QPointF]]:
        """Where straight arrows leave and enter: spread over a side, in the order of their ends."""
        sides: dict[tuple[str, str], list[tuple[float, Edge]]] = {}
        level: dict[Edge, bool] = {}
        for edge in edges:
            a, b = (self.node_items[n] for n in edge)
            gap = abs(b.pos().x() - a.pos().x()) - (a.wide + b.wide) / 2
            level[edge] = gap > 12
            if level[edge]:
                right = b.pos().x() > a.pos().x()
                out, into = ("right", "left") if right else ("left", "right")
                sides.setdefault((edge[0], out), []).append((b.pos().y(), edge))
                sides.setdefault((edge[1], into), []).append((a.pos().y(), edge))
        shift: dict[tuple[str, Edge], float] = {}
        for (name, _side), found in sides.items():
            found.sort()
            room = self.node_items[name].high / 2 - 8
            step = min(PORT, 2 * room / max(1, len(found) - 1))
            for place, (_, edge) in enumerate(found):
                shift[name, edge] = (place - (len(found) - 1) / 2) * step
        made = {}
        for edge in edges:
            a, b = (self.node_items[n] for n in edge)
            if level[edge]:
                sign = 1 if b.pos().x() > a.pos().x() else -1
                start = QPointF(a.pos().x() + sign * a.wide / 2, a.pos().y() + shift[edge[0], edge])
                end = QPointF(b.pos().x() - sign * b.wide / 2, b.pos().y() + shift[edge[1], edge])
            else:
                sign = 1 if b.pos().y() >= a.pos().y() else -1
                back = (edge[1], edge[0]) in self.arrow_items
                x = 14.0 * sign if back else 0.0
                start = QPointF(a.pos().x() + x, a.pos().y() + sign * a.high / 2)
                end = QPointF(b.pos().x() + x, b.pos().y() - sign * b.high / 2)
            made[edge] = (start, end)
        return made

    def drawBackground(self, painter: QPainter, rect: QRectF | QRect) -> None:
        painter.fillRect(rect, theme().colour("page"))
        painter.setPen(QPen(theme().colour("hairline"), 1.2))
        x = int(rect.left()) // GRID * GRID
        points = []
        while x < rect.right():
            y = int(rect.top()) // GRID * GRID
            while y < rect.bottom():
                points.append(QPointF(x, y))
                y += GRID
            x += GRID
        painter.drawPoints(points)

    def neighbour(self, name: str, dx: int, dy: int) -> str:
        """The nearest variable in a direction; empty without one."""
        here = self.node_items[name].pos()
        best, least = "", math.inf
        for other, item in self.node_items.items():
            away = item.pos() - here
            along = away.x() * dx + away.y() * dy
            across = abs(away.x() * dy) + abs(away.y() * dx)
            if other != name and along > 4 and along + 2 * across < least:
                best, least = other, along + 2 * across
        return best

    def image(self) -> QImage:
        """The graph as a picture, twice as fine as on the screen."""
        box = self.extent()
        wide, high = math.ceil(box.width() * 2), math.ceil(box.height() * 2)
        made = QImage(wide, high, QImage.Format.Format_RGB32)
        made.fill(theme().colour("page"))
        painter = QPainter(made)
        try:
            self.render(painter, QRectF(made.rect()), box)
        finally:
            painter.end()
        return made

    def extent(self) -> QRectF:
        """The room that the graph takes, with a margin."""
        box = QRectF()
        for item in [*self.node_items.values(), *self.arrow_items.values()]:
            box = box.united(item.sceneBoundingRect())
        return box.adjusted(-12, -10, 12, 10)
