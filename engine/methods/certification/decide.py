"""The worst metric, and what the two rules of decision recommend."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from engine.base.wording import interval, listed, number, people
from engine.fairness.metrics import IDEAL, METRICS, WORDS
from engine.fairness.verdict import EDGE, inside
from engine.messages import say
from engine.plan.model import POINT_VALUES, Plan

GRANT, REFUSE, OPEN = "grant", "refuse", "not settled"
SMALL_TEST = 1000
"""Below this many test rows a score read from its value alone may well be chance [methods A 4]."""


def share_of_tolerance(*, metric: str, value: float, band: tuple[float, float]) -> float:
    """Distance from the ideal as a share of the tolerance on that side.

    A ratio is first turned so that it is at most 1 (the lesser of it and its inverse), so that
    0.5 and 2 are equally far. Infinite where the tolerance on that side is 0.

    Examples
    --------
    >>> round(share_of_tolerance(metric="SPD", value=-0.2, band=(-0.1, 0.1)), 6)
    2.0
    >>> round(share_of_tolerance(metric="DI", value=2.0, band=(0.9, 1.1)), 6)
    5.0
    """
    ideal = IDEAL[metric]
    if metric == "DI" and value > 1:
        value = 1 / value
    distance = abs(value - ideal)
    if distance <= EDGE:
        return 0.0
    room = band[1] - ideal if value > ideal else ideal - band[0]
    return distance / room if room > 0 else math.inf


def worst_of(*, attributes: Mapping[str, dict[str, Any]], plan: Plan) -> dict[str, Any]:
    """The metric furthest from its ideal; ``share`` is None for a tolerance of 0.

    ``group`` names the unprivileged group whose own comparison is worst, where there are several.
    """
    best: dict[str, Any] = {"attribute": None, "metric": None, "value": None, "share": None}
    alone: dict[str, Any] = {**best, "group": None}
    top = top_alone = -1.0
    for name, one in attributes.items():
        for metric in METRICS:
            band = plan.tolerance.band(metric, name)
            value = one["metrics"][metric]["value"]
            if value is not None:
                share = share_of_tolerance(metric=metric, value=value, band=band)
                if share > top:
                    top = share
                    best = _named(name, metric, value, share)
            if len(one["unprivileged"]) < 2:
                continue
            for group in one["unprivileged"]:
                value = one["groups"][group]["metrics"][metric]["value"]
                if value is None:
                    continue
                share = share_of_tolerance(metric=metric, value=value, band=band)
                if share > top_alone:
                    top_alone = share
                    alone = {**_named(name, metric, value, share), "group": group}
    return {**best, "single_group": alone}


def _named(attribute: str, metric: str, value: float, share: float) -> dict[str, Any]:
    finite = share if math.isfinite(share) else None
    return {"attribute": attribute, "metric": metric, "value": value, "share": finite}


def tally(measures: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """How many measures have each verdict."""
    words = ("within", "outside", "not settled", "not computable", "not checked")
    found = [m["verdict"] for m in measures]
    return {word: found.count(word) for word in words}


def recommend(
    *,
    attributes: Mapping[str, dict[str, Any]],
    score: Mapping[str, Any],
    worst: Mapping[str, Any],
    plan: Plan,
    without_system: bool,
    test_rows: int | None,
) -> dict[str, Any]:
    """Both rules, the chosen one's value, and the reasons in sentences."""
    metrics = [m for one in attributes.values() for m in one["metrics"].values()]
    groups = [
        m
        for one in attributes.values()
        if len(one["unprivileged"]) > 1
        for key in one["unprivileged"]
        for m in one["groups"][key]["metrics"].values()
    ]
    counted, among_groups = tally(metrics), tally(groups)
    whole = _whole_interval(counted, among_groups, score)
    published = _as_published(attributes, score, plan)
    if without_system:
        whole = OPEN if whole == GRANT else whole
        published = OPEN if published == GRANT else published
    rule = plan.tolerance.rule
    outside_as_points = _outside_as_points(attributes, plan)
    checked = sum(counted.values()) - counted["not checked"]
    crossing = all(
        m["low"] is not None and not m.get("held_back") for m in metrics if m["value"] is not None
    )
    reasons = [_tally_reason(counted, checked, crossing)]
    if worst["metric"] is not None:
        reasons.append(_worst_reason(worst, attributes))
    if among_groups["outside"]:
        many = "groups" if among_groups["outside"] > 1 else "group"
        reasons.append(say(f"certification.{many}_outside", n=among_groups["outside"]))
    reasons.append(_score_reason(score, plan))
    if test_rows is not None and 0 < test_rows < SMALL_TEST:
        reasons.append(say("certification.small_test", people=people(test_rows)))
    reasons.append(_published_reason(published, outside_as_points, score, attributes, plan))
    if rule == POINT_VALUES and counted["not settled"]:
        reasons.append(say("certification.points_unsettled", n=counted["not settled"], of=checked))
    if without_system:
        reasons.append(say("certification.no_system"))
    return {
        "value": published if rule == POINT_VALUES else whole,
        "rule": rule,
        "reasons": reasons,
        "as_published": published,
        "whole_interval": whole,
        "tally": counted,
        "tally_of_single_groups": among_groups,
        "outside_by_value": outside_as_points,
        "not_settled": counted["not settled"],
    }


