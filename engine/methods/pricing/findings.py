"""Prices and amounts in sentences: the gap first, then what stands behind it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from engine.base.wording import count, interval, listed, number, p_value, percent
from engine.messages import say
from engine.methods.base import Finding, PrintedTable, Section, Verdict
from engine.plan.model import Plan

from .gaps import worse_off
from .names import attributes, quotes, unit
from .names import cell as cell_words
from .names import group as group_words
from .names import sides as _sides
from .names import title as title_of
from .tables import STATISTICS

GRADE = {"within": "ruled out", "outside": "shown", "not settled": "not settled"}
REAL, APPROVAL = "\0real", "\0approval"
"""What stands in a table beside the quotes."""
TAIL_FACTOR = 2.0
"""Means and medians that differ by more than this are told apart in a sentence."""


class Units:
    """The amounts of one quote, with as many decimals as their size needs, and their currency."""

    def __init__(self, result: Mapping[str, Any], name: str) -> None:
        part = result["quoted"].get(name, result["real_gap"])
        means = [abs(m) for m in part.get("means", {}).values() if m is not None]
        largest = max(means, default=1.0)
        size = math.floor(math.log10(largest)) if largest > 0 else 0
        self.digits = min(6, max(0, 3 - size))
        self.unit = unit(result, name)

    def amount(self, value: float | None, *, sign: bool = True, bare: bool = False) -> str:
        """One amount with its currency; ``bare`` without, for a table whose head names it."""
        shown = number(value, digits=self.digits, sign=sign)
        return f"{shown}{self.unit}" if shown and not bare else shown

    def ends(self, one: Mapping[str, Any], *, bare: bool = False) -> str:
        """An interval of amounts."""
        if one["low"] is None:
            return "no interval"
        shown = interval(one["low"], one["high"], digits=self.digits, sign=True)
        return shown if bare else f"{shown}{self.unit}"


def findings(*, result: Mapping[str, Any], plan: Plan) -> list[Finding]:
    """What the amounts say, of the first attribute; the tables hold the others."""
    names = _sides(result)
    found: list[Finding] = []
    for model, quoted in quotes(result):
        title, units = title_of(result, model), Units(result, model)
        found += _gap(result, title, quoted, units, names)
        found += _marks(result, title, quoted, units)
        found += _tails(title, quoted, units)
        found += _strata(title, quoted, units)
        found += _residual(title, quoted, units, result)
        if "gap_refitted" in quoted and quoted["gap_refitted"]["low"] is not None:
            text = say(
                "pricing.refitted",
                model=title,
                interval=units.ends(quoted["gap_refitted"]),
                fixed=units.ends(quoted["gap"]),
            )
            found.append(Finding("pricing.refitted", "note", title, text))
    found += _real(result)
    found += _approval(result)
    found += _crossed(result)
    return found


def _relative(quoted: Mapping[str, Any]) -> str:
    share = quoted["relative_gap"]["value"]
    return "" if share is None else f", {number(100 * share, digits=1, sign=True)} %"


def _gap(
    result: Mapping[str, Any],
    title: str,
    quoted: Mapping[str, Any],
    units: Units,
    names: tuple[str, str],
) -> list[Finding]:
    gap = quoted["gap"]
    if gap["value"] is None:
        return [Finding("pricing.gap", "not computable", title, gap["reason"])]
    common = {
        "model": title,
        "value": units.amount(gap["value"]),
        "relative": _relative(quoted),
        "interval": units.ends(gap),
    }
    chance = ""
    if quoted["permutation_p"] is not None:
        chance = " " + say("pricing.permutation", model=title, p=p_value(quoted["permutation_p"]))
    if gap["low"] is None:
        text = say("pricing.no_interval", **common, note=gap.get("note", ""))
        return [Finding("pricing.no_interval", "not settled", title, text)]
    if gap["low"] <= 0 <= gap["high"]:
        text = say("pricing.level", **common) + chance
        return [Finding("pricing.level", "not settled", title, text, say("pricing.level_do"))]
    worse = quoted["worse_off"]
    word = say("pricing.unjudged")
    if worse is not None:
        word = say("pricing.worse" if worse else "pricing.better", adverse=quoted["adverse"])
    text = say(
        "pricing.gap",
        **common,
        unprivileged=names[0],
        privileged=names[1],
        size=units.amount(abs(gap["value"]), sign=False),
        direction="more" if gap["value"] > 0 else "less",
        worse=word,
    )
    text += chance + " " + say("pricing.not_unfair")
    grade = _grade(gap, quoted.get("adverse"))
    return [Finding("pricing.gap", grade, title, text, say("pricing.gap_do"))]


def _grade(gap: Mapping[str, Any], adverse: str | None) -> str:
    """Whether a worse amount is shown; where nobody said which direction is worse, not checked."""
    if gap["low"] is None or gap["low"] <= 0 <= gap["high"]:
        return "not settled"
    if adverse is None:
        return "not checked"
    return "shown" if worse_off(gap, adverse) else "note"


def _marks(
    result: Mapping[str, Any], title: str, quoted: Mapping[str, Any], units: Units
) -> list[Finding]:
    """Only where the auditor set a mark."""
    found = []
    for key, name in (("gap", "largest_gap"), ("relative_gap", "largest_relative_gap")):
        mark = result["pass_mark"][name]
        one = quoted[key]
        if mark is None or one["value"] is None:
            continue
        if key == "gap":
            shown = units.amount(one["value"]), units.ends(one), units.amount(mark, sign=False)
        else:
            ends = "no interval"
            if one["low"] is not None:
                ends = f"{percent(one['low'])} to {percent(one['high'])}"
            shown = percent(one["value"]), ends, percent(mark)
        text = say(
            "pricing.mark", model=title, what=STATISTICS[key].lower(), value=shown[0],
            interval=shown[1], mark=shown[2], word=one["verdict"],
        )  # fmt: skip
        found.append(Finding("pricing.mark", GRADE[one["verdict"]], title, text))
    return found


def _tails(title: str, quoted: Mapping[str, Any], units: Units) -> list[Finding]:
    mean, median = quoted["gap"]["value"], quoted["median_gap"]["value"]
    if mean is None or median is None or quoted["gap"]["low"] is None:
        return []
    half = (quoted["gap"]["high"] - quoted["gap"]["low"]) / 2
    if abs(mean - median) <= TAIL_FACTOR * half:
        return []
    text = say("pricing.tails", model=title, median=units.amount(median), mean=units.amount(mean))
    return [Finding("pricing.tails", "note", title, text)]


def _strata(title: str, quoted: Mapping[str, Any], units: Units) -> list[Finding]:
    part = quoted["by_risk_stratum"]
    known = [r for r in part["rows"] if r["gap"]["value"] is not None]
    found = []
    if known:
        worst = max(known, key=lambda r: abs(r["gap"]["value"]))
        whole = part["size_weighted"]
        text = say(
            "pricing.strata", model=title, value=units.amount(whole["value"]),
            interval=units.ends(whole), largest=units.amount(worst["gap"]["value"]),
            risk=worst["risk"], n=f"{count(worst['n']['unprivileged'])} and {count(worst['n']['privileged'])}",
        )  # fmt: skip
        grade = _grade(whole, quoted.get("adverse"))
        found.append(
            Finding("pricing.strata", grade, f"{title}, at equal risk", text, say("pricing.strata_do"))
        )  # fmt: skip
    if part["empty"]:
        text = say(
            "pricing.empty", model=title, n=len(part["empty"]), of=len(part["rows"]),
            names=listed(part["empty"]),
        )  # fmt: skip
        found.append(Finding("pricing.empty", "not computable", f"{title}, at equal risk", text))
    return found


def _residual(
    title: str, quoted: Mapping[str, Any], units: Units, result: Mapping[str, Any]
) -> list[Finding]:
    one = quoted["residual_gap"]
    if one["verdict"] == "not checked":
        other = result["actual"] is not None
        text = one["reason"]
        return [Finding("pricing.other_unit", "not checked", title, text)] if other else []
    subject = f"{title}, residual"
    if one["value"] is None:
        return [Finding("pricing.residual", "not computable", subject, one["reason"])]
    fields = {"model": title, "value": units.amount(one["value"]), "interval": units.ends(one)}
    if one["low"] is None or one["low"] <= 0 <= one["high"]:
        text = say("pricing.residual_level", **fields)
        return [Finding("pricing.residual_level", "not settled", subject, text)]
    who = _sides(result)[0 if one["value"] > 0 else 1]
    text = say("pricing.residual", **fields, who=who)
    return [Finding("pricing.residual", "shown", subject, text)]


def _real(result: Mapping[str, Any]) -> list[Finding]:
    real, units = result["real_gap"], Units(result, str(result["actual"]))
    if real["value"] is None:
        grade = real["verdict"] or "not computable"
        return [Finding("pricing.real", grade, "Real amounts", real["reason"])]
    said = []
    for model, quoted in quotes(result):
        gap = quoted["gap"]["value"]
        if gap is None or quoted["residual_gap"]["verdict"] == "not checked":
            continue
        wider = abs(gap) > abs(real["value"])
        code = "pricing.wider" if wider else "pricing.narrower"
        said.append(say(code, model=title_of(result, model)))
    text = say(
        "pricing.real", column=result["actual"], value=units.amount(real["value"]),
        interval=units.ends(real), quoted=" ".join(said),
    )  # fmt: skip
    return [Finding("pricing.real", "note", "Real amounts", text.strip())]


def _approval(result: Mapping[str, Any]) -> list[Finding]:
    one = result["approval_gap"]
    if one["value"] is None:
        grade = one["verdict"] or "not computable"
        return [Finding("pricing.approval", grade, "Approval", one["reason"])]
    ends = "no interval"
    if one["low"] is not None:
        ends = interval(100 * one["low"], 100 * one["high"], digits=1, sign=True)
    value = number(100 * one["value"], digits=1, sign=True)
    text = say("pricing.approval", value=value, interval=ends)
    return [Finding("pricing.approval", "note", "Approval", text)]


def _crossed(result: Mapping[str, Any]) -> list[Finding]:
    found = []
    for model in result["order"]:
        units = Units(result, model)
        known = [
            (cell, part["reference"], part["quoted"][model]["gap"])
            for cell, part in result["crossed"].items()
            if part["quoted"][model]["gap"]["low"] is not None
        ]
        if not known:
            continue
        cell, reference, gap = max(known, key=lambda k: abs(k[2]["value"]))
        text = say(
            "pricing.crossed", cell=cell_words(result, cell), model=title_of(result, model), reference=reference,
            value=units.amount(gap["value"]), interval=units.ends(gap),
        )  # fmt: skip
        grade = _grade(gap, result["quoted"][model].get("adverse"))
        found.append(Finding("pricing.crossed", grade, "Crossed groups", text))
    return found


def sections(*, result: Mapping[str, Any], plan: Plan) -> list[Section]:
    """Prices and amounts as report and window show them."""
    parts = [
        Section(
            title="Prices and amounts",
            paragraphs=(_opening(result, plan),),
            findings=tuple(findings(result=result, plan=plan)),
            tables=(_overview(result, plan),),
            charts=("pricing_distribution", "pricing_quantiles"),
        )
    ]
    if any(q["by_risk_stratum"]["rows"] for q in result["quoted"].values()):
        parts.append(
            Section(
                title="Prices at equal risk",
                tables=(_strata_table(result),),
                charts=("pricing_strata",),
                level=2,
            )
        )
    if result["crossed"]:
        parts.append(
            Section(title="Prices of crossed groups", tables=(_crossed_table(result),), level=2)
        )
    return parts


def _opening(result: Mapping[str, Any], plan: Plan) -> str:
    said = (
        f"{count(result['rows'])} people are compared by {result['attribute']}. Gaps are "
        f"{_sides(result)[0]} less {_sides(result)[1]}. "
    )
    said += (
        f"Intervals: percentile bootstrap at {100 * plan.confidence:g} %, each side drawn by itself "
        f"{count(result['interval']['resamples'])} times, the model held fixed."
    )
    how = [
        f" {m['title']} learnt from {count(m['trained_on'])} people without the protected attributes."
        for m in result["models"].values()
        if m["kind"] == "predicted"
    ]
    return said + "".join(how)


def _overview(result: Mapping[str, Any], plan: Plan) -> PrintedTable:
    rows: list[tuple[Any, ...]] = []
    marked = any(v is not None for v in result["pass_mark"].values())

    def add(group: str, name: str, words: str, one: Mapping[str, Any], kind: str) -> None:
        what = {REAL: "Real amounts", APPROVAL: "Approval"}.get(name) or title_of(result, name)
        if one["value"] is None:
            value, ends = "", one["reason"]
        elif kind == "share":
            value = f"{number(100 * one['value'], digits=1, sign=True)} %"
            ends = "" if one["low"] is None else f"{percent(one['low'])} to {percent(one['high'])}"
        elif kind == "points":  # of a rate that is itself in per cent
            value = f"{number(100 * one['value'], digits=1, sign=True)} points"
            ends = ""
            if one["low"] is not None:
                ends = interval(100 * one["low"], 100 * one["high"], digits=1, sign=True)
        elif kind == "ratio":
            value, ends = number(one["value"]), interval(one["low"], one["high"])
        else:
            units = Units(result, str(result["actual"]) if name == REAL else name)
            value, ends = units.amount(one["value"]), units.ends(one, bare=True)
        n = f"{count(one['n']['unprivileged'])} / {count(one['n']['privileged'])}"
        row: tuple[Any, ...] = (group, what, words, value, ends, n)
        if marked:
            row += (Verdict(one["verdict"]) if one["verdict"] else "",)
        rows.append(row)

    kinds = {"relative_gap": "share", "log_ratio": "ratio"}
    for attribute, part in attributes(result):
        for key, found in part["groups"].items():
            group = f"{attribute} {group_words(result, attribute, key)}"
            if found["real_gap"]["verdict"] != "not checked":
                add(group, REAL, "Gap of the means", found["real_gap"], "amount")
            for model in result["order"]:
                quoted = found["quoted"][model]
                for name, words in STATISTICS.items():
                    kind = kinds.get(name, "amount")
                    add(group, model, words, quoted[name], kind)
                if quoted["residual_gap"]["verdict"] != "not checked":
                    words = "Gap of real less quoted"
                    add(group, model, words, quoted["residual_gap"], "amount")
            if found["approval_gap"]["verdict"] != "not checked":
                add(group, APPROVAL, "Gap of the rates", found["approval_gap"], "points")
    head = ["Group", "Amount", "What", "Gap", f"{100 * plan.confidence:g} % interval",
            "People, unprivileged / privileged"]  # fmt: skip
    notes = ("Each group less the privileged one. " + say("pricing.not_unfair"),)
    return PrintedTable(
        "Gaps of prices and amounts",
        (*head, "Verdict") if marked else tuple(head),
        tuple(rows),
        "lllrrr" + "l" * marked,
        notes,
    )


def _strata_table(result: Mapping[str, Any]) -> PrintedTable:
    rows = []
    for model, quoted in quotes(result):
        units = Units(result, model)
        rows += [
            (
                title_of(result, model),
                row["risk"],
                count(row["n"]["unprivileged"]),
                count(row["n"]["privileged"]),
                units.amount(row["gap"]["value"]),
                row["gap"]["reason"] or units.ends(row["gap"], bare=True),
            )
            for row in quoted["by_risk_stratum"]["rows"]
        ]
    low, high = _sides(result)
    head = ("Amount", "Risk", f"People, {low}", f"People, {high}", "Gap of the means", "Interval")
    notes = (say("pricing.strata_do"),)
    return PrintedTable("Gap within strata of risk", head, tuple(rows), "llrrrr", notes)


def _crossed_table(result: Mapping[str, Any]) -> PrintedTable:
    rows = []
    for cell, part in result["crossed"].items():
        for model in result["order"]:
            one, units = part["quoted"][model], Units(result, model)
            gap, relative = one["gap"], one["relative_gap"]["value"]
            rows.append(
                (
                    cell_words(result, cell),
                    title_of(result, model),
                    count(gap["n"]["unprivileged"]),
                    units.amount(gap["value"]),
                    gap["reason"] or units.ends(gap, bare=True),
                    "" if relative is None else f"{number(100 * relative, digits=1, sign=True)} %",
                )
            )
    head = ("Crossing", "Amount", "People", "Gap of the means", "Interval", "Relative")
    first = next(iter(result["crossed"].values()))["reference"]
    return PrintedTable("Crossed groups", head, tuple(rows), "llrrrr", (f"Against {first}.",))
