"""Scenarios in sentences, beside the stand-in as it is."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from engine.base.wording import interval, listed, number, percent
from engine.fairness.metrics import METRICS, WORDS
from engine.messages import say
from engine.methods.base import Finding, PrintedTable, Section
from engine.methods.intersection.words import crossing_words
from engine.plan.model import Plan

ACROSS = 6
"""Scenarios that stand side by side in one table of crossings; more go into the next one."""
MOST_CROSSINGS = 60
FLAGS = {"FLAGGED": "flagged", "OK": "ok", "UNDECIDED": "undecided", "INSUFFICIENT": "too few"}
TELLS = 0.65
"""From this area under the curve on, all features together are said to tell the attribute."""


def _ends(one: Mapping[str, Any]) -> str:
    ends = interval(one["low"], one["high"])
    return f" ({ends})" if ends else ""


def _worst_ratio(one: Mapping[str, Any]) -> float | None:
    known = [
        c["ratio"]["value"]
        for key, c in one["cells"].items()
        if c["flag"] != "INSUFFICIENT" and key != one["reference"]
    ]
    return min((r for r in known if r is not None), default=None)


def findings(*, result: Mapping[str, Any], plan: Plan) -> list[Finding]:
    """What each scenario changes, and which features tell the attribute."""
    first, *rest = result["scenarios"]
    found: list[Finding] = [Finding("mitigation.study", "note", "Scenarios", result["note"])]
    if first["reason"]:
        text = say("mitigation.unknown", name=first["name"], reason=first["reason"])
        found.append(Finding("mitigation.unknown", "not computable", first["name"], text))
    elif first["fairness_score"]["value"] is not None:
        text = say(
            "mitigation.base", model=result["model_title"], accuracy=percent(first["accuracy"]["value"]),
            score=number(first["fairness_score"]["value"]), interval=_ends(first["fairness_score"]),
        )  # fmt: skip
        found.append(Finding("mitigation.base", "note", first["name"], text))
    for one in rest:
        found += _one(one, first, result.get("words", {}))
    return found + _proxies(result)


def _one(
    one: Mapping[str, Any], first: Mapping[str, Any], words: Mapping[str, Mapping[str, str]]
) -> list[Finding]:
    score, base = one["fairness_score"]["value"], first["fairness_score"]["value"]
    if one["reason"] or score is None or base is None:
        reason = one["reason"] or one["fairness_score"]["reason"] or first["reason"]
        text = say("mitigation.unknown", name=one["name"], reason=reason)
        return [Finding("mitigation.unknown", "not computable", one["name"], text)]
    gain = score - base
    code = "mitigation.better" if gain > 0 else "mitigation.worse"
    cost = one["accuracy"]["value"] - first["accuracy"]["value"]
    before, after = _worst_ratio(first), _worst_ratio(one)
    text = say(
        code,
        name=one["name"],
        gain=number(abs(gain)),
        score=number(score),
        interval=_ends(one["fairness_score"]),
        cost=number(100 * cost, digits=1, sign=True),
    )
    if before is not None and after is not None:
        text += " " + say("mitigation.worst_crossing", before=number(before), after=number(after))
    settled = not _overlap(one["fairness_score"], first["fairness_score"])
    if not settled:
        text += " " + say("mitigation.overlap")
    action = say("mitigation.better_do") if gain > 0 and settled else ""
    grade = "note" if settled else "not settled"
    found = [Finding(code, grade, one["name"], text, action)]
    name = one["attribute"]
    metrics = one["attributes"][name]["metrics"]
    spd = metrics["SPD"]["value"]
    odds = [abs(metrics[m]["value"]) for m in ("EOD", "EMOD") if metrics[m]["value"] is not None]
    if spd is not None and abs(spd) < 1e-6 and odds and max(odds) > 0.05:
        text = say(
            "mitigation.data_only", name=one["name"], spd=number(spd),
            odds=number(100 * max(odds), digits=1),
        )  # fmt: skip
        found.append(Finding("mitigation.data_only", "note", one["name"], text))
    if one["change"].startswith("cell factor"):
        group, after_rate = next(iter(one["training"]["groups"].items()))
        text = say(
            "mitigation.cell_factor", group=f"{name} {words.get(name, {}).get(group, group)}",
            before=percent(_base_rate(first, name, group)), after=percent(after_rate),
        )  # fmt: skip
        found.append(Finding("mitigation.cell_factor", "note", one["name"], text))
    return found


def _overlap(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether two intervals share a point; unknown ends count as overlapping."""
    if None in (one["low"], one["high"], other["low"], other["high"]):
        return True
    return bool(one["low"] <= other["high"] and other["low"] <= one["high"])


