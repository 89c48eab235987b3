"""What people do that no one asks for: odd files, files taken out, late changes, an early end."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

sys.path.insert(0, str(Path(__file__).parent / "steps"))

from hands import settle
from test_step00_evidence import answer

from engine.procedure import decision
from gui.jobs import Jobs
from gui.main_window import MainWindow
from gui.session import Session
from gui.settings import Settings


@pytest.mark.parametrize("kind", ["folder", "picture", "nothing", "case", "paper", "text", "gone"])
def test_any_dropped_thing_is_answered_in_words(
    case_window: MainWindow, session: Session, tmp_path: Path, kind: str
) -> None:
    told: list[str] = []
    faults: list[Any] = []
    session.refused.connect(lambda error: told.extend(p.text for p in error.problems))
    session.jobs.crashed.connect(lambda _job, error: faults.append(error))
    case_window.stepper_or_fail().open_step(0)
    thing = tmp_path / {
        "folder": "received", "picture": "face.png", "nothing": "empty.csv",
        "case": "other.fairassay", "paper": "letter.pdf", "text": "prose.csv", "gone": "gone.csv",
    }[kind]  # fmt: skip
    if kind == "folder":
        thing.mkdir()
        (thing / "a.csv").write_text("a,b\n1,2\n")
    elif kind != "gone":
        thing.write_bytes({"picture": b"\x89PNG\r\n\x1a\n" + bytes(500), "nothing": b"",
                           "case": b"SQLite format 3\x00" + bytes(500),
                           "paper": b"%PDF-1.7\n%%EOF\n", "text": b"Dear all,\nhello\n"}[kind])  # fmt: skip
    case_window.take_files([thing])
    settle()
    rows = case_window.stepper_or_fail().page.items.rows  # type: ignore[union-attr]
    shown = [row._problem_text.text() for row in rows.values() if not row._problem.isHidden()]
    dialogs = [w for w in case_window.findChildren(QWidget) if w.isWindow() and w.isVisible()]
    assert faults == []
    if kind in ("paper", "picture"):
        assert [i["role"] for i in session.state["items"]] == ["document"]
    else:
        assert told or shown or dialogs or kind == "text", kind
        assert case_window.stepper_or_fail().page.ready()  # type: ignore[union-attr]
    for dialog in dialogs:
        dialog.close()


def test_a_file_in_use_taken_out_and_put_back(
    case_window: MainWindow, session: Session, shared: Path
) -> None:
    stepper = case_window.stepper_or_fail()
    stepper.open_step(0)
    case_window.take_files([shared / "data" / "german_kaggle_risk.csv"])
    answer(stepper.page, "A category")
    answer(stepper.page, "Yes, good")
    session.confirm(0)
    plan = dict(session.plan)
    assert session.remove_item("item-1")
    for number in range(13):
        stepper.open_step(number)
        settle(10)
    assert stepper.page is not None
    assert all(view.state != "done" for view in session.views()[4:7])
    assert session.undo() and session.plan == plan
    for number in range(13):
        stepper.open_step(number)
        settle(10)
    assert session.redo() and session.state["items"] == []


def test_every_act_of_a_whole_audit_can_be_undone_and_redone(german_window: MainWindow) -> None:
    session, stepper = german_window.session, german_window.stepper_or_fail()
    assert session is not None
    refused: list[Any] = []
    session.refused.connect(refused.append)
    own = ("drafts", "seen", "seen_with")  # what was seen stays seen
    last = {k: v for k, v in session.state.items() if k not in own}
    steps = 0
    while session.case.can_undo and steps < 60:
        stepper.open_step(steps % 13)
        assert session.undo()
        steps += 1
    assert steps > 3
    while session.case.can_redo:
        assert session.redo()
    assert {k: v for k, v in session.state.items() if k not in own} == last and refused == []


def test_a_tolerance_changed_late_is_told_on_the_paper(german_window: MainWindow) -> None:
    session, stepper = german_window.session, german_window.stepper_or_fail()
    assert session is not None
    stepper.open_step(8)
    settle()
    assert session.state["seen"]["result"]
    stepper.open_step(3)
    page: Any = stepper.page
    assert page.warning.isVisible()
    page.difference.setValue(0.5)
    stepper.go_on()
    assert not session.result_current
    words = decision.tolerance_setting(session.state).words
    assert "seen" in words or "after" in words, words
    assert all(not c.open or c.value == decision.MORE_EVIDENCE for c in decision.choices(session.state, session.result))  # fmt: skip


def test_grant_stays_shut_above_the_recommendation_by_every_way(german_window: MainWindow) -> None:
    session, stepper = german_window.session, german_window.stepper_or_fail()
    assert session is not None and session.result is not None
    assert session.result["certification"]["recommendation"]["value"] != "grant"
    stepper.open_step(10)
    page: Any = stepper.page
    page.options.options["grant"].radio.click()
    assert page.options.value() != "grant"
    session.set_many([(("case", r), f"{r} E.") for r in ("evaluator", "decider")], "named")
    page._value = "grant"
    page.reasons.setPlainText("Because.")
    assert not page.commit() and session.state["decision"] is None


def test_the_window_closed_in_a_run_leaves_a_case_that_opens(
    german_file: Path, tmp_path: Path, look: Any, qtbot: Any
) -> None:
    import shutil

    target = tmp_path / "copy.fairassay"
    shutil.copy(german_file, target)
    window = MainWindow(settings=Settings(), jobs=Jobs())
    qtbot.addWidget(window)
    window.show()
    session = window.open_case(str(target))
    assert session is not None
    session.set(("plan", "seed"), 5, "chose the seed")
    job = session.run_audit()
    QTest.qWait(300)
    window.close()
    assert job.state in ("cancelled", "done")
    again = MainWindow(settings=Settings(), jobs=Jobs())
    qtbot.addWidget(again)
    kept = again.open_case(str(target))
    assert kept is not None and not kept.read_only and kept.plan["seed"] == 5
    assert not kept.result_current
    again.close()
