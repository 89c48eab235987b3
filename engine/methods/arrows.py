"""Causal graphs in pictures and tables, for the methods that rest on them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from engine.base.wording import count, listed, number, p_value, percent
from engine.drawing.model import GraphChart, Node
from engine.messages import say

from .base import PrintedTable

DIGITS = 3
FEW_PAIRS = 2


STRENGTHS = (
    "Figures on the arrows: change of a column for one unit more of its cause, other causes held; "
    "from a column of texts, least to most; to one, the text in whose share the groups differ most,"
    " in points."
)
SHORT = 10
"""A text longer than this is not written on an arrow."""


def strengths(
    fits: Mapping[str, Mapping[str, Any]],
    differences: Mapping[str, Mapping[str, float]] | None = None,
    root: str = "",
    *,
    write: Callable[[float, bool], str] | None = None,
) -> dict[tuple[str, str], str]:
    """What stands on each arrow.

    Parameters
    ----------
    fits : mapping of node to its fit
        Coefficients give the strength; several of one cause (its texts) their range.
    differences : mapping of node to (text to difference of shares), optional
        For columns of texts below the attribute.
    root : str
        The attribute's node.
    write : callable, optional
        How a strength is written, and whether it is an end of a range; three digits with its
        sign else.

    Examples
    --------
    >>> strengths({"E": {"coefficients": {"intercept": 1.0, "A": -2.0, "B = x": 1, "B = y": -1}}})
    {('A', 'E'): '−2.000', ('B', 'E'): '−1.000 to +1.000'}
    >>> strengths({}, {"job": {"none": -0.11, "paid": 0.06}}, "sex")
    {('sex', 'job'): 'none −11'}
    """
    said = write or (lambda value, _end: number(value, digits=DIGITS, sign=True))
    found = {}
    for node, fit in fits.items():
        of_cause: dict[str, list[float]] = {}
        for label, value in (fit["coefficients"] or {}).items():
            if label != "intercept":
                of_cause.setdefault(label.split(" = ")[0], []).append(value)
        for parent, values in of_cause.items():
            several = len(values) > 1
            ends = (min(0.0, *values), max(0.0, *values)) if several else (values[0],)
            found[parent, node] = " to ".join(said(e, several) if e else "0" for e in ends)
    for node, shares in (differences or {}).items():
        if shares:
            level = max(shares, key=lambda k: (abs(shares[k]), k))
            points = number(100 * shares[level], digits=0, sign=True)
            found[root, node] = f"{level} {points}" if len(level) <= SHORT else points
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


def told_of(troubles: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """Troubles as paragraphs; many pairs without a common cause make one of them."""
    pairs = [t for t in troubles if t["code"] == "causal.missing_root" and t.get("figure")]
    if len(pairs) <= FEW_PAIRS:
        return tuple(t["text"] for t in troubles)
    named = [
        say("causal.missing_pair", start=t["arrow"][0], end=t["arrow"][1], r=t["figure"])
        for t in pairs
    ]
    together = say("causal.missing_roots", n=len(pairs), pairs=listed(named))
    return (*(t["text"] for t in troubles if t not in pairs), together)


AGAINST = {
    "mean": "shape refuted",
    "spread": "added noise refuted",
    "arrow": "an arrow is missing",
    None: "nothing against it",
}
"""What the people say against an arrow, by the code of the fit."""


def against_table(fits: Mapping[str, Mapping[str, Any]]) -> PrintedTable:
    """What is left over of each column, held against each of its causes."""
    rows = []
    for node, fit in fits.items():
        for parent, one in fit["against"].items():
            rows.append(
                (
                    node,
                    parent,
                    percent(one["mean_size"]),
                    p_value(one["mean_p"]) if one["mean_p"] is not None else "",
                    number(one["spread_ratio"], digits=1),
                    p_value(one["spread_p"]) if one["spread_p"] is not None else "",
                    AGAINST[one["refuted"]],
                )
            )
    head = (
        "Column",
        "Against",
        "Follows it",
        "p",
        "Widest to narrowest",
        "p of the widths",
        "Answer",
    )
    note = (
        "Follows it: the share of what is left over that goes with the cause. Widest to narrowest: "
        "how unevenly it is spread along the cause. p is corrected over the causes of a column."
    )
    return PrintedTable(
        "What is left over, against each cause", head, tuple(rows), "llrrrrl", (note,)
    )


def fit_table(fits: Mapping[str, Mapping[str, Any]]) -> PrintedTable:
    """How each equation fits, and on which arrows the people refute it."""
    kinds = {"linear": "straight line", "logistic": "logistic", "additive noise": "additive noise"}
    rows = []
    for node, fit in fits.items():
        against = [
            f"{parent}: {AGAINST[one['refuted']]}"
            for parent, one in fit["against"].items()
            if one["refuted"]
        ]
        said = "; ".join(against) or fit["reason"] or AGAINST[None]
        rows.append(
            (
                node,
                kinds[fit["kind"]] + (", stated" if fit["stated"] else ", fitted"),
                count(fit["n"]),
                percent(fit["r2"], digits=0),
                number(fit["residual_sd"]),
                said,
            )
        )
    head = ("Column", "Equation", "People", "Explained", "Left over", "Against its causes")
    return PrintedTable("How the equations fit", head, tuple(rows), "llrrrl")
