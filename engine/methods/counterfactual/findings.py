"""Shifts in sentences, graph by graph and across graphs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.base.wording import count, interval, listed, number, people, percent
from engine.messages import say
from engine.methods.arrows import against_table, fit_table, told_of
from engine.methods.base import Finding, PrintedTable, Section, Verdict
from engine.plan.model import Plan

from .tables import called

GRADE = {
    "within": "ruled out",
    "outside": "shown",
    "not settled": "not settled",
    "not computable": "not computable",
}


def findings(*, result: Mapping[str, Any], plan: Plan) -> list[Finding]:
    """Across the graphs first, then each graph."""
    found = [_across(result)] if len(result["graphs"]) > 1 else []
    found.append(Finding("counterfactual.rescored", "note", "", result["rescored_words"]))
    for name, part in result["graphs"].items():
        found += _graph(name, part, result)
    return found


def _across(result: Mapping[str, Any]) -> Finding:
    across = result["across_graphs"]
    if across["low"] is None:
        return Finding("counterfactual.across", "not computable", "", across["reason"])
    code = "counterfactual.changes" if across["verdict_changes"] else "counterfactual.agrees"
    n = len(result["graphs"])
    text = say(
        code, all="both graphs" if n == 2 else f"all {n} graphs", low=number(across["low"], sign=True),
        high=number(across["high"], sign=True), low_graph=across["low_graph"],
        high_graph=across["high_graph"], target=result["target"]["name"],
        threshold=number(result["threshold"]),
    )  # fmt: skip
    verdicts = set(across["verdicts"].values())
    grade = "not settled" if across["verdict_changes"] else GRADE[next(iter(verdicts))]
    todo = say("counterfactual.changes_do") if across["verdict_changes"] else ""
    return Finding("counterfactual.across", grade, "", text, todo)


def _graph(name: str, part: Mapping[str, Any], result: Mapping[str, Any]) -> list[Finding]:
    one = part["oriented"]
    if one["value"] is None:
        return [Finding("counterfactual.effect", "not computable", name, one["reason"])]
    target = result["target"]["name"]
    text = say(
        "counterfactual.effect", n=people(part["persons"]), value=number(one["value"], sign=True),
        interval=interval(one["low"], one["high"], sign=True) or "no interval", target=target,
        privileged=called(result, result["privileged"]), attribute=result["attribute"],
        unprivileged=listed([called(result, k) for k in result["unprivileged"]], last="or"),
        share=percent(part["share_over_threshold"]), threshold=number(result["threshold"]),
        size=number(part["mean_abs_shift"]),
    )  # fmt: skip
    grade = GRADE[one["verdict"]]
    record = "_record" if grade == "shown" and result["target"]["kind"] == "outcome" else ""
    todo = say(f"counterfactual.do_{grade.replace(' ', '_')}{record}")
    found = [Finding("counterfactual.effect", grade, name, text, todo)]
    alone = part["flip_only"]["oriented"]
    if alone is not None and abs(alone - one["value"]) > 1e-9 * max(1.0, abs(one["value"])):
        text = say(
            "counterfactual.alone", alone=number(alone, sign=True), value=number(one["value"], sign=True)
        )  # fmt: skip
        found.append(Finding("counterfactual.alone", "note", name, text))
    flips = part["flips"]
    if flips["share"] is not None:
        what = "outcomes" if result["target"]["kind"] == "outcome" else "decisions"
        text = say(
            "counterfactual.flips", what=what, share=percent(flips["share"]), up=percent(flips["to_favourable"]),
            down=percent(flips["to_unfavourable"]),
        )  # fmt: skip
        found.append(Finding("counterfactual.flips", "note", name, text))
    else:
        text = say("counterfactual.flips_none", reason=flips["reason"])
        found.append(Finding("counterfactual.flips", "not computable", name, text))
    if part["not_evaluated"]:
        why = listed([f"{reason} ({count(n)})" for reason, n in part["not_evaluated_why"].items()])
        text = say("counterfactual.not_evaluated", n=people(part["not_evaluated"]), why=why)
        found.append(Finding("counterfactual.not_evaluated", "note", name, text))
    if part["drawn"]:
        text = say("counterfactual.drawn", nodes=listed([f'"{n}"' for n in part["drawn"]]))
        found.append(Finding("counterfactual.drawn", "note", name, text))
    return found


def sections(*, result: Mapping[str, Any], plan: Plan) -> list[Section]:
    """The answer across graphs, then a part for each graph with its people's objections."""
    told = findings(result=result, plan=plan)
    lead = tuple(f for f in told if not f.subject)
    paragraphs = [say("counterfactual.never_pooled")]
    if result["suggested"]:
        paragraphs.insert(0, say("counterfactual.suggested", n=len(result["graphs"])))
    made = [
        Section(
            title="Counterfactual fairness: each person in another group",
            paragraphs=tuple(paragraphs),
            findings=lead,
            tables=(_graphs_table(result, plan),),
            charts=("counterfactual-graphs",),
        )
    ]
    for i, (name, part) in enumerate(result["graphs"].items(), start=1):
        charts = [f"counterfactual-graph-{i}"]
        if part["persons"]:
            charts += [f"counterfactual-changes-{i}", f"counterfactual-way-{i}"]
        tables = [_groups_table(part, result, plan), _way_table(part)]
        if len(result["unprivileged"]) > 1:
            tables.append(_alternatives_table(part, result))
        made.append(
            Section(
                title=f"Graph: {name}",
                paragraphs=(*part["assumptions"], *told_of(part["troubles"])),
                findings=tuple(f for f in told if f.subject == name),
                tables=tuple(
                    t
                    for t in (*tables, fit_table(part["fits"]), against_table(part["fits"]))
                    if t.rows
                ),
                charts=tuple(charts),
                level=2,
            )
        )
    return made


