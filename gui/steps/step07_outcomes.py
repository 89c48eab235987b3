"""Step 7: the decisions for people with the same recorded outcome, and the further methods."""

from __future__ import annotations

import html
from typing import Any, ClassVar

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QVBoxLayout, QWidget

from engine.base.wording import interval, number, percent
from engine.procedure.steps import NOT_APPLICABLE
from gui.widgets.basic import Button, Label, column, row, stacks
from gui.widgets.fields import Combo
from gui.widgets.table import Cell, DataTable, TableModel

from .audit_texts import text
from .counts import Sentences, Word
from .methods import MethodList
from .results import ResultPage, View, group_words, heading, sides_of, sub_line

METRICS = ("EOD", "EMOD", "AOD")
POOLED = ""
AT_ONCE = 3
"""Attributes that are shown at once; the others follow one by one."""
NAMES = {
    "certification.EOD": "Equal opportunity",
    "certification.EMOD": "Equal mis-opportunity",
    "certification.AOD": "Average odds",
    "certification.aod_cancels": "Two gaps that cancel",
}


class AttributePart(QWidget):
    """The outcome metrics of one attribute: numbers, sentences, and tests folded away."""

    def __init__(self, name: str, view: View) -> None:
        super().__init__()
        self.name, self.view = name, view
        self.one = view.attributes[name]
        others = self.one["unprivileged"]
        self._heading = Label("", "section", wrap=True, wide=True)
        self.choice = Combo(
            [(POOLED, text("outcomes.pooled")), *((g, group_words(self.one, g)) for g in others)],
            value=POOLED,
            words=f"{text('outcomes.show')}: {name}",
        )
        self.choice.setProperty("small", True)
        if len(others) < 2:
            self.choice.hide()
        self.choice.picked.connect(lambda _value: self._show())
        self.table = DataTable(TableModel(), words=f"Outcome metrics by {name}", row_height=40)
        self.says = Sentences(words=f"What the outcome metrics by {name} say")
        self.more = Button(text("result.more"), kind="link", on_click=self._fold)
        self.more.setAccessibleName(f"{text('result.more')}: {name}")
        self.tests = DataTable(TableModel(), words=f"Tests by {name}", row_height=24)
        self.note = Label("", "help", tone="second", wrap=True)
        self.tests.hide()
        self.note.hide()
        head = row(self._heading, self.choice)
        head.setStretch(0, 1)
        head_part = QWidget()
        head_part.setLayout(head)
        stacks(head)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(6)
        whole.addWidget(head_part)
        for part in (self.table, self.says, self.more, self.tests, self.note):
            whole.addWidget(part)
        self._show()
        self._fill_tests()

    def _show(self) -> None:
        view, one = self.view, self.one
        assert view.plan is not None
        chosen = self.choice.value() or POOLED
        who, privileged = sides_of(one, chosen or None)
        self._heading.setText(heading(self.name, one, chosen or None))
        measures = one["groups"][chosen]["metrics"] if chosen else one["metrics"]
        rows = []
        for metric in METRICS:
            mine = measures[metric]
            turned = None if mine["value"] is None else -mine["value"]
            line = sub_line(_words(metric), who, privileged, view.words)
            rows.append(
                (
                    Cell(_words(metric), sub=line),
                    Cell(number(mine["value"], sign=True) or "–", bold=True),
                    Cell(number(turned, sign=True) or "–", tone="second"),
                    interval(mine["low"], mine["high"], sign=True) or "–",
                    Word(mine["verdict"]),
                )
            )
        level = percent(view.plan.confidence, digits=0)
        self.table.set_table(
            ("Metric", "Value", text("outcomes.other_way"), f"{level} interval", "Verdict"),
            rows,
            "lrrrl",
        )
        found = view.group_findings.get((self.name, chosen), ()) if chosen else view.findings
        codes = [f"certification.{metric}" for metric in METRICS]
        subjects = [f"{_words(metric)}, {self.name}" for metric in METRICS]
        kept = [f for f in found if f.code in codes and f.subject in subjects]
        kept += [
            f for f in found if f.code == "certification.aod_cancels" and f.subject == self.name
        ]
        self.says.say(kept, actions=True, names=NAMES)

    def _fill_tests(self) -> None:
        printed = self.view.tests[self.name]
        columns = ("Test", *(str(cells[0]) for cells in printed.rows))
        rows = [
            (printed.columns[k], *(cells[k] for cells in printed.rows))
            for k in range(1, len(printed.columns))
        ]
        self.tests.set_table(columns, rows, "l" + "r" * len(printed.rows))
        self.note.setText(" ".join(printed.notes))

    def _fold(self) -> None:
        shown = self.tests.isHidden()
        self.tests.setVisible(shown)
        self.note.setVisible(shown)
        self.more.set_text(text("result.less" if shown else "result.more"))
        self.more.setAccessibleName(f"{self.more.text()}: {self.name}")


