"""The paper as it is printed, shown in the place of the page."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from . import certify_words as words
from . import papers, printing
from .steps.base import StepPage
from .widgets.pdf_view import PdfView

if TYPE_CHECKING:
    from .session import Session
    from .stepper import Stepper


class PreviewPage(StepPage):
    """Built when it opens, in a job; of a signed case it shows the kept file itself."""

    number = 10

    def __init__(
        self, session: Session, stepper: Stepper | None, *, on_sign: Callable[[], object]
    ) -> None:
        self.title = words.text("preview.title", kind=papers.kind_of(session.state))  # type: ignore[misc]
        signed = session.state["certificate"] is not None
        self.sentence = words.text("preview.sentence_signed" if signed else "preview.sentence")  # type: ignore[misc]
        self.pdf = b""
        self._on_sign = on_sign
        super().__init__(session, stepper)

    def build(self) -> None:
        self.view = PdfView(self.session.jobs)
        self.body.addWidget(self.view, 1000)
        self.header.add(printing.save_button(self.session, self))
        self.header.add(printing.print_button(self.session, self))

    def opened(self) -> None:
        """Set the pages."""
        printing.with_pdf(self.session, self._show, pages=True)
        self.view.sheet.setFocus()

    def _show(self, pdf: bytes, pages: papers.Pages) -> None:
        self.pdf = pdf
        self.view.set_pages(pages)

    def help_html(self) -> str:
        return _HELP

    def hint(self) -> str:
        return words.text("preview.hint")

    def ready(self) -> str:
        from engine.procedure import issue

        certificate = self.session.state["certificate"]
        if certificate is not None:
            return ""
        found = issue.problems(self.session.state, today=papers.today_of(self.session))
        return found[0].text if found else ""

    @property
    def _done(self) -> bool:
        return bool((self.session.state["certificate"] or {}).get("signed"))

    @property
    def continue_text(self) -> str:  # type: ignore[override]
        """Sign, or go on where that is done."""
        return "" if self._done else words.text("decision.sign")

    @property
    def continue_icon(self) -> str:  # type: ignore[override]
        """The icon of the same button."""
        return "chevron-right" if self._done else "pen-line"

    def on_continue(self) -> bool:
        """Sign what is shown; what is signed leads on to the next step."""
        if self._done:
            self.go_to(11)
        else:
            self._on_sign()
        return False

    def left(self) -> None:
        self.view.close_pages()


_HELP = """
<p>This is the paper, page for page, as it will be signed. The first page stands alone; the pages
behind it are the evidence.</p>
<h3>What you do now</h3>
<ul><li>Read page 1 as a stranger would.</li>
<li>Look for “not supplied”: go back and enter what you know.</li>
<li>Then sign, or go back.</li></ul>
<h3>Keys</h3>
<p>Page Up and Page Down turn pages. Ctrl + and Ctrl − change the size. Home and End lead to the
first and the last page.</p>
"""
