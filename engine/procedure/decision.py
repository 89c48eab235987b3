"""The decision: what the rule recommends, what may be decided, by whom, and on what footing."""

from __future__ import annotations

import calendar
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from engine.base.problems import Problem, Refused
from engine.base.wording import listed
from engine.messages import say
from engine.plan.model import POINT_VALUES

from . import reading
from .basis import missing_keys, result_is_current
from .moments import day, moment

GRANT = "grant"
NOT_SETTLED = "not settled"
REFUSE = "refuse"
MORE_EVIDENCE = "more evidence"
VALUES = (GRANT, NOT_SETTLED, REFUSE, MORE_EVIDENCE)
"""Decisions from the highest down; the last keeps the audit open."""

REASONS_LIMIT = 1000
_RANK = {REFUSE: 0, NOT_SETTLED: 1, GRANT: 2}
ROLES = ("evaluator", "reviewer", "decider")


@dataclass(frozen=True)
class Choice:
    """A decision on the page. ``open`` says whether it may be chosen; if not, ``words`` say why.

    ``document`` is what it prints: ``certificate``, ``statement of findings`` or ``request``.
    """

    value: str
    title: str
    words: str
    open: bool
    document: str


@dataclass(frozen=True)
class Setting:
    """When the tolerance was set and what was on show by then; ``words`` is the printed sentence.

    ``known`` is False for a tolerance that came with a plan file: what its author had seen by then
    the program cannot know, and the sentence says so.
    """

    who: str
    when: str
    rates_visible: bool
    result_visible: bool
    words: str
    known: bool = True


def tolerance_setting(state: Mapping[str, Any]) -> Setting:
    """Who set the tolerance and rule of decision, when, and whether a result was visible by then.

    A tolerance that is not the one in force when the result was first seen counts as set
    afterwards, however it came back (undo and redo included).
    """
    record = state["set"].get("tolerance") or {}
    who, when = record.get("who", ""), record.get("when", "")
    result_visible = _late(state, "result", record)
    rates_visible = result_visible or _late(state, "rates", record)
    if not record:
        return Setting("", "", rates_visible, result_visible, say("procedure.tolerance.unset"))
    known = not record.get("from_plan") or result_visible
    code = (
        "plan"
        if not known
        else "after"
        if result_visible
        else "before_result"
        if rates_visible
        else "before"
    )
    words = say(
        f"procedure.tolerance.{code}",
        who=who or say("procedure.somebody"),
        moment=moment(when) if when else "",
    )
    return Setting(who, when, rates_visible, result_visible, words.replace(", ,", ","), known)


def _late(state: Mapping[str, Any], what: str, record: Mapping[str, Any]) -> bool:
    if record.get(f"{what}_visible"):
        return True
    if not state["seen"].get(what):
        return False
    then = (state["seen_with"].get(what) or {}).get("tolerance") or {}
    now = state["plan"].get("tolerance") or {}
    return _given(then) != _given(now)


def _given(tolerance: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in tolerance.items() if value is not None}


def recommendation(result: Mapping[str, Any] | None) -> str:
    """``grant``, ``refuse`` or ``not settled`` by the rule of decision that the case carries."""
    found = reading.certification(result).get("recommendation") or {}
    return str(found.get("value") or NOT_SETTLED)


def ceiling(state: Mapping[str, Any], result: Mapping[str, Any] | None) -> str:
    """The highest decision that is allowed.

    It is the recommendation, but where the rule of point values was chosen after a result was
    seen, what the whole intervals say.
    """
    highest = recommendation(result)
    if rule_is_late(state):
        highest = min(highest, reading.whole_interval_reading(result), key=_RANK.__getitem__)
    return highest


def rule_is_late(state: Mapping[str, Any]) -> bool:
    """Whether the rule of point values was chosen after a result was seen."""
    rule = (state["plan"].get("tolerance") or {}).get("rule")
    return rule == POINT_VALUES and tolerance_setting(state).result_visible


def choices(state: Mapping[str, Any], result: Mapping[str, Any] | None) -> list[Choice]:
    """Every decision, and whether it is open: the decider may go below, never above."""
    return [_choice(state, result, value) for value in VALUES]


def _choice(state: Mapping[str, Any], result: Mapping[str, Any] | None, value: str) -> Choice:
    closed = _closed(state, result, value)
    document = {GRANT: "certificate", MORE_EVIDENCE: "request"}.get(value, "statement of findings")
    return Choice(
        value=value,
        title=say(f"procedure.choice.{value}"),
        words=closed or say(f"procedure.choice.{value}.words"),
        open=not closed,
        document=document,
    )


