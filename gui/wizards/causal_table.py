"""The arrows of a graph as a table that can be edited with the keyboard alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QComboBox, QStyleOptionViewItem, QWidget

from gui.widgets.cells import CellDelegate
from gui.widgets.table import Cell, DataTable, TableModel

from .causal_draft import Edge
from .causal_words import text

Index = QModelIndex | QPersistentModelIndex


class EdgeModel(TableModel):
    """One row an arrow and an empty one at the end; the first two cells can be written.

    ``written(row, start, end)`` is sent when a row has both ends.
    """

    written = Signal(int, str, str)

    def __init__(self) -> None:
        super().__init__()
        self.edges: list[Edge] = []
        self.half = ("", "")
        self.closed = False
        self.show_edges([], [], [])

    def show_edges(
        self, edges: Sequence[Edge], figures: Sequence[str], problems: Sequence[Cell | str]
    ) -> None:
        """Show arrows with their figure and what to know about each."""
        self.edges = list(edges)
        rows: list[Any] = [
            (a, b, f, p) for (a, b), f, p in zip(edges, figures, problems, strict=True)
        ]
        if not self.closed:
            first = self.half[0] or Cell(text("new_row"), tone="second")
            rows.append((first, self.half[1], "", ""))
        head = (text("from"), text("to"), text("strength"), text("problem"))
        self.set_table(head, rows, "llrl")

    def flags(self, index: Index) -> Qt.ItemFlag:
        found = super().flags(index)
        if index.column() < 2 and not self.closed:
            found |= Qt.ItemFlag.ItemIsEditable
        return found

    def value(self, row: int, column: int) -> str:
        """An end as it was written."""
        return self.edges[row][column] if row < len(self.edges) else self.half[column]

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        row, column, name = index.row(), index.column(), str(value).strip()
        ends = [self.value(row, 0), self.value(row, 1)]
        if ends[column] == name:
            return False
        ends[column] = name
        if row >= len(self.edges):
            self.half = (ends[0], ends[1])
            cells: list[Any] = list(self.rows[row])
            cells[column] = name
            self.rows[row] = tuple(cells)
            self.dataChanged.emit(index, index)
        if all(ends):
            if row >= len(self.edges):
                self.half = ("", "")
            self.written.emit(row, ends[0], ends[1])
        return True


class EndDelegate(CellDelegate):
    """Offers the columns in a field that takes any text."""

    def __init__(self, view: EdgeTable) -> None:
        super().__init__(view)
        self.columns: tuple[str, ...] = ()

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        made = QComboBox(parent)
        made.setEditable(True)
        made.setProperty("small", True)
        made.addItems(list(self.columns))
        words = text("to" if index.column() else "from")
        made.setAccessibleName(words)
        line = made.lineEdit()
        assert line is not None
        line.setAccessibleName(words)
        made.view().setAccessibleName(words)
        made.activated.connect(lambda _i: self._done(made))
        return made

    def _done(self, editor: QComboBox) -> None:
        self.commitData.emit(editor)
        self.closeEditor.emit(editor)

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        model = index.model()
        assert isinstance(editor, QComboBox) and isinstance(model, EdgeModel)
        editor.setCurrentText(model.value(index.row(), index.column()))
        line = editor.lineEdit()
        if line is not None:
            line.selectAll()

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: Index) -> None:
        assert isinstance(editor, QComboBox) and isinstance(model, EdgeModel)
        model.setData(model.index(index.row(), index.column()), editor.currentText())

    def updateEditorGeometry(
        self, editor: QWidget, option: QStyleOptionViewItem, index: Index
    ) -> None:
        editor.setGeometry(option.rect)


class EdgeTable(DataTable):
    """The table. Enter or a letter writes a cell, Delete takes an arrow out.

    ``edge_chosen(object)``, ``remove_asked(object)``
    """

    edge_chosen = Signal(object)
    remove_asked = Signal(object)

    def __init__(self) -> None:
        self.edge_model = EdgeModel()
        super().__init__(
            self.edge_model, words=text("table", graph=""), stretch=3, row_height=29,
            least={0: 150, 1: 150, 2: 70}, wrap=True,
        )  # fmt: skip
        self.ends = EndDelegate(self)
        self.setItemDelegate(self.ends)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(
            QAbstractItemView.EditTrigger.DoubleClicked
            | QAbstractItemView.EditTrigger.EditKeyPressed
            | QAbstractItemView.EditTrigger.AnyKeyPressed
        )
        self.selectionModel().currentRowChanged.connect(self._row)

    def _row(self, now: QModelIndex, _before: QModelIndex) -> None:
        edges = self.edge_model.edges
        if self.hasFocus() and 0 <= now.row() < len(edges):
            self.edge_chosen.emit(edges[now.row()])

    def keyPressEvent(self, event: QKeyEvent) -> None:
        at = self.currentIndex()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_F2) and at.isValid():
            if self.edge_model.flags(at) & Qt.ItemFlag.ItemIsEditable:
                self.edit(at)
        elif event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            if 0 <= at.row() < len(self.edge_model.edges) and not self.edge_model.closed:
                self.remove_asked.emit(self.edge_model.edges[at.row()])
        elif event.key() == Qt.Key.Key_Space:
            self._clicked(at)
        else:
            super().keyPressEvent(event)
