"""Monitoring in sentences: what fired first, then what chance alone would fire."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.base.wording import count, interval, number, p_value, percent
from engine.messages import say
from engine.methods.base import Finding, PrintedTable, Section, Verdict
from engine.plan.model import Plan

from .telling import seldom_told

GRADE = {"roll back": "shown", "investigate": "not settled"}
MANY_ALARMS = 3.0


def findings(*, result: Mapping[str, Any], plan: Plan) -> list[Finding]:
    """Triggers, false alarms, composition, scores, the certificate."""
    found: list[Finding] = []
    for entry in result["timeline"]:
        if entry["value"] != "none":
            code = "monitoring.roll_back" if entry["value"] == "roll back" else "monitoring.investigate"  # fmt: skip
            text = say(code, period=entry["period"], why=" ".join(entry["why"]))
            found.append(
                Finding(code, GRADE[entry["value"]], entry["period"], text, say(f"{code}_do"))
            )
        for note in entry["notes"]:
            text = say("monitoring.broken", period=entry["period"], note=note)
            found.append(Finding("monitoring.broken", "note", entry["period"], text))
    found.sort(key=lambda f: {"shown": 0, "not settled": 1}.get(f.grade, 2))
    seldom = seldom_told(result)
    blind = bool(seldom) and not any(result["counted"].values())
    if result["trigger"]["value"] == "none" and not blind:
        text = say("monitoring.quiet", n=len(result["order"]))
        grade = "note" if seldom else "ruled out"
        found.insert(0, Finding("monitoring.quiet", grade, "Triggers", text))
    if blind:
        text = say("monitoring.blind", n=len(result["order"]), minimum=seldom["minimum"])
        action = say("monitoring.blind_do")
        found.insert(0, Finding("monitoring.blind", "not checked", "Triggers", text, action))
    elif seldom:
        text = say("monitoring.seldom", **seldom)
        found.append(Finding("monitoring.seldom", "not checked", "Triggers", text))
    latest = result["latest"]
    text = say("monitoring.latest", period=latest["period"], value=latest["value"])
    found.append(Finding("monitoring.latest", "note", "Latest period", text))
    found.append(_alarms(result))
    found += _composition(result, plan)
    found += _scores(result)
    found += _against(result)
    agreed = result["rules"]["agreed"]
    code = "monitoring.agreed" if agreed else "monitoring.not_agreed"
    grade = "note" if agreed else "not checked"
    found.append(Finding(code, grade, "Triggers", say(code, agreed=agreed)))
    return found


def _alarms(result: Mapping[str, Any]) -> Finding:
    alarms = result["expected_false_alarms_a_year"]
    if alarms["any"] is None:
        return Finding("monitoring.alarms", "not computable", "False alarms", alarms["reason"])
    text = say(
        "monitoring.alarms", any=number(alarms["any"], digits=2),
        investigate=number(alarms["investigate"], digits=2),
        roll_back=number(alarms["roll_back"], digits=2), share=percent(alarms["share_of_years"]),
        years=count(alarms["years"]),
    )  # fmt: skip
    if alarms["any"] > MANY_ALARMS:
        text += " " + say("monitoring.alarms_many")
    return Finding("monitoring.alarms", "note", "False alarms", text)


def _watched(result: Mapping[str, Any]) -> list[str]:
    return [p for p in result["order"] if not result["periods"][p]["is_level"]]


def _composition(result: Mapping[str, Any], plan: Plan) -> list[Finding]:
    known = [p for p in _watched(result) if result["periods"][p]["psi"] is not None]
    if not known:
        return []
    worst = max(known, key=lambda p: result["periods"][p]["psi"])
    part = result["periods"][worst]
    over = part["psi"] > result["rules"]["psi_limit"]
    chance = part["chi2_p"] is None or part["chi2_p"] > 1 - plan.confidence
    grade = "note" if not over else "not settled" if chance else "shown"
    text = say(
        "monitoring.composition", psi=number(part["psi"]), period=worst, p=p_value(part["chi2_p"])
    )
    return [Finding("monitoring.composition", grade, "Composition", text)]


def _scores(result: Mapping[str, Any]) -> list[Finding]:
    found = []
    moved = [
        (p, result["periods"][p]["score_drift"])
        for p in _watched(result)
        if result["periods"][p]["score_drift"]["change"]["value"] is not None
    ]
    if moved:
        period, part = max(moved, key=lambda m: abs(m[1]["change"]["value"]))
        change = part["change"]
        text = say(
            "monitoring.scores", change=number(change["value"], sign=True), period=period,
            interval=interval(change["low"], change["high"], sign=True), psi=number(part["psi"]),
        )  # fmt: skip
        found.append(Finding("monitoring.scores", "note", "Scores", text))
    missed = [
        (p, result["periods"][p]["calibration"]["offset"])
        for p in result["order"]
        if result["periods"][p]["calibration"].get("offset", {"value": None})["value"] is not None
    ]
    if missed:
        period, offset = max(missed, key=lambda m: abs(m[1]["value"]))
        text = say(
            "monitoring.calibrated", period=period, offset=number(offset["value"], sign=True),
            interval=interval(offset["low"], offset["high"], sign=True),
        )  # fmt: skip
        found.append(Finding("monitoring.calibrated", "note", "Calibration", text))
    return found


def _against(result: Mapping[str, Any]) -> list[Finding]:
    part = result["against_last_certificate"]
    if not part["cells"]:
        return [Finding("monitoring.against", "not checked", "Last certificate", part["reason"])]
    grades = {"within": "ruled out", "outside": "shown", "not settled": "not settled"}
    found = []
    for key, cell in part["cells"].items():
        change = cell["change"]
        if key == result["reference"]:  # 1 against 1
            continue
        if change["value"] is None:
            found.append(
                Finding(
                    "monitoring.against", "not computable", result["words"][key], change["reason"]
                )
            )
            continue
        text = say(
            "monitoring.against", cell=result["words"][key], now=number(cell["now"]["value"]),
            then=number(cell["certified"]["ratio"]), number=part["certificate"] or "before",
            change=number(change["value"], sign=True),
            interval=interval(change["low"], change["high"], sign=True),
        )  # fmt: skip
        found.append(
            Finding("monitoring.against", grades[change["verdict"]], result["words"][key], text)
        )
    return found


def sections(*, result: Mapping[str, Any], plan: Plan) -> list[Section]:
    """Monitoring as report and window show it."""
    charts = ["monitoring_timeline", "monitoring_ratios", "monitoring_control"]
    parts = [
        Section(
            title="Monitoring over time",
            paragraphs=(_opening(result),),
            findings=tuple(findings(result=result, plan=plan)),
            tables=(_rules(result), _latest(result, plan)),
            charts=tuple(charts),
        ),
        Section(
            title="Who applies, and how they score",
            tables=(_by_period(result),),
            charts=("monitoring_composition", *(("monitoring_scores",) if has_scores(result) else ())),
            level=2,
        ),
    ]  # fmt: skip
    return parts


def has_scores(result: Mapping[str, Any]) -> bool:
    """Whether any period has a mean score to compare."""
    return any(
        part["score_drift"]["change"]["value"] is not None for part in result["periods"].values()
    )


def _opening(result: Mapping[str, Any]) -> str:
    people = sum(part["rows"] for part in result["periods"].values())
    said = (
        f"{count(people)} people in {len(result['order'])} periods, {result['order'][0]} to "
        f"{result['order'][-1]}. Rates are of favourable {result['on']}; ratios are to "
        f"{result['words'].get(result['reference'], 'everybody')}. "
    )
    return (
        said + f"The level comes from {result['level']['from']}. Intervals: {result['intervals']}."
    )


def _rules(result: Mapping[str, Any]) -> PrintedTable:
    rules = result["rules"]
    rows = [
        ("Roll back", f"a ratio below {number(rules['hard_floor'], digits=2)}, once"),
        ("Roll back", f"a ratio below {number(rules['floor'], digits=2)} in {rules['consecutive']} counted periods running"),
        ("Investigate", f"a ratio below {number(rules['floor'], digits=2)}, once"),
        ("Investigate", f"a stability index of the composition above {number(rules['psi_limit'], digits=2)}"),
    ]  # fmt: skip
    if rules["control_level"] is not None:
        rows.append(
            ("Investigate", f"a rate outside its {100 * rules['control_level']:g} % control limits")
        )
    note = f"A crossing with fewer than {count(rules['minimum_effective_n'])} people in a period does not count there, and its run breaks."
    return PrintedTable("Triggers", ("Action", "Where"), tuple(rows), "ll", (note,))


def _latest(result: Mapping[str, Any], plan: Plan) -> PrintedTable:
    name = result["order"][-1]
    rows = []
    for key, cell in result["periods"][name]["cells"].items():
        ratio, control = cell["ratio"], cell["control"]
        rows.append(
            (
                result["words"][key],
                number(cell["effective_n"], digits=0),
                percent(cell["rate"]["value"]),
                f"{percent(control['low'])} to {percent(control['high'])}" if control["low"] is not None else "",
                number(ratio["value"]),
                ratio["reason"] or cell["counts_reason"] or interval(ratio["low"], ratio["high"]),
                Verdict(ratio["verdict"] if cell["counts"] or ratio["verdict"] == "not computable" else "not settled"),
            )
        )  # fmt: skip
    head = ("Crossing", "Effective number", "Favourable", "Control limits", "Ratio",
            f"{100 * plan.confidence:g} % interval", "Against the floor")  # fmt: skip
    return PrintedTable(f"The latest period, {name}", head, tuple(rows), "lrrrrrl")


def _by_period(result: Mapping[str, Any]) -> PrintedTable:
    rows = []
    for name in result["order"]:
        part = result["periods"][name]
        drift = part["score_drift"]["change"]["value"]
        offset = part["calibration"].get("offset", {"value": None})["value"]
        added = ", half a person added" if part["psi_smoothing"] != "none" else ""
        rows.append(
            (
                name + (" (level)" if part["is_level"] else ""),
                count(part["rows"]),
                (number(part["psi"]) + added) if part["psi"] is not None else part["psi_reason"],
                p_value(part["chi2_p"]),
                number(drift, sign=True),
                number(offset, sign=True),
                part["trigger"]["value"],
            )
        )
    head = ("Period", "People", "Stability index", "Chi-square p", "Mean score moved",
            "Mean score less observed rate", "Trigger")  # fmt: skip
    return PrintedTable("Each period", head, tuple(rows), "lrrrrrl")
