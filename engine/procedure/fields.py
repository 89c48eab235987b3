"""The 43 fields of a certificate: which of them this case cannot fill yet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.messages import say

from . import reading
from .basis import decision_is_current, items_of, result_is_current

TITLES = {
    1: "Certificate number and revision", 2: "What it replaces",
    3: "Issuing body, address, accreditation", 4: "Client and address",
    5: "System, version, provider, use, kind of decision", 6: "Scheme and its date",
    7: "Scope, and what is outside it", 8: "Audit period", 9: "Dates of the data",
    10: "Date of the decision", 11: "Date of issue", 12: "Expiry and next check",
    13: "Status, and where to ask", 14: "Protected attributes", 15: "Groups, and who chose them",
    16: "Favourable outcome", 17: "Tolerance, set when and by whom", 18: "Metrics and formulas",
    19: "Access given", 20: "What was not checked", 21: "Files, rows, fingerprints",
    22: "History or test data, and why", 23: "People per group", 24: "Missing outcomes by group",
    25: "How membership was estimated", 26: "Each metric", 27: "Rates and tests",
    28: "Bias Index and Fairness Score", 29: "Crossed cells", 30: "Results of other methods",
    31: "Tests made and their correction", 32: "Graph of all metrics", 33: "Verdict and its rule",
    34: "Conditions", 35: "Watch-out list", 36: "Limitations", 37: "Metrics that conflict",
    38: "What it is not", 39: "Evaluator, reviewer, decider, independence",
    40: "Signatures and how to verify", 41: "Program, version, seed, fingerprints",
    42: "Change log", 43: "Complaints and appeals",
}  # fmt: skip
"""Field number to what it holds (certificate.md)."""

_FACTS: tuple[tuple[int, str, str], ...] = (
    (3, "organisation", "The issuing body"),
    (3, "organisation_address", "The address of the issuing body"),
    (3, "accreditation", "The accreditation of the issuing body"),
    (4, "client", "The client"),
    (4, "client_address", "The address of the client"),
    (5, "system", "The name of the system"),
    (5, "version", "The version of the system"),
    (5, "provider", "The provider of the system"),
    (5, "purpose", "The intended use"),
    (5, "decision_kind", "The kind of decision"),
    (6, "scheme", "The scheme or standard"),
    (6, "scheme_date", "The date of the scheme"),
    (7, "scope", "The scope"),
    (7, "out_of_scope", "What is outside the scope"),
    (8, "audit_period", "The audit period"),
    (9, "data_dates", "The dates of the data"),
    (13, "status_contact", "Where to ask about the status"),
    (22, "data_kind_reason", "Why history or test data were used"),
    (34, "conditions", "The conditions"),
    (39, "evaluator", "The evaluator"),
    (39, "reviewer", "The reviewer"),
    (39, "decider", "The decider"),
    (39, "independence", "The statement of independence"),
    (43, "complaints", "The way to complain or appeal"),
)


def fact_words(key: str) -> str:
    """What a fact of the case is called: ``provider`` is the provider of the system."""
    return next((what for _, fact, what in _FACTS if fact == key), key.replace("_", " "))


@dataclass(frozen=True)
class Gap:
    """A field of the certificate that is not known yet.

    Attributes
    ----------
    field : int
        1 to 43.
    title : str
        What the field holds.
    key : str
        The fact to enter (key of ``state["case"]``), or empty where it comes from elsewhere.
    step : int
        The step that fills it.
    text : str
        One sentence: what is not known, and what to do.
    """

    field: int
    title: str
    key: str
    step: int
    text: str


def gaps(state: Mapping[str, Any], result: Mapping[str, Any] | None) -> list[Gap]:
    """The fields that are not known, in the order of the certificate.

    Fields that can be known only at issue or by the signature are not asked for before there is
    an up-to-date decision. Fields that follow from the program itself never lack.
    """
    found = [
        _gap(field, what, key, 10, "procedure.gap.enter")
        for field, key, what in _FACTS
        if not str(state["case"].get(key) or "").strip() and not _stands_elsewhere(state, key)
    ]
    found += [
        _gap(field, what, "", step, "procedure.gap.step")
        for field, what, step, there in _derived(state, result)
        if not there
    ]
    if decision_is_current(state):
        found += _at_issue(state)
    return sorted(found, key=lambda gap: gap.field)


def _stands_elsewhere(state: Mapping[str, Any], key: str) -> bool:
    return key == "conditions" and bool((state["decision"] or {}).get("conditions"))


def _derived(
    state: Mapping[str, Any], result: Mapping[str, Any] | None
) -> list[tuple[int, str, int, bool]]:
    plan = state["plan"]
    ran = result_is_current(state)
    certified = ran and bool(reading.certification(result))
    protected = plan.get("protected") or []
    outcome = plan.get("outcome") or state["not_supplied"].get("recorded outcomes")
    return [
        (10, "The date of the decision", 10, decision_is_current(state)),
        (14, "The protected attributes", 1, bool(protected)),
        (15, "The groups", 2, bool(protected) and all(p.get("privileged") for p in protected)),
        (16, "The favourable outcome", 0, bool(outcome)),
        (17, "The tolerance", 3, bool(state["set"].get("tolerance"))),
        (19, "The access given", 5, "system" in plan),
        (21, "The files", 0, bool(items_of(state, "all", "test", "training"))),
        (23, "The number of people per group", 6, ran),
        (26, "The value of each metric", 6, certified),
        (28, "The Bias Index and Fairness Score", 6, certified),
        (33, "The verdict", 10, decision_is_current(state)),
        (41, "The fingerprint of the result", 6, ran),
    ]


def _at_issue(state: Mapping[str, Any]) -> list[Gap]:
    certificate = state["certificate"] or {}
    made = []
    for field, key, what in (
        (1, "number", "The certificate number"),
        (11, "issued", "The date of issue"),
        (12, "next_check", "The date of the next check"),
    ):
        if not certificate.get(key):
            made.append(_gap(field, what, "", 10, "procedure.gap.issue"))
    if state["earlier"] and not certificate.get("replaces_why"):
        made.append(_gap(2, "Why it replaces the earlier one", "", 10, "procedure.gap.issue"))
    if not certificate.get("signed"):
        made.append(_gap(40, "The signature", "", 10, "procedure.gap.sign"))
    return made


def _gap(field: int, what: str, key: str, step: int, mend: str) -> Gap:
    text = say("procedure.gap", what=what, mend=say(mend, step=step))
    return Gap(field, TITLES[field], key, step, text)
