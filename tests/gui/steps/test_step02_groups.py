"""Step 2: cuts, sides of values, reasons, folded rates, and what the window warns of."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hands import button_called, click, focus, press, settle, write
from PySide6.QtCore import Qt
from test_step00_evidence import answer

from gui.main_window import MainWindow
from gui.session import Session


def column_of(part: Any, index: int) -> list[str]:
    model = part.table.model()
    return [model.text(row, index) for row in range(model.rowCount())]


@pytest.fixture
def at(upto: Callable[[int], Any]) -> Any:
    """Step 2 of a case with age and sex."""
    found = upto(2)
    settle()
    return found


def side(at: Any, place: int, value: str, words: str) -> None:
    name = at.parts[place].name
    click(button_called(at.parts[place], f"{value} in {name}: {words}"))


def test_the_german_groups_are_those_of_the_picture(
    case_window: MainWindow, session: Session, shared: Path, page: Callable[[int], Any],
    reopened: Callable[[], Session],
) -> None:  # fmt: skip
    first = page(0)
    case_window.take_files([shared / "data" / "german_kaggle_risk.csv"])
    answer(first, "A category")
    answer(first, "Yes, good")
    case_window.stepper_or_fail().go_on()
    case_window.stepper_or_fail().go_on()
    at = case_window.stepper_or_fail().page
    settle()
    write(at.parts[0].low, "30")
    assert session.plan["protected"][0] == {"column": "Age", "privileged": {"at_least": 30}}
    people = dict(zip(column_of(at.parts[0], 0), column_of(at.parts[0], 1), strict=True))
    assert people["30 and over"] == "629" and people["Under 30"] == "371"
    assert people["30 to 39"] == "330" and people["40 to 49"] == "174"
    side(at, 1, "male", "Privileged")
    assert session.plan["protected"][1] == {"column": "Sex", "privileged": ["male"]}
    assert column_of(at.parts[1], 1) == ["690", "310"]
    assert at.parts[1].table.model().columnCount() == 3  # rates are folded
    assert at.folded.isVisible() and session.state["seen"]["rates"] is None
    click(button_called(at.folded, "Open the rates now"))
    click(button_called(at.dialog, "Keep them folded"))
    assert session.state["seen"]["rates"] is None
    click(button_called(at.folded, "Open the rates now"))
    click(button_called(at.dialog, "Open the rates now"))
    assert session.state["seen"]["rates"]
    settle()
    rates = dict(zip(column_of(at.parts[0], 0), column_of(at.parts[0], 3), strict=True))
    assert rates["30 and over"] == "74.1 %" and rates["Under 30"] == "63.1 %"
    assert column_of(at.parts[1], 2) == ["499", "201"]
    assert column_of(at.parts[1], 3) == ["72.3 %", "64.8 %"]
    assert "74 of 100" in at.help_html() and "gap of 11 points" in at.help_html()
    case_window.stepper_or_fail().go_on()
    kept = reopened()
    assert kept.state["set"]["groups"]["rates_visible"] is True
    assert kept.plan["protected"][0]["privileged"] == {"at_least": 30}
    assert kept.views()[2].state == "done"


def test_cuts_below_and_between(at: Any, session: Session) -> None:
    part = at.parts[0]
    assert "Choose who has had the advantage" in at.ready()
    write(part.low, "abc")
    assert "privileged" not in session.plan["protected"][0]
    write(part.low, "40")
    part.kind.set_value("below")
    part.kind.picked.emit("below")
    settle()
    assert session.plan["protected"][0]["privileged"] == {"below": 40}
    assert column_of(part, 0)[-2:] == ["Under 40", "40 and over"]
    part.kind.set_value("between")
    part.kind.picked.emit("between")
    settle()
    write(part.low, "30")
    write(part.high, "20")
    assert part.message.isVisible() and "larger than the first" in part.message.words()
    write(part.high, "60.5")
    assert session.plan["protected"][0]["privileged"] == {"between": [30, 60.5]}
    assert column_of(part, 0)[-2:] == ["30 to under 60.5", "Others"]
    write(part.low, "1")
    write(part.high, "200")
    assert "puts everybody" in part.problem
    session.undo()
    settle()
    assert part.high.text() == "60.5"


def test_a_value_is_left_out_only_with_a_reason(
    at: Any, session: Session, case_window: MainWindow, reopened: Callable[[], Session]
) -> None:
    write(at.parts[0].low, "30")
    side(at, 1, "male", "Privileged")
    assert column_of(at.parts[1], 0)[:3] == ["male", "female", "other"]
    assert column_of(at.parts[1], 0)[-1] == "Blank" and column_of(at.parts[1], 1)[-1] == "3"
    side(at, 1, "other", "Left out")
    assert session.plan["protected"][1] == {
        "column": "Sex", "privileged": ["male"], "left_out": ["other"],
    }  # fmt: skip
    assert at.ready() == "Write why “other” is left out in “Sex”."
    write(at.parts[1].why["other"], "Too few people to compare.")
    assert at.ready() == ""
    case_window.stepper_or_fail().go_on()
    kept = reopened()
    assert kept.state["left_out_why"] == {"Sex": {"other": "Too few people to compare."}}


def test_of_two_values_the_other_is_meant_and_undo_takes_it_back(at: Any, session: Session) -> None:
    side(at, 1, "other", "Left out")
    side(at, 1, "female", "Unprivileged")
    assert session.plan["protected"][1]["privileged"] == ["male"]
    session.undo()
    session.undo()
    settle()
    assert session.plan["protected"][1] == {"column": "Sex"}
    assert at.parts[1].choices["male"].value() is None


def test_the_lower_rate_of_the_privileged_is_told_once_rates_are_open(
    at: Any, session: Session
) -> None:
    side(at, 1, "female", "Privileged")
    message = at.parts[1].message
    assert not message.isVisible()
    session.see_rates()
    settle()
    rates = column_of(at.parts[1], 3)
    told = message.isVisible()
    numbers = [float(r.split()[0]) for r in rates[:3]]
    assert told == (numbers[1] < min(numbers[0], numbers[2]))
    side(at, 1, "female", "Unprivileged")
    for value in ("male", "female", "other"):
        lowest = min(zip(numbers, ("male", "female", "other"), strict=True))[1]
        if value == lowest:
            side(at, 1, value, "Privileged")
    assert message.isVisible() and "has the lower rate" in message.words()


def test_numbers_can_be_taken_value_by_value(
    case_window: MainWindow, session: Session, tmp_path: Path, page: Callable[[int], Any]
) -> None:
    file = tmp_path / "coded.csv"
    file.write_text("SEX,default\n" + "".join(f"{1 + n % 2},{n % 3 == 0:d}\n" for n in range(60)))
    first = page(0)
    case_window.take_files([file])
    answer(first, "Yes, 0")
    case_window.stepper_or_fail().go_on()
    case_window.stepper_or_fail().go_on()
    at = case_window.stepper_or_fail().page
    settle()
    assert column_of(at.parts[0], 0) == ["1", "2"]
    side(at, 0, "1", "Privileged")
    assert session.plan["protected"][0] == {"column": "SEX", "privileged": ["1"]}
    click(button_called(at.parts[0], "SEX: By a cut"))
    assert session.plan["protected"][0] == {"column": "SEX"}
    write(at.parts[0].low, "2")
    assert session.plan["protected"][0]["privileged"] == {"at_least": 2}


def test_a_half_typed_cut_survives_a_crash(
    at: Any, session: Session, case_window: MainWindow, reopened: Callable[[], Session]
) -> None:
    from PySide6.QtTest import QTest

    field = at.parts[0].low
    focus(field)
    QTest.keyClicks(field, "3")
    settle(700)
    assert session.draft("step-2") == {"Age.low": "3"}
    case_window.session = None  # as if the process had ended here
    session.case.close()
    again = type(session.case).open(session.path, who="")
    assert again.state["drafts"]["step-2"] == {"Age.low": "3"}
    again.close()
    case_window.session = session


def test_the_keyboard_alone_is_enough(at: Any, session: Session) -> None:
    from PySide6.QtTest import QTest

    focus(at.parts[0].low)
    QTest.keyClicks(at.parts[0].low, "35")
    press(Qt.Key.Key_Return)
    assert session.plan["protected"][0]["privileged"] == {"at_least": 35}
    buttons = at.parts[1].choices["male"]._group.buttons()
    focus(buttons[0])
    press(Qt.Key.Key_Space)
    assert session.plan["protected"][1]["privileged"] == ["male"]


@pytest.mark.parametrize("scale", [100, 200])
def test_nothing_is_cut_or_nameless(
    at: Any, session: Session, look: Callable[..., None], scale: int
) -> None:
    from test_window import cut, nameless

    side(at, 1, "other", "Left out")
    session.see_rates()
    look(scale=scale)
    settle(80)
    assert nameless(at) == []
    assert cut(at) == []


def test_words_for_values_from_a_plan_are_shown_and_kept(
    session: Session, upto: Callable[[int], Any]
) -> None:
    at = upto(2)
    named = {"column": "Sex", "privileged": ["male"], "labels": {"male": "men", "female": "women"}}
    session.set(("plan", "protected"), [{"column": "Age"}, named], "took over a plan")
    settle()
    assert {"male · men", "female · women", "other"} <= set(column_of(at.parts[1], 0))
    side(at, 1, "other", "Left out")
    assert session.plan["protected"][1] == {**named, "left_out": ["other"]}
