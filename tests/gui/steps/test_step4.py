"""Step 4: people and parity of the training data; and why there are none."""

from __future__ import annotations

from pathlib import Path

import pytest
from audits import PEOPLE_PLAN, from_plan, german, open_step, people, session_of, stored
from hands import click

from gui.main_window import MainWindow


def test_the_page_shows_what_the_run_finds(case_window: MainWindow) -> None:
    from engine.base.wording import interval, number
    from gui.widgets.basic import Label

    session = german(case_window)
    page = open_step(case_window, 4)
    assert session.state["seen"]["rates"] and not session.state["seen"]["result"]
    assert page.tables["age"].model().text(0, 1) == "629 of 1,000, 62.9 %"
    assert page.tables["age"].model().text(1, 2) == "234 of 371, 63.1 %"
    said = " ".join(one.text() for one in page.findChildren(Label)).replace("\u00a0", " ")
    assert session.run_audit().state == "done"
    for one in session.result["certification"]["attributes"].values():
        for metric in ("SPD", "DI"):
            measure, sign = one["metrics"][metric], metric == "SPD"
            assert number(measure["value"], sign=sign) in said
            assert interval(measure["low"], measure["high"], sign=sign) in said


def test_rates_stay_folded_until_the_tolerance_is_set(
    case_window: MainWindow, tmp_path: Path
) -> None:
    session = session_of(case_window)
    file = tmp_path / "people.csv"
    people().to_csv(file, index=False)
    session.add_files([file], role=lambda _path: "all")
    keys = ("outcome", "protected", "methods")
    session.set_many([(("plan", key), PEOPLE_PLAN[key]) for key in keys], "chose everything")
    page = open_step(case_window, 4)
    assert session.state["seen"]["rates"] is None
    assert page.tables["sex"].model().columns == ("Group", "People", "Side")
    click(page.open_rates)
    assert session.state["seen"]["rates"]
    assert "Recorded favourable" in page.tables["sex"].model().columns
    assert stored(session)["seen"]["rates"]


def test_without_training_data_the_reason_is_asked_and_kept(case_window: MainWindow, qtbot) -> None:
    session = session_of(case_window)
    from_plan(session, PEOPLE_PLAN, people())
    page = open_step(case_window, 4)
    assert "not supplied" in page.certificate.words() and not page.reason.isHidden()
    footer = case_window.stepper_or_fail().footer
    assert not footer.continue_button.isEnabled()
    page.reason.setFocus()
    qtbot.keyClicks(page.reason, "The provider keeps no history.")
    words = "The provider keeps no history."
    qtbot.waitUntil(lambda: session.draft("step-4") == words, timeout=2000)
    assert footer.continue_button.isEnabled()
    click(footer.continue_button)
    assert case_window.stepper_or_fail().page.number == 5
    kept = stored(session)
    assert kept["not_supplied"]["training data"] == "The provider keeps no history."
    assert "4" in kept["confirmed"] and kept["drafts"].get("step-4") is None
    assert session.undo() and session.undo()
    assert not session.state["not_supplied"].get("training data")


@pytest.mark.parametrize("number", [4])
def test_a_case_without_files_says_where_to_begin(case_window: MainWindow, number: int) -> None:
    page = open_step(case_window, number)
    assert page.bar.isVisible() and "step 0" in page.bar.words()


def test_blank_groups_and_small_groups_are_said(case_window: MainWindow) -> None:
    frame = people(120)
    frame.loc[frame.index[:30], "Risk"] = None
    plan = {**PEOPLE_PLAN, "data": {"all": {"path": "people.csv"}}}
    session = session_of(case_window)
    from_plan(session, plan, frame)
    page = open_step(case_window, 4)
    from gui.widgets.message import MessageBar

    said = " ".join(bar.words() for bar in page.findChildren(MessageBar) if bar.isVisible())
    assert "have no known outcome" in said and "learns little about so few" in said
