"""The interval table: the figure *is* the table, so every number in it can be read and copied."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem

from engine.base import wording
from engine.drawing import axis
from engine.drawing.model import IntervalChart, IntervalRow
from gui import messages
from gui.palette import verdict_colour
from gui.theme import theme

from .cells import CellDelegate, HeadView, Index, broken_box
from .table import Cell, DataTable, TableModel
from .verdict import draw_chip

PLOT = 1
"""The column of the plot."""
NARROW = 620
"""Under this width, in pixels at 100 %, the figures of a row stand under its name."""


class IntervalModel(TableModel):
    """A model of heading rows, metric rows and one row for the axis.

    ``entries`` holds for each row a heading (text), an :class:`IntervalRow`, or None for the axis.
    """

    def __init__(self, chart: IntervalChart) -> None:
        super().__init__()
        self.set_chart(chart)

    def set_chart(self, chart: IntervalChart) -> None:
        """Show another chart."""
        self.chart = chart
        self.entries: list[str | IntervalRow | None] = []
        group = None
        for one in chart.rows:
            if one.group != group and one.group:
                self.entries.append(one.group)
            group = one.group
            self.entries.append(one)
        self.entries.append(None)
        ends = [end for one in chart.rows for end in distances(one)]
        edges = [abs(e - (r.ideal or 0.0)) for r in chart.rows if r.band for e in r.band]
        reach = max([abs(e) for e in ends] + edges + [0.05])
        # The outer ticks may lie inside the longest whisker by a little, as in the picture.
        self.ticks = _ticks(reach)
        self.reach = max(reach, max(self.ticks))
        rows = [self._cells(entry) for entry in self.entries]
        level = wording.percent(chart.confidence, digits=0)
        columns = ("Metric", "Tolerance band", "Value", f"{level} interval", "Verdict")
        self.set_table(columns, rows, "lcrrl")

    def _cells(self, entry: str | IntervalRow | None) -> tuple[object, ...]:
        if isinstance(entry, str):
            return (Cell(entry, bold=True),)
        if entry is None:
            words = self.chart.x_label or "Distance from the ideal: 0, for ratios 1"
            return (Cell(words, tone="second", role="small"),)
        plot = entry.reason if entry.value is None else ""
        return (
            Cell(entry.label, sub=entry.sub),
            plot,
            Cell(entry.shown or wording.number(entry.value), bold=True),
            Cell(
                entry.shown_interval or wording.interval(entry.low, entry.high),
                tone="second", role="help",
            ),
            messages.verdict_word(entry.verdict) if entry.verdict else "",
        )  # fmt: skip


def _ticks(reach: float) -> list[float]:
    """Round values up to the longest whisker or a little beyond; five or more where that is short."""
    for most in (6, 8):
        found = [tick for tick in axis.ticks(-reach, reach, most=most) if abs(tick) <= 1.2 * reach]
        if len(found) >= 5:
            break
    return found


def distances(row: IntervalRow) -> list[float]:
    """Value and ends of a row as distances from its ideal, those that are known."""
    ideal = row.ideal or 0.0
    return [v - ideal for v in (row.value, row.low, row.high) if v is not None]


class _Head(HeadView):
    """The interval table's headings: no rule under them, and the band's name over the band."""

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        t = theme()
        painter.save()
        painter.setFont(t.font("small"))
        painter.setPen(t.colour("text2"))
        if section:
            right = section in (2, 3)
            side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
            side = Qt.AlignmentFlag.AlignHCenter if section == PLOT else side
            inner = rect.adjusted(
                t.px(8) if section != PLOT else 0, 0, -t.px(8) if right else 0, -t.px(5)
            )
            words = str(self.model().headerData(section, Qt.Orientation.Horizontal))
            painter.drawText(inner, int(side | Qt.AlignmentFlag.AlignVCenter), words)
        painter.restore()


class IntervalTable(DataTable):
    """Metric, plot, value, interval and verdict of every row of an :class:`IntervalChart`.

    The band is drawn row by row, since tolerances differ. ``row_chosen`` sends the index of the
    row in the view; :meth:`metric_at` gives the row of the chart that stands there.
    """

    def __init__(self, chart: IntervalChart, *, words: str = "") -> None:
        self._placing = False
        super().__init__(
            IntervalModel(chart),
            words=words or chart.title,
            stretch=PLOT,
            fit_rows=400,
            row_height=33,
        )
        self.setAccessibleDescription(chart.alt or chart.sentence)
        self.setHorizontalHeader(_Head(self))
        self.setItemDelegate(IntervalDelegate(self))
        self.measure()

    def set_chart(self, chart: IntervalChart) -> None:
        """Show another chart."""
        model = self.model()
        assert isinstance(model, IntervalModel)
        self.setAccessibleDescription(chart.alt or chart.sentence)
        self.clearSpans()
        model.set_chart(chart)

    def metric_at(self, row: int) -> IntervalRow | None:
        """The chart's row at a row of the view; None for headings and the axis."""
        entries: Sequence[object] = getattr(self.model(), "entries", ())
        found = entries[row] if 0 <= row < len(entries) else None
        return found if isinstance(found, IntervalRow) else None

    @property
    def narrow(self) -> bool:
        """Whether value, interval and verdict stand under the metric's name, for want of room."""
        return 100 < self.viewport().width() < theme().px(NARROW)

    def place_columns(self) -> None:
        model, t = self.model(), theme()
        if not isinstance(model, IntervalModel) or self._placing:
            return
        self._placing = True
        try:
            narrow = self.narrow
            for column in (2, 3, 4):
                self.setColumnHidden(column, narrow)
            self.clearSpans()
            names = theme().metrics("small")
            longest = max([names.horizontalAdvance(r.sub) for r in model.chart.rows], default=0)
            room = self.viewport().width()
            if narrow:
                wide = max(round(0.6 * room), min(t.px(200), room - t.px(80)))
            else:
                wide = min(max(t.px(221), longest + t.px(12)), max(t.px(221), round(0.36 * room)))
            rest = 0 if narrow else t.px(66) + t.px(112) + t.px(118)
            for column, width in enumerate(
                (wide, room - wide - rest, t.px(66), t.px(112), t.px(118))
            ):
                self.setColumnWidth(column, max(t.px(40), width))
            for row, entry in enumerate(model.entries):
                self.setRowHeight(row, self._row_high(row, entry))
                if isinstance(entry, str):
                    self.setSpan(row, 0, 1, model.columnCount())
            self.horizontalHeader().setFixedHeight(t.px(24))
            self.updateGeometries()  # else the height would hold room for a bar that is not needed
            self.setFixedHeight(self._height())
        finally:
            self._placing = False

    def _row_high(self, row: int, entry: str | IntervalRow | None) -> int:
        t = theme()
        if entry is None:
            return t.px(24)
        if isinstance(entry, str):
            box = broken_box(entry, "key", self.viewport().width() - t.px(4))
            return max(t.px(26 if row == 0 else 27), box.height() + t.px(8))
        first = max(1, self.columnWidth(0) - t.px(8))
        high = broken_box(entry.label, "text", first).height()
        high += broken_box(entry.sub, "small", first).height()
        if self.narrow:
            return high + t.px(18 + 22 + 10)
        one_line = theme().metrics("text").lineSpacing() + theme().metrics("small").lineSpacing()  # fmt: skip
        return t.px(33) if high < 1.3 * one_line else high + t.px(6)


