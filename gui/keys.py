"""Keys and office: what every paper of an office takes from here, and making keys."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QLineEdit, QScrollArea, QWidget

from engine.base.problems import Refused

from . import certify_words as words
from . import messages, papers
from .dialogs import Dialog, NoticeDialog
from .session import now
from .sign_dialog import PathField, passphrase_field
from .steps.decision_paper import choose_register
from .theme import theme
from .widgets.basic import Button, IconLabel, Label, column, row, section
from .widgets.fields import ChoiceButtons, FieldRow
from .widgets.message import MessageBar

if TYPE_CHECKING:
    from .jobs import Jobs
    from .main_window import MainWindow
    from .settings import Settings

OFFICE_FIELDS = ("address", "accreditation", "prefix")


def guard_page() -> QWidget:
    """How keys are guarded, in plain sentences."""
    made = QWidget()
    rows = column(section(words.text("keys.guard")), spacing=6)
    for sentence in words.GUARD:
        said = Label(sentence, wrap=True)
        beside = row(IconLabel("key-round", "text2", 14), said, spacing=10)
        beside.setStretch(1, 1)
        beside.setAlignment(beside.itemAt(0).widget(), Qt.AlignmentFlag.AlignTop)
        rows.addLayout(beside)
    made.setLayout(rows)
    return made


def scrolled(inside: QWidget, *, height: float) -> QScrollArea:
    """A part of a dialog that scrolls where the screen is small or the text large."""
    made = QScrollArea()
    made.setWidgetResizable(True)
    made.setFrameShape(QFrame.Shape.NoFrame)
    made.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    made.setWidget(inside)
    made.setMinimumHeight(min(theme().px(height), 460))
    return made


class KeysDialog(Dialog):
    """The office: its address, numbers, register, root and key."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window, words.text("keys.title"), words.text("keys.sentence"), width=600)
        self.window_, self.settings = window, window.settings
        office = self.settings["office"]
        name = self.settings["person"].get("organisation", "")
        self.name = QLineEdit(office.get("name") or name)
        self.fields = {key: QLineEdit(office.get(key, "")) for key in OFFICE_FIELDS}
        self.size = ChoiceButtons(
            [("A4", "A4"), ("Letter", "Letter")], value=office.get("page_size", "A4"),
            words=words.text("keys.page_size"),
        )  # fmt: skip
        rows = column(FieldRow(words.text("keys.office"), self.name), spacing=12)
        rows.setContentsMargins(0, 0, 12, 0)
        for key, field in self.fields.items():
            help_ = words.TEXTS.get(f"keys.{key}_help", "")
            rows.addWidget(FieldRow(words.text(f"keys.{key}"), field, help=help_))
        rows.addWidget(FieldRow(words.text("keys.page_size"), self.size))
        self.register = Label("", wrap=True)
        choose = Button(words.text("sign.choose"), small=True, on_click=self._register)
        choose.setAccessibleName(f"{words.text('keys.register')}: {choose.text()}")
        self.look = Button(words.text("keys.register_open"), small=True, on_click=self._look)
        beside = QWidget()
        inner = row(self.register, choose, self.look)
        inner.setStretch(0, 1)
        beside.setLayout(inner)
        rows.addWidget(
            FieldRow(words.text("keys.register"), beside, help=words.text("keys.register_help"))
        )
        self.root = PathField(
            words.text("keys.root"), title=words.text("keys.root_title"),
            pattern=words.text("keys.root_filter"),
        )  # fmt: skip
        self.root.edit.setText(office.get("trust", ""))
        rows.addWidget(
            FieldRow(words.text("keys.root"), self.root, help=words.text("keys.root_help"))
        )
        self.key = Label("", wrap=True)
        rows.addWidget(FieldRow(words.text("keys.key"), self.key))
        rows.addWidget(guard_page())
        rows.addStretch(1)
        inside = QWidget()
        inside.setLayout(rows)
        self.body.addWidget(scrolled(inside, height=430))
        make = Button(words.text("keys.make"), icon="key-round", on_click=self._make)
        self.buttons.insertWidget(0, make)
        self.add_button(messages.text("button.cancel"), self.reject)
        self.add_button(messages.text("button.keep"), self.keep, primary=True)
        self._show()

    def _show(self) -> None:
        office = self.settings["office"]
        self.register.setText(office.get("register") or words.text("keys.none"))
        self.look.setEnabled(bool(office.get("register")))
        key = office.get("key") or words.text("keys.none")
        print_ = str(office.get("key_fingerprint") or "")[:16]
        self.key.setText(" · ".join(p for p in (key, office.get("key_name", ""), print_) if p))

    def _register(self) -> None:
        if choose_register(self, self.settings, self.window_.folder()):
            self._show()

    def _look(self) -> None:
        from .register_dialog import RegisterDialog

        dialog = RegisterDialog(
            self, self.settings, self.window_.jobs, session=self.window_.session
        )
        dialog.setModal(True)
        dialog.open()

    def _make(self) -> None:
        session = self.window_.session
        dialog = MakeKeysDialog(
            self, self.settings, self.window_.jobs, clock=session.clock if session else now,
            name=self.settings["person"].get("name", ""), organisation=self.name.text().strip(),
        )  # fmt: skip
        dialog.made.connect(lambda made: (self._show(), self.root.edit.setText(str(made.root))))
        dialog.setModal(True)
        dialog.open()

    def keep(self) -> None:
        """Remember the office."""
        office = dict(self.settings["office"])
        office["name"] = self.name.text().strip()
        office |= {key: field.text().strip() for key, field in self.fields.items()}
        office["page_size"] = self.size.value() or "A4"
        root = self.root.path()
        office["trust"] = str(root) if root else ""
        self.settings["office"] = office
        self.accept()


