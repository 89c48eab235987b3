"""The parts as a waterfall, and the graph with its fitted strengths."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.base.wording import number
from engine.drawing.model import Chart, GraphChart, Node, Waterfall

from .advice import settled
from .tables import parts_of, words_of

DIGITS = 3


def figures(*, result: Mapping[str, Any], tables: Mapping[str, Any]) -> list[Chart]:
    """``channels`` (a waterfall) and ``channels-graph``."""
    if result["gap"]["value"] is None:
        return [_graph(result)]
    return [_waterfall(result), _graph(result)]


def _waterfall(result: Mapping[str, Any]) -> Waterfall:
    target = result["target"]["name"]
    ordered = [p for p in parts_of(result) if p[0] == "channel"]
    ordered += [p for p in parts_of(result) if p[0] != "channel"]
    parts = [
        (words_of(kind, node), float(p["value"]), p["low"], p["high"], settled(p))
        for kind, node, p in ordered
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


def strengths(fits: Mapping[str, Mapping[str, Any]]) -> dict[tuple[str, str], str]:
    """The number on each arrow, where its cause has a single one.

    Examples
    --------
    >>> strengths({"E": {"coefficients": {"intercept": 1.0, "A": -2.0}}})
    {('A', 'E'): '−2.000'}
    """
    found = {}
    for node, fit in fits.items():
        for label, value in (fit["coefficients"] or {}).items():
            if label != "intercept":
                parent = label.split(" = ")[0]
                several = sum(k.split(" = ")[0] == parent for k in fit["coefficients"]) > 1
                if not several:
                    found[parent, node] = number(value, digits=DIGITS, sign=True)
    return found


def graph_chart(
    *,
    key: str,
    title: str,
    sentence: str,
    edges: list[list[str]],
    roles: Mapping[str, str],
    root: str,
    target: str,
    labels: Mapping[tuple[str, str], str],
    texts: Mapping[str, str] | None = None,
) -> GraphChart:
    """A causal graph with labels on its arrows; the direct arrow is dashed."""
    nodes = list(dict.fromkeys(n for e in edges for n in e))
    texts = texts or {}
    return GraphChart(
        key=key,
        title=title,
        sentence=sentence,
        nodes=tuple(
            Node(
                name=n,
                role="protected" if n == root else "outcome" if n == target else "other",
                text=texts.get(n, roles.get(n, "")),
            )
            for n in nodes
        ),
        edges=tuple((a, b, labels.get((a, b), ""), a == root and b == target) for a, b in edges),
    )


def _graph(result: Mapping[str, Any]) -> GraphChart:
    return graph_chart(
        key="channels-graph",
        title="What leads to what",
        sentence="Figures on the arrows: how much a node changes with one unit of its cause, other causes held.",
        edges=result["graph"]["edges"],
        roles=result["graph"]["roles"],
        root=result["graph"]["root"],
        target=result["target"]["name"],
        labels=strengths(result["fits"]),
    )
