"""What is odd about the roles that a plan gives to columns: said in the result, refused never."""

from __future__ import annotations

from typing import Any

from engine.cohort.model import Cohort, Sample
from engine.intake.leaks import judge_roles, reversed_decisions
from engine.intake.model import Wart
from engine.intake.roles import favourable_of
from engine.intake.values import keys_of, same_value
from engine.messages import say
from engine.plan.model import Outcome, Plan


def role_warnings(*, plan: Plan, cohort: Cohort) -> list[dict[str, Any]]:
    """Decisions that read as reversed, a favourable value that sounds bad, features that leak.

    Returns
    -------
    list of dict
        ``code``, ``text``, ``where``, as a result's ``warnings`` are.
    """
    found: list[Wart] = []
    if plan.outcome is not None:
        sample = cohort.recorded or cohort.decided
        if sample is not None:
            found += _sounds_bad(sample, plan.outcome)
        found += _reversed(plan, cohort)
    trained = cohort.training or cohort.whole
    if plan.system is not None and plan.system.train and trained is not None:
        name = None if plan.outcome is None else plan.outcome.column
        found += judge_roles(frame=trained.frame, outcome=name, favourable=("said",), features=cohort.features)  # fmt: skip
    return [
        {"code": one.code, "text": one.text, "where": f'column "{one.column}"'} for one in found
    ]


def _reversed(plan: Plan, cohort: Cohort) -> list[Wart]:
    sample = cohort.decided
    if plan.outcome is None or sample is None or sample.outcome is None or sample.decision is None:
        return []
    system = plan.system
    supplied = None if system is None else system.prediction
    wart = reversed_decisions(
        outcome=sample.outcome,
        decision=sample.decision,
        outcome_name=plan.outcome.column,
        decision_name="the decisions" if supplied is None else supplied.column,
    )
    return [] if wart is None else [wart]


def _sounds_bad(sample: Sample, outcome: Outcome) -> list[Wart]:
    """A value such as ``yes`` of ``deny``, or ``bad``, named as favourable."""
    if outcome.column not in sample.frame.columns or not isinstance(outcome.favourable, tuple):
        return []
    _, keys = keys_of(sample.frame[outcome.column])
    likely, _, _ = favourable_of(column=outcome.column, keys=keys)
    named = [key for key in keys if any(same_value(v, key) for v in outcome.favourable)]
    if likely in (None, "1", "TRUE") or not named or likely in named:  # 0 or 1 alone tells nothing
        return []
    text = say("run.favourable_sounds_bad", column=outcome.column, value=named[0], other=likely)
    return [Wart("run.favourable_sounds_bad", "warning", text, outcome.column)]
