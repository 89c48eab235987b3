"""Tables: a model of plain rows, a view with hairlines across only, copy and export."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QEvent, QModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QAction, QGuiApplication, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFileDialog,
    QHeaderView,
    QMenu,
    QSizePolicy,
    QTableView,
    QWidget,
)

from gui import messages
from gui.theme import theme

from .cells import CellDelegate, HeadView
from .reflow import fitted, least_width
from .saving import save
from .values import RAW as RAW
from .values import AxisHead as AxisHead
from .values import Cell as Cell
from .values import RateCell as RateCell
from .values import is_verdict as is_verdict
from .values import shown as shown

ALIGN = {
    "l": Qt.AlignmentFlag.AlignLeft,
    "r": Qt.AlignmentFlag.AlignRight,
    "c": Qt.AlignmentFlag.AlignHCenter,
}
MOST_BROKEN = 200
"""Tables of more rows keep each row on one line."""


class TableModel(QAbstractTableModel):
    """Rows of plain values, :class:`Cell`, :class:`RateCell` or verdicts.

    Parameters
    ----------
    columns : headings; text or :class:`AxisHead`.
    rows : one sequence a row.
    align : one letter a column, ``l``, ``r`` or ``c``; the first is left, the others by content.
    total_rows : indices of rows on the ground of totals, in bold.
    """

    def __init__(
        self, columns: Sequence[Any] = (), rows: Iterable[Sequence[Any]] = (), align: str = "",
        *, total_rows: Iterable[int] = (),
    ) -> None:  # fmt: skip
        super().__init__()
        self.set_table(columns, rows, align, total_rows=total_rows)

    def set_table(
        self, columns: Sequence[Any], rows: Iterable[Sequence[Any]], align: str = "",
        *, total_rows: Iterable[int] = (),
    ) -> None:  # fmt: skip
        """Put another table into the model."""
        self.beginResetModel()
        self.columns = tuple(columns)
        self.rows = [tuple(one) for one in rows]
        self.align = align if len(align) == len(self.columns) else self._guess()
        self.total_rows = frozenset(total_rows)
        self.endResetModel()

    def _guess(self) -> str:
        letters = []
        for index in range(len(self.columns)):
            cells = [r[index] for r in self.rows[:50] if index < len(r) and r[index] is not None]
            numbers = [isinstance(one, int | float) and not isinstance(one, bool) for one in cells]
            letters.append("r" if index and numbers and all(numbers) else "l")
        return "".join(letters)

    def rowCount(self, parent: QModelIndex = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: QModelIndex = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.columns)

    def raw(self, row: int, column: int) -> Any:
        """The cell as it was put in; None where a row is shorter."""
        cells = self.rows[row]
        return cells[column] if column < len(cells) else None

    def text(self, row: int, column: int) -> str:
        """The cell as text, as copied and exported."""
        return shown(self.raw(row, column))

    def data(self, index: QModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        value = self.raw(index.row(), index.column())
        if role == Qt.ItemDataRole.DisplayRole:
            return value.text if isinstance(value, Cell) else shown(value)
        if role == RAW:
            return value
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return ALIGN[self.align[index.column()]] | Qt.AlignmentFlag.AlignVCenter
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{self.columns[index.column()]}: {shown(value)}"
        if role == Qt.ItemDataRole.ToolTipRole and isinstance(value, Cell) and value.tip:
            return value.tip
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation != Qt.Orientation.Horizontal or section >= len(self.columns):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return str(self.columns[section])
        if role == RAW:
            return self.columns[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return ALIGN[self.align[section]] | Qt.AlignmentFlag.AlignBottom
        return None


def defused(text: str) -> str:
    """A cell that a spreadsheet would take for a formula gets an apostrophe before it."""
    plain_number = (
        text.replace("\u2212", "").lstrip("+-").replace(",", "").replace(".", "").isdigit()
    )
    if text and (text[0] in "=@\t\r" or (text[0] in "+-" and not plain_number)):
        return "'" + text
    return text


def as_csv(model: TableModel) -> str:
    """The whole table as CSV, with formulas defused; minus signs are the plain hyphen."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([defused(str(one)) for one in model.columns])
    for row in range(model.rowCount()):
        cells = [model.text(row, column) for column in range(model.columnCount())]
        writer.writerow([defused(c.replace("\u2212", "-")) for c in cells])
    return out.getvalue()


