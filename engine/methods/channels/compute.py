"""Channels: the gap of a target and its parts along a graph, with intervals and advice."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.base.problems import Problem, Refused
from engine.base.watch import Watch
from engine.base.wording import percent
from engine.causal.build import Looked, Question, ask, look, why_not
from engine.causal.design import design_of
from engine.causal.diagnose import fit_of, residuals, root_troubles
from engine.causal.equations import Fitting, Linear
from engine.causal.fit import least_squares
from engine.causal.packets import packets_of
from engine.causal.people import known, level_differences
from engine.causal.troubles import Trouble, as_result
from engine.cohort.labels import words_of
from engine.cohort.model import Cohort
from engine.fairness.counts import kish
from engine.fairness.intervals import generator, percentile_interval
from engine.fairness.measure import measure
from engine.messages import say
from engine.methods.base import Computed
from engine.plan.model import Plan

from .advice import advice
from .explain import needed_to_explain_away
from .split import DIRECT, UNEXPLAINED, Columns, columns_of, split, split_resampled
from .tables import tables_of

Floats = NDArray[np.float64]
Key = tuple[str, str]


def compute(*, cohort: Cohort, plan: Plan, settings: Mapping[str, Any], watch: Watch) -> Computed:
    """Compute the part ``channels`` of a result (see the contract for its keys).

    Source: paper 003, three channels; ``methods.md`` C4 for the exact split on one base.
    """
    graph = settings.get("graph")
    question = ask(
        cohort=cohort, plan=plan, method="channels", attribute=settings.get("attribute"),
        target=settings.get("target"), graphs=[graph] if graph else [], key="graph",
    )  # fmt: skip
    watch.say("Holding the graph against the people", fraction=0.1)
    looked = look(question, question.graphs[0], whole=True)
    needed = [looked.root, question.target.name, *sorted(looked.graph.above(question.target.name))]
    rows = known(looked.values, needed) & (question.weight > 0)
    _enough(question, looked, rows)
    troubles = list(looked.troubles)
    fits, left = _fits(question, looked, rows)
    troubles += _bends(fits)
    apart = [
        (a, b)
        for a, b in combinations(left, 2)
        if a not in looked.graph.parents(b) and b not in looked.graph.parents(a)
    ]
    troubles += root_troubles(left=left, pairs=apart)
    watch.say("Splitting the gap", fraction=0.3)
    codes = looked.values[looked.root].values
    pooled = _part(question, looked, rows, codes > 0, "", watch)
    groups: dict[str, Any] = {}
    keys = [g.key for g in question.attribute.groups]
    for place, key in enumerate(keys[1:], start=1):
        if len(keys) > 2:
            watch.say("Splitting the gap", fraction=0.3 + 0.6 * place / len(keys))
            own = rows & ((codes == 0) | (codes == place))
            groups[key] = _part(question, looked, own, codes == place, key, watch)
        else:
            groups[key] = {k: v for k, v in pooled.items() if k != "needed_to_explain_away"}
    stated = [n for n in looked.graph.equations if n in looked.graph.net]
    result: dict[str, Any] = {
        "attribute": question.attribute.name,
        "privileged": question.attribute.privileged.key,
        "unprivileged": keys[1:],
        "words": {k: words_of(plan=plan, attribute=question.attribute.name, key=k) for k in keys},
        "target": {
            "name": question.target.name,
            "kind": question.target.kind,
            "high_is": question.target.high_is,
        },
        "graph": {
            "name": looked.graph.name,
            "root": looked.root,
            "edges": [list(e) for e in looked.graph.edges],
            "roles": dict(looked.graph.roles),
            "positions": {n: list(p) for n, p in looked.graph.positions.items()},
            "accepted": dict(looked.graph.accepted),
            "suggested": question.suggested,
        },
        "sample": question.sample.role,
        "persons": int(rows.sum()),
        "not_evaluated": int((~rows).sum()),
        "not_evaluated_why": why_not(question, looked.values, needed, looked.root, rows),
        **pooled,
        "groups": groups,
        "fits": fits,
        "differences": _differences(question, looked, rows),
        "troubles": as_result(troubles),
        "stated_not_used": stated,
        "table": "tables/channels.csv",
    }
    result["advice"] = advice(result)
    warnings = [
        {"code": t.code, "text": t.text, "where": looked.graph.arrow(*t.arrow) if t.arrow else looked.graph.place}
        for t in troubles
        if t.grade == "warning"
    ]  # fmt: skip
    warnings += _of_accepted(looked, result["channels"])
    if question.suggested:
        text = say("channels.suggested", n=len(looked.graph.nodes))
        warnings.append(
            {"code": "channels.suggested", "text": text, "where": "methods.channels.graph"}
        )
    if stated:
        text = say("channels.stated", nodes=", ".join(f'"{n}"' for n in stated))
        warnings.append({"code": "channels.stated", "text": text, "where": looked.graph.place})
    exclusions = tuple(
        {"what": f"{question.sample.role}: channels", "rows": n, "why": say("channels.left_out", n=n, reason=why)}
        for why, n in result["not_evaluated_why"].items()
    )  # fmt: skip
    return Computed(
        result=result, tables=tables_of(result), warnings=tuple(warnings), exclusions=exclusions
    )


def _of_accepted(looked: Looked, channels: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What is wrong with the channels that the auditor counts as accepted."""
    found = []
    for node, reason in looked.graph.accepted.items():
        code = "" if reason else "channels.accepted_warn"
        code = code if node in channels else "channels.accepted_none"
        if code:
            where = f"{looked.graph.place}.accepted.{node}"
            found.append({"code": code, "text": say(code, node=node), "where": where})
    return found