def _base_rate(first: Mapping[str, Any], name: str, group: str) -> float | None:
    counts = first["attributes"][name]["groups"].get(group, {}).get("counts")
    if not counts or not counts["training"]:
        return None
    return float(counts["training_favourable"] / counts["training"])


def _proxies(result: Mapping[str, Any]) -> list[Finding]:
    part = result["proxies"]
    name = result["attribute"]
    if part["reason"]:
        return [Finding("mitigation.proxy", "not computable", "Proxies", part["reason"])]
    found = []
    for p in sorted(part["features"], key=lambda p: -(p["auc"] or 0)):
        if not p["proxy"] or p["auc"] is None:
            continue
        moves = percent(p["moves"]) or "an unknown share"
        text = say(
            "mitigation.proxy",
            feature=p["feature"],
            attribute=name,
            auc=number(p["auc"], digits=2),
            moves=moves,
        )
        todo = say("mitigation.proxy_do", feature=p["feature"])
        found.append(Finding("mitigation.proxy", "note", p["feature"], text, todo))
    if part["together"] is not None:
        code = "mitigation.together" if part["together"] >= TELLS else "mitigation.together_little"
        text = say(code, attribute=name, auc=number(part["together"], digits=2))
        found.append(Finding(code, "note", "Proxies", text))
    return found


def sections(*, result: Mapping[str, Any], plan: Plan) -> list[Section]:
    """Scenarios as report and window show them, side by side as in table 1 of paper 001."""
    told = findings(result=result, plan=plan)
    scenarios = [f for f in told if "prox" not in f.code and "together" not in f.code]
    return [
        Section(
            title="What would help (a study)",
            paragraphs=(result["note"],),
            tables=(_overview(result, plan),),
            charts=("scenarios",),
        ),
        Section(
            title="What each scenario changes",
            findings=tuple(f for f in scenarios if f.code != "mitigation.study"),
            level=2,
        ),
        Section(
            title="All numbers of the scenarios",
            tables=(_metrics(result), *_crossed(result)),
            level=2,
        ),
        Section(
            title="Proxies",
            findings=tuple(f for f in told if f not in scenarios),
            tables=(_features(result),),
            charts=("proxies",),
            level=2,
        ),
    ]


