"""What every page of a step is. A page shows the state and turns what a person does into acts."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

from PySide6.QtCore import QCoreApplication, QEvent, Qt, QTimer
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from gui.theme import theme
from gui.widgets.basic import Label
from gui.widgets.footer import Hint
from gui.widgets.header import PageHeader
from gui.widgets.message import MessageBar

if TYPE_CHECKING:
    from gui.session import Session
    from gui.stepper import Stepper

PADDING_SIDES, PADDING_TOP, BETWEEN = 24, 20, 16
LARGE = 1.4
"""The text scale above which room is dearer than air."""


class StepPage(QWidget):
    """One page of the procedure.

    A page sets the class attributes ``number``, ``title`` and ``sentence`` and overrides:

    ``build()``
        Called once: make the widgets and put them into :attr:`body` (``self.body.addWidget``).
        Sections stand 16 apart; a stretch at the end is added after it.
    ``refresh()``
        Called when the page opens and after every change of the case while it is open: show
        ``self.session.state``. Must not emit acts. Also called once more when read-only turns.
    ``help_html()``
        What the panel "What this means" says: ``<p>``, ``<b>``, ``<h3>``, ``<ul><li>``,
        ``<dl><dt><dd>``, links ``step:8`` and ``help:page``. Texts from files go through
        :func:`html.escape`.
    ``hint()``
        The footer's text while no job runs; a :class:`Hint` may carry an icon.
    ``ready()``
        Empty, or why Continue is closed, in one sentence.
    ``on_continue()``
        What Continue does before the next step opens: by default it confirms the step. Return
        False to stay.
    ``follow(link)``
        Links of your own in help or messages (``my:thing``); return True if you knew it.
    ``drop(paths)``
        Files dropped on the page; return True if you took them (else they become items).
    ``opened()`` / ``left()``
        When the page is shown and left.

    Use ``self.session`` (state, ``set``, ``do``, ``draft``, ``jobs``), ``self.go_to(step)``,
    ``self.update_footer()`` after a half-filled field changes what ``ready`` says, and
    ``self.open_page(widget, title)`` for a wizard in place of the page.
    """

    number: ClassVar[int] = 0
    title: ClassVar[str] = ""
    sentence: ClassVar[str] = ""
    continue_text: ClassVar[str] = ""
    continue_icon: ClassVar[str] = "chevron-right"

    def __init__(self, session: Session, stepper: Stepper | None = None) -> None:
        super().__init__()
        self.session = session
        self.stepper = stepper
        self.setProperty("ground", "page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(f"Step {self.number}, {self.title}")
        self.scroll = QScrollArea()
        self.scroll.setProperty("ground", "page")
        self.scroll.setWidgetResizable(True)
        self.scroll.setFrameShape(QFrame.Shape.NoFrame)
        self.scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.content = QWidget()
        self.content.setProperty("ground", "page")
        self.header = self.make_header()
        self.body = QVBoxLayout(self.content)
        self.body.setSpacing(BETWEEN)
        self.body.addWidget(self.header)
        self.scroll.setWidget(self.content)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addWidget(self.scroll)
        theme().changed.connect(self._measure)
        self._measure()
        self.build()
        self.body.addStretch(1)

    def make_header(self) -> PageHeader:
        """The page's head; a wizard overrides it with a :class:`WizardHeader`."""
        return PageHeader(f"Step {self.number}", self.title, self.sentence)

    def _measure(self) -> None:
        t = theme()
        sides = PADDING_SIDES if t.scale <= LARGE else PADDING_SIDES // 2
        self.body.setContentsMargins(t.px(sides), t.px(PADDING_TOP), t.px(sides), t.px(PADDING_TOP))

    # To be overridden ---------------------------------------------------------------------------

    def build(self) -> None:
        """Make the widgets of the page."""

    def refresh(self) -> None:
        """Show the state of the case."""

    def help_html(self) -> str:
        """The words of the panel beside the page."""
        return f"<p>{self.sentence}</p>"

    def hint(self) -> Hint | str:
        """The footer's text."""
        return ""

    def ready(self) -> str:
        """Why Continue is closed, or an empty text."""
        return ""

    def on_continue(self) -> bool:
        """Confirm the step; False stays on the page."""
        if not self.session.read_only:
            self.session.confirm(self.number)
        return True

    def footer_buttons(self) -> tuple[tuple[str, str, Callable[[], object]], ...]:
        """Further buttons between Back and Continue: ``(words, icon, what to do)``."""
        return ()

    def follow(self, link: str) -> bool:
        """Follow a link of the page's own."""
        return False

    def drop(self, paths: list[Any]) -> bool:
        """Take files that were dropped on the page."""
        return False

    def opened(self) -> None:
        """The page is shown."""

    def left(self) -> None:
        """The page is left."""

    # For the pages' use -------------------------------------------------------------------------

    def go_to(self, step: int) -> None:
        """Open another step."""
        if self.stepper is not None:
            self.stepper.open_step(step)

    def update_footer(self) -> None:
        """Ask :meth:`hint` and :meth:`ready` again, and :meth:`help_html`."""
        if self.stepper is not None:
            self.stepper.update_frame()

    def open_page(self, page: StepPage) -> None:
        """Open a wizard in place of this page; Back leads out of it again."""
        if self.stepper is not None:
            self.stepper.open_wizard(page)

    def lay_out_now(self) -> None:
        """Lay the page out at once; else it shows squeezed while other events go before."""
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
        QTimer.singleShot(0, self, self._stretch)

    def _stretch(self) -> None:
        """Give the page the height that its broken lines need at this width."""
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
        QCoreApplication.sendEvent(self.content, QEvent(QEvent.Type.LayoutRequest))

    def message(self, kind: str, text: str, *, link_text: str = "", link: str = "") -> MessageBar:
        """A message bar whose link the window follows."""
        made = MessageBar(kind, text, link_text=link_text, link=link)
        made.activated.connect(self.follow_link)
        return made

    def follow_link(self, link: str) -> None:
        """Follow a link: the page's own first, then ``step:N`` and ``help:page``."""
        if not self.follow(link) and self.stepper is not None:
            self.stepper.follow(link)

    def clear(self, layout: Any) -> None:
        """Take everything out of a layout, for pages that rebuild a part."""
        while layout.count():
            item = layout.takeAt(0)
            if item.widget() is not None:
                item.widget().hide()
                item.widget().deleteLater()
            elif item.layout() is not None:
                self.clear(item.layout())

    def paragraph(self, text: str, *, tone: str = "") -> Label:
        """A paragraph of running text, at most 690 px wide."""
        return Label(text, tone=tone, wrap=True)
