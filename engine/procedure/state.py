"""The state of a case as one JSON document. The case file keeps its acts; the window shows it.

Everything the auditor chooses is one :class:`Act` on this document, which makes undo, autosave
and the trail one mechanism.
"""

from __future__ import annotations

from typing import Any

STATE_SCHEMA = "fairassay-case/1"

FACTS = (
    "reference",
    "system",
    "version",
    "provider",
    "provider_address",
    "client",
    "client_address",
    "purpose",
    "decision_kind",
    "organisation",
    "organisation_address",
    "accreditation",
    "evaluator",
    "reviewer",
    "decider",
    "scheme",
    "scheme_date",
    "scope",
    "out_of_scope",
    "audit_period",
    "data_dates",
    "data_kind_reason",
    "independence",
    "conditions",
    "complaints",
    "status_contact",
    "language",
)
"""The facts of a case in words, keys of ``state["case"]``; each is text, empty when not known."""


def new_state() -> dict[str, Any]:
    """An empty case.

    Keys
    ----
    ``case`` : facts, see :data:`FACTS`.
    ``items`` : list of received items: ``id``, ``name``, ``bytes``, ``sha256``, ``from``, ``how``,
        ``when`` (of its entry), ``received`` (when it came, where somebody said it), ``role``
        (``all`` / ``training`` / ``test`` / ``join`` / ``model`` /
        ``document``), ``reading`` (keys of :class:`engine.plan.model.Source` that the auditor
        set), ``on`` (join key), ``answers`` (wart code + column -> answer).
    ``plan`` : the draft of the plan in its file form (the contract), without ``data``, ``join``
        and ``case``, which come from the items and the facts.
    ``set`` : ``tolerance`` / ``groups`` / ``attributes`` -> ``{"when", "who", "rates_visible",
        "result_visible"}``, written when the choice is confirmed; ``from_plan`` true where it
        came with a plan file. Print it by :func:`engine.procedure.decision.tolerance_setting`.
    ``seen`` : ``rates`` / ``result`` -> when they were first shown, or None.
    ``seen_with`` : ``rates`` / ``result`` -> the tolerance and the groups in force at that moment;
        a tolerance that differs from them was chosen afterwards, whatever was undone in between.
    ``result`` : None, or ``{"plan_sha256", "result_sha256", "basis_sha256", "files", "when"}`` of
        the last run; ``basis_sha256`` is :func:`engine.procedure.basis.run_basis` at its start,
        ``files`` maps result files to the SHA-256 under which their bytes are kept.
    ``decision`` : None, or ``{"value" (grant / refuse / not settled), "reasons", "conditions",
        "by", "when", "recommendation", "result_sha256"}``.
    ``not_supplied`` : what was not supplied -> reason given.
    ``certificate`` : None, or ``{"number", "revision", "issued", "expires", "next_check",
        "replaces", "replaces_why", "sha256", "signed"}``.
    ``issue`` : absent, or what the auditor set for the paper before its issue: ``number``,
        ``issued``, ``expires``, ``next_check``, ``triggers``, ``replaces_why`` (:func:`engine.procedure.issue.planned`).
    ``follows`` : absent, or ``{"number", "revision", "sha256"}`` of the paper whose case this one
        took over.
    ``before`` : absent, or what the case that this one follows rested on (:mod:`.recertify`).
    ``changes_why`` : absent, or key of a :class:`.recertify.Change` -> the reason given.
    ``governance`` : absent, or question -> answer (:mod:`.governance`).
    ``places`` : absent, or method -> graph -> variable -> ``[x, y]`` where the auditor moved it;
        part of no fingerprint, since it changes no result.
    ``confirmed`` : step number (as text) -> when the auditor pressed Continue on it.
    ``made_from`` : step number (as text) -> fingerprint of what the confirmed step rests on.
    ``earlier`` : certificates that this case issued before, oldest first.
    ``drafts`` : page -> half-filled fields, kept through a crash, not part of undo.
    """
    return {
        "schema": STATE_SCHEMA,
        "case": dict.fromkeys(FACTS, ""),
        "items": [],
        "plan": {},
        "set": {},
        "seen": {"rates": None, "result": None},
        "seen_with": {},
        "result": None,
        "decision": None,
        "not_supplied": {},
        "certificate": None,
        "confirmed": {},
        "made_from": {},
        "earlier": [],
        "drafts": {},
    }
