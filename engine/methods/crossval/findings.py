"""Cross-validated tests in sentences: three answers, and what the paper would have said."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from engine.base.wording import count, listed, number, p_value, percent
from engine.base.wording import people as wording_people
from engine.messages import say
from engine.methods.base import Finding, Section
from engine.plan.model import Plan

from .answers import EQUIVALENT, NONE, SHOWN, UNDECIDED, also_small
from .figures import charts_of
from .order import in_order
from .printed import advised, by_group, confusions, corrected, fold_tests, pooled
from .settings import ALGORITHM, PER_GROUP
from .words import GRADE, ends, points

IN_SENTENCE = {
    "TPR": "the true positive rate",
    "FPR": "the false positive rate",
    "FN_share": "the false negatives' share of errors",
}
_NAMED, _UNDECIDED = 8, 3
"""More findings of a kind, and more undecided ones, are counted, not told one by one."""


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
    result = in_order(result)
    told: dict[str, list[tuple[float, Finding]]] = {word: [] for word in GRADE}
    for name, part, metric, one, words in comparisons(result):
        finding = _finding(name, part, metric, one, words, result["level"])
        told[one["answer"]].append(
            (one["careful_p"] if one["careful_p"] is not None else 1.0, finding)
        )
    total = sum(map(len, told.values()))
    found = [finding for _, finding in told[SHOWN]]
    told[UNDECIDED].sort(key=lambda one: one[0])  # the most telling first
    for answer, code, most, todo in (
        (EQUIVALENT, "crossval.many_equivalent", _NAMED, ""),
        (UNDECIDED, "crossval.more_undecided", _UNDECIDED, say("crossval.undecided_do")),
        (NONE, "crossval.many_not_computable", _NAMED, say("crossval.not_computable_do")),
    ):
        found += [finding for _, finding in told[answer][:most]]
        if len(told[answer]) > most:
            text = say(code, n=len(told[answer]), of=total, told=most)
            found.append(Finding(code, GRADE[answer], "All", text, todo))
    found += _published(result)
    for attribute in list(result["attributes"].values())[:1]:
        for model in attribute["models"].values():
            for text in model["notes"]:
                found.append(Finding("crossval.note", "note", model["title"], text))
    return found


def _finding(
    name: str,
    part: Mapping[str, Any],
    metric: str,
    one: Mapping[str, Any],
    words: str,
    level: float,
) -> Finding:
    fields: dict[str, Any] = {
        "model": words,
        "attribute": name,
        "words": IN_SENTENCE[metric],
        "gap": points(one["value"]),
        "interval": ends(one),
        "margin": number(100 * one["margin"], digits=1),
        "smallest": points(one["smallest_gap_adjusted"], sign=False),
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
        if also_small(one, level=level):
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
                m[v]["p_adjusted_all"] is not None and m[v]["p_adjusted_all"] < result["level"]
                for v in ("TPR", "FPR", "FN_FP")
            )
            for m in unfair
        )
        text = say(
            "crossval.published",
            n=len(unfair),
            of=len(models),
            names=listed([m["title"] for m in unfair]),
            tests=result["family"]["all"],
            left=left,
        )
    return [Finding("crossval.published", "note", "As published", text)]


def quotable(result: Mapping[str, Any]) -> str:
    """The sentence that may be quoted."""
    result = in_order(result)
    answers = [one["answer"] for *_, one, _ in comparisons(result)]
    margins = {one["margin"] for *_, one, _ in comparisons(result)}
    titles = [m["title"] for m in result["models"].values()]
    if not result["own_decisions"]:
        titles = [
            m["title"][:1].lower()
            + m["title"][1:]
            + (f" on {wording_people(m['sampled'])}" if m["sampled"] else "")
            for m in result["models"].values()
        ]
    return say(
        "crossval.quote_difference",
        people=wording_people(result["people"]),
        k=result["k"],
        n=len(answers),
        algorithms=listed(titles),
        attributes=listed(list(result["attributes"])),
        shown=answers.count(SHOWN),
        equal=answers.count(EQUIVALENT),
        open=answers.count(UNDECIDED) + answers.count(NONE),
        margin=listed([number(100 * m, digits=1) for m in sorted(margins)], last="or"),
    )


def sections(*, result: Mapping[str, Any], plan: Plan) -> list[Section]:
    """Cross-validated tests as report and window show them."""
    result = in_order(result)
    told = findings(result=result, plan=plan)
    parts = [
        Section(
            title="Cross-validated tests",
            paragraphs=(_opening(result), quotable(result)),
            findings=tuple(told),
            charts=("crossval_answers", "crossval_pooled"),
        )
    ]
    for place, (name, attribute) in enumerate(result["attributes"].items()):
        parts.append(
            Section(
                title=f"Out-of-fold decisions: {name}",
                tables=(
                    pooled(result, attribute, plan),
                    by_group(attribute),
                    *confusions(result, attribute),
                ),
                charts=(charts_of("rates", place),),
                level=2,
            )
        )
    parts.append(
        Section(
            title="As published",
            paragraphs=tuple(
                filter(None, (_about_published(result), corrected(result), _where_folds(result)))
            ),
            tables=tuple(fold_tests(name, a) for name, a in result["attributes"].items()),
            charts=("crossval_published", charts_of("folds_tpr", 0), charts_of("folds_fpr", 0)),
            level=2,
        )
    )
    advice = tuple(advised(name, a) for name, a in result["attributes"].items())
    parts.append(Section(title="How many folds", tables=advice, level=2))
    return parts


def _opening(result: Mapping[str, Any]) -> str:
    code = "crossval.opening_own" if result["own_decisions"] else "crossval.opening"
    who = ", one model a group" if result["scheme"] == PER_GROUP else ""
    text = say(code, people=count(result["people"]), k=result["k"], who=who)
    careful = result["question"] == ALGORITHM or result["scheme"] == PER_GROUP
    return f"{text} {say('crossval.about_algorithm' if careful else 'crossval.about_decisions')}"


def _where_folds(result: Mapping[str, Any]) -> str:
    """Where the folds of the attributes stand whose dots are not printed."""
    first, *others = result["attributes"]
    code = "crossval.where_folds" if others else "crossval.where_counts"
    return say(code, first=first, others=listed(others))


def _about_published(result: Mapping[str, Any]) -> str:
    return (
        f"The paper's rule: unfair where a needed p lies below {number(result['level'], digits=2)}, "
        "without correction. A dash stands for a p above it, which does not show equal treatment."
    )
