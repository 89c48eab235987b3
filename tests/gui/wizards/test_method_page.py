"""The one wizard for every method: fields, acts, drafts, run and result, with no code of a method."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QLineEdit, QPlainTextEdit

from engine.methods import NAMES, method
from engine.methods.asking import check_setting
from gui.main_window import MainWindow
from gui.wizards import own_page, wizard_page
from gui.wizards.graph_text import graph_from, graph_words
from gui.wizards.method_page import MethodPage
from gui.wizards.setting_fields import NumberSpin, WholeSpin, value_from, value_words
from tests.gui.grab import settle
from tests.gui.test_window import cut, nameless


def wizard(window: MainWindow, name: str) -> MethodPage:
    stepper = window.stepper_or_fail()
    assert window.session is not None
    made = MethodPage(name, window.session, stepper)
    stepper.open_wizard(made)
    return made


@pytest.mark.parametrize("name", NAMES)
def test_every_method_opens_and_every_default_is_the_methods(
    german_window: MainWindow, name: str
) -> None:
    page = wizard(german_window, name)
    described = method(name)
    for index, title in enumerate(described.pages):
        page.show_page(index)
        settle()
        assert nameless(page) == [], title
        assert cut(page) == [], title
    # what is set on the page of the result itself needs a wizard of the method's own
    asked = [s for s in described.settings if s.page != described.pages[-1]]
    assert set(page.fields) == {s.name for s in asked}
    assert len(asked) == len(described.settings) or own_page(name) is not None
    for setting in asked:
        value = page.fields[setting.name].value()
        assert value == setting.default and type(value) is type(setting.default), setting.name
        assert check_setting(name, setting.name, value) is None
    session = german_window.session
    assert session is not None and session.plan["methods"] == {"certification": {}}


@pytest.mark.parametrize("name", [n for n in NAMES if n != "certification"])
def test_large_letters_fit(german_window: MainWindow, look, name: str) -> None:
    look(scale=200)
    german_window.resize(1024, 700)
    page = wizard(german_window, name)
    for index in range(len(page.pages)):
        page.show_page(index)
        settle()
        assert cut(page) == [], page.pages[index]


def test_the_menu_opens_the_wizard_and_certification_its_step(german_window: MainWindow) -> None:
    german_window.open_method("peers")
    page = german_window.stepper_or_fail().page
    assert isinstance(page, MethodPage) and page.name == "peers"
    german_window.open_method("certification")
    page = german_window.stepper_or_fail().page
    assert page is not None and not isinstance(page, MethodPage) and page.number == 8
    assert german_window.session is not None
    assert wizard_page("certification", german_window.session, None) is None
    assert own_page("no such method") is None


def test_adding_and_taking_out_are_acts(german_window: MainWindow) -> None:
    page = wizard(german_window, "peers")
    session = german_window.session
    assert session is not None
    QTest.mouseClick(page.toggle, Qt.MouseButton.LeftButton)
    assert session.plan["methods"] == {"certification": {}, "peers": {}}
    session.undo()
    assert session.plan["methods"] == {"certification": {}}
    session.redo()
    QTest.mouseClick(page.toggle, Qt.MouseButton.LeftButton)
    assert session.plan["methods"] == {"certification": {}}


def test_a_setting_typed_is_an_act_and_the_default_leaves_the_plan(
    german_window: MainWindow,
) -> None:
    page = wizard(german_window, "peers")
    session = german_window.session
    assert session is not None
    page.show_page(page.pages.index("Test"))
    spin = page.fields["draws"].row.field
    assert isinstance(spin, WholeSpin)
    spin.setFocus()
    spin.selectAll()
    QTest.keyClicks(spin, "40")
    QTest.keyClick(spin, Qt.Key.Key_Tab)
    assert session.plan["methods"]["peers"] == {"draws": 40}
    assert session.case.can_undo == "Undo: Peers: set “Draws (N)”"
    level = page.fields["level"].row.field
    assert isinstance(level, NumberSpin)
    level.setValue(0.0123)
    assert session.plan["methods"]["peers"] == {"draws": 40, "level": 0.0123}
    session.undo()
    assert level.value() == 0.05
    QTest.mouseClick(page.reset, Qt.MouseButton.LeftButton)
    assert session.plan["methods"]["peers"] == {} and spin.value() == 100


def test_ticks_choices_columns_and_free_values(german_window: MainWindow) -> None:
    page = wizard(german_window, "peers")
    session = german_window.session
    assert session is not None
    page.show_page(0)
    combo = page.fields["attribute"].row.field
    combo.setFocus()
    QTest.keyClicks(combo, "sex")
    assert session.plan["methods"]["peers"] == {"attribute": "sex"}
    page.show_page(page.pages.index("Test"))
    tick = page.fields["closed_form"].row.field
    assert isinstance(tick, QCheckBox)
    tick.setFocus()
    QTest.keyClick(tick, Qt.Key.Key_Space)
    assert session.plan["methods"]["peers"]["closed_form"] is True
    page.show_page(page.pages.index("Watch-out"))
    area = page.fields["order"].row.field
    assert isinstance(area, QPlainTextEdit)
    area.setFocus()
    QTest.keyClicks(area, "savings: higher is better")
    QTest.keyClick(area, Qt.Key.Key_Tab)
    assert session.plan["methods"]["peers"]["order"] == {"savings": "higher is better"}
    page.show_page(page.pages.index("Stress tests"))
    box = page.fields["stress"].row.field.findChildren(QCheckBox)[1]
    QTest.keyClick(box, Qt.Key.Key_Space)
    assert session.plan["methods"]["peers"]["stress"] == ["delta"]


def test_what_cannot_be_is_said_and_kept_as_a_draft(german_window: MainWindow) -> None:
    page = wizard(german_window, "peers")
    session = german_window.session
    assert session is not None
    page.show_page(page.pages.index("Peers"))
    delta = page.fields["delta"].row.field
    assert isinstance(delta, QLineEdit)
    delta.setFocus()
    QTest.keyClicks(delta, "much")
    QTest.keyClick(delta, Qt.Key.Key_Tab)
    assert "number" in page.fields["delta"].row.error()
    assert session.plan["methods"] == {"certification": {}}
    assert session.draft("wizard-peers") == {"delta": "much"}
    again = wizard(german_window, "peers")
    again.show_page(again.pages.index("Peers"))
    field = again.fields["delta"].row.field
    assert isinstance(field, QLineEdit) and field.text() == "much"
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "-1")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert again.fields["delta"].row.error()
    field.selectAll()
    QTest.keyClicks(field, "0.02")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert session.plan["methods"]["peers"] == {"delta": 0.02}
    assert session.draft("wizard-peers") is None


def test_run_from_the_wizard_shows_the_result_and_records_that_it_was_seen(
    german_window: MainWindow, tmp_path: Path
) -> None:
    page = wizard(german_window, "tradeoffs")
    session = german_window.session
    assert session is not None
    page.show_page(len(page.pages) - 1)
    assert "not part of the audit" in page.bar.words()
    page.follow_link("my:run")
    assert "tradeoffs" in session.plan["methods"] and session.result_current
    page.result.finish()
    settle()
    assert session.state["seen"]["result"]
    assert page.bar.isHidden()
    assert page.result.findings and page.result.tables
    reading = session.reading
    assert reading is not None
    sentences = {f.sentence for s in reading.sections("tradeoffs") for f in s.findings}
    sentences |= {f.sentence for f in reading.findings("tradeoffs")}
    sentences -= {p for s in reading.sections("tradeoffs") for p in s.paragraphs}
    shown = [row.accessibleName() for row in page.result.findings]
    assert len(shown) == len(sentences)
    assert all(any(s in one for one in shown) for s in sentences)
    assert len(page.result.figures) == len(reading.charts("tradeoffs"))
    settle(300)
    assert nameless(page) == []
    assert cut(page) == []
    target = tmp_path / "table.csv"
    page.result.tables[0].view.export(str(target))
    assert target.read_text("utf-8-sig").count("\n") > 1
    session.set(("plan", "seed"), 7, "chose the seed")
    assert "earlier" in page.bar.words()


@pytest.mark.parametrize(
    ("value", "default"),
    [
        (["age", "sex"], None),
        (["2024"], []),
        ([1, 2.5], []),
        ({"savings": "higher is better"}, {}),
        ({"history": ["worst", "best"]}, {}),
        ({"sex=F × ethnicity=Y": "too few: 3"}, {}),
        ([], []),
        ({}, {}),
    ],
)
def test_free_values_read_back_as_they_were_shown(value: object, default: object) -> None:
    shown = value_words(value)
    assert (value_from(shown, default) if shown else type(value)()) == value


@pytest.mark.parametrize("several", [True, False])
def test_graphs_read_back_as_they_were_shown(several: bool) -> None:
    graph = {"name": "g1", "edges": [["A", "E"], ["A", "score"], ["E", "score"]]}
    full = {**graph, "equations": {"E": {"kind": "linear"}}}
    for one in (graph, full, {"edges": [["A", "B"]]}):
        value = [one, {**graph, "name": "g2"}] if several else one
        assert graph_from(graph_words(value), several=several) == value


@pytest.mark.parametrize("given", ["A", "A -> ", "-> B", "nonsense here"])
def test_lines_that_are_no_arrows_are_no_graph(given: str) -> None:
    with pytest.raises(ValueError):
        graph_from(given, several=False)


def test_a_result_that_cannot_be_made_anew_offers_no_dead_link(german_window: MainWindow) -> None:
    """The result is of an earlier choice, and something above lacks: the link would do nothing."""
    session = german_window.session
    assert session is not None
    job = session.run_audit()
    assert job.state == "done", job.note
    page = wizard(german_window, "certification")
    page.show_page(len(page.pages) - 1)
    settle()
    session.set(("plan", "seed"), 5, "chose the seed")
    settle()
    assert page.bar.isVisible() and page._cannot_run() == ""
    assert page.bar._link == "my:run"
    outcome = session.plan["outcome"]
    session.set(("plan", "outcome"), None, "took the outcome out")
    settle()
    assert "waits for step" in page._cannot_run() and not page.bar._link
    assert "waits for step" in page.bar.words()
    page.run()
    assert not session.jobs.running()
    session.set(("plan", "outcome"), outcome, "chose the outcome")
    settle()
    assert page.bar._link == "my:run"