def _enough(question: Question, looked: Looked, rows: NDArray[np.bool_]) -> None:
    """Refuse a node with more causes than people, at its last arrow; and a side without people."""
    graph, values = looked.graph, looked.values
    problems = []
    above = graph.above(question.target.name) | {question.target.name}
    for node in [n for n in graph.nodes if n in above and n != looked.root]:
        parents = [p for p in graph.parents(node) if p != looked.root]
        wide = sum(max(1, len(values[p].levels) - 1) for p in parents)
        if parents and wide + 2 > rows.sum():
            text = say(
                "causal.too_many_parents", node=node, parameters=wide + 2, n=int(rows.sum()),
                start=parents[-1], end=node,
            )  # fmt: skip
            problems.append(Problem("", graph.arrow(parents[-1], node), text))
    if problems:
        raise Refused(problems)


def _fits(
    question: Question, looked: Looked, rows: NDArray[np.bool_]
) -> tuple[dict[str, dict[str, Any]], dict[str, Floats]]:
    """The straight lines of every node of numbers with causes, and what they leave over."""
    found, left = {}, {}
    weight = np.where(rows, question.weight, 0.0)
    above = looked.graph.above(question.target.name) | {question.target.name}
    for node in [n for n in looked.graph.nodes if n in above and n != looked.root]:
        if looked.values[node].levels or not rows.any():
            continue
        others = [p for p in looked.graph.parents(node) if p != looked.root]
        parents = [looked.root, *others]
        design = design_of(parents=parents, values=looked.values, rows=rows, bent=False)
        causes = {p: looked.values[p].values for p in parents}
        matrix = design.matrix({k: v[rows] for k, v in causes.items()}, int(rows.sum()))
        beta, rank = least_squares(matrix, looked.values[node].values[rows], weight[rows])
        line = Linear(node, "linear", False, design, beta, False, rank < matrix.shape[1])
        data = Fitting(
            looked.values[node].values, causes, weight, looked.values[looked.root].values
        )
        found[node], left[node] = fit_of(line, data), residuals(line, data)
    return found, left


def _differences(
    question: Question, looked: Looked, rows: NDArray[np.bool_]
) -> dict[str, dict[str, float]]:
    """How the groups differ in the columns of texts that the attribute shapes."""
    return {
        node: level_differences(
            values=looked.values[node], group=looked.values[looked.root].values,
            weight=question.weight, rows=rows,
        )
        for node in looked.graph.above(question.target.name)
        if looked.values[node].levels and looked.root in looked.graph.parents(node)
    }  # fmt: skip