def _words(metric: str) -> str:
    from engine.fairness.metrics import WORDS

    return WORDS[metric]


class Page(ResultPage):
    """The outcome metrics by attribute, and the list of further methods."""

    number: ClassVar[int] = 7
    title: ClassVar[str] = "Outcome metrics"
    sentence: ClassVar[str] = text("outcomes.sentence")

    def build_parts(self) -> None:
        self.signs = Label(text("outcomes.signs"), "help", tone="second", wrap=True)
        self.attributes: list[AttributePart] = []
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.timeout.connect(self._add_next)
        self._places = column(spacing=16)
        self.parts.addLayout(self._places)
        self.parts.addWidget(self.signs)
        self.methods = MethodList(self)
        title = Label(text("outcomes.methods"), "section")
        said = Label(text("outcomes.methods_help"), "help", tone="second", wrap=True)
        self.body.addLayout(column(title, said, self.methods, spacing=4))

    def lacking(self, view: View) -> str:
        if not view.part:
            return text("result.no_certification")
        if view.result["plan"].get("system") is None:
            return text("result.no_system")
        if view.part["samples"]["decided"] is None:
            return text("result.no_decisions")
        return ""

    def refresh(self) -> None:
        super().refresh()
        self.methods.refresh()
        if self.session.views()[7].state == NOT_APPLICABLE and self.bar.isHidden():
            self.bar.show_message("info", text("result.no_system"))
            self.bar.show()

    def show_view(self, view: View) -> None:
        self.clear(self._places)
        self.attributes = []
        for _ in range(min(AT_ONCE, len(view.attributes))):
            self._add(view)
        if len(self.attributes) < len(view.attributes):
            self._later.start()

    def _add(self, view: View) -> None:
        part = AttributePart(list(view.attributes)[len(self.attributes)], view)
        self.attributes.append(part)
        self._places.addWidget(part)

    def _add_next(self) -> None:
        """Add one attribute more, so that the window answers in between."""
        view = self.shown
        if view is not None and self._filled is view and len(self.attributes) < len(view.attributes):  # fmt: skip
            self._add(view)
            self.lay_out_now()
            self._later.start()

    def help_html(self) -> str:
        view = self.shown
        words: Any = view.words if view is not None else None
        good = html.escape(words.favourable if words else "favourable")
        bad = html.escape(words.unfavourable if words else "unfavourable")
        meaning = ""
        if words and words.meaning:
            meaning = f"<p>Favourable means {html.escape(words.meaning)}.</p>"
        return (
            "<p>Here people are compared who turned out alike. A gap is then not explained by who "
            f"turned out how.</p>{meaning}<h3>Words used here</h3><dl>"
            f"<dt>Equal opportunity difference (EOD)</dt><dd>Of the people whose recorded outcome "
            f"is {good}: how much more often the system decides for the privileged.</dd>"
            f"<dt>Equal mis-opportunity difference (EMOD)</dt><dd>The same for people whose "
            f"recorded outcome is {bad}: who is favoured by mistake.</dd>"
            "<dt>Average odds difference (AOD)</dt><dd>The mean of both gaps, the other way round. "
            "It is near 0 where two gaps cancel.</dd></dl>"
            "<h3>What you do now</h3><ul><li>Read each sentence; the value alone says nothing "
            "without its interval.</li><li>Open a further method where its question matters "
            "here.</li></ul>"
            f"<h3>Both signs</h3><p>{html.escape(text('outcomes.signs'))}</p>"
        )
