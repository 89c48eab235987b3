"""The open case: the list of steps, the page beside it, "What this means", and the footer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from . import messages
from .jobs import Job
from .steps import TITLES, page_class
from .steps.base import StepPage
from .steps.people import hub_of
from .theme import theme
from .widgets.basic import Elided, IconButton
from .widgets.footer import Footer
from .widgets.help_panel import HelpPanel
from .widgets.message import MessageBar
from .widgets.step_list import COMPACT, StepList, StepRow

if TYPE_CHECKING:
    from .session import Session

FOLDS_UNDER = 1180
COMPACT_UNDER = 720
"""Window width in pixels at 100 % under which the list of steps shows no words by itself."""
LIST_WIDTH = 240
PREPARE_MS = 400


class Stepper(QWidget):
    """The workspace of one session.

    Signals
    -------
    help_asked(str) : a help page was asked for, by its name.
    step_opened(int)
    """

    help_asked = Signal(str)
    step_opened = Signal(int)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        hub_of(session)
        self._pages: dict[int, StepPage] = {}
        self._wizard: StepPage | None = None
        self._job: Job | None = None
        self._fold_wish: bool | None = session.settings["help_folded"] or None
        self._names_wish: bool | None = None
        self._updating = False
        self.list = StepList()
        self.list.opened.connect(self.open_step)
        self._reference = Elided("", "small", tone="second")
        self._system = Elided("", "section")
        self._names = IconButton(
            "chevron-right", messages.text("steps.unfold"), on_click=self.toggle_names
        )
        self._read_only = MessageBar("info", "")
        self.pages = QStackedWidget()
        self.help = HelpPanel()
        self.help.fold_asked.connect(self._fold_asked)
        self.help.followed.connect(self.follow)
        self.footer = Footer()
        self.footer.back.connect(self.go_back)
        self.footer.go_on.connect(self.go_on)
        self.footer.cancel_asked.connect(lambda: self._job and session.jobs.cancel(self._job))
        self.footer.end_asked.connect(lambda: self._job and session.jobs.end_now(self._job))
        self.footer.show_asked.connect(self._show_job)
        self._lay_out()
        session.changed.connect(self.refresh)
        session.tables_changed.connect(self._table_read)
        session.jobs.changed.connect(self._job_changed)
        theme().changed.connect(self._measure)
        self._measure()

    def _lay_out(self) -> None:
        head = QFrame()
        head.setProperty("line", "bottom")
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(self._reference)
        words.addWidget(self._system)
        inner = QHBoxLayout(head)
        inner.setContentsMargins(16, 13, 12, 12)
        inner.setSpacing(0)
        inner.addLayout(words, 1)
        inner.addWidget(self._names)
        self._head = head
        self._side = QFrame()
        self._side.setProperty("line", "right")
        self._side.setProperty("ground", "window")
        side = QVBoxLayout(self._side)
        side.setContentsMargins(0, 0, 0, 0)
        side.setSpacing(0)
        side.addWidget(head)
        side.addSpacing(6)
        side.addWidget(self.list, 1)
        middle = QWidget()
        middle.setProperty("ground", "page")
        middle.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        mid = QVBoxLayout(middle)
        mid.setContentsMargins(0, 0, 0, 0)
        mid.setSpacing(0)
        bar = QWidget()
        bar_in = QVBoxLayout(bar)
        bar_in.setContentsMargins(24, 12, 24, 0)
        bar_in.addWidget(self._read_only)
        self._read_only_place = bar
        mid.addWidget(bar)
        mid.addWidget(self.pages, 1)
        top = QHBoxLayout()
        top.setSpacing(0)
        top.addWidget(self._side)
        top.addWidget(middle, 1)
        top.addWidget(self.help)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addLayout(top, 1)
        whole.addWidget(self.footer)

    def _measure(self) -> None:
        width = max(self.width(), 1024)
        narrow = width < theme().px(COMPACT_UNDER)
        if not narrow:
            self._names_wish = None
        compact = narrow and not self._names_wish
        wide = min(theme().px(LIST_WIDTH), round(0.34 * width))
        self._side.setFixedWidth(theme().px(COMPACT) if compact else wide)
        self.list.set_compact(compact)
        for part in (self._reference, self._system):
            part.setVisible(not compact)
        self._names.setVisible(narrow)
        self._names.set_icon("chevron-right" if compact else "chevron-left")
        self._names.set_words(messages.text("steps.unfold" if compact else "steps.fold"))
        self._fold()

    def toggle_names(self) -> None:
        """Show the words of the list of steps, or hide them, while the window is narrow."""
        self._names_wish = not self._names_wish
        self._measure()

    # Pages ---------------------------------------------------------------------------------------

    @property
    def page(self) -> StepPage | None:
        """The page on show."""
        found = self.pages.currentWidget()
        return found if isinstance(found, StepPage) else None

    def open_step(self, number: int) -> None:
        """Open a step. Every step can be looked at any time."""
        number = min(len(TITLES) - 1, max(0, number))
        self._drop_wizard()
        self._make(number)
        self._show(self._pages[number])

    def _make(self, number: int) -> None:
        if number not in self._pages:
            page = (page_class(number) or _bare_page(number))(self.session, self)
            self._pages[number] = page
            self.pages.addWidget(page)

    def prepare(self) -> None:
        """Make the pages one by one while the person reads, so that each then opens at once."""
        timer = QTimer(self)
        timer.setInterval(PREPARE_MS)

        def one_more() -> None:
            missing = [n for n in range(len(TITLES)) if n not in self._pages]
            if missing:
                self._make(missing[0])
            else:
                timer.stop()

        timer.timeout.connect(one_more)
        timer.start()

    def open_wizard(self, page: StepPage) -> None:
        """Open a wizard in the place of the page; Back on its first page leaves it."""
        self._drop_wizard()
        self._wizard = page
        page.stepper = self
        self.pages.addWidget(page)
        self._show(page)

    def close_wizard(self) -> None:
        """Leave the wizard for the step that it hangs on."""
        if self._wizard is not None:
            self.open_step(self._wizard.number)

    def _drop_wizard(self) -> None:
        if self._wizard is not None:
            old, self._wizard = self._wizard, None
            old.left()
            self.pages.removeWidget(old)
            old.deleteLater()

    def _show(self, page: StepPage) -> None:
        before = self.page
        if before is not None and before is not page:
            before.left()
        self.session.opened = page.number
        self.pages.setCurrentWidget(page)
        page.opened()
        self.refresh()
        self.list.show_step(page.number)
        page.scroll.verticalScrollBar().setValue(0)
        self._fold()
        page.lay_out_now()
        self.step_opened.emit(page.number)

    def refresh(self) -> None:
        """Show the state anew: list, page, help and footer."""
        if self._updating:
            return
        self._updating = True
        try:
            facts = self.session.facts
            reference = " · ".join(p for p in (facts["reference"], facts["organisation"]) if p)
            self._reference.setText(reference or self.session.path.name)
            name = " ".join(p for p in (facts["system"], facts["version"]) if p)
            self._system.setText(name or messages.text("case.unnamed"))
            self._read_only.show_message("info", self.session.read_only_words or " ")
            self._read_only_place.setVisible(bool(self.session.read_only_words))
            self.list.set_rows(
                [StepRow(v.number, v.title, v.state, v.sub) for v in self.session.views()]
            )
            if self.page is not None:
                self.list.show_step(self.page.number)
                self.page.refresh()
        finally:
            self._updating = False
        self.update_frame()

    def update_frame(self) -> None:
        """Ask the page again for its hint, its help and whether one can go on."""
        page = self.page
        if page is None:
            return
        self.help.set_html(page.help_html())
        first = page.number == 0 and page is not self._wizard
        self.footer.set_page(
            hint=page.hint(), blocked=page.ready(), first=first, extra=page.footer_buttons(),
            continue_text=page.continue_text, continue_icon=page.continue_icon,
        )  # fmt: skip

    def go_on(self) -> None:
        """Continue: let the page do its part, then open the next step."""
        page = self.page
        if page is None or page.ready() or not page.on_continue():
            return
        if self.page is page and page is not self._wizard and page.number < len(TITLES) - 1:
            self.open_step(page.number + 1)

    def go_back(self) -> None:
        """Back: out of a wizard, else to the step before."""
        page = self.page
        if page is None:
            return
        back = getattr(page, "on_back", None)
        if back is not None and back():
            return
        if page is self._wizard:
            self.close_wizard()
        else:
            self.open_step(page.number - 1)

    def follow(self, link: str) -> None:
        """Follow a link: the page's own, ``step:8``, or ``help:peers``."""
        page = self.page
        if page is not None and page.follow(link):
            return
        kind, _, rest = link.partition(":")
        if kind == "step" and rest.isdigit():
            self.open_step(int(rest))
        elif kind == "help":
            self.help_asked.emit(rest)

    def help_name(self) -> str:
        """The help page that belongs to what is on show."""
        page = self.page
        return getattr(page, "help_name", "") or (f"step-{page.number}" if page else "index")

    # The panel -----------------------------------------------------------------------------------

    def _fold_asked(self, folded: bool) -> None:
        self._fold_wish = folded
        self.session.settings["help_folded"] = folded
        self._fold()
        target = self.help._unfold if folded else self.help._fold
        target.setFocus()

    def _fold(self) -> None:
        narrow = self.width() < theme().px(FOLDS_UNDER) and self.width() > 0
        wizard = self._wizard is not None
        wish = self._fold_wish
        self.help.set_folded(wish if wish is not None else narrow or wizard)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        crossed = (event.oldSize().width() < theme().px(FOLDS_UNDER)) != (
            event.size().width() < theme().px(FOLDS_UNDER)
        )
        if crossed and event.oldSize().width() > 0 and self._fold_wish is False:
            self._fold_wish = None
        self._measure()

    # Jobs ----------------------------------------------------------------------------------------

    def _table_read(self, _item: str) -> None:
        self.refresh()

    def _job_changed(self, job: Job) -> None:
        if job.quiet:
            return
        if job.state in ("running", "stopping"):
            self._job = job
        elif self._job is job and job.state != "failed" and not job.note and job.page is None:
            self._job = None
        elif self._job is not job:
            return
        self.footer.show_job(self._job)

    def _show_job(self) -> None:
        job, self._job = self._job, None
        self.footer.show_job(None)
        if job is not None and job.page is not None:
            self.open_step(job.page)


def _bare_page(number: int) -> type[StepPage]:
    """A page that says in words that this step has none of its own in this build."""

    class Bare(StepPage):
        def build(self) -> None:
            self.body.addWidget(self.message("info", messages.text("step.not_built")))

    Bare.number, Bare.title = number, TITLES[number]
    return Bare