def _closed(state: Mapping[str, Any], result: Mapping[str, Any] | None, value: str) -> str:
    if not result_is_current(state):
        return say("procedure.closed.no_result")
    if value == MORE_EVIDENCE:
        return ""
    if not reading.certification(result):
        return say("procedure.closed.no_certification")
    if value == GRANT and state["plan"].get("system") is None:
        return say("procedure.closed.no_system")
    highest = ceiling(state, result)
    if _RANK[value] <= _RANK[highest]:
        return ""
    code = "rule_late" if rule_is_late(state) and recommendation(result) != highest else "above"
    return say(f"procedure.closed.{code}", recommendation=highest)


def check_decision(
    state: Mapping[str, Any],
    result: Mapping[str, Any] | None,
    *,
    value: str,
    reasons: str,
    by: str,
) -> None:
    """Check a decision before it is entered (:func:`engine.procedure.acts.decide`).

    Raises
    ------
    Refused
        With every problem: above the recommendation, out of date, without reasons or decider.
    """
    problems = []
    if value not in VALUES:
        text = say("procedure.decide.unknown", value=value, known=listed(VALUES, last="or"))
        problems.append(Problem("", "decision", text))
    elif closed := _closed(state, result, value):
        problems.append(Problem("", "decision", closed))
    if not reasons.strip():
        problems.append(Problem("", "reasons", say("procedure.decide.reasons")))
    elif len(reasons) > REASONS_LIMIT:
        text = say("procedure.decide.long", length=len(reasons), limit=REASONS_LIMIT)
        problems.append(Problem("", "reasons", text))
    if not by.strip():
        problems.append(Problem("", "decider", say("procedure.decide.by")))
    if problems:
        raise Refused(problems)


def same_person(one: str, other: str) -> bool:
    """Whether two names mean one person: case and spaces aside, both given.

    Examples
    --------
    >>> same_person("A.  Auditor", "a. auditor "), same_person("", "")
    (True, False)
    """
    first, second = (" ".join(name.split()).casefold() for name in (one, other))
    return bool(first) and first == second


def roles(state: Mapping[str, Any]) -> tuple[bool, str]:
    """Whether evaluator and decider are two named people, and the sentence to show and print."""
    case = state["case"]
    for role in ("evaluator", "decider"):
        if not case.get(role, "").strip():
            return False, say("procedure.roles.missing", role=role)
    if same_person(case["evaluator"], case["decider"]):
        return False, say("procedure.roles.same")
    return True, say("procedure.roles.differ")


@dataclass(frozen=True)
class Missing:
    """Something that was not supplied: what that limits, and the reason given (empty: none yet)."""

    what: str
    limits: str
    reason: str


def missing_sheet(state: Mapping[str, Any]) -> list[Missing]:
    """What was not supplied and what each gap limits (step 11); reasons from ``not_supplied``."""
    given = state["not_supplied"]
    return [
        Missing(what, say(f"procedure.limits.{what}"), given.get(what, ""))
        for what in missing_keys(state)
    ]


@dataclass(frozen=True)
class NextDates:
    """When to look again, as ISO dates; ``expires`` is None for a statement of findings."""

    expires: str | None
    next_check: str
    words: str


def next_dates(
    state: Mapping[str, Any], *, today: date, months_valid: int = 12, months_check: int = 6
) -> NextDates:
    """When the certificate runs out and when to check again (step 12).

    Parameters
    ----------
    state : mapping
    today : datetime.date
        The day of the decision.
    months_valid, months_check : int
        A year and half a year by default: yearly audits are the custom of the field (NYC Local
        Law 144), and drift shows earlier.
    """
    check = add_months(today, months_check)
    granted = (state["decision"] or {}).get("value") == GRANT
    expires = add_months(today, months_valid).isoformat() if granted else None
    words = say(
        "procedure.dates.grant" if granted else "procedure.dates.statement",
        expires=day(expires, year=True) if expires else "",
        next_check=day(check.isoformat(), year=True),
    )
    return NextDates(expires, check.isoformat(), words)


def add_months(start: date, months: int) -> date:
    """The same day some months on, or the last day of a shorter month.

    Examples
    --------
    >>> add_months(date(2026, 8, 31), 6)
    datetime.date(2027, 2, 28)
    """
    year, month = divmod(start.year * 12 + start.month - 1 + months, 12)
    return date(year, month + 1, min(start.day, calendar.monthrange(year, month + 1)[1]))
