"""The parts of a result that need more than sections: gap and parts, part of the way, a person."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QBoxLayout, QLineEdit, QSlider, QVBoxLayout, QWidget
from shiboken6 import isValid

from engine.base.wording import number, percent
from gui.theme import theme
from gui.widgets.basic import Button, Label, column, row, section
from gui.widgets.fields import Combo, FieldRow
from gui.widgets.figure import FigureView
from gui.widgets.message import MessageBar
from gui.widgets.table import DataTable

from .causal_words import text
from .result_view import FindingRow, MethodView, TablePart

if TYPE_CHECKING:
    import pandas as pd

    from engine.base.watch import Watch
    from engine.methods.counterfactual.person import Person
    from gui.engine_calls import Reading
    from gui.session import Session

RESCORED = "counterfactual.rescored"
MOST_PEOPLE = 200
"""Rows of the table of people; more are found by typing."""


class CausalResult(QWidget):
    """What stands above the generic view of a result.

    :meth:`show_view` takes what it shows itself out of the view and gives the rest back.
    ``linked(str)`` asks to follow a link.
    """

    linked = Signal(str)

    def __init__(self, name: str, session: Session) -> None:
        super().__init__()
        self.name, self.session = name, session
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(16)
        self.gap: Beside | None = None
        self.way: PartOfTheWay | None = None
        self.person: PersonPart | None = None
        self.hide()

    def clear(self) -> None:
        """Show nothing."""
        self.gap = self.way = self.person = None
        while (item := self._layout.takeAt(0)) is not None:
            old = item.widget()
            if old is not None:
                old.hide()
                old.deleteLater()
        self.hide()

    def show_view(self, view: MethodView) -> MethodView:
        """Show this part of a result; gives the view without it."""
        self.clear()
        reading = self.session.reading
        if reading is None or self.name not in reading.result:
            return view
        rest = (
            self._channels(view) if self.name == "channels" else self._counterfactual(view, reading)
        )
        self.setVisible(bool(self._layout.count()))
        return rest

    def _channels(self, view: MethodView) -> MethodView:
        if not view.sections or "channels" not in view.charts or not view.sections[0].tables:
            return view
        first = view.sections[0]
        table = TablePart(first.tables[0])
        table.view.wrap = True
        table.view.setWordWrap(True)
        table.view.measure()
        self.gap = Beside(FigureView(view.charts["channels"]), table)
        self._layout.addWidget(self.gap)
        left = dataclasses.replace(
            first, tables=first.tables[1:], charts=tuple(c for c in first.charts if c != "channels")
        )
        charts = {k: c for k, c in view.charts.items() if k != "channels"}
        return dataclasses.replace(view, sections=(left, *view.sections[1:]), charts=charts)

    def _counterfactual(self, view: MethodView, reading: Reading) -> MethodView:
        result = reading.result[self.name]
        first = view.sections[0] if view.sections else None
        across = next((f for f in first.findings if f.code == "counterfactual.across"), None) if first else None  # fmt: skip
        self._layout.addWidget(section(text("range")))
        if across is not None:
            self._layout.addWidget(FindingRow(across))
        else:
            self._layout.addWidget(Label(text("one_graph"), wrap=True))
        if "counterfactual-graphs" in view.charts:
            self._layout.addWidget(FigureView(view.charts["counterfactual-graphs"], heading=False))
        asked_again = (
            next((f for f in first.findings if f.code == RESCORED), None) if first else None
        )
        if asked_again is not None and result["rescored"] == "equation":
            bar = MessageBar(
                "info", asked_again.sentence, link_text=text("to_system"), link="step:5"
            )
            bar.activated.connect(self.linked)
            self._layout.addWidget(bar)
        else:
            asked_again = None
        self.way = PartOfTheWay(result["graphs"])
        self._layout.addWidget(self.way)
        self.person = PersonPart(self.session, reading)
        self._layout.addWidget(self.person)
        charts = {k: c for k, c in view.charts.items() if k != "counterfactual-graphs"}
        if first is None:
            return dataclasses.replace(view, charts=charts)
        left = dataclasses.replace(
            first, findings=tuple(f for f in first.findings if f not in (across, asked_again))
        )
        return dataclasses.replace(view, sections=(left, *view.sections[1:]), charts=charts)


class Beside(QWidget):
    """Two parts side by side where there is room, else one below the other."""

    def __init__(self, left: QWidget, right: QWidget) -> None:
        super().__init__()
        self.left, self.right = left, right
        self._box = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(24)
        self._box.addWidget(left, 1, Qt.AlignmentFlag.AlignTop)
        self._box.addWidget(right, 1, Qt.AlignmentFlag.AlignTop)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        beside = self.width() >= theme().px(820)
        way = QBoxLayout.Direction.LeftToRight if beside else QBoxLayout.Direction.TopToBottom
        for part in (self.left, self.right):
            self._box.setAlignment(
                part, Qt.AlignmentFlag.AlignTop if beside else Qt.AlignmentFlag(0)
            )
        self._box.setDirection(way)


class PartOfTheWay(QWidget):
    """A slider over the shares that the run went through: what the effect is at each."""

    def __init__(self, graphs: Mapping[str, Mapping[str, Any]]) -> None:
        super().__init__()
        self._graphs = graphs
        names = list(graphs)
        self.graph = Combo([(n, n) for n in names], value=names[0], words=text("graph"))
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setAccessibleName(text("way_slider"))
        self.slider.setTickPosition(QSlider.TickPosition.TicksBelow)
        self.slider.setPageStep(1)
        self.slider.setMinimumWidth(theme().px(200))
        self.slider.setMinimumHeight(theme().px(28))
        self.slider.setMaximumWidth(theme().px(420))
        self.said = Label("", wrap=True)
        self.graph.picked.connect(lambda _g: self._show_graph())
        self.slider.valueChanged.connect(lambda _v: self._say())
        parts: list[Any] = [section(text("way"), note=text("way_note"))]
        if len(names) > 1:
            choice = FieldRow(text("graph"), self.graph)
            choice.setMaximumWidth(theme().px(420))
            parts.append(choice)
        parts += [self.slider, self.said]
        self.setLayout(column(*parts, spacing=6))
        self._show_graph()

    @property
    def _grid(self) -> list[Mapping[str, Any]]:
        return list(self._graphs[self.graph.value()]["partial_propagation"])

    def _show_graph(self) -> None:
        last = max(0, len(self._grid) - 1)
        self.slider.setRange(0, last)
        self.slider.setValue(last)
        self.slider.setEnabled(bool(self._grid))
        self._say()

    def _say(self) -> None:
        if not self._grid:
            self.said.setText(text("way_none"))
            return
        one = self._grid[self.slider.value()]
        words = text(
            "way_said", share=percent(one["share"], digits=0),
            effect=number(one["oriented"], sign=True) or "not known",
            size=number(one["mean_abs_shift"]) or "not known",
        )  # fmt: skip
        self.said.setText(words)
        self.slider.setAccessibleDescription(words)


@dataclass(frozen=True)
class Found:
    """The people to choose from, and the one that is shown."""

    rows: tuple[tuple[Any, ...], ...]
    total: int
    keys: tuple[tuple[str, str], ...]


def people_table(reading: Reading) -> pd.DataFrame:
    """The table of people; a column of texts that are all empty is known as such here only."""
    from engine.methods.counterfactual import tables as names

    table = reading.tables["counterfactual"]
    filled = {
        c: table[c].astype(object).where(table[c].notna(), "")
        for c in (names.WHY, names.OTHER, names.GROUP)
    }
    return table.assign(**filled)


def people_found(reading: Reading, graph: str, typed: str, watch: Watch) -> Found:
    """People of a graph whose name holds what was typed, the largest change first; in a job."""
    from engine.methods.counterfactual import tables as names

    watch.check()
    table = people_table(reading)
    target = reading.result["counterfactual"]["target"]["name"]
    rows = table[table[names.GRAPH] == graph]
    if typed:
        persons = rows[names.PERSON].astype(str)
        exact = persons.str.lower() == typed.lower()
        rows = rows[exact if exact.any() else persons.str.contains(typed, case=False, regex=False)]
    size = rows[names.CHANGE].abs().fillna(-1.0)
    rows = rows.loc[size.sort_values(ascending=False, kind="stable").index]
    shown = rows.head(MOST_PEOPLE)
    columns = [
        names.PERSON,
        names.GROUP,
        names.OTHER,
        target,
        names.then_name(target),
        names.CHANGE,
    ]
    cells = [
        (str(p), str(g), str(o), number(_number(now)), number(_number(then)), number(_number(change), sign=True))
        for p, g, o, now, then, change in shown[columns].itertuples(index=False)
    ]  # fmt: skip
    keys = [(c[0], c[2]) for c in cells]
    return Found(tuple(cells), len(rows), tuple(keys))


def _number(value: Any) -> float | None:
    found = float(value)
    return found if found == found else None


def person_of(reading: Reading, graph: str, name: str, other: str, watch: Watch) -> Person:
    """One person's counterfactual from the stored tables; in a job."""
    from engine.methods.counterfactual.person import person

    watch.check()
    return person(
        table=people_table(reading), result=reading.result["counterfactual"], graph=graph,
        name=name, other=other or None,
    )  # fmt: skip


