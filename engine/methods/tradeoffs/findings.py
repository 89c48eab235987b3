"""Conflicting definitions in sentences: base rates first, then each definition, then the choice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.base.wording import count, interval, listed, number, people, percent
from engine.messages import say
from engine.methods.base import Finding, PrintedTable, Section, Verdict
from engine.plan.model import Plan

from .words import group_words, named_group

GRADE = {
    "within": "ruled out",
    "outside": "shown",
    "not settled": "not settled",
    "not computable": "not computable",
}
HOLDS = {
    "within": "holds",
    "outside": "does not hold",
    "not settled": "is not settled",
    "not computable": "cannot be computed",
}


def points(value: float | None, *, sign: bool = False) -> str:
    """A share as percentage points."""
    return number(None if value is None else 100 * value, digits=1, sign=sign)


def _holds(holds: bool | None) -> str:
    """Whether the declared definition holds by its value, as a sentence before the reason."""
    if holds is None:
        return ""
    return say("tradeoffs.holds" if holds else "tradeoffs.holds_not")


def _ends(one: Mapping[str, Any]) -> str:
    low, high = one["low"], one["high"]
    if low is None or high is None:
        return "no interval"
    return interval(100 * low, 100 * high, digits=1, sign=True)


def _worse(*words: str) -> str:
    order = ["outside", "not computable", "not settled", "within"]
    return min(words, key=order.index)


def _apart(widest: float | None, result: Mapping[str, Any]) -> str:
    """How far any two of several groups lie apart, which a pooled gap can hide."""
    if widest is None or len(result["unprivileged"]) < 2:
        return ""
    return " " + say("tradeoffs.apart", widest=points(widest))


def findings(*, result: Mapping[str, Any], plan: Plan) -> list[Finding]:
    """What is measured, what can hold together, what was declared."""
    base = result["base_rates"]
    name = result["attribute"]
    unprivileged = f"{name} {listed([group_words(result, k) for k in result['unprivileged']])}"
    privileged = named_group(result, result["privileged"])
    found: list[Finding] = []
    rates = listed(
        [
            f"{percent(g['rate']) or 'nobody'} of {named_group(result, k)}"
            for k, g in base["groups"].items()
        ]
    )
    if base["gap"]["value"] is None:
        found.append(
            Finding("tradeoffs.base_rates", "not computable", "Base rates", base["gap"]["reason"])
        )
    else:
        text = say(
            "tradeoffs.base_rates",
            rates=rates,
            gap=points(base["gap"]["value"], sign=True),
            interval=_ends(base["gap"]),
        )
        gap = base["gap"]
        if gap["low"] is None or gap["low"] <= 0 <= gap["high"]:
            text += " " + say("tradeoffs.base_unsettled")
        found.append(
            Finding(
                "tradeoffs.base_rates", "note", "Base rates", text, say("tradeoffs.base_rates_do")
            )
        )
    parity = result["parity"]["gap"]
    word = result["parity"].get("verdict", parity["verdict"])  # older results: of all pooled
    if parity["value"] is None:
        text = parity["reason"]
    else:
        text = say(
            "tradeoffs.parity", gap=points(parity["value"], sign=True), interval=_ends(parity),
            unprivileged=unprivileged, privileged=privileged, word=HOLDS[word],
        )  # fmt: skip
        text += _apart(result["parity"]["widest"], result)
    found.append(Finding("tradeoffs.parity", GRADE[word], "Demographic parity", text))
    odds = result["odds"]
    tpr, fpr = odds["true_positive_gap"], odds["false_positive_gap"]
    word = odds.get("verdict") or _worse(tpr["verdict"], fpr["verdict"])
    if tpr["value"] is None or fpr["value"] is None:
        text = tpr["reason"] or fpr["reason"]
    else:
        text = say(
            "tradeoffs.odds",
            tpr=points(tpr["value"], sign=True),
            fpr=points(fpr["value"], sign=True),
            word=HOLDS[word],
        )
        text += _apart(odds["widest"], result)
    found.append(Finding("tradeoffs.odds", GRADE[word], "Equalised odds", text))
    found.append(_calibration(result))
    holding = [k for k, v in result["can_hold_together"]["holds_now"].items() if v]
    answer = result["can_hold_together"]["combinations"][-1]["why"]
    text = say(
        "tradeoffs.together",
        holding=f"{listed(holding)} {'hold' if len(holding) > 1 else 'holds'} by value"
        if holding
        else "none holds by value",
        answer=answer,
    )
    found.append(Finding("tradeoffs.together", "note", "Together", text))
    for cost in result["costs"]:
        ties = sum(t["ties"] for t in cost["thresholds"].values())
        text = say(
            "tradeoffs.cost", definition=cost["definition"].capitalize(), changed=count(cost["changed"]),
            of=count(cost["of"]), before=percent(cost["accuracy_before"]), after=percent(cost["accuracy_after"]),
            ties=say("tradeoffs.cost_ties", ties=people(ties)) if ties else "",
        )  # fmt: skip
        found.append(Finding("tradeoffs.cost", "note", cost["definition"], text))
    choice = result["declared_choice"]
    if choice["definition"] is None:
        found.append(
            Finding(
                "tradeoffs.undeclared", "not checked", "Your choice", say("tradeoffs.undeclared")
            )
        )
    else:
        text = say(
            "tradeoffs.declared",
            definition=choice["definition"],
            by=f", declared by {choice['by']}" if choice.get("by") else "",
            holds=_holds(choice["holds"]),
            reason=choice["reason"] or "none given.",
        )
        found.append(Finding("tradeoffs.declared", "note", "Your choice", text))
    residuals = [i["residual"] for i in result["identity"].values()]
    if all(r == 0.0 for r in residuals):
        found.append(Finding("tradeoffs.identity", "note", "Self-check", say("tradeoffs.identity")))
    return found


def _calibration(result: Mapping[str, Any]) -> Finding:
    groups = result["calibration"]
    if result["calibration_read"]["reason"]:
        return Finding(
            "tradeoffs.calibration",
            "not computable",
            "Calibration within groups",
            result["calibration_read"]["reason"],
        )
    word = _worse(*(g["ece"]["verdict"] for g in groups.values()))
    known = {k: g for k, g in groups.items() if g["ece"]["value"] is not None}
    if len(known) < len(groups):
        reason = next(g["ece"]["reason"] for g in groups.values() if g["ece"]["value"] is None)
        return Finding(
            "tradeoffs.calibration", "not computable", "Calibration within groups", reason
        )
    worst = max(known.values(), key=lambda g: g["ece"]["value"])
    text = say(
        "tradeoffs.calibration", ece=points(worst["ece"]["value"]), word=HOLDS[word],
        chance=points(worst["ece_by_chance"]),
    )  # fmt: skip
    return Finding("tradeoffs.calibration", GRADE[word], "Calibration within groups", text)


def sections(*, result: Mapping[str, Any], plan: Plan) -> list[Section]:
    """Conflicting definitions as report and window show them."""
    level = f"{100 * plan.confidence:g} % interval"
    rows = []
    reasons: list[str] = []
    for label, one in (
        ("Base rate", result["base_rates"]["gap"]),
        ("Favourable decisions", result["parity"]["gap"]),
        ("True positive rate", result["odds"]["true_positive_gap"]),
        ("False positive rate", result["odds"]["false_positive_gap"]),
        ("Precision", result["odds"]["precision_gap"]),
    ):
        ends = "" if one["low"] is None else interval(one["low"], one["high"], sign=True)
        rows.append((label, number(one["value"], sign=True), ends, Verdict(one["verdict"])))
        reasons += [f"{label}: {one['reason']}"] if one["reason"] else []
    gaps = PrintedTable(
        "Gaps, unprivileged less privileged", ("Rate", "Gap", level, "Verdict"), tuple(rows), "lrrl",
        (f"Within: the whole interval lies within {number(result['holds_within'], digits=2)}.", *reasons),
    )  # fmt: skip
    parts = [
        Section(
            title="Definitions that conflict", findings=tuple(findings(result=result, plan=plan)),
            tables=(_groups(result), gaps, _together(result)), charts=("definitions",),
        )
    ]  # fmt: skip
    if result["calibration"]:
        parts.append(
            Section(
                title="Calibration within groups",
                tables=(_scores(result),),
                charts=("reliability",),
                level=2,
            )
        )
    return parts


def _groups(result: Mapping[str, Any]) -> PrintedTable:
    rows = []
    for key, base in result["base_rates"]["groups"].items():
        odds = result["odds"]["groups"][key]
        rows.append(
            (group_words(result, key), count(base["n"]), percent(base["rate"]), percent(result["parity"]["groups"][key]["rate"]),
             percent(odds["TPR"]), percent(odds["FPR"]), percent(odds["PPV"]))
        )  # fmt: skip
    head = (
        "Group",
        "People",
        "Base rate",
        "Favourable decisions",
        "True positive rate",
        "False positive rate",
        "Precision",
    )
    return PrintedTable("Rates of each group", head, tuple(rows), "lrrrrrr")


def _together(result: Mapping[str, Any]) -> PrintedTable:
    words = {True: "yes", False: "no", None: "not known"}
    rows = tuple(
        (listed(c["definitions"]), words[c["possible"]], c["why"])
        for c in result["can_hold_together"]["combinations"]
    )
    return PrintedTable(
        "What can hold together here", ("Definitions", "Possible", "Why"), rows, "lll"
    )


def _scores(result: Mapping[str, Any]) -> PrintedTable:
    rows = []
    for key, g in result["calibration"].items():
        offset = g["mean_score_less_base_rate"]
        rows.append(
            (group_words(result, key), count(g["n"]), number(g["ece"]["value"]), interval(g["ece"]["low"], g["ece"]["high"]),
             number(g["ece_by_chance"]), number(offset["value"], sign=True), number(g["brier"]), Verdict(g["ece"]["verdict"]))
        )  # fmt: skip
    head = (
        "Group",
        "People",
        "Expected error",
        "Interval",
        "By chance alone",
        "Mean score less base rate",
        "Brier score",
        "Verdict",
    )
    return PrintedTable("Calibration of the score", head, tuple(rows), "lrrrrrrl")
