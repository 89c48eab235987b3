"""Signing: which key, whose role, the passphrase used once; and opening a new revision."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QFileDialog, QLayout, QLineEdit, QPlainTextEdit, QWidget

from engine.base.problems import Cancelled, Refused
from engine.procedure import acts, decision, issue

from . import certify_words as words
from . import messages, papers
from .dialogs import Dialog, NoticeDialog
from .widgets.basic import Button, row
from .widgets.fields import ChoiceButtons, FieldRow
from .widgets.message import MessageBar

if TYPE_CHECKING:
    from .session import Session


def fit(dialog: Dialog) -> None:
    """Make a dialog as high as its words need at its width, once they are laid out."""

    def now() -> None:
        layout = dialog.layout()
        if layout is not None:
            # The least height of wrapped words is that at their least width: far too much here.
            layout.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
            layout.activate()
            needed = layout.totalHeightForWidth(dialog.width())
            dialog.setMinimumHeight(min(needed, 640))
            dialog.resize(dialog.width(), needed)

    QTimer.singleShot(0, dialog, now)


class PathField(QWidget):
    """A path with its Choose button; ``title`` and ``pattern`` are those of the system's dialog."""

    def __init__(self, name: str, *, title: str, pattern: str, folder: bool = False) -> None:
        super().__init__()
        self.edit = QLineEdit()
        self.edit.setAccessibleName(name)
        self._title, self._pattern, self._folder = title, pattern, folder
        self.button = Button(words.text("sign.choose"), small=True, on_click=self.choose)
        self.button.setAccessibleName(f"{name}: {self.button.text()}")
        inner = row(self.edit, self.button)
        inner.setStretch(0, 1)
        self.setLayout(inner)
        self.setAccessibleName(name)
        self.setFocusProxy(self.edit)

    def choose(self) -> None:
        """Ask for the file or folder."""
        if self._folder:
            path = QFileDialog.getExistingDirectory(self, self._title, self.edit.text())
        else:
            path, _ = QFileDialog.getOpenFileName(
                self, self._title, self.edit.text(), self._pattern
            )
        if path:
            self.edit.setText(path)

    def path(self) -> Path | None:
        """The path given, or None."""
        text = self.edit.text().strip()
        return Path(text).expanduser() if text else None


def passphrase_field(name: str) -> QLineEdit:
    """A field that shows dots and remembers nothing."""
    made = QLineEdit()
    made.setEchoMode(QLineEdit.EchoMode.Password)
    made.setInputMethodHints(
        Qt.InputMethodHint.ImhHiddenText
        | Qt.InputMethodHint.ImhSensitiveData
        | Qt.InputMethodHint.ImhNoPredictiveText
    )
    made.setAccessibleName(name)
    return made


