"""The main job by the window alone: adult.data and adult.test in, a decision and its paper out.

The files have no header, blanks before values, ``?`` for the unknown, a stray first line, and
labels that end in a dot in one of them. What the window ran is then run by the command line.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog

sys.path.insert(0, str(Path(__file__).parent / "steps"))

from hands import button_called, click, settle, write
from test_step00_evidence import ADULT, answer

from engine import cli
from engine.procedure.plan_of import plan_dict
from gui.main_window import MainWindow
from gui.session import Session

NAMES = {"evaluator": "E. Example", "reviewer": "R. Example", "decider": "D. Example"}
REASONS = "The gap between the groups is larger than the tolerance; its cause is not explained."


@pytest.fixture(params=[3000, pytest.param(None, marks=pytest.mark.slow)])
def adult(request: pytest.FixtureRequest, shared: Path, tmp_path: Path) -> Iterator[list[Path]]:
    """Both files as they came; first only their first rows."""
    files = [shared / "data" / "adult.data", shared / "data" / "adult.test"]
    if request.param is not None:
        folder = tmp_path / "received"
        folder.mkdir()
        for file in files:
            with file.open() as lines:
                (folder / file.name).write_text("".join(islice(lines, request.param)))
        files = [folder / file.name for file in files]
    yield files


def go_on(window: MainWindow, number: int) -> Any:
    """Press Continue, and give the page that opens."""
    stepper = window.stepper_or_fail()
    assert stepper.page is not None and stepper.page.ready() == "", stepper.page.ready()
    click(stepper.footer.continue_button)
    settle(60)
    assert stepper.page.number == number
    return stepper.page


def side(page: Any, place: int, value: str, words: str) -> None:
    """Put a value of an attribute on a side."""
    part = page.parts[place]
    click(button_called(part, f"{value} in {part.name}: {words}"))


def test_from_two_raw_files_to_a_decision_and_its_paper(
    case_window: MainWindow, session: Session, adult: list[Path], tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    refused: list[Any] = []
    session.refused.connect(refused.append)
    stepper = case_window.stepper_or_fail()
    stepper.open_step(0)
    page: Any = stepper.page
    # Step 0: two files, their names, what a question mark means, which outcome is favourable
    case_window.take_files(adult)
    settle()
    page.ask_reading("item-1")
    page.dialog.names.setPlainText(ADULT)
    settle(400)
    click(page.dialog.use)
    page.ask_reading("item-2")
    page.dialog.names_from.set_value("item-1")
    page.dialog.names_from.picked.emit("item-1")
    settle(400)
    click(page.dialog.use)
    answer(page, "A missing value")
    answer(page, "Yes, these")
    assert set(session.plan["outcome"]["favourable"]) == {">50K", ">50K."}
    # Step 1: of the suggestions only sex, race and marital status are kept
    page = go_on(case_window, 1)
    for name, one in page.rows.items():
        if one.check.isChecked() != (name in ("sex", "race", "marital-status")):
            click(one.check)
    assert [e["column"] for e in page.entries()] == ["marital-status", "race", "sex"]
    # Step 2: who is privileged; a blank before "Male" is no part of the value
    page = go_on(case_window, 2)
    side(page, 0, "Married-civ-spouse", "Privileged")
    side(page, 1, "White", "Privileged")
    side(page, 2, "Male", "Privileged")
    page = go_on(case_window, 3)
    page = go_on(case_window, 4)
    assert session.state["set"]["tolerance"]["rates_visible"] is False
    page = go_on(case_window, 5)
    click(page.radios["train"])
    page = go_on(case_window, 6)
    session.set(("plan", "resamples"), 200, "chose resamples")
    plan = plan_dict(session.state)
    click(stepper.footer.continue_button)
    assert refused == [] and session.result is not None and session.result_current
    # The command line does the same on the same plan, to the last byte
    line, out = tmp_path / "line", tmp_path / "line" / "out"
    line.mkdir()
    for file in adult:
        (line / file.name).symlink_to(file)
    (line / "plan.json").write_text(json.dumps(plan))
    assert cli.main(["audit", str(line / "plan.json"), "--out", str(out)]) == 0
    names = session.state["result"]["files"]
    assert "result.json" in names
    for name in names:
        assert session.case.result_file(name) == (out / name).read_bytes(), name
    # Steps 7 to 9, then the decision
    for number in (7, 8, 9, 10):
        page = go_on(case_window, number)
    for role, name in NAMES.items():
        write(page.people.boxes[role].lineEdit(), name)
    advice = session.result["certification"]["recommendation"]["value"]
    assert not page.options.options["grant"].radio.isEnabled() or advice == "grant"
    click(page.options.options["refuse"].radio)
    page.reasons.setFocus()
    QTest.keyClicks(page.reasons, REASONS)
    QTest.keyClick(page.reasons, Qt.Key.Key_Tab)
    settle()
    assert session.state["decision"]["value"] == "refuse"
    paper = tmp_path / "statement.pdf"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_a, **_k: (str(paper), ""))
    click(page.save_button)
    settle()
    assert paper.read_bytes().startswith(b"%PDF-") and refused == []
