"""The certification's drawings: every metric against its band, and the groups' rates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.base.wording import count, percent
from engine.drawing.model import BarChart, Chart, IntervalChart, IntervalRow, Series
from engine.fairness.metrics import IDEAL, METRICS, WORDS

from .words import group_words, heading, interval_words, sub_line, value_words

RATES = (
    ("recorded", "Recorded favourable"),
    ("decided", "Decided favourable"),
    ("true_positive", "Decided favourable, of recorded favourable"),
    ("false_positive", "Decided favourable, of recorded unfavourable"),
)


def figures(*, result: Mapping[str, Any], tables: Mapping[str, Any]) -> list[Chart]:
    """``metrics`` (step 8), ``metrics_by_group`` where an attribute has several unprivileged
    groups, and one chart for each rate (``rates_recorded``, ...)."""
    attributes: Mapping[str, Any] = result["attributes"]
    charts: list[Chart] = [_metrics_chart(attributes, result["recommendation"]["tally"])]
    several = [
        _row(metric, name, one, one["groups"][group]["metrics"][metric], group)
        for name, one in attributes.items()
        if len(one["unprivileged"]) > 1
        for group in one["unprivileged"]
        for metric in METRICS
    ]
    if several:
        charts.append(
            IntervalChart(
                key="metrics_by_group",
                title="Each unprivileged group against the privileged one",
                sentence="Pooling can hide what happens to one group, so each is compared alone.",
                x_label="Distance from the ideal: 0, for ratios 1",
                rows=tuple(several),
            )
        )
    return charts + [chart for key, words in RATES if (chart := _rates(attributes, key, words))]


def _metrics_chart(attributes: Mapping[str, Any], tally: Mapping[str, int]) -> IntervalChart:
    rows = [
        _row(metric, name, one, one["metrics"][metric], None)
        for name, one in attributes.items()
        for metric in METRICS
    ]
    parts = [f"{n} {word}" for word, n in tally.items() if n]
    return IntervalChart(
        key="metrics",
        title="All metrics and the band",
        sentence=f"Each row is one metric, its interval and its tolerance: {', '.join(parts)}.",
        x_label="Distance from the ideal: 0, for ratios 1",
        rows=tuple(rows),
    )


def _row(
    metric: str,
    name: str,
    one: Mapping[str, Any],
    measure: Mapping[str, Any],
    group: str | None,
) -> IntervalRow:
    band = one["band"][metric]
    return IntervalRow(
        label=WORDS[metric],
        sub=sub_line(metric, one, group),
        group=heading(name, one, group),
        value=measure["value"],
        low=measure["low"],
        high=measure["high"],
        verdict=measure["verdict"],
        shown=value_words(metric, measure["value"]),
        shown_interval=interval_words(metric, measure),
        reason=measure["reason"],
        band=(band[0], band[1]),
        ideal=IDEAL[metric],
    )


def _rates(attributes: Mapping[str, Any], key: str, words: str) -> BarChart | None:
    found = [
        (f"{name}: {group_words(attribute, group)}", one["role"], one["rates"][key])
        for name, attribute in attributes.items()
        for group, one in attribute["groups"].items()
        if key in one["rates"]
    ]
    if not found:
        return None
    series = Series(
        name=words,
        x=tuple(
            f"{label}, privileged" if role == "privileged" else label for label, role, _ in found
        ),
        y=tuple(rate["value"] for _, _, rate in found),
        low=tuple(rate["low"] for _, _, rate in found),
        high=tuple(rate["high"] for _, _, rate in found),
        labels=tuple(_of(rate) for _, _, rate in found),
    )
    return BarChart(
        key=f"rates_{key}",
        title=words,
        sentence="Share of people in each group, with its interval.",
        y_label="Share of people",
        series=(series,),
        horizontal=True,
    )


def _of(rate: Mapping[str, Any]) -> str:
    if rate["value"] is None:
        return "0 people"
    return f"{percent(rate['value'])} of {count(rate['of'])}"
