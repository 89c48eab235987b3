"""What belongs to the case and to no method: the governance sheet, and the result against the last.

Both are :class:`~engine.reports.parts.Part` as the methods' own, so that window and paper show
the same tables and the same figure.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from typing import Any

from engine.base import wording
from engine.cohort.labels import crossing_words
from engine.drawing.model import Chart, IntervalChart, IntervalRow
from engine.messages import say
from engine.methods import NAMES, method
from engine.methods.asking import read_plan
from engine.methods.base import Finding, PrintedTable, Section, Verdict
from engine.plan.model import Plan
from engine.procedure import governance, recertify
from engine.procedure.moments import day

from .parts import Part
from .words import METRICS, TITLES, called, ordered_attributes

DETAIL = frozenset(
    {
        "by_risk_stratum", "crossed", "decision_tests", "distribution", "level", "means",
        "periods", "pooled", "quantiles", "scenarios", "tests",
    }
)  # fmt: skip
"""Keys of a result under which measures are detail, and too many for print."""
MOST = 120
"""Rows of the comparison in print; the window's export holds them all."""
ALL = "All attributes"
AGAINST, SHEET = "since_last_audit", "governance_sheet"
_PLAIN = {
    "approval_gap": "Approval gap",
    "bias_index": "Bias Index",
    "fairness_score": "Fairness Score",
    "gap": "Gap of the means",
    "gap_refitted": "Gap of the means, model trained anew",
    "group_effect": "Difference between the groups",
    "log_ratio": "Ratio of the geometric means",
    "median_gap": "Gap of the medians",
    "rate": "Favourable rate",
    "ratio": "Ratio to the reference",
    "real_gap": "Gap of the real amounts",
    "relative_gap": "Gap as a share of the privileged mean",
    "residual_gap": "Gap of real less quoted",
}
_SAME = {"pricing": ("attributes",), "channels": ("attributes",)}
"""Where a method repeats what stands at its top."""


def of_case(
    *, state: Mapping[str, Any], result: Mapping[str, Any], before: Mapping[str, Any] | None = None
) -> tuple[Part, ...]:
    """The parts that a case adds to those of the methods.

    Parameters
    ----------
    state, result : mapping
        The case and its result.json as data.
    before : mapping, optional
        The result of the audit that this one follows.

    Returns
    -------
    tuple of Part
        ``since_last_audit`` where the case follows another, ``governance_sheet`` where one was
        begun.
    """
    found = []
    if state.get("before"):
        found.append(against(state=state, result=result, before=before))
    if any((state.get("governance") or {}).values()):
        found.append(sheet(state["governance"]))
    return tuple(found)


def sheet(answers: Mapping[str, Any]) -> Part:
    """The governance sheet as a part of the report: every question, answered or not."""
    rows = tuple(
        (part if place == 0 else "", *line)
        for part, lines in governance.printed(answers)
        for place, line in enumerate(lines)
    )
    table = PrintedTable("Answers", ("Part", "Question", "Answer"), rows, "lll")
    due = governance.next_checks(answers)
    said = [say("governance.opening")]
    if due:
        dates = wording.listed([day(d.isoformat(), year=True) for d in due])
        said.append(say("governance.due", dates=dates))
    lacking = len(governance.problems(answers))
    if lacking:
        said.append(say("governance.lacking", n=lacking))
    title = say("governance.title")
    return Part(SHEET, title, (Section(title, tuple(said), tables=(table,)),))


def against(
    *, state: Mapping[str, Any], result: Mapping[str, Any], before: Mapping[str, Any] | None
) -> Part:
    """What changed since the last audit, why, and each measure against the last."""
    title = say("recertify.title")
    number = recertify.replaced(state)
    opening = say("recertify.opening", number=number) if number else say("recertify.opening_case")
    changed = recertify.changes(state)
    rows = tuple((one.text, one.why or say("recertify.no_reason")) for one in changed)
    notes = () if rows else (say("recertify.no_changes"),)
    first = Section(
        title,
        (opening,),
        tables=(PrintedTable("What changed, and why", ("Change", "Reason"), rows, "ll", notes),),
    )
    if before is None or not result:
        nothing = Finding("recertify.no_result", "not checked", title, say("recertify.no_result"))
        return Part(AGAINST, title, (first, Section("Result against the last", findings=(nothing,), level=2)))  # fmt: skip
    confidence = float((result.get("plan") or {}).get("confidence") or 0.95)
    found = recertify.compare(before, result, confidence=confidence)
    told = list(named(found, result))
    charts: dict[str, Chart] = {}
    drawn = [one for one in told if one[2]["path"][0] == "certification"]
    if any(m["change"]["value"] is not None for _, _, m in drawn):
        charts[AGAINST] = _chart(drawn, confidence)
    second = Section(
        "Result against the last",
        (say("recertify.interval", confidence=wording.percent(confidence, digits=0)),),
        tuple(_findings(found, told)),
        (_data(found), *_tables(found, told, confidence)),
        tuple(charts),
        level=2,
    )
    return Part(AGAINST, title, (first, second), charts)


