"""Starts the window. Nothing heavy is imported before it is on show."""

from __future__ import annotations

import faulthandler
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from . import messages
from .collector import Collector
from .main_window import MainWindow, show_fault
from .paths import cache, home
from .settings import Settings
from .theme import theme

if TYPE_CHECKING:
    from engine.base.watch import Watch

NOTE = "ended-unexpectedly.txt"


def main(argv: Sequence[str]) -> int:
    """Open the window, on a case if its file is named; gives the exit code.

    Parameters
    ----------
    argv : sequence of str
        The arguments after the program's name: none, or the path of a case.
    """
    app = application()
    note = _CrashNote()
    settings = Settings()
    theme().use(appearance=settings["appearance"], scale=settings["text_scale"])
    window = MainWindow(settings=settings)
    _catch_faults(window)
    window.show()
    if note.text:
        window.home.set_notice(messages.text("crash.last", path=note.report))
    paths = [Path(one) for one in argv if not one.startswith("-")]
    if paths:
        window.open_case(str(paths[0]))
    QTimer.singleShot(300, lambda: _later(window))
    code = app.exec()
    note.clean()
    return int(code)


def application() -> QApplication:
    """The one QApplication, with its names set."""
    found = QApplication.instance()
    app = found if isinstance(found, QApplication) else QApplication(sys.argv[:1])
    app.setApplicationName("fairassay")
    app.setApplicationDisplayName(messages.text("app.name"))
    app.setDesktopFileName("fairassay")
    if app.findChild(Collector) is None:
        Collector(app)
    return app


def _later(window: MainWindow) -> None:
    """Once the window stands: give matplotlib a lasting cache, and load what pages need soon."""
    from . import engine_calls
    from .steps import load_pages

    os.environ.setdefault("MPLCONFIGDIR", str(cache() / "matplotlib"))

    def work(watch: Watch) -> None:
        engine_calls.warm(watch)
        load_pages(watch)

    def loaded(_none: object) -> None:
        collector = application().findChild(Collector)
        if collector is not None:
            collector.settle()
        window.prepares_pages = True
        window.prepare_pages()

    window.jobs.start("", work, on_done=loaded, quiet=True)


class _CrashNote:
    """The file into which Python writes where it stood if the process is struck down.

    It names functions and lines of programs alone, never values. Not empty at the start: the last
    session ended unexpectedly; the file is then kept as the report.
    """

    def __init__(self) -> None:
        self.file = home() / NOTE
        self.report = home() / "last-unexpected-end.txt"
        self.text = ""
        self._open: IO[str] | None = None
        try:
            if self.file.exists() and self.file.stat().st_size:
                self.text = "ended"
                os.replace(self.file, self.report)
            self._open = self.file.open("w", encoding="utf-8")
            faulthandler.enable(self._open)
        except OSError:
            return

    def clean(self) -> None:
        """The session ends as it should: nothing to report."""
        faulthandler.disable()
        if self._open is not None:
            self._open.close()
            self.file.unlink(missing_ok=True)


def _catch_faults(window: MainWindow) -> None:
    """A fault in the window's thread becomes a plain dialog, never a traceback."""
    showing = False

    def hook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        nonlocal showing
        if issubclass(kind, KeyboardInterrupt):
            QApplication.exit(130)
            return
        if showing:
            return
        showing = True
        try:
            page = window.stepper.page if window.stepper is not None else None
            what = page.accessibleName() if page is not None else messages.text("fault.doing")
            show_fault(window, what, error)
        finally:
            showing = False

    sys.excepthook = hook
