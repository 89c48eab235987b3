"""Small tables of counts: "29 of 34" with its share in a second tone beside it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyleOptionViewItem

from engine.base.wording import count, percent
from gui.theme import theme
from gui.widgets.cells import CellDelegate, Index
from gui.widgets.table import RAW, Cell, DataTable, TableModel, cell_rect

if TYPE_CHECKING:
    from engine.methods.base import Finding

SHARE_WIDTH, GAP = 47, 8
SENTENCES_WIDTH = 860
"""So that no line of text is much wider than 690 pixels."""


@dataclass(frozen=True)
class Pair:
    """A count with its share: ``29 of 34`` and ``85.3 %``; ``text`` alone where there is none."""

    text: str
    share: str = ""

    def __str__(self) -> str:
        return f"{self.text}, {self.share}" if self.share else self.text

    @property
    def least(self) -> str:
        """What stands on one line where room is scarce; the share then stands below it."""
        return self.text

    @classmethod
    def of(cls, rate: Mapping[str, Any] | None) -> Pair:
        """The cell of a rate of a result: ``part``, ``of`` and ``value``."""
        if rate is None:
            return cls("–")
        return cls(f"{count(rate['part'])} of {count(rate['of'])}", percent(rate["value"]))

    @classmethod
    def share_of(cls, part: float, of: float) -> Pair:
        """The cell of a part of a whole."""
        return cls(f"{count(part)} of {count(of)}", percent(part / of) if of else "")


class PairDelegate(CellDelegate):
    """Paints :class:`Pair` cells besides all others."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        value = index.data(RAW)
        size = super().sizeHint(option, index)
        if not isinstance(value, Pair):
            return size
        t = theme()
        metrics = theme().metrics("text")
        wide = metrics.horizontalAdvance(value.text) + t.px(SHARE_WIDTH + GAP + 18)
        high = size.height()
        if value.share and index.column() in self._view.broken:
            high = max(high, 2 * metrics.lineSpacing() + t.px(9))
        return QSize(wide, high)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        value = index.data(RAW)
        super().paint(painter, option, index)
        if not isinstance(value, Pair):
            return
        t = theme()
        inner = cell_rect(self._view, index, option.rect)
        middle = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight)
        painter.save()
        painter.setFont(t.font("text"))
        painter.setPen(t.colour("text2"))
        text_at = share_at = inner
        if value.share and index.column() in self._view.broken:
            line = t.metrics("text").lineSpacing()
            top = inner.top() + (inner.height() - 2 * line) // 2
            text_at = QRect(inner.left(), top, inner.width(), line)
            share_at = text_at.translated(0, line)
        else:
            text_at = inner.adjusted(0, 0, -t.px(SHARE_WIDTH + GAP), 0)
        painter.drawText(share_at, middle, value.share)
        painter.setPen(t.colour("text"))
        painter.drawText(text_at, middle, value.text)
        painter.restore()

    def _text(self, painter: QPainter, inner: QRect, index: Index, role: str, tone: str) -> None:
        if not isinstance(index.data(RAW), Pair):
            super()._text(painter, inner, index, role, tone)


class CountTable(DataTable):
    """A table whose cells may be :class:`Pair`."""

    def __init__(self, *, words: str, row_height: float = 24, widest: float = 0) -> None:
        self._widest = widest
        super().__init__(TableModel(), words=words, row_height=row_height)
        self.setItemDelegate(PairDelegate(self))

    def measure(self) -> None:
        super().measure()
        if self._widest:
            self.setMaximumWidth(theme().px(self._widest))

    def fill(
        self, columns: Sequence[Any], rows: Iterable[Sequence[Any]], *,
        align: str = "", total_rows: Iterable[int] = (),
    ) -> None:  # fmt: skip
        """Show other counts; all columns but the first stand right."""
        self.set_table(
            columns, rows, align or "l" + "r" * (len(columns) - 1), total_rows=total_rows
        )


GRADES = {"ruled out": "within", "shown": "outside", "note": ""}
"""Grade of a finding -> the verdict that the window writes before it."""


@dataclass(frozen=True)
class Word:
    """A verdict in a cell, or nothing; drawn as mark and word."""

    word: str

    def __str__(self) -> str:
        return self.word


class Sentences(DataTable):
    """Findings as verdict and sentence, one a row; long ones break into lines."""

    def __init__(self, *, words: str) -> None:
        super().__init__(TableModel(), words=words, stretch=1, wrap=True, row_height=29)
        self.horizontalHeader().hide()

    def measure(self) -> None:
        super().measure()
        self.setMaximumWidth(theme().px(SENTENCES_WIDTH))

    def say(
        self, found: Iterable[Finding], *, actions: bool = False, names: Mapping[str, str] | None = None,
    ) -> None:  # fmt: skip
        """Show findings, with what to do about them if asked.

        Each stands beside its verdict, or beside its name where ``names`` (code to name) has one.
        """
        rows = []
        for one in found:
            verdict = GRADES.get(one.grade, one.grade)
            said = f"{one.sentence} {one.action}" if actions and one.action else one.sentence
            first: object = Word(verdict) if verdict else ""
            if names is not None:
                first = Cell(names.get(one.code, ""), bold=True)
            rows.append((first, said.replace(" %", "\u00a0%")))
        self.set_table(("About", "What it says"), rows, "ll")