def _named(result: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
    """The scenarios with their numbers, by which the tables call them."""
    return [(f"{n} · {one['name']}", one) for n, one in enumerate(result["scenarios"], 1)]


def _order(result: Mapping[str, Any]) -> list[str]:
    """The protected attributes in the order of the plan."""
    return list(result.get("order") or result["scenarios"][0]["bias_index"])


def _overview(result: Mapping[str, Any], plan: Plan) -> PrintedTable:
    level = f"{100 * plan.confidence:g} % interval"
    names = _order(result)
    rows = []
    remarks = []
    for called, one in _named(result):
        score = one["fairness_score"]
        rows.append(
            (called, *(number(one["bias_index"][n]["value"]) for n in names), number(score["value"]),
             interval(score["low"], score["high"]), percent(one["accuracy"]["value"]),
             percent(one["selection_rate"]), number(_worst_ratio(one)))
        )  # fmt: skip
        remark = one["reason"] or " ".join(one["notes"])
        remarks += [f"{called}: {remark}"] if remark else []
    head = ("Scenario", *(f"Index, {n}" for n in names), "Score", level,
            "Accuracy", "Favourable", "Worst crossing")  # fmt: skip
    notes = (
        "Index: Bias Index of the attribute. Score: Fairness Score. Worst crossing: its rate over that of the reference.",
        *remarks,
    )
    return PrintedTable(
        "Scenarios side by side", head, tuple(rows), "l" + "r" * (len(head) - 1), notes
    )


def _metrics(result: Mapping[str, Any]) -> PrintedTable:
    """The rows and columns of table 1 of paper 001: a row for each scenario and attribute."""
    rows = []
    for called, one in _named(result):
        mine = [(n, one["attributes"][n]) for n in _order(result) if n in one["attributes"]]
        for place, (name, part) in enumerate(mine):
            values = [number(part["metrics"][m]["value"], sign=m != "DI") for m in METRICS]
            score = number(one["fairness_score"]["value"]) if not place else ""
            index = number(part["bias_index"]["value"])
            rows.append((called if not place else "", name, *values, index, score))
    head = ("Scenario", "Attribute", *METRICS, "Index", "Score")
    gloss = "; ".join(f"{m} {WORDS[m].lower()}" for m in METRICS)
    notes = (
        f"{gloss}.",
        "SPD and DI describe the training data of the scenario, the others its decisions on the same test people.",
    )
    align = "ll" + "r" * (len(METRICS) + 2)
    return PrintedTable("All metrics, as in table 1 of paper 001", head, tuple(rows), align, notes)


def _crossed(result: Mapping[str, Any]) -> list[PrintedTable]:
    """Ratios of crossings, a few scenarios a table."""
    shown = [(n, one) for n, one in enumerate(result["scenarios"], 1) if one["cells"]]
    made = []
    tables = max(1, math.ceil(len(shown) / ACROSS))
    wide = max(1, math.ceil(len(shown) / tables))
    for start in range(0, len(shown), wide):
        mine = shown[start : start + wide]
        cells = mine[0][1]["cells"]
        rows = tuple(
            (crossing_words(cells[key].get("groups", {"": key}), result.get("words"), _order(result)).strip(),
             *(_ratio(one["cells"][key]) for _, one in mine))
            for key in list(cells)[:MOST_CROSSINGS]
        )  # fmt: skip
        notes = tuple(f"{n}: {one['name']}." for n, one in mine)
        if len(cells) > MOST_CROSSINGS:
            notes += (f"The first {MOST_CROSSINGS} of {len(cells)} crossings; the file holds all.",)
        made.append(
            PrintedTable(
                "Crossed groups: ratio to the reference",
                ("Crossing", *(f"Scenario {n}" for n, _ in mine)),
                rows,
                "l" + "r" * len(mine),
                (" ".join(notes),),
            )
        )
    return made


def _ratio(cell: Mapping[str, Any]) -> str:
    value = number(cell["ratio"]["value"])
    return f"{value} {FLAGS[cell['flag']]}".strip()


def _features(result: Mapping[str, Any]) -> PrintedTable:
    rows = []
    for p in sorted(result["proxies"]["features"], key=lambda p: -(p["auc"] or 0)):
        word = "the attribute itself" if p["own"] else ("proxy" if p["proxy"] else "")
        rows.append((p["feature"], number(p["auc"], digits=2), percent(p["moves"]), word))
    left = listed(result["proxies"]["left_out"]) or "nothing"
    head = ("Feature", "Tells the attribute", "Decisions it moves", "Counts as")
    return PrintedTable(
        "What features tell and move",
        head,
        tuple(rows),
        "lrrl",
        (f"Left out in the scenarios without proxies: {left}.",),
    )