class SignDialog(Dialog):
    """Signs the paper of a session, keeps it in the case and enters it into the register."""

    def __init__(self, parent: QWidget | None, session: Session) -> None:
        made = issue.planned(session.state, today=papers.today_of(session))
        facts = session.facts
        system = " ".join(p for p in (facts["system"], facts["version"]) if p)
        kind = papers.kind_of(session.state).capitalize()
        super().__init__(
            parent, words.text("sign.title"),
            words.text("sign.sentence", kind=kind, number=made["number"],
                       revision=made["revision"],
                       system=system or messages.text("case.unnamed")),
            width=560,
        )  # fmt: skip
        self.session = session
        self._office: dict[str, Any] = dict(session.settings["office"])
        self._job: Any = None
        self._second = session.state["certificate"] is not None
        good, said = decision.roles(session.state)
        if not good:
            self.body.addWidget(MessageBar("warning", said))
        if not self._office.get("register"):
            self.body.addWidget(MessageBar("info", words.text("sign.no_register")))
        self.role = ChoiceButtons(
            [("decider", words.text("sign.role_decider")),
             ("evaluator", words.text("sign.role_evaluator"))],
            value="decider", words=words.text("sign.role"),
        )  # fmt: skip
        if self._second:
            self.role.set_enabled("evaluator", False)
        self.kind = ChoiceButtons(
            [("file", words.text("sign.with_file")), ("token", words.text("sign.with_token"))],
            value="file", words=words.text("sign.with"),
        )  # fmt: skip
        self.kind.picked.connect(lambda _v: self._show_kind())
        self._build_fields()
        self.error = MessageBar("outside", " ")
        self.error.hide()
        self.body.addWidget(self.error)
        self.body.addStretch(1)
        self.make = Button(words.text("sign.make"), icon="key-round", on_click=self._make_keys)
        self.buttons.insertWidget(0, self.make)
        self.cancel = self.add_button(messages.text("button.cancel"), self.reject)
        self.go = self.add_button(words.text("sign.do"), self.sign, primary=True)
        self._show_kind()
        self.passphrase.setFocus()

    def _build_fields(self) -> None:
        self.file = PathField(
            words.text("sign.file"), title=words.text("sign.choose_title"),
            pattern=words.text("sign.key_filter"),
        )  # fmt: skip
        self.file.edit.setText(self._office.get("key", ""))
        self.library = PathField(
            words.text("sign.library"), title=words.text("sign.library"),
            pattern=messages.text("file.all_filter"),
        )  # fmt: skip
        self.library.edit.setText(self._office.get("library", ""))
        self.token, self.label = QLineEdit(), QLineEdit()
        self.token.setText(self._office.get("token", ""))
        self.label.setText(self._office.get("label", ""))
        self.passphrase = passphrase_field(words.text("sign.passphrase"))
        self.rows = {
            "role": FieldRow(
                words.text("sign.role"), self.role, help=words.text("sign.role_help")
            ),
            "kind": FieldRow(words.text("sign.with"), self.kind),
            "file": FieldRow(words.text("sign.file"), self.file),
            "library": FieldRow(
                words.text("sign.library"), self.library, help=words.text("sign.library_help")
            ),
            "token": FieldRow(words.text("sign.token"), self.token),
            "label": FieldRow(words.text("sign.label"), self.label),
            "passphrase": FieldRow(
                words.text("sign.passphrase"), self.passphrase,
                help=words.text("sign.passphrase_help"),
            ),
        }  # fmt: skip
        for one in self.rows.values():
            self.body.addWidget(one)

    def _show_kind(self) -> None:
        token = self.kind.value() == "token"
        self.rows["file"].setVisible(not token)
        for key in ("library", "token", "label"):
            self.rows[key].setVisible(token)
        name = words.text("sign.pin" if token else "sign.passphrase")
        self.rows["passphrase"].label.setText(name)
        self.passphrase.setAccessibleName(name)
        fit(self)

    def _make_keys(self) -> None:
        from .keys import MakeKeysDialog

        dialog = MakeKeysDialog(
            self, self.session.settings, self.session.jobs, clock=self.session.clock,
            name=self.session.facts["decider"], organisation=self.session.facts["organisation"],
        )  # fmt: skip
        dialog.made.connect(self._made)
        dialog.setModal(True)
        dialog.open()

    def _made(self, made: Any) -> None:
        self._office = dict(self.session.settings["office"])
        self.kind.set_value("file")
        self._show_kind()
        self.file.edit.setText(str(made.key))
        self.passphrase.setFocus()

    def _lacking(self) -> tuple[str, str]:
        if self.kind.value() == "token":
            whole = self.library.path() and self.token.text().strip() and self.label.text().strip()
            if not whole:
                return "label", words.text("sign.no_token")
        elif self.file.path() is None:
            return "file", words.text("sign.no_key")
        if not self.passphrase.text():
            return "passphrase", words.text("sign.no_passphrase")
        return "", ""

    def sign(self) -> None:
        """Sign in a job; what is wrong is said here, and nothing is then issued."""
        for one in self.rows.values():
            one.set_error("")
        self.error.hide()
        key, text = self._lacking()
        if key:
            self.rows[key].set_error(text)
            self.rows[key].field.setFocus()
            return
        paper = papers.paper_of(self.session)
        if paper is None:
            return
        session = self.session
        token = self.kind.value() == "token"
        signing = papers.Signing(
            role=self.role.value() or "decider",
            passphrase=self.passphrase.text(),
            key=None if token else self.file.path(),
            library=self.library.path() if token else None,
            token=self.token.text().strip(),
            label=self.label.text().strip(),
            when=datetime.fromisoformat(session.clock()),
        )
        self.passphrase.clear()
        register = Path(self._office["register"]) if self._office.get("register") else None
        case, who = session.case, session.actor.who
        self._busy(True)
        self._job = session.jobs.start(
            words.text("job.sign"),
            lambda watch: papers.sign(
                case=case, paper=paper, signing=signing, register=register, who=who, watch=watch
            ),
            on_done=lambda made: self._done(made, signing), on_failed=self._failed,
            icon="pen-line",
        )  # fmt: skip

    def _busy(self, busy: bool) -> None:
        self.go.setEnabled(not busy)
        self.make.setEnabled(not busy)
        for one in self.rows.values():
            one.field.setEnabled(not busy)

    def _failed(self, error: Exception) -> None:
        self._busy(False)
        if self._second:
            self.role.set_enabled("evaluator", False)
        if isinstance(error, Refused):
            self.error.show_message("outside", " ".join(p.text for p in error.problems))
            self.error.show()
            fit(self)
        elif not isinstance(error, Cancelled):
            self.reject()
        self.passphrase.setFocus()

    def _done(self, made: dict[str, Any], signing: papers.Signing) -> None:
        session, last = self.session, made["signers"][-1]
        if self._second:
            words_of = words.text("sign.words", role=signing.role)
            done = session.do(
                acts.sign_certificate(sha256=made["sha256"], words=words_of, **session.by)
            )
        else:
            done = session.do(acts.issue_certificate(made, **session.by))
        self._busy(False)
        if not done:
            self.reject()
            return
        self._remember(last, signing)
        register = self._office.get("register")
        if not made["signed"] or not register:
            self._tell(made, last, words.text("sign.done_no_register"))
            return
        case, state, by = session.case, session.state, session.by
        self._busy(True)
        session.jobs.start(
            words.text("job.register"),
            lambda watch: papers.enter(
                case=case, register=Path(register), state=state, watch=watch, **by
            ),
            on_done=lambda _none: self._tell(made, last, words.text("sign.done_register")),
            on_failed=lambda error: self._tell(made, last, _not_entered(error)),
            quiet=True,
        )  # fmt: skip

    def _tell(self, made: dict[str, Any], last: dict[str, str], registered: str) -> None:
        self._busy(False)
        self.accept()
        said = _said(made, self.session, last, registered)
        notice = NoticeDialog(self.parentWidget(), words.text("sign.done_title"), said)
        notice.setModal(True)
        notice.open()

    def _remember(self, signer: dict[str, str], signing: papers.Signing) -> None:
        """Where the key lies and what it is called; never its passphrase."""
        office = dict(self.session.settings["office"])
        if signing.key is not None:
            office["key"] = str(signing.key)
            if signing.role == "decider":
                office |= {"key_name": signer["name"], "key_fingerprint": signer["fingerprint"]}
        else:
            office |= {
                "library": str(signing.library),
                "token": signing.token,
                "label": signing.label,
            }
        self.session.settings["office"] = office


