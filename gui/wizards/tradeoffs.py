"""The wizard of conflicting definitions: one page on which the auditor declares a choice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QRadioButton, QVBoxLayout, QWidget

from engine.base import wording
from engine.methods.base import Setting
from engine.procedure.moments import day
from gui.theme import theme
from gui.widgets.basic import TEXT_WIDTH, Button, Label, column, line, row
from gui.widgets.fields import FieldRow

from .method_page import MethodPage
from .setting_fields import Area, Offer
from .tradeoffs_words import text

PAGE = "Your choice"
NONE = "none"
DEFINITIONS = ("demographic parity", "equalised odds", "calibration within groups")
KEYS = ("choice", "choice_reason", "choice_by")
COST_OF = {
    "demographic parity": ("demographic parity", "cost"),
    "equalised odds": ("equal opportunity", "cost_half"),
}
"""Definition -> the cost in the result that belongs to it, and the words for it."""


def measured(part: Mapping[str, Any] | None, definition: str) -> str:
    """What the last run says of a definition, in one or two sentences."""
    if part is None:
        return text("not_measured")
    holds = part["can_hold_together"]["holds_now"].get(definition)
    widest = {
        "demographic parity": part["parity"]["widest"],
        "equalised odds": part["odds"]["widest"],
        "calibration within groups": part["calibration_read"]["widest_ece"],
    }[definition]
    if holds is None or widest is None:
        said = text("holds_unknown")
    else:
        points = wording.number(100 * widest, digits=1)
        gap = text(f"gap.{definition}", points=points)
        said = text("holds" if holds else "holds_not", gap=gap)
    told = text("measured", said=f"{said}.")
    mine, code = COST_OF.get(definition, ("", ""))
    for cost in part["costs"]:
        if cost["definition"] == mine:
            told += " " + text(
                code,
                changed=wording.count(cost["changed"]),
                of=wording.count(cost["of"]),
                before=wording.percent(cost["accuracy_before"]),
                after=wording.percent(cost["accuracy_after"]),
            )
    return told


class ChoicePage(QWidget):
    """Three definitions, a reason and Declare.

    Signals
    -------
    declared(str, str) : definition and reason, where a person declares them.
    withdrawn() : where the declaration is taken back.
    typed() : something was chosen or written that is not declared.
    """

    declared = Signal(str, str)
    withdrawn = Signal()
    typed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.group = QButtonGroup(self)
        self.buttons: dict[str, QRadioButton] = {}
        self.notes: dict[str, Label] = {}
        self.state = Label("", "key", wrap=True)
        self.ask_error = Label("", "help", tone="outside", wrap=True)
        self.ask_error.hide()
        self.reason = Area(text("reason"))
        self.reason_row = FieldRow(text("reason"), self.reason, help=text("reason_help"))
        self.reason_row.setMaximumWidth(theme().px(TEXT_WIDTH))
        self.declare_button = Button(text("declare"), icon="check", on_click=self._declare)
        self.withdraw_button = Button(
            text("withdraw"), kind="link", on_click=lambda: self.withdrawn.emit()
        )
        self.changed_note = Label(text("changed"), "help", tone="second", wrap=True)
        self.changed_note.hide()
        inner = QVBoxLayout(self)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(10)
        inner.addWidget(self.state)
        inner.addWidget(line())
        inner.addWidget(Label(text("ask"), "section", wrap=True))
        inner.addWidget(Label(text("ask_note"), tone="second", wrap=True))
        for definition in DEFINITIONS:
            inner.addWidget(self._option(definition))
        inner.addWidget(self.ask_error)
        inner.addWidget(self.reason_row)
        inner.addLayout(row(self.declare_button, self.withdraw_button, None, spacing=16))
        inner.addWidget(self.changed_note)
        self.group.buttonClicked.connect(lambda _b: self._touched())
        self.reason.textChanged.connect(self.typed.emit)

    def _option(self, definition: str) -> QWidget:
        button = QRadioButton(definition[:1].upper() + definition[1:])
        plain = text(f"plain.{definition}")
        button.setAccessibleDescription(plain)
        self.group.addButton(button)
        self.buttons[definition] = button
        said, note = (
            Label(plain, wrap=True),
            Label("", "help", tone="second", wrap=True),
        )
        self.notes[definition] = note
        under = column(said, note, spacing=2)
        under.setContentsMargins(theme().px(26), 0, 0, 0)
        made = QWidget()
        inner = column(button, spacing=2)
        inner.addLayout(under)
        made.setLayout(inner)
        return made

    def _touched(self) -> None:
        self.ask_error.hide()
        self.typed.emit()

    def chosen(self) -> str:
        """The definition that is ticked; empty without one."""
        return next((d for d, b in self.buttons.items() if b.isChecked()), "")

    def tick(self, definition: str) -> None:
        """Tick a definition; another text ticks none."""
        self.group.setExclusive(False)
        for name, button in self.buttons.items():
            button.setChecked(name == definition)
        self.group.setExclusive(True)

    def write(self, reason: str) -> None:
        """Show a reason, without sending ``typed``."""
        if self.reason.toPlainText() != reason:
            self.reason.blockSignals(True)
            self.reason.setPlainText(reason)
            self.reason.blockSignals(False)

    def _declare(self) -> None:
        chosen, reason = self.chosen(), self.reason.toPlainText().strip()
        self.ask_error.setText("" if chosen else text("none_picked"))
        self.ask_error.setVisible(not chosen)
        self.reason_row.set_error("" if reason else text("no_reason"))
        if chosen and reason:
            self.declared.emit(chosen, reason)
        elif not chosen:
            self.buttons[DEFINITIONS[0]].setFocus()
        else:
            self.reason.setFocus()


class Wizard(MethodPage):
    """Definitions that conflict."""

    def build(self) -> None:
        self.choice: ChoicePage | None = None
        super().build()

    def make_page(self, name: str, settings: list[Setting], offer: Offer) -> QWidget:
        if name != PAGE:
            return super().make_page(name, settings, offer)
        self.choice = ChoicePage()
        self.choice.declared.connect(self.declare)
        self.choice.withdrawn.connect(self.withdraw)
        self.choice.typed.connect(self._choice_typed)
        return self.choice

    # The act ------------------------------------------------------------------------------------

    def declare(self, definition: str, reason: str) -> None:
        """Keep a declared definition with reason, person and day as one act."""
        if self.session.read_only:
            return
        by = f"{self.session.actor.who}, {day(self.session.clock(), year=True)}"
        given = dict(self.asked.get(self.name) or {})
        given |= {"choice": definition, "choice_reason": reason, "choice_by": by}
        # the draft goes first: the page is shown anew while the act is kept
        before = self.session.draft(self._choice_key)
        self.session.set_draft(self._choice_key, None)
        methods = {**self.asked, self.name: given}
        if not self._set_methods(methods, text("act", definition=definition)):
            self.session.set_draft(self._choice_key, before)
        self.refresh()

    def withdraw(self) -> None:
        """Take the declaration back; that is kept as an act too."""
        if self.session.read_only:
            return
        given = {k: v for k, v in (self.asked.get(self.name) or {}).items() if k not in KEYS}
        self.session.set_draft(self._choice_key, None)
        self._set_methods({**self.asked, self.name: given}, text("act_back"))
        self.refresh()

    @property
    def _choice_key(self) -> str:
        return f"{self._draft_key}-choice"

    def _choice_typed(self) -> None:
        """Keep what is not declared yet through a crash."""
        assert self.choice is not None
        now = {"choice": self.choice.chosen(), "reason": self.choice.reason.toPlainText()}
        given = self._given()
        declared = given["choice"] if given["choice"] != NONE else ""
        same = now["choice"] == declared and now["reason"].strip() == given["choice_reason"]
        self.session.set_draft(self._choice_key, None if same else now)
        self.choice.changed_note.setVisible(not same and bool(declared))

    def _reset(self) -> None:
        self.session.set_draft(self._choice_key, None)
        super()._reset()

    # Showing ------------------------------------------------------------------------------------

    def refresh(self) -> None:
        super().refresh()
        if self.choice is not None:
            self._show_choice(self.choice)

    def _show_choice(self, page: ChoicePage) -> None:
        given, closed = self._given(), self.session.read_only
        declared = given["choice"] if given["choice"] != NONE else ""
        by = text("by", who=given["choice_by"]) if given["choice_by"] else ""
        reason = given["choice_reason"]
        said = text("declared", definition=declared, by=by, reason=reason or "none given")
        page.state.setText(said if declared else text("undeclared"))
        page.declare_button.set_text(text("declare_again" if declared else "declare"))
        page.withdraw_button.setVisible(bool(declared) and not closed)
        page.declare_button.setEnabled(not closed)
        part = (self.session.result or {}).get(self.name)
        for definition, note in page.notes.items():
            note.setText(measured(part, definition))
            page.buttons[definition].setEnabled(not closed)
        page.reason.setEnabled(not closed)
        draft = self.session.draft(self._choice_key)
        page.changed_note.setVisible(bool(draft) and bool(declared))
        if page.reason.hasFocus():
            return
        page.tick(draft["choice"] if draft else declared)
        page.write(draft["reason"] if draft else reason)
