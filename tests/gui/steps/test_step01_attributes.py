"""Step 1: suggestions with reasons, own choices, names, memberships, undo and reopening."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hands import click, focus, press, settle, tab_to, write
from PySide6.QtCore import Qt
from test_step00_evidence import answer

from gui.main_window import MainWindow
from gui.session import Session


@pytest.fixture
def at(upto: Callable[[int], Any]) -> Any:
    """Step 1 of a case whose step 0 is done."""
    found = upto(1)
    settle()
    return found


def test_suggestions_are_ticked_and_explained(at: Any, session: Session) -> None:
    assert list(at.rows) == ["Age", "Sex"]
    assert at.rows["Age"].kind.text() == "numbers from 20 to 67"
    assert at.rows["Age"].reason.text() == "Suggested: its name speaks of age."
    words = at.rows["Sex"].kind.text()
    assert words.startswith("3 values: male 24, female 12, other 9") and "3 blank" in words
    assert "with fewer than 30 people" in words
    assert at.ready() == ""


def test_ticks_are_acts(
    at: Any, session: Session, reopened: Callable[[], Session], case_window: MainWindow
) -> None:
    click(at.rows["Age"].check)
    assert [e["column"] for e in session.plan["protected"]] == ["Sex"]
    click(at.rows["Sex"].check)
    assert session.plan["protected"] == [] and "No protected attribute" in at.ready()
    session.undo()
    session.undo()
    settle()
    assert at.rows["Age"].check.isChecked() and at.ready() == ""
    at.add_column.picked.emit("Region")
    settle()
    assert [e["column"] for e in session.plan["protected"]] == ["Age", "Sex", "Region"]
    case_window.stepper_or_fail().go_on()
    kept = reopened()
    assert [e["column"] for e in kept.plan["protected"]] == ["Age", "Sex", "Region"]
    assert kept.state["set"]["attributes"]["who"] == "Evaluator"
    assert kept.views()[1].state == "done"


def test_a_name_is_given_and_carried_along(at: Any, session: Session) -> None:
    session.set(("plan", "tolerance"), {"overrides": {"Sex": {"difference": 0.05}}}, "set it")
    write(at.rows["Sex"].name, "gender")
    assert session.plan["protected"][1] == {"column": "Sex", "name": "gender"}
    assert session.plan["tolerance"]["overrides"] == {"gender": {"difference": 0.05}}
    write(at.rows["Age"].name, "gender")
    assert "Two attributes are called “gender”" in at.ready()
    write(at.rows["Age"].name, "")
    assert session.plan["protected"][0] == {"column": "Age"}


def test_groups_given_by_probabilities(
    case_window: MainWindow, session: Session, tmp_path: Path, page: Callable[[int], Any]
) -> None:
    file = tmp_path / "hiring.csv"
    rows = [f"{n / 60:.3f},{1 - n / 60:.3f},{30 + n},{'yes' if n % 2 else 'no'}" for n in range(61)]
    file.write_text("p_a,p_b,points,hired\n" + "\n".join(rows))
    first = page(0)
    case_window.take_files([file])
    answer(first, "Yes, yes")
    at = page(1)
    click(at.membership)
    dialog = at.dialog
    settle()
    assert set(dialog.fields) == {"p_a", "p_b"} and not dialog.use.isEnabled()
    write(dialog.name, "ethnicity")
    for column, group in (("p_a", "A"), ("p_b", "B")):
        click(dialog.fields[column][0])
        write(dialog.fields[column][1], group)
    click(dialog.use)
    assert session.plan["protected"] == [
        {"name": "ethnicity", "membership": {"A": "p_a", "B": "p_b"}}
    ]
    case_window.stepper_or_fail().go_on()
    groups = case_window.stepper_or_fail().page
    settle()
    assert groups.parts[0].table.model().text(0, 1) in ("30", "31")
    button = groups.parts[0].choices["A"].findChildren(type(groups.parts[0].mode._group.button(0)))
    click(button[0])
    assert session.plan["protected"][0]["privileged"] == ["A"]
    assert groups.ready() == ""


def test_the_keyboard_alone_is_enough(at: Any, session: Session) -> None:
    focus(at.rows["Age"].check)
    press(Qt.Key.Key_Space)
    assert [e["column"] for e in session.plan["protected"]] == ["Sex"]
    tab_to("Audit Sex")
    press(Qt.Key.Key_Space)
    assert session.plan["protected"] == []
    press(Qt.Key.Key_Space)
    tab_to("Add another column")
    press(Qt.Key.Key_Down)
    assert len(session.plan["protected"]) == 2


@pytest.mark.parametrize("scale", [100, 200])
def test_nothing_is_cut_or_nameless(at: Any, look: Callable[..., None], scale: int) -> None:
    from test_window import cut, nameless

    look(scale=scale)
    settle(80)
    assert nameless(at) == []
    assert cut(at) == []
