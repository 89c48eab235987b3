"""What the paper still needs on step 10: number, dates, register, and the facts not known yet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QDate, Signal
from PySide6.QtWidgets import (
    QDateEdit,
    QFileDialog,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from engine.procedure import fields, issue
from engine.procedure.moments import day
from gui import certify_words as words
from gui import papers, printable
from gui.widgets.basic import Button, Elided, Label, row, section
from gui.widgets.fields import ChoiceButtons, FieldRow, NoWheel

from .inputs import flows, place_in_columns, stacks

if TYPE_CHECKING:
    from engine.base.watch import Watch

    from .base import StepPage

ASKED_ELSEWHERE = ("evaluator", "reviewer", "decider", "conditions")
"""Facts with a place of their own on this page."""
REGISTER_SUFFIX = ".fairregister"


class DayEdit(NoWheel, QDateEdit):
    """A day, as ``24 November 2026``. ``picked`` sends the ISO date chosen by a person."""

    picked = Signal(str)

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setDisplayFormat("d MMMM yyyy")
        self.setCalendarPopup(True)
        self.setKeyboardTracking(False)
        self.setAccessibleName(name)
        calendar = self.calendarWidget()
        calendar.setAccessibleName(name)
        self.dateChanged.connect(lambda d: self.picked.emit(d.toString("yyyy-MM-dd")))

    def show_day(self, iso: str | None) -> None:
        """Show a day without sending it."""
        if iso:
            self.blockSignals(True)
            self.setDate(QDate.fromString(iso[:10], "yyyy-MM-dd"))
            self.blockSignals(False)


def choose_register(parent: QWidget, settings: Any, folder: Path) -> bool:
    """Ask where the office's register lies, or is to be made; remembered for every case."""
    office = dict(settings["office"])
    start = office.get("register") or str(folder / words.text("keys.register_name"))
    path, _ = QFileDialog.getSaveFileName(
        parent, words.text("keys.register_title"), start, words.text("keys.register_filter"),
        options=QFileDialog.Option.DontConfirmOverwrite,
    )  # fmt: skip
    if not path:
        return False
    chosen = Path(path)
    if not chosen.suffix:
        chosen = chosen.with_suffix(REGISTER_SUFFIX)
    office["register"] = str(chosen)
    settings["office"] = office
    return True


def prefix_of(settings: Any, organisation: str) -> str:
    """The office's prefix of numbers: as set, else its initials."""
    given = str(settings["office"].get("prefix") or "").strip()
    initials = "".join(word[0] for word in organisation.split() if word[0].isalnum()).upper()
    return given or initials or "FA"


