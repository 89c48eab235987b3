"""The governance sheet: who watches the system, how often, who may appeal, how it is rolled back.

Paper 003 asks for a fixed cadence, a named accountable owner, a review and an appeal channel, and
a rollback trigger and procedure agreed before they are needed. The answers are kept in
``state["governance"]`` (question name -> answer) and printed.
"""

from __future__ import annotations

import calendar
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

from engine.base.problems import Problem
from engine.messages import say

from .moments import day


@dataclass(frozen=True)
class Question:
    """A question of the sheet.

    ``kind`` is ``text``, ``long text``, ``choice``, ``date`` or ``roles`` (a list of ``{"role",
    "name", "duty"}``). ``part`` is the heading under which it stands.
    """

    name: str
    kind: str
    words: str
    help: str
    part: str
    required: bool = True
    choices: tuple[tuple[str, str], ...] = ()


MONTHS = {"monthly": 1, "quarterly": 3, "half-yearly": 6, "yearly": 12}
_CADENCE = (
    ("monthly", "Every month"),
    ("quarterly", "Every three months"),
    ("half-yearly", "Every six months"),
    ("yearly", "Every year"),
)
_WHO, _WATCH, _PEOPLE, _BACK, _LIMITS = (
    "Who is accountable", "How it is watched", "People who are decided on", "Rolling back", "Limits",
)  # fmt: skip

QUESTIONS: tuple[Question, ...] = (
    Question("owners", "roles", "Owners by role", "Who answers for the system, who reviews this sheet, who may stop the system.", _WHO),
    Question("updated_when", "long text", "When this sheet is updated", "At every new version or training, and who checks that it was.", _WHO),
    Question("cadence", "choice", "How often it is checked", "A fixed cadence, not only when someone asks.", _WATCH, choices=_CADENCE),
    Question("first_check", "date", "First check", "The next ones follow from the cadence.", _WATCH),
    Question("watched", "long text", "What is watched", "Rates of crossed groups and who applies: a shift in applicants moves a metric with an unchanged system.", _WATCH),
    Question("triggers", "long text", "Triggers", "What starts an investigation and what a rollback, agreed before the numbers are seen.", _WATCH),
    Question("agreed_by", "text", "Triggers agreed by, and when", "", _WATCH),
    Question("appeal", "long text", "Appeal channel", "How a person who was turned down reaches a human, and how soon an answer comes.", _PEOPLE),
    Question("refusals", "long text", "Review of refusals", "Who looks at refusals, how many, and what becomes of what they find.", _PEOPLE),
    Question("told", "long text", "What people are told", "That a system takes part, and on what grounds it decides.", _PEOPLE, required=False),
    Question("rollback_target", "text", "Rolled back to", "A version, or a procedure without the system.", _BACK),
    Question("rollback_steps", "long text", "Rollback procedure", "Step by step, with who does what and within how many hours.", _BACK),
    Question("rollback_tested", "date", "Last tried", "A procedure that was never tried may not work.", _BACK, required=False),
    Question("limits", "long text", "Limits", "Uses and people for whom the audit says nothing.", _LIMITS),
    Question("next_audit", "date", "Next audit", "", _LIMITS),
)  # fmt: skip


def problems(sheet: Mapping[str, Any]) -> list[Problem]:
    """What is still missing or wrong in a sheet, each with its mend."""
    found = []
    for question in QUESTIONS:
        answer = sheet.get(question.name)
        code = _wrong(question, answer)
        if code:
            found.append(Problem("", f"governance.{question.name}", say(code, what=question.words)))
    return found


def _wrong(question: Question, answer: Any) -> str:
    if answer in (None, "", []):
        return "governance.missing" if question.required else ""
    if question.kind == "roles":
        fine = isinstance(answer, list) and all(
            isinstance(one, Mapping) and str(one.get("role", "")).strip() and str(one.get("name", "")).strip()
            for one in answer
        )  # fmt: skip
        return "" if fine else "governance.roles"
    if question.kind == "choice":
        return "" if answer in dict(question.choices) else "governance.choice"
    if question.kind == "date":
        try:
            date.fromisoformat(str(answer))
        except ValueError:
            return "governance.date"
        return ""
    return "" if isinstance(answer, str) and answer.strip() else "governance.missing"


