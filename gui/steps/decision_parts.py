"""What a person enters on step 10: the decision, and who evaluated, reviewed and decides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent, QPaintEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QComboBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QRadioButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from engine.procedure.decision import Choice
from gui import certify_words as words
from gui.theme import theme
from gui.widgets.basic import IconLabel, Label, line, painting, row
from gui.widgets.fields import NoWheel


class Option(QFrame):
    """One decision: a radio button with its title, one line, and a lock where it is closed."""

    def __init__(self, choice: Choice) -> None:
        super().__init__()
        self.choice = choice
        self.radio = QRadioButton(choice.title)
        self.radio.toggled.connect(self._shown)
        self._sub = Label(choice.words, "help", tone="second", wrap=True)
        self._lock = IconLabel("lock", "text2", 16)
        top = row(self.radio, None, self._lock)
        inner = QVBoxLayout(self)
        inner.setContentsMargins(10, 7, 12, 8)
        inner.setSpacing(0)
        inner.addLayout(top)
        under = QHBoxLayout()
        under.setContentsMargins(theme().px(26), 0, 0, 0)
        under.addWidget(self._sub)
        inner.addLayout(under)
        self.set_choice(choice, enabled=True)

    def set_choice(self, choice: Choice, *, enabled: bool) -> None:
        """Show whether it is open, and what it does or why it is closed."""
        self.choice = choice
        self.radio.setText(choice.title)
        self.radio.setEnabled(choice.open and enabled)
        self._sub.setText(choice.words)
        self._lock.setVisible(not choice.open)
        self.radio.setAccessibleDescription(choice.words)
        self.update()

    def _shown(self, on: bool) -> None:
        font = theme().font("key" if on else "text")
        self.radio.setFont(font)
        self.radio.setStyleSheet(f"font-weight: {600 if on else 400}")
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self.radio.isEnabled():
            self.radio.setFocus()
            self.radio.click()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.radio.isChecked():
            with painting(self) as painter:
                painter.fillRect(self.rect(), theme().colour("selection"))


class Options(QFrame):
    """The decisions. ``picked(value)`` is sent when a person chooses."""

    picked = Signal(str)

    def __init__(self, choices: Sequence[Choice]) -> None:
        super().__init__()
        self.setProperty("panel", "true")
        self.setAccessibleName(words.text("decision.title"))
        self._group = QButtonGroup(self)
        self.options: dict[str, Option] = {}
        inner = QVBoxLayout(self)
        inner.setContentsMargins(1, 1, 1, 1)
        inner.setSpacing(0)
        for choice in choices:
            if self.options:
                inner.addWidget(line())
            made = self.options[choice.value] = Option(choice)
            self._group.addButton(made.radio)
            made.radio.clicked.connect(lambda _on=False, v=choice.value: self.picked.emit(v))
            inner.addWidget(made)

    def show_choices(self, choices: Sequence[Choice], *, chosen: str, enabled: bool) -> None:
        """Show what is open, and what is chosen."""
        self._group.setExclusive(False)
        for choice in choices:
            option = self.options[choice.value]
            option.set_choice(choice, enabled=enabled)
            option.radio.setChecked(choice.value == chosen)
        self._group.setExclusive(True)

    def value(self) -> str:
        """The chosen decision, or an empty text."""
        return next((v for v, option in self.options.items() if option.radio.isChecked()), "")


class PersonBox(NoWheel, QComboBox):
    """A name, typed or chosen from the office's people. ``named(str)`` when it is finished."""

    named = Signal(str)

    def __init__(self, role: str) -> None:
        super().__init__()
        self.setEditable(True)
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMinimumContentsLength(12)
        self.setAccessibleName(role)
        self.view().setAccessibleName(role)
        edit = self.lineEdit()
        assert edit is not None
        edit.setAccessibleName(role)
        edit.editingFinished.connect(self._finished)
        self.activated.connect(lambda _index: self._finished())
        self._told = ""

    def show_name(self, name: str, known: Sequence[str]) -> None:
        """Show a name and offer the others."""
        edit = self.lineEdit()
        assert edit is not None
        if edit.hasFocus() and edit.isModified():
            return
        self.blockSignals(True)
        self.clear()
        self.addItems([one for one in known if one])
        self.setEditText(name)
        self.blockSignals(False)
        edit.setCursorPosition(0)
        self._told = name

    def _finished(self) -> None:
        name = " ".join(self.currentText().split())
        edit = self.lineEdit()
        if edit is not None:
            edit.setModified(False)
        if name != self._told:
            self._told = name
            self.named.emit(name)


class People(QWidget):
    """Evaluator, Reviewer and Decider, and whether the first and the last differ."""

    named = Signal(str, str)

    def __init__(self, roles: Sequence[str]) -> None:
        super().__init__()
        self.boxes: dict[str, PersonBox] = {}
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(8)
        grid.setColumnStretch(1, 1)
        for place, role in enumerate(roles):
            box = self.boxes[role] = PersonBox(role.capitalize())
            label = Label(role.capitalize())
            label.setBuddy(box)
            grid.addWidget(label, place, 0)
            grid.addWidget(box, place, 1)
            box.named.connect(lambda name, r=role: self.named.emit(r, name))
        self._icon = IconLabel("circle-check", "within", 16)
        self._said = Label("", "help", tone="second", wrap=True)
        self._said.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        said = row(self._icon, self._said, None)
        said.setStretch(1, 1000)
        said.setAlignment(self._icon, Qt.AlignmentFlag.AlignTop)
        grid.addLayout(said, len(roles), 0, 1, 2)
        self._office = Label("", "help", tone="second", wrap=True)
        grid.addWidget(self._office, len(roles) + 1, 0, 1, 2)

    def show_people(
        self, facts: Mapping[str, str], known: Sequence[str], *, good: bool, said: str,
        enabled: bool,
    ) -> None:  # fmt: skip
        """Show the names of the case."""
        for role, box in self.boxes.items():
            box.show_name(facts.get(role, ""), known)
            box.setEnabled(enabled)
        self._icon.set_icon(
            "circle-check" if good else "triangle-alert", "within" if good else "not_settled"
        )
        self._said.setText(said)
        office = facts.get("organisation", "")
        self._office.setText(words.text("decision.office", office=office) if office else "")
        self._office.setVisible(bool(office))

    def said(self) -> str:
        """What is said of evaluator and decider."""
        return self._said.text()
