"""The chosen person among the peers, and the peers themselves."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QSizePolicy, QVBoxLayout, QWidget

from engine.base import wording
from engine.methods.peers import called
from gui.dialogs import Dialog
from gui.theme import theme
from gui.widgets.basic import Button, Elided, IconButton, row
from gui.widgets.fields import ChoiceButtons
from gui.widgets.flow import Flow
from gui.widgets.message import MessageBar
from gui.widgets.table import DataTable, TableModel
from gui.widgets.verdict import VerdictChip

from . import peers_view
from .peers_figures import SmallFigure
from .peers_panels import Facts
from .peers_view import PersonView
from .peers_words import text
from .words import text as wizard_text

if TYPE_CHECKING:
    from engine.base.watch import Watch
    from gui.engine_calls import Reading
    from gui.session import Session


WIDEST = 16_777_215
"""Qt's own largest width: no limit."""


class PersonPanel(QWidget):
    """One person: the peers, where the person stands, the two answers, and what one can open.

    Signals
    -------
    stepped(int) : the person before (-1) or after (1) is asked for.
    peers_asked(str), page_asked(str) : of the person on show.
    """

    stepped = Signal(int)
    peers_asked = Signal(str)
    page_asked = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.shown: PersonView | None = None
        frame = QFrame()
        frame.setProperty("panel", "true")
        frame.setAccessibleName(text("person", person="", group="").strip(", ") or "Person")
        inner = QVBoxLayout(frame)
        inner.setContentsMargins(16, 11, 16, 13)
        inner.setSpacing(6)
        self.title = Elided(text("nobody"), "section")
        self.before = _arrow("chevron-left", text("before"), lambda: self.stepped.emit(-1))
        self.after = _arrow("chevron-right", text("after"), lambda: self.stepped.emit(1))
        self.figure = SmallFigure(plot_height=50)
        self.which = ChoiceButtons(
            [("person-peers", text("peers")), ("person-draws", text("draws"))],
            value="person-peers", words=text("which"),
        )  # fmt: skip
        self.which.picked.connect(lambda _v: self._show_chart())
        tools = QWidget()
        tools.setLayout(
            row(
                self.which, self.figure.as_table, self.figure.as_picture, self.before, self.after,
                spacing=4,
            )
        )  # fmt: skip
        self.title.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self._head_tools = tools
        head = Flow(self.title, tools, last_right=True)
        inner.addLayout(head)
        inner.addWidget(self.figure)
        self.facts = Facts()
        self.chip = VerdictChip("not settled")
        self.facts.add("peers")
        self.facts.add("like")
        self.facts.add("class")
        self.facts.add("rank", value="text", after=self.chip)
        inner.addWidget(self.facts)
        inner.addSpacing(4)
        self.peers_button = Button(
            text("show_peers", n=0), icon="users", small=True,
            on_click=lambda: self.shown and self.peers_asked.emit(self.shown.name),
        )  # fmt: skip
        self.page_button = Button(
            text("watchout_page"), icon="printer", small=True, on_click=self._page
        )
        buttons = QWidget()
        buttons.setLayout(Flow(self.peers_button, self.page_button, spacing=8))
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        buttons.setSizePolicy(policy)
        inner.addWidget(buttons)
        self.why = MessageBar("info", " ")
        self.why.hide()
        inner.addWidget(self.why)
        inner.addStretch(1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(frame)
        self._tools = (self.which, self.figure.as_table, self.figure.as_picture)
        self._parts = (
            self.figure, self.facts, self.peers_button, self.page_button, *self._tools,
        )  # fmt: skip
        self.show_person(None)

    def show_person(self, view: PersonView | None) -> None:
        """Show a person; None asks to choose one."""
        self.shown = view
        self.why.hide()
        for part in self._parts:
            part.setVisible(view is not None)
        for button in (self.before, self.after):
            button.setEnabled(view is not None)
        if view is None:
            self.title.setText(text("nobody"))
            return
        self._fit_title()
        self.title.setText(text("person", person=view.name, group=view.group))
        say = self.facts.say
        n, like = wording.count(view.n_peers), wording.count(view.n_like)
        lower, like_lower = wording.count(view.lower), wording.count(view.like_lower)
        peers = text("n_peers", privileged=view.privileged)
        say("peers", peers, text("lower", n=n, lower=lower) if view.n_peers else "0")
        say("like", text("n_like"), text("lower", n=like, lower=like_lower) if view.n_like else "0")
        say("class", text("class"), view.published)
        say("rank", text("rank_p"), text("p", p=view.p) if view.p else "")
        self.chip.set_verdict(view.verdict)
        self.peers_button.set_text(text("show_peers", n=n))
        self.peers_button.setEnabled(view.n_peers > 0)
        self._show_chart()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_title()

    def _fit_title(self) -> None:
        """Shorten a long name rather than push the tools below it, where both have room."""
        tools = self._head_tools
        tools.layout().invalidate()  # type: ignore[union-attr]
        left = self.width() - tools.sizeHint().width() - 2 * (16 + 1) - 12
        self.title.setMaximumWidth(left if left >= theme().px(110) else WIDEST)

    def _show_chart(self) -> None:
        view = self.shown
        if view is None:
            return
        keys = {chart.key: chart for chart in view.charts}
        for part in (self.figure, *self._tools):
            part.setVisible(bool(keys))
        self.which.set_enabled("person-draws", "person-draws" in keys)
        if not keys:
            return
        if self.which.value() not in keys:
            self.which.set_value("person-peers")
        self.figure.set_chart(keys[self.which.value()])

    def _page(self) -> None:
        view = self.shown
        if view is None:
            return
        if view.no_page:
            self.why.show_message("info", text("no_page", person=view.name, why=view.no_page))
            self.why.show()
        else:
            self.page_asked.emit(view.name)


def _arrow(icon: str, words: str, action: Callable[[], object]) -> IconButton:
    made = IconButton(icon, words, on_click=action)
    made.setProperty("joined", "only")  # the border of a button
    return made


class PeersDialog(Dialog):
    """The peers of a person as a table that can be copied and exported."""

    def __init__(self, parent: QWidget, session: Session, reading: Reading, person: str) -> None:
        super().__init__(parent, text("peers_title", person=person), " ", width=760)
        self.view = DataTable(words=text("peers_title", person=person), boxed=True, fit_rows=0)
        self.view.setMinimumHeight(320)
        self.sentence = Elided("", tone="second")
        self.body.addWidget(self.sentence)
        self.body.addWidget(self.view, 1)
        copy = Button(wizard_text("copy"), icon="copy", on_click=self.view.copy)
        export = Button(wizard_text("export"), icon="download", on_click=lambda: self.view.export())
        self.buttons.addWidget(copy)
        self.buttons.addWidget(export)
        self.add_button(text("close"), self.accept, primary=True)

        def work(watch: Watch) -> object:
            return peers_view.peers_table(reading, person, watch)

        session.jobs.start(
            text("loading"), work, on_done=lambda made: self._fill(reading, *made),
            on_failed=session.refuse, quiet=True,
        )  # fmt: skip

    def _fill(
        self, reading: Reading, row: object, heads: tuple[str, ...], rows: list[object]
    ) -> None:
        part = reading.result[peers_view.NAME]
        own = float(row["Identification coefficient"])  # type: ignore[index]
        self.sentence.setText(
            text(
                "peers_sentence", n=wording.people(len(rows)), privileged=called.theirs(part),
                delta=wording.number(part["delta"]), own=wording.number(own),
            )
        )  # fmt: skip
        self.view.setModel(TableModel(heads, rows))  # type: ignore[arg-type]
        self.view.measure()
