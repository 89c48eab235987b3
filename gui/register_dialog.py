"""The office's register of certificates: search, present status, changes, export."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QFileDialog, QLineEdit, QPlainTextEdit, QWidget

from engine.base.problems import Refused
from engine.procedure import acts

from . import certify_words as words
from . import messages
from .dialogs import Dialog, ProblemDialog
from .session import now
from .steps.decision_paper import choose_register
from .theme import theme
from .widgets.basic import Button, Elided, Label, row
from .widgets.fields import Combo, FieldRow
from .widgets.message import MessageBar
from .widgets.table import Cell, DataTable

if TYPE_CHECKING:
    from engine.base.watch import Watch

    from .jobs import Jobs
    from .session import Session
    from .settings import Settings

STATUSES = ("valid", "suspended", "withdrawn", "superseded", "expired")
MARKS = {
    "valid": "within", "suspended": "not settled", "withdrawn": "outside",
    "superseded": "not checked", "expired": "not settled",
}  # fmt: skip
COLUMNS = ("Number", "System", "Status", "Issued", "Valid until", "Next check")


def following(status: str) -> tuple[str, ...]:
    """The statuses that may follow one."""
    from engine.case.register import FOLLOWING

    return FOLLOWING[status]


class RegisterDialog(Dialog):
    """Everything that the office issued, newest first."""

    def __init__(
        self, parent: QWidget | None, settings: Settings, jobs: Jobs, *,
        session: Session | None = None,
    ) -> None:  # fmt: skip
        super().__init__(
            parent, words.text("register.title"), words.text("register.sentence"), width=860
        )
        self.settings, self.jobs, self.session = settings, jobs, session
        self.entries: list[Any] = []
        self.find = QLineEdit()
        self.find.setPlaceholderText(words.text("register.find"))
        self.find.setAccessibleName(words.text("register.find"))
        self.find.setClearButtonEnabled(True)
        self.status = Combo(
            [("", words.text("register.any")), *((s, words.text(f"status.{s}")) for s in STATUSES)],
            value="", words=words.text("register.status"),
        )  # fmt: skip
        self.status.picked.connect(lambda _v: self.refresh())
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(150)
        self._later.timeout.connect(self.refresh)
        self.find.textChanged.connect(lambda _t: self._later.start())
        top = row(self.find, self.status)
        top.setStretch(0, 1)
        self.body.addLayout(top)
        self.table = DataTable(
            words=words.text("register.title"), boxed=True, stretch=1, fit_rows=0, row_height=44
        )
        self.table.setMinimumHeight(theme().px(240))
        self.table.selectionModel().selectionChanged.connect(lambda *_: self._chosen())
        self.body.addWidget(self.table, 1)
        self.note = Label("", tone="second", wrap=True)
        self.body.addWidget(self.note)
        self.changes = DataTable(words=words.text("register.title"), stretch=3, fit_rows=5)
        self.changes.hide()
        self.body.addWidget(self.changes)
        self._where = Elided("", "help", tone="second")
        choose = Button(words.text("register.choose"), kind="link", on_click=self._choose)
        under = row(self._where, choose)
        under.setStretch(0, 1)
        self.body.addLayout(under)
        self.export_button = Button(
            words.text("register.export"), icon="download", on_click=lambda: self.export()
        )
        self.change_button = Button(words.text("register.change"), on_click=self.change)
        self.buttons.insertWidget(0, self.export_button)
        self.buttons.insertWidget(1, self.change_button)
        self.add_button(messages.text("button.close"), self.accept, primary=True)
        self.refresh()

    @property
    def path(self) -> Path | None:
        """The register, or None where none is chosen."""
        given = self.settings["office"].get("register", "")
        return Path(given) if given else None

    def today(self) -> date:
        """The day by which validity is read."""
        return date.fromisoformat((self.session.clock() if self.session else now())[:10])

    def _choose(self) -> None:
        folder = self.path.parent if self.path else Path.home()
        if choose_register(self, self.settings, folder):
            self.refresh()

    def refresh(self) -> None:
        """Read the register again."""
        path = self.path
        self._where.setText(str(path) if path else words.text("register.no_file"))
        if path is None:
            self._show([])
            return
        text, status, today = self.find.text(), self.status.value() or None, self.today()

        def work(watch: Watch) -> list[Any]:
            from engine.case.register import Register

            return Register(path).search(text, status=status, today=today)

        self.jobs.start(
            words.text("job.register"), work, on_done=self._show, on_failed=self._failed,
            quiet=True,
        )  # fmt: skip

    def _failed(self, error: Exception) -> None:
        self._show([])
        if isinstance(error, Refused):
            dialog = ProblemDialog(self, error.problems)
            dialog.setModal(True)
            dialog.open()

    def _show(self, entries: list[Any]) -> None:
        from engine.procedure.moments import day

        self.entries = entries

        def dated(text: str) -> str:
            return day(text, year=True) if text else "–"

        rows = [
            (
                Cell(e.number, sub=f"{e.kind}, revision {e.revision}", bold=True),
                Cell(e.system or "–", sub=e.client),
                Cell(words.text(f"status.{e.status}"), mark=MARKS[e.status]),
                dated(e.issued), dated(e.expires), dated(e.next_check),
            )
            for e in entries
        ]  # fmt: skip
        self.table.set_table(COLUMNS, rows, "llllll")
        asked = bool(self.find.text().strip() or self.status.value())
        self.note.setText(
            "" if entries else words.text(f"register.none{'_found' if asked else ''}")
        )
        self.note.setVisible(not entries)
        if self.path is None:
            self.note.setText(words.text("register.no_file"))
        self.export_button.setEnabled(bool(entries))
        self._chosen()

    def chosen(self) -> Any:
        """The chosen entry, or None."""
        rows = self.table.selected_rows()
        return self.entries[rows[0]] if rows and rows[0] < len(self.entries) else None

    def _chosen(self) -> None:
        entry, path = self.chosen(), self.path
        final = entry is not None and not following(entry.status)
        self.change_button.setEnabled(entry is not None and not final)
        self.change_button.setToolTip(words.text("register.final") if final else "")
        if entry is None or path is None:
            self.changes.hide()
            return

        def work(watch: Watch) -> list[Any]:
            from engine.case.register import Register

            return Register(path).changes(entry.number, entry.revision)

        self.jobs.start(
            words.text("job.register"), work, on_failed=self._failed, quiet=True,
            on_done=lambda found: self._show_changes(entry, found),
        )  # fmt: skip

    def _show_changes(self, entry: Any, found: list[Any]) -> None:
        from engine.procedure.moments import moment

        if self.chosen() is not entry:
            return
        self.changes.setAccessibleName(
            words.text("register.changes", number=entry.number, revision=entry.revision)
        )
        rows = [(moment(c.when), c.who, words.text(f"status.{c.status}"), c.reason) for c in found]
        self.changes.set_table(("When", "Who", "Status", "Why"), rows, "llll")
        self.changes.show()

    def export(self, path: str = "") -> None:
        """Write every entry as CSV; asks where if not told."""
        if not path:
            path, _ = QFileDialog.getSaveFileName(
                self, words.text("register.export_title"), "register.csv", "CSV (*.csv)"
            )
        register, today = self.path, self.today()
        if not path or register is None:
            return

        def work(watch: Watch) -> Path:
            from engine.case.register import Register

            return Register(register).export_csv(path, today=today)

        def done(target: Path) -> None:
            self.note.setText(words.text("register.exported", name=target.name))
            self.note.show()

        self.jobs.start(
            words.text("register.export_title"), work, on_done=done, on_failed=self._failed,
            quiet=True,
        )  # fmt: skip

    def change(self) -> None:
        """Change the status of the chosen entry."""
        entry = self.chosen()
        if entry is not None:
            dialog = StatusDialog(self, entry)
            dialog.setModal(True)
            dialog.open()

    def set_status(self, entry: Any, status: str, reason: str) -> None:
        """Write a change of status, into the open case too where it is that of this entry."""
        path, session = self.path, self.session
        who = session.actor.who if session else self.settings["person"].get("name", "")
        when = session.clock() if session else now()
        assert path is not None

        def work(watch: Watch) -> None:
            from engine.case.register import Register

            Register(path).set_status(
                entry.number, entry.revision, status, reason=reason, who=who, when=when
            )

        def done(_: None) -> None:
            made = (session.state["certificate"] or {}) if session else {}
            same = (made.get("number"), made.get("revision")) == (entry.number, entry.revision)
            if session is not None and same and not session.case.read_only:
                session.do(acts.set_status(status, reason=reason, **session.by))
            self.refresh()

        self.jobs.start(
            words.text("register.keep"), work, on_done=done, on_failed=self._failed, quiet=True
        )


class StatusDialog(Dialog):
    """Asks for the new status and its reason."""

    def __init__(self, register: RegisterDialog, entry: Any) -> None:
        super().__init__(
            register, words.text("register.change_title", number=entry.number),
            words.text("register.change_sentence"), width=480,
        )  # fmt: skip
        self.register, self.entry = register, entry
        self.status = Combo(
            [(s, words.text(f"status.{s}")) for s in following(entry.status)],
            words=words.text("register.new_status"),
        )  # fmt: skip
        self.status.setCurrentIndex(0)
        self.reason = QPlainTextEdit()
        self.reason.setTabChangesFocus(True)
        self.row = FieldRow(words.text("register.reason"), self.reason)
        self.body.addWidget(FieldRow(words.text("register.new_status"), self.status))
        self.body.addWidget(self.row)
        if entry.kind != "certificate":
            self.body.addWidget(
                MessageBar("info", words.text("register.statement"))
            )
        self.add_button(messages.text("button.cancel"), self.reject)
        self.add_button(words.text("register.keep"), self.keep, primary=True)

    def keep(self) -> None:
        """Change the status."""
        reason = self.reason.toPlainText().strip()
        if not reason:
            self.row.set_error(words.text("register.reason_empty"))
            return
        self.register.set_status(self.entry, self.status.value(), reason)
        self.accept()
