"""Step 4: the training data: who is in them, and the gap in their recorded outcomes."""

from __future__ import annotations

import html
from collections.abc import Mapping
from typing import Any, ClassVar

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QPlainTextEdit, QVBoxLayout, QWidget

from engine.base.canonical import canonical_json
from engine.base.problems import Refused
from engine.base.wording import count, interval, number, percent
from engine.procedure.basis import data_basis, items_of
from engine.procedure.steps import SKIPPED
from gui.jobs import Job
from gui.widgets.basic import Button, Label, column
from gui.widgets.fields import FieldRow
from gui.widgets.message import MessageBar
from gui.widgets.table import AxisHead, Cell, DataTable, RateCell, TableModel

from .audit_texts import text
from .base import StepPage
from .counts import Pair, PairDelegate
from .recorded import Recorded, count_recorded, tables_at_hand, training_plan
from .results import group_words, sides_of, why_closed

REASON = ("not_supplied", "training data")
DRAFT = "step-4"
SMALL, UNEVEN = 50, 0.9
"""Fewer people than this are few to learn from; a larger share than this is nearly everybody."""


class Page(StepPage):
    """Counts by group, the two metrics of recorded outcomes, and what is odd about the data."""

    number: ClassVar[int] = 4
    title: ClassVar[str] = "Training data"
    sentence: ClassVar[str] = text("training.sentence")

    def build(self) -> None:
        self.found: Recorded | None = None
        self._key = ""
        self._shown: tuple[str, bool] | None = None
        self._problem = ""
        self._job: Job | None = None
        self.bar = self.message("info", " ")
        self.body.addWidget(self.bar)
        self._build_skipped()
        self.open_rates = Button(text("training.open"), on_click=self._open_rates)
        self.body.addWidget(self.open_rates)
        self.rows = Label("", tone="second", wrap=True)
        self.body.addWidget(self.rows)
        self._groups = column(spacing=16)
        self.body.addLayout(self._groups)
        self.tables: dict[str, DataTable] = {}
        self._warts_heading = Label(text("training.warts"), "section")
        self._warts = column(spacing=8)
        self.body.addLayout(column(self._warts_heading, spacing=0))
        self.body.addLayout(self._warts)
        self.session.tables_changed.connect(self._tables_changed)

    def _build_skipped(self) -> None:
        self.skipped = QWidget()
        self.certificate = MessageBar("info", text("training.field20"))
        self.reason = QPlainTextEdit()
        self.reason.setTabChangesFocus(True)
        self.reason.setFixedHeight(64)
        self._later = QTimer(self)  # a draft is a write to the disk, so not one a key
        self._later.setSingleShot(True)
        self._later.setInterval(300)
        self._later.timeout.connect(self._keep_draft)
        self.reason.textChanged.connect(self._reason_typed)
        self.reason.focusOutEvent = self._reason_left  # type: ignore[method-assign]
        self.add_button = Button(
            text("training.add"), icon="file-plus", on_click=lambda: self.go_to(0)
        )
        inner = QVBoxLayout(self.skipped)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(12)
        heading = Label(text("training.certificate"), "section")
        inner.addLayout(column(heading, self.certificate, spacing=6))
        inner.addWidget(
            FieldRow(text("training.reason"), self.reason, help=text("training.reason_help"))
        )
        inner.addWidget(self.add_button)
        self.body.addWidget(self.skipped)

    # Training data that were not supplied --------------------------------------------------------

    @property
    def is_skipped(self) -> bool:
        """Whether there are no training data."""
        return self.session.views()[4].state == SKIPPED

    def _given_reason(self) -> str:
        return str(self.session.state["not_supplied"].get(REASON[1]) or "")

    def _reason_typed(self) -> None:
        self._later.start()
        self.update_footer()

    def _keep_draft(self) -> None:
        typed = self.reason.toPlainText()
        self.session.set_draft(DRAFT, typed if typed.strip() != self._given_reason() else None)

    def _reason_left(self, event: Any) -> None:
        QPlainTextEdit.focusOutEvent(self.reason, event)
        self.keep_reason()

    def keep_reason(self) -> None:
        """Enter the reason as an act."""
        self._later.stop()
        typed = " ".join(self.reason.toPlainText().split())
        if typed != self._given_reason() and not self.session.read_only:
            self.session.set_draft(DRAFT, None)
            self.session.set(REASON, typed, text("training.reason_words"))

    def left(self) -> None:
        if self.is_skipped:
            self.keep_reason()

    # Counting ------------------------------------------------------------------------------------

    def opened(self) -> None:
        if self._rates_may_show() and not self.is_skipped and self._data():
            self.session.see_rates()

    def _data(self) -> list[dict[str, Any]]:
        return items_of(self.session.state, "training", "all")

    def _rates_may_show(self) -> bool:
        state = self.session.state
        return bool(state["set"].get("tolerance") or state["seen"]["rates"])

    def _rates_shown(self) -> bool:
        return bool(self.session.state["seen"]["rates"]) or self.session.read_only

    def _open_rates(self) -> None:
        self.session.see_rates()

    def _tables_changed(self, _item: str) -> None:
        if self.stepper is not None and self.stepper.page is self:
            self.refresh()

    def _count(self) -> None:
        """Start counting where something that counts was changed since."""
        state = self.session.state
        key = canonical_json([data_basis(state), training_plan(state)])
        if key == self._key:
            return
        members = items_of(state, "training", "all", "test", "join")
        known = tables_at_hand(self.session)
        waiting = [
            i for i in members
            if self.session.table(i["id"]) is None and not self.session.table_problems(i["id"])
        ]  # fmt: skip
        if waiting:
            return
        self._key, self.found, self._problem = key, None, ""
        if self._job is not None:
            self.session.jobs.cancel(self._job)

        def done(found: Recorded) -> None:
            if self._key == key:
                self.found = found
                self._again()

        def failed(error: Exception) -> None:
            if self._key == key:
                if isinstance(error, Refused) and error.problems:
                    self._problem = error.problems[0].text
                self._again()

        self._job = self.session.jobs.start(
            text("training.counting"),
            lambda watch: count_recorded(self.session, state, known, watch),
            on_done=done, on_failed=failed, icon="users", quiet=True,
        )  # fmt: skip

    def _again(self) -> None:
        if self.stepper is not None and self.stepper.page is self:
            self.refresh()
            self.update_footer()

    # Showing -------------------------------------------------------------------------------------

    def refresh(self) -> None:
        skipped = self.is_skipped
        self.skipped.setVisible(skipped)
        if skipped:
            self._show_skipped()
        elif self._data():
            self._count()
        view = self.session.views()[4]
        shown = self.found is not None and not skipped and bool(self._data())
        rates = self._rates_shown()
        self._show_bar(skipped, view.why if view.blocked_by is not None else "")
        self.open_rates.setVisible(shown and not rates)
        for widget in (self.rows, self._warts_heading):
            widget.setVisible(shown)
        if not shown:
            self.clear(self._groups)
            self.clear(self._warts)
            self._shown = None
            return
        if self._shown != (self._key, rates):
            self._shown = (self._key, rates)
            assert self.found is not None
            self._show(self.found, rates)

    def _show_skipped(self) -> None:
        given = self.session.draft(DRAFT)
        words = given if isinstance(given, str) else self._given_reason()
        if self.reason.toPlainText() != words and not self.reason.hasFocus():
            self.reason.blockSignals(True)
            self.reason.setPlainText(words)
            self.reason.blockSignals(False)
        self.reason.setReadOnly(self.session.read_only)

    def _show_bar(self, skipped: bool, waits: str) -> None:
        kind, words, link_text, link = "", "", "", ""
        if skipped:
            kind, words = "info", text("training.skipped")
        elif not self._data():
            kind, words = "info", text("training.no_data")
            link_text, link = text("training.add"), "step:0"
        elif self._problem:
            kind, words = "outside", self._problem
        elif self.found is None:
            kind, words = "info", waits or text("training.counting")
        elif not self._rates_shown():
            kind, words = "info", text("training.folded")
        if kind:
            self.bar.show_message(kind, words, link_text=link_text, link=link)
        self.bar.setVisible(bool(kind))

    def _show(self, found: Recorded, rates: bool) -> None:
        counts = {"all": count(found.all_rows), "training": count(found.rows)}
        counts["test"] = count(found.all_rows - found.rows)
        code = "split" if found.all_rows != found.rows else "whole" if found.role == "all" else "supplied"  # fmt: skip
        self.rows.setText(text(f"training.{code}", **counts))
        self.clear(self._groups)
        self.tables.clear()
        for name, one in found.part["attributes"].items():
            self._groups.addWidget(self._attribute(name, one, found, rates))
        self._show_warts(found, rates)

    def _attribute(
        self, name: str, one: Mapping[str, Any], found: Recorded, rates: bool
    ) -> QWidget:
        made = QWidget()
        whole = QVBoxLayout(made)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(6)
        whole.addWidget(Label(f"By {name}", "section"))
        table = group_table(name, one, found, rates)
        self.tables[name] = table
        whole.addWidget(table)
        if rates:
            for words in parity_sentences(name, one, found):
                whole.addWidget(Label(words, wrap=True))
        for words in balance_sentences(name, one):
            whole.addWidget(MessageBar("warning", words))
        return made

    def _show_warts(self, found: Recorded, rates: bool) -> None:
        self.clear(self._warts)
        ids = {item["id"] for item in self._data()}
        said = [
            (wart.grade, f"{item['name']}: {wart.text}")
            for item, wart in self.session.warts()
            if item["id"] in ids and wart.grade in ("question", "warning")
        ]
        known = {words for _, words in said}
        told = found.warnings if rates else ()
        said += [("warning", w) for w in told if not any(k.endswith(w) for k in known)]
        for grade, words in said:
            bar = self.message(
                "question" if grade == "question" else "warning", words,
                link_text="Go to step 0" if grade == "question" else "", link="step:0",
            )  # fmt: skip
            self._warts.addWidget(bar)
        if not said:
            self._warts.addWidget(Label(text("training.no_warts"), tone="second"))

    def ready(self) -> str:
        if self.is_skipped:
            typed = self.reason.toPlainText().strip()
            return "" if typed or self._given_reason() else text("training.reason_needed")
        return why_closed(self.session, 4)

    def on_continue(self) -> bool:
        if self.is_skipped:
            self.keep_reason()
        return super().on_continue()

    def help_html(self) -> str:
        parts = [
            "<p>A system repeats what it learns from. A gap in the recorded outcomes can be a gap "
            "in life, in who was recorded, or in how people were judged; the numbers alone do not "
            "say which.</p>"
        ]
        if self.is_skipped:
            said = html.escape(text("training.field20"))
            parts.append(f"<h3>On the certificate</h3><p>{said}</p>")
        parts.append(
            "<h3>Words used here</h3><dl><dt>Statistical parity difference</dt><dd>The favourable "
            "rate of the unprivileged less that of the privileged. 0 means no gap.</dd>"
            "<dt>Disparate impact</dt><dd>The same two rates, one divided by the other. 1 means no "
            "gap.</dd></dl><h3>What you do now</h3><ul><li>Look for groups of few people.</li>"
            "<li>Ask the provider how the outcomes came to be recorded.</li></ul>"
        )
        return "".join(parts)


