"""The governance sheet of step 12 as a guided form: kept in the case, undone, printed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QFileDialog, QVBoxLayout, QWidget

from engine.base.problems import Problem, Refused
from engine.procedure import governance
from engine.procedure.moments import day
from gui import certify_words as words
from gui import papers
from gui.widgets.basic import Button, Label, column, row, section
from gui.widgets.fields import Combo, FieldRow
from gui.widgets.message import MessageBar

from .again_inputs import DraftArea, OpenDay, Owners, breadth, day_after, keep
from .inputs import DraftLine

if TYPE_CHECKING:
    from engine.base.watch import Watch

    from .base import StepPage

DRAFTS = "step-12-sheet"
AHEAD = {"first_check": 3, "next_audit": 12, "rollback_tested": 0}
"""Months from today that a day begins with when it is first set."""


class SheetPart(QWidget):
    """Every question of :data:`engine.procedure.governance.QUESTIONS` under its heading."""

    def __init__(self, page: StepPage) -> None:
        super().__init__()
        self.page, self.session = page, page.session
        self.bar = MessageBar("info", " ")
        self.rows: dict[str, FieldRow] = {}
        self.due = Label("", wrap=True)
        self.export_button = Button(
            words.text("sheet.export"), icon="calendar", small=True, on_click=lambda: self.export()
        )
        self.print_button = Button(
            words.text("sheet.print"), icon="printer", small=True, on_click=lambda: self.preview()
        )
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(16)
        whole.addWidget(self.bar)
        whole.addLayout(row(self.export_button, self.print_button, None))
        parts: dict[str, list[QWidget]] = {}
        for question in governance.QUESTIONS:
            made = self.rows[question.name] = self._row(question)
            breadth(made)
            parts.setdefault(question.part, []).append(made)
        for title, rows in parts.items():
            whole.addLayout(column(section(title), *rows, spacing=12))
            if "cadence" in [q.name for q in governance.QUESTIONS if q.part == title]:
                whole.addWidget(FieldRow(words.text("sheet.next"), self.due))

    def _row(self, question: governance.Question) -> FieldRow:
        name, said = question.name, question.words
        field: QWidget
        if question.kind == "roles":
            owners = field = Owners()
            owners.given.connect(lambda value: self._set(question, value))
            owners.typed.connect(lambda value: keep(self.session, DRAFTS, name, value))
        elif question.kind == "choice":
            field = combo = Combo(
                question.choices, placeholder=words.text("sheet.cadence"), words=said
            )
            combo.picked.connect(lambda value: self._set(question, value))
        elif question.kind == "date":
            field = when = OpenDay(said, lambda: self._first(name))
            when.picked.connect(lambda value: self._set(question, value))
        elif question.kind == "long text":
            field = DraftArea(
                self.session, DRAFTS, name, lambda text: self._set(question, text), words=said
            )
        else:
            field = DraftLine(
                self.session, DRAFTS, name, lambda text: self._set(question, text), words=said
            )
        help_ = question.help
        if not question.required:
            help_ = f"{help_} ({words.text('sheet.optional')})".strip()
        return FieldRow(said, field, help=help_)

    def _first(self, name: str) -> str:
        return day_after(papers.today_of(self.session).isoformat(), AHEAD[name])

    def _answers(self) -> dict[str, Any]:
        return dict(self.session.state.get("governance") or {})

    def _set(self, question: governance.Question, value: Any) -> None:
        before = self._answers().get(question.name)
        if self.session.read_only or value == before or (not value and not before):
            keep(self.session, DRAFTS, question.name, None)
            return
        what = question.words[:1].lower() + question.words[1:]
        said = words.text("sheet.roles" if question.kind == "roles" else "sheet.words", what=what)
        if self.session.set(("governance", question.name), value, said):
            keep(self.session, DRAFTS, question.name, None)

    # Showing ------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Show the answers, what is wrong with them, and how many lack."""
        answers, closed = self._answers(), self.session.read_only
        drafts = self.session.draft(DRAFTS) or {}
        lacking = {
            p.place.removeprefix("governance."): p.text for p in governance.problems(answers)
        }
        for question in governance.QUESTIONS:
            asked, value = self.rows[question.name], answers.get(question.name)
            field = asked.field
            if isinstance(field, Owners):
                field.show_value(drafts.get(question.name, value) or [], closed=closed)
            elif isinstance(field, Combo):
                field.set_value(value)
                field.setEnabled(not closed)
            elif isinstance(field, OpenDay):
                field.show_day(str(value or ""), closed=closed)
            elif isinstance(field, DraftArea | DraftLine):
                field.show_value(str(value or ""))
            asked.set_error(lacking.get(question.name, "") if value else "")
        due = governance.next_checks(answers)
        days = " · ".join(day(d.isoformat(), year=True) for d in due)
        self.due.setText(days or words.text("sheet.next_none"))
        self.due.set_tone("" if days else "second")
        self._say(answers, len(lacking), closed)

    def _say(self, answers: dict[str, Any], lacking: int, closed: bool) -> None:
        total = sum(q.required for q in governance.QUESTIONS)
        begun = any(answers.values())
        if closed and self.session.state["certificate"] is not None:
            self.bar.show_message("info", words.text("sheet.closed"))
        elif not begun:
            self.bar.show_message("info", words.text("sheet.empty"))
        elif lacking:
            said = words.text("sheet.lacking", done=total - lacking, total=total)
            self.bar.show_message("warning", said)
        else:
            self.bar.show_message("good", words.text("sheet.full"))
        self.print_button.setEnabled(begun)
        dated = bool(governance.next_checks(answers) or answers.get("next_audit"))
        self.export_button.setEnabled(dated)
        self.export_button.setToolTip("" if dated else words.text("sheet.nothing_due"))

    # Acting -------------------------------------------------------------------------------------

    def export(self, path: str = "") -> None:
        """Write the checks as a calendar file; asks where if not told."""
        if not path:
            name = f"{self.session.path.stem} checks.ics"
            path, _ = QFileDialog.getSaveFileName(
                self, words.text("sheet.export_title"), str(self.session.path.parent / name),
                words.text("again.ics_filter"),
            )  # fmt: skip
        if not path:
            return
        target = Path(path if path.lower().endswith(".ics") else f"{path}.ics")
        text = governance.checks_ics(
            self._answers(), facts=self.session.facts, stamp=self.session.clock()
        )
        try:
            target.write_text(text, "utf-8", newline="")
        except OSError as error:
            why = error.strerror or str(error)
            self.session.refused.emit(Refused(Problem(target.name, "", why)))
            return
        self.bar.show_message("good", words.text("again.exported", name=target.name))

    def preview(self) -> None:
        """Show the sheet as it is printed alone; it also stands behind page 1 of the paper."""
        from gui.wizards.peers_paper import PaperDialog

        answers, facts = self._answers(), dict(self.session.facts)
        size = self.session.settings["office"].get("page_size", "A4")
        today = papers.today_of(self.session)

        def make(watch: Watch) -> bytes:
            from engine.reports import again, annex

            watch.check()
            head = " · ".join(
                p for p in (facts["organisation"], facts["system"], facts["version"]) if p
            )
            return annex.build(
                part=again.sheet(answers), head=head, organisation=facts["organisation"],
                day=today, page_size="Letter" if size == "Letter" else "A4",
            )  # fmt: skip

        self.dialog = PaperDialog(
            self, self.session, make, title=words.text("again.page.sheet"),
            file_name="governance-sheet.pdf", sentence=words.text("sheet.preview"),
            job=words.text("sheet.job"),
        )  # fmt: skip
        self.dialog.open()
