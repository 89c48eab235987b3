"""Everything the auditor does is an act on the state of the case; applying one is pure.

An act carries its words and its actor, so that undo, the trail and the page's footer all say the
same. Choices can be undone; facts (a result was seen, a run ended, a certificate was issued) stay.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from engine.base.canonical import plain
from engine.base.problems import Problem, Refused
from engine.messages import say

from .basis import decision_is_current, result_is_current, step_basis

State = Mapping[str, Any]
Key = str | int

CHOICES = frozenset(
    {"set", "set_many", "add_item", "remove_item", "confirm_step", "set_tolerance", "decide"}
)
"""Kinds that can be undone, up to the certificate."""
FACTS = frozenset(
    {
        "see_rates",
        "see_result",
        "store_result",
        "issue_certificate",
        "sign_certificate",
        "set_status",
        "revise",
        "note",
        "restore",
    }
)
"""Kinds that happened and stay."""
DRAFT = "draft"
"""Kind of a half-filled page: kept through a crash, neither undone nor in the trail."""


@dataclass(frozen=True)
class Act:
    """One thing that a person did.

    Parameters
    ----------
    kind : str
        One of :data:`CHOICES`, :data:`FACTS` or :data:`DRAFT`.
    path : tuple of str and int
        For ``set``: keys into the state document, for example ``("plan", "outcome", "column")``.
        In a list, a number is a position and a text the ``id`` of an entry:
        ``("items", "item-1", "role")``. Keys that are not there yet are made.
    value : JSON value
        What is set; for the other kinds see the function that makes the act.
    words : str
        What was done, in words that follow "Undo:", for example ``chose age and sex``.
    who, when : str
        The actor's name, and the moment as ISO 8601 with offset. The engine has no clock.
    """

    kind: str
    path: tuple[Key, ...] = ()
    value: Any = None
    words: str = ""
    who: str = ""
    when: str = ""

    @property
    def undoable(self) -> bool:
        """Whether this act is a choice, which can be undone."""
        return self.kind in CHOICES

    def as_json(self) -> dict[str, Any]:
        """The act as plain JSON, for the trail."""
        made = plain(asdict(self))
        assert isinstance(made, dict)
        return made

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Act:
        """The act that :meth:`as_json` wrote."""
        return cls(**{**data, "path": tuple(data["path"])})


def refuse(where: str, code: str, **fields: object) -> Refused:
    """A refusal of an act, worded from the messages of the procedure."""
    return Refused(Problem("", where, say(code, **fields)))


# Acts with a name of their own -----------------------------------------------------------------


def set_value(path: Sequence[Key], value: Any, *, words: str, who: str, when: str) -> Act:
    """Set one value of the state document."""
    return Act("set", tuple(path), plain(value), words, who, when)


def set_many(
    changes: Sequence[tuple[Sequence[Key], Any]], *, words: str, who: str, when: str
) -> Act:
    """Set several values in one act, undone together."""
    value = [{"path": list(path), "value": plain(item)} for path, item in changes]
    return Act("set_many", (), value, words, who, when)


def add_item(
    state: State,
    *,
    name: str,
    bytes: int,
    sha256: str,
    role: str = "",
    given_by: str = "",
    how: str = "",
    reading: Mapping[str, Any] | None = None,
    on: str | None = None,
    who: str,
    when: str,
) -> Act:
    """Enter a received file, whose bytes are already kept, with a fresh id (``item-3``)."""
    item = {
        "id": fresh_id(state),
        "name": name,
        "bytes": bytes,
        "sha256": sha256,
        "from": given_by,
        "how": how,
        "when": when,
        "role": role,
        "reading": dict(reading or {}),
        "on": on,
        "answers": {},
    }
    return Act("add_item", (), plain(item), f"added {name}", who, when)


def fresh_id(state: State) -> str:
    """An id that no item of the case bears."""
    used = [int(item["id"].rsplit("-", 1)[1]) for item in state["items"]]
    return f"item-{max(used, default=0) + 1}"


def remove_item(state: State, item_id: str, *, who: str, when: str) -> Act:
    """Take an item out of the audit; its bytes stay in the case file."""
    name = next((i["name"] for i in state["items"] if i["id"] == item_id), item_id)
    return Act("remove_item", (), item_id, f"took out {name}", who, when)


def confirm_step(number: int, *, who: str, when: str) -> Act:
    """Press Continue on a step: what it rests on now is remembered with it."""
    return Act("confirm_step", (), number, f"confirmed step {number}", who, when)


def set_tolerance(tolerance: Mapping[str, Any], *, words: str, who: str, when: str) -> Act:
    """Set the whole tolerance (the plan's ``tolerance``) and confirm step 3."""
    return Act("set_tolerance", (), plain(dict(tolerance)), words, who, when)


def see_rates(state: State, *, who: str, when: str) -> Act | None:
    """Record that favourable rates by group are on show; None where that is recorded already."""
    return _see(state, "rates", "opened the favourable rates", who, when)


def see_result(state: State, *, who: str, when: str) -> Act | None:
    """Record that a result is on show; None where that is recorded already."""
    return _see(state, "result", "saw the result", who, when)


def _see(state: State, what: str, words: str, who: str, when: str) -> Act | None:
    if state["seen"].get(what):
        return None
    value = {key: state["plan"].get(key) for key in ("tolerance", "protected")}
    return Act(f"see_{what}", (), plain(value), words, who, when)


def store_result(
    *,
    plan_sha256: str,
    result_sha256: str,
    basis_sha256: str,
    files: Mapping[str, str],
    who: str,
    when: str,
) -> Act:
    """Enter a finished run. ``basis_sha256`` is :func:`basis.run_basis` as the run began."""
    value = {
        "plan_sha256": plan_sha256,
        "result_sha256": result_sha256,
        "basis_sha256": basis_sha256,
        "files": dict(files),
    }
    return Act("store_result", (), value, "ran the audit", who, when)


def decide(
    *,
    value: str,
    reasons: str,
    recommendation: str,
    by: str,
    conditions: str = "",
    who: str,
    when: str,
) -> Act:
    """Enter the decision. Check it with :func:`engine.procedure.decision.check_decision` first."""
    made = {
        "value": value,
        "reasons": reasons,
        "conditions": conditions,
        "by": by,
        "recommendation": recommendation,
    }
    return Act("decide", (), made, f"decided: {value}", who, when)


def issue_certificate(certificate: Mapping[str, Any], *, who: str, when: str) -> Act:
    """Issue: ``number``, ``revision``, ``issued``, ``expires``, ``next_check``, ``sha256``, ``signed``.

    From here on nothing can be undone; a correction is a new revision (:func:`revise`).
    """
    number = certificate.get("number", "")
    return Act("issue_certificate", (), plain(dict(certificate)), f"issued {number}", who, when)


def sign_certificate(*, sha256: str, words: str = "signed", who: str, when: str) -> Act:
    """Record a signature: the SHA-256 of the whole signed file."""
    return Act("sign_certificate", (), sha256, words, who, when)


def set_status(status: str, *, reason: str, who: str, when: str) -> Act:
    """Change the status: ``valid``, ``suspended``, ``withdrawn`` or ``superseded``, with its reason."""
    value = {"status": status, "reason": reason}
    return Act("set_status", (), value, f"set the status to {status}", who, when)


def revise(*, reason: str, who: str, when: str) -> Act:
    """Open the case again for a new revision of its certificate; the reason is printed on it."""
    return Act("revise", (), reason, "opened a new revision", who, when)


def note(text: str, *, who: str, when: str) -> Act:
    """Write a sentence into the trail, without any effect on the case."""
    return Act("note", (), text, text, who, when)


def draft(page: str, fields: Any, *, who: str = "", when: str = "") -> Act:
    """Keep the half-filled fields of a page; None clears them."""
    return Act(DRAFT, (page,), plain(fields), "", who, when)


# Applying --------------------------------------------------------------------------------------


def put(document: Any, path: Sequence[Key], value: Any) -> Any:
    """A copy of a JSON document with one value set; what is not on the path is shared.

    Examples
    --------
    >>> put({"a": [1, 2], "b": {}}, ("a", 1), 5)
    {'a': [1, 5], 'b': {}}
    """
    if not path:
        return value
    key, rest = path[0], path[1:]
    if isinstance(document, list):
        index = _position(document, key)
        copy = list(document)
        if index == len(copy):
            copy.append(put(None, rest, value))
        else:
            copy[index] = put(copy[index], rest, value)
        return copy
    if document is not None and not isinstance(document, Mapping):
        raise refuse(_dotted(path), "procedure.no_place", place=_dotted(path))
    known = dict(document or {})
    known[str(key)] = put(known.get(str(key)), rest, value)
    return known


def _position(entries: list[Any], key: Key) -> int:
    if isinstance(key, int) and 0 <= key <= len(entries):
        return key
    for index, entry in enumerate(entries):
        if isinstance(entry, Mapping) and entry.get("id") == key:
            return index
    raise refuse(str(key), "procedure.no_place", place=key)


def _dotted(path: Sequence[Key]) -> str:
    return ".".join(map(str, path))


def apply(state: State, act: Act) -> dict[str, Any]:
    """The state after an act. The state given is never changed.

    Raises
    ------
    Refused
        Where the act is not possible now: a choice after the certificate was issued, a decision
        on a result that is out of date, a place that does not exist.
    """
    if act.undoable and state["certificate"] is not None:
        raise refuse("", "procedure.issued", number=state["certificate"].get("number", ""))
    made = _APPLY[act.kind](state, act)
    return dict(made)


def _set(state: State, act: Act) -> Any:
    return put(state, act.path, act.value)


def _set_many(state: State, act: Act) -> Any:
    made: Any = state
    for change in act.value:
        made = put(made, change["path"], change["value"])
    return made


def _add_item(state: State, act: Act) -> Any:
    return put(state, ("items", len(state["items"])), act.value)


def _remove_item(state: State, act: Act) -> Any:
    position = _position(state["items"], act.value)
    if position == len(state["items"]):
        raise refuse("items", "procedure.no_place", place=act.value)
    kept = [item for index, item in enumerate(state["items"]) if index != position]
    return {**state, "items": kept}


def _record(state: State, act: Act) -> dict[str, Any]:
    """Who chose something and when, and what was on show by then."""
    return {
        "when": act.when,
        "who": act.who,
        "rates_visible": bool(state["seen"]["rates"]),
        "result_visible": bool(state["seen"]["result"]),
    }


def _confirm(state: State, act: Act) -> Any:
    number = int(act.value)
    made = put(state, ("confirmed", str(number)), act.when)
    made = put(made, ("made_from", str(number)), step_basis(state, number))
    choice = {1: "attributes", 2: "groups"}.get(number)
    return put(made, ("set", choice), _record(state, act)) if choice else made


def _set_tolerance(state: State, act: Act) -> Any:
    made = put(state, ("plan", "tolerance"), act.value)
    made = put(made, ("set", "tolerance"), _record(state, act))
    made = put(made, ("confirmed", "3"), act.when)
    return put(made, ("made_from", "3"), step_basis(state, 3))


def _seen(state: State, act: Act) -> Any:
    what = act.kind.removeprefix("see_")
    if state["seen"].get(what):
        return state
    return put(put(state, ("seen", what), act.when), ("seen_with", what), act.value)


def _store_result(state: State, act: Act) -> Any:
    return {**state, "result": {**act.value, "when": act.when}}


def _decide(state: State, act: Act) -> Any:
    if not result_is_current(state):
        raise refuse("decision", "procedure.decide_out_of_date")
    decision = {
        **act.value,
        "when": act.when,
        "result_sha256": state["result"]["result_sha256"],
    }
    made = {**state, "decision": decision}
    return put(put(made, ("confirmed", "10"), act.when), ("made_from", "10"), step_basis(made, 10))


def _issue(state: State, act: Act) -> Any:
    if state["certificate"] is not None:
        raise refuse("", "procedure.issued", number=state["certificate"].get("number", ""))
    if not decision_is_current(state):
        raise refuse("certificate", "procedure.issue_out_of_date")
    return {**state, "certificate": {"status": "valid", **act.value, "when": act.when}}


def _certificate(state: State) -> dict[str, Any]:
    if state["certificate"] is None:
        raise refuse("certificate", "procedure.no_certificate")
    return dict(state["certificate"])


def _sign(state: State, act: Act) -> Any:
    return {**state, "certificate": {**_certificate(state), "sha256": act.value, "signed": True}}


def _status(state: State, act: Act) -> Any:
    changed = {"status": act.value["status"], "status_reason": act.value["reason"]}
    return {**state, "certificate": {**_certificate(state), **changed}}


def _revise(state: State, act: Act) -> Any:
    old = {**_certificate(state), "revised_why": act.value, "revised_when": act.when}
    return {**state, "certificate": None, "earlier": [*state["earlier"], old]}


def _nothing(state: State, act: Act) -> Any:
    return state


def _restore(state: State, act: Act) -> Any:
    return {**act.value, "drafts": state["drafts"]}


def _draft(state: State, act: Act) -> Any:
    page = act.path[0]
    kept = {key: value for key, value in state["drafts"].items() if key != page}
    if act.value is not None:
        kept[str(page)] = act.value
    return {**state, "drafts": kept}


_APPLY: dict[str, Callable[[State, Act], Any]] = {
    "set": _set,
    "set_many": _set_many,
    "add_item": _add_item,
    "remove_item": _remove_item,
    "confirm_step": _confirm,
    "set_tolerance": _set_tolerance,
    "see_rates": _seen,
    "see_result": _seen,
    "store_result": _store_result,
    "decide": _decide,
    "issue_certificate": _issue,
    "sign_certificate": _sign,
    "set_status": _status,
    "revise": _revise,
    "note": _nothing,
    "restore": _restore,
    DRAFT: _draft,
}
