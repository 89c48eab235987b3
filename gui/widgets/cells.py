"""How a table's head and cells are painted: text, second lines, marks, chips, rates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QHeaderView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from engine.base.wording import percent
from gui import icons
from gui.theme import theme

from .values import RAW, AxisHead, Cell, RateCell, is_verdict
from .verdict import MARK, chip_width, draw_chip, draw_mark

if TYPE_CHECKING:
    from .table import DataTable

Index = QModelIndex | QPersistentModelIndex


class HeadView(QHeaderView):
    """Headings aligned as their columns, over a line in the colour of controls."""

    def __init__(self, view: DataTable) -> None:
        super().__init__(Qt.Orientation.Horizontal, view)
        self._view = view
        self.setHighlightSections(False)
        self.setSectionsClickable(False)
        self.setMinimumSectionSize(theme().px(24))
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def _raw(self, section: int) -> Any:
        return self.model().headerData(section, Qt.Orientation.Horizontal, RAW)

    def _columns(self) -> int:
        """The columns of the model: the head itself may not know of a new table yet."""
        model = self.model()
        return model.columnCount() if model is not None else 0

    def _lines(self, section: int) -> int:
        """Lines that a heading takes at the width of its column."""
        raw = self._raw(section)
        if isinstance(raw, AxisHead):
            room = self.sectionSize(section) - theme().px(16)
            return 1 + len(broken_lines(raw.text, room)) if section in self._view.broken else 2
        if section not in self._view.broken:
            return 2 if "\n" in str(raw or "") else 1
        metrics = theme().metrics("head")
        room = self.sectionSize(section) - theme().px(16) - self._edges(section)
        box = metrics.boundingRect(
            QRect(0, 0, max(1, room), 10000), int(Qt.TextFlag.TextWordWrap), str(raw or "")
        )
        return max(1, round(box.height() / metrics.lineSpacing()))

    def sizeHint(self) -> QSize:
        lines = max([self._lines(s) for s in range(self._columns())], default=1)
        return QSize(super().sizeHint().width(), theme().px(10 + 16 * lines))

    def sectionSizeFromContents(self, section: int) -> QSize:
        raw = self._raw(section)
        if isinstance(raw, AxisHead):
            return QSize(theme().px(raw.width), self.height())
        metrics = theme().metrics("head")
        words = [metrics.horizontalAdvance(part) for part in str(raw or "").split("\n")]
        wide = max(words, default=0) + theme().px(18) + self._edges(section)
        return QSize(wide, self.height())  # the height is set for all columns together

    def _edges(self, section: int) -> int:
        outer = section in (0, self._columns() - 1)
        return theme().px(6) if outer and self._view.boxed else 0

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        from .table import cell_rect

        t = theme()
        raw = self._raw(section)
        painter.save()
        inner = cell_rect(self._view, self.model().index(0, section), rect)
        if not self.model().rowCount():  # an index of an empty model names no column
            first = t.px(12) if self._view.boxed else 0
            inner = rect.adjusted(first if section == 0 else t.px(8), 0, -t.px(8), 0)
        inner.adjust(0, 0, 0, -t.px(5))
        painter.setFont(t.font("head"))
        painter.setPen(t.colour("text2"))
        if isinstance(raw, AxisHead):
            self._paint_axis(painter, inner, raw)
        else:
            align = self.model().headerData(
                section, Qt.Orientation.Horizontal, Qt.ItemDataRole.TextAlignmentRole
            )
            side = Qt.AlignmentFlag(align) & Qt.AlignmentFlag.AlignHorizontal_Mask
            words = str(raw or "")
            breaks = section in self._view.broken
            if "\n" not in words and not breaks:
                words = painter.fontMetrics().elidedText(
                    words, Qt.TextElideMode.ElideRight, inner.width()
                )
            flags = int(side | Qt.AlignmentFlag.AlignBottom)
            flags |= int(Qt.TextFlag.TextWordWrap) if breaks else 0
            painter.drawText(inner, flags, words)
        painter.setPen(QPen(t.colour("control"), 1))
        painter.drawLine(rect.left(), rect.bottom(), rect.right(), rect.bottom())
        painter.restore()

    def _paint_axis(self, painter: QPainter, inner: QRect, head: Any) -> None:
        metrics = painter.fontMetrics()
        low = theme().metrics("small")
        above = inner.adjusted(0, 0, 0, -low.height() - theme().px(1))
        lines = broken_lines(head.text, inner.width())
        if len(lines) * metrics.lineSpacing() > above.height() + theme().px(4):
            lines = [metrics.elidedText(head.text, Qt.TextElideMode.ElideRight, inner.width())]
        flags = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom)
        painter.drawText(above, flags, "\n".join(lines))
        painter.setFont(theme().font("small"))
        metrics = painter.fontMetrics()
        end = float("-inf")
        for tick in head.ticks:
            words = percent(tick, digits=0)
            wide = metrics.horizontalAdvance(words)
            x = axis_x(inner, head, tick) - wide / 2
            x = min(max(x, inner.left()), inner.right() - wide)
            if x > end:  # a tick that would touch the one before stands without its words
                painter.drawText(QPointF(x, inner.bottom() - metrics.descent() + 1), words)
                end = x + wide + theme().px(6)


def broken_lines(text: str, room: int) -> list[str]:
    """A heading broken at blanks into lines that fit."""
    metrics = theme().metrics("head")
    lines: list[str] = []
    for word in text.split():
        if lines and metrics.horizontalAdvance(f"{lines[-1]} {word}") <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines or [""]


def axis_x(inner: QRect, head: Any, value: float) -> float:
    """Where a share lies on the axis of its column, in pixels; outside, at the axis' end."""
    share = (value - head.low) / ((head.high - head.low) or 1.0)
    room = theme().px(6)
    return inner.left() + room + min(1.0, max(0.0, share)) * (inner.width() - 2 * room)