def named(
    found: Mapping[str, Any], result: Mapping[str, Any], *, detail: bool = False
) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """Each compared measure with what it is of and what it is called, certification first.

    Parameters
    ----------
    found : mapping
        Of :func:`engine.procedure.recertify.compare`.
    result : mapping
        The result now.
    detail : bool
        Whether measures of detail come too.
    """
    plan = read_plan(result["plan"]) if result.get("plan") else None
    places = {name: i for i, name in enumerate(NAMES)}
    attributes = {name: i for i, (name, _) in enumerate(ordered_attributes(result))}
    inside = {name: i for i, name in enumerate((*METRICS, "mean_absolute_odds", "bias_index"))}

    def place(one: Mapping[str, Any]) -> tuple[Any, ...]:
        path = one["path"]
        if path[0] != "certification":
            return (places.get(path[0], len(places)),)
        return (
            places["certification"], attributes.get(path[2] if len(path) > 2 else "", 99),
            path[4] if "groups" in path else "", inside.get(path[-1], 99),
        )  # fmt: skip

    for one in sorted(found["metrics"], key=place):
        path = one["path"]
        if not detail and (set(path) & DETAIL or path[1] in _SAME.get(path[0], ())):
            continue
        if not detail and _again(path, result):
            continue
        yield (*_words(path, result, plan), one)


def every_change(*, before: Mapping[str, Any], result: Mapping[str, Any]) -> bytes:
    """Every measure of both results as CSV with headings in words."""
    confidence = float((result.get("plan") or {}).get("confidence") or 0.95)
    found = recertify.compare(before, result, confidence=confidence)
    out = io.StringIO()
    rows = csv.writer(out)
    rows.writerow(
        ("Of", "Measure", "Then", "Now", "Change", "Change from", "Change to", "Verdict then",
         "Verdict now", "Turned", "Reason", "Place in the result")
    )  # fmt: skip
    for of, what, one in named(found, result, detail=True):
        change = one["change"]
        rows.writerow(
            (
                of, what, one["before"], one["after"], change["value"], change["low"],
                change["high"], one["verdict_before"], one["verdict_after"],
                "yes" if one["turned"] else "no", change["reason"] or change.get("note", ""),
                ".".join(one["path"]),
            )
        )  # fmt: skip
    return out.getvalue().encode()


def _again(path: list[str], result: Mapping[str, Any]) -> bool:
    """Whether a group's measure is that of its attribute, whose only group it is."""
    if path[0] != "certification" or "groups" not in path:
        return False
    groups = result["certification"]["attributes"][path[2]]["groups"]
    return len(groups) <= 2


def _words(path: list[str], result: Mapping[str, Any], plan: Plan | None) -> tuple[str, str]:
    last = path[-1]
    what = TITLES.get(last) or _PLAIN.get(last) or last.replace("_", " ").capitalize()
    if path[0] == "certification":
        if path[1] == "fairness_score":
            return ALL, what
        of = path[2]
        if "groups" in path:
            group = result["certification"]["attributes"][of]["groups"].get(path[4], {})
            of = f"{of}: {called(path[4], group)}"
        return of, what
    title = method(path[0]).title if path[0] in NAMES else path[0]
    if path[0] == "intersection" and path[1] == "cells" and plan is not None:
        groups = result["intersection"]["cells"][path[2]].get("groups") or {}
        return (crossing_words(plan=plan, groups=groups) if groups else path[2]), what
    kept = [
        p for p in path[1:-1] if p not in ("attributes", "groups", "quoted", "models", "metrics")
    ]
    between = ", ".join(p.replace("_", " ") for p in kept)
    return title, f"{between}: {what}" if between else what


