"""Step 3: presets, own numbers, exceptions, the rule, and what the case records of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hands import button_called, click, focus, press, settle
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from engine.procedure.decision import tolerance_setting
from gui.main_window import MainWindow
from gui.session import Session


@pytest.fixture
def at(upto: Callable[[int], Any]) -> Any:
    """Step 3 of a case with two attributes and their groups."""
    found = upto(3)
    settle()
    return found


def number(field: Any, text: str) -> None:
    focus(field)
    field.selectAll()
    QTest.keyClicks(field, text)
    QTest.keyClick(field, Qt.Key.Key_Tab)
    settle()


def test_the_preset_of_the_paper_is_set_by_continue(
    at: Any, session: Session, case_window: MainWindow, reopened: Callable[[], Session]
) -> None:
    assert "tolerance" not in session.plan and at.preset.value() == "ten per cent"
    assert at.rules["whole interval"].isChecked()
    case_window.stepper_or_fail().go_on()
    assert case_window.stepper_or_fail().page.number == 4
    kept = reopened()
    assert kept.plan["tolerance"] == {
        "rule": "whole interval", "difference": 0.1, "ratio": [0.9, 1.1], "bias_index": 0.1,
        "fairness_score": 0.9,
    }  # fmt: skip
    setting = tolerance_setting(kept.state)
    assert (setting.who, setting.rates_visible, setting.result_visible) == (
        "Evaluator",
        False,
        False,
    )
    assert kept.views()[3].sub == "Set 24 November, 10:41"


def test_four_fifths_point_values_and_confidence(
    at: Any, session: Session, case_window: MainWindow
) -> None:
    click(button_called(at.preset, "How large may a difference be?: Four fifths"))
    assert at.values()["ratio"] == [0.8, 1.25]
    click(at.rules["point values"])
    number(at.confidence, "90")
    assert session.draft("step-3")["confidence"] == 0.9
    case_window.stepper_or_fail().go_on()
    assert session.plan["tolerance"]["rule"] == "point values"
    assert session.plan["tolerance"]["ratio"] == [0.8, 1.25]
    assert session.plan["confidence"] == 0.9
    assert session.draft("step-3") is None


def test_own_numbers_and_exceptions(at: Any, session: Session, case_window: MainWindow) -> None:
    number(at.difference, "0.05")
    assert at.preset.value() == "custom"
    assert "5 points of 100 people" in at._rows["difference"].help.text()
    click(at.exceptions.add_button)
    row = at.exceptions.rows[0]
    row.attribute.set_value("Sex")
    row.of_metric.set_value("DI")
    row.of_metric.picked.emit("DI")
    settle()
    number(row.low, "0.8")
    number(row.high, "1.25")
    click(at.exceptions.add_button)
    click(at.exceptions.rows[1].remove)
    assert at.ready() == ""
    case_window.stepper_or_fail().go_on()
    assert session.plan["tolerance"]["difference"] == 0.05
    assert session.plan["tolerance"]["overrides"] == {"Sex": {"DI": [0.8, 1.25]}}
    from engine.plan.attributes import read_tolerance
    from engine.plan.reading import Reader

    reader = Reader("plan.json")
    read_tolerance(reader, session.plan["tolerance"], ["Age", "Sex"])
    assert reader.problems == []


def test_two_exceptions_for_one_metric_are_refused(at: Any) -> None:
    for _ in range(2):
        click(at.exceptions.add_button)
    at.exceptions.rows[1].of_metric.set_value(at.exceptions.rows[0].values()[1])
    at.exceptions.rows[1].of_metric.picked.emit("difference")
    assert "Two exceptions name the same metric of “Age”" in at.ready()


def test_opened_rates_are_recorded_with_the_tolerance(
    at: Any, session: Session, case_window: MainWindow
) -> None:
    session.see_rates()
    settle()
    assert at.warning.isVisible() and "set afterwards" in at.warning.words()
    case_window.stepper_or_fail().go_on()
    assert session.state["set"]["tolerance"]["rates_visible"] is True
    at = case_window.stepper_or_fail()
    at.open_step(3)
    assert "after favourable rates were" in at.page.hint()


def test_continue_again_changes_no_record_and_undo_takes_the_tolerance_back(
    at: Any, session: Session, case_window: MainWindow
) -> None:
    stepper = case_window.stepper_or_fail()
    stepper.go_on()
    record = session.state["set"]["tolerance"]
    events = len(list(session.case.trail()))
    stepper.open_step(3)
    stepper.go_on()
    assert session.state["set"]["tolerance"] == record
    assert len(list(session.case.trail())) == events
    session.undo()
    assert "tolerance" not in session.plan and "tolerance" not in session.state["set"]


def test_half_filled_fields_survive_reopening(
    at: Any, session: Session, case_window: MainWindow, reopened: Callable[[], Session]
) -> None:
    number(at.difference, "0.07")
    assert "tolerance" not in session.plan
    reopened()
    stepper = case_window.stepper_or_fail()
    stepper.open_step(3)
    settle()
    assert stepper.page.difference.value() == pytest.approx(0.07)


def test_the_rates_open_once_the_tolerance_is_set(
    at: Any, session: Session, case_window: MainWindow
) -> None:
    stepper = case_window.stepper_or_fail()
    stepper.go_on()
    stepper.open_step(2)
    settle()
    assert stepper.page.parts[1].table.model().columnCount() == 6
    assert session.state["seen"]["rates"] and not stepper.page.folded.isVisible()
    setting = tolerance_setting(session.state)
    assert not setting.rates_visible


def test_the_keyboard_alone_is_enough(at: Any, session: Session) -> None:
    focus(at.rules["whole interval"])
    press(Qt.Key.Key_Right)
    assert at.values()["rule"] == "point values"
    focus(at.preset._group.buttons()[1])
    press(Qt.Key.Key_Space)
    assert at.values()["ratio"] == [0.8, 1.25]


@pytest.mark.parametrize("scale", [100, 200])
def test_nothing_is_cut_or_nameless(at: Any, look: Callable[..., None], scale: int) -> None:
    from test_window import cut, nameless

    click(at.exceptions.add_button)
    look(scale=scale)
    settle(80)
    assert nameless(at) == []
    assert cut(at) == []
