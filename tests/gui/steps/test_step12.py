"""Step 12 as a person uses it: dates, triggers, calendar file, the next case."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from engine.procedure import acts, decision
from gui import certify_words as words
from gui.calendar_file import calendar, folded
from gui.main_window import MainWindow
from gui.session import Session
from gui.steps.step12_recertification import Page
from tests.gui.grab import settle
from tests.gui.test_window import cut, nameless


def decided(window: MainWindow) -> Session:
    session = window.session
    assert session is not None
    value = next(c.value for c in decision.choices(session.state, session.result) if c.open)
    session.do(
        acts.decide(
            value=value, reasons="As found.", recommendation=value, by="D. Example", **session.by
        )
    )
    return session


def page_of(window: MainWindow) -> Page:
    window.stepper_or_fail().open_step(12)
    found = window.stepper_or_fail().page
    assert isinstance(found, Page)
    return found


def test_before_a_decision_it_says_what_it_waits_for(german_window: MainWindow) -> None:
    page = page_of(german_window)
    assert "step 10" in page.bar.words() and page.ready()


def test_dates_follow_the_decision_and_are_acts(german_window: MainWindow) -> None:
    session = decided(german_window)
    page = page_of(german_window)
    assert page.next_check.date().toString("yyyy-MM-dd") == "2027-05-24", "six months on"
    assert "24 May 2027" in page.said.text()
    page.next_check.setDate(page.next_check.date().addMonths(-2))
    assert session.state["issue"]["next_check"] == "2027-03-24"
    assert "24 March 2027" in page.said.text()
    session.undo()
    assert page.next_check.date().toString("yyyy-MM-dd") == "2027-05-24"


def test_triggers_are_agreed_by_mouse_and_keys(german_window: MainWindow) -> None:
    session = decided(german_window)
    page = page_of(german_window)
    first = words.TRIGGERS[0][1]
    box = page.boxes[first]
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_Space)
    QTest.keyClicks(page.other, "The provider changes hands")
    QTest.keyClick(page.other, Qt.Key.Key_Return)
    assert session.state["issue"]["triggers"] == [first, "The provider changes hands"]
    assert page.boxes["The provider changes hands"].isChecked()
    session.undo()
    assert session.state["issue"]["triggers"] == [first]


def test_the_calendar_file_reads_as_one(german_window: MainWindow, tmp_path: Path) -> None:
    session = decided(german_window)
    page = page_of(german_window)
    session.set(("issue", "triggers"), ["A new version; or, a new use"], "agreed")
    page.export(str(tmp_path / "dates"))
    raw = (tmp_path / "dates.ics").read_bytes()
    assert raw.startswith(b"BEGIN:VCALENDAR\r\n") and raw.endswith(b"END:VCALENDAR\r\n")
    assert b"\n" not in raw.replace(b"\r\n", b"")
    assert all(len(line) <= 75 for line in raw.split(b"\r\n"))
    text = raw.decode().replace("\r\n ", "")
    assert "DTSTART;VALUE=DATE:20270524" in text and "DTEND;VALUE=DATE:20270525" in text
    assert "DTSTAMP:20261124T094100Z" in text
    assert "A new version\\; or\\, a new use" in text
    assert text.count("BEGIN:VEVENT") == text.count("END:VEVENT") == 1, "a statement never expires"


def test_a_grant_has_two_events() -> None:
    made = calendar(
        facts={"system": "Δάνεια"},
        certificate={"number": "E-1", "next_check": "2027-05-24", "expires": "2027-11-24"},
        stamp="2026-11-24T10:41:00+01:00",
    )
    assert made.count("BEGIN:VEVENT") == 2 and "Δάνεια" in made


@pytest.mark.parametrize("text", ["", "a" * 300, "Ж" * 200, "𝔊" * 60])
def test_folding_cuts_no_character(text: str) -> None:
    line = folded(text)
    assert line.replace("\r\n ", "") == text
    assert all(len(piece.encode()) <= 75 for piece in line.split("\r\n"))


def test_a_new_case_takes_over_what_does_not_change(
    german_window: MainWindow, tmp_path: Path
) -> None:
    session = decided(german_window)
    session.set(("case", "evaluator"), "E. Example", "named")
    system, protected = session.facts["system"], session.plan["protected"]
    page_of(german_window).renew(str(tmp_path / "again"))
    new = german_window.session
    assert new is not None and new is not session and new.path == tmp_path / "again.fairassay"
    assert new.facts["system"] == system and new.facts["evaluator"] == ""
    assert new.plan["protected"] == protected
    assert new.state["items"] == [] and new.state["result"] is None
    assert new.state["decision"] is None and not new.state["set"]


@pytest.mark.parametrize("scale", [100, 200])
def test_names_and_room(german_window: MainWindow, look, scale: int) -> None:
    look(scale=scale)
    german_window.resize(1024, 700)
    decided(german_window)
    page = page_of(german_window)
    settle(200)
    assert nameless(page) == [] and cut(page) == []
