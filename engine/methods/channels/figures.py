"""The parts as a waterfall, and the graph with its fitted strengths."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.base.wording import number
from engine.drawing.model import Chart, GraphChart, Waterfall
from engine.methods.arrows import STRENGTHS, graph_chart, strengths

from .advice import settled
from .tables import parts_of, words_of


def figures(*, result: Mapping[str, Any], tables: Mapping[str, Any]) -> list[Chart]:
    """``channels`` (a waterfall) and ``channels-graph``."""
    if result["gap"]["value"] is None:
        return [_graph(result)]
    return [_waterfall(result), _graph(result)]


def _waterfall(result: Mapping[str, Any]) -> Waterfall:
    target = result["target"]["name"]
    parts = [
        (words_of(kind, node), float(p["value"]), p["low"], p["high"], settled(p))
        for kind, node, p in parts_of(result)
    ]
    gap = result["gap"]
    parts.append(("Whole gap", float(gap["value"]), gap["low"], gap["high"], settled(gap)))
    return Waterfall(
        key="channels",
        title=f"Where the gap in {target} comes from",
        sentence=f"Parts add up to {number(gap['value'], sign=True)}; hatched parts are not settled.",
        x_label=f"{target}: unprivileged less privileged",
        parts=tuple(parts),
    )


def _graph(result: Mapping[str, Any]) -> GraphChart:
    return graph_chart(
        key="channels-graph",
        title="What leads to what",
        sentence=STRENGTHS,
        edges=result["graph"]["edges"],
        roles=result["graph"]["roles"],
        root=result["graph"]["root"],
        target=result["target"]["name"],
        labels=strengths(result["fits"], result.get("differences"), result["graph"]["root"]),
        positions=result["graph"]["positions"],
    )
