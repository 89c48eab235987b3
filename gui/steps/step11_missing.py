"""Step 11: what was not supplied, what that limits, and why."""

from __future__ import annotations

from typing import ClassVar

from PySide6.QtWidgets import QGridLayout, QLineEdit, QWidget

from engine.procedure import decision
from gui import certify_words as words
from gui.widgets.basic import Label, column, line
from gui.widgets.fields import FieldRow

from .base import StepPage

DRAFT = "step-11"


class Page(StepPage):
    """One row a gap: its name, what it limits, and the reason to be printed."""

    number: ClassVar[int] = 11
    title: ClassVar[str] = "What was not supplied"
    sentence: ClassVar[str] = words.text("missing.sentence")
    help_name = "step-11"

    def build(self) -> None:
        self.fields: dict[str, FieldRow] = {}
        self._shown: tuple[str, ...] = ()
        self.note = Label("", "help", tone="second")
        self.body.addWidget(self.note)
        self._part = QWidget()
        self.body.addWidget(self._part)

    def refresh(self) -> None:
        sheet = decision.missing_sheet(self.session.state)
        whats = tuple(one.what for one in sheet)
        if whats != self._shown or (not whats and not self.fields):
            self._shown = whats
            self._build_rows(sheet)
        given = sum(bool(one.reason) for one in sheet)
        said = words.text("missing.count", n=given, total=len(sheet))
        self.note.setText(said if sheet else words.text("missing.nothing"))
        drafts = self.session.draft(DRAFT) or {}
        for one in sheet:
            edit = self.fields[one.what].field
            assert isinstance(edit, QLineEdit)
            edit.setReadOnly(self.session.read_only)
            if not (edit.hasFocus() and edit.isModified()):
                edit.setText(drafts.get(one.what, one.reason))
                edit.setCursorPosition(0)

    def _build_rows(self, sheet: list[decision.Missing]) -> None:
        self.fields = {}
        made = QWidget()
        grid = QGridLayout(made)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(24)
        grid.setVerticalSpacing(10)
        grid.setColumnStretch(0, 1)
        grid.setColumnStretch(1, 1)
        for place, one in enumerate(sheet):
            name = Label(one.what[:1].upper() + one.what[1:], "key", wrap=True)
            left = column(name, Label(one.limits, tone="second", wrap=True), None, spacing=2)
            edit = QLineEdit()
            edit.setPlaceholderText(words.text("missing.reason_place"))
            edit.setAccessibleName(f"{words.text('missing.reason')}: {one.what}")
            edit.setAccessibleDescription(one.limits)
            asked = FieldRow(words.text("missing.reason"), edit)
            edit.textEdited.connect(lambda _text: self._typed())
            edit.editingFinished.connect(lambda what=one.what: self._finished(what))
            self.fields[one.what] = asked
            if place:
                grid.addWidget(line(), 2 * place, 0, 1, 2)
            right = column(asked, None)
            grid.addLayout(left, 2 * place + 1, 0)
            grid.addLayout(right, 2 * place + 1, 1)
        self.body.replaceWidget(self._part, made)
        self._part.hide()
        self._part.deleteLater()
        self._part = made

    def _texts(self) -> dict[str, str]:
        return {
            what: one.field.text().strip()
            for what, one in self.fields.items()
            if isinstance(one.field, QLineEdit)
        }

    def _typed(self) -> None:
        given = self.session.state["not_supplied"]
        new = {what: text for what, text in self._texts().items() if text != given.get(what, "")}
        self.session.set_draft(DRAFT, new or None)
        self.update_footer()

    def _finished(self, what: str) -> None:
        edit = self.fields[what].field
        assert isinstance(edit, QLineEdit)
        edit.setModified(False)
        text = edit.text().strip()
        if self.session.read_only or text == self.session.state["not_supplied"].get(what, ""):
            return
        said = words.text("missing.words", what=what)
        if self.session.set(("not_supplied", what), text, said):
            self._typed()

    def ready(self) -> str:
        lacking = [what for what, text in self._texts().items() if not text]
        return words.text("missing.ready", what=lacking[0]) if lacking else ""

    def on_continue(self) -> bool:
        for what in self.fields:
            self._finished(what)
        return super().on_continue()

    def left(self) -> None:
        for what in list(self.fields):
            self._finished(what)

    def help_html(self) -> str:
        return """
<p>An audit says only what its data carry. What you did not get leaves a part of the question
open, and the paper says which part.</p>
<h3>What you do now</h3>
<ul><li>Write one sentence for each: who did not supply it, and why.</li>
<li>Where it can still be had, ask for it before you decide.</li></ul>
<h3>Words used here</h3>
<dl><dt>Recorded outcome</dt><dd>What really happened, such as whether a loan was paid back.</dd>
<dt>Stand-in</dt><dd>A model trained here in the place of a system that was not supplied.</dd></dl>
"""
