"""Fields whose half-typed text is kept as a draft and whose finished text becomes an act."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QGridLayout, QLineEdit, QWidget

from gui.session import Session
from gui.theme import theme
from gui.widgets.basic import stacks as stacks

DRAFT_AFTER_MS = 500


class DraftLine(QLineEdit):
    """A line of text. ``commit(text)`` is called when it is finished and differs.

    What is typed and not finished is kept in the drafts of a page under a key, through a crash.
    """

    def __init__(
        self, session: Session, page: str, key: str, commit: Callable[[str], object], *,
        words: str = "", placeholder: str = "",
    ) -> None:  # fmt: skip
        super().__init__()
        self._session, self._page, self._key, self._commit = session, page, key, commit
        self._value = ""
        self.setAccessibleName(words)
        self.setPlaceholderText(placeholder)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(DRAFT_AFTER_MS)
        self._timer.timeout.connect(self._keep)
        self.textEdited.connect(lambda _text: self._timer.start())
        self.editingFinished.connect(self.finish)

    def show_value(self, value: str) -> None:
        """Show the value in the case, or the draft where there is one; typing is not disturbed."""
        self.setReadOnly(self._session.read_only)
        drafts = self._session.draft(self._page) or {}
        fresh = value != self._value
        self._value = value
        if self.hasFocus() and self.isModified() and not fresh:
            return
        wanted = value if fresh and self.text() else str(drafts.get(self._key, value))
        if self.text() != wanted:
            self.setText(wanted)
            self.setModified(wanted != value)
            if not self.hasFocus():
                self.setCursorPosition(0)  # a long text shows how it begins

    def finish(self) -> None:
        """Enter what was typed."""
        self._timer.stop()
        text = self.text().strip()
        if self._session.read_only:
            return
        self.setModified(False)
        changed = text != self._value
        self._value = text
        self._drop_draft()
        if changed:
            self._commit(text)

    def _keep(self) -> None:
        drafts = dict(self._session.draft(self._page) or {})
        if self.text().strip() == self._value:
            self._drop_draft()
            return
        drafts[self._key] = self.text()
        self._session.set_draft(self._page, drafts)

    def _drop_draft(self) -> None:
        drafts = dict(self._session.draft(self._page) or {})
        if self._key in drafts:
            drafts.pop(self._key)
            self._session.set_draft(self._page, drafts or None)


def chain(widgets: Iterable[QWidget]) -> None:
    """Let the Tab key go through controls in this order, whenever each was made."""
    for before, after in pairwise(widgets):
        QWidget.setTabOrder(before, after)


def place_in_columns(grid: QGridLayout, parts: Sequence[QWidget], *, above: float = 1.4) -> None:
    """Put parts into two columns, or into one while the text scale is large."""
    wide = 1 if theme().scale > above else 2
    for place, part in enumerate(parts):
        grid.addWidget(part, place // wide, place % wide)
    for column in range(2):
        grid.setColumnStretch(column, 1 if column < wide else 0)


def flows(grid: QGridLayout, parts: Callable[[], Sequence[QWidget]]) -> None:
    """Place parts by :func:`place_in_columns`, now and after each change of the text scale."""
    place_in_columns(grid, parts())
    handle = theme().changed.connect(lambda: place_in_columns(grid, parts()))
    grid.destroyed.connect(lambda: theme().changed.disconnect(handle))
