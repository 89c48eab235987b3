"""Cross-validated tests in sentences: three answers, and what the paper would have said."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from engine.base.wording import MINUS, count, interval, listed, number, p_value, percent
from engine.messages import say
from engine.methods.base import Finding, PrintedTable, Section, Verdict
from engine.plan.model import Plan

from .answers import DEFINITIONS, EQUIVALENT, NONE, SHOWN, UNDECIDED
from .settings import ALGORITHM, PER_GROUP
from .tables import WORDS

GRADE = {
    SHOWN: "shown",
    EQUIVALENT: "ruled out",
    UNDECIDED: "not settled",
    NONE: "not computable",
}
"""The grade, and the word of a mark, of each answer."""
IN_SENTENCE = {
    "TPR": "the true positive rate",
    "FPR": "the false positive rate",
    "FN_share": "the false negatives' share of errors",
}
_NAMED = 8
"""More findings of a kind are counted, not told one by one."""


def comparisons(
    result: Mapping[str, Any],
) -> Iterator[tuple[str, Mapping[str, Any], str, Mapping[str, Any], str]]:
    """Every pooled comparison: attribute, algorithm, metric, its measure, the name in words."""
    for name, attribute in result["attributes"].items():
        for model in attribute["models"].values():
            for label, part in [("", model), *model.get("classes", {}).items()]:
                words = model["title"] + (f", class {label}" if label else "")
                for metric, one in part["pooled"].items():
                    yield name, part, metric, one, words


def findings(*, result: Mapping[str, Any], plan: Plan) -> list[Finding]:
    """What the tests say, differences first; never that an algorithm is free of bias."""
    told: dict[str, list[Finding]] = {word: [] for word in GRADE}
    for name, part, metric, one, words in comparisons(result):
        told[one["answer"]].append(_finding(name, part, metric, one, words))
    total = sum(map(len, told.values()))
    found = list(told[SHOWN])
    found += told[EQUIVALENT][:_NAMED]
    found += told[UNDECIDED][:_NAMED]
    if len(told[UNDECIDED]) > _NAMED:
        text = say("crossval.many_undecided", n=len(told[UNDECIDED]), of=total)
        todo = say("crossval.undecided_do")
        found.append(Finding("crossval.many_undecided", "not settled", "All", text, todo))
    found += told[NONE][:_NAMED]
    found += _published(result)
    for attribute in list(result["attributes"].values())[:1]:
        for model in attribute["models"].values():
            for text in model["notes"]:
                found.append(Finding("crossval.note", "note", model["title"], text))
    return found


def points(value: float | None) -> str:
    """A difference of rates in points of a hundred, with its sign."""
    return number(None if value is None else 100 * value, digits=1, sign=True)


def ends(one: Mapping[str, Any]) -> str:
    """An interval in points of a hundred; in words where there is none."""
    if one["low"] is None or one["high"] is None:
        return "no interval"
    return interval(100 * one["low"], 100 * one["high"], digits=1, sign=True)


def _finding(
    name: str, part: Mapping[str, Any], metric: str, one: Mapping[str, Any], words: str
) -> Finding:
    fields: dict[str, Any] = {
        "model": words,
        "attribute": name,
        "words": IN_SENTENCE[metric],
        "gap": points(one["value"]),
        "interval": ends(one),
        "margin": number(100 * one["margin"], digits=1),
        "smallest": number(
            None if one["smallest_gap"] is None else 100 * one["smallest_gap"], digits=1
        ),
        "p": p_value(one.get("careful_p_adjusted")),
        "reason": one["reason"],
    }
    subject = f"{words}: {name}"
    grade = GRADE[one["answer"]]
    if one["answer"] == SHOWN:
        rates = [g[metric] for g in part["groups"].values() if g[metric] is not None]
        code = "crossval.difference"
        if len(part["groups"]) > 2:
            code = "crossval.difference_groups"
            fields |= {"low": percent(min(rates)), "high": percent(max(rates))}
        text = say(code, **fields)
        if one["verdict"] == "within":
            text += " " + say("crossval.small_difference", **fields)
        return Finding(code, grade, subject, text, say("crossval.difference_do"))
    if one["answer"] == EQUIVALENT:
        return Finding(
            "crossval.equivalence", grade, subject, say("crossval.equivalence", **fields)
        )
    if one["answer"] == UNDECIDED:
        text = say("crossval.undecided", **fields)
        if one["note"]:
            text += " " + one["note"]
        todo = say("crossval.undecided_do")
        return Finding("crossval.undecided", grade, subject, text, todo)
    text = say("crossval.not_computable", **fields)
    todo = say("crossval.not_computable_do")
    return Finding("crossval.not_computable", grade, subject, text, todo)


def _published(result: Mapping[str, Any]) -> list[Finding]:
    """What the paper's rule says, beside what is left of it after correction."""
    models = result["models"]
    unfair = [m for m in models.values() if any(d["published"] for d in m["definitions"].values())]
    level = number(result["level"], digits=2)
    if not unfair:
        text = say("crossval.published_none", of=len(models), level=level)
    else:
        left = sum(
            any(
                m[v]["p_adjusted"] is not None and m[v]["p_adjusted"] < result["level"]
                for v in ("TPR", "FPR", "FN_FP")
            )
            for m in unfair
        )
        text = say(
            "crossval.published",
            n=len(unfair),
            of=len(models),
            names=listed([m["title"] for m in unfair]),
            tests=result["family"]["folds"],
            left=left,
        )
    return [Finding("crossval.published", "note", "As published", text)]


