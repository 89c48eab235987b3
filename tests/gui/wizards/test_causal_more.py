"""Accepted channels, graphs side by side, half-typed words, many people, arrows that fail."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QLineEdit

from gui.main_window import MainWindow
from gui.session import Session
from gui.wizards import causal_data
from gui.wizards import causal_draft as draft
from gui.wizards.causal import Wizard
from gui.wizards.causal_data import People, hold, some_of, start_of
from gui.wizards.causal_editor import GraphEditor
from gui.wizards.causal_panel import PropertiesPanel, Shown
from tests.engine import helpers
from tests.gui.grab import settle
from tests.gui.wizards.test_causal import (
    LEFT,
    RISK,
    add,
    channels,
    drag,
    editor_of,
    graph_of,
    opened,
    stored,
    whole,
)

__all__ = ["channels"]


def field(editor: GraphEditor, words: str) -> QLineEdit:
    found = [e for e in editor.panel.findChildren(QLineEdit) if e.accessibleName() == words]
    assert len(found) == 1
    return found[0]


def test_a_channel_is_accepted_with_its_reason_and_undone(
    channels: tuple[Wizard, GraphEditor, Session],
) -> None:
    page, editor, session = channels
    add(editor, "job")
    drag(editor, "age", "job")
    drag(editor, "job", RISK)
    editor.view.choose(("job", RISK))
    settle()
    box = editor.panel.findChildren(QCheckBox)[0]
    assert box.text() == "Count this channel as accepted" and not box.isChecked()
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_Space)
    settle()
    assert graph_of(session)["accepted"] == {"job": ""}
    edit = field(editor, "Reason given")
    edit.setFocus()
    QTest.keyClicks(edit, "the law names it")
    QTest.keyClick(edit, Qt.Key.Key_Return)
    settle()
    assert graph_of(session)["accepted"] == {"job": "the law names it"}
    assert editor.view.face.subs["job"].endswith("accepted")
    session.undo()
    session.undo()
    assert "accepted" not in graph_of(session)
    session.redo()
    session.redo()
    assert graph_of(session)["accepted"] == {"job": "the law names it"}
    # what lies in the middle of a path is credited to its beginning
    add(editor, "credit amount")
    drag(editor, "job", "credit amount")
    drag(editor, "credit amount", RISK)
    editor.view.choose("credit amount")
    settle()
    assert not editor.panel.findChildren(QCheckBox)
    page.follow_link("my:run")
    result: dict[str, Any] = session.result or {}
    part = result["channels"]
    assert part["accepted"]["value"] == pytest.approx(part["channels"]["job"]["value"])
    # without its arrows a variable is no channel any more
    editor.view.choose("job")
    editor.view.setFocus()
    QTest.keyClick(editor.view, Qt.Key.Key_Delete)
    settle()
    assert "accepted" not in graph_of(session)


def test_what_is_half_typed_outlives_figures_that_come_in(
    channels: tuple[Wizard, GraphEditor, Session],
) -> None:
    page, editor, session = channels
    add(editor, "job")
    drag(editor, "age", "job")
    graph = {**graph_of(session), "accepted": {"job": ""}}
    session.set(("plan", "methods", "channels", "graph"), graph, "accepted")
    editor.view.choose("job")
    settle()
    edit = field(editor, "Reason given")
    edit.setFocus()
    QTest.keyClicks(edit, "half a rea")
    page._trials.clear()
    shown = editor.panel.shown
    assert shown is not None
    from dataclasses import replace

    editor.panel.show_choice(replace(shown, closed=False, offered=(*shown.offered, "new")))
    settle()
    again = field(editor, "Reason given")
    assert again is not edit and again.text() == "half a rea" and again.hasFocus()


def test_graphs_stand_side_by_side(german_window: MainWindow) -> None:
    session = german_window.session
    assert session is not None
    edges = [["age", "credit amount"], ["credit amount", RISK], ["age", RISK]]
    graphs = [{"name": "all", "edges": edges}, {"name": "no direct", "edges": edges[:2]}]
    session.set(
        ("plan", "methods"), {"counterfactual": {"graphs": graphs, "target": RISK}}, "asked"
    )
    page = opened(german_window, "counterfactual")
    editor = editor_of(page)
    QTest.mouseClick(editor.side_button, LEFT)
    settle(100)
    cards = editor.side.cards
    assert [c.accessibleName() for c in cards] == ["Open all", "Open no direct"]
    assert "Without age → credit risk" in cards[1].accessibleDescription()
    assert len(editor.state.trials) == 2 and all(t.labels for t in editor.state.trials)
    assert whole(page) == []
    cards[1].setFocus()
    QTest.keyClick(cards[1], Qt.Key.Key_Return)
    settle(100)
    assert editor.state.index == 1 and editor.side.cards[1].chosen
    assert stored(session)["plan"]["methods"]["counterfactual"]["graphs"] == graphs


def people(frame: pd.DataFrame, total: int = 0) -> People:
    """People of a table with A as the attribute, as a wizard holds them."""
    one = helpers.attribute("A", "0", "1")
    columns = {c: frame[c].to_numpy() for c in frame}
    cohort = helpers.cohort([one], test=helpers.sample("test", [one], columns))
    return People("key", cohort, helpers.plan([one], outcome=None), dict.fromkeys(columns), total)  # type: ignore[arg-type]


def tried(frame: pd.DataFrame, name: str, edges: list[list[str]]) -> Any:
    from engine.base.watch import Watch

    held = people(frame)
    start = start_of(held, name, {"target": "Y"}, Watch())
    return hold(held, start, name, {"target": "Y"}, {"name": "g", "edges": edges}, Watch())


@pytest.mark.parametrize("name", ["channels", "counterfactual"])
def test_a_constant_and_too_many_parents_are_told_at_their_arrow(name: str) -> None:
    rng = np.random.default_rng(1)
    n = 60
    frame = pd.DataFrame({"A": [0, 1] * 30, "flat": np.ones(n), "Y": rng.normal(0, 1, n)})
    trial = tried(frame, name, [["A", "flat"], ["flat", "Y"], ["A", "Y"]])
    flat = [t for t in trial.troubles if t["code"] == "causal.constant"]
    assert flat and flat[0]["arrow"] == ["A", "flat"] and "take it out" in flat[0]["text"]
    few = pd.DataFrame({f"M{i}": rng.normal(0, 1, 8) for i in range(9)})
    few["A"], few["Y"] = [0, 1] * 4, rng.normal(0, 1, 8)
    trial = tried(few, name, [["A", "Y"], *([f"M{i}", "Y"] for i in range(9))])
    assert trial.refusal and "8 people" in trial.refusal
    assert trial.troubles[-1]["arrow"] == ["M8", "Y"]


def test_of_many_people_some_are_drawn_for_the_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(causal_data, "MOST_ROWS", 100)
    rng = np.random.default_rng(2)
    frame = pd.DataFrame({"A": [0, 1] * 200, "Y": rng.normal(0, 1, 400)})
    cohort = people(frame).cohort
    some, again = some_of(cohort, 7), some_of(cohort, 7)
    assert some.test is not None and cohort.test is not None and again.test is not None
    assert len(some.test) == 100 and len(cohort.test) == 400
    pd.testing.assert_frame_equal(some.test.frame, again.test.frame)
    assert set(some.test.frame["Y"]) < set(cohort.test.frame["Y"])


def test_a_fitted_graph_needs_no_bars_and_a_larger_one_can_be_scrolled(
    channels: tuple[Wizard, GraphEditor, Session],
) -> None:
    _page, editor, _session = channels
    start = editor.state.start
    assert start is not None
    others = [c for c in start.columns if c not in ("age", RISK, "sex")]

    def show(n: int) -> None:
        edges = [e for c in others[:n] for e in (["age", c], [c, RISK])]
        editor.graph_changed.emit({"name": "many", "edges": edges}, "act.take", {})
        settle(100)

    view = editor.view
    for n in (3, 8):
        show(n)
        assert view.verticalScrollBar().maximum() == view.horizontalScrollBar().maximum() == 0
        assert view.transform().m11() > 0.9  # words stay large
    QTest.mouseClick(editor.zoom_in, LEFT)
    QTest.mouseClick(editor.zoom_in, LEFT)
    settle(60)
    assert view.verticalScrollBar().maximum() > 0 and view.horizontalScrollBar().maximum() > 0
    QTest.mouseClick(editor.fit, LEFT)
    show(len(others))
    assert view.verticalScrollBar().maximum() > 0  # never smaller than can be read


def test_a_variable_that_is_there_is_chosen_and_no_other_taken_for_it(
    channels: tuple[Wizard, GraphEditor, Session],
) -> None:
    _page, editor, session = channels
    before = graph_of(session)
    node = next(n for n in draft.nodes_of(before))
    add(editor, node)
    assert editor.view.choice == node and graph_of(session) == before
    add(editor, "   ")
    assert graph_of(session) == before


def test_a_name_typed_whole_is_none_that_holds_its_letters(qtbot: Any) -> None:
    panel = PropertiesPanel()
    qtbot.addWidget(panel)
    asked: list[str] = []
    panel.column_asked.connect(asked.append)
    graph = {"name": "g", "edges": [["age", "score"]]}
    panel.show_choice(Shown(graph=graph, adding=True, offered=("language", "job")))
    (edit,) = panel.findChildren(QLineEdit)
    for typed in ("age", "lang"):
        edit.setText(typed)
        QTest.keyClick(edit, Qt.Key.Key_Return)
    assert asked == ["age", "language"]
