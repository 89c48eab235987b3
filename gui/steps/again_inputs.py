"""Fields of the governance sheet: longer texts, days that may be open, owners by role."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from PySide6.QtCore import QDate, QTimer, Signal
from PySide6.QtWidgets import QGridLayout, QLineEdit, QVBoxLayout, QWidget

from gui import certify_words as words
from gui.session import Session
from gui.theme import theme
from gui.widgets.basic import Button, IconButton, Label, row
from gui.wizards.setting_fields import Area

from .decision_paper import DayEdit
from .inputs import DRAFT_AFTER_MS

LINES = 3


class DraftArea(Area):
    """A few lines of text; as :class:`.inputs.DraftLine`, but longer."""

    def __init__(
        self, session: Session, page: str, key: str, commit: Callable[[str], object], *,
        words: str = "",
    ) -> None:  # fmt: skip
        super().__init__(words)
        self._session, self._page, self._key, self._commit = session, page, key, commit
        self._value = ""
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(DRAFT_AFTER_MS)
        self._timer.timeout.connect(self._keep)
        self.textChanged.connect(self._typed)
        self.finished.connect(self.finish)

    def _typed(self) -> None:
        if self.hasFocus():
            self._timer.start()

    def show_value(self, value: str) -> None:
        """Show the value in the case, or the draft where there is one; typing is not disturbed."""
        self.setReadOnly(self._session.read_only)
        fresh = value != self._value
        self._value = value
        if self.hasFocus() and not fresh:
            return
        drafts = self._session.draft(self._page) or {}
        wanted = value if fresh else str(drafts.get(self._key, value))
        if self.toPlainText() != wanted:
            self.setPlainText(wanted)

    def finish(self) -> None:
        """Enter what was typed."""
        self._timer.stop()
        text = self.toPlainText().strip()
        if self._session.read_only:
            return
        changed = text != self._value
        self._value = text
        keep(self._session, self._page, self._key, None)
        if changed:
            self._commit(text)

    def _keep(self) -> None:
        text = self.toPlainText()
        keep(self._session, self._page, self._key, None if text.strip() == self._value else text)


def keep(session: Session, page: str, key: str, value: Any) -> None:
    """Keep a half-filled field of a page among its drafts; None drops it."""
    drafts = dict(session.draft(page) or {})
    drafts.pop(key, None)
    if value is not None:
        drafts[key] = value
    if drafts != (session.draft(page) or {}):
        session.set_draft(page, drafts or None)


class OpenDay(QWidget):
    """A day that may be left open. ``picked`` sends the ISO date, empty where it was taken away."""

    picked = Signal(str)

    def __init__(self, name: str, first: Callable[[], str]) -> None:
        super().__init__()
        self._first = first
        self.setAccessibleName(name)
        self.day = DayEdit(name)
        self.day.picked.connect(self.picked)
        self.none = Label(words.text("sheet.none"), tone="second")
        self.set_button = Button(words.text("sheet.set"), small=True, on_click=self._set)
        self.clear_button = Button(words.text("sheet.clear"), kind="link", on_click=self._clear)
        for button in (self.set_button, self.clear_button):
            button.setAccessibleName(f"{button.text()}: {name}")
        self.setLayout(row(self.day, self.none, self.set_button, self.clear_button, None))
        self.show_day("", closed=False)

    def show_day(self, iso: str, *, closed: bool) -> None:
        """Show a day, or that none is set, without sending it."""
        self.day.show_day(iso)
        self.day.setVisible(bool(iso))
        self.clear_button.setVisible(bool(iso) and not closed)
        self.none.setVisible(not iso)
        self.set_button.setVisible(not iso and not closed)
        self.day.setEnabled(not closed)

    def _set(self) -> None:
        self.picked.emit(self._first())
        self.day.setFocus()

    def _clear(self) -> None:
        self.picked.emit("")
        self.set_button.setFocus()


def day_after(iso: str, months: int) -> str:
    """A day some months on."""
    return QDate.fromString(iso[:10], "yyyy-MM-dd").addMonths(months).toString("yyyy-MM-dd")


class Owners(QWidget):
    """Owners by role: role, name, what they may do; a row each. ``given`` sends the whole list."""

    given = Signal(list)
    typed = Signal(list)
    KEYS = ("role", "name", "duty")

    def __init__(self) -> None:
        super().__init__()
        self._rows: list[tuple[QLineEdit, ...]] = []
        self._closed = False
        self._shown: list[dict[str, str]] | None = None
        self._grid = QGridLayout()
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(6)
        for column, stretch in enumerate((3, 4, 5)):
            self._grid.setColumnStretch(column, stretch)
        self.add = Button(
            words.text("sheet.add"), small=True, icon="plus", on_click=lambda: self._add()
        )
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(6)
        whole.addLayout(self._grid)
        whole.addLayout(row(self.add, None))
        self._heads = [
            Label(words.text(f"sheet.{key}"), "help", tone="second") for key in self.KEYS
        ]

    def value(self) -> list[dict[str, str]]:
        """The rows that hold anything."""
        found = [
            dict(zip(self.KEYS, (edit.text().strip() for edit in edits), strict=True))
            for edits in self._rows
        ]
        return [one for one in found if any(one.values())]

    def show_value(self, given: Sequence[Mapping[str, Any]], *, closed: bool) -> None:
        """Show a list; where a person is typing in it nothing is disturbed."""
        wanted = [{k: str(one.get(k) or "") for k in self.KEYS} for one in given]
        self.add.setVisible(not closed)
        if wanted == self._shown and closed == self._closed:
            return
        busy = any(edit.hasFocus() for edits in self._rows for edit in edits)
        self._shown, self._closed = wanted, closed
        if not (busy and wanted == self.value()):
            self._fill(wanted)

    def _fill(self, wanted: Sequence[Mapping[str, str]]) -> None:
        while self._grid.count():
            item = self._grid.takeAt(0).widget()
            if item is not None and item not in self._heads:
                item.hide()
                item.deleteLater()
        for column, label in enumerate(self._heads):
            self._grid.addWidget(label, 0, column)
        self._rows = []
        for one in wanted or [dict.fromkeys(self.KEYS, "")]:
            self._row(one)

    def _row(self, one: Mapping[str, str]) -> None:
        place = len(self._rows) + 1
        edits = []
        for column, key in enumerate(self.KEYS):
            edit = QLineEdit(one[key])
            edit.setAccessibleName(f"{words.text(f'sheet.{key}')} {place}")
            edit.setReadOnly(self._closed)
            edit.textEdited.connect(lambda _t: self.typed.emit(self.value()))
            edit.editingFinished.connect(lambda: self.given.emit(self.value()))
            self._grid.addWidget(edit, place, column)
            edits.append(edit)
        mine = tuple(edits)
        self._rows.append(mine)
        if not self._closed:
            name = one["name"] or one["role"] or str(place)
            remove = IconButton(
                "x", words.text("sheet.remove", name=name), on_click=lambda: self._remove(mine)
            )
            self._grid.addWidget(remove, place, len(self.KEYS))

    def _add(self) -> None:
        self._row(dict.fromkeys(self.KEYS, ""))
        self._rows[-1][0].setFocus()

    def _remove(self, edits: tuple[QLineEdit, ...]) -> None:
        for edit in edits:
            edit.setText("")
        left = self.value()
        self._fill(left)
        self._shown = left
        self.given.emit(left)


def breadth(widget: QWidget, wide: int = 690) -> None:
    """Keep a field as narrow as running text."""
    widget.setMaximumWidth(theme().px(wide))