class IssuePart(QWidget):
    """Number from the register, and the days of decision, issue, expiry and next check."""

    def __init__(self, page: StepPage) -> None:
        super().__init__()
        self.page, self.session = page, page.session
        self.number = QLineEdit()
        self.number.editingFinished.connect(self._number_typed)
        self.next = Button(
            words.text("decision.number_next"), small=True, on_click=self.take_number
        )
        self.number_row = FieldRow(words.text("decision.number"), self._beside())
        self.number.setAccessibleName(words.text("decision.number"))
        self.number_row.label.setBuddy(self.number)
        self.decided = Label("")
        self.issued = DayEdit(words.text("decision.issued"))
        self.expires = DayEdit(words.text("decision.expires"))
        self.next_check = DayEdit(words.text("decision.next_check"))
        self.size = ChoiceButtons([("A4", "A4"), ("Letter", "Letter")],
                                  words=words.text("decision.page_size"))  # fmt: skip
        self.size.picked.connect(self._size)
        for key in ("issued", "expires", "next_check"):
            field = getattr(self, key)
            field.picked.connect(lambda iso, k=key: self._day(k, iso))
        self._register = Elided("", "help", tone="second")
        self._choose = Button("", kind="link", on_click=self._choose_register)
        self.enter = Button(
            words.text("decision.enter"), kind="link", icon="plus", on_click=self.enter_now
        )
        self.enter.hide()
        self._asked_of: tuple[str, str] | None = None
        self._lay_out()

    def _beside(self) -> QWidget:
        made = QWidget()
        inner = QHBoxLayout(made)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(8)
        inner.addWidget(self.number, 1)
        inner.addWidget(self.next)
        return made

    def _lay_out(self) -> None:
        grid = QGridLayout()
        grid.setHorizontalSpacing(24)
        grid.setVerticalSpacing(12)
        self.rows = {
            key: FieldRow(words.text(f"decision.{key}"), getattr(self, key))
            for key in ("issued", "expires", "next_check")
        }
        decided = FieldRow(words.text("decision.decided"), self.decided)
        size = FieldRow(words.text("decision.page_size"), self.size)
        expires, again = self.rows["expires"], self.rows["next_check"]
        parts = (self.number_row, self.rows["issued"], again, expires, decided, size)
        flows(grid, lambda: parts)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(6)
        whole.addWidget(section(words.text("decision.dates")))
        whole.addLayout(grid)
        under = row(self._register, self.enter, self._choose)
        under.setStretch(0, 1)
        whole.addLayout(under)

    def refresh(self) -> None:
        """Show what is set, and what follows where nothing is."""
        session = self.session
        today = papers.today_of(session)
        made = issue.planned(session.state, today=today)
        open_ = not session.read_only
        if not (self.number.hasFocus() and self.number.isModified()):
            self.number.setText(made["number"])
        self.number.setReadOnly(not open_ or bool(session.state["earlier"]))
        decided = (session.state["decision"] or {}).get("when")
        words_of = day(decided, year=True) if decided else words.text("decision.not_decided")
        self.decided.setText(words_of)
        for key in ("issued", "expires", "next_check"):
            getattr(self, key).show_day(made[key])
            getattr(self, key).setEnabled(open_)
        self.rows["expires"].setVisible(made["expires"] is not None)
        self.size.set_value(session.settings["office"].get("page_size", "A4"))
        self.size.setEnabled(open_)
        path = session.settings["office"].get("register", "")
        self._register.setText(
            words.text("decision.register", path=path)
            if path
            else words.text("decision.register_none")
        )
        self._choose.set_text(
            words.text("decision.register_change" if path else "decision.register_choose")
        )
        self.next.setEnabled(open_ and bool(path) and not session.state["earlier"])
        self._errors(today)
        self._ask_register(path)

    def _ask_register(self, path: str) -> None:
        """After a crash, or with the register out of reach, a signed paper may not stand in it."""
        certificate = self.session.state["certificate"] or {}
        asked = (path, str(certificate.get("sha256", ""))) if certificate.get("signed") else None
        if asked == self._asked_of:
            return
        self._asked_of = asked
        self.enter.hide()
        if asked is None or not path:
            return
        self.session.jobs.start(
            words.text("job.register"),
            lambda watch: papers.entered(
                register=Path(path), certificate=certificate, watch=watch
            ),
            on_done=lambda found: self.enter.setVisible(not found and asked == self._asked_of),
            on_failed=lambda _error: self.enter.setVisible(asked == self._asked_of),
            quiet=True,
        )  # fmt: skip

    def enter_now(self) -> None:
        """Enter the signed paper into the register."""
        session, path = self.session, Path(self.session.settings["office"].get("register", ""))
        case, state, by = session.case, session.state, session.by
        session.jobs.start(
            words.text("job.register"),
            lambda watch: papers.enter(case=case, register=path, state=state, watch=watch, **by),
            on_done=lambda _none: self.enter.hide(), on_failed=session.refuse, quiet=True,
        )  # fmt: skip

    def _errors(self, today: date) -> None:
        found = {p.place: p.text for p in issue.problems(self.session.state, today=today)}
        for key, field in self.rows.items():
            field.set_error(found.get(key, ""))

    def _choose_register(self) -> None:
        if choose_register(self, self.session.settings, self.session.path.parent):
            self.refresh()

    def take_number(self) -> None:
        """Take the register's next number."""
        session = self.session
        path = session.settings["office"].get("register", "")
        if not path:
            self._choose_register()
            path = session.settings["office"].get("register", "")
        if not path:
            return
        prefix = prefix_of(session.settings, session.facts["organisation"])
        year = papers.today_of(session).year

        case, by = session.case, session.by

        def work(watch: Watch) -> str:
            return papers.take_number(
                case=case, register=Path(path), prefix=prefix, year=year, watch=watch, **by
            )

        session.jobs.start(
            words.text("job.register"), work, on_done=self._set_number, on_failed=session.refuse,
            quiet=True,
        )  # fmt: skip

    def _number_typed(self) -> None:
        self.number.setModified(False)
        self._set_number(self.number.text().strip())

    def _set_number(self, number: str) -> None:
        now = issue.planned(self.session.state, today=papers.today_of(self.session))["number"]
        if not self.session.read_only and number != now:
            said = words.text("decision.number_words", number=number or "–")
            self.session.set(("issue", "number"), number, said)

    def _day(self, key: str, iso: str) -> None:
        if not self.session.read_only:
            self.session.set(("issue", key), iso, words.text("decision.date_words"))

    def _size(self, size: str) -> None:
        self.session.settings["office"] = {**self.session.settings["office"], "page_size": size}


