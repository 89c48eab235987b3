"""A paper in a dialog: shown page for page, printed, saved. All heavy work runs in jobs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QDialog, QFileDialog, QWidget

from gui import papers, printing
from gui.dialogs import Dialog
from gui.theme import theme
from gui.widgets.basic import Button
from gui.widgets.pdf_view import PdfView

from .peers_words import text

if TYPE_CHECKING:
    from engine.base.watch import Watch
    from gui.session import Session

    Make = Callable[[Watch], bytes]


def write(session: Session, target: Path, make: Make) -> None:
    """Make a file's bytes in a job and write them, whole or not at all."""

    def work(watch: Watch) -> None:
        from engine.base.problems import Problem, Refused

        data = make(watch)
        part = target.with_name(f".{target.name}.part")
        try:
            part.write_bytes(data)
            part.replace(target)
        except OSError as error:
            part.unlink(missing_ok=True)
            raise Refused(Problem(target.name, "", error.strerror or str(error))) from None

    session.jobs.start(
        text("job_save", name=target.name), work, on_failed=session.refuse, icon="download"
    )


def ask_and_write(
    session: Session, parent: QWidget, make: Make, *, name: str, title: str, kind: str
) -> None:
    """Ask where, then :func:`write`."""
    start = str(session.path.parent / name)
    path, _ = QFileDialog.getSaveFileName(parent, title, start, kind)
    if path:
        suffix = Path(name).suffix
        write(session, Path(path if path.lower().endswith(suffix) else path + suffix), make)


class PaperDialog(Dialog):
    """Shows what ``make`` gives."""

    def __init__(
        self, parent: QWidget, session: Session, make: Make, *, title: str, file_name: str,
        sentence: str = "", job: str = "",
    ) -> None:  # fmt: skip
        super().__init__(parent, title, sentence or text("preview_sentence"), width=760)
        self.session = session
        self.file_name = file_name
        self.pdf = b""
        self.view = PdfView(session.jobs)
        self.body.addWidget(self.view, 1)
        self.save_button = Button(text("save"), icon="download", on_click=self._save)
        self.print_button = Button(text("print"), icon="printer", on_click=self._print)
        for button in (self.save_button, self.print_button):
            button.setEnabled(False)
            self.buttons.addWidget(button)
        self.add_button(text("close"), self.accept, primary=True)
        self.resize(theme().px(820), min(theme().px(760), parent.window().height()))
        self.finished.connect(lambda _code: self.view.close_pages())

        def work(watch: Watch) -> tuple[bytes, papers.Pages]:
            pdf = make(watch)
            return pdf, papers.Pages(pdf)

        session.jobs.start(
            job or text("job_list"), work, on_done=lambda made: self._show(*made),
            on_failed=session.refuse, icon="file-text",
        )  # fmt: skip

    def _show(self, pdf: bytes, pages: papers.Pages) -> None:
        self.pdf = pdf
        self.view.set_pages(pages)
        for button in (self.save_button, self.print_button):
            button.setEnabled(True)
        self.view.sheet.setFocus()

    def _save(self) -> None:
        pdf = self.pdf
        ask_and_write(
            self.session, self, lambda watch: pdf, name=self.file_name, title=text("save"),
            kind=text("pdf"),
        )  # fmt: skip

    def _print(self) -> None:
        from PySide6.QtPrintSupport import QPrintDialog, QPrinter

        printer = QPrinter(QPrinter.PrinterMode.HighResolution)
        printer.setDocName(self.file_name)
        dialog = QPrintDialog(printer, self)
        dialog.setMinMax(1, self.view.count)
        dialog.finished.connect(
            lambda code: (
                code == QDialog.DialogCode.Accepted
                and printing.print_on(self.session, self.pdf, printer)
            )
        )
        dialog.open()
