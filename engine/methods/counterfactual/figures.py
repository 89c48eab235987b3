"""Graphs with fitted strengths, and the changes of people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from engine.base.wording import interval, number
from engine.drawing.model import Chart, Distribution, IntervalChart, IntervalRow, LineChart, Series
from engine.methods.arrows import STRENGTHS, graph_chart, strengths

from .tables import CHANGE, GRAPH, GROUP, called

MOST_DRAWN = 5000
"""Changes that are drawn; a histogram of more looks the same."""


def figures(*, result: Mapping[str, Any], tables: Mapping[str, Any]) -> list[Chart]:
    """``counterfactual-graphs`` (the oriented effect under each graph), and for each graph
    ``counterfactual-graph-N``, ``counterfactual-changes-N`` and ``counterfactual-way-N``."""
    made: list[Chart] = [_across(result)]
    table = tables["counterfactual"]
    for i, (name, part) in enumerate(result["graphs"].items(), start=1):
        made.append(
            graph_chart(
                key=f"counterfactual-graph-{i}",
                title=f"What leads to what: {name}",
                sentence=STRENGTHS,
                edges=part["edges"], roles=part["roles"], root=part["root"],
                target=result["target"]["name"], labels=strengths(part["fits"], part.get("differences"), part["root"]),
                positions=part["positions"],
            )
        )  # fmt: skip
        if part["persons"]:
            made += [_changes(result, table, name, i), _way(result, part, name, i)]
    return made


def _across(result: Mapping[str, Any]) -> IntervalChart:
    target, threshold = result["target"]["name"], result["threshold"]
    rows = []
    for name, part in result["graphs"].items():
        one = part["oriented"]
        rows.append(
            IntervalRow(
                label=name, sub="", group="From privileged to unprivileged", value=one["value"],
                low=one["low"], high=one["high"], verdict=one["verdict"], shown=number(one["value"], sign=True),
                shown_interval=interval(one["low"], one["high"], sign=True), reason=one["reason"], ideal=0.0,
                band=(-threshold, threshold),
            )
        )  # fmt: skip
    return IntervalChart(
        key="counterfactual-graphs",
        title="The same question under each graph",
        sentence=f"Effect on {target} of going from {called(result, result['privileged'])} to {_others(result)}; the band is a change too small to matter.",
        x_label=target,
        rows=tuple(rows),
    )


def _others(result: Mapping[str, Any]) -> str:
    keys = result["unprivileged"]
    return called(result, keys[0]) if len(keys) == 1 else "an unprivileged group"


def _changes(result: Mapping[str, Any], table: pd.DataFrame, name: str, place: int) -> Distribution:
    own = table[(table[GRAPH] == name) & np.isfinite(table[CHANGE].astype(float))]
    samples, sizes = [], []
    for key in [result["privileged"], *result["unprivileged"]]:
        name_of = called(result, key)
        changes = own.loc[own[GROUP] == name_of, CHANGE].to_numpy(dtype=np.float64)
        step = max(1, -(-len(changes) // MOST_DRAWN))
        if len(changes):
            # rounding in the last digits must not be drawn as a spread
            drawn = np.round(changes[::step], 10)
            style = "privileged" if key == result["privileged"] else "unprivileged"
            sizes.append(len(changes))
            samples.append((name_of, tuple(map(float, drawn)), style))
    threshold = result["threshold"]
    return Distribution(
        key=f"counterfactual-changes-{place}",
        title=f"How people would change: {name}",
        sentence="Each person's value in the other group less their value now, by the group they are in.",
        x_label=f"Change of {result['target']['name']}",
        y_label="People",
        density=False,
        samples=tuple(samples),
        lines=(
            (0.0, "no change"),
            (-threshold, "matters below"),
            (threshold, "matters above"),
        ),
        sizes=tuple(sizes),
    )


def _way(result: Mapping[str, Any], part: Mapping[str, Any], name: str, place: int) -> LineChart:
    grid = part["partial_propagation"]
    series = Series(
        name="effect",
        x=tuple(one["share"] for one in grid),
        y=tuple(one["oriented"] for one in grid),
    )
    return LineChart(
        key=f"counterfactual-way-{place}",
        title=f"When the columns between go part of the way: {name}",
        sentence="At 0 the attribute alone is flipped; at 1 every column follows its arrows wholly.",
        x_label="Share of the way that the columns between go",
        y_label=f"Effect on {result['target']['name']}",
        series=(series,),
        band=(-result["threshold"], result["threshold"]),
    )