def _not_entered(error: Exception) -> str:
    why = " ".join(p.text for p in error.problems) if isinstance(error, Refused) else ""
    return words.text("sign.not_entered", why=why).replace("  ", " ")


def _said(
    made: dict[str, Any], session: Session, last: dict[str, str], registered: str
) -> list[str]:
    if not made["signed"]:
        return [words.text("sign.done_first", number=made["number"], name=last["name"])]
    kind = papers.kind_of(session.state).capitalize()
    key = " ".join(last["fingerprint"][i : i + 4] for i in range(0, 16, 4))
    return [
        words.text("sign.done", kind=kind, number=made["number"], name=last["name"]),
        registered,
        words.text("sign.done_key", fingerprint=key),
    ]


class ReviseDialog(Dialog):
    """Opens the case again for a new revision, with its reason."""

    def __init__(self, parent: QWidget | None, session: Session) -> None:
        super().__init__(
            parent, words.text("revise.title"), words.text("revise.sentence"), width=520
        )
        self.session = session
        self.reason = QPlainTextEdit()
        self.reason.setTabChangesFocus(True)
        self.row = FieldRow(words.text("revise.reason"), self.reason)
        self.body.addWidget(self.row)
        self.add_button(messages.text("button.cancel"), self.reject)
        self.add_button(words.text("revise.do"), self.revise, primary=True)

    def revise(self) -> None:
        """Open the revision."""
        reason = self.reason.toPlainText().strip()
        if not reason:
            self.row.set_error(words.text("revise.empty"))
            return
        if self.session.do(acts.revise(reason=reason, **self.session.by)):
            self.accept()
