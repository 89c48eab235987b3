"""The tables of the cross-validated tests as window and paper show them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.base.wording import MINUS, count, listed, number, p_value, percent
from engine.messages import say
from engine.methods.base import PrintedTable, Verdict
from engine.plan.model import Plan

from .settings import ALGORITHM, PER_GROUP
from .tables import WORDS
from .words import GRADE, called, ends, points

NOT = "not computable"
SHOWN_K = (2, 5, 10, 15, 20)
"""Numbers of folds that are always told, beside the one used, the advised one and the next."""
MOST_GROUPS = 8
"""Groups up to which all are printed."""
MOST_ROWS = 60
"""Rows of differences up to which those of each class are printed."""
MOST_COLUMNS = 8
"""Outcomes up to which a table of recorded against decided is printed; the file holds all."""


def pooled(result: Mapping[str, Any], attribute: Mapping[str, Any], plan: Plan) -> PrintedTable:
    """The differences that the answers rest on."""
    rows: list[tuple[Any, ...]] = []
    parts = [[("", m), *m.get("classes", {}).items()] for m in attribute["models"].values()]
    whole = 3 * sum(map(len, parts))
    for model, own in zip(attribute["models"].values(), parts, strict=True):
        for label, part in own if whole <= MOST_ROWS else own[:1]:
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
        *((say("crossval.classes_left", n=count(whole - len(rows))),) if whole > len(rows) else ()),
    )
    return PrintedTable("Differences of the pooled rates", head, tuple(rows), "llrrrrrl", notes)


def by_group(attribute: Mapping[str, Any]) -> PrintedTable:
    """Rates of each group, out of fold."""
    rows = []
    keys = _told(attribute)
    for model in attribute["models"].values():
        for key in keys:
            g = model["groups"][key]
            rows.append(
                (
                    model["title"], called(attribute, key), count(g["tp"] + g["fn"]), count(g["fp"] + g["tn"]),
                    percent(g["TPR"]), percent(g["FPR"]), percent(g["FN_share"]),
                )
            )  # fmt: skip
    head = ("Algorithm", "Group", "Favourable outcome", "Unfavourable outcome", "True positive rate",
            "False positive rate", "False negatives among errors")  # fmt: skip
    return PrintedTable("Rates by group", head, tuple(rows), "llrrrrr", _left(attribute, keys))


def _told(attribute: Mapping[str, Any], *, fewest: bool = False) -> list[str]:
    """The groups that are printed: all, or of many the privileged one and the largest (or the
    smallest), in the order of the plan."""
    groups = attribute["groups"]
    if len(groups) <= MOST_GROUPS:
        return list(groups)
    first, *rest = groups
    sign = 1 if fewest else -1
    rest.sort(key=lambda key: sign * groups[key]["people"])
    chosen = {first, *rest[: MOST_GROUPS - 1]}
    return [key for key in groups if key in chosen]


def _left(attribute: Mapping[str, Any], keys: Sequence[str]) -> tuple[str, ...]:
    """That not all groups are printed, and where the others stand."""
    n = len(attribute["groups"])
    return () if len(keys) == n else (say("crossval.groups_left", told=len(keys), n=n),)


def published_cell(model: Mapping[str, Any], definition: str, level: float) -> str:
    """A cell of the paper's table 3: a dash, or the p-values below the level."""
    p_values = model["definitions"][definition]["published_p"]
    known = [p for p in p_values if p is not None]
    if not known:
        return NOT
    low = [p_value(p) for p in known if p < level]
    return listed(low) if low else "–"


_ASIDE = {
    "independent_nadeau_bengio": "p, Nadeau and Bengio unpaired",
    "paired_t": "p, paired",
    "nadeau_bengio": "p, paired Nadeau and Bengio",
    "anova": "p, analysis of variance",
    "kruskal": "p, Kruskal and Wallis",
    "friedman": "p, Friedman",
    "equivalence": "p, equivalence",
}
"""The column of each test that stands beside the published one."""


