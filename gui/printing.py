"""Building, saving and printing the paper of a session; all heavy work runs in jobs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QDialog, QFileDialog, QWidget

from . import certify_words as words
from . import papers
from .widgets.basic import Button

if TYPE_CHECKING:
    from PySide6.QtPrintSupport import QPrinter

    from engine.base.watch import Watch

    from .session import Session


def with_pdf(session: Session, then: Callable[..., object], *, pages: bool = False) -> None:
    """Call ``then(pdf)`` with the paper's bytes: the kept file once it is issued, else built now.

    With ``pages``, the call is ``then(pdf, Pages)``, opened in the job.
    """
    certificate = session.state["certificate"]
    remembered = session.settings["office"].get("key_fingerprint") or None
    paper = None if certificate else papers.paper_of(session, fingerprint=remembered)
    if certificate is None and paper is None:
        from engine.base.problems import Problem, Refused
        from engine.messages import say

        session.refused.emit(Refused(Problem("", "", say("procedure.closed.no_result"))))
        return
    case = session.case

    def work(watch: Watch) -> tuple[Any, ...]:
        if paper is None:
            pdf = case.read(certificate["sha256"], name="certificate.pdf")
        else:
            pdf = papers.build(paper, watch)
        return (pdf, papers.Pages(pdf)) if pages else (pdf,)

    session.jobs.start(
        words.text("job.preview"), work, on_done=lambda made: then(*made),
        on_failed=session.refuse, icon="file-text",
    )  # fmt: skip


def file_name(session: Session) -> str:
    """A name for the saved file: the number, else the kind."""
    from engine.procedure import issue

    number = issue.planned(session.state, today=papers.today_of(session))["number"]
    kind = papers.kind_of(session.state)
    safe = "".join("-" if c in '\\/:*?"<>|' else c for c in f"{kind} {number}".strip())
    return f"{safe}.pdf"


def save_button(session: Session, parent: QWidget) -> Button:
    """``Save PDF…``."""
    return Button(
        words.text("decision.save"), icon="download", small=True,
        on_click=lambda: save(session, parent),
    )  # fmt: skip


def print_button(session: Session, parent: QWidget) -> Button:
    """``Print…``."""
    return Button(
        words.text("decision.print"), icon="printer", small=True,
        on_click=lambda: ask_and_print(session, parent),
    )  # fmt: skip


def save(session: Session, parent: QWidget, path: str = "") -> None:
    """Save the paper as PDF; asks where if not told."""
    if not path:
        start = str(session.path.parent / file_name(session))
        path, _ = QFileDialog.getSaveFileName(
            parent, words.text("decision.save_title"), start, words.text("decision.pdf_filter")
        )
    if not path:
        return
    target = Path(path if path.lower().endswith(".pdf") else f"{path}.pdf")

    def write(pdf: bytes) -> None:
        def work(watch: Watch) -> None:
            from engine.base.problems import Problem, Refused

            part = target.with_name(f".{target.name}.part")
            try:
                part.write_bytes(pdf)
                part.replace(target)
            except OSError as error:
                part.unlink(missing_ok=True)
                raise Refused(Problem(target.name, "", (error.strerror or str(error)))) from None

        session.jobs.start(
            words.text("decision.saved", name=target.name), work, on_failed=session.refuse,
            icon="download",
        )  # fmt: skip

    with_pdf(session, write)


def ask_and_print(session: Session, parent: QWidget) -> None:
    """Ask for a printer by the system's dialog, then print."""
    from PySide6.QtPrintSupport import QPrintDialog, QPrinter

    def ask(pdf: bytes, pages: papers.Pages) -> None:
        printer = QPrinter(QPrinter.PrinterMode.HighResolution)
        printer.setDocName(file_name(session))
        dialog = QPrintDialog(printer, parent)
        dialog.setMinMax(1, len(pages.sizes))
        dialog.setWindowTitle(words.text("print.title"))
        pages.close()
        dialog.finished.connect(
            lambda code: code == QDialog.DialogCode.Accepted and print_on(session, pdf, printer)
        )
        dialog.open()

    with_pdf(session, ask, pages=True)


def print_on(session: Session, pdf: bytes, printer: QPrinter) -> None:
    """Print a PDF on a printer that was chosen, in a job."""
    session.jobs.start(
        words.text("job.print"), lambda watch: papers.print_pages(pdf, printer, watch),
        on_failed=session.refuse, icon="printer",
    )  # fmt: skip
