"""The forty-three facts of a certificate, gathered from a case and its result.

Each is known, or printed as "not supplied"; none is ever made up. The numbers are those of the
list that the pages print.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Literal

from engine.base import wording

from .facts_result import result_facts
from .facts_setup import setup_facts
from .words import NOT_SUPPLIED, day, day_words, rows_of

Kind = Literal["certificate", "statement"]

TITLES: dict[int, str] = {
    1: "Number and revision",
    2: "Replaces",
    3: "Issuing body",
    4: "Client",
    5: "System",
    6: "Scheme and standard",
    7: "Scope",
    8: "Audit period",
    9: "Dates of the data",
    10: "Decided on",
    11: "Issued on",
    12: "Valid until, next check",
    13: "Status",
    14: "Protected attributes",
    15: "Groups, and who chose them",
    16: "Favourable outcome",
    17: "Tolerance, and when it was set",
    18: "Metrics and their signs",
    19: "Access given",
    20: "Training data",
    21: "Files",
    22: "Kind of data",
    23: "People in each group, and left out",
    24: "Unknown outcomes",
    25: "How group membership was known",
    26: "Metrics",
    27: "Rates, ratios and tests",
    28: "Bias Index and Fairness Score",
    29: "Crossed groups",
    30: "Other methods",
    31: "Tests made and their correction",
    32: "Graph of all metrics",
    33: "Verdict and its rule",
    34: "Conditions",
    35: "Watch-out list",
    36: "Limitations",
    37: "Metrics in conflict, and the choice",
    38: "What this is not",
    39: "Evaluator, reviewer, decider",
    40: "Signatures and how to verify",
    41: "Program, seed and fingerprints",
    42: "Change log",
    43: "Complaints and appeals",
}


@dataclass(frozen=True)
class Fact:
    """One of the forty-three: its number, title and lines; no lines means not supplied."""

    number: int
    title: str
    lines: tuple[str, ...]

    @property
    def known(self) -> bool:
        """Whether anything is known."""
        return bool(self.lines)

    @property
    def text(self) -> str:
        """The fact as one text."""
        return " ".join(self.lines) if self.lines else NOT_SUPPLIED.capitalize() + "."


@dataclass(frozen=True, kw_only=True)
class CertificateFacts:
    """What the paper says, before it is laid out.

    ``kind`` is ``certificate`` only for a decision to grant; ``decided`` is False while no
    person has decided. ``decision`` is ``grant``, ``refuse``, ``not settled`` or empty,
    ``recommendation`` the program's own. ``fields`` holds all forty-three in order.
    """

    kind: Kind
    decided: bool
    decision: str
    recommendation: str
    number: str
    revision: int
    replaces: str
    case: Mapping[str, str]
    reasons: tuple[str, ...]
    decided_on: date | None
    issued_on: date | None
    expires_on: date | None
    status: str
    fields: tuple[Fact, ...]

    def of(self, number: int) -> Fact:
        """The fact with that number."""
        return self.fields[number - 1]

    def word(self, key: str) -> str:
        """A fact of the case in words, or ``not supplied``."""
        return self.case.get(key) or NOT_SUPPLIED

    @property
    def missing(self) -> tuple[Fact, ...]:
        """Facts that are printed as not supplied."""
        return tuple(fact for fact in self.fields if not fact.known)


def facts(
    *, state: Mapping[str, Any], result: Mapping[str, Any], run_info: Mapping[str, Any]
) -> CertificateFacts:
    """Gather the facts of a certificate or of a statement of findings.

    Parameters
    ----------
    state : mapping
        The case (:func:`engine.procedure.state.new_state`); it may be all but empty, as the
        command line's is: the facts then come from the plan in the result.
    result : mapping
        result.json (the contract).
    run_info : mapping
        What neither holds: ``result_sha256``, ``plan_sha256``, ``fingerprint`` (of the signing
        key, when known), ``trail_head``, ``changes`` (list of ``{"when", "text"}``),
        ``watchout`` (a sentence), ``status`` (from the register). Every key may be missing.

    Returns
    -------
    CertificateFacts
    """
    case = {**_case_of_plan(result), **{k: v for k, v in (state.get("case") or {}).items() if v}}
    decision = state.get("decision") or {}
    certificate = state.get("certificate") or {}
    value = str(decision.get("value") or "")
    advice = (result.get("certification") or {}).get("recommendation") or {}
    issued = day(certificate.get("issued"))
    status = str(run_info.get("status") or ("valid" if value == "grant" else ""))
    number = str(certificate.get("number") or case.get("reference") or "")
    lines: dict[int, tuple[str, ...]] = {}
    lines.update(_identity(case, certificate, number))
    lines.update(_dates(case, decision, certificate, status, value))
    lines.update(setup_facts(case=case, state=state, result=result))
    lines.update(result_facts(result=result))
    lines.update(_judgement(case, state, result, run_info))
    lines.update(_people(case, state, result, run_info, number))
    return CertificateFacts(
        kind="certificate" if value == "grant" else "statement",
        decided=bool(value),
        decision=value,
        recommendation=str(advice.get("value") or ""),
        number=number,
        revision=int(certificate.get("revision") or 0),
        replaces=str(certificate.get("replaces") or ""),
        case=case,
        reasons=_texts(decision.get("reasons")),
        decided_on=day(decision.get("when")),
        issued_on=issued,
        expires_on=day(certificate.get("expires")),
        status=status,
        fields=tuple(
            Fact(n, title, tuple(t for t in lines.get(n, ()) if t)) for n, title in TITLES.items()
        ),
    )


def _case_of_plan(result: Mapping[str, Any]) -> dict[str, str]:
    given = (result.get("plan") or {}).get("case") or {}
    return {key: str(value) for key, value in given.items() if value}


def _texts(value: Any) -> tuple[str, ...]:
    if not value:
        return ()
    if isinstance(value, str):
        return tuple(line.strip() for line in value.splitlines() if line.strip())
    return tuple(str(item) for item in value)


def _identity(
    case: Mapping[str, str], certificate: Mapping[str, Any], number: str
) -> dict[int, tuple[str, ...]]:
    revision = int(certificate.get("revision") or 0)
    replaces = str(certificate.get("replaces") or "")
    why = str(certificate.get("replaces_why") or "")
    body = case.get("organisation", "")
    kind = case.get("decision_kind", "")
    system = " ".join(part for part in (case.get("system", ""), case.get("version", "")) if part)
    provider = ", ".join(
        part for part in (case.get("provider", ""), case.get("provider_address", "")) if part
    )
    scheme = case.get("scheme", "")
    return {
        1: (f"{number}, revision {revision}.",) if number else (),
        2: (f"Replaces {replaces}.", f"Reason: {why}" if why else "")
        if replaces
        else ("Replaces no other.",),
        3: (
            ", ".join(part for part in (body, case.get("organisation_address", "")) if part) + ".",
            f"Accreditation: {case.get('accreditation') or 'none'}.",
        )
        if body
        else (),
        4: (
            ", ".join(p for p in (case.get("client", ""), case.get("client_address", "")) if p)
            + ".",
        )
        if case.get("client")
        else (),
        5: (
            f"{system}." if system else "",
            f"Provided by {provider}." if provider else "",
            f"Intended use: {case['purpose']}" if case.get("purpose") else "",
            f"Kind of decision: {kind}" if kind else "",
        ),
        6: (
            f"{scheme}, {day_words(case['scheme_date'])}."
            if case.get("scheme_date")
            else f"{scheme}. Date of the scheme: not supplied.",
        )
        if scheme
        else (),
        7: (
            f"Within: {case['scope']}" if case.get("scope") else "",
            f"Outside: {case['out_of_scope']}" if case.get("out_of_scope") else "",
        ),
    }


def _dates(
    case: Mapping[str, str],
    decision: Mapping[str, Any],
    certificate: Mapping[str, Any],
    status: str,
    value: str,
) -> dict[int, tuple[str, ...]]:
    decided, issued = day(decision.get("when")), day(certificate.get("issued"))
    late = "The issue date lies before the decision: this is an error."
    issued_lines: tuple[str, ...] = (f"{day_words(issued)}.",) if issued else ()
    if issued and decided and issued < decided:
        issued_lines += (late,)
    contact = case.get("status_contact") or case.get("organisation") or ""
    ask = f"Ask {contact} for the present status." if contact else ""
    return {
        8: (case.get("audit_period", ""),),
        9: (case.get("data_dates", ""),),
        10: (f"{day_words(decided)}.",) if decided else (),
        11: issued_lines,
        12: (
            f"Valid until {day_words(certificate['expires'])}."
            if certificate.get("expires")
            else "",
            f"Next check: {day_words(certificate['next_check'])}."
            if certificate.get("next_check")
            else "",
        ),
        13: (f"{status.capitalize()} at the time of issue.", ask)
        if status
        else (("A statement of findings has no status to lose.", ask) if value else ()),
    }


def _judgement(
    case: Mapping[str, str],
    state: Mapping[str, Any],
    result: Mapping[str, Any],
    run_info: Mapping[str, Any],
) -> dict[int, tuple[str, ...]]:
    decision = state.get("decision") or {}
    advice = (result.get("certification") or {}).get("recommendation") or {}
    conditions = _texts(decision.get("conditions")) or _texts(case.get("conditions"))
    not_supplied = state.get("not_supplied") or {}
    limits = tuple(
        f"{what}: not supplied{f' ({why})' if why else ''}." for what, why in not_supplied.items()
    )
    limits += tuple(str(w.get("text", "")) for w in result.get("warnings") or ())
    verdict: tuple[str, ...] = ()
    if advice:
        verdict = (
            f"Recommended by the rule “{advice.get('rule', '')}”: {advice.get('value', '')}.",
            f"As published, from values alone: {_published(advice.get('as_published'))}.",
        )
    if decision.get("value"):
        by = decision.get("by") or case.get("decider") or ""
        verdict = (f"Decided: {decision['value']}{f', by {by}' if by else ''}.", *verdict)
    trade = result.get("tradeoffs") or {}
    choice = trade.get("declared_choice")
    conflicts: tuple[str, ...] = ()
    if trade:
        can = trade.get("can_hold_together")
        conflicts = (
            "Parity, equal odds and calibration can hold together on these data."
            if can is True
            else "Parity, equal odds and calibration cannot all hold together on these data.",
            f"Choice declared: {choice}." if choice else "No choice was declared.",
        )
    return {
        33: verdict,
        34: conditions or (("None.",) if decision else ()),
        35: (str(run_info["watchout"]),)
        if run_info.get("watchout")
        else (
            ("No search for people to look at again was part of this audit.",)
            if "peers" not in result
            else ("See the watch-out list beside this paper.",)
        ),
        36: limits,
        37: conflicts,
        38: (
            "No EU declaration of conformity and no basis of a CE mark; no ISO/IEC 42001 "
            "certificate; no legal finding.",
            "It speaks of the named version and data only.",
        ),
    }


def _published(value: Any) -> str:
    if isinstance(value, Mapping):
        return str(value.get("value") or value.get("verdict") or "")
    return str(value or NOT_SUPPLIED)


def _people(
    case: Mapping[str, str],
    state: Mapping[str, Any],
    result: Mapping[str, Any],
    run_info: Mapping[str, Any],
    number: str,
) -> dict[int, tuple[str, ...]]:
    decision = state.get("decision") or {}
    names = {
        "Evaluator": case.get("evaluator", ""),
        "Reviewer": case.get("reviewer", ""),
        "Decider": case.get("decider") or str(decision.get("by") or ""),
    }
    given = any(names.values())
    people = tuple(f"{role}: {name or NOT_SUPPLIED}." for role, name in names.items())
    people += (independence(case, decision),)
    fingerprint = str(run_info.get("fingerprint") or "")
    software = result.get("software") or {}
    versions = [
        f"{name} {version}"
        for name, version in _flat(software)
        if name not in ("name", "version", "python")
    ]
    program = f"{software.get('name', 'FairAssay')} {software.get('version', '')}".strip()
    hashes = (
        f"{program}, Python {software.get('python', '')}." if software else "",
        f"{wording.listed(versions)}." if versions else "",
        f"Seed {(result.get('plan') or {}).get('seed', NOT_SUPPLIED)}.",
        f"SHA-256 of the plan: {result.get('plan_sha256') or run_info.get('plan_sha256', '')}.",
        f"SHA-256 of result.json: {run_info.get('result_sha256', '')}.",
        f"Head of the case's trail: {run_info['trail_head']}."
        if run_info.get("trail_head")
        else "",
    )
    certificate = state.get("certificate") or {}
    changes = tuple(
        f"{day_words(change.get('when'))}: {change.get('text', '')}"
        for change in run_info.get("changes") or ()
    )
    if not changes and certificate.get("replaces"):
        changes = (
            f"Revision {certificate.get('revision', 0)} replaces {certificate['replaces']}: "
            f"{certificate.get('replaces_why', '')}",
        )
    return {
        39: people if given else (),
        40: (
            f"Signing key: {fingerprint[:16]} (first sixteen hex digits of its fingerprint)."
            if fingerprint
            else "The signing key is named in the signature block of page 1.",
            "How to verify without a network is told on the last page.",
        ),
        41: hashes if result else (),
        42: changes or ("No change since the first revision.",),
        43: (case.get("complaints", ""),),
    }


def _flat(software: Mapping[str, Any]) -> list[tuple[str, str]]:
    out: list[tuple[str, str]] = []
    for key, value in sorted(software.items()):
        if isinstance(value, Mapping):
            out.extend(_flat(value))
        else:
            out.append((str(key), str(value)))
    return out


def independence(case: Mapping[str, str], decision: Mapping[str, Any]) -> str:
    """Whether evaluator and decider differ, in words, with the statement of independence."""
    evaluator = case.get("evaluator", "").strip()
    decider = (case.get("decider") or str(decision.get("by") or "")).strip()
    statement = case.get("independence", "").strip() or "Statement of independence: not supplied."
    if not evaluator or not decider:
        return f"Whether evaluator and decider differ is not known. {statement}"
    if evaluator.casefold() == decider.casefold():
        return f"Evaluator and decider are the same person. {statement}"
    return f"Evaluator and decider are different people. {statement}"


__all__ = ["TITLES", "CertificateFacts", "Fact", "Kind", "facts", "independence", "rows_of"]
