"""The one window: menus, the start page, and the open case."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QByteArray, Qt, QTimer
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QDialog, QFileDialog, QMainWindow, QStackedWidget, QWidget

from engine.base.problems import Problem, Refused

from . import dialogs, engine_calls, messages
from .home import HomePage
from .jobs import Job, Jobs
from .menus import Menus
from .opening import fill_from_sample
from .paths import home
from .session import Session, now
from .settings import Settings
from .stepper import Stepper
from .theme import theme
from .widgets.drop import dropped_files

CASE_SUFFIX = ".fairassay"
SIZE, LEAST = (1280, 800), (1024, 700)


class MainWindow(QMainWindow):
    """The window. ``session`` is the open case, or None on the start page."""

    def __init__(self, *, settings: Settings | None = None, jobs: Jobs | None = None) -> None:
        super().__init__()
        self.settings = settings or Settings()
        self.jobs = jobs or Jobs(self)
        self.session: Session | None = None
        self.stepper: Stepper | None = None
        self.prepares_pages = False
        """Whether pages are made ahead of time; set once all that they need is loaded."""
        self._help: dialogs.HelpDialog | None = None
        self.setWindowTitle(messages.text("app.name"))
        self.setMinimumSize(*LEAST)
        self.setAcceptDrops(True)
        self.stack = QStackedWidget()
        self.setCentralWidget(self.stack)
        self.home = HomePage(self.settings)
        self.stack.addWidget(self.home)
        self.stack.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._wire_home()
        self.menus = Menus(self)
        self.jobs.crashed.connect(self._job_crashed)
        self.resize(*SIZE)
        if self.settings["geometry"]:
            self.restoreGeometry(QByteArray.fromBase64(self.settings["geometry"].encode()))

    def _wire_home(self) -> None:
        page = self.home
        page.new_asked.connect(self.new_case)
        page.open_asked.connect(self.choose_case)
        page.again_asked.connect(self.audit_again)
        page.case_asked.connect(self.open_case)
        page.sample_asked.connect(self.open_sample)
        page.files_dropped.connect(self.take_files)
        page.verify_asked.connect(self.verify)
        page.selftest_asked.connect(self.selftest)
        page.keys_asked.connect(self.keys)

    # Cases ---------------------------------------------------------------------------------------

    def new_case(self) -> None:
        """Ask where the case is to be kept and who works on it, then open its first step."""
        start = str(self.folder() / messages.text("file.new_name"))
        path, _ = QFileDialog.getSaveFileName(
            self, messages.text("file.new_title"), start, messages.text("file.case_filter")
        )
        if not path:
            return
        person = dialogs.PersonDialog(self, self.settings)
        if person.exec() != QDialog.DialogCode.Accepted:
            return
        actor = person.actor()
        target = Path(path if path.endswith(CASE_SUFFIX) else path + CASE_SUFFIX)
        session = self.create_case(target, actor=actor)
        if session is None:
            return
        facts = [(("case", "organisation"), person.organisation.text().strip())]
        if actor.role.lower() in ("evaluator", "reviewer", "decider"):
            facts.append((("case", actor.role.lower()), actor.name))
        given = [(path, value) for path, value in facts if value]
        if given:
            session.set_many(given, messages.text("facts.words"))

    def create_case(self, path: Path, *, actor: Any = None) -> Session | None:
        """Make a case under a path and open it; a refusal is shown and gives None."""
        from engine.case.store import Case

        try:
            if path.exists():  # the system's dialog has asked whether it may be replaced
                aside = path.with_name(path.name + ".replaced")
                path.replace(aside)
            case = Case.create(path, who=actor.who if actor else "", when=now())
        except Refused as error:
            self.show_problems(error)
            return None
        except OSError as error:
            self.show_problems(Refused(Problem(path.name, "", error.strerror or str(error))))
            return None
        session = Session(case, jobs=self.jobs, settings=self.settings, actor=actor)
        self.show_session(session)
        return session

    def choose_case(self) -> None:
        """Ask for a case file and open it."""
        path, _ = QFileDialog.getOpenFileName(
            self,
            messages.text("file.open_title"),
            str(self.folder()),
            messages.text("file.case_filter"),
        )
        if path:
            self.open_case(path)

    def audit_again(self, path: str = "") -> None:
        """Open a new case from an old certificate or its case; asks for it if not told."""
        from . import renewal

        renewal.ask(self, path)

    def open_case(self, path: str) -> Session | None:
        """Open a case file; what is wrong with it is said in words."""
        from engine.case.store import Case

        if self.session is not None and Path(path).resolve() == self.session.path.resolve():
            self.show_case()
            return self.session
        try:
            case = Case.open(path, who=self.settings["person"].get("name", ""))
        except Refused as error:
            self.show_problems(error)
            self.home.refresh()
            return None
        session = Session(case, jobs=self.jobs, settings=self.settings)
        self.show_session(session)
        return session

    def open_sample(self, name: str) -> None:
        """Open a built-in sample as a fresh case of its own."""
        folder = home() / "samples"
        folder.mkdir(exist_ok=True)
        number = 1
        while (path := folder / f"{name}-{number}{CASE_SUFFIX}").exists():
            number += 1
        session = self.create_case(path)
        if session is None:
            return
        self.stepper_or_fail().list.setEnabled(False)

        def ready() -> None:
            stepper = self.stepper_or_fail()
            stepper.list.setEnabled(True)
            stepper.open_step(6)

        fill_from_sample(session, name, on_done=ready)

    def show_session(self, session: Session) -> None:
        """Put a case on show in the place of what was open."""
        self.close_session()
        self.session = session
        session.settings = self.settings
        self.stepper = Stepper(session)
        self.stepper.help_asked.connect(self.show_help)
        self.stepper.step_opened.connect(lambda _n: self.menus.refresh())
        session.refused.connect(self.show_problems)
        session.changed.connect(self.menus.refresh)
        self.stack.addWidget(self.stepper)
        first = next(
            (
                v.number
                for v in session.views()
                if v.state in ("in progress", "not started", "out of date")
            ),
            0,
        )
        self.stepper.open_step(first)
        for item in session.state["items"]:
            session.table(item["id"])
        self.settings.remember_case(session.recent_entry())
        self.show_case()
        self.prepare_pages()

    def prepare_pages(self) -> None:
        """Make the pages of the open case ahead of time, where the program is ready for it."""
        if self.prepares_pages and self.stepper is not None:
            self.stepper.prepare()

    def show_case(self) -> None:
        """Show the open case."""
        if self.stepper is not None:
            self.stack.setCurrentWidget(self.stepper)
            self.stepper.list.setFocus()
        self.menus.refresh()

    def show_home(self) -> None:
        """Show the start page; the case stays open."""
        if self.session is not None:
            self.settings.remember_case(self.session.recent_entry())
        self.home.refresh()
        self.stack.setCurrentWidget(self.home)
        self.menus.refresh()

    def close_session(self) -> None:
        """Close the case; every choice is already kept in its file."""
        if self.session is None:
            return
        if self.stepper is not None:
            if self.stepper.page is not None:
                self.stepper.page.left()
            self.stack.removeWidget(self.stepper)
            self.stepper.setParent(None)
            self.stepper.deleteLater()
        self.session.close()
        self.session.deleteLater()
        self.session = self.stepper = None

    def stepper_or_fail(self) -> Stepper:
        """The workspace of the open case."""
        assert self.stepper is not None
        return self.stepper

    def save_copy(self) -> None:
        """Write a whole copy of the case under another name."""
        from . import case_tools

        case_tools.save_copy(self)

    def add_files(self) -> None:
        """Ask for files and enter them as evidence of the case."""
        if self.session is not None:
            given, _ = QFileDialog.getOpenFileNames(
                self,
                messages.text("file.files_title"),
                str(self.folder()),
                messages.text("file.all_filter"),
            )
            self.session.add_files([Path(one) for one in given])

    def folder(self) -> Path:
        """Where the person works: beside the open case, or the last one."""
        if self.session is not None:
            return self.session.path.parent
        recent = self.settings["recent"]
        last = Path(recent[0]["path"]).parent if recent else Path.home()
        return last if last.is_dir() else Path.home()

    # Files from outside --------------------------------------------------------------------------

    def take_files(self, paths: list[Path]) -> None:
        """What was dropped: a case opens; a PDF is verified on the start page; files become items."""
        cases = [p for p in paths if p.suffix.lower() == CASE_SUFFIX]
        if cases:
            self.open_case(str(cases[0]))
            return
        on_home = self.stack.currentWidget() is self.home
        on_paper = self.session is not None and self.session.opened >= 10
        if (on_home or on_paper) and len(paths) == 1 and paths[0].suffix.lower() == ".pdf":
            self.verify(paths[0])
            return
        if on_home or self.session is None:
            self.new_case()
        if self.session is None or (on_home and self.stack.currentWidget() is self.home):
            return
        page = self.stepper_or_fail().page
        if page is None or not page.drop(paths):
            self.session.add_files(paths, on_done=lambda: self.stepper_or_fail().open_step(0))

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if dropped_files(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        event.acceptProposedAction()
        files = dropped_files(event.mimeData())
        QTimer.singleShot(0, lambda: self.take_files(files))  # the drag has to end first

    def verify(self, path: Path | None = None) -> None:
        """Check a certificate, in a job, and say what it holds; asks for it there if not told."""
        from .verify_dialog import VerifyDialog

        self.show_dialog(VerifyDialog(self, self.settings, self.jobs, Path(path) if path else None))

    def register(self) -> None:
        """Open the office's register of certificates."""
        from .register_dialog import RegisterDialog

        self.show_dialog(RegisterDialog(self, self.settings, self.jobs, session=self.session))

    def selftest(self) -> None:
        """Recompute the published figures on this machine; the report is written as PDF."""
        folder = home() / "selftest"

        def done(passed: bool) -> None:
            self.settings["selftest"] = {"when": now(), "passed": passed}
            self.home.show_selftest()

        self.home.set_notice(messages.text("selftest.running"))
        self.jobs.start(
            messages.text("home.selftest"), lambda watch: engine_calls.selftest(folder, watch),
            on_done=done, on_failed=self.failed, icon="shield-check",
        )  # fmt: skip

    def keys(self) -> None:
        """Keys and office: the dialog of the certificate's builder where it is there."""
        self._open_named("gui.keys", "KeysDialog", messages.text("home.keys"))

    def export(self) -> None:
        """Write the whole case as a zip whose manifest holds the fingerprint of each file in it."""
        from . import case_tools

        case_tools.export(self)

    def check(self) -> None:
        """Check the case file to its last byte, and say what is wrong."""
        from . import case_tools

        case_tools.check(self)

    def salvage(self) -> None:
        """Make a sound case of what can be read of a damaged one."""
        from . import case_tools

        case_tools.salvage(self)

    def _open_named(self, module: str, name: str, what: str) -> None:
        import importlib
        from importlib.util import find_spec

        if find_spec(module) is None:
            self.show_problems(
                Refused(Problem("", "", messages.text("menu.unavailable", what=what)))
            )
            return
        self.show_dialog(getattr(importlib.import_module(module), name)(self))

    def print_preview(self) -> None:
        """Show the certificate as it would be printed: the page of step 10 does it."""
        if self.stepper is not None:
            self.show_case()
            self.stepper.open_step(10)
            preview: Callable[[], object] | None = getattr(self.stepper.page, "preview", None)
            if preview is not None:
                preview()

    # Dialogs -------------------------------------------------------------------------------------

    def show_dialog(self, dialog: QDialog) -> QDialog:
        """Open a dialog over the window without stopping it."""
        dialog.setModal(True)
        dialog.open()
        return dialog

    def show_problems(self, error: Refused) -> None:
        """Say why something was refused, and how to mend it."""
        self.show_dialog(dialogs.ProblemDialog(self, error.problems))

    def failed(self, error: Exception) -> None:
        """Show why a job was refused."""
        if isinstance(error, Refused):
            self.show_problems(error)

    def _job_crashed(self, job: Job, error: Any) -> None:
        show_fault(self, job.name, error)

    def facts(self) -> None:
        """Open the facts of the case."""
        if self.session is not None:
            self.show_dialog(dialogs.FactsDialog(self, self.session))

    def trail(self) -> None:
        """Open the trail of the case."""
        if self.session is not None:
            self.show_dialog(dialogs.TrailDialog(self, self.session))

    def person(self) -> None:
        """Change who works on the case."""
        asked = dialogs.PersonDialog(self, self.settings)
        if asked.exec() == QDialog.DialogCode.Accepted and self.session is not None:
            self.session.actor = asked.actor()
            self.session.changed.emit()

    def show_help(self, name: str = "") -> None:
        """Open a help page; without a name, that of what is on show."""
        if self._help is None:
            self._help = dialogs.HelpDialog(self)
        on_case = self.stepper is not None and self.stack.currentWidget() is self.stepper
        wanted = name or (self.stepper.help_name() if on_case and self.stepper else "index")
        self._help.open(wanted)

    def about(self) -> None:
        """Say what the program is, and what others made of it."""
        self.show_dialog(dialogs.AboutDialog(self))

    def open_method(self, name: str) -> None:
        """Open a method's wizard, or the step that it hangs on."""
        if self.session is None or self.stepper is None:
            return
        from engine.methods import method

        from .wizards import wizard_page

        self.show_case()
        page = wizard_page(name, self.session, self.stepper)
        if page is None:
            self.stepper.open_step(method(name).step)
        else:
            self.stepper.open_wizard(page)

    # Appearance ----------------------------------------------------------------------------------

    def set_appearance(self, appearance: str) -> None:
        """Change to ``system``, ``light`` or ``dark``, now and next time."""
        self.settings["appearance"] = appearance
        theme().use(appearance=appearance)

    def set_scale(self, scale: int) -> None:
        """Change the text scale in per cent, now and next time."""
        self.settings["text_scale"] = scale
        theme().use(scale=scale)

    def closeEvent(self, event: QCloseEvent) -> None:
        self.settings["geometry"] = bytes(self.saveGeometry().toBase64().data()).decode()
        self.jobs.end_all()
        self.close_session()
        if self._help is not None:
            self._help.close()
        super().closeEvent(event)


def show_fault(parent: QWidget | None, what: str, error: BaseException) -> None:
    """Write a report without personal data and say in plain words what happened."""
    from engine import fault

    path = fault.write(error)
    dialog = dialogs.CrashDialog(parent, what, str(path or ""))
    dialog.setModal(True)
    dialog.open()
