"""Crossed groups in sentences, flagged ones first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.base.wording import count, interval, listed, number, p_value, percent
from engine.messages import say
from engine.methods.base import Finding, PrintedTable, Section, Verdict
from engine.plan.model import Plan

from .words import cell_words, keys_of, order_of, reference_words, size_of

WORD = {"FLAGGED": "shown", "OK": "ruled out", "UNDECIDED": "not settled"}
_NAMED = 6
"""More crossings than this are not named one by one in a sentence."""


def findings(*, result: Mapping[str, Any], plan: Plan) -> list[Finding]:
    """What the crossed groups say, worst first."""
    cells: Mapping[str, Any] = {key: result["cells"][key] for key in keys_of(result)}
    below = number(result["flag_below"], digits=2)
    reference = reference_words(result)
    found: list[Finding] = []
    flagged = _named(cells, "FLAGGED")
    for key in flagged:
        text = say("intersection.flagged", **_fields(result, key, reference, below))
        todo = say("intersection.flagged_do")
        found.append(Finding("intersection.flagged", "shown", cell_words(result, key), text, todo))
    found += _hidden(result, flagged, reference)
    found += _doubly(result, flagged)
    for key in _named(cells, "UNDECIDED")[: 2 * _NAMED]:
        text = say("intersection.undecided", **_fields(result, key, reference, below))
        todo = say("intersection.undecided_do")
        found.append(
            Finding("intersection.undecided", "not settled", cell_words(result, key), text, todo)
        )
    good = [key for key in _named(cells, "OK") if key != result["reference"]]
    if good:
        others = len(cells) - (result["reference"] in cells)
        text = say("intersection.ok", n=len(good), of=others, below=below, reference=reference)
        found.append(Finding("intersection.ok", "ruled out", "Crossed groups", text))
    short = [k for k, c in cells.items() if c["flag"] == "INSUFFICIENT"]
    if short:
        text = say(
            "intersection.insufficient",
            n=len(short),
            of=len(cells),
            cells=_some([f"{cell_words(result, k)} ({count(cells[k]['rows'])})" for k in short]),
        )
        todo = say("intersection.insufficient_do")
        found.append(
            Finding("intersection.insufficient", "not computable", "Crossed groups", text, todo)
        )
    other = [
        f"{cell_words(result, k)} {c['as_published']['flag']}"
        for k, c in cells.items()
        if c["as_published"]["flag"] != c["flag"]
    ]
    if other:
        text = say("intersection.published", cells=_some(other))
        found.append(Finding("intersection.published", "note", "As published", text))
    return found


def _named(cells: Mapping[str, Any], flag: str) -> list[str]:
    chosen = [k for k, c in cells.items() if c["flag"] == flag]
    return sorted(chosen, key=lambda k: (cells[k]["ratio"]["value"], k))


def _some(names: list[str]) -> str:
    if len(names) <= _NAMED:
        return listed(names)
    return listed([*names[:_NAMED], f"{len(names) - _NAMED} more"])


def _fields(result: Mapping[str, Any], key: str, reference: str, below: str) -> dict[str, str]:
    cell = result["cells"][key]
    ratio = cell["ratio"]
    return {
        "cell": cell_words(result, key),
        "rate": percent(cell["rate"]["value"]),
        "ratio": number(ratio["value"]),
        "interval": interval(ratio["low"], ratio["high"]),
        "reference": reference,
        "below": below,
    }


def _hidden(result: Mapping[str, Any], flagged: list[str], reference: str) -> list[Finding]:
    """Levels in every attribute alone, and a gap in a crossing."""
    below = result["flag_below"]
    lowest = {}
    for name, groups in ((n, result["margins"][n]) for n in order_of(result)):
        ratios = [
            g["ratio_to_highest"] for g in groups.values() if g["ratio_to_highest"] is not None
        ]
        if not ratios or min(ratios) < below:
            return []
        lowest[name] = min(ratios)
    if not flagged or len(lowest) < 2:
        return []
    margins = listed([f"{name} {number(ratio)}" for name, ratio in lowest.items()])
    worst = flagged[0]
    text = say(
        "intersection.hidden",
        margins=margins,
        cell=cell_words(result, worst),
        ratio=number(result["cells"][worst]["ratio"]["value"]),
        reference=reference,
    )
    return [Finding("intersection.hidden", "shown", cell_words(result, worst), text)]


def _doubly(result: Mapping[str, Any], flagged: list[str]) -> list[Finding]:
    """A flagged cell and one that is not, which are not shown to differ from each other."""
    cells = result["cells"]
    found = []
    for one in result["tests"]["pairs"]:
        pair = (one["cell"], one["other"])
        mine = [k for k in pair if k in flagged]
        other = [k for k in pair if k not in flagged]
        if len(mine) != 1 or result["reference"] in pair or one["p_adjusted"] is None:
            continue
        if one["p_adjusted"] < 0.05 or cells[other[0]]["flag"] == "INSUFFICIENT":
            continue
        text = say(
            "intersection.differs",
            cell=cell_words(result, mine[0]),
            other=cell_words(result, other[0]),
            difference=number(100 * abs(one["difference"]), digits=1),
            p=p_value(one["p_adjusted"]),
        )
        found.append(Finding("intersection.differs", "note", cell_words(result, mine[0]), text))
    return found[:_NAMED]


def sections(*, result: Mapping[str, Any], plan: Plan) -> list[Section]:
    """Crossed groups as report and window show them."""
    told = findings(result=result, plan=plan)
    parts = [
        Section(
            title="Crossed groups",
            paragraphs=(_opening(result), *result.get("membership_notes", ())),
            findings=tuple(told),
            tables=(_cells(result, plan),),
            charts=("crossed_grid", "crossed_ratios"),
        )
    ]
    tests = [
        _tests(result, part) for part in ("against_reference", "pairs") if result["tests"][part]
    ]
    if tests:
        parts.append(Section(title="Crossing against crossing", tables=tuple(tests), level=2))
    return parts


def _opening(result: Mapping[str, Any]) -> str:
    cells = result["cells"]
    empty = sum(1 for c in cells.values() if not c["rows"])
    names = listed(order_of(result))
    said = f"{count(result['rows'])} people are crossed by {names}: {len(cells)} crossings, {empty} of them empty. "
    return said + f"Rates are of favourable {result['on']}."


def _cells(result: Mapping[str, Any], plan: Plan) -> PrintedTable:
    soft = bool(result["soft"])
    rows = []
    for key in keys_of(result):
        c = result["cells"][key]
        row: list[Any] = [
            cell_words(result, key),
            count(c["rows"]),
            number(size_of(c), digits=1),
        ]
        if soft:
            row += [number(c["kish_n"], digits=1), percent(c["imputed_share"])]
        rate, ratio = c["rate"], c["ratio"]
        row += [
            percent(rate["value"]),
            number(ratio["value"]),
            interval(ratio["low"], ratio["high"]),
            number(c["ratio_to_overall"]["value"]),
        ]
        row += [
            interval(c["bounds"]["low"], c["bounds"]["high"]),
            c["as_published"]["flag"].lower(),
        ]
        row.append(Verdict(WORD.get(c["flag"], "not computable")))
        rows.append(tuple(row))
    head = ["Crossing", "People", "Effective number"]
    head += ["Kish's number", "Imputed"] if soft else []
    head += [
        "Favourable",
        "Ratio",
        f"{100 * plan.confidence:g} % interval",
        "Ratio to everybody",
        "Rate, no assumption",
        "As published",
        "Lower rate",
    ]
    notes = (
        f"Ratio: rate over the rate of {reference_words(result)}. Lower rate: whether a ratio below "
        f"{number(result['flag_below'], digits=2)} is shown, ruled out or not settled.",
        "Rate, no assumption: the lowest and highest rate possible, whoever the people with an unknown group are.",
    )
    align = "l" + "r" * (len(head) - 3) + "ll"
    return PrintedTable("Every crossing", tuple(head), tuple(rows), align, notes)


def _tests(result: Mapping[str, Any], part: str) -> PrintedTable:
    title = {
        "against_reference": f"Each crossing against {reference_words(result)}",
        "pairs": "Crossings against each other",
    }[part]
    rows = tuple(
        (
            cell_words(result, one["cell"]),
            cell_words(result, one["other"]),
            number(one["difference"], sign=True),
            interval(one["low"], one["high"], sign=True),
            one["test"],
            p_value(one["p"]),
            p_value(one["p_adjusted"]),
        )
        for one in result["tests"][part]
    )
    head = ("Crossing", "Compared with", "Difference", "Interval", "Test", "p", "p after Holm")
    made = sum(1 for one in result["tests"][part] if one["p"] is not None)
    note = f"Holm's correction over the {made} tests made here."
    return PrintedTable(title, head, rows, "llrrlrr", (note,))