def _findings(
    found: Mapping[str, Any], told: list[tuple[str, str, Mapping[str, Any]]]
) -> Iterator[Finding]:
    turn = found["recommendation"]
    if turn["before"] and turn["after"]:
        code = "recertify.recommendation" + ("" if turn["turned"] else "_same")
        yield Finding(code, "note", "Recommendation", say(code, before=turn["before"], after=turn["after"]))  # fmt: skip
    for of, what, one in told:
        if one["turned"]:
            text = say(
                "recertify.turned", what=_named(of, what), before=one["verdict_before"],
                after=one["verdict_after"], then=_value(one, one["before"]),
                now=_value(one, one["after"]),
            )  # fmt: skip
            grade = {"outside": "shown", "within": "ruled out"}.get(str(one["verdict_after"]), "not settled")  # fmt: skip
            yield Finding("recertify.turned", grade, of, text)
    if not any(one["turned"] for _, _, one in told):
        text = say("recertify.turned_none", n=len(told))
        yield Finding("recertify.turned_none", "note", "Verdicts", text)
    data = found["data"]
    code = "data_same" if data["same"] else "data_shared" if data["shared"] else "data_new"
    yield Finding(f"recertify.{code}", "note", "Data", say(f"recertify.{code}"))
    moved = [
        _named(of, what)
        for of, what, one in told
        if one["change"]["low"] is not None
        and not one["change"]["low"] <= 0 <= one["change"]["high"]
    ]
    if moved:
        names = "; ".join(moved[:8]) + ("; and others" if len(moved) > 8 else "")
        text = say("recertify.moved", n=len(moved), of=len(told), names=names)
        yield Finding("recertify.moved", "note", "Changes", text)
    elif not data["shared"]:
        yield Finding("recertify.moved_none", "note", "Changes", say("recertify.moved_none"))
    if found["rules_changed"]:
        keys = wording.listed([say(f"recertify.key.{key}") for key in found["rules_changed"]])
        text = say("recertify.rules_changed", keys=keys)
        yield Finding("recertify.rules_changed", "note", "Plan", text)
    if found["versions_changed"]:
        text = say("recertify.versions_changed")
        yield Finding("recertify.versions_changed", "note", "Program", text)


def _named(of: str, what: str) -> str:
    return what if of == ALL else f"{what}, {of}"


def _data(found: Mapping[str, Any]) -> PrintedTable:
    rows = tuple(
        (
            say(f"recertify.role.{file['role']}").capitalize(),
            wording.count(file["rows_before"]),
            wording.count(file["rows_after"]),
            "the same" if file["same"] else "in part the same" if file["shared"] else "others",
        )
        for file in found["data"]["files"]
    )
    return PrintedTable("Data then and now", ("Files for", "Rows then", "Rows now", "Files"), rows, "lrrl")  # fmt: skip


def _tables(
    found: Mapping[str, Any], told: list[tuple[str, str, Mapping[str, Any]]], confidence: float
) -> Iterator[PrintedTable]:
    """One table an attribute of the certification, one for each other method."""
    parts: dict[str, list[tuple[Any, ...]]] = {}
    for of, what, one in told[:MOST]:
        name = one["path"][0]
        title = method(name).title if name in NAMES else name
        if name == "certification":
            title = of
        elif of != title:
            what = f"{of}: {what[:1].lower()}{what[1:]}"
        parts.setdefault(title, []).append(
            (
                what, _value(one, one["before"]), _value(one, one["after"]),
                _value(one, one["change"]["value"], sign=True) or one["change"]["reason"],
                _ends(one), _verdict(one["verdict_after"]),
                str(one["verdict_before"]) if one["turned"] else "",
            )
        )  # fmt: skip
    head = ("Measure", "Then", "Now", "Change", f"{100 * confidence:g} % interval", "Verdict now",
            "Turned from")  # fmt: skip
    left = len(found["metrics"]) - min(len(told), MOST)
    notes = (say("recertify.left_out", n=wording.count(left)),) if left > 0 else ()
    for place, (title, rows) in enumerate(parts.items(), start=1):
        last = place == len(parts)
        yield PrintedTable(f"{title}: then and now", head, tuple(rows), "lrrrrll", notes if last else ())  # fmt: skip


def _verdict(word: Any) -> Any:
    return Verdict(str(word)) if word else "–"


def _value(one: Mapping[str, Any], value: float | None, *, sign: bool = False) -> str:
    if value is None:
        return "" if sign else "–"
    large = max(abs(one["before"] or 0), abs(one["after"] or 0)) >= 100
    return wording.number(value, digits=0 if large else 3, sign=sign)


def _ends(one: Mapping[str, Any]) -> str:
    change = one["change"]
    if change["low"] is None:
        return "–"
    large = max(abs(change["low"]), abs(change["high"])) >= 100
    return wording.interval(change["low"], change["high"], digits=0 if large else 3, sign=True)


def _chart(told: list[tuple[str, str, Mapping[str, Any]]], confidence: float) -> IntervalChart:
    rows = tuple(
        IntervalRow(
            label=what, sub=f"{_value(one, one['before'])} then, {_value(one, one['after'])} now",
            group=of, value=one["change"]["value"], low=one["change"]["low"],
            high=one["change"]["high"], verdict=None,
            shown=_value(one, one["change"]["value"], sign=True), shown_interval=_ends(one),
            reason=one["change"]["reason"], ideal=0.0,
        )
        for of, what, one in told
    )  # fmt: skip
    words = say("recertify.figure")
    return IntervalChart(
        key=AGAINST, title=say("recertify.figure_title"), sentence=words, alt=words, rows=rows,
        confidence=confidence, x_label=say("recertify.figure_axis"),
    )  # fmt: skip
