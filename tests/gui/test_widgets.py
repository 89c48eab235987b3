"""Tables, figures and fields: what is shown can be read, copied and exported."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit

from engine.drawing.model import BarChart, Series
from gui.palette import VERDICTS
from gui.widgets.fields import ChoiceButtons, Combo, FieldRow
from gui.widgets.figure import FigureView
from gui.widgets.help_panel import HelpPanel, as_document
from gui.widgets.interval import PLOT, IntervalTable
from gui.widgets.table import Cell, DataTable, RateCell, TableModel, as_csv, defused
from gui.widgets.verdict import Tally, VerdictChip, draw_mark
from tests.gui.parts import band_chart


class Word:
    """Stands for a verdict of the engine in a cell."""

    word = "not settled"


def test_cells_as_text() -> None:
    model = TableModel(
        ("Group", "People", "Value", "Verdict", "Rate"),
        [("A", 1234, -0.11, Word(), RateCell(0.5, 0.4, 0.6)), ("B", None, None, "", None)],
    )
    assert [model.text(0, c) for c in range(5)] == [
        "A",
        "1,234",
        "−0.110",
        "Not settled",
        "50.0 %, 40.0 % to 60.0 %",
    ]
    assert [model.text(1, c) for c in range(5)] == ["B", "", "", "", ""]
    assert model.align == "lrrll"
    assert model.index(0, 2).data(Qt.ItemDataRole.AccessibleTextRole) == "Value: −0.110"


@pytest.mark.parametrize("text", ["=1+1", "@SUM(A1)", "+cmd", "-cmd|x", "\tx"])
def test_formulas_are_defused(text: str) -> None:
    assert defused(text) == "'" + text


@pytest.mark.parametrize("text", ["-0.5", "+3", "−0.110", "plain", "", "5 =", "-1,000"])
def test_numbers_and_words_are_left_alone(text: str) -> None:
    assert defused(text) == text


def test_copy_and_export(qtbot, look, tmp_path: Path) -> None:
    table = DataTable(TableModel(("Group", "Value"), [("=A", -0.5), ("B\tb", 2)]), words="Groups")
    qtbot.addWidget(table)
    with qtbot.waitActive(table):
        table.show()
    QTest.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "Group\tValue\n=A\t−0.500\nB b\t2"
    table.selectRow(1)
    table.copy()
    assert QGuiApplication.clipboard().text() == "Group\tValue\nB b\t2"
    table.export(str(tmp_path / "t.csv"))
    with (tmp_path / "t.csv").open(encoding="utf-8-sig", newline="") as file:
        assert list(csv.reader(file)) == [["Group", "Value"], ["'=A", "-0.500"], ["B\tb", "2"]]
    assert as_csv(table.model()).startswith("Group,Value\n")


def test_a_link_in_a_cell_by_keyboard(qtbot, look) -> None:
    table = DataTable(TableModel(("", ""), [("a", Cell("Step 8", link="step:8"))]), words="Why")
    qtbot.addWidget(table)
    table.setCurrentIndex(table.model().index(0, 1))
    with qtbot.waitSignal(table.link_activated) as caught:
        QTest.keyClick(table, Qt.Key.Key_Return)
    assert caught.args == ["step:8"]


def test_the_interval_table_is_the_figure(qtbot, look) -> None:
    table = IntervalTable(band_chart())
    qtbot.addWidget(table)
    table.resize(744, 600)
    table.show()
    model = table.model()
    assert model.rowCount() == 13
    assert [model.text(1, c) for c in range(5)] == [
        "Statistical parity difference, Recorded outcomes, younger less older", "", "−0.110",
        "−0.171 to −0.049", "Not settled",
    ]  # fmt: skip
    assert table.rowHeight(1) == 33 and table.rowHeight(0) == 26
    found = table.metric_at(2)
    assert found is not None and found.label == "Disparate impact"
    assert table.metric_at(0) is None
    rect = table.visualRect(model.index(1, PLOT))
    delegate = table.itemDelegate()
    picture = table.viewport().grab().toImage()
    # The dot lies where the number says: at −0.110 on the axis of the plot, in the verdict's colour.
    x = delegate._x(rect, model, -0.110)  # type: ignore[attr-defined]
    assert picture.pixelColor(round(x) - 2, rect.center().y()) == QColor("#855A00")
    low, high = (delegate._x(rect, model, e) for e in (-0.1, 0.1))  # type: ignore[attr-defined]
    assert picture.pixelColor(round((low + 2 * high) / 3), rect.top() + 3) == QColor("#E4ECF1")


def test_marks_differ_by_shape_alone(qapp, look) -> None:
    pictures = []
    for verdict in VERDICTS:
        image = QImage(24, 24, QImage.Format.Format_RGB32)
        image.fill(QColor("white"))
        painter = QPainter(image)
        draw_mark(painter, QPointF(12, 12), 24, verdict, colour="text")
        painter.end()
        pictures.append(bytes(image.constBits()))
    assert len(set(pictures)) == len(VERDICTS)


def test_chips_and_tally_speak(qtbot, look) -> None:
    chip = VerdictChip("outside")
    tally = Tally({"not settled": 10}, note="10 metrics")
    qtbot.addWidget(chip)
    qtbot.addWidget(tally)
    assert chip.accessibleName() == "Outside"
    assert (
        tally.accessibleName()
        == "Within 0, Outside 0, Not settled 10, Not computable 0, Not checked 0, 10 metrics"
    )


def test_field_row(qtbot, look) -> None:
    field = QLineEdit()
    part = FieldRow("Column with the outcome", field, help="Where it says how it ended.")
    qtbot.addWidget(part)
    assert part.label.buddy() is field and field.accessibleName() == "Column with the outcome"
    part.set_error("Choose the column first.")
    assert part.error() == field.accessibleDescription() == "Choose the column first."
    part.set_error("")
    assert part.error() == "" and field.accessibleDescription() == "Where it says how it ended."


def test_choices(qtbot, look) -> None:
    choice = ChoiceButtons([("p", "Privileged"), ("u", "Unprivileged")], value="p", words="male")
    combo = Combo([(1, "One"), (2, "Two")], value=2, words="Number")
    qtbot.addWidget(choice)
    qtbot.addWidget(combo)
    choice.set_value("u")
    assert choice.value() == "u" and combo.value() == 2
    with qtbot.waitSignal(choice.picked) as caught:
        choice._group.button(0).click()
    assert caught.args == ["p"]
    choice.set_value(None)
    assert choice.value() is None


def test_a_figure_has_its_table_and_can_be_saved(qtbot, look, tmp_path: Path) -> None:
    chart = BarChart(
        key="rates", title="Rates by group", sentence="One bar a group.", alt="Two bars.", x_label="Rate",
        series=(Series("Rate", ("A", "B"), (0.4, 0.6)),),
    )  # fmt: skip
    view = FigureView(chart)
    qtbot.addWidget(view)
    view.resize(600, 500)
    view.show()
    view.draw_now()
    assert view._canvas.accessibleName() == "Rates by group"
    assert view._canvas.focusPolicy() == Qt.FocusPolicy.StrongFocus
    for kind, start in (("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")):
        view.save(str(tmp_path / f"rates.{kind}"))
        assert (tmp_path / f"rates.{kind}").read_bytes().startswith(start)
    view.toggle_table()
    assert view.stack.currentWidget() is view.table
    assert view.table.model().rowCount() == 2
    look(appearance="dark")
    view.toggle_table()
    assert view._canvas.figure.get_facecolor()[:3] != (1.0, 1.0, 1.0)


def test_help_is_set_with_dashes_and_terms(qtbot, look) -> None:
    panel = HelpPanel()
    qtbot.addWidget(panel)
    panel.set_html(
        "<p>Text</p><h3>What you do now</h3><ul><li>Ask.</li></ul><dl><dt>History</dt><dd>Past.</dd></dl>"
    )
    words = panel.words()
    assert "What you do now" in words and "Ask." in words and "Past." in words
    assert "–" in as_document("<ul><li>Ask.</li></ul>")


def test_every_icon_named_in_the_code_is_there() -> None:
    import re

    import gui
    from gui.paths import RESOURCES

    named = re.compile(
        r'(?:icon|icon_right|icons\.icon|IconLabel|IconButton|set_icon)\(?=?\s*\(?"([a-z0-9-]+)"'
    )
    missing = {
        f"{file.name}: {name}"
        for file in Path(gui.__file__).parent.rglob("*.py")
        for name in named.findall(file.read_text("utf-8"))
        if not (RESOURCES / "icons" / f"{name}.svg").is_file()
    }
    assert missing == set()


def test_a_disk_that_says_no_is_a_sentence(qtbot, look, tmp_path: Path) -> None:
    from gui.dialogs import ProblemDialog

    table = DataTable(TableModel(("Group", "Value"), [("A", 1)]), words="Groups")
    qtbot.addWidget(table)
    table.show()
    table.export(str(tmp_path / "missing" / "groups.csv"))
    found = table.findChildren(ProblemDialog)
    assert len(found) == 1 and found[0].isVisible()
    said = [one.text() for one in found[0].findChildren(QLabel)]
    assert any("groups.csv: It cannot be written there" in one for one in said)
    found[0].accept()
