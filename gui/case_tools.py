"""What is done with a whole case file: export, check, rescue. Each runs as a job."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QFileDialog

from . import dialogs, messages

if TYPE_CHECKING:
    from engine.base.watch import Watch

    from .main_window import MainWindow


def save_copy(window: MainWindow) -> None:
    """Write a whole copy of the open case under another name; asks where."""
    session = window.session
    if session is None:
        return
    start = session.path.with_name(f"{session.path.stem} copy{session.path.suffix}")
    title = messages.text("file.copy_title")
    path, _ = QFileDialog.getSaveFileName(
        window, title, str(start), messages.text("file.case_filter")
    )
    if path:
        case = session.case
        window.jobs.start(
            title, lambda watch: case.save_copy(path, watch), on_failed=window.failed, icon="save"
        )


def export(window: MainWindow, path: str = "") -> None:
    """Write the open case as a zip that reads without the program; asks where if not told."""
    session = window.session
    if session is None:
        return
    if not path:
        start = str(session.path.with_suffix(".zip"))
        path, _ = QFileDialog.getSaveFileName(
            window, messages.text("export.title"), start, "ZIP (*.zip)"
        )
    if not path:
        return
    case = session.case

    def work(watch: Watch) -> Path:
        from engine.case.export import export as write

        return write(case, path, watch=watch)

    def done(target: Path) -> None:
        words = messages.text("export.done", name=target.name)
        window.show_dialog(dialogs.NoticeDialog(window, messages.text("export.title"), [words]))

    window.jobs.start(
        messages.text("export.title"), work, on_done=done, on_failed=window.failed, icon="save"
    )


def check(window: MainWindow) -> None:
    """Check the open case file: pages, trail, state, and every kept byte."""
    session = window.session
    if session is None:
        return
    path = session.path

    def work(watch: Watch) -> Any:
        from engine.case.check import check_file

        return check_file(path, watch=watch)

    def done(report: Any) -> None:
        if report.whole:
            lines = [messages.text("check.whole", events=report.events, blobs=report.blobs)]
        else:
            lines = [messages.text("check.faults"), *(fault.text for fault in report.faults)]
        window.show_dialog(
            dialogs.NoticeDialog(window, messages.text("check.title"), lines, good=report.whole)
        )

    window.jobs.start(
        messages.text("check.title"),
        work,
        on_done=done,
        on_failed=window.failed,
        icon="shield-check",
    )


def salvage(window: MainWindow, path: str = "") -> None:
    """Make a sound case of what can be read of the open, damaged one, and open it."""
    session = window.session
    if session is None:
        return
    if not path:
        start = str(session.path.with_name(f"{session.path.stem} rescued.fairassay"))
        path, _ = QFileDialog.getSaveFileName(
            window,
            messages.text("salvage.title"),
            start,
            messages.text("file.case_filter"),
            options=QFileDialog.Option.DontConfirmOverwrite,  # the engine refuses a file that is there
        )
    if not path:
        return
    damaged, by = session.path, session.by

    def work(watch: Watch) -> Any:
        from engine.case.check import salvage as rescue

        return rescue(damaged, path, watch=watch, **by)

    window.jobs.start(
        messages.text("salvage.title"),
        work,
        on_done=lambda _report: window.open_case(path),
        on_failed=window.failed,
        icon="save",
    )