def _bends(fits: Mapping[str, Mapping[str, Any]]) -> list[Trouble]:
    """Arrows whose straight line bends; uneven spread does not matter to a mean's parts."""
    return [
        Trouble(
            "channels.bends", "warning",
            say("channels.bends", start=parent, end=node, size=percent(one["mean_size"])),
            (parent, node), node,
        )
        for node, fit in fits.items()
        for parent, one in fit["against"].items()
        if one["refuted"] == "mean"
    ]  # fmt: skip


def _part(
    question: Question,
    looked: Looked,
    rows: NDArray[np.bool_],
    side: NDArray[np.bool_],
    group: str,
    watch: Watch,
) -> dict[str, Any]:
    """Gap, direct part, channels and unexplained part between two sides."""
    n = (int((rows & side).sum()), int((rows & ~side).sum()))
    plan = question.plan
    if min(n) == 0:
        empty = question.attribute.privileged.key if n[0] else (group or "the unprivileged groups")
        called = words_of(plan=plan, attribute=question.attribute.name, key=empty)
        reason = say("channels.empty_side", group=called, target=question.target.name)
        nothing = measure(
            None, verdict="not computable", reason=reason, n_unprivileged=n[0], n_privileged=n[1]
        )
        return {
            "gap": nothing, "direct": nothing, "channels": {}, "unexplained": nothing,
            "unexplained_by": {}, "needed_to_explain_away": {"words": "", "reason": reason},
        }  # fmt: skip
    columns = columns_of(
        graph=looked.graph, values=looked.values, root=looked.root, target=question.target.name,
        side=side.astype(np.float64), rows=rows,
    )  # fmt: skip
    weight = question.weight[rows]
    parts = split(columns, weight)
    packets = packets_of(
        n=len(weight), resamples=plan.resamples, rng=generator(plan.seed, "channels", group),
        most=2000 if columns.matrix.shape[1] <= 60 else 500,
    )  # fmt: skip
    watch.check()
    draws = split_resampled(columns, weight, packets)
    return _measures(parts, draws, n, plan, columns, looked.graph.accepted) | {
        "needed_to_explain_away": needed_to_explain_away(
            columns=columns, weight=weight, confidence=plan.confidence,
            size=kish(float(weight.sum()), float((weight**2).sum())),
        )
    }  # fmt: skip


def _measures(
    parts: Mapping[Key, float],
    draws: Mapping[Key, Floats],
    n: tuple[int, int],
    plan: Plan,
    columns: Columns,
    accepted: Mapping[str, str],
) -> dict[str, Any]:
    gap = sum(parts.values())
    mine = [k for k in parts if k[0] == "channel" and k[1] in accepted]
    told_off = {}
    zeros = np.zeros(plan.resamples)

    def told(value: float, drawn: Floats) -> dict[str, Any]:
        ends = percentile_interval(drawn, confidence=plan.confidence)
        share = value / gap if abs(gap) > 1e-12 else None
        return measure(value, ends.low, ends.high, None, "", n[0], n[1], share_of_gap=share)

    def summed(kind: str) -> dict[str, Any]:
        keys = [k for k in parts if k[0] == kind]
        return told(sum((parts[k] for k in keys), 0.0), sum((draws[k] for k in keys), zeros))

    whole = sum(draws.values(), zeros)
    if mine:
        value, drawn = sum(parts[k] for k in mine), sum((draws[k] for k in mine), zeros)
        told_off = {
            "accepted": told(value, drawn),
            "not_accepted": told(gap - value, whole - drawn),
        }
    return {
        **told_off,
        "gap": told(gap, whole),
        "direct": summed(DIRECT),
        "channels": {
            node: told(parts["channel", node], draws["channel", node])
            for kind, node in parts
            if kind == "channel"
        },
        "unexplained": summed(UNEXPLAINED),
        "unexplained_by": {
            node: told(parts[UNEXPLAINED, node], draws[UNEXPLAINED, node])
            for kind, node in parts
            if kind == UNEXPLAINED
        },
        "means": _means(columns),
    }


def _means(columns: Columns) -> dict[str, float]:
    """The target's plain mean on either side, for the tables (unweighted)."""
    target = columns.matrix[:, columns.places[columns.target][0]]
    side = columns.matrix[:, 0] == 1
    return {"unprivileged": float(target[side].mean()), "privileged": float(target[~side].mean())}
