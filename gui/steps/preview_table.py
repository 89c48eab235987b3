"""The first rows of a file, with the role of each column under its name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QPainter, QPen
from PySide6.QtWidgets import QMenu, QStyleOptionViewItem

from engine.plan.keys import TYPES
from gui.theme import theme
from gui.widgets.cells import CellDelegate, HeadView, Index
from gui.widgets.fields import Combo
from gui.widgets.table import Cell, DataTable

from . import evidence_texts as texts
from .roles import ROLE_HELP, ROLE_WORDS

if TYPE_CHECKING:
    import pandas as pd

SHOWN = 6
MOST_COLUMNS = 100
"""Columns side by side; those of a wider file are shown by hundreds, or the window would stand."""
WIDEST = 190
PAD, EDGE = 5, 10
QUIET = ("feature", "left out", "id")


class _Head(HeadView):
    """Column names in bold; long ones break into two lines."""

    def sectionSizeFromContents(self, section: int) -> QSize:
        t = theme()
        metrics = theme().metrics("chip")
        words = str(self.model().headerData(section, Qt.Orientation.Horizontal) or "").split("\n")
        wide = max(metrics.horizontalAdvance(one) for one in words) + 2 * t.px(PAD) + 2
        if section in (0, self.count() - 1):
            wide += t.px(EDGE - PAD)
        return QSize(wide, self.sizeHint().height())

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        t = theme()
        painter.save()
        model = self.model()
        inner = _inner(rect, section, model.columnCount()).adjusted(0, 0, 0, -t.px(5))
        words = str(model.headerData(section, Qt.Orientation.Horizontal) or "")
        font = t.font("chip")
        unnamed = section in getattr(model, "unnamed", ())
        font.setItalic(unnamed)
        painter.setFont(font)
        painter.setPen(t.colour("text2" if unnamed else "text"))
        align = model.headerData(
            section, Qt.Orientation.Horizontal, Qt.ItemDataRole.TextAlignmentRole
        )
        side = Qt.AlignmentFlag(align) & Qt.AlignmentFlag.AlignHorizontal_Mask
        lines = [
            painter.fontMetrics().elidedText(one, Qt.TextElideMode.ElideRight, inner.width())
            for one in words.split("\n")
        ]
        painter.drawText(inner, int(side | Qt.AlignmentFlag.AlignBottom), "\n".join(lines))
        painter.setPen(QPen(t.colour("control"), 1))
        painter.drawLine(rect.left(), rect.bottom(), rect.right(), rect.bottom())
        painter.restore()


def _inner(rect: QRect, place: int, columns: int) -> QRect:
    """A cell less its padding, which is narrow, since files may have many columns."""
    t = theme()
    left = t.px(EDGE) if place == 0 else t.px(PAD)
    right = t.px(EDGE) if place == columns - 1 else t.px(PAD)
    return rect.adjusted(left, 0, -right, 0)


class _Delegate(CellDelegate):
    """Cells in small type; the roles as words with dots under them, since they can be clicked."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        t = theme()
        words = str(index.data() or "")
        wide = theme().metrics("head").horizontalAdvance(words) + 2 * t.px(PAD) + 2
        if index.column() in (0, self._view.model().columnCount() - 1):
            wide += t.px(EDGE - PAD)
        return QSize(wide, t.px(self._view.row_height))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        if index.row() != 0 or not getattr(self._view, "has_roles", False):
            self._plain(painter, option, index)
            return
        t = theme()
        role = self._view.role_at(index.column())  # type: ignore[attr-defined]
        painter.save()
        painter.fillRect(option.rect, t.colour("total"))
        painter.setPen(QPen(t.colour("hairline"), 1))
        bottom = option.rect.bottom()
        painter.drawLine(option.rect.left(), bottom, option.rect.right(), bottom)
        inner = _inner(option.rect, index.column(), index.model().columnCount())
        quiet = role in QUIET
        painter.setFont(t.font("help" if quiet else "head"))
        colour = t.colour("text2" if quiet else "accent")
        painter.setPen(colour)
        words = str(index.data() or "")
        align = Qt.AlignmentFlag(index.data(Qt.ItemDataRole.TextAlignmentRole))
        painter.drawText(inner, int(align), words)
        wide = painter.fontMetrics().horizontalAdvance(words)
        right = bool(align & Qt.AlignmentFlag.AlignRight)
        left = inner.right() - wide + 1 if right else inner.left()
        dots = QPen(colour, 1)
        dots.setDashPattern([1, 2])
        painter.setPen(dots)
        y = inner.center().y() + painter.fontMetrics().ascent() // 2 + t.px(4)
        painter.drawLine(left, y, left + wide, y)
        if index == self._view.currentIndex() and self._view.hasFocus():
            painter.setPen(QPen(t.colour("accent"), 2))
            painter.drawRect(option.rect.adjusted(1, 1, -1, -2))
        painter.restore()

    def _plain(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        from gui.widgets.table import RAW

        t = theme()
        model = index.model()
        painter.save()
        rect = option.rect
        if index.row() < model.rowCount() - 1:
            painter.setPen(QPen(t.colour("hairline"), 1))
            painter.drawLine(rect.left(), rect.bottom(), rect.right(), rect.bottom())
        inner = _inner(rect, index.column(), model.columnCount())
        tone = "text2" if isinstance(index.data(RAW), Cell) else "text"
        self._line(painter, inner, index, str(index.data() or ""), "help", tone)
        if index == self._view.currentIndex() and self._view.hasFocus():
            painter.setPen(QPen(t.colour("accent"), 2))
            painter.drawRect(rect.adjusted(1, 1, -1, -2))
        painter.restore()


class PreviewTable(DataTable):
    """First rows of a table. ``role_asked(column, role)`` is sent when a person chooses a role."""

    role_asked = Signal(str, str)
    type_asked = Signal(str, str)
    columns_shown = Signal(int, int)

    def __init__(self, *, words: str) -> None:
        self.has_roles = self._measuring = False
        self._every: tuple[str, ...] = ()
        self._names: tuple[str, ...] = ()
        self._roles: dict[str, str] = {}
        self._types: Mapping[str, str] | None = None
        self._said: dict[str, str] = {}
        self._start = 0
        self._again: Callable[[], None] = lambda: None
        super().__init__(
            words=words, boxed=True, stretch=None, fit_rows=SHOWN + 1, row_height=24,
            selectable=False,
        )  # fmt: skip
        self.setHorizontalHeader(_Head(self))
        self.setItemDelegate(_Delegate(self))
        self.link_activated.connect(self.open_menu)
        self.menu: QMenu | None = None

    def show_frame(
        self, frame: pd.DataFrame, roles: Mapping[str, str] | None, *, locked: bool = False,
        unnamed: tuple[str, ...] = (), markers: tuple[str, ...] = (),
        types: Mapping[str, str] | None = None, said: Mapping[str, str] | None = None,
    ) -> None:  # fmt: skip
        """Show the first rows; ``roles`` None leaves the row of roles out.

        With ``types`` (column -> as it is read) that row holds them; ``said`` are those of them
        that somebody chose.
        """
        import pandas as pd

        names = tuple(str(c) for c in frame.columns)
        if names != self._every:
            self._every, self._start = names, 0

        def again() -> None:
            self.show_frame(
                frame,
                roles,
                locked=locked,
                unnamed=unnamed,
                markers=markers,
                types=types,
                said=said,
            )

        self._again = again
        self.columns_shown.emit(self._start, len(names))
        part = frame.iloc[:, self._start : self._start + MOST_COLUMNS]
        head = part.head(SHOWN)
        self._names = names[self._start : self._start + MOST_COLUMNS]
        self._roles = dict(roles or {})
        self.has_roles = roles is not None or types is not None
        self._types, self._said = types, dict(said or {})
        numeric = [pd.api.types.is_numeric_dtype(kind) for kind in part.dtypes]
        rows: list[list[Any]] = []
        if roles is not None:
            rows.append(
                [
                    Cell(
                        self._word(name),
                        link="" if locked else f"role:{name}",
                        tip=ROLE_HELP.get(roles.get(name, ""), ""),
                    )
                    for name in self._names
                ]
            )
        elif types is not None:
            tip = texts.text("type.tip")
            rows.append(
                [
                    Cell(
                        texts.text(f"type.{types.get(name, 'text')}"),
                        link="" if locked else f"type:{name}", tip=tip,
                    )
                    for name in self._names
                ]
            )  # fmt: skip
        for place in range(len(head)):
            rows.append(
                [_cell(head.iloc[place, at], numeric[at], markers) for at in range(len(numeric))]
            )
        model = self.model()
        model.unnamed = {i for i, n in enumerate(self._names) if n in unnamed}  # type: ignore[attr-defined]
        heads = [
            texts.text("preview.no_name") if n in unnamed else two_lines(n) for n in self._names
        ]
        self.set_table(heads, rows, "".join("r" if one else "l" for one in numeric))

    def show_from(self, start: int) -> None:
        """Show other columns of the same table."""
        self._start = start
        self._again()

    def _word(self, name: str) -> str:
        return ROLE_WORDS.get(self._roles.get(name, "feature"), "")

    def role_at(self, column: int) -> str:
        """The role of a column by its place; of types, those that somebody chose stand out."""
        if self._types is not None:
            return "said" if self._names[column] in self._said else "feature"
        return self._roles.get(self._names[column], "feature") if self._names else ""

    def open_menu(self, link: str) -> None:
        """Offer the roles, or the types, for a column, under its cell."""
        what, _, name = link.partition(":")
        place = self._names.index(name)
        menu = QMenu(self)
        if what == "type":
            menu.setAccessibleName(texts.text("type.menu", column=name))
            offered = {kind: texts.text(f"type.as_{kind or 'found'}") for kind in ("", *TYPES)}
            now, asked = self._said.get(name, ""), self.type_asked
        else:
            menu.setAccessibleName(texts.text("preview.menu", column=name))
            offered = {role: f"{word}: {ROLE_HELP[role]}" for role, word in ROLE_WORDS.items()}
            now, asked = self._roles.get(name, ""), self.role_asked
        group = QActionGroup(menu)
        for key, words in offered.items():
            action = QAction(words, menu)
            action.setCheckable(True)
            action.setChecked(now == key)
            action.setData(key)
            action.triggered.connect(lambda _checked=False, key=key: asked.emit(name, key))
            group.addAction(action)
            menu.addAction(action)
        self.menu = menu
        rect = self.visualRect(self.model().index(0, place))
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.viewport().mapToGlobal(rect.bottomLeft()))

    def place_columns(self) -> None:
        if self._measuring or len(self._needs) != self.model().columnCount():
            return  # a scroll bar that comes or goes resizes the view again
        self._measuring = True
        try:
            self._spread()
        finally:
            self._measuring = False

    def _spread(self) -> None:
        t = theme()
        columns = self.model().columnCount()
        widths = [min(wide, t.px(WIDEST)) for wide in self._needs]
        room = self.viewport().width()
        heads = [self.horizontalHeader().sectionSizeFromContents(i).width() for i in range(columns)]
        roles = [self.sizeHintForIndex(self.model().index(0, i)).width() for i in range(columns)]
        roles = roles if self.has_roles and self.model().rowCount() else [0] * columns
        least = [max(t.px(64), *pair) for pair in zip(heads, roles, strict=True)]
        while sum(widths) > room and any(w > m for w, m in zip(widths, least, strict=True)):
            widest = max(range(columns), key=lambda i: widths[i] - least[i])
            widths[widest] = max(least[widest], widths[widest] - 4)
        spare = room - sum(widths)
        for index in range(columns):
            more = spare * (index + 1) // columns - spare * index // columns if spare > 0 else 0
            self.setColumnWidth(index, widths[index] + more)
        if self.model().rowCount():
            self.updateGeometries()
            self.setFixedHeight(self._height())


