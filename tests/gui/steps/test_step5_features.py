"""Step 5: which columns describe people, one tick an act, with what speaks against a column."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from audits import german, open_step, session_of
from hands import click, settle, write
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from gui.main_window import MainWindow


def item(part: Any, name: str) -> Any:
    return part.list.findItems(name, Qt.MatchFlag.MatchExactly, 0)[0]


def tick(part: Any, name: str) -> None:
    """Go to a column by the keyboard and press the space bar."""
    part.list.setCurrentItem(item(part, name))
    part.list.setFocus()
    QTest.keyClick(part.list, Qt.Key.Key_Space)
    settle()


def test_a_column_is_left_out_taken_in_and_undone(case_window: MainWindow) -> None:
    session = german(case_window)
    page = open_step(case_window, 5)
    part = page.features
    assert part.isVisible() and part.said.text() == "20 of 20 columns are ticked."
    assert not item(part, "credit risk").flags() & Qt.ItemFlag.ItemIsUserCheckable
    assert "Protected" in item(part, "age").text(1)
    tick(part, "age")
    assert "age" not in session.plan["features"] and len(session.plan["features"]) == 19
    assert item(part, "age").text(1).startswith("Left out by you. Protected")
    assert session.case.can_undo == "Undo: left out age"
    assert session.views()[1].state == "done"  # what was chosen before does not rest on it
    tick(part, "purpose")
    assert "18 columns" in page.by_standin.learns.text()
    session.undo()
    assert len(session.plan["features"]) == 19
    click(part.all)
    assert session.plan["features"] is None
    write(part.filter, "credit a")
    shown = [i for i in range(part.list.topLevelItemCount()) if not part.list.topLevelItem(i).isHidden()]  # fmt: skip
    assert [part.list.topLevelItem(i).text(0) for i in shown] == ["credit amount"]


def test_leaks_and_row_numbers_are_named_and_one_column_stays(
    case_window: MainWindow, tmp_path: Path
) -> None:
    rows = ["person_id,sex,paid,income,risk"]
    rows += [f"{n},{'mf'[n % 2]},{'yn'[n % 3 == 0]},{n * 7 % 50},{'gb'[n % 3 == 0]}" for n in range(150)]  # fmt: skip
    file = tmp_path / "people.csv"
    file.write_text("\n".join(rows) + "\n")
    session = session_of(case_window)
    session.add_files([file], role=lambda _path: "all")
    session.set_many(
        [
            (("plan", "outcome"), {"column": "risk", "favourable": ["g"]}),
            (("plan", "protected"), [{"column": "sex", "privileged": ["m"]}]),
            (("plan", "system"), {"train": {"model": "decision_tree"}}),
        ],
        "chose",
    )
    part = open_step(case_window, 5).features
    assert "repeats the outcome" in item(part, "paid").text(1)
    assert "told rows apart" in item(part, "person_id").text(1)
    for name in ("paid", "person_id", "sex", "income"):
        tick(part, name)
    assert session.plan["features"] == ["income"]
    assert "“income” stays" in part.error.text() and part.error.isVisible()
