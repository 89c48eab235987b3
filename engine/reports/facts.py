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
from engine.messages import say
from engine.procedure.decision import GRANT, MORE_EVIDENCE, ROLES, missing_sheet, same_person
from engine.procedure.state import new_state

from .facts_result import result_facts
from .facts_setup import setup_facts
from .words import NOT_SUPPLIED, day, day_words, rows_of

Kind = Literal["certificate", "statement", "request"]
_KINDS: dict[str, Kind] = {GRANT: "certificate", MORE_EVIDENCE: "request"}

TITLES: dict[int, str] = {n: say(f"paper.title_{n}") for n in range(1, 44)}


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
        return " ".join(self.lines) if self.lines else say("paper.not_supplied")


@dataclass(frozen=True, kw_only=True)
class CertificateFacts:
    """What the paper says, before it is laid out.

    ``kind`` is ``certificate`` only for a decision to grant, ``request`` where more evidence is
    asked for; ``decided`` is False while no
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
        kind=_KINDS.get(value, "statement"),
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
        1: (say("paper.number", number=number, revision=revision),) if number else (),
        2: (say("paper.replaces", number=replaces), say("paper.reason", why=why) if why else "")
        if replaces
        else (say("paper.replaces_none"),),
        3: (
            ", ".join(part for part in (body, case.get("organisation_address", "")) if part) + ".",
            say("paper.accredited", words=accreditation(case)),
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
            say("paper.provided", provider=provider) if provider else "",
            say("paper.purpose", purpose=case["purpose"]) if case.get("purpose") else "",
            say("paper.kind", kind=kind) if kind else "",
        ),
        6: (
            say("paper.scheme", scheme=scheme, day=day_words(case["scheme_date"]))
            if case.get("scheme_date")
            else say("paper.scheme_undated", scheme=scheme),
        )
        if scheme
        else (),
        7: (
            say("paper.scope", scope=case["scope"]) if case.get("scope") else "",
            say("paper.out_of_scope", scope=case["out_of_scope"])
            if case.get("out_of_scope")
            else "",
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
    late = say("paper.issued_too_early")
    issued_lines: tuple[str, ...] = (f"{day_words(issued)}.",) if issued else ()
    if issued and decided and issued < decided:
        issued_lines += (late,)
    contact = case.get("status_contact") or case.get("organisation") or ""
    ask = say("paper.ask", contact=contact) if contact else ""
    return {
        8: (case.get("audit_period", ""),),
        9: (case.get("data_dates", ""),),
        10: (f"{day_words(decided)}.",) if decided else (),
        11: issued_lines,
        12: (
            say("paper.until", day=day_words(certificate["expires"]))
            if certificate.get("expires")
            else "",
            say("paper.next_check", day=day_words(certificate["next_check"]))
            if certificate.get("next_check")
            else "",
        ),
        13: (say("paper.status", status=status.capitalize()), ask)
        if status
        else ((say("paper.status_none"), ask) if value and value != MORE_EVIDENCE else ()),
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
    limits = _limits(state, not_supplied)
    limits += tuple(str(w.get("text", "")) for w in result.get("warnings") or ())
    verdict: tuple[str, ...] = ()
    if advice:
        verdict = (
            say("paper.recommended", rule=advice.get("rule", ""), value=advice.get("value", "")),
            say("paper.published", value=_published(advice.get("as_published"))),
        )
    if decision.get("value"):
        by = decision.get("by") or case.get("decider") or ""
        code = "paper.decided_by" if by else "paper.decided"
        verdict = (say(code, value=decision["value"], by=by), *verdict)
    trade = result.get("tradeoffs") or {}
    conflicts: tuple[str, ...] = ()
    if trade:
        conflicts = (say(_together(trade)), _choice(trade.get("declared_choice") or {}))
    return {
        33: verdict,
        34: conditions or ((say("paper.none"),) if decision else ()),
        35: (str(run_info["watchout"]),)
        if run_info.get("watchout")
        else ((say("paper.no_watchout"),) if "peers" not in result else (say("paper.watchout"),)),
        36: limits,
        37: conflicts,
        38: (
            say("paper.is_not"),
            say("paper.speaks_of"),
        ),
    }


def _limits(state: Mapping[str, Any], not_supplied: Mapping[str, str]) -> tuple[str, ...]:
    """What was not supplied, why not, and what each gap limits."""
    sheet = {}
    if state.get("decision"):
        sheet = {gap.what: gap.limits for gap in missing_sheet(new_state() | dict(state))}
    lines = []
    for what in {**not_supplied, **sheet}:
        why = not_supplied.get(what) or ""
        said = say("paper.lacks_because" if why else "paper.lacks", what=what, why=why)
        lines.append(f"{said} {sheet.get(what, '')}".rstrip())
    return tuple(lines)


def _published(value: Any) -> str:
    if isinstance(value, Mapping):
        return str(value.get("value") or value.get("verdict") or "")
    return str(value or NOT_SUPPLIED)


def _together(trade: Mapping[str, Any]) -> str:
    """The message that says whether all three definitions can hold together."""
    combinations = trade["can_hold_together"]["combinations"]
    possible = max(combinations, key=lambda c: len(c["definitions"]))["possible"]
    if possible is None:
        return "paper.not_told_together"
    return "paper.together" if possible else "paper.not_together"


def _choice(choice: Mapping[str, Any]) -> str:
    """The declared definition with who declared it, and why."""
    if not choice.get("definition"):
        return say("paper.no_choice")
    by = f", by {choice['by']}" if choice.get("by") else ""
    reason = choice.get("reason") or NOT_SUPPLIED
    return say("paper.choice", choice=choice["definition"], by=by, reason=reason)


def _people(
    case: Mapping[str, str],
    state: Mapping[str, Any],
    result: Mapping[str, Any],
    run_info: Mapping[str, Any],
    number: str,
) -> dict[int, tuple[str, ...]]:
    decision = state.get("decision") or {}
    names = {role: case.get(role, "") for role in ROLES}
    names["decider"] = names["decider"] or str(decision.get("by") or "")
    given = any(names.values())
    people = tuple(
        say("paper.person", role=say(f"paper.{role}"), name=name or NOT_SUPPLIED)
        for role, name in names.items()
    )
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
        say("paper.program", program=program, python=software.get("python", ""))
        if software
        else "",
        f"{wording.listed(versions)}." if versions else "",
        say("paper.seed", seed=(result.get("plan") or {}).get("seed", NOT_SUPPLIED)),
        say(
            "paper.plan_sha",
            sha=result.get("plan_sha256") or run_info.get("plan_sha256", ""),
        ),
        say("paper.result_sha", sha=run_info.get("result_sha256", "")),
        say("paper.trail", head=run_info["trail_head"]) if run_info.get("trail_head") else "",
    )
    certificate = state.get("certificate") or {}
    changes = tuple(
        say("paper.change", day=day_words(change.get("when")), text=change.get("text", ""))
        for change in run_info.get("changes") or ()
    )
    if not changes and certificate.get("replaces"):
        changes = (
            say(
                "paper.revised",
                revision=certificate.get("revision", 0),
                number=certificate["replaces"],
                why=certificate.get("replaces_why", ""),
            ),
        )
    return {
        39: people if given else (),
        40: (
            say("paper.key", key=fingerprint[:16]) if fingerprint else say("paper.key_in_block"),
            say("paper.how_told"),
        ),
        41: hashes if result else (),
        42: changes or (say("paper.no_change"),),
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


def accreditation(case: Mapping[str, str]) -> str:
    """The issuing body's accreditation, or that it has none."""
    return say(
        "paper.accreditation", name=case.get("accreditation") or say("paper.no_accreditation")
    )


def independence(case: Mapping[str, str], decision: Mapping[str, Any]) -> str:
    """Whether evaluator and decider differ, in words, with the statement of independence."""
    evaluator = case.get("evaluator", "").strip()
    decider = (case.get("decider") or str(decision.get("by") or "")).strip()
    statement = case.get("independence", "").strip() or say("paper.independence_none")
    if not evaluator or not decider:
        code = "paper.people_unknown"
    elif same_person(evaluator, decider):
        code = "paper.people_same"
    else:
        code = "paper.people_differ"
    return f"{say(code)} {statement}"


__all__ = [
    "TITLES",
    "CertificateFacts",
    "Fact",
    "Kind",
    "accreditation",
    "facts",
    "independence",
    "rows_of",
]