class IntervalDelegate(CellDelegate):
    """Paints headings over their rule, metric rows with the plot, and the axis."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        model = self._view.model()
        assert isinstance(model, IntervalModel)
        entry = model.entries[index.row()]
        t = theme()
        rect = option.rect
        painter.save()
        if isinstance(entry, IntervalRow):
            if option.state & QStyle.StateFlag.State_Selected:
                painter.fillRect(rect, t.colour("selection"))
            if index.column() == PLOT:
                self._plot(painter, rect, model, entry)
            self._rule(painter, rect, "hairline")
            if index.column() == 0:
                self._names(painter, rect, index, entry)
            elif index.column() == 4 and entry.verdict:
                draw_chip(
                    painter, QRectF(rect.adjusted(t.px(12), 0, 0, 0)), entry.verdict, plain=True
                )
            elif index.column() in (2, 3):
                cell = index.data(Qt.ItemDataRole.UserRole)
                role = "key" if index.column() == 2 else "help"
                self._line(
                    painter, rect.adjusted(0, 0, -t.px(8), 0), index, cell.text, role,
                    "text" if index.column() == 2 else "text2",
                )  # fmt: skip
        elif isinstance(entry, str):
            painter.setFont(t.font("key"))
            painter.setPen(t.colour("text"))
            flags = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextWordWrap)  # fmt: skip
            painter.drawText(rect.adjusted(0, 0, 0, -1), flags, entry)
            self._rule(painter, rect, "control")
        else:
            self._axis(painter, rect, index, model)
        if self._view.hasFocus() and self._view.currentIndex().row() == index.row():
            painter.setPen(QPen(t.colour("accent"), 2))
            painter.drawLine(rect.left(), rect.top() + 1, rect.right(), rect.top() + 1)
            painter.drawLine(rect.left(), rect.bottom() - 1, rect.right(), rect.bottom() - 1)
        painter.restore()

    def _rule(self, painter: QPainter, rect: QRect, colour: str) -> None:
        painter.setPen(QPen(theme().colour(colour), 1))
        painter.drawLine(rect.left(), rect.bottom(), rect.right(), rect.bottom())

    def _names(self, painter: QPainter, rect: QRect, index: Index, entry: IntervalRow) -> None:
        t = theme()
        inner = rect.adjusted(0, t.px(2), -t.px(8), 0)
        flags = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap)  # fmt: skip
        for text, role, colour in ((entry.label, "text", "text"), (entry.sub, "small", "text2")):
            high = broken_box(text, role, inner.width()).height()
            painter.setFont(t.font(role))
            painter.setPen(t.colour(colour))
            painter.drawText(QRect(inner.left(), inner.top(), inner.width(), high), flags, text)
            inner.adjust(0, high - (t.px(1) if role == "text" else 0), 0, 0)
        if getattr(self._view, "narrow", False):
            model, row = index.model(), index.row()
            said = [str(model.index(row, column).data() or "") for column in (2, 3)]
            words = f"{said[0]} ({said[1]})" if said[1] else said[0]
            line = QRect(inner.left(), inner.top(), inner.width(), t.px(18))
            self._line(painter, line, index, words, "key", "text")
            if entry.verdict:
                at = QRectF(inner.left(), inner.top() + t.px(19), inner.width(), t.px(20))
                draw_chip(painter, at, entry.verdict, plain=True)

    def _x(self, rect: QRect, model: IntervalModel, distance: float) -> float:
        half = rect.width() / 2
        return rect.left() + half + distance / model.reach * (half - theme().px(14))

    def _plot(
        self, painter: QPainter, rect: QRect, model: IntervalModel, entry: IntervalRow
    ) -> None:
        t = theme()
        ideal = entry.ideal or 0.0
        painter.setPen(QPen(t.colour("hairline"), 1))
        for tick in model.ticks:
            x = round(self._x(rect, model, tick))
            painter.drawLine(x, rect.top(), x, rect.bottom())
        if entry.value is None:
            self._words(painter, rect, entry.reason)
            return
        if entry.band:
            low, high = (self._x(rect, model, edge - ideal) for edge in entry.band)
            painter.fillRect(QRectF(low, rect.top(), high - low, rect.height()), t.colour("band"))
            painter.setPen(QPen(t.colour("band_edge"), 1))
            for edge in (low, high):
                painter.drawLine(round(edge), rect.top(), round(edge), rect.bottom())
        dotted = QPen(t.colour("text2"), 1)
        dotted.setDashPattern([2, 3])
        painter.setPen(dotted)
        middle = round(self._x(rect, model, 0.0))
        painter.drawLine(middle, rect.top(), middle, rect.bottom())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colour = t.colour(verdict_colour(entry.verdict or "not checked"))
        y = rect.center().y() + 0.5
        if entry.low is not None and entry.high is not None:
            painter.setPen(QPen(colour, 1.75 * t.scale))
            left, right = (
                self._x(rect, model, entry.low - ideal),
                self._x(rect, model, entry.high - ideal),
            )
            painter.drawLine(QPointF(left, y), QPointF(right, y))
            cap = 4 * t.scale
            for end in (left, right):
                painter.drawLine(QPointF(end, y - cap), QPointF(end, y + cap))
        draw_point(
            painter, QPointF(self._x(rect, model, entry.value - ideal), y), entry.verdict or ""
        )
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def _words(self, painter: QPainter, rect: QRect, words: str) -> None:
        t = theme()
        painter.setFont(t.font("small"))
        painter.setPen(t.colour("text2"))
        inner = rect.adjusted(t.px(6), 0, -t.px(6), 0)
        flags = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignHCenter)
        box = painter.fontMetrics().boundingRect(
            inner, flags | int(Qt.TextFlag.TextWordWrap), words
        )
        if box.height() <= rect.height():
            painter.drawText(inner, flags | int(Qt.TextFlag.TextWordWrap), words)
            return
        short = painter.fontMetrics().elidedText(
            words, Qt.TextElideMode.ElideRight, 2 * inner.width() - t.px(20)
        )
        painter.drawText(inner, flags | int(Qt.TextFlag.TextWordWrap), short)

    def _axis(self, painter: QPainter, rect: QRect, index: Index, model: IntervalModel) -> None:
        t = theme()
        if index.column() == 0:
            cell = index.data(Qt.ItemDataRole.UserRole)
            self._line(painter, rect, index, cell.text, "small", "text2")
        if index.column() != PLOT:
            return
        painter.setFont(t.font("small"))
        painter.setPen(t.colour("text2"))
        metrics = painter.fontMetrics()
        words = axis.tick_words(model.ticks, sign=True)
        wide = max(metrics.horizontalAdvance(one) for one in words) + t.px(8)
        apart = rect.width()
        if len(model.ticks) > 1:
            apart = round(
                self._x(rect, model, model.ticks[1]) - self._x(rect, model, model.ticks[0])
            )
        every = max(1, -(-wide // max(1, apart)))
        middle = min(range(len(model.ticks)), key=lambda k: abs(model.ticks[k]))
        for place, (tick, said) in enumerate(zip(model.ticks, words, strict=True)):
            if (place - middle) % every == 0:
                x = self._x(rect, model, tick) - metrics.horizontalAdvance(said) / 2
                painter.drawText(QPointF(x, rect.center().y() + metrics.ascent() / 2 - 1), said)


def draw_point(painter: QPainter, centre: QPointF, verdict: str) -> None:
    """The dot of a value: disc within, square outside, half-filled diamond not settled."""
    t = theme()
    colour = t.colour(verdict_colour(verdict or "not checked"))
    side = t.px(9)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if verdict == "outside":
        painter.fillRect(QRectF(centre.x() - side / 2, centre.y() - side / 2, side, side), colour)
    elif verdict == "not settled":
        from .verdict import draw_mark

        draw_mark(painter, centre, t.px(13), verdict)
    else:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.drawEllipse(centre, side / 2, side / 2)
    painter.restore()
