"""Recertification: a new case from an earlier one, what changed and why, result against result."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any

from engine.base.canonical import canonical_json
from engine.fairness.measure import measure
from engine.messages import say
from engine.plan.model import Data, Plan

from .state import FACTS, new_state

State = Mapping[str, Any]

NOT_TAKEN = ("reference", "evaluator", "reviewer", "decider", "audit_period", "data_dates")
"""Facts that belong to one audit alone."""
COMPARED_FACTS = ("system", "version", "provider", "purpose", "decision_kind", "scheme", "scope")
"""Facts whose change is a change of what was certified."""
COMPARED_PLAN = ("outcome", "system", "weight", "features", "confidence", "resamples")


def state_from_case(old: State) -> dict[str, Any]:
    """The state with which a recertification begins.

    System, attributes, groups, tolerance and methods go over; the data do not. The tolerance is
    taken over as a draft: nobody has set it in the new case, so step 3 asks for it again.

    Parameters
    ----------
    old : mapping
        The state of the earlier case (:mod:`.state`).

    Returns
    -------
    dict
        A new state with ``before`` (what the earlier case rested on, for :func:`changes`), and
        ``follows`` where that case had issued a certificate.
    """
    made = new_state()
    made["case"] = {k: "" if k in NOT_TAKEN else v for k, v in old["case"].items()}
    made["plan"] = {k: v for k, v in old["plan"].items() if k != "features"}
    if old.get("governance"):
        made["governance"] = dict(old["governance"])
    certificate = old["certificate"] or (old.get("earlier") or [{}])[-1]
    triggers = (certificate or old.get("issue") or {}).get("triggers")
    if triggers:
        made["issue"] = {"triggers": list(triggers)}
    made["before"] = {
        "case": {k: old["case"].get(k, "") for k in COMPARED_FACTS},
        "plan": dict(old["plan"]),
        "files": [{k: item[k] for k in ("name", "role", "sha256")} for item in old["items"]],
        "result_sha256": (old["result"] or {}).get("result_sha256", ""),
    }
    if certificate.get("number"):
        made["follows"] = {
            "number": certificate["number"],
            "revision": certificate.get("revision", 0),
            "sha256": certificate.get("sha256", ""),
        }
    return made


def state_from_paper(
    *,
    summary: Mapping[str, Any],
    plan: Mapping[str, Any],
    result: Mapping[str, Any],
    result_sha256: str,
    sha256: str,
) -> dict[str, Any]:
    """The state with which a recertification begins, where only the earlier paper is at hand.

    Parameters
    ----------
    summary, plan, result : mapping
        What the PDF carries: certificate.json, plan.json and result.json as data.
    result_sha256 : str
        Of the bytes of result.json.
    sha256 : str
        Of the whole PDF.

    Returns
    -------
    dict
        As :func:`state_from_case`. A paper holds neither addresses nor a governance sheet, so
        these are asked anew.
    """
    old = new_state()
    facts = plan.get("case") or {}
    known = {key: str(facts.get(key) or "") for key in FACTS}
    for key in ("system", "version", "organisation", "status_contact"):
        known[key] = known[key] or str(summary.get(key) or "")
    old["case"] = known
    old["plan"] = {
        key: value
        for key, value in plan.items()
        if key not in ("schema", "data", "join", "case") and value is not None
    }
    if isinstance(old["plan"].get("system"), Mapping):  # a model's file came with the old data
        given = {k: v for k, v in old["plan"]["system"].items() if v is not None}
        old["plan"]["system"] = given
    old["items"] = [
        {"name": str(i.get("name", "")), "role": str(i.get("role", "")), "sha256": i["sha256"]}
        for i in result.get("inputs") or ()
    ]
    old["result"] = {"result_sha256": result_sha256}
    old["certificate"] = {
        "number": str(summary.get("number") or ""),
        "revision": int(summary.get("revision") or 0),
        "sha256": sha256,
    }
    return state_from_case(old)


def replaced(state: State) -> str:
    """The paper that this case's own will replace, in words; empty where it follows none.

    Examples
    --------
    >>> replaced({"follows": {"number": "EAO-2025-0007", "revision": 1}})
    'EAO-2025-0007, revision 1'
    """
    follows = state.get("follows") or {}
    if not follows.get("number"):
        return ""
    return f"{follows['number']}, revision {follows.get('revision', 0)}"


@dataclass(frozen=True)
class Change:
    """Something that is not as it was in the earlier case.

    Attributes
    ----------
    key : str
        Its place, for example ``case.version``; the reason is kept under it in
        ``state["changes_why"]``.
    text : str
        One sentence.
    before, after : JSON value
    why : str
        The reason given, empty where there is none yet.
    grave : bool
        Whether it changes what the audit measures by (attributes, groups, tolerance, methods).
    """

    key: str
    text: str
    before: Any
    after: Any
    why: str = ""
    grave: bool = False


def changes(state: State) -> list[Change]:
    """What differs from the earlier case; empty where this case follows none."""
    before = state.get("before")
    if not before:
        return []
    why: Mapping[str, str] = state.get("changes_why") or {}
    found = [
        Change(key, text, old, new, str(why.get(key) or "").strip(), grave)
        for key, text, old, new, grave in _differences(before, state)
    ]
    return found


def unjustified(state: State) -> list[Change]:
    """The changes that nobody gave a reason for."""
    return [change for change in changes(state) if not change.why]


def _differences(before: State, state: State) -> Iterator[tuple[str, str, Any, Any, bool]]:
    for key in COMPARED_FACTS:
        old, new = str(before["case"].get(key, "")), str(state["case"].get(key, ""))
        if old.strip() != new.strip():
            text = say("recertify.fact", what=say(f"recertify.fact.{key}"), before=old or "–", after=new or "–")  # fmt: skip
            yield f"case.{key}", text, old, new, False
    yield from _attributes(before["plan"], state["plan"])
    yield from _tolerance(before["plan"], state["plan"])
    yield from _methods(before["plan"], state["plan"])
    for key in COMPARED_PLAN:
        old, new = (p.get(key, _DEFAULTS.get(key)) for p in (before["plan"], state["plan"]))
        if _unlike(old, new) and not (key == "features" and new is None):
            text = say("recertify.plan", what=say(f"recertify.plan.{key}"))
            yield f"plan.{key}", text, old, new, key == "outcome"
    if state["items"]:
        yield from _files(before["files"], state["items"])


def _unlike(old: Any, new: Any) -> bool:
    return canonical_json(_bare(old)) != canonical_json(_bare(new))


def _bare(value: Any) -> Any:
    """Without what is left empty: a plan as it ran spells out what a plan as written leaves out."""
    if isinstance(value, Mapping):
        small = {key: _bare(item) for key, item in value.items()}
        return {key: item for key, item in small.items() if item not in (None, [], {}, "")}
    return [_bare(item) for item in value] if isinstance(value, list | tuple) else value


_PLAIN = Plan(seed=0, case={}, data=Data(), protected=())
_DEFAULTS = {"confidence": _PLAIN.confidence, "resamples": _PLAIN.resamples}
_TOLERANCE = {
    f.name: getattr(_PLAIN.tolerance, f.name)
    for f in fields(_PLAIN.tolerance)
    if f.name != "overrides"
}


def _name(attribute: Mapping[str, Any]) -> str:
    return str(attribute.get("name") or attribute.get("column") or "")


def _attributes(old: State, new: State) -> Iterator[tuple[str, str, Any, Any, bool]]:
    first = {_name(a): {**a, "name": _name(a)} for a in old.get("protected") or ()}
    second = {_name(a): {**a, "name": _name(a)} for a in new.get("protected") or ()}
    for name in [*first, *(n for n in second if n not in first)]:
        a, b = first.get(name), second.get(name)
        code = "added" if a is None else "dropped" if b is None else "groups"
        if _unlike(a, b):
            yield f"protected.{name}", say(f"recertify.attribute_{code}", name=name), a, b, True


def _tolerance(old: State, new: State) -> Iterator[tuple[str, str, Any, Any, bool]]:
    first, second = ({**_TOLERANCE, **_bare(p.get("tolerance") or {})} for p in (old, new))
    for key in [*first, *(k for k in second if k not in first)]:
        a, b = first.get(key), second.get(key)
        if _unlike(a, b):
            text = say("recertify.tolerance", what=say(f"recertify.tolerance.{key}"), before=_shown(a), after=_shown(b))  # fmt: skip
            yield f"tolerance.{key}", text, a, b, True


def _methods(old: State, new: State) -> Iterator[tuple[str, str, Any, Any, bool]]:
    first, second = old.get("methods") or {}, new.get("methods") or {}
    for name in [*first, *(n for n in second if n not in first)]:
        a, b = first.get(name), second.get(name)
        code = "added" if a is None else "dropped" if b is None else "settings"
        if name in first and name in second and not _unlike(a, b):
            continue
        text = say(f"recertify.method_{code}", name=say(f"recertify.method.{name}"))
        yield f"methods.{name}", text, a, b, code != "added"


def _files(old: list[Mapping[str, Any]], items: Any) -> Iterator[tuple[str, str, Any, Any, bool]]:
    for role in dict.fromkeys([*(f["role"] for f in old), *(i["role"] for i in items)]):
        if role in ("", "document"):
            continue
        a = sorted(f["sha256"] for f in old if f["role"] == role)
        b = sorted(i["sha256"] for i in items if i["role"] == role)
        if a != b:
            yield (
                f"files.{role}",
                say("recertify.files", role=say(f"recertify.role.{role}"), n=len(a), m=len(b)),
                a,
                b,
                False,
            )


def _shown(value: Any) -> str:
    if value is None:
        return "–"
    if isinstance(value, list | tuple):
        return " to ".join(map(str, value))
    return str(value) if not isinstance(value, Mapping) else canonical_json(value).strip()


# Result against result ---------------------------------------------------------------------------

MEASURE = frozenset({"value", "low", "high", "verdict", "reason", "n"})
_NOT_COMPARED = frozenset({"plan", "software", "inputs", "exclusions", "warnings", "steps"})


def measures(result: Mapping[str, Any]) -> dict[tuple[str, ...], Mapping[str, Any]]:
    """Every measure of a result, by its path from the top."""
    found: dict[tuple[str, ...], Mapping[str, Any]] = {}

    def walk(value: Any, path: tuple[str, ...]) -> None:
        if not isinstance(value, Mapping):
            return
        if value.keys() >= MEASURE:
            found[path] = value
        for key, item in value.items():
            walk(item, (*path, str(key)))

    for key, value in result.items():
        if key not in _NOT_COMPARED:
            walk(value, (key,))
    return found


def compare(old: Mapping[str, Any], new: Mapping[str, Any], *, confidence: float) -> dict[str, Any]:
    """A result against the one before it.

    Parameters
    ----------
    old, new : dict
        Two results (the contract's ``result.json``).
    confidence : float
        The level at which both give their intervals.

    Returns
    -------
    dict
        ``metrics`` (list: ``path``, ``before``, ``after``, ``change`` as a measure,
        ``verdict_before``, ``verdict_after``, ``turned``), ``turned`` (the paths of verdicts that
        turned), ``recommendation`` (``before``, ``after``, ``turned``), ``data`` (``same``,
        ``files``), ``only_before`` and ``only_after`` (paths), ``rules_changed`` (keys of the
        plan that set what is measured and by what), ``versions_changed``.

    Notes
    -----
    A change's interval joins the two intervals as those of independent samples (MOVER: Donner and
    Zou, 2012, Statistical Methods in Medical Research 21, 347-359). Where a file was audited both
    times the samples are not independent, and there is no interval; nor where the two results give
    theirs at different levels.
    """
    data = _data(old, new)
    levels = {(r.get("plan") or {}).get("confidence", confidence) for r in (old, new)}
    unlike = ""
    if data["shared"]:
        unlike = say("recertify.same_people")
    elif len(levels) > 1:
        unlike = say("recertify.other_confidence")
    first, second = measures(old), measures(new)
    both = [path for path in first if path in second]
    metrics = []
    for path in both:
        a, b = first[path], second[path]
        turned = a["verdict"] != b["verdict"] and None not in (a["verdict"], b["verdict"])
        metrics.append(
            {
                "path": list(path),
                "before": a["value"],
                "after": b["value"],
                "change": _change(a, b, unlike=unlike),
                "verdict_before": a["verdict"],
                "verdict_after": b["verdict"],
                "turned": turned,
            }
        )
    values = [
        ((r.get("certification") or {}).get("recommendation") or {}).get("value")
        for r in (old, new)
    ]
    keys = ("protected", "outcome", "tolerance", "confidence", "resamples", "methods")
    return {
        "confidence": confidence,
        "metrics": metrics,
        "turned": [m["path"] for m in metrics if m["turned"]],
        "recommendation": {
            "before": values[0],
            "after": values[1],
            "turned": values[0] != values[1] and None not in values,
        },
        "data": data,
        "only_before": [list(path) for path in first if path not in second],
        "only_after": [list(path) for path in second if path not in first],
        "rules_changed": [
            k for k in keys if _unlike((old.get("plan") or {}).get(k), (new.get("plan") or {}).get(k))
        ],
        "versions_changed": _unlike(old.get("software"), new.get("software")),
    }  # fmt: skip


def _change(a: Mapping[str, Any], b: Mapping[str, Any], *, unlike: str) -> dict[str, Any]:
    """The change of a value; ``unlike`` says why it has no interval, whatever the two have."""
    n = {"n_unprivileged": b["n"]["unprivileged"], "n_privileged": b["n"]["privileged"]}
    if a["value"] is None or b["value"] is None:
        when = "before" if a["value"] is None else "now"
        reason = say("recertify.no_value", when=when)
        return measure(None, verdict="not computable", reason=reason, **n)
    value = b["value"] - a["value"]
    if unlike:
        return measure(value, note=unlike, **n)
    if None in (a["low"], a["high"], b["low"], b["high"]):
        return measure(value, note=say("recertify.no_interval"), **n)
    low = value - math.hypot(b["value"] - b["low"], a["high"] - a["value"])
    high = value + math.hypot(b["high"] - b["value"], a["value"] - a["low"])
    return measure(value, low, high, **n)


def _data(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """Which audited files are the same, and how many rows there were."""
    roles = [i["role"] for r in (old, new) for i in r.get("inputs") or ()]
    files = []
    for role in dict.fromkeys(roles):
        sides = [[i for i in r.get("inputs") or () if i["role"] == role] for r in (old, new)]
        hashes = [sorted(i["sha256"] for i in side) for side in sides]
        rows = [sum(i["rows"] or 0 for i in side) for side in sides]
        files.append(
            {
                "role": role,
                "same": hashes[0] == hashes[1],
                "shared": bool(set(hashes[0]) & set(hashes[1])),
                "rows_before": rows[0],
                "rows_after": rows[1],
            }
        )
    people = [f for f in files if f["role"] not in ("model", "join")]
    return {
        "same": all(f["same"] for f in files),
        "shared": any(f["shared"] for f in people),
        "files": files,
    }


def certified_levels(result: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The levels that monitoring starts from (its setting ``certified``), out of a result with
    crossed groups; empty where there are none."""
    cells = (result.get("intersection") or {}).get("cells") or {}
    return {
        key: {
            "rate": cell["rate"]["value"],
            "ratio": cell["ratio"]["value"],
            "low": cell["ratio"]["low"],
            "high": cell["ratio"]["high"],
            "n": cell.get("judged_n", cell["effective_n"]),
        }
        for key, cell in cells.items()
        if cell["rate"]["value"] is not None
    }
