"""What a method found, shown from its findings, sections and charts alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QFileDialog, QGridLayout, QSizePolicy, QVBoxLayout, QWidget

from gui import messages
from gui.theme import theme
from gui.widgets.basic import Button, Elided, Label, column, line, row
from gui.widgets.figure import FigureView
from gui.widgets.flow import Flow
from gui.widgets.status import StatusChip
from gui.widgets.table import DataTable, printed

from .words import GRADES, text

if TYPE_CHECKING:
    from engine.base.watch import Watch
    from engine.drawing.model import Chart
    from engine.methods.base import Finding, PrintedTable, Section
    from gui.engine_calls import Reading

FIT_ROWS = 16
"""Rows of a table before it scrolls by itself."""


@dataclass(frozen=True)
class MethodView:
    """A method's result, ready to be shown."""

    findings: tuple[Finding, ...]
    sections: tuple[Section, ...]
    charts: Mapping[str, Chart] = field(default_factory=dict)
    files: tuple[tuple[str, int], ...] = ()
    """Tables of the run that belong to the method: file stem and rows."""


def make_view(reading: Reading, name: str, watch: Watch) -> MethodView:
    """Everything of a method that the window shows; runs in a job."""
    watch.check()
    sections = tuple(reading.sections(name))
    told = {f.sentence for s in sections for f in s.findings}
    told |= {paragraph for s in sections for paragraph in s.paragraphs}
    findings = tuple(f for f in reading.findings(name) if f.sentence not in told)
    watch.check()
    part = reading.result[name]
    stems = [Path(str(v)).stem for k, v in part.items() if k.startswith("table") and v]
    files = tuple((s, len(reading.tables[s])) for s in stems if s in reading.tables)
    return MethodView(findings, sections, reading.charts(name), files)


class FindingRow(QWidget):
    """A grade as a chip, the sentence, and what to do."""

    def __init__(self, found: Finding) -> None:
        super().__init__()
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 5, 0, 5)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(2)
        grid.setColumnMinimumWidth(0, theme().px(118))
        grid.setColumnStretch(1, 1000)
        grid.setColumnStretch(2, 1)
        grade = GRADES.get(found.grade)
        if grade:
            place = Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft
            grid.addWidget(StatusChip(*grade), 0, 0, place)
        else:
            grid.addWidget(Label(""), 0, 0)
        said = Label(found.sentence, wrap=True)
        said.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        grid.addWidget(said, 0, 1)
        if found.action:
            grid.addWidget(Label(found.action, tone="second", wrap=True), 1, 1)
        self.setAccessibleName(f"{grade[1] if grade else ''} {found.sentence}".strip())


class TablePart(QWidget):
    """A table with its title, its notes, and copying and export by buttons too."""

    def __init__(self, table: PrintedTable) -> None:
        super().__init__()
        self.view: DataTable = printed(table)
        self.view._fit = FIT_ROWS
        self.view.measure()
        title = Elided(table.title, "head")
        title.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        copy = Button(text("copy"), icon="copy", small=True, on_click=self.view.copy)
        export = Button(
            text("export"), icon="download", small=True, on_click=lambda: self.view.export()
        )
        for button in (copy, export):
            button.setAccessibleName(f"{button.text()}: {table.title}")
        buttons = QWidget()
        buttons.setLayout(row(copy, export))
        head = QWidget()
        head.setLayout(Flow(title, buttons, last_right=True))
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        head.setSizePolicy(policy)
        parts: list[Any] = [head, self.view]
        parts += [Label(note, "help", tone="second", wrap=True) for note in table.notes]
        self.setLayout(column(*parts, spacing=4))


class ResultView(QWidget):
    """Shows a :class:`MethodView`, one part a turn of the window's loop, so that it never waits."""

    shown = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(14)
        self._rest: Iterator[QWidget] | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._next)
        self.figures: list[FigureView] = []
        self.tables: list[TablePart] = []
        self.findings: list[FindingRow] = []

    def clear(self) -> None:
        """Show nothing."""
        self._timer.stop()
        self._rest = None
        self.figures, self.tables, self.findings = [], [], []
        while self._layout.count():
            widget = self._layout.takeAt(0).widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()

    def show_view(self, view: MethodView, export: Any) -> None:
        """Show a result; ``export(stem, path)`` writes a whole table of the run."""
        self.clear()
        self._rest = self._parts(view, export)
        self._timer.start()

    def finish(self) -> None:
        """Make every part at once, for tests and pictures."""
        while self._rest is not None:
            self._next()

    def _next(self) -> None:
        made = next(self._rest, None) if self._rest is not None else None
        if made is None:
            self._rest = None
            self._timer.stop()
            QTimer.singleShot(0, self, self._measure)
            self.shown.emit()
        else:
            self._layout.addWidget(made)

    def _measure(self) -> None:
        """Ask for room again: parts know their height only once the style has been put on them."""
        self._layout.invalidate()
        self.updateGeometry()

    def _parts(self, view: MethodView, export: Any) -> Iterator[QWidget]:
        if view.findings:
            yield Label(text("findings"), "section")
            yield from self._findings(view.findings)
        drawn: set[str] = set()
        for part in view.sections:
            yield Label(part.title, "section" if part.level == 1 else "key", wrap=True)
            for paragraph in part.paragraphs:
                yield Label(paragraph, wrap=True)
            yield from self._findings(part.findings)
            for table in part.tables:
                if table.rows:
                    self.tables.append(TablePart(table))
                    yield self.tables[-1]
                else:
                    for note in table.notes:
                        yield Label(note, "help", tone="second", wrap=True)
            for key in part.charts:
                if key in view.charts and key not in drawn:
                    drawn.add(key)
                    yield self._figure(view.charts[key])
        for key, chart in view.charts.items():
            if key not in drawn:
                yield self._figure(chart)
        if view.files:
            yield Label(text("files"), "section")
            for stem, count in view.files:
                yield self._file(stem, count, export)

    def _findings(self, found: Sequence[Finding]) -> Iterator[QWidget]:
        if not found:
            return
        made = QWidget()
        rows = column(spacing=0)
        for place, one in enumerate(found):
            if place:
                rows.addWidget(line())
            self.findings.append(FindingRow(one))
            rows.addWidget(self.findings[-1])
        made.setLayout(rows)
        yield made

    def _figure(self, chart: Chart) -> FigureView:
        made = FigureView(chart)
        self.figures.append(made)
        return made

    def _file(self, stem: str, count: int, export: Any) -> QWidget:
        made = QWidget()
        title = stem.replace("_", " ").replace("-", " ").capitalize()

        def ask() -> None:
            path, _ = QFileDialog.getSaveFileName(
                made, messages.text("table.export_title"), f"{stem}.csv", "CSV (*.csv)"
            )
            if path:
                export(stem, Path(path))

        button = Button(text("export"), icon="download", small=True, on_click=ask)
        button.setAccessibleName(f"{button.text()}: {title}")
        said = Label(text("table_of", title=title, rows=f"{count:,}"))
        made.setLayout(row(said, None, button))
        return made
