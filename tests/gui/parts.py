"""A page of all parts with the figures of the look's pictures, to be held beside them."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from engine.drawing.model import IntervalChart, IntervalRow
from gui.palette import VERDICTS
from gui.widgets.basic import Button, Label, column, line, row
from gui.widgets.fields import ChoiceButtons, Combo, FieldRow, NumberSpin
from gui.widgets.interval import IntervalTable
from gui.widgets.message import MessageBar
from gui.widgets.table import AxisHead, Cell, DataTable, RateCell, TableModel
from gui.widgets.verdict import Tally, VerdictChip

_AGE, _SEX = "Age: under 30 compared with 30 and over", "Sex: female compared with male"
_ROWS = (
    ("Statistical parity difference", "Recorded outcomes, younger less older", _AGE, -0.110, -0.171, -0.049),
    ("Disparate impact", "Recorded outcomes, younger ÷ older", _AGE, 0.851, 0.774, 0.932),
    ("Equal opportunity difference", "Good payers approved, older less younger", _AGE, 0.063, -0.066, 0.200),
    ("Equal mis-opportunity difference", "Bad payers approved, older less younger", _AGE, 0.029, -0.271, 0.332),
    ("Average odds difference", "Mean of the two, younger less older", _AGE, -0.046, -0.212, 0.121),
    ("Statistical parity difference", "Recorded outcomes, women less men", _SEX, -0.075, -0.138, -0.013),
    ("Disparate impact", "Recorded outcomes, women ÷ men", _SEX, 0.897, 0.813, 0.982),
    ("Equal opportunity difference", "Good payers approved, men less women", _SEX, 0.106, -0.029, 0.252),
    ("Equal mis-opportunity difference", "Bad payers approved, men less women", _SEX, -0.015, -0.347, 0.327),
    ("Average odds difference", "Mean of the two, women less men", _SEX, -0.045, -0.227, 0.139),
)  # fmt: skip


def band_chart() -> IntervalChart:
    """The chart of the look's picture of step 8."""
    from engine.base.wording import interval, number

    rows = []
    for label, sub, group, value, low, high in _ROWS:
        ratio = label == "Disparate impact"
        rows.append(
            IntervalRow(
                label, sub, group, value, low, high, "not settled",
                shown=number(value, sign=not ratio), shown_interval=interval(low, high, sign=not ratio),
                band=(0.9, 1.1) if ratio else (-0.1, 0.1), ideal=1.0 if ratio else 0.0,
            )
        )  # fmt: skip
    return IntervalChart(
        key="band",
        title="All metrics and the band",
        sentence="Each row is one metric.",
        rows=tuple(rows),
    )


def rate_table() -> DataTable:
    """The table of the look's picture of step 2."""
    head = AxisHead("Rate with 95 % interval", 0.4, 1.0, (0.4, 0.6, 0.8, 1.0), 176)
    values = (
        ("19 to 24", 149, 88, 0.51, 0.67, False), ("25 to 29", 222, 146, 0.594, 0.717, False),
        ("30 to 39", 330, 245, 0.692, 0.786, True), ("40 to 49", 174, 130, 0.677, 0.806, True),
        ("50 to 59", 74, 53, 0.605, 0.806, True), ("60 to 75", 51, 38, 0.611, 0.844, True),
        ("30 and over", 629, 466, 0.705, 0.774, True), ("Under 30", 371, 234, 0.581, 0.678, False),
    )  # fmt: skip
    rows = [
        (
            name, n, good, f"{100 * good / n:.1f} %", RateCell(good / n, low, high, filled=full),
            Cell("Privileged" if full else "Unprivileged", mark="privileged" if full else "unprivileged"),
        )
        for name, n, good, low, high, full in values
    ]  # fmt: skip
    model = TableModel(
        ("Years", "People", "Favourable", "Rate", head, "Group"), rows, "lrrrll", total_rows=(6, 7)
    )
    return DataTable(model, words="Groups by age", boxed=True, stretch=5, row_height=25)


