"""Counterfactual fairness under every graph: numbers in, numbers out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from engine.base.problems import Problem, Refused
from engine.base.watch import Watch
from engine.base.wording import number
from engine.causal.build import Built, Question, ask, assumptions, build, exclusion
from engine.causal.equations import Boosted, Equation, Linear
from engine.causal.people import level_differences
from engine.causal.troubles import as_result
from engine.cohort.labels import words_of
from engine.cohort.model import Cohort
from engine.messages import say
from engine.methods.base import Computed
from engine.plan.model import Plan

from .numbers import (
    Personal,
    along_of,
    alternatives_of,
    flips_of,
    resampled,
    shares_of,
    statistics_of,
)
from .scoring import rescorer_of
from .shifts import Asked, passes_of
from .tables import person_table

Floats = NDArray[np.float64]

TENTH = 0.1


def compute(*, cohort: Cohort, plan: Plan, settings: Mapping[str, Any], watch: Watch) -> Computed:
    """Compute the part ``counterfactual`` of a result (see the contract for its keys).

    Source: paper 003, counterfactual fairness; ``methods.md`` C3 for its corrections.
    """
    question = ask(
        cohort=cohort, plan=plan, method="counterfactual", attribute=settings.get("attribute"),
        target=settings.get("target"), graphs=settings.get("graphs") or [], key="graphs",
    )  # fmt: skip
    names = [g.name for g in question.graphs]
    for i, name in enumerate(names):
        if name in names[:i]:
            text = say("counterfactual.same_name", name=name)
            raise Refused(Problem("", question.graphs[i].place, text))
    threshold, threshold_from = _threshold(question, settings)
    cut, cut_high, cut_reason = _cut(question, settings)
    built: list[Built] = []
    fitted: dict[Any, Equation] = {}
    problems: list[Problem] = []
    for graph in question.graphs:
        watch.say(f"Fitting {graph.name}", fraction=0.0)
        try:
            built.append(build(question, graph, fitted=fitted))
        except Refused as refused:
            problems += refused.problems
    if problems:
        raise Refused(problems)
    graphs: dict[str, Any] = {}
    tables: list[pd.DataFrame] = []
    warnings: list[dict[str, Any]] = []
    exclusions: list[dict[str, Any]] = []
    for i, one in enumerate(built):
        rescorer = rescorer_of(question, one.values) if question.target.kind == "model" else None
        asked = Asked(
            threshold=threshold, cut=cut, cut_high=cut_high, draws=int(settings["draws"]),
            confidence=plan.confidence, seed=plan.seed, rescorer=rescorer,
            decision=question.sample.decision,
            numbers=frozenset(n for n, v in one.values.items() if _is_number(v.levels, one, n)),
        )  # fmt: skip
        part = watch.part(i / len(built), (i + 1) / len(built))
        result, table = _graph(question, one, asked, cut_reason, part)
        graphs[one.graph.name] = result
        tables.append(table)
        exclusions += exclusion(question, one, "counterfactual")
        warnings += [
            {"code": t.code, "text": t.text, "where": one.graph.arrow(*t.arrow) if t.arrow else one.graph.place}
            for t in one.troubles
            if t.grade == "warning"
        ]  # fmt: skip
    if question.suggested:
        text = say("counterfactual.suggested", n=len(graphs))
        warnings.insert(0, {"code": "counterfactual.suggested", "text": text, "where": "methods.counterfactual.graphs"})  # fmt: skip
    rescored = "model" if question.target.kind == "model" else "equation"
    result_all: dict[str, Any] = {
        "attribute": question.attribute.name,
        "privileged": question.attribute.privileged.key,
        "unprivileged": [g.key for g in question.attribute.unprivileged],
        "words": {
            g.key: words_of(plan=plan, attribute=question.attribute.name, key=g.key)
            for g in question.attribute.groups
        },
        "target": {
            "name": question.target.name,
            "kind": question.target.kind,
            "high_is": question.target.high_is,
        },
        "sample": question.sample.role,
        "rescored": rescored,
        "rescored_words": say(
            f"counterfactual.rescored_{'record' if question.target.kind == 'outcome' else rescored}",
            target=question.target.name,
            model=cohort.fitted.name if cohort.fitted is not None else "",
        ),
        "threshold": threshold,
        "threshold_from": threshold_from,
        "cut": cut,
        "suggested": question.suggested,
        "graphs": graphs,
        "across_graphs": _across(graphs),
        "table": "tables/counterfactual.csv",
    }  # fmt: skip
    return Computed(
        result=result_all,
        tables={"counterfactual": pd.concat(tables, ignore_index=True)},
        warnings=tuple(warnings),
        exclusions=tuple(exclusions),
    )


def _is_number(levels: tuple[str, ...], built: Built, node: str) -> bool:
    equation = built.world.equations.get(node)
    return not levels and (equation is None or equation.kind != "logistic")


def _threshold(question: Question, settings: Mapping[str, Any]) -> tuple[float, str]:
    given = settings.get("threshold")
    if given is not None:
        return float(given), say("counterfactual.threshold_given")
    values = question.target.values.values
    seen = values[np.isfinite(values)]
    spread = float(np.std(seen)) if len(seen) else 0.0
    return TENTH * spread, say("counterfactual.threshold_default", sd=number(spread))


def _cut(question: Question, settings: Mapping[str, Any]) -> tuple[float | None, bool, str]:
    """The score from which decisions are favourable, whether high ones are, and why there is none."""
    target, sample = question.target, question.sample
    high = target.high_is != "unfavourable"
    if settings.get("cut") is not None:
        return float(settings["cut"]), high, ""
    if target.kind == "model":
        return None, high, ""
    if target.kind in ("outcome", "decision"):
        return 0.5, True, ""
    if sample.decision is None:
        return None, high, say("counterfactual.no_decisions")
    values = target.values.values
    good = values[(sample.decision == 1) & np.isfinite(values)]
    bad = values[(sample.decision == 0) & np.isfinite(values)]
    if not len(good) or not len(bad):
        return None, high, say("counterfactual.one_decision", target=target.name)
    if good.min() > bad.max():
        return float(good.min()), True, ""
    if good.max() < bad.min():
        return float(good.max()), False, ""
    return None, high, say("counterfactual.no_cut", target=target.name)


def _graph(
    question: Question, built: Built, asked: Asked, cut_reason: str, watch: Watch
) -> tuple[dict[str, Any], pd.DataFrame]:
    passes = passes_of(question=question, built=built, asked=asked, watch=watch.part(0.1, 0.6))
    code = np.where(built.evaluated, question.group.values, -1).astype(np.int64)
    shares = shares_of(code, question.weight)
    personal = Personal.of(passes, code, shares)
    drawn = resampled(
        question=question, built=built, asked=asked, personal=personal, shares=shares,
        watch=watch.part(0.6, 1.0),
    )  # fmt: skip
    whole = statistics_of(
        personal=personal, drawn=drawn, question=question, threshold=asked.threshold, group=None
    )
    by_group = {}
    for place, group in enumerate(question.attribute.groups):
        one = statistics_of(
            personal=personal, drawn=drawn, question=question, threshold=asked.threshold,
            group=place,
        )  # fmt: skip
        one["flips"] = flips_of(passes, question, code == place, cut_reason)
        one["privileged"] = group.privileged
        by_group[group.key] = one
    along = along_of(passes, code, shares, question.weight)
    told = assumptions(built)
    if asked.rescorer is not None and asked.rescorer.note:
        told.append(asked.rescorer.note)
    result = {
        "root": built.root,
        "edges": [list(e) for e in built.graph.edges],
        "roles": dict(built.graph.roles),
        "positions": {n: list(p) for n, p in built.graph.positions.items()},
        "moved": list(built.world.moved),
        "drawn": list(built.world.random),
        **whole,
        "not_evaluated": int((~built.evaluated).sum()),
        "not_evaluated_why": dict(built.not_evaluated),
        "by_group": by_group,
        "alternatives": alternatives_of(passes, question, code),
        "flips": flips_of(passes, question, code >= 0, cut_reason),
        "partial_propagation": along,
        "flip_only": {
            "oriented": along[0]["oriented"] if along else None,
            "mean_abs_shift": along[0]["mean_abs_shift"] if along else None,
            "label": say("counterfactual.flip_only"),
        },
        "differences": {
            node: level_differences(
                values=built.values[node],
                group=question.group.values,
                weight=question.weight,
                rows=built.evaluated,
            )
            for node in built.world.moved
            if built.values[node].levels and built.root in built.graph.parents(node)
        },
        "fits": {node: fit | {"intervals": {}} for node, fit in built.fits.items()},
        "troubles": as_result(built.troubles),
        "assumptions": told,
    }
    _strengths(result["fits"], drawn.equations, question)
    table = person_table(question=question, built=built, passes=passes, result=result)
    return result, table


def _strengths(fits: dict[str, Any], equations: Mapping[str, Equation], question: Question) -> None:
    """Intervals of the fitted strengths, from the resamples."""
    tail = (1 - question.plan.confidence) / 2
    for node, equation in equations.items():
        if isinstance(equation, Boosted) or equation.stated:
            continue
        if fits[node]["coefficients"] is None or (isinstance(equation, Linear) and equation.bent):
            continue
        beta = equation.beta[:, 0] if equation.beta.ndim == 3 else equation.beta
        sound = beta[np.isfinite(beta).all(axis=1)]
        if len(sound) < 0.95 * len(beta):
            continue
        low, high = np.quantile(sound, [tail, 1 - tail], axis=0)
        labels = list(fits[node]["coefficients"])
        fits[node]["intervals"] = {
            label: [float(a), float(b)] for label, a, b in zip(labels, low, high, strict=True)
        }


def _across(graphs: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """The range of the oriented effect over the graphs, and whether its verdict changes."""
    values = {
        n: g["oriented"]["value"] for n, g in graphs.items() if g["oriented"]["value"] is not None
    }
    verdicts = {n: g["oriented"]["verdict"] for n, g in graphs.items()}
    if not values:
        reason = next(iter(graphs.values()))["oriented"]["reason"]
        return {"low": None, "high": None, "verdict_changes": None, "verdicts": verdicts, "reason": reason}  # fmt: skip
    return {
        "low": min(values.values()),
        "high": max(values.values()),
        "low_graph": min(values, key=lambda n: values[n]),
        "high_graph": max(values, key=lambda n: values[n]),
        "verdict_changes": len(set(verdicts.values())) > 1,
        "verdicts": verdicts,
        "reason": "",
    }
