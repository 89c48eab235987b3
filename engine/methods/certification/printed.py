"""The certification's small tables for window and paper, cells as text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.base.wording import count, interval, number, p_value, percent
from engine.fairness.metrics import METRICS, WORDS
from engine.messages import say
from engine.methods.base import PrintedTable, Verdict
from engine.plan.model import Plan

from .words import (
    band_words,
    group_words,
    heading,
    interval_words,
    others,
    privileged,
    sub_line,
    value_words,
)

DASH = "–"
PAIRS_SHOWN = 30
"""Pairs of groups that a paper lists; 40 groups have 780, which is sixty pages."""


def _confidence(plan: Plan) -> str:
    return f"{100 * plan.confidence:g} % interval"


def _measure_cells(metric: str, one: Mapping[str, Any], band: list[float]) -> tuple[Any, ...]:
    return (
        value_words(metric, one["value"]) or DASH,
        interval_words(metric, one) or DASH,
        band_words(metric, band),
        Verdict(one["verdict"]),
    )


def metrics(*, result: Mapping[str, Any], plan: Plan) -> PrintedTable:
    """Every metric of every attribute; reasons stand in the notes."""
    rows: list[tuple[Any, ...]] = []
    notes: list[str] = []
    for name, one in result["attributes"].items():
        for metric in METRICS:
            mine = one["metrics"][metric]
            label = f"{WORDS[metric]} ({sub_line(metric, one)})"
            rows.append((name, label, *_measure_cells(metric, mine, one["band"][metric])))
            said = mine["reason"] or mine.get("note", "")
            if said:
                notes.append(f"{name}, {WORDS[metric].lower()}: {said}")
    return PrintedTable(
        title="Metrics",
        columns=("Attribute", "Metric", "Value", _confidence(plan), "Tolerance", "Verdict"),
        rows=tuple(rows),
        align="llrrrl",
        notes=tuple(dict.fromkeys(notes)),
    )


def by_group(*, name: str, one: Mapping[str, Any], plan: Plan) -> PrintedTable:
    """The metrics of each unprivileged group against the privileged one."""
    rows = [
        (
            group_words(one, group),
            WORDS[metric],
            *_measure_cells(metric, one["groups"][group]["metrics"][metric], one["band"][metric]),
        )
        for group in one["unprivileged"]
        for metric in METRICS
    ]
    return PrintedTable(
        title=f"{name}: each group compared with {privileged(one)}",
        columns=("Group", "Metric", "Value", _confidence(plan), "Tolerance", "Verdict"),
        rows=tuple(rows),
        align="llrrrl",
    )


def counts(*, name: str, one: Mapping[str, Any]) -> PrintedTable:
    """The counts behind the metrics."""
    kinds = (
        ("recorded", "Recorded favourable"),
        ("true_positive", "Recorded favourable, decided favourable"),
        ("false_positive", "Recorded unfavourable, decided favourable"),
    )
    rows = []
    for key, group in one["groups"].items():
        cells: list[str] = [group_words(one, key), group["role"]]
        for kind, _ in kinds:
            rate = group["rates"].get(kind)
            cells.append(
                DASH
                if rate is None
                else f"{count(rate['part'])} of {count(rate['of'])}"
                + (f" · {percent(rate['value'])}" if rate["value"] is not None else "")
            )
        cells.append(count(group["counts"]["unknown_outcome"]) or DASH)
        rows.append(tuple(cells))
    return PrintedTable(
        title=f"{name}: counts behind the metrics",
        columns=("Group", "Side", *(words for _, words in kinds), "Outcome unknown"),
        rows=tuple(rows),
        align="llrrrr",
    )


def tests(*, name: str, one: Mapping[str, Any]) -> PrintedTable:
    """Tests of two rates beside the metrics, for recorded outcomes and for decisions."""
    rows: list[tuple[str, ...]] = []
    sides = [(others(one), one)]
    if len(one["unprivileged"]) > 1:
        sides += [(group_words(one, key), one["groups"][key]) for key in one["unprivileged"]]
    for who, mine in sides:
        for code, words in (("tests", "Recorded outcomes"), ("decision_tests", "Decisions")):
            found = mine[code]
            if found["rate"] is None:
                continue
            rows.append(
                (
                    f"{words}, {who}",
                    number(found["z"], digits=2) or DASH,
                    p_value(found["z_p"]) or DASH,
                    p_value(found["fisher_p"]) or DASH,
                    _yes(found["four_fifths"]),
                    _yes(found["flip_flop"]),
                    number(found["shortfall"], digits=1) or DASH,
                )
            )
    return PrintedTable(
        title=f"{name}: tests of two rates",
        columns=(
            "Compared with " + privileged(one),
            "z",
            "p of z",
            "p, Fisher",
            "Four fifths reached",
            "One person would turn it",
            "Shortfall, people",
        ),
        rows=tuple(rows),
        align="lrrrccr",
        notes=("z: two proportions, pooled variance. p two-sided, not corrected.",),
    )


def _yes(value: bool | None) -> str:
    return DASH if value is None else ("yes" if value else "no")


def bounds(*, name: str, one: Mapping[str, Any]) -> PrintedTable:
    """How far blank groups and unknown outcomes could move parity."""
    rows = []
    notes = []
    for metric, bound in one["bounds"].items():
        worst = bound["worst_case"]
        rows.append(
            (
                WORDS[metric],
                value_words(metric, one["metrics"][metric]["value"]) or DASH,
                _ends(metric, bound),
                _ends(metric, worst),
            )
        )
        notes += [r for r in (bound["reason"], worst["reason"]) if r]
    return PrintedTable(
        title=f"{name}: what blank groups and unknown outcomes could change",
        columns=("Metric", "As known", "Eight ways of filling in", "Worst case"),
        rows=tuple(rows),
        align="lrrr",
        notes=tuple(dict.fromkeys(notes)),
    )


def _ends(metric: str, ends: Mapping[str, Any]) -> str:
    both = interval(ends["low"], ends["high"], sign=metric != "DI")
    if both or ends["low"] is None:
        return both or DASH
    return f"{number(ends['low'])} and up"


def pairs(*, name: str, one: Mapping[str, Any]) -> PrintedTable:
    """The metrics of every two groups, values only; of many, those farthest from the ideal."""
    found = one["pairs"]
    shown = found
    notes: tuple[str, ...] = ()
    if len(found) > PAIRS_SHOWN:
        far = sorted(range(len(found)), key=lambda n: (-_distance(found[n]), n))[:PAIRS_SHOWN]
        shown = [found[n] for n in sorted(far)]
        notes = (say("certification.pairs_shown", shown=len(shown), total=count(len(found))),)
    rows = [
        (
            f"{group_words(one, row['group'])} compared with {group_words(one, row['against'])}",
            *(value_words(m, row[m]) or DASH for m in METRICS),
        )
        for row in shown
    ]
    return PrintedTable(
        title=f"{name}: every two groups",
        columns=("Groups", *(WORDS[m] for m in METRICS)),
        rows=tuple(rows),
        align="lrrrrr",
        notes=notes,
    )


def _distance(row: Mapping[str, Any]) -> float:
    """How far the farthest metric of two groups lies from its ideal; DI and 1/DI count alike."""
    off = 0.0
    for metric in METRICS:
        value = row[metric]
        if value is None:
            continue
        if metric == "DI":
            off = max(off, 1 - (min(value, 1 / value) if value > 0 else 0.0))
        else:
            off = max(off, abs(value))
    return off


def scores(*, result: Mapping[str, Any], plan: Plan) -> PrintedTable:
    """Bias Index of each attribute and the Fairness Score."""
    rows: list[tuple[Any, ...]] = []
    notes: list[str] = []
    for name, one in result["attributes"].items():
        index = one["bias_index"]
        rows.append(
            (
                f"Bias Index, {heading(name, one)}",
                number(index["value"]) or DASH,
                interval(index["low"], index["high"]) or DASH,
                f"at most {number(one['bias_index_bound'], digits=2)}",
                Verdict(index["verdict"]),
            )
        )
        if index["reason"]:
            notes.append(f"{name}: {index['reason']}")
        if index["partial"] is not None:
            notes.append(
                f"{name}: over the {len(index['partial_metrics'])} metrics that can be computed, "
                f"of {len(index['metrics_used'])}, the index is {number(index['partial'])}. "
                "It must not be compared with an index over other metrics."
            )
    score = result["fairness_score"]
    rows.append(
        (
            "Fairness Score",
            number(score["value"]) or DASH,
            interval(score["low"], score["high"]) or DASH,
            f"at least {number(plan.tolerance.fairness_score, digits=2)}",
            Verdict(score["verdict"]),
        )
    )
    notes += [said for said in (score["reason"], score.get("note", "")) if said]
    return PrintedTable(
        title="Bias Index and Fairness Score",
        columns=("", "Value", _confidence(plan), "Tolerance", "Verdict"),
        rows=tuple(rows),
        align="lrrrl",
        notes=tuple(dict.fromkeys(notes)),
    )


def readings(*, result: Mapping[str, Any]) -> PrintedTable:
    """The two rules of decision side by side; the one that the case carries is named."""
    found = result["recommendation"]
    tally = found["tally"]
    checked = sum(tally.values()) - tally["not checked"]
    return PrintedTable(
        title="Two readings",
        columns=("Reading", "Metrics within", "Metrics outside", "Not settled", "Recommends"),
        rows=(
            (
                "Whole interval",
                f"{tally['within']} of {checked}",
                f"{tally['outside']} of {checked}",
                f"{tally['not settled']} of {checked}",
                found["whole_interval"],
            ),
            (
                "As published, point values",
                f"{checked - tally['not computable'] - found['outside_by_value']} of {checked}",
                f"{found['outside_by_value']} of {checked}",
                DASH,
                found["as_published"],
            ),
        ),
        align="lrrrl",
        notes=(f"The rule of this case: {found['rule']}.",),
    )
