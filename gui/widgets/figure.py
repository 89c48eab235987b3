"""A figure with its table: drawn when first seen, saved as a picture, readable without eyes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QFileDialog, QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from engine.drawing.model import Chart
from gui import messages
from gui.theme import theme

from .basic import Button, Elided, Label, row
from .flow import Flow
from .saving import save
from .table import DataTable

KINDS = {"PNG picture (*.png)": "png", "SVG drawing (*.svg)": "svg", "PDF page (*.pdf)": "pdf"}


class FigureView(QWidget):
    """A chart on a matplotlib canvas, ``Save graph…`` above right, ``Show as table`` under it.

    matplotlib is imported when the figure is first shown. ``heading`` False leaves out the
    chart's own title. ``picked(series, index)`` is sent when a dot of a series is clicked.
    """

    picked = Signal(int, int)

    def __init__(
        self, chart: Chart | None = None, *, heading: bool = True, plot_height: float | None = None
    ) -> None:
        super().__init__()
        self.chart: Chart | None = None
        self._plot_height = plot_height
        self._canvas: Any = None
        self._drawn = False
        self._heading = Elided("", "section")
        self._heading.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self._sentence = Label("", "help", tone="second", wrap=True)
        if not heading:
            self._heading.hide()
        self.save_button = Button(
            messages.text("figure.save"), icon="image", small=True, on_click=lambda: self.save()
        )
        self.table_button = Button(
            messages.text("figure.show_table"), kind="link", on_click=self.toggle_table
        )
        self.table = DataTable(words="Table of the figure", fit_rows=20)
        self._place = QWidget()
        self._place_layout = QVBoxLayout(self._place)
        self._place_layout.setContentsMargins(0, 0, 0, 0)
        self._failed = Label(messages.text("figure.failed"), "help", tone="second", wrap=True)
        self._failed.hide()
        self._place_layout.addWidget(self._failed)
        self.stack = QStackedWidget()
        self.stack.addWidget(self._place)
        self.stack.addWidget(self.table)
        # A drawn canvas must not keep the page as wide as it is: it is drawn anew when narrower.
        self.stack.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(4)
        whole.addLayout(Flow(self._heading, self.save_button, last_right=True))
        whole.addWidget(self._sentence)
        whole.addWidget(self.stack)
        whole.addLayout(row(None, self.table_button))
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(120)
        self._later.timeout.connect(self._draw)
        theme().changed.connect(self._stale)
        if chart is not None:
            self.set_chart(chart)

    def set_chart(self, chart: Chart) -> None:
        """Show another chart."""
        from engine.drawing.tables import table_of

        self.chart = chart
        self._heading.setText(chart.title)
        self._sentence.setText(chart.sentence)
        self._sentence.setVisible(bool(chart.sentence))
        self.setAccessibleName(chart.title)
        self.save_button.setAccessibleName(f"{messages.text('figure.save')} {chart.title}")
        self.table_button.setAccessibleName(f"{self.table_button.text()}: {chart.title}")
        table = table_of(chart)
        self.table.setAccessibleName(f"Table of: {chart.title}")
        self.table.set_table(table.columns, table.rows)
        self._stale()

    def toggle_table(self) -> None:
        """Turn from figure to table and back."""
        table = self.stack.currentWidget() is not self.table
        self.stack.setCurrentWidget(self.table if table else self._place)
        self.table_button.set_text(
            messages.text("figure.show_figure" if table else "figure.show_table")
        )
        if self.chart is not None:
            self.table_button.setAccessibleName(f"{self.table_button.text()}: {self.chart.title}")
        self._fit()
        if not table and not self._drawn:
            self._draw()

    def save(self, path: str = "", kind: str = "") -> None:
        """Save the figure as PNG, SVG or PDF, in the light colours; asks where if not told."""
        if self.chart is None:
            return
        if not path:
            path, chosen = QFileDialog.getSaveFileName(
                self, messages.text("figure.save_title"), f"{self.chart.key}.png", ";;".join(KINDS)
            )
            kind = KINDS.get(chosen, "png")
        if not path:
            return
        from engine.drawing import screen

        suffix = Path(path).suffix.lstrip(".").lower()
        kind = suffix if suffix in KINDS.values() else kind or "png"
        if suffix != kind:
            path = f"{path}.{kind}"
        figure, target = screen.draw(self.chart, theme="light"), path
        save(self, target, lambda: screen.save(figure, target, kind=kind))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not self._drawn and self.chart is not None:
            self._later.start(0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._drawn and event.oldSize().width() != event.size().width():
            self._later.start(120)

    def sizeHint(self) -> QSize:
        return QSize(theme().px(420), super().sizeHint().height())

    def _stale(self) -> None:
        self._drawn = False
        if self.isVisible():
            self._later.start(0)

    def draw_now(self) -> None:
        """Draw at once instead of when the window is idle."""
        self._later.stop()
        self._draw()

    def _draw(self) -> None:
        if self.chart is None or self.stack.currentWidget() is self.table:
            return
        from matplotlib.backends.backend_qtagg import FigureCanvasQTAgg

        from engine.drawing import screen

        wide = max(theme().px(240), self.width())
        scale = theme().scale
        try:
            while True:
                figure = screen.draw(
                    self.chart,
                    theme=theme().name,
                    width=wide / 96,
                    plot_height=self._plot_height / 96 if self._plot_height else None,
                    text_scale=scale,
                )
                # Boxes and columns of words have a least width: smaller letters rather than cut.
                if figure.get_size_inches()[0] * 96 <= wide + 1 or scale <= 1.0:
                    break
                scale = max(1.0, scale * 0.85)
        except Exception:
            self._failed.show()
            self._drawn = True
            raise
        self._failed.hide()
        if self._canvas is not None:
            self._place_layout.removeWidget(self._canvas)
            self._canvas.hide()
            self._canvas.deleteLater()
        self._canvas = canvas = FigureCanvasQTAgg(figure)
        canvas.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        canvas.setAccessibleName(self.chart.title)
        canvas.setAccessibleDescription(getattr(figure, "chart_alt", self.chart.alt))
        canvas.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        inches = figure.get_size_inches()
        canvas.setFixedSize(round(inches[0] * 96), round(inches[1] * 96))
        canvas.mpl_connect("pick_event", self._picked)
        self._place_layout.addWidget(canvas)
        self._drawn = True
        self._fit()

    def _picked(self, event: Any) -> None:
        gid = str(event.artist.get_gid() or "")
        if gid.startswith("series-") and len(event.ind):
            self.picked.emit(int(gid.removeprefix("series-")), int(event.ind[0]))

    def _fit(self) -> None:
        if self.stack.currentWidget() is self.table:
            self.stack.setFixedHeight(max(self.table.height(), 40))
        elif self._canvas is not None:
            self.stack.setFixedHeight(self._canvas.height())
