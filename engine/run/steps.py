"""The twelve steps of paper 001 as a result states them."""

from __future__ import annotations

from typing import Any

from engine.base.wording import listed
from engine.cohort.model import Cohort
from engine.messages import say
from engine.plan.model import Plan

DONE, SKIPPED, NOT_APPLICABLE = "done", "skipped", "not applicable"


def steps(*, plan: Plan, cohort: Cohort) -> list[dict[str, Any]]:
    """Twelve entries: ``number``, ``title``, ``state`` and ``why`` (empty where nothing is to say)."""
    found = {
        1: (DONE, ""),
        2: (DONE, ""),
        3: (DONE, ""),
        4: _training(cohort),
        5: _system(cohort),
        6: _tally(cohort),
        7: _metrics(cohort),
        8: _certified(plan),
        9: _certified(plan),
        10: _certified(plan),
        11: _not_supplied(plan, cohort),
        12: (DONE, say("run.why_12")) if "certification" in plan.methods else _certified(plan),
    }
    return [
        {"number": n, "title": say(f"run.step_{n}"), "state": state, "why": why}
        for n, (state, why) in found.items()
    ]


def _training(cohort: Cohort) -> tuple[str, str]:
    recorded = cohort.recorded
    if recorded is None:
        return SKIPPED, say("run.why_4_skipped")
    if recorded.outcome is None:
        return NOT_APPLICABLE, say("run.why_4_no_outcome")
    if recorded.role == "test":
        return SKIPPED, say("run.why_4_test")
    return DONE, ""


def _system(cohort: Cohort) -> tuple[str, str]:
    if cohort.system_kind == "none":
        return NOT_APPLICABLE, say("run.why_no_system")
    if cohort.training is None and cohort.whole is None:
        return SKIPPED, say("run.why_5_skipped")
    return DONE, ""


def _tally(cohort: Cohort) -> tuple[str, str]:
    if cohort.decided is not None:
        return DONE, ""
    why = "run.why_no_system" if cohort.system_kind == "none" else "run.why_no_decisions"
    return NOT_APPLICABLE, say(why)


def _metrics(cohort: Cohort) -> tuple[str, str]:
    if cohort.decided is None:
        return _tally(cohort)
    if cohort.decided.outcome is None:
        return NOT_APPLICABLE, say("run.why_no_outcome")
    return DONE, ""


def _certified(plan: Plan) -> tuple[str, str]:
    if "certification" in plan.methods:
        return DONE, ""
    return SKIPPED, say("run.why_no_certification")


def _not_supplied(plan: Plan, cohort: Cohort) -> tuple[str, str]:
    missing = []
    if cohort.training is None and cohort.whole is None:
        missing.append("training data")
    if plan.outcome is None:
        missing.append("recorded outcomes")
    if cohort.decided is None:
        missing.append("decisions of a system")
    if cohort.system_kind == "stand-in":
        missing.append("the system itself (a stand-in was trained here)")
    elif cohort.system_kind == "columns":
        missing.append("the system itself (its decisions were)")
    if not missing:
        return DONE, say("run.why_11_nothing")
    return DONE, say("run.why_11", what=listed(missing))
