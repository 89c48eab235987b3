"""What the paper of a case could not print, said on step 10 before anybody tries to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gui import certify_words as words
from gui.widgets.message import MessageBar

if TYPE_CHECKING:
    from engine.base.watch import Watch

    from .base import StepPage

MOST = 4
"""Unprintable texts that are told at once."""


class LettersBar(MessageBar):
    """Hidden while everything can be printed; the fonts are read in a job."""

    def __init__(self, page: StepPage) -> None:
        super().__init__("outside", " ")
        self.page = page
        self.faults: tuple[str, ...] = ()
        self._looked_at: tuple[Any, ...] = ()
        self.hide()

    def refresh(self) -> None:
        """Look again where something of the case changed."""
        session = self.page.session
        state, result = session.state, session.result
        key = (dict(state["case"]), state["decision"], state["result"], list(state["items"] or ()))
        if key == self._looked_at or session.read_only:
            return
        self._looked_at = key

        def work(watch: Watch) -> tuple[str, ...]:
            from engine.reports import printable

            return printable.case_faults(state, result)

        def show(faults: tuple[str, ...]) -> None:
            if self._looked_at is not key or faults == self.faults:
                return
            self.faults = faults
            if faults:
                self.show_message("outside", "\n".join(faults[:MOST]))
            self.setVisible(bool(faults))
            self.page.update_footer()

        session.jobs.start(words.text("decision.letters"), work, on_done=show, quiet=True)