class MakeKeysDialog(Dialog):
    """Makes a signing key, and the root where there is none. ``made`` sends what was made."""

    made = Signal(object)

    def __init__(
        self, parent: QWidget | None, settings: Settings, jobs: Jobs, *,
        clock: Callable[[], str] = now, name: str = "", organisation: str = "",
    ) -> None:  # fmt: skip
        super().__init__(parent, words.text("make.title"), words.text("make.sentence"), width=560)
        self.settings, self.jobs, self.clock = settings, jobs, clock
        office = settings["office"]
        self.name = QLineEdit(name)
        self.organisation = QLineEdit(organisation or office.get("name", ""))
        self.folder = PathField(
            words.text("make.folder"), title=words.text("make.folder_title"), pattern="",
            folder=True,
        )  # fmt: skip
        self.folder.edit.setText(str(Path(office["key"]).parent) if office.get("key") else "")
        self.folder.edit.textChanged.connect(lambda _t: self._root_words())
        self.kind = ChoiceButtons(
            [("P-256", "P-256"), ("RSA-3072", "RSA-3072")], value="P-256",
            words=words.text("make.kind"),
        )  # fmt: skip
        self.passphrase = passphrase_field(words.text("make.passphrase"))
        self.again = passphrase_field(words.text("make.again"))
        self.root_passphrase = passphrase_field(words.text("make.root_passphrase"))
        self.rows: dict[str, FieldRow] = {}
        helps = {k: words.TEXTS.get(f"make.{k}_help", "") for k in ("name", "kind", "passphrase")}
        rows = column(spacing=12)
        rows.setContentsMargins(0, 0, 12, 0)
        for key in (
            "name", "organisation", "folder", "kind", "passphrase", "again", "root_passphrase",
        ):  # fmt: skip
            made = FieldRow(
                words.text(f"make.{key}"), getattr(self, key), help=helps.get(key) or ""
            )
            self.rows[key] = made
            rows.addWidget(made)
        rows.addWidget(guard_page())
        rows.addStretch(1)
        inside = QWidget()
        inside.setLayout(rows)
        self.body.addWidget(scrolled(inside, height=440))
        self.error = MessageBar("outside", " ")
        self.error.hide()
        self.body.addWidget(self.error)
        self.add_button(messages.text("button.cancel"), self.reject)
        self.go = self.add_button(words.text("make.do"), self.make, primary=True)
        self._root_words()

    def _root_words(self) -> None:
        folder = self.folder.path()
        there = folder is not None and (folder / "root.pem").exists()
        help_ = self.rows["root_passphrase"].help
        help_.setText(words.text("make.root_old" if there else "make.root_new"))
        help_.show()

    def make(self) -> None:
        """Make the key in a job; what is wrong is said here."""
        for one in self.rows.values():
            one.set_error("")
        self.error.hide()
        folder = self.folder.path()
        if folder is None:
            self.rows["folder"].set_error(words.text("make.no_folder"))
            return
        if self.passphrase.text() != self.again.text():
            self.rows["again"].set_error(words.text("make.differs"))
            return
        given: dict[str, Any] = {
            "name": self.name.text().strip(),
            "out": folder,
            "passphrase": self.passphrase.text(),
            "today": date.fromisoformat(self.clock()[:10]),
            "organisation": self.organisation.text().strip(),
            "kind": self.kind.value() or "P-256",
            "root_passphrase": self.root_passphrase.text() or None,
        }
        for field in (self.passphrase, self.again, self.root_passphrase):
            field.clear()
        self.go.setEnabled(False)
        self.jobs.start(
            words.text("job.keys"), lambda watch: papers.make_keys(watch=watch, **given),
            on_done=self._done, on_failed=self._failed, icon="key-round",
        )  # fmt: skip

    def _failed(self, error: Exception) -> None:
        self.go.setEnabled(True)
        if isinstance(error, Refused):
            self.error.show_message("outside", " ".join(str(p) for p in error.problems))
            self.error.show()

    def _done(self, made: Any) -> None:
        office = dict(self.settings["office"])
        name = self.name.text().strip()
        office |= {"key": str(made.key), "key_name": name, "key_fingerprint": made.fingerprint}
        if not office.get("trust") or made.new_root:
            office["trust"] = str(made.root)
        self.settings["office"] = office
        from engine.procedure.moments import day

        until = day(made.valid_until.isoformat(), year=True)
        lines = [
            words.text("make.done", name=name, until=until, key=made.key),
            words.text("make.done_print", fingerprint=made.fingerprint),
        ]
        if made.new_root:
            lines.append(
                words.text("make.done_root", root=made.root, fingerprint=made.root_fingerprint)
            )
        self.made.emit(made)
        self.accept()
        notice = NoticeDialog(self.parentWidget(), words.text("make.done_title"), lines)
        notice.setModal(True)
        notice.open()
