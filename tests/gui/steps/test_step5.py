"""Step 5: every source of decisions, chosen as a person does, ends in the case file."""

from __future__ import annotations

import pytest
from audits import (
    PEOPLE_PLAN,
    choose,
    from_plan,
    german,
    onnx_file,
    open_step,
    people,
    session_of,
    stored,
)
from hands import click, settle, write
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from gui.main_window import MainWindow
from gui.steps.system_words import MODELS


def test_the_names_of_the_stand_ins_are_the_engines() -> None:
    from engine.models import standin
    from engine.plan.keys import DEFAULT_MODEL
    from engine.plan.keys import MODELS as known

    assert dict(MODELS) == {name: one.title for name, one in standin.MODELS.items()}
    assert {name for name, _ in MODELS} == set(known) and MODELS[0][0] == DEFAULT_MODEL


def test_none_is_chosen_and_undone(case_window: MainWindow) -> None:
    session = german(case_window)
    page = open_step(case_window, 5)
    assert page.radios["train"].isChecked() and page.by_standin.isVisible()
    click(page.radios["none"])
    assert stored(session)["plan"]["system"] is None and page.by_none.isVisible()
    assert session.undo()
    assert session.plan["system"] == {"train": {"model": "random_forest"}}
    assert page.radios["train"].isChecked() and page.by_standin.isVisible()


def test_a_stand_in_with_its_share_and_seed(case_window: MainWindow) -> None:
    session = german(case_window)
    page = open_step(case_window, 5)
    panel = page.by_standin
    assert panel.share.value() == 15 and panel.seed.text() == "20261129"
    assert "20 columns" in panel.learns.text()
    choose(panel.model, "Logistic regression")
    panel.share.setFocus()
    panel.share.selectAll()
    QTest.keyClicks(panel.share, "20")
    QTest.keyClick(panel.share, Qt.Key.Key_Tab)
    write(panel.seed, "7")
    click(panel.stratify)
    kept = stored(session)
    assert kept["plan"]["system"] == {"train": {"model": "logistic_regression"}}
    assert kept["plan"]["seed"] == 7
    reading = kept["items"][0]["reading"]
    assert reading["test_share"] == 0.2 and reading["stratify"] is False
    write(panel.seed, "seven")
    assert "whole number" in panel.seed_row.error() and session.plan["seed"] == 7


def test_decisions_in_a_column_are_a_draft_until_they_are_whole(case_window: MainWindow) -> None:
    session = session_of(case_window)
    from_plan(session, {**PEOPLE_PLAN, "system": None}, people())
    page = open_step(case_window, 5)
    footer = case_window.stepper_or_fail().footer
    assert not page.radios["train"].isEnabled() and page._closed.isVisible()
    click(page.radios["columns"])
    assert stored(session)["drafts"]["step-5"]["kind"] == "columns"
    assert session.plan["system"] is None and not footer.continue_button.isEnabled()
    panel = page.by_columns
    choose(panel.prediction, "decision")
    assert session.plan["system"] is None
    click(panel.values["yes"])
    wanted = {"prediction": {"column": "decision", "favourable": ["yes"]}}
    assert stored(session)["plan"]["system"] == wanted and session.draft("step-5") is None
    choose(panel.score, "score")
    click(panel.high_is.findChildren(type(panel.high_is._group.button(0)))[1])
    choose(panel.amount, "rate")
    wanted |= {
        "score": {"column": "score", "high_is": "unfavourable"},
        "amount": {"column": "rate"},
    }
    assert stored(session)["plan"]["system"] == wanted
    assert panel.adverse.value() is None and "Not said yet" in panel.adverse_row.help.text()
    click(panel.adverse._group.button(0))
    wanted["amount"] = {"column": "rate", "adverse": "high"}
    assert stored(session)["plan"]["system"] == wanted
    assert panel.adverse.value() == "high" and "Not said" not in panel.adverse_row.help.text()
    choose(panel.amount, "score")
    assert stored(session)["plan"]["system"]["amount"] == {"column": "score"}, "asked anew"
    assert session.undo()
    assert panel.adverse.value() == "high"
    assert footer.continue_button.isEnabled()
    while session.plan["system"] is not None:
        assert session.undo()
    assert page.radios["none"].isChecked()


def test_a_threshold_makes_a_score_a_decision(case_window: MainWindow) -> None:
    session = session_of(case_window)
    from_plan(session, PEOPLE_PLAN, people())
    page = open_step(case_window, 5)
    click(page.radios["columns"])
    panel = page.by_columns
    choose(panel.prediction, "score")
    assert session.plan["system"] == {
        "prediction": {"column": "score", "favourable": {"at_least": 0.5}}
    }
    panel.cut.setFocus()
    panel.cut.selectAll()
    QTest.keyClicks(panel.cut, "0.6")
    QTest.keyClick(panel.cut, Qt.Key.Key_Tab)
    assert stored(session)["plan"]["system"]["prediction"]["favourable"] == {"at_least": 0.6}
    assert session.run_audit().state == "done"


def test_a_half_filled_page_is_there_after_reopening(case_window: MainWindow) -> None:
    session = session_of(case_window)
    from_plan(session, PEOPLE_PLAN, people())
    page = open_step(case_window, 5)
    click(page.radios["columns"])
    choose(page.by_columns.prediction, "decision")
    path = str(session.path)
    case_window.close_session()
    assert case_window.open_case(path) is not None
    page = open_step(case_window, 5)
    assert page.radios["columns"].isChecked()
    assert page.by_columns.prediction.value() == "decision"


def test_a_model_file_is_matched_and_runs(case_window: MainWindow, tmp_path) -> None:
    session = session_of(case_window)
    from_plan(session, PEOPLE_PLAN, people())
    page = open_step(case_window, 5)
    click(page.radios["model_file"])
    assert page.by_model.add_button.isVisible()
    page.by_model.add([onnx_file(tmp_path / "model.onnx", [0.01, 4.0], -2.5)])
    settle()
    panel = page.by_model
    assert panel.inspected is not None and list(panel.slots) == [("x", 0), ("x", 1)]
    assert "2 inputs have no column" in case_window.stepper_or_fail().footer.hint_text()
    choose(panel.slots["x", 0], "age")
    assert panel._examples["x", 0].text().endswith("whole number")
    choose(panel.slots["x", 1], "score")
    system = stored(session)["plan"]["system"]["model_file"]
    assert system["inputs"] == {"x": ["age", "score"]} and system["threshold"] == 0.5
    job = session.run_audit()
    assert job.state == "done", job.note


@pytest.mark.parametrize("kind", ["columns", "model_file", "train", "none"])
def test_every_control_has_a_name(case_window: MainWindow, kind: str) -> None:
    from test_window import nameless

    german(case_window)
    page = open_step(case_window, 5)
    click(page.radios[kind])
    assert nameless(page) == []
