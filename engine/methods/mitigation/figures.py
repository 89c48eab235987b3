"""Scenarios by Bias Index and Fairness Score; features by what they tell and what they move."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.base.wording import interval, number
from engine.drawing.model import Chart, IntervalChart, IntervalRow, ScatterChart, Series


def figures(*, result: Mapping[str, Any], tables: Mapping[str, Any]) -> list[Chart]:
    """``scenarios`` and ``proxies``."""
    return [_scenarios(result), _proxies(result)]


def _scenarios(result: Mapping[str, Any]) -> IntervalChart:
    rows = []
    for one in result["scenarios"]:
        score = one["fairness_score"]
        rows.append(
            IntervalRow(
                label=one["name"], sub="", group="Fairness Score", value=score["value"], low=score["low"],
                high=score["high"], verdict=score["verdict"], shown=number(score["value"]),
                shown_interval=interval(score["low"], score["high"]), reason=score["reason"], ideal=1.0,
            )
        )  # fmt: skip
    for name in result.get("order") or result["scenarios"][0]["bias_index"]:
        for one in result["scenarios"]:
            index = one["bias_index"][name]
            rows.append(
                IntervalRow(
                    label=one["name"], sub="", group=f"Bias Index, {name}", value=index["value"], low=index["low"],
                    high=index["high"], verdict=index["verdict"], shown=number(index["value"]),
                    shown_interval=interval(index["low"], index["high"]), reason=index["reason"], ideal=0.0,
                )
            )  # fmt: skip
    sentence = (
        "Every scenario beside the stand-in as it is: score near 1 and indexes near 0 are better."
    )
    return IntervalChart(
        key="scenarios", title="Scenarios side by side", sentence=sentence, alt=sentence,
        x_label="Distance from the ideal", rows=tuple(rows),
    )  # fmt: skip


def _proxies(result: Mapping[str, Any]) -> ScatterChart:
    features = [
        p for p in result["proxies"]["features"] if p["auc"] is not None and p["moves"] is not None
    ]
    series = tuple(
        Series(
            name=name, x=tuple(p["auc"] for p in chosen), y=tuple(p["moves"] for p in chosen),
            style=style, labels=tuple(p["feature"] for p in chosen),
        )
        for name, style, chosen in (
            ("counts as a proxy", "privileged", [p for p in features if p["proxy"]]),
            ("other features", "unprivileged", [p for p in features if not p["proxy"]]),
        )
        if chosen
    )  # fmt: skip
    sentence = (
        f"Features to the right tell {result['attribute']}; features at the top move decisions."
    )
    return ScatterChart(
        key="proxies", title="What features tell and move", sentence=sentence, alt=sentence,
        x_label=f"Tells {result['attribute']} (0.5 nothing, 1 surely)", y_label="Share of decisions that change when shuffled",
        series=series,
    )  # fmt: skip
