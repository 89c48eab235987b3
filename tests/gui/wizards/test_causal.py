"""Causal graphs drawn, typed, doubted, run and read as a person does it, down to the case file."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QLineEdit, QWidget

from engine.case.store import Case
from engine.procedure.basis import run_basis
from gui.main_window import MainWindow
from gui.opening import fill_from_plan
from gui.session import Session
from gui.widgets.message import MessageBar
from gui.wizards import causal_draft as draft
from gui.wizards import own_page, wizard_page
from gui.wizards.causal import Wizard
from gui.wizards.causal_editor import GraphEditor
from tests.gui.grab import settle
from tests.gui.test_window import cut, nameless

LEFT = Qt.MouseButton.LeftButton
RISK = "credit risk"


def opened(window: MainWindow, name: str) -> Wizard:
    session = window.session
    assert session is not None
    page = wizard_page(name, session, window.stepper_or_fail())
    assert isinstance(page, Wizard)
    window.stepper_or_fail().open_wizard(page)
    window.activateWindow()
    settle()
    return page


def editor_of(page: Wizard) -> GraphEditor:
    page.show_page(page.graph_page)
    settle(60)
    assert page.editor is not None
    return page.editor


def click(root: QWidget, words: str) -> None:
    found = [
        b
        for b in root.findChildren(QAbstractButton)
        if b.isVisible() and b.accessibleName().startswith(words)
    ]
    assert len(found) == 1, (
        words,
        [b.accessibleName() for b in root.findChildren(QAbstractButton)],
    )
    QTest.mouseClick(found[0], LEFT)
    settle()


def add(editor: GraphEditor, name: str) -> None:
    """Put a variable into the graph: the button, a part of its name, Enter."""
    QTest.mouseClick(editor.variable, LEFT)
    settle()
    edit = editor.panel.findChildren(QLineEdit)[0]
    assert edit.hasFocus()
    QTest.keyClicks(edit, name)
    QTest.keyClick(edit, Qt.Key.Key_Return)
    settle()


def drag(editor: GraphEditor, start: str, end: str) -> None:
    """Draw an arrow with the mouse."""
    if not editor.arrow.isChecked():
        QTest.mouseClick(editor.arrow, LEFT)
    view = editor.view
    a, b = view.node_point(start).toPoint(), view.node_point(end).toPoint()
    QTest.mousePress(view.viewport(), LEFT, Qt.KeyboardModifier.NoModifier, a)
    QTest.mouseMove(view.viewport(), (a + b) / 2)
    QTest.mouseMove(view.viewport(), b)
    QTest.mouseRelease(view.viewport(), LEFT, Qt.KeyboardModifier.NoModifier, b)
    settle()


def key(view: QWidget, *keys: Qt.Key, held: Any = Qt.KeyboardModifier.NoModifier) -> None:
    for one in keys:
        QTest.keyClick(view, one, held)
    settle()


def write(editor: GraphEditor, row: int, column: int, words: str) -> None:
    """Write an end of an arrow into the table."""
    table = editor.table
    table.setFocus()
    table.setCurrentIndex(table.edge_model.index(row, column))
    QTest.keyClick(table, Qt.Key.Key_Return)
    settle()
    combo = table.findChildren(QComboBox)[-1]
    line = combo.lineEdit()
    assert line is not None
    line.selectAll()
    QTest.keyClicks(line, words)
    QTest.keyClick(line, Qt.Key.Key_Return)
    settle()


def stored(session: Session) -> dict[str, Any]:
    """The state as a second, fresh reader finds it in the case file."""
    case = Case.open(session.path, read_only=True)
    try:
        return case.state
    finally:
        case.close()


def whole(page: QWidget) -> list[str]:
    """What is cut or has no name once the page has had its time to lay itself out."""
    for _ in range(30):
        settle(100)
        if not cut(page):
            break
    return cut(page) + nameless(page)


def graph_of(session: Session) -> dict[str, Any]:
    found = stored(session)["plan"]["methods"]["channels"]["graph"]
    assert isinstance(found, dict)
    return found


@pytest.fixture
def channels(german_window: MainWindow) -> tuple[Wizard, GraphEditor, Session]:
    """Channels with the recorded outcome as the target, and an empty graph."""
    page = opened(german_window, "channels")
    session = german_window.session
    assert session is not None
    page.show_page(0)
    combo = page.fields["target"].row.field
    assert isinstance(combo, QComboBox)
    combo.setFocus()
    while combo.currentText() != RISK:
        QTest.keyClick(combo, Qt.Key.Key_Down)
    assert session.plan["methods"]["channels"] == {"target": RISK}
    editor = editor_of(page)
    editor.view.choose(None)
    click(editor.panel, "Start from: Attribute and target alone")
    return page, editor, session


def test_both_methods_have_their_own_wizard() -> None:
    assert own_page("channels") is Wizard and own_page("counterfactual") is Wizard


def test_age_job_amount_outcome_drawn_by_mouse_keyboard_and_table(
    channels: tuple[Wizard, GraphEditor, Session],
) -> None:
    _page, editor, session = channels
    assert set(draft.nodes_of(graph_of(session))) == {"age", RISK}
    add(editor, "job")
    add(editor, "credit am")
    assert set(draft.nodes_of(graph_of(session))) == {"age", "job", "credit amount", RISK}
    drag(editor, "age", "job")
    assert graph_of(session)["edges"] == [["age", "job"]]
    assert session.case.can_undo == "Undo: Channels: drew an arrow from “age” to “job”"
    key(editor.view, Qt.Key.Key_Escape)
    assert not editor.arrow.isChecked()
    view = editor.view
    view.setFocus()
    view.choose("job")
    key(view, Qt.Key.Key_Return)
    assert "job" in editor.legend.whole()
    view.choose("credit amount")
    key(view, Qt.Key.Key_Return)
    assert graph_of(session)["edges"][-1] == ["job", "credit amount"]
    QTest.mouseClick(editor.table_button, LEFT)
    write(editor, 2, 0, "credit amount")
    write(editor, 2, 1, RISK)
    wanted = [["age", "job"], ["job", "credit amount"], ["credit amount", RISK]]
    assert graph_of(session)["edges"] == wanted
    assert editor.state.trial.tried and not editor.state.trial.refusal
    assert ("credit amount", RISK) in editor.state.trial.labels
    session.undo()
    assert graph_of(session)["edges"] == wanted[:2]
    assert len(editor.view.face.edges) == 2
    session.redo()
    assert graph_of(session)["edges"] == wanted
    write(editor, 0, 1, "housing")
    assert graph_of(session)["edges"][0] == ["age", "housing"]
    editor.table.setFocus()
    editor.table.setCurrentIndex(editor.table.edge_model.index(0, 0))
    key(editor.table, Qt.Key.Key_Delete)
    assert graph_of(session)["edges"] == wanted[1:]
    assert "housing" in draft.nodes_of(graph_of(session))


def test_keys_move_between_variables_and_delete_takes_out(
    channels: tuple[Wizard, GraphEditor, Session],
) -> None:
    _page, editor, session = channels
    add(editor, "job")
    drag(editor, "age", "job")
    drag(editor, "job", RISK)
    key(editor.view, Qt.Key.Key_Escape)
    view = editor.view
    view.setFocus()
    view.choose("age")
    key(view, Qt.Key.Key_Right)
    assert view.choice == "job" and "job" in view.accessibleName()
    key(view, Qt.Key.Key_Right)
    assert view.choice == RISK
    key(view, Qt.Key.Key_Left, Qt.Key.Key_Left)
    assert view.choice == "age"
    seen = [view.choice]
    while QApplication.focusWidget() is view and len(seen) < 9:
        QTest.keyClick(view, Qt.Key.Key_Tab)
        seen.append(view.choice)
    assert set(seen) == {"age", "job", RISK}
    assert QApplication.focusWidget() is not view  # Tab leads out after the last one
    view.setFocus()
    view.choose("job")
    key(view, Qt.Key.Key_Space)
    assert view.choice == ("age", "job")
    key(view, Qt.Key.Key_Delete)
    assert graph_of(session)["edges"] == [["job", RISK]]
    view.choose("job")
    key(view, Qt.Key.Key_Delete)
    assert graph_of(session)["edges"] == [] and "job" not in draft.nodes_of(graph_of(session))


def test_troubles_are_told_at_the_arrow_in_the_table_and_in_words(
    channels: tuple[Wizard, GraphEditor, Session],
) -> None:
    page, editor, session = channels
    for name in ("job", "credit amount"):
        add(editor, name)
    drag(editor, "age", "job")
    drag(editor, "job", "credit amount")
    drag(editor, "credit amount", RISK)

    def codes() -> dict[str, Any]:
        return {t["code"]: t for t in editor.state.trial.troubles}

    def told(words: str) -> bool:
        bars = [w for w in editor.remarks.findChildren(QWidget) if w.isVisible()]
        return any(words in w.accessibleName() for w in bars)

    drag(editor, "credit amount", "job")
    circle = codes()["methods.graph_cycle"]
    arrow = tuple(circle["arrow"])
    assert arrow in editor.view.face.edges
    assert editor.view.face.remarks[arrow] == ("refusal", "runs in a circle")
    assert told("circle") and "circle" in page._cannot_run()
    row = editor.table.edge_model.edges.index(arrow)
    assert "circle" in editor.table.edge_model.text(row, 3)
    editor.view.choose(("credit amount", "job"))
    editor.view.setFocus()
    key(editor.view, Qt.Key.Key_Delete)
    assert not codes().get("methods.graph_cycle") and "circle" not in page._cannot_run()
    drag(editor, "job", "age")
    assert "methods.graph_cycle" in codes() and "causal.attribute_with_parent" in codes()
    session.undo()
    QTest.mouseClick(editor.table_button, LEFT)
    write(editor, 3, 0, "jobb")
    write(editor, 3, 1, RISK)
    unknown = codes()["causal.unknown_column"]
    assert unknown["arrow"] == ["jobb", RISK] and "job" in unknown["text"] and told("jobb")
    session.undo()
    drag(editor, RISK, "job")  # the target as a cause closes a circle too
    assert "methods.graph_cycle" in codes()
    session.undo()
    editor.view.choose("age")
    editor.view.setFocus()
    key(editor.view, Qt.Key.Key_Delete)
    assert "causal.no_attribute" in codes()
    assert editor.state.trial.refusal
    session.undo()
    add(editor, "duration")
    drag(editor, "duration in months", RISK)
    add(editor, "existing credits")
    drag(editor, "existing credits", RISK)
    held = codes()["causal.held_fixed"]  # younger people have fewer credits
    assert held["grade"] == "warning" and held["node"] == "existing credits"
    assert editor.view.face.remarks["existing credits"] == ("warning", "held fixed")
    assert told("held fixed")


def test_a_category_with_400_values_is_explained(
    window: MainWindow, session: Session, tmp_path: Path
) -> None:
    rng = np.random.default_rng(3)
    n = 800
    frame = pd.DataFrame(
        {
            "sex": rng.choice(["F", "M"], n),
            "street": [f"street {i % 400}" for i in range(n)],
            "rate": np.round(rng.normal(5, 1, n), 2),
        }
    )
    plan = {
        "schema": "fairassay-plan/1", "resamples": 40, "data": {"test": {"path": "p.csv"}},
        "protected": [{"column": "sex", "privileged": ["M"]}],
        "system": {"amount": {"column": "rate", "adverse": "high"}},
        "methods": {"channels": {"graph": {"name": "g", "edges": [["sex", "street"], ["street", "rate"]]}}},
    }  # fmt: skip

    def load(folder: Path) -> Path:
        frame.to_csv(folder / "p.csv", index=False)
        (folder / "plan.json").write_text(json.dumps(plan))
        return folder / "plan.json"

    fill_from_plan(session, load, on_done=lambda: None)
    window.show_session(session)
    editor = editor_of(opened(window, "channels"))
    found = [t for t in editor.state.trial.troubles if t["code"].startswith("causal.many_cat")]
    assert found and "400" in found[0]["text"] and found[0]["arrow"] in (
        ["sex", "street"], ["street", "rate"]
    )  # fmt: skip
    assert ("refusal", "too many values") in editor.view.face.remarks.values()


def test_places_are_kept_in_the_case_and_change_no_fingerprint(
    channels: tuple[Wizard, GraphEditor, Session], german_window: MainWindow
) -> None:
    _page, editor, session = channels
    add(editor, "job")
    drag(editor, "age", "job")
    drag(editor, "job", RISK)
    key(editor.view, Qt.Key.Key_Escape)
    before = run_basis(session.state)
    view = editor.view
    start = view.node_point("job").toPoint()
    QTest.mousePress(view.viewport(), LEFT, Qt.KeyboardModifier.NoModifier, start)
    QTest.mouseMove(view.viewport(), start + QPoint(10, 30))
    QTest.mouseMove(view.viewport(), start + QPoint(20, 60))
    QTest.mouseRelease(
        view.viewport(), LEFT, Qt.KeyboardModifier.NoModifier, start + QPoint(20, 60)
    )
    settle()
    kept = stored(session)["places"]["channels"]
    (places,) = kept.values()
    x, y = places["job"]
    view.setFocus()
    view.choose("job")
    key(view, Qt.Key.Key_Down, held=Qt.KeyboardModifier.ControlModifier)
    (places,) = stored(session)["places"]["channels"].values()
    assert places["job"] == pytest.approx([x, y + 10])
    assert run_basis(session.state) == before
    again = editor_of(opened(german_window, "channels"))
    assert again.view._scene.node_items["job"].pos().y() == pytest.approx(y + 10)
    QTest.mouseClick(again.tidy, LEFT)
    settle()
    assert not stored(session)["places"]["channels"]
    assert again.view._scene.node_items["job"].pos().y() != pytest.approx(y + 10)
    for wanted in (y + 10, y):  # tidying and moving are undone like any other step
        session.undo()
        settle()
        assert again.view._scene.node_items["job"].pos().y() == pytest.approx(wanted)
    session.redo()
    settle()
    assert again.view._scene.node_items["job"].pos().y() == pytest.approx(y + 10)
    assert run_basis(session.state) == before


def test_role_and_equation_are_set_in_the_panel(
    channels: tuple[Wizard, GraphEditor, Session],
) -> None:
    _page, editor, session = channels
    add(editor, "credit amount")
    drag(editor, "age", "credit amount")
    drag(editor, "credit amount", RISK)
    key(editor.view, Qt.Key.Key_Escape)
    point = editor.view.node_point("credit amount").toPoint()
    QTest.mouseClick(editor.view.viewport(), LEFT, Qt.KeyboardModifier.NoModifier, point)
    settle()

    def combo(words: str) -> QComboBox:
        (found,) = [
            c for c in editor.panel.findChildren(QComboBox) if c.accessibleName().startswith(words)
        ]
        return found

    role = combo("What it is")
    role.setFocus()
    QTest.keyClicks(role, "Beh")
    assert graph_of(session)["roles"]["credit amount"] == "behaviour"
    form = combo("Equation of")
    assert form.hasFocus() is False
    form.setFocus()
    for _ in range(5):
        QTest.keyClick(combo("Equation of"), Qt.Key.Key_Down)
    settle()
    equation = graph_of(session)["equations"]["credit amount"]
    assert equation["kind"] == "linear" and set(equation["coefficients"]) == {"age"}
    (edit,) = [
        e for e in editor.panel.findChildren(QLineEdit) if e.accessibleName() == "Strength of age"
    ]
    edit.setFocus()
    edit.selectAll()
    QTest.keyClicks(edit, "-12.5")
    QTest.keyClick(edit, Qt.Key.Key_Tab)
    settle()
    equation = graph_of(session)["equations"]["credit amount"]
    assert equation["coefficients"] == {"age": -12.5}
    session.undo()
    assert graph_of(session)["equations"]["credit amount"]["coefficients"] != {"age": -12.5}
    editor.view.choose(("credit amount", RISK))
    assert "Fitted strength" in [w.text() for w in editor.panel.findChildren(QWidget) if hasattr(w, "text")]  # fmt: skip


def test_the_machine_starts_and_the_person_takes_it_over(german_window: MainWindow) -> None:
    page = opened(german_window, "counterfactual")
    session = german_window.session
    assert session is not None
    editor = editor_of(page)
    assert editor.state.suggested and editor.tabs.count() == 3
    assert "counterfactual" not in session.plan["methods"]
    click(editor.remarks, "Take it over")
    graphs = stored(session)["plan"]["methods"]["counterfactual"]["graphs"]
    assert [g["name"] for g in graphs] == [
        "through columns and directly", "through columns alone", "directly alone"
    ]  # fmt: skip
    assert not editor.state.suggested
    editor.tabs.setFocus()
    QTest.keyClick(editor.tabs, Qt.Key.Key_Right)
    assert editor.state.index == 1
    click(editor, "Remove")
    click(editor, "Copy this graph")
    names = [g["name"] for g in session.plan["methods"]["counterfactual"]["graphs"]]
    assert names == ["through columns and directly", "directly alone", "graph 1"]
    assert editor.state.index == 2
    editor.name_edit.setFocus()
    editor.name_edit.selectAll()
    QTest.keyClicks(editor.name_edit, "directly alone")
    QTest.keyClick(editor.name_edit, Qt.Key.Key_Return)
    assert "own" in editor.name_row.error()
    editor.name_edit.selectAll()
    QTest.keyClicks(editor.name_edit, "mine")
    QTest.keyClick(editor.name_edit, Qt.Key.Key_Return)
    graphs = stored(session)["plan"]["methods"]["counterfactual"]["graphs"]
    assert [g["name"] for g in graphs][-1] == "mine"
    session.undo()
    assert editor.tabs.tabText(2) == "graph 1"


GRAPH = {
    "edges": [["age", "credit amount"], ["age", RISK], ["credit amount", RISK], ["age", "duration in months"],
              ["duration in months", RISK]],
}  # fmt: skip


def test_counterfactual_result_has_range_slider_and_person(german_window: MainWindow) -> None:
    session = german_window.session
    assert session is not None
    graphs = [{"name": "all", **GRAPH}, {"name": "short", "edges": GRAPH["edges"][:3]}]
    methods = {"counterfactual": {"graphs": graphs, "target": RISK, "draws": 20}}
    session.set(("plan", "methods"), methods, "asked")
    page = opened(german_window, "counterfactual")
    page.show_page(len(page.pages) - 1)
    page.follow_link("my:run")
    assert session.result_current
    settle(60)
    result = session.result
    assert result is not None
    part = result["counterfactual"]
    parts = page.parts
    assert parts.way is not None and parts.person is not None
    way = parts.way
    grid = part["graphs"]["all"]["partial_propagation"]
    way.slider.setFocus()
    assert way.slider.value() == len(grid) - 1
    QTest.keyClick(way.slider, Qt.Key.Key_Home)
    assert way.slider.value() == 0 and way.said.text().startswith("0 %")
    person = parts.person
    shown: list[Any] = []
    person.shown.connect(shown.append)
    assert person.table.model().rowCount() > 10
    person.search.setFocus()
    QTest.keyClicks(person.search, "17")
    QTest.keyClick(person.search, Qt.Key.Key_Return)
    settle()
    assert shown and shown[-1].name == "17"
    assert "17" in person.sentence.text() and person.sentence.text() == shown[-1].sentence
    rows = person.steps.model().rows
    click(person, "Copy this person")
    copied = QApplication.clipboard().text().splitlines()
    assert copied[0] == person.sentence.text() and len(copied) == 2 + len(rows)
    assert [r[0] for r in rows][-1] == RISK and {r[0] for r in rows} >= {"credit amount"}
    assert len(page.result.figures) or page.result._rest is not None
    names = " ".join(w.accessibleName() for w in parts.findChildren(QWidget))
    verdict = part["across_graphs"]["verdict_changes"]
    assert ("depends on the graph" in names) is bool(verdict)
    page.result.finish()
    assert whole(page) == []
    # a column cannot be asked again: the bar says so and leads to where a stand-in is chosen
    bars = [b for b in parts.findChildren(MessageBar) if "asked anew" in b.accessibleName()]
    assert len(bars) == 1
    bars[0].activated.emit("step:5")
    assert german_window.stepper_or_fail().page.number == 5


def test_channels_result_stands_under_the_graph(german_window: MainWindow) -> None:
    session = german_window.session
    assert session is not None
    session.set(("plan", "methods"), {"channels": {"graph": GRAPH, "target": RISK}}, "asked")
    page = opened(german_window, "channels")
    page.show_page(1)
    page.follow_link("my:run")
    page.result.finish()
    assert session.result_current and page.parts.gap is not None
    assert session.state["seen"]["result"]
    assert nameless(page) == [] and cut(page) == []
    assert session.reading is not None
    keys = {f.chart.key for f in page.result.figures if f.chart is not None}
    assert keys == set(session.reading.charts("channels")) - {"channels"}


@pytest.mark.parametrize("name", ["channels", "counterfactual"])
@pytest.mark.parametrize(("scale", "appearance"), [(100, "light"), (200, "dark")])
def test_nothing_is_cut_in_the_small_window(
    german_window: MainWindow, look: Callable[..., None], name: str, scale: int, appearance: str
) -> None:
    look(scale=scale, appearance=appearance)
    german_window.resize(1024, 700)
    page = opened(german_window, name)
    for index in range(len(page.pages)):
        page.show_page(index)
        settle(60)
        if index == page.graph_page and page.editor is not None:
            page.editor.toggle_table()
            nodes = page.editor.view.face.nodes
            for choice in (nodes[1], page.editor.view.face.edges[0]):
                page.editor.view.choose(choice)
                assert whole(page) == []
        assert whole(page) == []


def test_zoom_and_picture(channels: tuple[Wizard, GraphEditor, Session], tmp_path: Path) -> None:
    _page, editor, _session = channels
    before = editor.view.transform().m11()
    QTest.mouseClick(editor.zoom_in, LEFT)
    assert editor.view.transform().m11() > before
    editor.view.setFocus()
    key(editor.view, Qt.Key.Key_Minus, Qt.Key.Key_Minus)
    assert editor.view.transform().m11() < before
    QTest.mouseClick(editor.fit, LEFT)
    assert editor.view.transform().m11() == pytest.approx(before)
    target = tmp_path / "graph.png"
    assert editor.view.save_picture(str(target)) and target.stat().st_size > 500
    assert not editor.view.save_picture(str(tmp_path / "no" / "such" / "folder.png"))


def test_layers_and_places_follow_the_arrows() -> None:
    nodes = ["Y", "A", "M", "N"]
    edges = [("A", "M"), ("M", "N"), ("N", "Y"), ("A", "Y")]
    places = draft.arrange(nodes, edges, dict.fromkeys(nodes, (116.0, 44.0)), width=700, last="Y")
    assert [n for n in sorted(nodes, key=lambda n: places[n][0])] == ["A", "M", "N", "Y"]
    circle = draft.layers(["A", "B"], [("A", "B"), ("B", "A")])
    assert set(circle) == {"A", "B"}