def printed(sheet: Mapping[str, Any]) -> list[tuple[str, list[tuple[str, str]]]]:
    """The sheet as it is printed: for each part its questions and answers, none left out."""
    parts: dict[str, list[tuple[str, str]]] = {}
    for question in QUESTIONS:
        answer = sheet.get(question.name)
        shown = say("governance.not_supplied")
        if answer not in (None, "", []) and not _wrong(question, answer):
            shown = _shown(question, answer)
        parts.setdefault(question.part, []).append((question.words, shown))
    return list(parts.items())


def _shown(question: Question, answer: Any) -> str:
    if question.kind == "roles":
        return "; ".join(
            f"{one['role']}: {one['name']}" + (f" ({one['duty']})" if one.get("duty") else "")
            for one in answer
        )
    if question.kind == "choice":
        return dict(question.choices)[answer]
    return day(str(answer), year=True) if question.kind == "date" else str(answer)


def next_checks(sheet: Mapping[str, Any], *, count: int = 4) -> list[date]:
    """The dates of the next checks: the first and those that follow from the cadence.

    Examples
    --------
    >>> sheet = {"cadence": "monthly", "first_check": "2027-01-31"}
    >>> [d.isoformat() for d in next_checks(sheet, count=3)]
    ['2027-01-31', '2027-02-28', '2027-03-31']
    """
    cadence, first = sheet.get("cadence"), sheet.get("first_check")
    if cadence not in MONTHS or not first:
        return []
    start = date.fromisoformat(str(first))
    found = []
    for i in range(count):
        month = start.month - 1 + i * MONTHS[cadence]
        year, month = start.year + month // 12, month % 12 + 1
        last = calendar.monthrange(year, month)[1]
        found.append(date(year, month, min(start.day, last)))
    return found


def checks_ics(
    sheet: Mapping[str, Any], *, facts: Mapping[str, str], stamp: str, count: int = 4
) -> str:
    """The next checks and the next audit as a calendar file (iCalendar, RFC 5545).

    Parameters
    ----------
    sheet : mapping
    facts : mapping
        The facts of the case.
    stamp : str
        This moment, ISO 8601 with offset; the engine has no clock.
    count : int
        How many checks.
    """
    system = " ".join(p for p in (facts.get("system", ""), facts.get("version", "")) if p) or "–"
    events = [(d, say("governance.ics_check", system=system)) for d in next_checks(sheet, count=count)]  # fmt: skip
    if sheet.get("next_audit"):
        when = date.fromisoformat(str(sheet["next_audit"]))
        events.append((when, say("governance.ics_audit", system=system)))
    moment = datetime.fromisoformat(stamp).astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")
    owners = "; ".join(
        f"{o['role']}: {o['name']}" for o in sheet.get("owners") or () if isinstance(o, Mapping)
    )
    about = [owners, str(sheet.get("triggers") or "")]
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//FairAssay//Governance//EN"]
    reference = "".join(
        c if c.isascii() and c.isalnum() else "-" for c in facts.get("reference", "")
    )
    for i, (when, words) in enumerate(events):
        lines += [
            "BEGIN:VEVENT",
            f"UID:{reference or 'case'}-governance-{when:%Y%m%d}-{i}@fairassay.invalid",
            f"DTSTAMP:{moment}",
            f"DTSTART;VALUE=DATE:{when:%Y%m%d}",
            f"DTEND;VALUE=DATE:{when + timedelta(days=1):%Y%m%d}",
            f"SUMMARY:{_escaped(words)}",
            f"DESCRIPTION:{_escaped(chr(10).join(p for p in about if p))}",
            "TRANSP:TRANSPARENT",
            "BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:-P14D",
            f"DESCRIPTION:{_escaped(words)}",
            "END:VALARM",
            "END:VEVENT",
        ]  # fmt: skip
    lines.append("END:VCALENDAR")
    return _joined(lines)


def _escaped(text: str) -> str:
    for old, new in (("\\", "\\\\"), (";", "\\;"), (",", "\\,"), ("\n", "\\n")):
        text = text.replace(old, new)
    return text.replace("\r", "")


def _joined(lines: Sequence[str]) -> str:
    """Lines of at most 75 bytes, continued ones after a blank; no character is cut."""
    out = []
    for line in lines:
        piece, size, room = "", 0, 75
        for char in line:
            width = len(char.encode())
            if size + width > room:
                out.append(piece)
                piece, size = " ", 1
            piece, size = piece + char, size + width
        out.append(piece)
    return "\r\n".join(out) + "\r\n"
