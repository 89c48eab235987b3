"""Rates of each group side by side, and the reliability plot with its numbers of people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.base.wording import count
from engine.drawing.model import BarChart, Chart, ScatterChart, Series

from .words import named_group


def figures(*, result: Mapping[str, Any], tables: Mapping[str, Any]) -> list[Chart]:
    """``definitions``, and ``reliability`` where there are scores."""
    charts: list[Chart] = [_rates(result)]
    if result["calibration"]:
        charts.append(_reliability(result))
    return charts


def _style(key: str, result: Mapping[str, Any]) -> str:
    return "privileged" if key == result["privileged"] else "unprivileged"


def _rates(result: Mapping[str, Any]) -> BarChart:
    names = (
        "Base rate",
        "Favourable decisions",
        "True positive rate",
        "False positive rate",
        "Precision",
    )
    series = []
    for key, base in result["base_rates"]["groups"].items():
        odds = result["odds"]["groups"][key]
        values = (
            base["rate"],
            result["parity"]["groups"][key]["rate"],
            odds["TPR"],
            odds["FPR"],
            odds["PPV"],
        )
        series.append(
            Series(name=named_group(result, key), x=names, y=values, style=_style(key, result))
        )
    sentence = "Each definition asks for another pair of bars to be equal."
    return BarChart(
        key="definitions", title="Rates of each group", sentence=sentence, alt=sentence,
        y_label="Share of people", series=tuple(series),
    )  # fmt: skip


def _reliability(result: Mapping[str, Any]) -> ScatterChart:
    series = []
    for key, group in result["calibration"].items():
        shown = [b for b in group["bins"] if b["observed"] is not None]
        series.append(
            Series(
                name=named_group(result, key),
                x=tuple(b["mean_score"] for b in shown),
                y=tuple(b["observed"] for b in shown),
                style=_style(key, result),
                labels=tuple(count(round(b["n"], 1)) for b in shown),
            )
        )
    sentence = (
        "On the diagonal a score of 0.7 means that 70 of 100 people have the favourable outcome. "
        "Beside each dot stand its people."
    )
    return ScatterChart(
        key="reliability", title="Reliability of the score", sentence=sentence, alt=sentence,
        x_label="Mean score in the bin", y_label="Share with the favourable outcome",
        series=tuple(series), diagonal=True,
    )  # fmt: skip
