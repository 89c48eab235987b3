"""The governance sheet: what is asked, what is missing, what is printed, the calendar file."""

from __future__ import annotations

from engine.procedure.governance import QUESTIONS, checks_ics, next_checks, printed, problems

SHEET = {
    "owners": [{"role": "Owner", "name": "Head of lending", "duty": "may stop it"}],
    "updated_when": "At every training.",
    "cadence": "quarterly",
    "first_check": "2027-01-31",
    "watched": "Rates of crossed groups; who applies.",
    "triggers": "Ratio below 0.6 once, or below 0.8 twice running: roll back.",
    "agreed_by": "Board, 3 November 2026",
    "appeal": "By letter, answered within 14 days.",
    "refusals": "Every tenth refusal is read.",
    "rollback_target": "Version 1.0",
    "rollback_steps": "1. Switch off. 2. Decide by hand.",
    "limits": "Says nothing of people under 18.",
    "next_audit": "2027-11-29",
}


def test_a_full_sheet_has_no_problem_and_an_empty_one_names_each() -> None:
    assert problems(SHEET) == []
    wanted = {q.name for q in QUESTIONS if q.required}
    assert {p.place.split(".")[1] for p in problems({})} == wanted
    wrong = {"owners": [{"role": "Owner"}], "cadence": "sometimes", "first_check": "soon"}
    texts = {p.place.split(".")[1]: p.text for p in problems(SHEET | wrong)}
    assert set(texts) == set(wrong) and "a role and a name" in texts["owners"]


def test_nothing_is_left_out_of_the_print() -> None:
    lines = [line for _, part in printed({}) for line in part]
    assert len(lines) == len(QUESTIONS) and {text for _, text in lines} == {"not supplied"}
    shown = dict(line for _, part in printed(SHEET) for line in part)
    assert shown["Owners by role"] == "Owner: Head of lending (may stop it)"
    assert shown["How often it is checked"] == "Every three months"
    assert shown["Next audit"] == "29 November 2027"


def test_checks_follow_the_cadence() -> None:
    dates = [d.isoformat() for d in next_checks(SHEET)]
    assert dates == ["2027-01-31", "2027-04-30", "2027-07-31", "2027-10-31"]
    assert next_checks({}) == []


def test_the_calendar_file_is_a_calendar() -> None:
    facts = {"system": "Loans; ä" * 20, "version": "2", "reference": "A 1"}
    text = checks_ics(SHEET, facts=facts, stamp="2026-11-29T10:00:00+01:00")
    assert text.startswith("BEGIN:VCALENDAR\r\n") and text.endswith("END:VCALENDAR\r\n")
    assert all(len(line.encode()) <= 75 for line in text.split("\r\n"))
    unfolded = text.replace("\r\n ", "")
    assert unfolded.count("BEGIN:VEVENT") == 5 and unfolded.count("BEGIN:VALARM") == 5
    assert "DTSTAMP:20261129T090000Z" in unfolded and "DTSTART;VALUE=DATE:20270430" in unfolded
    assert "Loans\\; ä" in unfolded
    uids = [line for line in unfolded.split("\r\n") if line.startswith("UID:")]
    assert len(set(uids)) == 5
