"""The result page of the peers wizard: two readings, the figure, the person, and all the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QSizePolicy, QVBoxLayout, QWidget

from engine.base import wording
from engine.methods.peers import called
from gui.theme import theme
from gui.widgets.basic import Button, Elided, Label, row
from gui.widgets.fields import FieldRow
from gui.widgets.flow import Flow
from gui.widgets.table import DataTable, TableModel

from . import peers_view
from .peers_figures import LikelihoodFigure
from .peers_panels import CarryPanel, Pair, PublishedPanel
from .peers_person import PeersDialog, PersonPanel
from .peers_view import COLUMNS, PeersView, PersonView
from .peers_words import text
from .result_view import FindingRow, ResultView, TablePart
from .words import text as wizard_text

if TYPE_CHECKING:
    from engine.base.watch import Watch
    from gui.engine_calls import Reading
    from gui.session import Session
    from gui.widgets.figure import FigureView


class PeersResult(QWidget):
    """Shows a :class:`PeersView`. ``page_asked(str)``: a person's watch-out page is wanted;
    ``extra_asked(str)``: the page ``Watch-out`` or ``Stress tests`` is."""

    page_asked = Signal(str)
    extra_asked = Signal(str)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.view: PeersView | None = None
        self.chosen = ""
        self._reading: Reading | None = None
        self.published, self.carry = PublishedPanel(), CarryPanel()
        self.figure, self.person = LikelihoodFigure(), PersonPanel()
        self.readings = Pair(self.published, self.carry, shares=(1, 1), needs=760)
        self.people = Pair(self.figure, self.person, shares=(516, 416), needs=760)
        self.figure.chosen.connect(self.choose)
        self.figure.stepped.connect(self.step)
        self.person.stepped.connect(self.step)
        self.person.page_asked.connect(self.page_asked)
        self.person.peers_asked.connect(self.show_peers)
        self.extras = self._make_extras()
        self.everyone = self._make_everyone()
        self.rest = ResultView()
        self._whole = QVBoxLayout(self)
        self._whole.setContentsMargins(0, 0, 0, 0)
        self._whole.setSpacing(12)
        for part in (self.readings, self.people, self.extras, self.everyone, self.rest):
            self._whole.addWidget(part)
        self.clear()

    def _make_extras(self) -> QWidget:
        made = QWidget()
        watchout = Button(
            text("to_watchout"),
            icon="list-checks",
            on_click=lambda: self.extra_asked.emit("Watch-out"),
        )
        stress = Button(
            text("to_stress"), icon="dices", on_click=lambda: self.extra_asked.emit("Stress tests")
        )
        self.watchout_button, self.stress_button = watchout, stress
        made.setLayout(Flow(watchout, stress, spacing=8))
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        made.setSizePolicy(policy)
        return made

    def _make_everyone(self) -> QWidget:
        made = QWidget()
        self.heading = Label("", "section", wrap=True)
        self.note = Elided("", "help", tone="second")
        self.find = QLineEdit()
        self.find.setMaximumWidth(theme().px(260))
        self.find_row = FieldRow(text("find"), self.find)
        self.find.returnPressed.connect(self._find)
        self.find.textEdited.connect(lambda _t: self.find_row.set_error(""))
        self.table = DataTable(words="Everyone", fit_rows=12, stretch=None)
        self.table.row_chosen.connect(self._row)
        copy = Button(wizard_text("copy"), icon="copy", small=True, on_click=self.table.copy)
        export = Button(
            wizard_text("export"), icon="download", small=True,
            on_click=lambda: self.table.export(),
        )  # fmt: skip
        self._table_buttons = (copy, export)
        inner = QVBoxLayout(made)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(6)
        inner.addWidget(self.heading)
        inner.addWidget(self.find_row)
        buttons = QWidget()
        buttons.setLayout(row(copy, export))
        self.note.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        inner.addLayout(Flow(self.note, buttons, last_right=True))
        inner.addWidget(self.table)
        return made

    # As ResultView ------------------------------------------------------------------------------

    @property
    def figures(self) -> list[FigureView]:
        """Every figure on show."""
        own: list[FigureView] = [self.figure] if self.view and self.view.scatter else []
        return own + self.rest.figures

    @property
    def tables(self) -> list[TablePart]:
        """The tables below."""
        return self.rest.tables

    @property
    def findings(self) -> list[FindingRow]:
        """The findings below."""
        return self.rest.findings

    def finish(self) -> None:
        """Make every part at once, for tests and pictures."""
        self.rest.finish()

    def clear(self) -> None:
        """Show nothing."""
        self.view = None
        self.chosen = ""
        self.rest.clear()
        for part in (self.readings, self.people, self.extras, self.everyone):
            part.hide()

    def show_view(self, view: PeersView, export: Any, reading: Reading | None = None) -> None:
        """Show a result; ``export(stem, path)`` writes a whole table of the run."""
        self.view, self._reading = view, reading
        self.published.show_part(view.part)
        self.carry.show_part(view.part)
        self.readings.show()
        self.extras.show()
        self.people.setVisible(view.scatter is not None)
        if view.scatter is not None:
            self.figure.set_chart(view.scatter)
        self._show_everyone(view)
        self.rest.show_view(view.rest, export)
        wanted = self.chosen if self.chosen in view.names else (view.names or ("",))[0]
        self.chosen = ""
        self.person.show_person(None)
        if wanted:
            self.choose(wanted)

    def _show_everyone(self, view: PeersView) -> None:
        self.everyone.setVisible(bool(view.everyone))
        heading = text("everyone", mine=called.mine(view.part))
        self.heading.setText(heading)
        shown, people = len(view.everyone), wording.people(view.people)
        whole = shown == view.people
        code = "everyone_note" if whole else "everyone_part"
        self.note.setText(text(code, n=people, shown=wording.count(shown)))
        self.table.setAccessibleName(heading)
        for button in self._table_buttons:
            button.setAccessibleName(f"{button.text()}: {heading}")
        heads, align = [c[1] for c in COLUMNS], "".join(c[2] for c in COLUMNS)
        model = TableModel(heads, view.everyone, align)
        model.modelReset.connect(self.table.measure)
        self.table.setModel(model)
        self.table.measure()

    # Choosing -----------------------------------------------------------------------------------

    def _row(self, row_: int) -> None:
        self.choose(self.table.model().text(row_, 0))

    def _find(self) -> None:
        view, wanted = self.view, self.find.text().strip().casefold()
        if view is None or not wanted:
            return
        names = [str(one[0]) for one in view.everyone]
        place = next((n for n, one in enumerate(names) if one.casefold() == wanted), None)
        self.find_row.set_error("" if place is not None else text("find_none"))
        if place is not None:
            self.table.selectRow(place)
            self.table.scrollTo(self.table.model().index(place, 0))
            self.choose(names[place])

    def step(self, by: int) -> None:
        """Choose the tested person before or after."""
        names = self.view.names if self.view else ()
        if not names:
            return
        place = names.index(self.chosen) + by if self.chosen in names else 0
        self.choose(names[place % len(names)])

    def choose(self, name: str) -> None:
        """Show a person: ring in the figure, panel beside it."""
        reading = self._reading
        if reading is None or not name or name == self.chosen:
            return
        self.chosen = name

        def work(watch: Watch) -> PersonView:
            return peers_view.person(reading, name, watch)

        self.session.jobs.start(
            text("loading"), work, on_done=self._show_person, on_failed=self.session.refuse,
            quiet=True,
        )  # fmt: skip

    def _show_person(self, found: PersonView) -> None:
        if found.name != self.chosen or self.view is None:
            return
        self.person.show_person(found)
        chart = found.scatter or self.view.scatter
        if chart is not None:
            self.figure.ring(chart)
            self.figure.setAccessibleName(text("figure", title=chart.title, person=found.name))

    def show_peers(self, name: str) -> None:
        """Open the table of a person's peers."""
        if self._reading is not None:
            self.dialog = PeersDialog(self, self.session, self._reading, name)
            self.dialog.open()
