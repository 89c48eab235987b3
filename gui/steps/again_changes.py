"""What is not as it was at the last audit, each change with the reason that is printed."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QVBoxLayout, QWidget

from engine.procedure import issue, recertify
from gui import certify_words as words
from gui import papers
from gui.widgets.basic import Label, line
from gui.widgets.fields import FieldRow
from gui.widgets.message import MessageBar

from .again_inputs import breadth
from .inputs import DraftLine

if TYPE_CHECKING:
    from .base import StepPage

DRAFTS = "step-12-changes"


class ChangesPart(QWidget):
    """One row a change: what it is, and why."""

    def __init__(self, page: StepPage) -> None:
        super().__init__()
        self.page, self.session = page, page.session
        self.bar = page.message("info", " ")
        self.edits: dict[str, DraftLine] = {}
        self._rows: dict[str, QWidget] = {}
        self._texts: dict[str, Label] = {}
        self.replaces = DraftLine(
            self.session, DRAFTS, "replaces", self._replaces,
            words=words.text("changed.replaces", number=words.text("changed.before")),
            placeholder=words.text("changed.why_place"),
        )  # fmt: skip
        self._replaces_row = FieldRow(" ", self.replaces)
        breadth(self._replaces_row)
        self._list = QVBoxLayout()
        self._list.setSpacing(14)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(16)
        whole.addWidget(self.bar)
        whole.addLayout(self._list)
        whole.addWidget(self._replaces_row)

    def refresh(self) -> None:
        """Show every change as it is now; a row stays where its change stays."""
        state = self.session.state
        changed = recertify.changes(state)
        for key in set(self._rows) - {one.key for one in changed}:
            gone = self._rows.pop(key)
            self.edits.pop(key)
            self._texts.pop(key)
            gone.hide()
            gone.deleteLater()
        for place, one in enumerate(changed):
            if one.key not in self._rows:
                self._rows[one.key] = self._row(one)
            self._list.insertWidget(place, self._rows[one.key])
            self._texts[one.key].setText(one.text)
            self.edits[one.key].show_value(one.why)
        number = recertify.replaced(state)
        self._replaces_row.setVisible(bool(number) and not state["earlier"])
        self._replaces_row.label.setText(words.text("changed.replaces", number=number))
        self.replaces.setAccessibleName(words.text("changed.replaces", number=number))
        self.replaces.show_value(self._planned_why())
        self._say(len(changed), sum(not one.why for one in changed), number)

    def _row(self, one: recertify.Change) -> QWidget:
        made = QWidget()
        inner = QVBoxLayout(made)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(6)
        text = self._texts[one.key] = Label(one.text, "key", wrap=True)
        inner.addWidget(text)
        if one.grave:
            inner.addWidget(Label(words.text("changed.grave"), "help", tone="not_settled"))
        edit = self.edits[one.key] = DraftLine(
            self.session, DRAFTS, one.key, partial(self._why, one.key),
            words=f"{words.text('changed.why')}: {one.text}",
            placeholder=words.text("changed.why_place"),
        )  # fmt: skip
        asked = FieldRow(words.text("changed.why"), edit)
        breadth(asked)
        inner.addWidget(asked)
        inner.addWidget(line())
        return made

    def _say(self, total: int, bare: int, number: str) -> None:
        bar: MessageBar = self.bar
        link = ("", "")
        if not self.session.state.get("before"):
            link = (words.text("again.from"), "my:again")
            kind, said = "info", words.text("changed.none")
        elif not total:
            since = number or words.text("changed.before")
            kind, said = "good", words.text("changed.same", number=since)
        elif bare:
            kind, said = "warning", words.text("changed.open", n=bare, total=total)
        else:
            kind, said = "good", words.text("changed.done", total=total)
        bar.show_message(kind, said, link_text=link[0], link=link[1])

    def _planned_why(self) -> str:
        made = issue.planned(self.session.state, today=papers.today_of(self.session))
        return str(made.get("replaces_why") or "")

    def _why(self, key: str, why: str) -> None:
        self.session.set(("changes_why", key), why, words.text("changed.words"))

    def _replaces(self, why: str) -> None:
        self.session.set(("issue", "replaces_why"), why, words.text("changed.replaces_words"))