class CellDelegate(QStyledItemDelegate):
    """Paints every kind of cell that :class:`gui.widgets.table.TableModel` may hold."""

    def __init__(self, view: DataTable) -> None:
        super().__init__(view)
        self._view = view

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        t = theme()
        value = index.data(RAW)
        edge = t.px(12) if self._view.boxed else t.px(8)
        high = t.px(self._view.row_height)
        text = str(index.data() or "")
        verdict = is_verdict(value)
        if isinstance(value, RateCell):
            head = self._view.model().columns[index.column()]
            wide = t.px(head.width if isinstance(head, AxisHead) else 190)
        elif verdict:
            wide = chip_width(verdict)
        elif isinstance(value, Cell):
            metrics = theme().metrics(value.role or ("key" if value.bold else "text"))
            wide = metrics.horizontalAdvance(text)
            if value.chip and value.mark:
                wide = chip_width(value.mark)
            elif value.icon or value.mark:
                wide += t.px(24)
            if value.sub:
                wide = max(wide, theme().metrics("help").horizontalAdvance(value.sub))
                high = max(high, t.px(45 if self._view.row_height > 40 else 36))
        else:
            bold = index.row() in self._view.model().total_rows
            wide = theme().metrics("key" if bold else "text").horizontalAdvance(text)
        may = self._view.may_break(value) and not isinstance(value, RateCell)
        if self._view.breaks(index.column()) and text and may:
            high = max(high, self._broken_height(index, value, text, edge))
        return QSize(wide + t.px(8) + edge + 2, high)

    def _broken_height(self, index: Index, value: Any, text: str, edge: int) -> int:
        """The height of a cell whose text breaks into lines; 0 where it stands on one."""
        t = theme()
        cell = value if isinstance(value, Cell) else None
        room = self._view.columnWidth(index.column()) - t.px(8) - edge
        if cell is not None and (cell.icon or cell.mark):
            room -= t.px(22)
        if room <= 20:
            return 0
        bold = index.row() in self._view.model().total_rows or (cell is not None and cell.bold)
        role = (cell.role if cell is not None else "") or ("key" if bold else "text")
        high = broken_box(text, role, room).height()
        lines = high > theme().metrics(role).lineSpacing() * 1.5
        if cell is not None and cell.sub:
            sub = broken_box(cell.sub, self._sub_role(), room).height()
            lines = lines or sub > theme().metrics(self._sub_role()).lineSpacing() * 1.5
            high += sub
        return high + t.px(9) if lines else 0

    def _sub_role(self) -> str:
        return "help" if self._view.row_height > 40 else "small"

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        from .table import cell_rect

        t = theme()
        model = self._view.model()
        total = index.row() in model.total_rows
        painter.save()
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        if chosen:
            painter.fillRect(option.rect, t.colour("selection"))
        elif total:
            painter.fillRect(option.rect, t.colour("total"))
        if not self._view.boxed or index.row() < model.rowCount() - 1:
            painter.setPen(QPen(t.colour("hairline"), 1))
            painter.drawLine(
                option.rect.left(), option.rect.bottom(), option.rect.right(), option.rect.bottom()
            )
        inner = cell_rect(self._view, index, option.rect)
        value = index.data(RAW)
        verdict = is_verdict(value)
        if isinstance(value, RateCell):
            self._rate(painter, inner, index, value)
        elif verdict:
            draw_chip(painter, QRectF(inner), verdict, plain=True)
        elif isinstance(value, Cell):
            self._cell(painter, inner, index, value, total)
        else:
            self._text(painter, inner, index, "key" if total else "text", "text")
        if index == self._view.currentIndex() and self._view.hasFocus():
            painter.setPen(QPen(t.colour("accent"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(option.rect.adjusted(1, 1, -1, -2))
        painter.restore()

    def _text(self, painter: QPainter, inner: QRect, index: Index, role: str, tone: str) -> None:
        painter.setFont(theme().font(role))
        painter.setPen(theme().colour(tone))
        align = Qt.AlignmentFlag(index.data(Qt.ItemDataRole.TextAlignmentRole))
        text = str(index.data() or "")
        if self._view.breaks(index.column()):
            painter.drawText(inner, int(align) | int(Qt.TextFlag.TextWordWrap), text)
            return
        text = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, inner.width())
        painter.drawText(inner, int(align), text)

    def _cell(self, painter: QPainter, inner: QRect, index: Index, cell: Any, total: bool) -> None:
        t = theme()
        if cell.chip and cell.mark:
            draw_chip(painter, QRectF(inner), cell.mark)
            return
        if cell.icon:
            side = t.px(14)
            middle = inner.top() + (inner.height() - side) / 2
            icons.paint(
                painter, cell.icon, QRectF(inner.left(), middle, side, side), _colour(cell.tone)
            )
            inner = inner.adjusted(t.px(22), 0, 0, 0)
        elif cell.mark:
            side = t.px(MARK)
            centre = QPointF(inner.left() + side / 2, inner.center().y() + 0.5)
            if cell.mark in ("privileged", "unprivileged"):
                draw_disc(painter, centre, t.px(9), cell.mark == "privileged")
            else:
                draw_mark(painter, centre, side, cell.mark)
            inner = inner.adjusted(
                t.px(22 if cell.mark not in ("privileged", "unprivileged") else 18), 0, 0, 0
            )
        role = cell.role or ("key" if cell.bold or total else "mono" if cell.mono else "text")
        tone = "accent" if cell.link else _colour(cell.tone)
        if cell.sub and self._view.breaks(index.column()):
            self._two_texts(painter, inner, index, cell, role, tone)
            return
        if cell.sub:
            top = inner.adjusted(0, t.px(5), 0, 0)
            middle_line = t.px(18)
            top.setHeight(middle_line)
            self._line(painter, top, index, cell.text, role, tone)
            low = QRect(inner.left(), top.bottom(), inner.width(), t.px(15))
            self._line(painter, low, index, cell.sub, self._sub_role(), "text2")
            return
        if cell.link:
            font = t.font("button")
            font.setUnderline(True)
            painter.setFont(font)
            painter.setPen(t.colour("accent"))
            painter.drawText(inner, int(index.data(Qt.ItemDataRole.TextAlignmentRole)), cell.text)
            return
        self._text(painter, inner, index, role, tone)

    def _two_texts(
        self, painter: QPainter, inner: QRect, index: Index, cell: Any, role: str, tone: str
    ) -> None:
        """Text and second line, each broken at the width of the column, middle of the cell."""
        t = theme()
        top, low = broken_box(cell.text, role, inner.width()), broken_box(cell.sub, self._sub_role(), inner.width())  # fmt: skip
        y = inner.top() + max(0, (inner.height() - top.height() - low.height()) // 2)
        side = Qt.AlignmentFlag(index.data(Qt.ItemDataRole.TextAlignmentRole))
        side &= Qt.AlignmentFlag.AlignHorizontal_Mask
        flags = int(side | Qt.AlignmentFlag.AlignTop) | int(Qt.TextFlag.TextWordWrap)
        for box, text, font, colour in (
            (top, cell.text, role, tone), (low, cell.sub, self._sub_role(), "text2"),
        ):  # fmt: skip
            painter.setFont(t.font(font))
            painter.setPen(t.colour(colour))
            painter.drawText(QRect(inner.left(), y, inner.width(), box.height()), flags, text)
            y += box.height()

    def _line(
        self, painter: QPainter, rect: QRect, index: Index, text: str, role: str, tone: str
    ) -> None:
        painter.setFont(theme().font(role))
        painter.setPen(theme().colour(tone))
        text = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, rect.width())
        painter.drawText(rect, int(index.data(Qt.ItemDataRole.TextAlignmentRole)), text)

    def _rate(self, painter: QPainter, inner: QRect, index: Index, rate: Any) -> None:
        t = theme()
        head = self._view.model().columns[index.column()]
        if not isinstance(head, AxisHead):
            head = AxisHead("")
        painter.setPen(QPen(t.colour("hairline"), 1))
        for tick in head.ticks:
            x = round(axis_x(inner, head, tick))
            painter.drawLine(x, inner.top() + 3, x, inner.bottom() - 3)
        if rate.value is None:
            self._line(painter, inner, index, rate.text, "small", "text2")
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle = inner.center().y() + 0.5
        if rate.low is not None and rate.high is not None:
            painter.setPen(QPen(t.colour("accent"), 1.75 * t.scale))
            painter.drawLine(
                QPointF(axis_x(inner, head, rate.low), middle),
                QPointF(axis_x(inner, head, rate.high), middle),
            )
        draw_disc(painter, QPointF(axis_x(inner, head, rate.value), middle), t.px(9), rate.filled)


def draw_disc(painter: QPainter, centre: QPointF, side: float, filled: bool) -> None:
    """The disc of a group: full for the privileged, open for the unprivileged."""
    t = theme()
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(t.colour("accent"), 1.75 * t.scale))
    painter.setBrush(QColor(t.colour("accent" if filled else "page")))
    painter.drawEllipse(centre, side / 2 - 0.5, side / 2 - 0.5)
    painter.restore()


def broken_box(text: str, role: str, room: int) -> QRect:
    """The room that a text takes when it breaks into lines at a width."""
    metrics = theme().metrics(role)
    flags = int(Qt.TextFlag.TextWordWrap)
    return metrics.boundingRect(QRect(0, 0, max(1, room), 10000), flags, text)


def _colour(tone: str) -> str:
    return {"": "text", "second": "text2", "disabled": "not_checked"}.get(tone, tone)
