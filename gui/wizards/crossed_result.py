"""The result page of crossed groups: map and table of the crossings, one crossing's numbers, rest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFileDialog, QGridLayout, QSizePolicy, QVBoxLayout, QWidget

from engine.base import wording
from gui import messages
from gui.widgets.basic import Button, Elided, Label, column, row
from gui.widgets.figure import KINDS, FigureView
from gui.widgets.flow import Flow
from gui.widgets.status import StatusChip
from gui.widgets.table import Cell, DataTable

from .crossed_map import CrossedMap, MapData, map_of
from .crossed_words import FLAGS, text
from .peers_panels import Pair
from .result_view import FindingRow, MethodView, ResultView, TablePart, make_view

if TYPE_CHECKING:
    from engine.base.watch import Watch
    from engine.drawing.model import Chart
    from gui.engine_calls import Reading

NAME = "intersection"
GRID, EVERY = "crossed_grid", "Every crossing"


@dataclass(frozen=True)
class CrossedView:
    """A result, ready to be shown."""

    part: Mapping[str, Any]
    data: MapData
    grid: Chart
    rest: MethodView
    words: Mapping[str, str]
    reference: str


def load(reading: Reading, watch: Watch) -> CrossedView:
    """Everything of the page; runs in a job."""
    from engine.methods.intersection.words import cell_words, keys_of, reference_words

    part = reading.result[NAME]
    whole = make_view(reading, NAME, watch)
    sections = tuple(
        replace(
            s,
            tables=tuple(t for t in s.tables if t.title != EVERY),
            charts=tuple(c for c in s.charts if c != GRID),
        )
        for s in whole.sections
    )
    charts = {key: chart for key, chart in whole.charts.items() if key != GRID}
    return CrossedView(
        part, map_of(part), whole.charts[GRID], replace(whole, sections=sections, charts=charts),
        {key: cell_words(part, key) for key in keys_of(part)}, reference_words(part),
    )  # fmt: skip


class CellPanel(QWidget):
    """All numbers of one crossing."""

    def __init__(self) -> None:
        super().__init__()
        self.title = Label(text("none_chosen"), "key", wrap=True)
        self.chip = StatusChip("not checked", "")
        self.reason = Label("", "help", tone="second", wrap=True)
        self._grid = QGridLayout()
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(16)
        self._grid.setVerticalSpacing(3)
        self._grid.setColumnStretch(1, 1)
        self.facts: dict[str, str] = {}
        head = QWidget()
        head.setLayout(Flow(self.title, self.chip, spacing=12))
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        head.setSizePolicy(policy)
        inner = column(head, self.reason, spacing=6)
        inner.addLayout(self._grid)
        self.setLayout(inner)
        self.show_cell(None, "", "")

    def show_cell(self, cell: Mapping[str, Any] | None, words: str, reference: str) -> None:
        """Show a crossing; None asks for one."""
        while self._grid.count():
            item = self._grid.takeAt(0).widget()
            if item is not None:
                item.hide()
                item.deleteLater()
        self.facts = {} if cell is None else facts_of(cell, reference)
        self.title.setText(words or text("none_chosen"))
        self.chip.setVisible(cell is not None)
        reason = "" if cell is None else cell["flag_reason"] or cell["ratio"]["reason"]
        self.reason.setText(reason)
        self.reason.setVisible(bool(reason))
        if cell is not None:
            self.chip.set_status(*FLAGS[cell["flag"]])
        for place, (name, value) in enumerate(self.facts.items()):
            self._grid.addWidget(Label(name, "help", tone="second", wrap=True), place, 0)
            shown = Label(value)
            shown.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            self._grid.addWidget(shown, place, 1)


def facts_of(cell: Mapping[str, Any], reference: str) -> dict[str, str]:
    """The numbers of a crossing by their names; what does not apply is left out."""

    from engine.methods.intersection.words import size_of

    def measure(one: Mapping[str, Any], share: bool = False) -> str:
        if one["value"] is None:
            return ""
        if share:
            ends = "" if one["low"] is None else f" ({wording.percent(one['low'])} to {wording.percent(one['high'])})"  # fmt: skip
            return f"{wording.percent(one['value'])}{ends}"
        ends = wording.interval(one["low"], one["high"])
        return wording.number(one["value"]) + (f" ({ends})" if ends else "")

    soft = bool(cell["imputed_share"])
    weighted = abs(cell["kish_n"] - cell["effective_n"]) > 1e-9
    low, high = cell["bounds"]["low"], cell["bounds"]["high"]
    apart = low is not None and high is not None and high - low > 1e-9
    published = cell["as_published"]
    found = {
        text("fact.rows"): wording.count(cell["rows"]),
        text("fact.effective"): wording.number(size_of(cell), digits=1),
        text("fact.kish"): wording.number(cell["kish_n"], digits=1) if soft or weighted else "",
        text("fact.imputed"): wording.percent(cell["imputed_share"]) if soft else "",
        text("fact.rate"): measure(cell["rate"], share=True),
        text("fact.bounds"): f"{wording.percent(low)} to {wording.percent(high)}" if apart else "",
        text("fact.ratio", reference=reference): measure(cell["ratio"]),
        text("fact.overall"): measure(cell["ratio_to_overall"]),
        text("fact.published"): " ".join(
            part
            for part in (wording.number(published["ratio"], digits=4), published["flag"].lower())
            if part
        ),
    }
    return {name: value for name, value in found.items() if value}


class CrossedResult(QWidget):
    """Shows a :class:`CrossedView`; ``chosen(key)`` is sent when a crossing is chosen."""

    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.view: CrossedView | None = None
        self.key = ""
        self._export_whole: Any = None
        self.map, self.panel = CrossedMap(), CellPanel()
        self.table = DataTable(words=text("table"), fit_rows=12)
        self.note = Label(text("map_note"), "help", tone="second", wrap=True)
        self.map.chosen.connect(self.choose)
        self.table.row_chosen.connect(self._row)
        save = Button(text("save"), icon="image", small=True, on_click=lambda: self.save_map())
        save.setAccessibleName(f"{save.text()}: {text('map')}")
        copy = Button(text("copy"), icon="copy", small=True, on_click=self.table.copy)
        export = Button(text("export"), icon="download", small=True, on_click=self.export)
        for button in (copy, export):
            button.setAccessibleName(f"{button.text()}: {text('table')}")
        left, right = QWidget(), QWidget()
        left.setLayout(column(self._head(text("map"), save), self.note, self.map, None, spacing=6))
        right.setLayout(
            column(self._head(text("table"), copy, export), self.table, 6, self.panel, None)
        )
        self.pair = Pair(left, right, shares=(430, 520), needs=820)
        self.rest = ResultView()
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(18)
        whole.addWidget(self.pair)
        whole.addWidget(self.rest)
        self.clear()

    def _head(self, words: str, *buttons: Button) -> QWidget:
        title = Elided(words, "section")
        title.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        right = QWidget()
        right.setLayout(row(*buttons))
        made = QWidget()
        made.setLayout(Flow(title, right, last_right=True))
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        made.setSizePolicy(policy)
        return made

    # As ResultView ------------------------------------------------------------------------------

    @property
    def figures(self) -> list[FigureView]:
        """The figures below the map."""
        return self.rest.figures

    @property
    def tables(self) -> list[TablePart]:
        """The tables below the map."""
        return self.rest.tables

    @property
    def findings(self) -> list[FindingRow]:
        """The findings."""
        return self.rest.findings

    def finish(self) -> None:
        """Make every part at once, for tests and pictures."""
        self.rest.finish()

    def clear(self) -> None:
        """Show nothing."""
        self.view, self.key = None, ""
        self.pair.hide()
        self.rest.clear()

    def show_view(self, view: CrossedView, export: Any) -> None:
        """Show a result; ``export(stem, path)`` writes a whole table of the run."""
        before = self.key
        self.view, self._export_whole = view, export
        self.map.show_data(view.data)
        note = text("map_note")
        if view.data.cut:
            note += " " + text("map_cut", shown=len(view.data.rows))
        self.note.setText(note)
        self._fill_table(view)
        self.pair.show()
        self.rest.show_view(view.rest, export)
        cells = view.part["cells"]
        known = [k for k, c in cells.items() if c["ratio"]["value"] is not None]
        known = [k for k in known if cells[k]["flag"] != "INSUFFICIENT"] or known
        lowest = min(known, key=lambda k: cells[k]["ratio"]["value"], default="")
        self.panel.show_cell(None, "", "")
        if before in cells or lowest:
            self.choose(before if before in cells else lowest)

    def _fill_table(self, view: CrossedView) -> None:
        from engine.methods.intersection.words import size_of

        rows = []
        for key in view.words:
            cell = view.part["cells"][key]
            mark, word = FLAGS[cell["flag"]]
            rows.append(
                (
                    view.words[key],
                    wording.number(size_of(cell), digits=1),
                    wording.percent(cell["rate"]["value"]),
                    wording.number(cell["ratio"]["value"]),
                    Cell(word, mark=mark),
                )
            )
        self.table.set_table(text("columns").split(","), rows, "lrrrl")

    # Choosing -----------------------------------------------------------------------------------

    def _row(self, place: int) -> None:
        if self.view is not None:
            self.choose(list(self.view.words)[place])

    def choose(self, key: str) -> None:
        """Show a crossing's numbers, and mark it in map and table."""
        if self.view is None or key not in self.view.part["cells"]:
            return
        self.key = key
        cell = self.view.part["cells"][key]
        self.panel.show_cell(cell, self.view.words[key], self.view.reference)
        self.map.choose(key)
        place = list(self.view.words).index(key)
        self.table.selectRow(place)
        self.table.scrollTo(self.table.model().index(place, 0))
        self.chosen.emit(key)

    # Taking along -------------------------------------------------------------------------------

    def export(self, path: str = "") -> None:
        """Write every number of every crossing as CSV; asks where if not told."""
        if not path:
            path, _ = QFileDialog.getSaveFileName(
                self, messages.text("table.export_title"), "crossed_groups.csv", "CSV (*.csv)"
            )
        if path and self._export_whole is not None:
            self._export_whole("crossed_groups", Path(path))

    def save_map(self, path: str = "") -> None:
        """Save the map as it is printed; asks where if not told."""
        if self.view is None:
            return
        figure = FigureView()
        figure.chart = self.view.grid
        if not path:
            path, _ = QFileDialog.getSaveFileName(
                self, messages.text("figure.save_title"), f"{GRID}.png", ";;".join(KINDS)
            )
        if path:
            figure.save(path)
        figure.deleteLater()