class PersonPart(QWidget):
    """Choose a person; see them as they are and as they would have been.

    ``shown(object)`` is sent with the :class:`Person` on show.
    """

    shown = Signal(object)

    def __init__(self, session: Session, reading: Reading) -> None:
        super().__init__()
        self.session, self._reading = session, reading
        names = list(reading.result["counterfactual"]["graphs"])
        self.graph = Combo([(n, n) for n in names], value=names[0], words=text("graph"))
        self.search = QLineEdit()
        self.search.setMaximumWidth(theme().px(260))
        self.find_row = FieldRow(text("person_find"), self.search, help=text("person_find_help"))
        self.table = DataTable(words=text("person_table"), fit_rows=7, stretch=2)
        self.table.setSelectionMode(DataTable.SelectionMode.SingleSelection)
        self.more = Label("", "help", tone="second")
        self.sentence = Label("", wrap=True)
        self.steps = DataTable(words=text("person_steps"), stretch=3, fit_rows=20)
        self.figure = FigureView(None, heading=False)
        self.copy_button = Button(
            text("copy_person"), icon="copy", small=True, on_click=self.copy_person
        )
        for part in (self.steps, self.figure, self.sentence, self.copy_button):
            part.hide()
        self._keys: tuple[tuple[str, str], ...] = ()
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(250)
        self._later.timeout.connect(self._search)
        self.search.textEdited.connect(lambda _t: self._later.start())
        self.search.returnPressed.connect(self._search)
        self.graph.picked.connect(lambda _g: self._search())
        self.table.row_chosen.connect(self._choose)
        self.table.selectionModel().currentRowChanged.connect(self._row)
        parts: list[Any] = [section(text("person"), note=text("person_note"))]
        if len(names) > 1:
            choice = FieldRow(text("graph"), self.graph)
            choice.setMaximumWidth(theme().px(420))
            parts.append(choice)
        parts += [self.find_row, self.table, self.more, self.sentence, self.steps]
        parts += [row(self.copy_button, None), self.figure]
        self.setLayout(column(*parts, spacing=8))
        self._search()

    def copy_person(self) -> None:
        """Put the sentence and the columns into the clipboard, ready for a letter or a sheet."""
        head = [text(f"steps.{k}") for k in ("column", "now", "then", "causes")]
        lines = [head, *self.steps.model().rows] if self.steps.model().rows else []
        told = [self.sentence.text(), *("\t".join(map(str, line)) for line in lines)]
        QApplication.clipboard().setText("\n".join(told))

    def _search(self) -> None:
        graph, typed = str(self.graph.value()), self.search.text().strip()
        self.session.jobs.start(
            text("taking"), lambda watch: people_found(self._reading, graph, typed, watch),
            on_done=self._found, quiet=True,
        )  # fmt: skip

    def _found(self, found: Found) -> None:
        if not isValid(self):  # another result took the place meanwhile
            return
        self._keys = found.keys
        head = tuple(text(f"people.{k}") for k in ("person", "group", "other", "now", "then", "change"))  # fmt: skip
        self.table.set_table(head, found.rows, "lllrrr")
        self.table.setVisible(bool(found.rows))
        if not found.rows:
            self.more.setText(text("person_none"))
        else:
            shown = f"{len(found.rows):,}"
            self.more.setText(text("person_more", shown=shown, total=f"{found.total:,}"))
            self._choose(0)

    def _row(self, now: Any, _before: Any) -> None:
        if self.table.hasFocus() and now.isValid():
            self._choose(now.row())

    def _choose(self, row: int) -> None:
        if not 0 <= row < len(self._keys):
            return
        graph, (name, other) = str(self.graph.value()), self._keys[row]
        self.session.jobs.start(
            text("taking"), lambda watch: person_of(self._reading, graph, name, other, watch),
            on_done=self._show_person, quiet=True,
        )  # fmt: skip

    def _show_person(self, person: Person) -> None:
        if not isValid(self):
            return
        self.sentence.setText(person.sentence)
        self.sentence.show()
        self.copy_button.show()
        head = tuple(text(f"steps.{k}") for k in ("column", "now", "then", "causes"))
        rows = [(s.node, s.now, s.then, ", ".join(s.causes)) for s in person.steps]
        self.steps.set_table(head, rows, "lrrl")
        self.steps.setVisible(bool(rows))
        self.figure.setVisible(person.chart is not None)
        if person.chart is not None:
            self.figure.set_chart(person.chart)
        self.shown.emit(person)