def _graphs_table(result: Mapping[str, Any], plan: Plan) -> PrintedTable:
    level = f"{100 * plan.confidence:g} % interval"
    rows = []
    for name, part in result["graphs"].items():
        one = part["oriented"]
        rows.append(
            (
                name,
                count(part["persons"]),
                count(part["not_evaluated"]),
                number(one["value"], sign=True),
                interval(one["low"], one["high"], sign=True),
                number(part["flip_only"]["oriented"], sign=True),
                number(part["mean_abs_shift"]),
                percent(part["share_over_threshold"]),
                Verdict(one["verdict"]),
            )
        )
    head = ("Graph", "People", "Not evaluated", "Effect", level, "Attribute alone", "Mean size", "Share that matters", "Against the threshold")  # fmt: skip
    others = listed([called(result, k) for k in result["unprivileged"]], last="or")
    notes = (
        f"Effect: what going from {called(result, result['privileged'])} to {others} does to {result['target']['name']}.",
        f"A change matters above {number(result['threshold'])}. {result['threshold_from']}",
        say("counterfactual.flip_only"),
    )
    return PrintedTable("The same question under each graph", head, tuple(rows), "lrrrrrrrl", notes)


def _groups_table(part: Mapping[str, Any], result: Mapping[str, Any], plan: Plan) -> PrintedTable:
    rows = []
    for key, one in part["by_group"].items():
        effect = one["oriented"]
        flips = one["flips"]
        rows.append(
            (
                called(result, key),
                count(one["persons"]),
                number(one["mean_shift"], sign=True),
                number(one["mean_abs_shift"]),
                percent(one["share_over_threshold"]),
                number(effect["value"], sign=True),
                interval(effect["low"], effect["high"], sign=True),
                percent(flips["share"]) or "not known",
            )
        )
    head = ("People of", "People", "Mean change", "Mean size", "Share that matters", "Effect", f"{100 * plan.confidence:g} % interval", "Decisions that flip")  # fmt: skip
    note = "Mean change: the other group's value less the own one. Effect: the same turned so that it always goes from privileged to unprivileged."
    return PrintedTable("By group", head, tuple(rows), "lrrrrrrr", (note,))


def _way_table(part: Mapping[str, Any]) -> PrintedTable:
    rows = tuple(
        (percent(one["share"], digits=0), number(one["oriented"], sign=True), number(one["mean_abs_shift"]))
        for one in part["partial_propagation"]
    )  # fmt: skip
    head = ("The columns between go", "Effect", "Mean size")
    return PrintedTable("Part of the way", head, rows, "lrr", (say("counterfactual.way"),))


def _alternatives_table(part: Mapping[str, Any], result: Mapping[str, Any]) -> PrintedTable:
    rows = tuple(
        (
            called(result, one["from"]), called(result, one["to"]), count(one["persons"]), number(one["mean_shift"], sign=True),
            number(one["mean_abs_shift"]), percent(one["share_over_threshold"]),
        )
        for one in part["alternatives"].values()
    )  # fmt: skip
    head = ("People of", "Instead in", "People", "Mean change", "Mean size", "Share that matters")
    return PrintedTable("Every alternative", head, rows, "llrrrr")