def fold_tests(name: str, attribute: Mapping[str, Any]) -> PrintedTable:
    """A row for each algorithm and value: the published test of the folds, then the others' p."""
    models = list(attribute["models"].values())
    first = models[0]["TPR"]
    published = first["test"]
    aside = [k for k, test in first["tests"].items() if test["test"] != published and k in _ASIDE]
    rows: list[tuple[Any, ...]] = []
    for model in models:
        for value in ("TPR", "FPR", "FN_FP"):
            one = model[value]
            statistic = one["statistic"]
            rows.append(
                (
                    model["title"], WORDS[value],
                    number(statistic, sign=True) if statistic is not None else MINUS,
                    p_value(one["p"]) or NOT, p_value(one["p_adjusted_all"]),
                    *(p_value(one["tests"][k]["p"]) or NOT for k in aside),
                )
            )  # fmt: skip
    undefined = sum(sum(m["FN_FP"]["undefined_folds"].values()) for m in models)
    notes = (
        say("crossval.fold_tests", test=published, n=undefined),
        say("crossval.ratio_breaks"),
    )
    head = ("Algorithm", "Value", "Statistic", "p", "p after Holm", *(_ASIDE[k] for k in aside))
    return PrintedTable(
        f"Tests fold by fold: {name}", head, tuple(rows), "ll" + "r" * (len(head) - 2), notes
    )


def advised(name: str, attribute: Mapping[str, Any], *, whole: bool = False) -> PrintedTable:
    """People of each outcome and group in a fold; the advised k is marked.

    For every k where ``whole``, else for those that matter.
    """
    advice = attribute["advice"]
    keys = list(advice["table"][0]["groups"]) if whole else _told(attribute, fewest=True)
    best = advice["advised"]
    told = {*SHOWN_K, advice["used"], *(() if best is None else (best, best + 1))}
    rows = []
    for row in advice["table"]:
        if not whole and row["k"] not in told:
            continue
        cells: list[Any] = []
        for key in keys:
            n = row["groups"][key]
            cells.append(f"{n['positives']} and {n['negatives']}")
        mark = "enough" if row["enough"] else "too few"
        if row["k"] == best:
            mark = "advised"
        rows.append((str(row["k"]), *cells, mark))
    head = ("Folds", *(called(attribute, k) for k in keys), f"At least {advice['fewest']} of each")
    notes = [say("crossval.dealt")]
    if not whole:
        notes.append(say("crossval.all_k"))
        if len(keys) < len(attribute["groups"]):
            n = len(attribute["groups"])
            notes.append(say("crossval.smallest_told", told=len(keys) - 1, n=n))
    if advice["reason"]:
        notes.append(advice["reason"])
    return PrintedTable(
        f"People in a fold: {name}", head, tuple(rows), "l" + "r" * len(keys) + "l", tuple(notes)
    )


def corrected(result: Mapping[str, Any]) -> str:
    """Over how many tests Holm's correction goes, and which test of the folds has a say."""
    family = result["family"]
    careful = result["question"] == ALGORITHM or result["scheme"] == PER_GROUP
    tests = dict.fromkeys(
        model["TPR"]["tests"][model["TPR"]["careful_test"]]["test"]
        for attribute in result["attributes"].values()
        for model in attribute["models"].values()
    )
    return say(
        "crossval.corrected_careful" if careful else "crossval.corrected",
        all=family["all"], folds=family["folds"], differences=family["differences"],
        equivalence=family["equivalence"], careful=listed(list(tests), last="or"),
    )  # fmt: skip


def confusions(result: Mapping[str, Any], attribute: Mapping[str, Any]) -> tuple[PrintedTable, ...]:
    """For each algorithm the people by recorded outcome and decision, in each group: the paper's
    confusion matrix with more than two outcomes."""
    labels = result["labels"]
    if labels is None:
        return ()
    found = []
    keys = _told(attribute)
    for model in attribute["models"].values():
        title = f"Recorded against decided: {model['title']}"
        if len(labels) > MOST_COLUMNS:
            note = say("crossval.many_columns", n=len(labels))
            found.append(PrintedTable(title, ("Group", "Recorded"), (), "ll", (note,)))
            continue
        rows = tuple(
            (called(attribute, key) if not place else "", label, *map(count, matrix[place]))
            for key in keys
            for matrix in (model["confusion"][key],)
            for place, label in enumerate(labels)
        )
        head = ("Group", "Recorded", *(f"Decided {label}" for label in labels))
        note = say("crossval.confusion")
        found.append(
            PrintedTable(
                title, head, rows, "ll" + "r" * len(labels), (note, *_left(attribute, keys))
            )
        )
    return tuple(found)