class ColumnsShown(Combo):
    """Which hundred columns of a wide table are on show; hidden where all of them are."""

    def __init__(self, table: PreviewTable) -> None:
        super().__init__(words=texts.text("preview.columns"))
        self.setProperty("small", True)
        self.hide()
        table.columns_shown.connect(self._follow)
        self.picked.connect(table.show_from)

    def _follow(self, start: int, count: int) -> None:
        spans = range(0, count, MOST_COLUMNS)
        words = [
            texts.text(
                "preview.span",
                first=one + 1,
                last=min(count, one + MOST_COLUMNS),
                count=f"{count:,}",
            )
            for one in spans
        ]
        self.set_options(list(zip(spans, words, strict=True)), value=start)
        self.setVisible(count > MOST_COLUMNS)


def _cell(value: Any, numeric: bool, markers: tuple[str, ...]) -> Any:
    from engine.base.wording import count, number
    from engine.intake.values import value_key

    key = value_key(value)
    if not key:
        return ""
    if numeric:
        whole = float(value).is_integer()
        return count(float(value)) if whole else number(float(value), digits=3).rstrip("0")
    return Cell(key, tone="second") if key in markers else key


def two_lines(name: str) -> str:
    """A long name broken at the blank nearest its middle.

    Examples
    --------
    >>> two_lines("Saving accounts"), two_lines("Risk")
    ('Saving\\naccounts', 'Risk')
    """
    blanks = [i for i, letter in enumerate(name) if letter == " "]
    if len(name) < 15 or not blanks:
        return name
    at = min(blanks, key=lambda i: abs(i - len(name) / 2))
    return f"{name[:at]}\n{name[at + 1 :]}"