def _whole_interval(
    counted: Mapping[str, int], groups: Mapping[str, int], score: Mapping[str, Any]
) -> str:
    """``grant``: every checked metric and the score lie within; ``refuse``: any lies outside.

    A single unprivileged group that lies outside counts too: pooling must not hide it.
    """
    if counted["outside"] or groups["outside"] or score["verdict"] == "outside":
        return REFUSE
    if counted["not settled"] or counted["not computable"] or not counted["within"]:
        return OPEN
    return GRANT if score["verdict"] == "within" else OPEN


def _as_published(
    attributes: Mapping[str, dict[str, Any]], score: Mapping[str, Any], plan: Plan
) -> str:
    """The paper's own reading (discussion, item 9), from values alone."""
    if score["value"] is None:
        return OPEN
    low_enough = all(
        inside(one["bias_index"]["value"], (None, plan.tolerance.bias_index_bound(name)))
        for name, one in attributes.items()
    )
    high_enough = inside(score["value"], (plan.tolerance.fairness_score, None))
    return GRANT if low_enough and high_enough else REFUSE


def _outside_as_points(attributes: Mapping[str, dict[str, Any]], plan: Plan) -> int:
    return sum(
        one["metrics"][m]["value"] is not None
        and not inside(one["metrics"][m]["value"], plan.tolerance.band(m, name))
        for name, one in attributes.items()
        for m in METRICS
    )


def _tally_reason(counted: Mapping[str, int], checked: int, crossing: bool) -> str:
    for word in ("within", "outside", "not settled", "not computable"):
        if checked and counted[word] == checked:
            code = word.replace(" ", "_")
            if word == OPEN and crossing:
                code = "crossing"
            how_many = {1: "one", 2: "both"}.get(checked, "all")
            return say(f"certification.{how_many}_{code}", n=checked)
    if not checked:
        return say("certification.none_checked")
    parts = [
        say(f"certification.tally_{word.replace(' ', '_')}", n=counted[word], be=_be(counted[word]))
        for word in ("within", "outside", "not settled", "not computable")
        if counted[word]
    ]
    return say("certification.tally", of=checked, parts=listed(parts))


def _be(n: int) -> str:
    return "is" if n == 1 else "are"


def _worst_reason(worst: Mapping[str, Any], attributes: Mapping[str, dict[str, Any]]) -> str:
    one = attributes[worst["attribute"]]["metrics"][worst["metric"]]
    return say(
        "certification.worst",
        metric=WORDS[worst["metric"]],
        attribute=worst["attribute"],
        value=number(worst["value"], sign=worst["metric"] != "DI"),
        verdict=one["verdict"],
    )


def _score_reason(score: Mapping[str, Any], plan: Plan) -> str:
    if score["value"] is None:
        return say("certification.score_missing", reason=score["reason"])
    ends = interval(score["low"], score["high"])
    code = {"within": "score_within", "outside": "score_outside"}.get(
        str(score["verdict"]), "score_open"
    )
    return say(
        f"certification.{code}",
        value=number(score["value"]),
        confidence=f"{100 * plan.confidence:g} %",
        interval=ends or say("certification.no_interval"),
        bound=number(plan.tolerance.fairness_score, digits=2),
    )


def _published_reason(
    published: str,
    outside: int,
    score: Mapping[str, Any],
    attributes: Mapping[str, dict[str, Any]],
    plan: Plan,
) -> str:
    if score["value"] is None:
        return say("certification.published_missing")
    fields = {"value": number(score["value"]), "outside": _single_metrics(outside)}
    if published == GRANT:
        return say("certification.published_pass", **fields)
    if published == OPEN:
        return say("certification.published_open", **fields)
    if not inside(score["value"], (plan.tolerance.fairness_score, None)):
        return say("certification.published_fail", **fields)
    worst = max(
        attributes,
        key=lambda name: (
            attributes[name]["bias_index"]["value"] - attributes[name]["bias_index_bound"]
        ),
    )
    return say(
        "certification.published_index",
        attribute=worst,
        index=number(attributes[worst]["bias_index"]["value"]),
        bound=number(attributes[worst]["bias_index_bound"], digits=2),
        **fields,
    )


def _single_metrics(n: int) -> str:
    code = {0: "no_metric_outside", 1: "metric_outside"}.get(n, "metrics_outside")
    return say(f"certification.{code}", n=n)
