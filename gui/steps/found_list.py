"""What was found in the files: questions with buttons, warnings with a mend, notes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QMenu, QSizePolicy, QVBoxLayout, QWidget

from gui.theme import theme
from gui.widgets.basic import Button, IconLabel, Label, line
from gui.widgets.message import KINDS

from . import evidence_texts as texts
from .answers import SEEN, Option
from .inputs import stacks

_KIND = {"question": "question", "warning": "warning", "note": "info"}


@dataclass(frozen=True)
class Line:
    """One line of the list. ``open`` shows the options as buttons, else behind Change."""

    grade: str
    text: str
    options: tuple[Option, ...] = ()
    open: bool = False
    chosen: str | None = None
    link: str = ""
    link_text: str = ""


class FoundList(QWidget):
    """The lines, hairlines between them; ``on_answer(index, option)`` is called for an answer."""

    def __init__(
        self, on_answer: Callable[[int, Option], object], on_link: Callable[[str], object]
    ) -> None:
        super().__init__()
        self._on_answer, self._on_link = on_answer, on_link
        self.lines: tuple[Line, ...] = ()
        self.buttons: list[list[Button]] = []
        self.locked = False
        self._inner = QVBoxLayout(self)
        self._inner.setContentsMargins(0, 0, 0, 0)
        self._inner.setSpacing(0)
        self.menu: QMenu | None = None

    def show_lines(self, lines: Sequence[Line], *, locked: bool) -> None:
        """Show other lines; the focus stays in the list if it was there."""
        if tuple(lines) == self.lines and locked == self.locked:
            return
        focused = any(b.hasFocus() for group in self.buttons for b in group)
        self.lines, self.locked = tuple(lines), locked
        while self._inner.count():
            gone = self._inner.takeAt(0).widget()
            if gone is not None:
                gone.hide()
                gone.deleteLater()
        self.buttons = []
        for index, one in enumerate(self.lines):
            if index:
                self._inner.addWidget(line())
            self._inner.addWidget(self._make(index, one))
        if focused:
            first = next((b for group in self.buttons for b in group if b.isEnabled()), None)
            if first is not None:
                first.setFocus(Qt.FocusReason.OtherFocusReason)

    def _make(self, index: int, one: Line) -> QWidget:
        t = theme()
        icon, colour, word = KINDS[_KIND[one.grade]]
        made = QWidget()
        made.setAccessibleName(f"{word}: {one.text}")
        inner = QHBoxLayout(made)
        inner.setContentsMargins(0, t.px(7), 0, t.px(7))
        inner.setSpacing(t.px(10))
        said = QHBoxLayout()
        said.setSpacing(t.px(10))
        side = QVBoxLayout()
        side.setContentsMargins(0, t.px(2), 0, 0)
        side.addWidget(IconLabel(icon, colour if one.grade != "note" else "text2", 16))
        side.addStretch(1)
        said.addLayout(side)
        label = Label(one.text, wrap=True)
        label.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        said.addWidget(label, 100)
        said.addStretch(1)
        inner.addLayout(said, 1)
        right = QHBoxLayout()
        right.setSpacing(8)
        group: list[Button] = []
        short = one.text if len(one.text) < 90 else one.text[:89] + "…"
        if one.open:
            for option in one.options:
                button = Button(
                    option.words, small=True, kind="primary" if option.primary else "",
                    on_click=lambda option=option: self._on_answer(index, option),
                )  # fmt: skip
                button.setAccessibleName(f"{option.words}: {short}")
                button.setEnabled(not self.locked)
                group.append(button)
        elif one.link:
            group.append(
                Button(one.link_text, kind="link", on_click=lambda: self._on_link(one.link))
            )
        elif one.options:
            only = one.options[0].words if one.options[0].key == SEEN else ""
            words = only if len(one.options) == 1 and only else texts.text("found.change")
            change = Button(words, kind="link", on_click=lambda: self.open_menu(index))
            change.setAccessibleName(f"{words}: {short}")
            change.setEnabled(not self.locked)
            group.append(change)
        for button in group:
            right.addWidget(button)
        column = QVBoxLayout()
        column.addLayout(right)
        column.addStretch(1)
        inner.addLayout(column)
        stacks(inner)
        self.buttons.append(group)
        return made

    def open_menu(self, index: int) -> None:
        """Offer the answers to a line that needs none, or has one already."""
        one = self.lines[index]
        if len(one.options) == 1:
            self._on_answer(index, one.options[0])
            return
        menu = QMenu(self)
        for option in one.options:
            action = QAction(option.words, menu)
            action.setCheckable(True)
            action.setChecked(option.key == one.chosen)
            action.triggered.connect(
                lambda _checked=False, option=option: self._on_answer(index, option)
            )
            menu.addAction(action)
        self.menu = menu
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        button = self.buttons[index][0]
        menu.popup(button.mapToGlobal(QPoint(0, button.height())))
