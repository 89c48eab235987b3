"""Causal graphs in pictures and tables, for the methods that rest on them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.base.wording import count, number, percent
from engine.drawing.model import GraphChart, Node

from .base import PrintedTable

DIGITS = 3


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
    positions: Mapping[str, Any] | None = None,
) -> GraphChart:
    """A causal graph with labels on its arrows; the direct arrow is dashed."""
    places = positions or {}
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
                x=places[n][0] if n in places else None,
                y=places[n][1] if n in places else None,
            )
            for n in nodes
        ),
        edges=tuple((a, b, labels.get((a, b), ""), a == root and b == target) for a, b in edges),
    )


def fit_table(fits: Mapping[str, Mapping[str, Any]]) -> PrintedTable:
    """How each equation fits, and on which arrows the people refute it."""
    kinds = {"linear": "straight line", "logistic": "logistic", "additive noise": "additive noise"}
    words = {
        "mean": "shape refuted",
        "spread": "added noise refuted",
        "arrow": "an arrow is missing",
        None: "nothing against it",
    }
    rows = []
    for node, fit in fits.items():
        against = [f"{parent}: {words[one['refuted']]}" for parent, one in fit["against"].items()]
        rows.append(
            (
                node,
                kinds[fit["kind"]] + (", stated" if fit["stated"] else ", fitted"),
                count(fit["n"]),
                percent(fit["r2"], digits=0),
                number(fit["residual_sd"]),
                "; ".join(against) or fit["reason"],
            )
        )
    head = ("Column", "Equation", "People", "Explained", "Left over", "Against its causes")
    return PrintedTable("How the equations fit", head, tuple(rows), "llrrrl")