def group_table(name: str, one: Mapping[str, Any], found: Recorded, rates: bool) -> DataTable:
    """People by group, with rate and interval where these may be shown."""
    groups = one["groups"]
    total = sum(everybody(g) for g in groups.values())
    known = [g["rates"]["recorded"] for g in groups.values() if "recorded" in g["rates"]]
    head = axis_head(known, found.plan.confidence)
    columns: list[Any] = ["Group", "People", "Side"]
    if rates:
        columns[2:2] = [text("run.recorded"), head]
    rows = []
    for key, group in groups.items():
        role = group["role"]
        cells: list[Any] = [
            group_words(one, key),
            Pair.share_of(everybody(group), total),
            Cell(role.capitalize(), mark=role),
        ]
        if rates:
            rate = group["rates"].get("recorded")
            dot = RateCell(None, text="no known outcome")
            if rate is not None and rate["value"] is not None:
                dot = RateCell(
                    rate["value"], rate["low"], rate["high"], filled=role == "privileged"
                )
            cells[2:2] = [Pair.of(rate), dot]
        rows.append(tuple(cells))
    table = DataTable(TableModel(), words=f"People by {name}", boxed=True, stretch=len(columns) - 1)
    table.setItemDelegate(PairDelegate(table))
    table.set_table(columns, rows, "lrrll" if rates else "lrl")
    table.measure()
    return table


