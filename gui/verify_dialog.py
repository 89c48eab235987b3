"""Verify a certificate: drop or choose a PDF, see in words what was checked and what it holds."""

from __future__ import annotations

from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QFileDialog, QWidget

from engine.base.problems import Refused

from . import certify_words as words
from . import messages, papers
from .dialogs import Dialog
from .sign_dialog import fit
from .theme import theme
from .widgets.basic import Button, Elided, IconLabel, Label, column, line, row
from .widgets.drop import DropZone, dropped_files
from .widgets.message import MessageBar
from .widgets.status import StatusChip

if TYPE_CHECKING:
    from engine.base.watch import Watch

    from .jobs import Jobs
    from .settings import Settings


MOST_LINES = 12
"""Sentences on figures that are not the same; Copy gives them all."""


class VerifyDialog(Dialog):
    """Checks one paper after the other. The root chosen here is remembered for the office."""

    def __init__(
        self, parent: QWidget | None, settings: Settings, jobs: Jobs, path: Path | None = None
    ) -> None:
        super().__init__(
            parent, words.text("verify.title"), words.text("verify.sentence"), width=680
        )
        self.settings, self.jobs = settings, jobs
        self.path: Path | None = None
        self.verdict: Any = None
        self.setAcceptDrops(True)
        self.drop = DropZone(
            title=words.text("verify.drop"), sentence=words.text("verify.drop_help"),
            button=words.text("verify.choose"), icon="shield-check",
            pattern=words.text("verify.filter"), several=False,
            dialog=words.text("verify.choose_title"),
        )  # fmt: skip
        self.drop.files_given.connect(lambda files: self.check(files[0]))
        self.body.addWidget(self.drop)
        self._name = Elided("", "section")
        self.chip = StatusChip("not checked", "")
        self._head = QWidget()
        head = row(self._name, self.chip)
        head.setStretch(0, 1)
        self._head.setLayout(head)
        self._head.hide()
        self.body.addWidget(self._head)
        self._lines = column(spacing=0)
        self.body.addLayout(self._lines)
        self.next_audit = Button(
            words.text("verify.next"), kind="link", icon="history", on_click=self._audit_again
        )
        self.next_audit.setToolTip(words.text("verify.next_help"))
        self.next_audit.hide()
        self.body.addLayout(row(self.next_audit, None))
        self._trust = Elided("", "help", tone="second")
        self.choose_root = Button(
            words.text("verify.trust_choose"), kind="link", on_click=self._choose_root
        )
        self.no_root = Button(
            words.text("verify.trust_clear"), kind="link", on_click=lambda: self._set_root("")
        )
        trust = row(
            IconLabel("key-round", "text2", 14), self._trust, self.choose_root, self.no_root
        )
        trust.setStretch(1, 1)
        self.body.addLayout(trust)
        self.error = MessageBar("outside", " ")
        self.error.hide()
        self.body.addWidget(self.error)
        self.body.addStretch(1)
        self.other = Button(words.text("verify.other"), on_click=self.drop.choose)
        self.other.hide()
        self.buttons.insertWidget(0, self.other)
        self.again = Button(
            words.text("verify.rerun"), icon="refresh-cw", on_click=self._choose_case
        )
        self.again.setToolTip(words.text("verify.rerun_help"))
        self.again.hide()
        self.buttons.insertWidget(1, self.again)
        self.copy = self.add_button(words.text("verify.copy"), self.copy_words)
        self.copy.setEnabled(False)
        self.add_button(messages.text("button.close"), self.accept, primary=True)
        self._show_root()
        if path is not None:
            self.check(path)

    # The root -----------------------------------------------------------------------------------

    def _root(self) -> Path | None:
        path = self.settings["office"].get("trust", "")
        return Path(path) if path else None

    def _show_root(self) -> None:
        root = self._root()
        name = str(root) if root else words.text("verify.trust_none")
        self._trust.setText(f"{words.text('verify.trust')}: {name}")
        self.no_root.setVisible(root is not None)

    def _choose_root(self) -> None:
        start = str(self._root() or "")
        path, _ = QFileDialog.getOpenFileName(
            self, words.text("keys.root_title"), start, words.text("keys.root_filter")
        )
        if path:
            self._set_root(path)

    def _set_root(self, path: str) -> None:
        self.settings["office"] = {**self.settings["office"], "trust": path}
        self._show_root()
        if self.path is not None:
            self.check(self.path)

    # Checking -----------------------------------------------------------------------------------

    def check(self, path: Path) -> None:
        """Check a PDF, in a job."""
        self.path = path
        self.error.hide()
        root, register = self._root(), self.settings["office"].get("register", "")
        today = datetime.now().date()

        def work(watch: Watch) -> tuple[Any, Any]:
            verdict = papers.verify(path, trust=root, today=today, watch=watch)
            return verdict, _standing(register, verdict, today)

        self.jobs.start(
            words.text("verify.running", name=path.name), work,
            on_done=lambda made: self._show(*made), on_failed=self._failed, icon="shield-check",
        )  # fmt: skip

    def _failed(self, error: Exception) -> None:
        if isinstance(error, Refused):
            self.error.show_message("outside", " ".join(str(p) for p in error.problems))
            self.error.show()

    # Computing again ----------------------------------------------------------------------------

    def _choose_case(self) -> None:
        path, _ = QFileDialog.getOpenFileName(
            self, words.text("verify.rerun_title"), "", words.text("verify.rerun_filter")
        )
        if path:
            self.rerun(Path(path))

    def _audit_again(self) -> None:
        """Begin the next audit from the paper that was checked."""
        ask, path = getattr(self.parent(), "audit_again", None), self.path
        if ask is not None and path is not None:
            self.accept()
            ask(str(path))

    def rerun(self, case: Path) -> None:
        """Compute the paper's result again from a case's evidence, in a job."""
        checked, printed = self.path, self.verdict.result
        self.error.hide()
        self.again.setEnabled(False)

        def done(found: Any) -> None:
            self.again.setEnabled(True)
            if self.path == checked:
                self._show_sentences(list(found.lines))

        def failed(error: Exception) -> None:
            self.again.setEnabled(True)
            self._failed(error)

        self.jobs.start(
            words.text("verify.rerunning", name=case.name),
            lambda watch: papers.rerun(case, printed=printed, watch=watch),
            on_done=done, on_failed=failed, icon="refresh-cw",
        )  # fmt: skip

    # Showing ------------------------------------------------------------------------------------

    def _show(self, verdict: Any, standing: Any) -> None:
        self.verdict = verdict
        mark, word = state_of(verdict, standing)
        assert self.path is not None
        self._name.setText(self.path.name)
        self.chip.set_status(mark, word)
        self._head.show()
        self.drop.hide()
        self.other.show()
        self.copy.setEnabled(True)
        while self._lines.count():
            old = self._lines.takeAt(0).widget()
            if old is not None:
                old.hide()
                old.deleteLater()
        self.again.setVisible(bool(verdict.intact))
        able = hasattr(self.parent(), "audit_again")
        self.next_audit.setVisible(bool(verdict.intact) and able)
        sentences = [*verdict.lines]
        if standing is not None and mark == "outside":
            sentences = [*standing.lines, *sentences]
        elif standing is not None:
            sentences += standing.lines
        if verdict.sha256:
            sentences.append(words.text("verify.sha", sha=verdict.sha256))
        self._sentences = sentences
        self._lines.addWidget(line("rule"))
        for place, sentence in enumerate(sentences):
            if place:
                self._lines.addWidget(line())
            self._lines.addWidget(self._line(sentence, mark, first=place == 0))
        fit(self)

    def _show_sentences(self, more: list[str]) -> None:
        """Put further sentences under those that stand."""
        shown = more[:MOST_LINES]
        if len(more) > len(shown):
            shown.append(words.text("verify.rerun_more", n=f"{len(more) - len(shown):,}"))
        self._sentences += more
        for sentence in shown:
            self._lines.addWidget(line())
            self._lines.addWidget(self._line(sentence, "", first=False))
        fit(self)

    def _line(self, sentence: str, mark: str, *, first: bool) -> QWidget:
        said = Label(sentence, "key" if first else "text", wrap=True)
        said.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        said.setAccessibleName(sentence)
        icon, colour = "", "text2"
        if first:
            icon, colour = {
                "within": ("circle-check", "within"),
                "outside": ("circle-x", "outside"),
            }.get(mark, ("triangle-alert", "not_settled"))
        made = QWidget()
        inner = row(IconLabel(icon, colour, 16), said, spacing=10)
        inner.setContentsMargins(0, theme().px(6), 0, theme().px(6))
        inner.setStretch(1, 1)
        inner.setAlignment(inner.itemAt(0).widget(), Qt.AlignmentFlag.AlignTop)
        made.setLayout(inner)
        return made

    def sentences(self) -> list[str]:
        """What is shown, line by line."""
        return list(getattr(self, "_sentences", ()))

    def copy_words(self) -> None:
        """Put everything on the clipboard."""
        name = self.path.name if self.path else ""
        QApplication.clipboard().setText("\n".join([name, self.chip.words(), *self.sentences()]))

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if _pdf(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        event.acceptProposedAction()
        found = _pdf(event.mimeData())
        if found:
            self.check(found)


def _pdf(data: QMimeData) -> Path | None:
    return next(iter(dropped_files(data)), None)


def state_of(verdict: Any, standing: Any = None) -> tuple[str, str]:
    """Mark and word for what checking found, and for what the register says of it."""
    if not verdict.intact:
        return "outside", words.text("verify.invalid")
    # An office checks foreign papers too: that its register knows no such number proves nothing.
    if standing is not None and not standing.stands and standing.status != "unknown":
        known = standing.status if standing.status != "other file" else "foreign"
        return "outside", words.text(f"verify.{known}")
    if verdict.valid and verdict.expired:
        return "not settled", words.text("verify.expired")
    if verdict.valid:
        return "within", words.text("verify.valid")
    return "not settled", words.text("verify.intact")


def _standing(register: str, verdict: Any, today: date) -> Any:
    """What the office's own register says of this very file; None where there is none."""
    if not register or not verdict.number or not verdict.intact or not Path(register).is_file():
        return None
    from engine.case.standing import standing

    return standing(
        Path(register), number=verdict.number, revision=verdict.revision, sha256=verdict.sha256,
        today=today,
    )  # fmt: skip