def quotable(result: Mapping[str, Any]) -> str:
    """The sentence that may be quoted."""
    answers = [one["answer"] for *_, one, _ in comparisons(result)]
    margins = {one["margin"] for *_, one, _ in comparisons(result)}
    algorithms = listed([m["title"] for m in result["models"].values()])
    return say(
        "crossval.quote_difference",
        n=len(answers),
        algorithms=algorithms,
        attributes=listed(list(result["attributes"])),
        shown=answers.count(SHOWN),
        equal=answers.count(EQUIVALENT),
        open=answers.count(UNDECIDED) + answers.count(NONE),
        margin=listed([number(100 * m, digits=1) for m in sorted(margins)], last="or"),
    )


def sections(*, result: Mapping[str, Any], plan: Plan) -> list[Section]:
    """Cross-validated tests as report and window show them."""
    told = findings(result=result, plan=plan)
    parts = [
        Section(
            title="Cross-validated tests",
            paragraphs=(_opening(result), quotable(result)),
            findings=tuple(told),
            charts=("crossval_answers", "crossval_pooled"),
        )
    ]
    for name, attribute in result["attributes"].items():
        parts.append(
            Section(
                title=f"Out-of-fold decisions: {name}",
                tables=(_pooled(result, attribute, plan), _groups(attribute)),
                charts=("crossval_rates",) if name == result["attribute"] else (),
                level=2,
            )
        )
    parts.append(
        Section(
            title="As published",
            paragraphs=(_about_published(result),),
            tables=tuple(
                table
                for name, attribute in result["attributes"].items()
                for table in (_table3(result, name, attribute), _folds(name, attribute))
            ),
            charts=("crossval_published", "crossval_folds_tpr", "crossval_folds_fpr"),
            level=2,
        )
    )
    advice = tuple(_advice(name, a["advice"]) for name, a in result["attributes"].items())
    parts.append(Section(title="How many folds", tables=advice, level=2))
    return parts


def _opening(result: Mapping[str, Any]) -> str:
    code = "crossval.opening_own" if result["own_decisions"] else "crossval.opening"
    who = ", one model a group" if result["scheme"] == PER_GROUP else ""
    text = say(code, people=count(result["people"]), k=result["k"], who=who)
    careful = result["question"] == ALGORITHM or result["scheme"] == PER_GROUP
    return f"{text} {say('crossval.about_algorithm' if careful else 'crossval.about_decisions')}"


def _about_published(result: Mapping[str, Any]) -> str:
    return (
        f"The paper's rule: unfair where a needed p lies below {number(result['level'], digits=2)}, "
        "without correction. A dash stands for a p above it, which does not show equal treatment."
    )


def _pooled(result: Mapping[str, Any], attribute: Mapping[str, Any], plan: Plan) -> PrintedTable:
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
                        number(
                            None if one["smallest_gap"] is None else 100 * one["smallest_gap"],
                            digits=1,
                        ),
                        Verdict(GRADE[one["answer"]]),
                    )
                )
    head = (
        "Algorithm", "Value", "Difference (points)", f"{100 * plan.confidence:g} % interval",
        "p after Holm", "p of equivalence", "Smallest that would show", "Difference",
    )  # fmt: skip
    notes = (
        f"Difference: {attribute['privileged']} less the others, in points of a hundred.",
        f"Holm's correction over {result['family']['careful']} tests of a difference and over "
        f"{result['family']['equivalence']} tests of equivalence.",
        "Smallest that would show: the difference that so many people show in four audits of five.",
    )
    return PrintedTable("Differences of the pooled rates", head, tuple(rows), "llrrrrrl", notes)


def _groups(attribute: Mapping[str, Any]) -> PrintedTable:
    rows = []
    for model in attribute["models"].values():
        for key, g in model["groups"].items():
            rows.append(
                (
                    model["title"], key, count(g["tp"] + g["fn"]), count(g["fp"] + g["tn"]),
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


def _table3(result: Mapping[str, Any], name: str, attribute: Mapping[str, Any]) -> PrintedTable:
    rows = tuple(
        (m["title"], *(published_cell(m, d, result["level"]) for d in DEFINITIONS))
        for m in attribute["models"].values()
    )
    head = ("Algorithm", *(d[:1].upper() + d[1:] for d in DEFINITIONS))
    note = (
        f"p-values below {number(result['level'], digits=2)}, not corrected; a dash is a larger p."
    )
    return PrintedTable(f"Table 3 of the paper: {name}", head, rows, "lrrrr", (note,))


def _folds(name: str, attribute: Mapping[str, Any]) -> PrintedTable:
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
                        p_value(model[value]["p_adjusted"]) if main else "",
                    )
                )  # fmt: skip
    undefined = sum(
        sum(m["FN_FP"]["undefined_folds"].values()) for m in attribute["models"].values()
    )
    notes = [
        f"{undefined} ratios of false negatives to false positives have no value and are left out."
    ]
    notes.append(say("crossval.ratio_breaks"))
    head = ("Algorithm", "Value", "Test", "Statistic", "p", "p after Holm")
    return PrintedTable(f"Tests fold by fold: {name}", head, tuple(rows), "lllrrr", tuple(notes))


def _advice(name: str, advice: Mapping[str, Any]) -> PrintedTable:
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
    head = ("Folds", *keys, f"At least {advice['fewest']} of each")
    notes = ["Fewest people with the favourable and with the unfavourable outcome in a fold."]
    if advice["reason"]:
        notes.append(advice["reason"])
    return PrintedTable(
        f"People in a fold: {name}", head, tuple(rows), "r" * (len(keys) + 1) + "l", tuple(notes)
    )
