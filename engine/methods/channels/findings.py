"""Parts of a gap in sentences, and what to do about them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.base.wording import count, interval, listed, number, percent
from engine.messages import say
from engine.methods.arrows import against_table, fit_table, told_of
from engine.methods.base import Finding, PrintedTable, Section, Verdict
from engine.plan.model import Plan

from .advice import settled
from .tables import called, parts_of, sums_of, words_of


def _words(part: Mapping[str, Any]) -> dict[str, str]:
    share = part.get("share_of_gap")
    return {
        "value": number(part["value"], sign=True),
        "interval": interval(part["low"], part["high"], sign=True) or "no interval",
        "share": "no share, the gap is 0" if share is None else f"{percent(share)} of the gap",
    }


def findings(*, result: Mapping[str, Any], plan: Plan) -> list[Finding]:
    """The gap, its parts from the largest on, the bound on the unmeasured, the advice."""
    gap, target, attribute = result["gap"], result["target"]["name"], result["attribute"]
    if gap["value"] is None:
        return [Finding("channels.gap", "not computable", target, gap["reason"])]
    words = _words(gap)
    code = "channels.gap" if settled(gap) else "channels.gap_open"
    if not settled(gap) and words["value"] == number(0.0):
        code = "channels.gap_alike"
    text = say(
        code, gap=words["value"], interval=words["interval"], target=target, attribute=attribute,
        unprivileged=listed([called(result, k) for k in result["unprivileged"]], last="or"),
        privileged=called(result, result["privileged"]),
        less="lower" if gap["value"] < 0 else "higher",
    )  # fmt: skip
    found = [Finding("channels.gap", "shown" if settled(gap) else "not settled", target, text)]
    direct = result["direct"]
    code = "channels.direct_shown" if settled(direct) else "channels.direct_open"
    text = say(code, **_words(direct), attribute=attribute, target=target)
    todo = say("channels.direct_do", attribute=attribute)
    grade = "shown" if settled(direct) else "not settled"
    found.append(Finding(code, grade, "direct", text, todo))
    ranked = sorted(result["channels"].items(), key=lambda item: -abs(item[1]["value"]))
    for node, part in ranked:
        code = "channels.part_shown" if settled(part) else "channels.part_open"
        grade = "shown" if settled(part) else "not settled"
        found.append(Finding(code, grade, node, say(code, **_words(part), node=node)))
    left = {n: p for n, p in result["unexplained_by"].items()}
    if left:
        part = result["unexplained"]
        nodes = listed([f'"{n}"' for n in left])
        shown = settled(part)
        code = "channels.unexplained_shown" if shown else "channels.unexplained_open"
        text = say(code, **_words(part), nodes=nodes, attribute=attribute)
        todo = say("channels.unexplained_do", nodes=nodes) if shown else ""
        found.append(Finding(code, "shown" if shown else "not settled", "unexplained", text, todo))
    if "accepted" in result:
        found.append(_accepted(result))
    if any(abs(p["value"]) > abs(gap["value"]) for _, _, p in parts_of(result)):
        found.append(Finding("channels.opposite", "note", target, say("channels.opposite")))
    bound = result["needed_to_explain_away"]
    text = bound["words"] or bound["reason"]
    if text:
        found.append(Finding("channels.needed", "note", "direct", text))
    for step in result["advice"]:
        found.append(Finding("channels.advice", "note", step["part"], step["text"]))
    return found


def _accepted(result: Mapping[str, Any]) -> Finding:
    reasons = [
        say(f"channels.accepted_{'reason' if reason else 'unsaid'}", node=node, reason=reason)
        for node, reason in result["graph"]["accepted"].items()
        if node in result["channels"]
    ]
    left = result["not_accepted"]
    text = say("channels.accepted", **_words(result["accepted"]), reasons=listed(reasons))
    text += " " + say("channels.accepted_left", **_words(left))
    return Finding(
        "channels.accepted", "shown" if settled(left) else "not settled", "accepted", text
    )


def sections(*, result: Mapping[str, Any], plan: Plan) -> list[Section]:
    """The gap and its parts, the graph, and what the people say against it."""
    told = findings(result=result, plan=plan)
    steps = tuple(f for f in told if f.code == "channels.advice")
    paragraphs = [say("channels.assume")]
    if result["graph"]["suggested"]:
        paragraphs.insert(0, say("channels.suggested", n=len({n for e in result["graph"]["edges"] for n in e})))  # fmt: skip
    made = [
        Section(
            title=f"Channels: through what the gap in {result['target']['name']} arises",
            paragraphs=tuple(paragraphs),
            findings=tuple(f for f in told if f not in steps),
            tables=tuple(_tables(result, plan)),
            charts=("channels", "channels-graph"),
        )
    ]
    if steps:
        made.append(Section(title="What to do, in order", findings=steps, level=2))
    if result["troubles"] or result["fits"]:
        made.append(
            Section(
                title="What the people say about this graph",
                paragraphs=told_of(result["troubles"]),
                tables=tuple(
                    t for t in (fit_table(result["fits"]), against_table(result["fits"])) if t.rows
                ),
                level=2,
            )
        )
    return made


def _tables(result: Mapping[str, Any], plan: Plan) -> list[PrintedTable]:
    groups = result["groups"]
    several = len(groups) > 1
    made = [_table("The same in figures", result, plan)]
    if several:
        made += [
            _table(f"The same for {called(result, key)}", one, plan) for key, one in groups.items()
        ]
    return [t for t in made if t.rows]


def _table(title: str, one: Mapping[str, Any], plan: Plan) -> PrintedTable:
    head = ("Channel", "Value", f"{100 * plan.confidence:g} % interval", "Share", "Answer")
    rows = []
    for kind, node, part in [*parts_of(one), *sums_of(one)]:
        if part["value"] is None:
            rows.append((words_of(kind, node), "", "", "", Verdict("not computable")))
            continue
        rows.append(
            (
                words_of(kind, node),
                number(part["value"], sign=True),
                interval(part["low"], part["high"], sign=True),
                percent(part.get("share_of_gap"), digits=0),
                Verdict("shown" if settled(part) else "not settled"),
            )
        )  # fmt: skip
    note = f"{count(one['gap']['n']['unprivileged'])} people of the unprivileged side, {count(one['gap']['n']['privileged'])} of the privileged one."
    return PrintedTable(title, head, tuple(rows), "lrrrl", (note, say("channels.one_base")))