class GapsPart(QWidget):
    """The fields of the paper that are not known: those of facts to be filled in right here."""

    def __init__(self, page: StepPage) -> None:
        super().__init__()
        self.page, self.session = page, page.session
        self.rows: dict[str, FieldRow] = {}
        self._asked: list[str] = []
        self._note = Label("", "help", tone="second")
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(24)
        self._grid.setVerticalSpacing(12)
        flows(self._grid, self._wanted)
        self._elsewhere = QVBoxLayout()
        self._elsewhere.setSpacing(8)
        self._links: tuple[tuple[str, int], ...] = ()
        heading = section(words.text("decision.gaps"))
        layout = heading.layout()
        if isinstance(layout, QHBoxLayout):
            layout.insertWidget(1, self._note)
            stacks(layout)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(6)
        whole.addWidget(heading)
        whole.addLayout(self._grid)
        whole.addLayout(self._elsewhere)

    def begin(self) -> None:
        """Ask anew: what was filled in meanwhile is no longer asked for."""
        self._asked = []

    def refresh(self) -> None:
        """Show what lacks; a field that was filled stays until the page is opened again."""
        gaps = fields.gaps(self.session.state, self.session.result)
        lacking = {gap.field for gap in gaps}
        self._note.setText(
            words.text("decision.gaps_note", n=len(lacking))
            if lacking
            else words.text("decision.gaps_none")
        )
        for gap in gaps:
            if gap.key and gap.key not in ASKED_ELSEWHERE and gap.key not in self._asked:
                self._asked.append(gap.key)
                if gap.key not in self.rows:
                    self.rows[gap.key] = self._field(gap)
        self._place()
        drafts = (self.session.draft("step-10-facts") or {}) if self._asked else {}
        for key, asked in self.rows.items():
            field = asked.field
            edit = field if isinstance(field, QLineEdit) else None
            if edit is not None and not (edit.hasFocus() and edit.isModified()):
                edit.setText(drafts.get(key, self.session.facts.get(key, "")))
                edit.setReadOnly(self.session.read_only)
        self._show_elsewhere(
            tuple((g.text, g.step) for g in gaps if not g.key and g.step != self.page.number)
        )

    def _field(self, gap: fields.Gap) -> FieldRow:
        edit = QLineEdit()
        asked = FieldRow(gap.text.split(":")[0], edit)
        if gap.key == "scheme_date":
            edit.setPlaceholderText("2026-11-24")
        edit.textEdited.connect(lambda _text: self._draft())
        edit.editingFinished.connect(lambda k=gap.key: self._finished(k))
        printable.guard(self.session.jobs, asked, edit)
        return asked

    def _place(self) -> None:
        place_in_columns(self._grid, self._wanted())
        for key, asked in self.rows.items():  # once placed: before, each would be a window of its own
            asked.setVisible(key in self._asked)

    def _wanted(self) -> list[QWidget]:
        return [row for key, row in self.rows.items() if key in self._asked]

    def _typed(self) -> Mapping[str, str]:
        return {
            key: asked.field.text()
            for key, asked in self.rows.items()
            if isinstance(asked.field, QLineEdit)
            and asked.field.text().strip() != self.session.facts.get(key, "")
        }

    def _draft(self) -> None:
        if not self.session.read_only:
            self.session.set_draft("step-10-facts", dict(self._typed()) or None)

    def _finished(self, key: str) -> None:
        asked = self.rows[key]
        field = asked.field
        if not isinstance(field, QLineEdit) or self.session.read_only:
            return
        given = field.text().strip()
        field.setModified(False)
        wrong = key == "scheme_date" and given and not _is_day(given)
        asked.set_error(
            "Write the day as year, month and day, such as 2023-07-05." if wrong else ""
        )
        if wrong or given == self.session.facts.get(key, ""):
            return
        what = asked.label.text()
        said = words.text("decision.fact_words", fact=what[:1].lower() + what[1:])
        if self.session.set(("case", key), given, said):
            self._draft()

    def _show_elsewhere(self, links: Sequence[tuple[str, int]]) -> None:
        if tuple(links) == self._links:
            return
        self._links = tuple(links)
        self.page.clear(self._elsewhere)
        for text, step in links:
            self._elsewhere.addWidget(
                self.page.message(
                    "info", text, link_text=words.text("decision.step", n=step),
                    link=f"step:{step}",
                )
            )  # fmt: skip


def _is_day(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True
