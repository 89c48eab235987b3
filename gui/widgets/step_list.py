"""The list of steps: icon, number, title and state in words; every step can be opened."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import (
    QListView,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from gui import icons
from gui.theme import theme

ROW = 45
COMPACT = 84
"""Width of the list without its words, in pixels at 100 %."""
STATES: dict[str, tuple[str, str]] = {
    "done": ("circle-check", "within"),
    "done with warnings": ("triangle-alert", "not_settled"),
    "in progress": ("circle-dot", "accent"),
    "not started": ("circle", "text2"),
    "waits": ("lock", "text2"),
    "out of date": ("history", "not_settled"),
    "skipped": ("skip-forward", "text2"),
    "not applicable": ("minus", "text2"),
}
"""State -> icon and colour; the words come with each row."""


@dataclass(frozen=True)
class StepRow:
    """One row of the list: ``words`` is the state as printed, such as ``Done, 2 warnings``."""

    number: int
    title: str
    state: str
    words: str


class StepModel(QAbstractListModel):
    """The rows of the list of steps."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[StepRow] = []

    def set_rows(self, rows: Sequence[StepRow]) -> None:
        """Show other states; the open row stays open."""
        if len(rows) == len(self.rows):
            self.rows = list(rows)
            self.dataChanged.emit(self.index(0), self.index(len(rows) - 1))
            return
        self.beginResetModel()
        self.rows = list(rows)
        self.endResetModel()

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.rows)

    def data(
        self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if not index.isValid() or index.row() >= len(self.rows):
            return None
        step = self.rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return step.title
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{step.number}, {step.title}, {step.words[:1].lower()}{step.words[1:]}"
        if role == Qt.ItemDataRole.ToolTipRole:
            return f"{step.title}: {step.words}"
        if role == Qt.ItemDataRole.UserRole:
            return step
        return None


class StepDelegate(QStyledItemDelegate):
    """Paints a step: 45 high, accent bar and selection behind the open one."""

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        compact = getattr(option.widget, "compact", False)
        return QSize(theme().px(60 if compact else 200), theme().px(34 if compact else ROW))

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        step: StepRow = index.data(Qt.ItemDataRole.UserRole)
        t, rect = theme(), option.rect
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        if chosen:
            painter.fillRect(rect, t.colour("selection"))
            painter.fillRect(
                QRect(rect.left(), rect.top(), t.px(3), rect.height()), t.colour("accent")
            )
        icon, colour = STATES[step.state]
        side = t.px(18)
        icons.paint(painter, icon, QRectF(t.px(16), rect.top() + t.px(6), side, side), colour)
        waits = step.state == "waits"
        painter.setPen(t.colour("text2" if waits else "text"))
        font = t.font("key" if chosen else "text")
        painter.setFont(font)
        top = QRect(t.px(44), rect.top() + t.px(5), t.px(23), t.px(19))
        vertical = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        if not chosen:
            painter.setPen(t.colour("text2"))
        painter.drawText(top, int(vertical), str(step.number))
        if getattr(option.widget, "compact", False):
            self._focus(painter, option, chosen)
            painter.restore()
            return
        painter.setPen(t.colour("text2" if waits else "text"))
        title = QRect(t.px(67), top.top(), rect.width() - t.px(67) - t.px(6), top.height())
        painter.drawText(title, int(vertical), self._fit(painter, step.title, title))
        painter.setFont(t.font("small"))
        painter.setPen(t.colour("text2"))
        low = QRect(title.left(), top.bottom(), title.width(), t.px(16))
        painter.drawText(low, int(vertical), self._fit(painter, step.words, low))
        self._focus(painter, option, chosen)
        painter.restore()

    def _focus(self, painter: QPainter, option: QStyleOptionViewItem, chosen: bool) -> None:
        if chosen and option.widget is not None and option.widget.hasFocus():
            painter.setPen(QPen(theme().colour("accent"), 2))
            painter.drawRect(option.rect.adjusted(1, 1, -1, -1))

    def _fit(self, painter: QPainter, text: str, rect: QRect) -> str:
        return painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, rect.width())


class StepList(QListView):
    """The steps; ``opened(int)`` is sent when a person opens one by mouse or keyboard.

    ``compact`` shows icon and number alone; title and state then stand in the tool tip, in the
    accessible name and in the menu.
    """

    opened = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("steps", True)
        self.setAccessibleName("Steps of the procedure")
        self.steps = StepModel()
        self.setModel(self.steps)
        self.setItemDelegate(StepDelegate(self))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self._quiet = False
        self.compact = False
        self.selectionModel().currentChanged.connect(self._current)
        theme().changed.connect(self.doItemsLayout)

    def set_compact(self, compact: bool) -> None:
        """Show icon and number alone, or the words too."""
        if compact != self.compact:
            self.compact = compact
            self.doItemsLayout()

    def set_rows(self, rows: Sequence[StepRow]) -> None:
        """Show the states of the steps."""
        self.steps.set_rows(rows)

    def show_step(self, number: int) -> None:
        """Mark a step as open, without sending ``opened``."""
        self._quiet = True
        self.setCurrentIndex(self.steps.index(number))
        self._quiet = False

    def _current(self, now: QModelIndex, before: QModelIndex) -> None:
        if now.isValid() and not self._quiet:
            self.opened.emit(self.steps.rows[now.row()].number)