def gallery() -> QWidget:
    """All parts on one page."""
    page = QWidget()
    page.setProperty("ground", "page")
    left, middle, right = QVBoxLayout(), QVBoxLayout(), QVBoxLayout()
    for layout in (left, middle, right):
        layout.setSpacing(8)
    left.addWidget(Label("Answers", "section"))
    left.addWidget(line("rule"))
    for verdict in VERDICTS:
        left.addLayout(row(VerdictChip(verdict), None, VerdictChip(verdict, plain=True)))
    left.addWidget(
        ChoiceButtons(
            [(1, "Privileged"), (2, "Unprivileged"), (3, "Left out")], value=2, words="male"
        )
    )
    left.addWidget(Tally({"not settled": 10}, note="10 metrics"))
    left.addStretch(1)
    middle.addWidget(Label("Messages", "section"))
    middle.addWidget(line("rule"))
    middle.addWidget(MessageBar("info", "The files are kept exactly as they came."))
    middle.addWidget(
        MessageBar("good", "The certificate is intact. It was signed by the Example Audit Office.")
    )
    middle.addWidget(
        MessageBar(
            "warning",
            "The privileged group has the lower rate. Check the choice.",
            link_text="Go to step 2",
            link="step:2",
        )
    )
    middle.addWidget(
        MessageBar(
            "outside",
            "german.csv has no column “sexx”. Did you mean “Sex”?",
            link_text="Use “Sex”",
            link="x",
        )
    )
    buttons = row(
        Button("Continue", icon_right="chevron-right", kind="primary"), Button("Back"),
        Button("Sign…"), Button("Small", small=True), None,
    )  # fmt: skip
    buttons.itemAt(2).widget().setEnabled(False)
    middle.addLayout(buttons)
    error = FieldRow("Column with the outcome", Combo([], placeholder="Choose a column"))
    error.set_error("Choose the column first.")
    fields = QHBoxLayout()
    fields.addWidget(
        FieldRow(
            "Tolerance for differences",
            NumberSpin(0, 1, 0.1),
            help="0.10 is ten points. From 0 to 1.",
            after="either way",
        )
    )
    fields.addWidget(error)
    middle.addLayout(fields)
    from PySide6.QtWidgets import QCheckBox, QRadioButton

    on, published = QCheckBox("Compare all pairs"), QRadioButton("Published")
    on.setChecked(True)
    published.setChecked(True)
    middle.addLayout(row(on, QCheckBox("Weighted"), published, QRadioButton("Own"), None))
    middle.addStretch(1)
    right.addWidget(Label("Verdict 26 / 32", "verdict"))
    right.addWidget(Label("Page title 22 / 28", "title"))
    right.addWidget(Label("Section 14 / 20, semibold", "section"))
    right.addWidget(Label("Text, fields, tables 13 / 18: 0123456789 −0.110 Ω λ Ж Ł ő"))
    right.addWidget(Label("Help, table heads 12 / 16", "help", tone="second"))
    right.addWidget(rate_table())
    right.addStretch(1)
    top = QHBoxLayout()
    top.setSpacing(32)
    top.addLayout(left, 2)
    top.addLayout(middle, 3)
    top.addLayout(right, 4)
    whole = column(top, spacing=16)
    whole.setContentsMargins(24, 20, 24, 20)
    whole.addStretch(1)
    page.setLayout(whole)
    return page


def band_page() -> QWidget:
    """The table of step 8."""
    page = QWidget()
    page.setProperty("ground", "page")
    whole = column(
        Tally({"not settled": 10}, note="10 metrics, 2 attributes"),
        IntervalTable(band_chart()),
        spacing=8,
    )
    whole.setContentsMargins(24, 20, 24, 20)
    whole.addStretch(1)
    page.setLayout(whole)
    return page