class DataTable(QTableView):
    """A table of the look: row 27, head 12/500 over a rule, hairlines across only.

    Parameters
    ----------
    model : the rows; :meth:`set_table` changes them.
    words : accessible name, such as ``Counts by group``.
    boxed : inside a hairline box; unboxed, the first and last column stand flush.
    stretch : the column that takes the room left over (-1: the last); None: none.
    fit_rows : the view is as high as its rows, up to this many; it then scrolls with the page.
    least : least widths of columns, in pixels at 100 %.
    wrap : text breaks into several lines where a column is narrow. Any table of few rows does so
        where it would else be wider than its place; what is still too wide scrolls in itself.

    Signals
    -------
    row_chosen(int), link_activated(str)
    """

    row_chosen = Signal(int)
    link_activated = Signal(str)

    def __init__(
        self, model: TableModel | None = None, *, words: str, boxed: bool = False,
        stretch: int | None = 0, fit_rows: int = 40, wrap: bool = False, row_height: float = 27,
        selectable: bool = True, least: Mapping[int, float] | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.boxed, self.wrap, self.row_height = boxed, wrap, row_height
        self._stretch, self._fit = stretch, fit_rows
        self._least = dict(least or {})
        self._needs: list[int] = []
        self._short: list[int] = []
        self.broken: frozenset[int] = frozenset()
        """Columns that are narrower than their text, which breaks into lines in them."""
        self.setProperty("boxed", boxed)
        self.setAccessibleName(words)
        self.setHorizontalHeader(HeadView(self))
        self.verticalHeader().hide()
        self.setShowGrid(False)
        self.setFrameShape(QTableView.Shape.NoFrame)
        self.setWordWrap(wrap)
        self.setCornerButtonEnabled(False)
        self.setTabKeyNavigation(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(
            QAbstractItemView.SelectionMode.ExtendedSelection
            if selectable
            else QAbstractItemView.SelectionMode.NoSelection
        )
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setItemDelegate(CellDelegate(self))
        self.setSizePolicy(
            QSizePolicy.Policy.Expanding,
            QSizePolicy.Policy.Fixed if fit_rows else QSizePolicy.Policy.Expanding,
        )
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._menu)
        self.setMouseTracking(True)
        self.clicked.connect(self._clicked)
        theme().changed.connect(self.measure)
        self.setModel(model or TableModel())
        self.model().modelReset.connect(self.measure)
        self.measure()

    def model(self) -> TableModel:
        found = super().model()
        assert isinstance(found, TableModel)
        return found

    def set_table(
        self, columns: Sequence[Any], rows: Iterable[Sequence[Any]], align: str = "",
        *, total_rows: Iterable[int] = (),
    ) -> None:  # fmt: skip
        """Show another table."""
        self.model().set_table(columns, rows, align, total_rows=total_rows)

    def set_widget(self, row: int, column: int, widget: QWidget) -> None:
        """Put a control into a cell; give it an accessible name that names the row."""
        self.setIndexWidget(self.model().index(row, column), widget)

    def measure(self) -> None:
        """Set heights and widths anew, after a change of rows, theme or text scale."""
        head = self.horizontalHeader()
        self.verticalHeader().setMinimumSectionSize(theme().px(16))
        self.verticalHeader().setDefaultSectionSize(theme().px(self.row_height))
        head.setFixedHeight(head.sizeHint().height())
        columns = range(self.model().columnCount())
        few = self.model().rowCount() <= MOST_BROKEN
        self._needs, self._short = [], []
        for index in columns:
            head.setSectionResizeMode(index, QHeaderView.ResizeMode.Interactive)
            cells = self.sizeHintForColumn(index)
            wide = max(cells, head.sectionSizeFromContents(index).width())
            wide = max(wide, theme().px(self._least.get(index, 0)))
            short = least_width(self, index, cells) if few or self.wrap else wide
            if not few:
                wide = min(wide, theme().px(420))
            self._needs.append(wide)
            self._short.append(min(wide, max(short, theme().px(self._least.get(index, 0)))))
        self.place_columns()
        self.updateGeometry()
        if self._fit:
            self.setFixedHeight(self._height())

    def place_columns(self) -> None:
        """Give the columns the room that there is: broken into lines where it is scarce."""
        if len(self._needs) != self.model().columnCount():
            return  # another table was put in and is yet to be measured
        wide = self.width() > theme().px(60)  # else it was never laid out
        room = self.viewport().width() if wide else sum(self._needs)
        widths = fitted(self._needs, self._short, room)
        if self._stretch is not None and widths:
            widths[self._stretch] += max(0, room - sum(widths))
        broken = frozenset(i for i, w in enumerate(widths) if w < self._needs[i])
        changed = broken or self.broken
        self.broken = broken
        for index, width in enumerate(widths):
            self.setColumnWidth(index, width)
        head = self.horizontalHeader()
        head.setFixedHeight(head.sizeHint().height())
        subs = any(isinstance(c, Cell) and c.sub for r in self.model().rows for c in r)
        if self.wrap or changed or subs:
            self.resizeRowsToContents()
        self.updateGeometries()  # else the height would hold room for a bar that is not needed

    def may_break(self, value: Any) -> bool:
        """Whether a cell of this kind may stand in several lines."""
        if isinstance(value, Cell):
            return not (value.chip or value.link)
        return value is None or (isinstance(value, str | int | float) and not is_verdict(value))

    def breaks(self, column: int) -> bool:
        """Whether the text of a column breaks into lines."""
        return self.wrap or column in self.broken

    def _height(self) -> int:
        rows = min(self._fit, self.model().rowCount())
        body = sum(self.rowHeight(one) for one in range(rows))
        head = 0 if self.horizontalHeader().isHidden() else self.horizontalHeader().height()
        bar = 0
        if self.horizontalScrollBar().maximum() > 0 and self.width() > 100:
            bar = self.horizontalScrollBar().sizeHint().height()
        return head + body + bar + (2 if self.boxed else 0) + 1

    def sizeHint(self) -> QSize:
        wide = sum(self.columnWidth(one) for one in range(self.model().columnCount()))
        return QSize(min(wide + 4, theme().px(600)), self._height() if self._fit else 240)

    def minimumSizeHint(self) -> QSize:
        return QSize(theme().px(160), theme().px(60))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self.place_columns()
        if self._fit and self.height() != self._height():
            self.setFixedHeight(self._height())

    def selected_rows(self) -> list[int]:
        """The chosen rows, from the top."""
        return sorted(one.row() for one in self.selectionModel().selectedRows())

    def copy(self) -> None:
        """Put the chosen rows, or all, on the clipboard as text with tabs."""
        model = self.model()
        rows = self.selected_rows() or range(model.rowCount())
        lines = ["\t".join(str(one) for one in model.columns)]
        lines += [
            "\t".join(model.text(r, c).replace("\t", " ") for c in range(model.columnCount()))
            for r in rows
        ]
        QGuiApplication.clipboard().setText("\n".join(lines))

    def export(self, path: str = "") -> None:
        """Write the whole table as CSV; asks for the file where none is given."""
        if not path:
            path, _ = QFileDialog.getSaveFileName(
                self,
                messages.text("table.export_title"),
                f"{self.accessibleName()}.csv",
                "CSV (*.csv)",
            )
        if path:
            target, text = Path(path), as_csv(self.model())
            save(self, target, lambda: target.write_text(text, "utf-8-sig", newline=""))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            if self.currentIndex().isValid():
                self._clicked(self.currentIndex())
        elif event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down) and not self.model().rowCount():
            event.ignore()
        else:
            super().keyPressEvent(event)

    def viewportEvent(self, event: QEvent) -> bool:
        if (
            event.type() == QEvent.Type.Wheel
            and self._fit
            and not self.verticalScrollBar().maximum()
        ):
            event.ignore()
            return False
        return super().viewportEvent(event)

    def _clicked(self, index: QModelIndex) -> None:
        cell = self.model().data(index, RAW)
        if isinstance(cell, Cell) and cell.link:
            self.link_activated.emit(cell.link)
        self.row_chosen.emit(index.row())

    def _menu(self, where: Any) -> None:
        menu = QMenu(self)
        copy = QAction(messages.text("table.copy"), menu)
        copy.setShortcut(QKeySequence.StandardKey.Copy)
        copy.triggered.connect(self.copy)
        export = QAction(messages.text("table.export"), menu)
        export.triggered.connect(lambda: self.export())
        menu.addActions([copy, export, *self.actions()])
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.viewport().mapToGlobal(where))


def printed(table: Any, *, words: str = "", boxed: bool = False) -> DataTable:
    """A view of an :class:`engine.methods.base.PrintedTable` or a chart's table."""
    title = words or getattr(table, "title", "") or "Table"
    model = TableModel(table.columns, table.rows, getattr(table, "align", ""))
    return DataTable(model, words=title, boxed=boxed)


def cell_rect(view: DataTable, index: QModelIndex, rect: QRect) -> QRect:
    """A cell's rectangle less its padding; the outer edges are flush where the table is unboxed."""
    pad = theme().px(8)
    edge = theme().px(12) if view.boxed else 0
    head = view.horizontalHeader()
    first = head.visualIndex(index.column()) == 0
    last = head.visualIndex(index.column()) == view.model().columnCount() - 1
    return rect.adjusted(edge if first else pad, 0, -(edge if last else pad), 0)