def axis_head(rates: list[Mapping[str, Any]], confidence: float) -> AxisHead:
    """An axis wide enough for the rates, in steps of a fifth or a tenth."""
    ends = [r[k] for r in rates for k in ("low", "high") if r.get(k) is not None] or [0.0, 1.0]
    low = int(min(ends) * 5) / 5
    high = min(1.0, -int(-max(ends) * 5 - 0.999) / 5)
    high = high if high > low else low + 0.2
    steps = round((high - low) * 5)
    ticks = tuple(round(low + k / 5, 1) for k in range(steps + 1))
    if steps < 3:
        ticks = tuple(round(low + k / 10, 1) for k in range(2 * steps + 1))
    return AxisHead(f"Rate with {percent(confidence, digits=0)} interval", low, high, ticks, 190)


def parity_sentences(name: str, one: Mapping[str, Any], found: Recorded) -> list[str]:
    """Statistical parity difference and disparate impact of the recorded outcomes, explained."""
    others = one["unprivileged"]
    who, privileged = sides_of(one)
    who = f"{name} {who}" if len(others) == 1 else f"{name} other than {privileged}"
    fields = {"unprivileged": f"“{who}”", "privileged": f"“{name} {privileged}”"}
    level = percent(found.plan.confidence, digits=0)
    said = []
    for metric, code in (("SPD", "gap"), ("DI", "ratio")):
        measure = one["metrics"][metric]
        if measure["value"] is None:
            said.append(text("training.no_value", reason=measure["reason"]))
            continue
        ends = interval(measure["low"], measure["high"], sign=metric == "SPD")
        value = number(measure["value"], sign=metric == "SPD")
        value += f" ({level} interval {ends})" if ends else ""
        rates = one["tests"]["rate"] or {}
        said.append(
            text(
                f"training.{code}",
                value=value,
                u=number(100 * (rates.get("unprivileged") or 0), digits=0),
                p=number(100 * (rates.get("privileged") or 0), digits=0),
                hundred=number(100 * measure["value"], digits=0),
                **fields,
            ).replace(" %", "\u00a0%")
        )
    return said


def everybody(group: Mapping[str, Any]) -> float:
    """The people of a group, those without a known outcome included."""
    counts = group["counts"]
    rows: float = (counts["training_rows"] or 0) + (counts["unknown_outcome"] or 0)
    return rows


def balance_sentences(name: str, one: Mapping[str, Any]) -> list[str]:
    """What to know about the sizes of the groups."""
    sizes = {key: everybody(g) for key, g in one["groups"].items()}
    total = sum(sizes.values())
    said = [
        text("training.small", n=count(n), group=group_words(one, key), attribute=name)
        for key, n in sizes.items()
        if n < SMALL
    ]
    for key, n in sizes.items():
        if total and n / total > UNEVEN:
            share = percent(n / total)
            said.append(
                text("training.uneven", share=share, group=group_words(one, key), attribute=name)
            )
    for key, group in one["groups"].items():
        unknown = group["counts"]["unknown_outcome"] or 0
        if unknown > 0:
            of = count(everybody(group))
            said.append(
                text("training.unknown", n=count(unknown), of=of, group=group_words(one, key))
            )
    return said
