"""The tables of the cross-validated tests as window and paper show them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.base.wording import MINUS, count, listed, number, p_value, percent
from engine.messages import say
from engine.methods.base import PrintedTable, Verdict
from engine.plan.model import Plan

from .answers import DEFINITIONS
from .tables import WORDS
from .words import GRADE, called, ends, points

MOST_COLUMNS = 8
"""Outcomes up to which a table of recorded against decided is printed; the file holds all."""


def pooled(result: Mapping[str, Any], attribute: Mapping[str, Any], plan: Plan) -> PrintedTable:
    """The differences that the answers rest on."""
    rows: list[tuple[Any, ...]] = []
    for model in attribute["models"].values():
        for label, part in [("", model), *model.get("classes", {}).items()]:
            for metric, one in part["pooled"].items():
                rows.append(
                    (
                        model["title"] + (f", class {label}" if label else ""),
                        WORDS[metric],
                        points(one["value"]),
                        ends(one) if one["value"] is not None else "",
                        p_value(one["careful_p_adjusted"]),
                        p_value(one["equivalence_p_adjusted"]),
                        points(one["smallest_gap_adjusted"], sign=False),
                        Verdict(GRADE[one["answer"]]),
                    )
                )
    head = (
        "Algorithm", "Value", "Difference (points)", f"{100 * plan.confidence:g} % interval",
        "p after Holm", "p of equivalence after Holm", "Smallest that would show", "Answer",
    )  # fmt: skip
    notes = (
        f"Difference: {called(attribute, attribute['privileged'])} less the others, in points of a "
        "hundred. The interval is of this one difference, not corrected.",
        corrected(result),
        "Smallest that would show: the difference that so many people show in four audits of five, "
        "after the same correction.",
    )
    return PrintedTable("Differences of the pooled rates", head, tuple(rows), "llrrrrrl", notes)


def by_group(attribute: Mapping[str, Any]) -> PrintedTable:
    """Rates of each group, out of fold."""
    rows = []
    for model in attribute["models"].values():
        for key, g in model["groups"].items():
            rows.append(
                (
                    model["title"], called(attribute, key), count(g["tp"] + g["fn"]), count(g["fp"] + g["tn"]),
                    percent(g["TPR"]), percent(g["FPR"]), percent(g["FN_share"]),
                )
            )  # fmt: skip
    head = ("Algorithm", "Group", "Favourable outcome", "Unfavourable outcome", "True positive rate",
            "False positive rate", "False negatives among errors")  # fmt: skip
    return PrintedTable("Rates by group", head, tuple(rows), "llrrrrr")


def published_cell(model: Mapping[str, Any], definition: str, level: float) -> str:
    """A cell of the paper's table 3: a dash, or the p-values below the level."""
    p_values = model["definitions"][definition]["published_p"]
    known = [p for p in p_values if p is not None]
    if not known:
        return "not computable"
    low = [p_value(p) for p in known if p < level]
    return listed(low) if low else "–"


def table3(result: Mapping[str, Any], name: str, attribute: Mapping[str, Any]) -> PrintedTable:
    """The paper\'s table 3."""
    rows = tuple(
        (m["title"], *(published_cell(m, d, result["level"]) for d in DEFINITIONS))
        for m in attribute["models"].values()
    )
    head = ("Algorithm", *(d[:1].upper() + d[1:] for d in DEFINITIONS))
    note = (
        f"p-values below {number(result['level'], digits=2)}, not corrected; a dash is a larger p."
    )
    return PrintedTable(f"Table 3 of the paper: {name}", head, rows, "lrrrr", (note,))


def fold_tests(result: Mapping[str, Any], name: str, attribute: Mapping[str, Any]) -> PrintedTable:
    """Every test of the same folds, the published one first and corrected."""
    rows: list[tuple[Any, ...]] = []
    for model in attribute["models"].values():
        for value in ("TPR", "FPR", "FN_FP"):
            for test in model[value]["tests"].values():
                statistic = test["statistic"]
                main = test["test"] == model[value]["test"]
                rows.append(
                    (
                        model["title"], WORDS[value], test["test"],
                        number(statistic, sign=True) if statistic is not None else MINUS,
                        p_value(test["p"]) or "not computable",
                        p_value(model[value]["p_adjusted_all"]) if main else "",
                    )
                )  # fmt: skip
    undefined = sum(
        sum(m["FN_FP"]["undefined_folds"].values()) for m in attribute["models"].values()
    )
    notes = [
        f"{undefined} ratios of false negatives to false positives have no value and are left out."
    ]
    notes += [say("crossval.ratio_breaks"), corrected(result)]
    head = ("Algorithm", "Value", "Test", "Statistic", "p", "p after Holm")
    return PrintedTable(f"Tests fold by fold: {name}", head, tuple(rows), "lllrrr", tuple(notes))


def advised(name: str, attribute: Mapping[str, Any]) -> PrintedTable:
    """People of each outcome and group in a fold, for each k; the advised one is marked."""
    advice = attribute["advice"]
    keys = list(advice["table"][0]["groups"])
    rows = []
    for row in advice["table"]:
        cells: list[Any] = []
        for key in keys:
            n = row["groups"][key]
            cells.append(f"{n['positives']} and {n['negatives']}")
        mark = "enough" if row["enough"] else "too few"
        if row["k"] == advice["advised"]:
            mark = "advised"
        rows.append((str(row["k"]), *cells, mark))
    head = ("Folds", *(called(attribute, k) for k in keys), f"At least {advice['fewest']} of each")
    notes = [say("crossval.dealt")]
    if advice["reason"]:
        notes.append(advice["reason"])
    return PrintedTable(
        f"People in a fold: {name}", head, tuple(rows), "l" + "r" * len(keys) + "l", tuple(notes)
    )


def corrected(result: Mapping[str, Any]) -> str:
    """Over how many tests Holm's correction goes."""
    family = result["family"]
    return say(
        "crossval.corrected", all=family["all"], folds=family["folds"],
        differences=family["differences"], equivalence=family["equivalence"],
    )  # fmt: skip


def confusions(result: Mapping[str, Any], attribute: Mapping[str, Any]) -> tuple[PrintedTable, ...]:
    """For each algorithm the people by recorded outcome and decision, in each group: the paper's
    confusion matrix with more than two outcomes."""
    labels = result["labels"]
    if labels is None:
        return ()
    found = []
    for model in attribute["models"].values():
        title = f"Recorded against decided: {model['title']}"
        if len(labels) > MOST_COLUMNS:
            note = say("crossval.many_columns", n=len(labels))
            found.append(PrintedTable(title, ("Group", "Recorded"), (), "ll", (note,)))
            continue
        rows = tuple(
            (called(attribute, key) if not place else "", label, *map(count, matrix[place]))
            for key, matrix in model["confusion"].items()
            for place, label in enumerate(labels)
        )
        head = ("Group", "Recorded", *(f"Decided {label}" for label in labels))
        note = say("crossval.confusion")
        found.append(PrintedTable(title, head, rows, "ll" + "r" * len(labels), (note,)))
    return tuple(found)
