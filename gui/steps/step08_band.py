"""Step 8: every metric against its band, in one figure that is a table."""

from __future__ import annotations

import html
from pathlib import Path
from typing import Any, ClassVar

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QFileDialog

from engine.base.wording import count
from engine.procedure.decision import tolerance_setting
from engine.procedure.presets import tolerance_words
from gui.widgets.basic import Button, Label, column
from gui.widgets.interval import IntervalTable
from gui.widgets.saving import by_disk
from gui.widgets.verdict import Tally

from .audit_texts import text
from .counts import CountTable, Pair
from .readings import Readings
from .results import ResultPage, View, group_words, sentences_html

READINGS = "my:readings"
MANY_ROWS = 30
KINDS = {"PNG picture (*.png)": "png", "SVG drawing (*.svg)": "svg", "PDF page (*.pdf)": "pdf"}


class Page(ResultPage):
    """The interval table, the counts behind it, and both readings."""

    number: ClassVar[int] = 8
    title: ClassVar[str] = "All metrics and the band"
    sentence: ClassVar[str] = "Hold every metric with its interval against the tolerance."

    def build_parts(self) -> None:
        self.save_button = Button(
            text("band.save"), icon="image", small=True, on_click=lambda: self.save_graph()
        )
        self.copy_button = Button(
            text("band.copy"), icon="table", small=True, on_click=self.copy_table
        )
        self.header.add(self.save_button)
        self.header.add(self.copy_button)
        self.header.title.setWordWrap(True)
        self.tally = Tally()
        self.table: IntervalTable | None = None
        self.groups: IntervalTable | None = None
        self._table_place = column(self.tally, spacing=2)
        self.parts.addLayout(self._table_place)
        self.counts = CountTable(words=text("band.counts"))
        self.parts.addWidget(self.counts)
        self._groups_heading = Label(text("band.by_group"), "section")
        self._groups_heading.hide()
        self._groups_place = column(self._groups_heading, spacing=2)
        self.parts.addLayout(self._groups_place)
        self.readings = Readings()
        self._readings_heading = Label(text("band.readings"), "section")
        self.parts.addLayout(column(self._readings_heading, self.readings, spacing=6))

    def refresh(self) -> None:
        super().refresh()
        said = tolerance_setting(self.session.state).words.split(". ")[0].rstrip(".") + "."
        self.header.set_sentence(
            text(
                "band.sentence",
                tolerance=tolerance_words(self.session.plan.get("tolerance")),
                set=said,
            )
        )
        self.filled()

    def filled(self) -> None:
        there = not self.result.isHidden()
        for button in (self.save_button, self.copy_button):
            button.setEnabled(there)

    def show_view(self, view: View) -> None:
        assert view.chart is not None
        part = view.part
        counted = part["recommendation"]["tally"]
        n = len(part["attributes"])
        attributes = "1 attribute" if n == 1 else f"{n} attributes"
        note = text("band.note", metrics=sum(counted.values()), attributes=attributes)
        self.tally.set_counts(counted, note=note)
        if self.table is None:
            self.table = IntervalTable(view.chart)
            self._table_place.addWidget(self.table)
        else:
            self.table.set_chart(view.chart)
        if len(view.chart.rows) > MANY_ROWS:
            QTimer.singleShot(0, self, lambda: self._show_rest(view))
        else:
            self._show_rest(view)

    def _show_rest(self, view: View) -> None:
        """What stands below the figure; a long figure is painted first."""
        self._groups_heading.setVisible(view.by_group is not None)
        if view.by_group is not None and self.groups is None:
            self.groups = IntervalTable(view.by_group)
            self._groups_place.addWidget(self.groups)
        elif view.by_group is not None and self.groups is not None:
            self.groups.set_chart(view.by_group)
        if self.groups is not None:
            self.groups.setVisible(view.by_group is not None)
        self._show_counts(view)
        self._show_readings(view.part)

    def _show_counts(self, view: View) -> None:
        good, bad = view.words.favourable, view.words.unfavourable
        kinds = [
            ("recorded", text("run.recorded")),
            ("true_positive", text("run.tp", fav=good.capitalize())),
            ("false_positive", text("run.fp", unfav=bad.capitalize())),
        ]
        groups = [
            (f"{name}: {group_words(attribute, group)}", one["rates"])
            for name, attribute in view.attributes.items()
            for group, one in attribute["groups"].items()
        ]
        kinds = [(k, words) for k, words in kinds if any(k in rates for _, rates in groups)]
        self.counts.fill(
            (text("band.counts"), *(words for _, words in kinds)),
            [(name, *(Pair.of(rates.get(k)) for k, _ in kinds)) for name, rates in groups],
        )
        self.counts.setVisible(bool(kinds))

    def _show_readings(self, part: Any) -> None:
        found = part["recommendation"]
        counted = found["tally"]
        computable = sum(counted[w] for w in ("within", "outside", "not settled"))
        whole = found["rule"] == "whole interval"

        def of(k: int) -> str:
            return f"{count(k)} of {count(computable)}"

        self.readings.carry.show_reading(
            recommends=found["whole_interval"],
            in_force=whole,
            facts=(
                (text("band.within"), of(counted["within"])),
                (text("band.outside"), of(counted["outside"])),
                (text("band.open"), of(counted["not settled"])),
            ),
        )
        outside = found["outside_by_value"]
        self.readings.published.show_reading(
            recommends=found["as_published"],
            in_force=not whole,
            facts=(
                (text("band.within"), of(computable - outside)),
                (text("band.outside"), of(outside)),
                (text("band.open"), "–"),
            ),
        )

    def save_graph(self, path: str = "", kind: str = "") -> None:
        """Save the graph in the light colours as PNG, SVG or PDF; asks where if not told."""
        chart = self.shown.printed_chart if self.shown is not None else None
        if chart is None:
            return
        if not path:
            path, chosen = QFileDialog.getSaveFileName(
                self, text("band.save_title"), "all-metrics-and-the-band.png", ";;".join(KINDS)
            )
            kind = KINDS.get(chosen, "png")
        if not path:
            return
        suffix = Path(path).suffix.lstrip(".").lower()
        kind = suffix if suffix in KINDS.values() else kind or "png"
        target = path if suffix == kind else f"{path}.{kind}"

        def work(watch: Any) -> None:
            from engine.drawing import screen

            figure = screen.draw(chart, theme="light")
            watch.check()
            try:
                screen.save(figure, target, kind=kind)
            except OSError as error:
                raise by_disk(target, error) from error

        self.session.jobs.start(
            text("band.saving"), work, icon="image", on_failed=self.session.refuse
        )

    def copy_table(self) -> None:
        """Put the whole table on the clipboard."""
        if self.table is not None:
            self.table.clearSelection()
            self.table.copy()

    def follow(self, link: str) -> bool:
        if link == READINGS:
            self.scroll.ensureWidgetVisible(self.readings, 0, 20)
            return True
        return super().follow(link)

    def help_html(self) -> str:
        parts = [
            "<p>Each row is one metric. The mark is what was measured; the line is where the true "
            "value may lie. The shaded band is the tolerance.</p>"
        ]
        view = self.shown
        if view is None or not view.part or self.result.isHidden():
            return "".join(parts)
        found = view.part["recommendation"]
        parts.append(f"<p><b>{html.escape(found['reasons'][0])}</b></p>")
        todo = sentences_html(
            view.sentences("certification.needed_recorded", "certification.needed_decided")
        )
        go_on = "<ul><li>Go on to step 9: the decision can be “not settled”.</li></ul>"
        if found["value"] != "not settled":
            go_on = "<ul><li>Go on to step 9: index and score.</li></ul>"
        setting = html.escape(tolerance_setting(self.session.state).words)
        parts.append("<h3>What you do now</h3>" + (todo if "<li>" in todo else "") + go_on)
        tally = found["tally"]
        computable = sum(tally[w] for w in ("within", "outside", "not settled"))
        parts.append(
            f"<h3>As published</h3><p>Read from the value alone, as the paper does, "
            f"{found['outside_by_value']} of {computable} lie outside. "
            f'<a href="{READINGS}">Show both readings</a></p>'
        )
        good, bad = html.escape(view.words.favourable), html.escape(view.words.unfavourable)
        parts.append(
            "<h3>Words used here</h3><dl>"
            "<dt>Recorded</dt><dd>What the data say happened.</dd>"
            f"<dt>Of {good}</dt><dd>How many the system decides for, of the people whose recorded "
            f"outcome is {good}.</dd>"
            f"<dt>Of {bad}</dt><dd>The same for the people whose recorded outcome is {bad}.</dd>"
            f"</dl><h3>The tolerance</h3><p>{setting}</p><h3>Good to know</h3>"
        )
        cancels = view.sentences("certification.aod_cancels")
        parts.append(
            sentences_html(cancels)
            if cancels
            else "<p>An average odds difference near 0 can hide two gaps that cancel.</p>"
        )
        return "".join(parts)
