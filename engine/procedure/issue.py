"""What the paper will bear when it is issued: number, revision, dates; and what still stops that."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from engine.base.problems import Problem
from engine.messages import say

from . import decision as deciding
from . import recertify
from .basis import decision_is_current, missing_keys
from .moments import day

FIRST_REVISION = 0
PLANNED = ("number", "issued", "expires", "next_check", "triggers", "replaces_why")
"""What the auditor may set before the issue, keys of ``state["issue"]`` (see :mod:`.state`)."""


def planned(state: Mapping[str, Any], *, today: date) -> dict[str, Any]:
    """The ``certificate`` of the state as it would be issued today.

    Parameters
    ----------
    state : mapping
        The state document; once it is issued, what was issued is given back.
    today : datetime.date

    Returns
    -------
    dict
        ``number``, ``revision``, ``issued``, ``expires`` (None but for a grant), ``next_check``,
        ``replaces``, ``replaces_why``, ``triggers``.
    """
    if state["certificate"] is not None:
        return dict(state["certificate"])
    given = state.get("issue") or {}
    last = state["earlier"][-1] if state["earlier"] else {}
    dates = deciding.next_dates(state, today=decided_on(state) or today)
    revision = int(last["revision"]) + 1 if last else FIRST_REVISION
    followed = recertify.replaced(state)
    why = str(given.get("replaces_why") or "").strip() or say("recertify.why") if followed else ""
    expires = (given.get("expires") or dates.expires) if dates.expires else None
    return {
        "number": last.get("number") or given.get("number") or "",
        "revision": revision,
        "issued": given.get("issued") or today.isoformat(),
        "expires": expires,
        "next_check": given.get("next_check") or dates.next_check,
        "replaces": f"{last['number']}, revision {last['revision']}" if last else followed,
        "replaces_why": last.get("revised_why", "") if last else why,
        "triggers": list(given.get("triggers") or ()),
    }


def as_issued(state: Mapping[str, Any], *, today: date) -> dict[str, Any]:
    """The state as the paper is built from it: with the certificate that is to be issued."""
    return {**state, "certificate": planned(state, today=today)}


def decided_on(state: Mapping[str, Any]) -> date | None:
    """The day of the decision, None while there is none."""
    when = (state["decision"] or {}).get("when")
    return date.fromisoformat(when[:10]) if when else None


def problems(state: Mapping[str, Any], *, today: date) -> list[Problem]:
    """Everything that stops the paper from being signed and issued, each with its mend."""
    if state["certificate"] is not None:
        return []
    made = planned(state, today=today)
    found: list[tuple[str, str, dict[str, Any]]] = []
    if not decision_is_current(state):
        code = "procedure.need.redecide" if state["decision"] else "procedure.need.decision"
        found.append(("decision", code, {}))
    elif state["decision"]["value"] == deciding.MORE_EVIDENCE:
        found.append(("decision", "procedure.issue.open", {}))
    lacking = [what for what in missing_keys(state) if not state["not_supplied"].get(what)]
    if lacking:
        found.append(("not_supplied", "procedure.issue.reasons", {"what": lacking[0]}))
    for role in deciding.ROLES:
        if role != "reviewer" and not state["case"].get(role, "").strip():
            found.append((role, "procedure.roles.missing", {"role": role}))
    if not made["number"].strip():
        found.append(("number", "procedure.issue.number", {}))
    found += _dates(made, decided_on(state))
    bare = len(recertify.unjustified(state))
    if bare:
        code = "recertify.unjustified_one" if bare == 1 else "recertify.unjustified"
        found.append(("changes_why", code, {"n": bare}))
    return [Problem("", place, say(code, **fields)) for place, code, fields in found]


def _dates(made: Mapping[str, Any], decided: date | None) -> list[tuple[str, str, dict[str, Any]]]:
    found: list[tuple[str, str, dict[str, Any]]] = []
    issued = date.fromisoformat(made["issued"])
    if decided and issued < decided:
        found.append(
            ("issued", "procedure.issue.early", {"day": day(decided.isoformat(), year=True)})
        )
    if made["expires"] and date.fromisoformat(made["expires"]) <= issued:
        found.append(("expires", "procedure.issue.expires", {}))
    if made["next_check"] and date.fromisoformat(made["next_check"]) <= issued:
        found.append(("next_check", "procedure.issue.next_check", {}))
    return found
