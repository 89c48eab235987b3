"""Monitoring drawn: triggers on a line of time, small multiples of ratios and control charts,
composition as stacked bars, scores."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.drawing.model import BarChart, Cell, Chart, HeatGrid, LineChart, Panels, Series

from .findings import has_scores

MOST_PANELS = 12
MARK = {"none": "within", "investigate": "not settled", "roll back": "outside"}


def figures(*, result: Mapping[str, Any], tables: Mapping[str, Any]) -> list[Chart]:
    """``monitoring_timeline``, ``monitoring_ratios``, ``monitoring_control``,
    ``monitoring_composition``, and ``monitoring_scores`` where there are any."""
    charts = [_timeline(result), _ratios(result), _control(result), _composition(result)]
    return [*charts, _scores(result)] if has_scores(result) else charts


def _cells(result: Mapping[str, Any]) -> tuple[list[str], str]:
    """The crossings drawn: all, or the lowest ratios where there are many."""
    keys = [k for k in result["cells"] if k != result["reference"]]
    if len(keys) <= MOST_PANELS:
        return keys, ""

    def lowest(key: str) -> float:
        known = [
            part["cells"][key]["ratio"]["value"]
            for part in result["periods"].values()
            if part["cells"][key]["ratio"]["value"] is not None
        ]
        return min(known, default=9e9)

    chosen = sorted(keys, key=lowest)[:MOST_PANELS]
    return chosen, f" The {MOST_PANELS} with the lowest ratios are drawn; the table holds all."


def _timeline(result: Mapping[str, Any]) -> Chart:
    order = result["order"]
    row = tuple(
        Cell(
            text=result["periods"][p]["trigger"]["value"],
            verdict=MARK[result["periods"][p]["trigger"]["value"]],
        )
        for p in order
    )
    fired = [f"{p}: {result['periods'][p]['trigger']['value']}" for p in order if result["periods"][p]["trigger"]["value"] != "none"]  # fmt: skip
    sentence = "; ".join(fired) + "." if fired else "No trigger fired."
    names = tuple(order)
    rows = tuple((name, cell) for name, cell in zip(names, row, strict=True))
    return HeatGrid(
        key="monitoring_timeline", title="Triggers over time", sentence=sentence, alt=sentence,
        row_names=tuple(name for name, _ in rows), column_names=("Trigger", "Rule that fired"),
        cells=tuple(
            (cell, Cell(text=result["periods"][name]["trigger"]["rule"] or "–")) for name, cell in rows
        ),
    )  # fmt: skip


def _ratios(result: Mapping[str, Any]) -> Chart:
    keys, more = _cells(result)
    rules = result["rules"]
    certified = result["against_last_certificate"]["cells"]
    parts = []
    for i, key in enumerate(keys):
        called = result["words"][key]
        cells = [result["periods"][p]["cells"][key] for p in result["order"]]
        lines = [(rules["floor"], "floor"), (rules["hard_floor"], "hard floor")]
        band = None
        if key in certified:
            then = certified[key]["certified"]
            lines.append((then["ratio"], "certified"))
            if then["low"] is not None and then["high"] is not None:
                band = (then["low"], then["high"])
        parts.append(
            LineChart(
                key=f"monitoring_ratio_{i}", title=called, sentence=f"The ratio of {called} over time.",
                alt=f"The ratio of {called} over time.", y_label="Ratio",
                series=(
                    Series(
                        name="Ratio", x=tuple(result["order"]),
                        y=tuple(c["ratio"]["value"] for c in cells),
                        low=tuple(c["ratio"]["low"] for c in cells),
                        high=tuple(c["ratio"]["high"] for c in cells), style="unprivileged",
                    ),
                ),
                references=tuple(lines), band=band, events=_events(result, key),
            )
        )  # fmt: skip
    words = "The ratio of each crossing to the reference, with its interval and the floors." + more
    return Panels(
        key="monitoring_ratios", title="Ratios over time", sentence=words, alt=words,
        charts=tuple(parts), across=2 if len(parts) > 1 else 1,
    )  # fmt: skip


def _events(result: Mapping[str, Any], key: str) -> tuple[tuple[Any, str], ...]:
    """Where a trigger of this crossing begins or changes: a long run is marked once."""
    found, before = [], "none"
    for p in result["order"]:
        trigger = result["periods"][p]["trigger"]
        now = trigger["value"] if key in trigger["cells"] else "none"
        if now not in ("none", before):
            found.append((p, now))
        before = now
    return tuple(found)


def _control(result: Mapping[str, Any]) -> Chart:
    keys, more = _cells(result)
    if result["reference"] in result["cells"]:
        keys = [result["reference"], *keys]
    parts = []
    for i, key in enumerate(keys):
        called = result["words"][key]
        cells = [result["periods"][p]["cells"][key] for p in result["order"]]
        level = result["level"]["cells"][key]["rate"]
        order = tuple(result["order"])
        certified = result["level"]["from"] == "the last certificate"
        name = "certified level" if certified else "level"
        shown = [
            Series(
                name="rate", x=order, y=tuple(c["rate"]["value"] for c in cells),
                style="unprivileged",
            )
        ]  # fmt: skip
        if level is not None and any(c["control"]["low"] is not None for c in cells):
            shown.insert(
                0,
                Series(
                    name="control limits", x=order, y=(None,) * len(order),
                    low=tuple(c["control"]["low"] for c in cells),
                    high=tuple(c["control"]["high"] for c in cells), style="plain",
                ),
            )  # fmt: skip
        parts.append(
            LineChart(
                key=f"monitoring_control_{i}", title=called, y_label="Favourable rate",
                sentence=f"The rate of {called} and its control limits.",
                alt=f"The rate of {called} and its control limits. {_outside(result, key)}",
                series=tuple(shown), filled=True,
                references=() if level is None else ((level, name),),
            )
        )  # fmt: skip
    words = (
        "The rate of each crossing on the band within which chance alone keeps it around its "
        f"{'certified level' if result['level']['from'] == 'the last certificate' else 'level'}."
        + more
    )
    return Panels(
        key="monitoring_control", title="Control charts", sentence=words, alt=words,
        charts=tuple(parts), across=2 if len(parts) > 1 else 1,
    )  # fmt: skip


def _outside(result: Mapping[str, Any], key: str) -> str:
    """For those who cannot see it: the periods in which the rate left its limits."""
    found = [p for p in result["order"] if result["periods"][p]["cells"][key]["control"]["outside"]]
    return f"Outside in {', '.join(found)}." if found else "Never outside."


def _composition(result: Mapping[str, Any]) -> Chart:
    order = result["order"]
    series = []
    for key in result["cells"]:
        shares = []
        for p in order:
            total = result["periods"][p]["rows"]
            rows = result["periods"][p]["cells"][key]["rows"]
            shares.append(rows / total if total else None)
        series.append(Series(name=result["words"][key], x=tuple(order), y=tuple(shares)))
    words = "The share of each crossing among the people of each period."
    return BarChart(
        key="monitoring_composition", title="Who applies", sentence=words, alt=words,
        x_label="Period", y_label="Share of people", series=tuple(series), stacked=True,
    )  # fmt: skip


def _scores(result: Mapping[str, Any]) -> Chart:
    order = tuple(result["order"])
    moved = [result["periods"][p]["score_drift"]["change"] for p in order]
    series = [
        Series(
            name="Change of the mean score", x=order, y=tuple(m["value"] for m in moved),
            low=tuple(m["low"] for m in moved), high=tuple(m["high"] for m in moved),
        )
    ]  # fmt: skip
    missed = [result["periods"][p]["calibration"].get("offset") for p in order]
    if any(m is not None and m["value"] is not None for m in missed):
        series.append(
            Series(
                name="Mean score less observed rate", x=order,
                y=tuple(m["value"] if m else None for m in missed),
                low=tuple(m["low"] if m else None for m in missed),
                high=tuple(m["high"] if m else None for m in missed),
            )
        )  # fmt: skip
    words = "How far the mean score moved from its level, and how far it misses what was observed."
    return LineChart(
        key="monitoring_scores", title="Scores and calibration", sentence=words, alt=words,
        y_label="Score", series=tuple(series), references=((0.0, "no change"),),
    )  # fmt: skip
