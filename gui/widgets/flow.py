"""A row that breaks into several lines where there is no room, as at a large text scale."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget


class Flow(QLayout):
    """Lays widgets in a line from the left, and in further lines where they do not fit.

    ``last_right`` puts the last one at the right edge of its line.
    """

    def __init__(self, *widgets: QWidget, spacing: int = 12, last_right: bool = False) -> None:
        super().__init__()
        self._items: list[QLayoutItem] = []
        self._last_right = last_right
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(spacing)
        for widget in widgets:
            self.addWidget(widget)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:  # type: ignore[override]
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:  # type: ignore[override]
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._place(QRect(0, 0, width, 0), move=False)

    def sizeHint(self) -> QSize:
        shown = [item.sizeHint() for item in self._items if not item.isEmpty()]
        wide = sum(size.width() for size in shown) + self.spacing() * max(0, len(shown) - 1)
        return QSize(wide, max((size.height() for size in shown), default=0))

    def minimumSize(self) -> QSize:
        sizes = [item.minimumSize() for item in self._items if not item.isEmpty()]
        return QSize(
            max((s.width() for s in sizes), default=0), max((s.height() for s in sizes), default=0)
        )

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._place(rect, move=True)

    def _place(self, rect: QRect, *, move: bool) -> int:
        lines: list[list[QLayoutItem]] = [[]]
        used = 0
        shown = [item for item in self._items if not item.isEmpty()]
        for item in shown:
            wide = item.sizeHint().width()
            if lines[-1] and used + self.spacing() + wide > rect.width():
                lines.append([])
                used = 0
            used += wide + (self.spacing() if lines[-1] else 0)
            lines[-1].append(item)
        y = rect.y()
        for line in lines:
            high = max((item.sizeHint().height() for item in line), default=0)
            x = rect.x()
            for item in line:
                size = item.sizeHint().boundedTo(QSize(rect.width(), 10000))
                if self._last_right and item is shown[-1] and len(line) > 1:
                    x = max(x, rect.x() + rect.width() - size.width())
                if move:
                    at = QPoint(x, y + (high - size.height()) // 2)
                    item.setGeometry(QRect(at, size))
                x += size.width() + self.spacing()
            y += high + 4
        return y - 4 - rect.y()
