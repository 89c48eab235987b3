"""What is wrong with a graph, told at the arrow that causes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import networkx as nx
import numpy as np
from numpy.typing import NDArray
from scipy import stats

from engine.base.nearest import mend
from engine.base.problems import Problem
from engine.base.wording import listed, number, percent
from engine.messages import say

from .fit import MOST_CATEGORIES
from .graph import Graph, coefficient_parent
from .people import Values, level_differences

HELD_FROM = 0.2
"""Groups that differ by this many standard deviations differ visibly (Cohen's small effect)."""
HELD_SHARE, HELD_LEVEL = 0.1, 0.01
"""The same for texts: ten of 100 people, and more than chance would make."""
MOST_PARENT_CATEGORIES = 100
EDGE_SHARE = 0.05


@dataclass(frozen=True)
class Trouble:
    """One thing about a graph that the auditor should know.

    ``grade`` is ``refusal`` (the graph cannot be used), ``warning`` or ``note``. ``arrow`` is the
    arrow that causes it, None where a node or the whole graph does; ``figure`` is the number that
    tells it from others of its code.
    """

    code: str
    grade: str
    text: str
    arrow: tuple[str, str] | None = None
    node: str | None = None
    figure: str = ""


def draft_troubles(
    *,
    edges: Sequence[Sequence[str]],
    columns: Sequence[str],
    attribute: str,
    target: str,
    name: str = "graph",
    own_column: str | None = None,
) -> list[Trouble]:
    """Troubles of a graph while it is drawn, from its arrows and the columns' names alone.

    Parameters
    ----------
    edges : sequence of pairs
        Arrows, which may run in a circle.
    columns : sequence of str
    attribute, target : str
    own_column : str, optional
        The attribute's column, which stands for it too.

    Examples
    --------
    >>> found = draft_troubles(edges=[["A", "E"], ["E", "A"]], columns=["A", "E", "Y"],
    ...     attribute="A", target="Y")
    >>> [(t.code, t.arrow) for t in found][0]
    ('methods.graph_cycle', ('E', 'A'))
    """
    arrows = [(str(a), str(b)) for a, b in edges]
    known = {*columns, attribute, target}
    root = own_column if own_column and any(own_column in e for e in arrows) else attribute
    found = []
    net = nx.DiGraph(arrows)
    try:
        circle = [str(a) for a, *_ in nx.find_cycle(net)]
    except nx.NetworkXNoCycle:
        circle = []
    if circle:
        shown = ", ".join([*circle, circle[0]])
        text = say("methods.graph_cycle", name=name, circle=shown)
        found.append(Trouble("methods.graph_cycle", "refusal", text, (circle[-1], circle[0])))
    for start, end in arrows:
        for node in (start, end):
            if node not in known and not any(t.node == node for t in found):
                hint = mend(node, sorted(known), otherwise="the columns are")
                text = say("causal.unknown_column", node=node, start=start, end=end, mend=hint)
                found.append(Trouble("causal.unknown_column", "refusal", text, (start, end), node))
        if end == root:
            text = say("causal.attribute_with_parent", start=start, end=end, target=target)
            found.append(Trouble("causal.attribute_with_parent", "warning", text, (start, end)))
    if not any(root in e for e in arrows):
        text = say("causal.no_attribute", graph=name, attribute=attribute)
        found.append(Trouble("causal.no_attribute", "refusal", text, None, attribute))
    if not any(b == target for _, b in arrows):
        ends = [b for a, b in arrows if not any(c == b for c, _ in arrows)]
        hint = mend(target, list(dict.fromkeys(ends)), otherwise="the graph ends in")
        text = say("causal.no_target", graph=name, target=target, mend=hint)
        found.append(Trouble("causal.no_target", "refusal", text, None, target))
    elif not circle and root in net and target not in nx.descendants(net, root):
        text = say("causal.no_path", attribute=attribute, target=target, graph=name)
        found.append(Trouble("causal.no_path", "warning", text, None, target))
    for start, end in arrows:
        if start == target:
            text = say("causal.collider_after", node=end, target=target)
            found.append(Trouble("causal.collider_after", "note", text, (start, end), end))
    return found


def data_troubles(
    *,
    graph: Graph,
    values: Mapping[str, Values],
    root: str,
    target: str,
    weight: NDArray[np.float64],
    used: Sequence[str],
    moved: Sequence[str],
    rows_by: Sequence[str] = (),
    model_columns: Sequence[str] = (),
    own_column: str | None = None,
) -> list[Trouble]:
    """Troubles that only the people show.

    Parameters
    ----------
    graph : Graph
    values : mapping of node to Values
        Of every node.
    root, target : str
        Nodes of the attribute and of what is explained.
    weight : float array, shape (n,)
    used, moved : sequence of str
        The nodes whose values are needed, and those that change with the attribute.
    rows_by : sequence of str
        Columns by which the plan keeps rows.
    model_columns : sequence of str
        Columns that a stand-in or a model file reads.
    own_column : str, optional
        The attribute's column.
    """
    found = []
    for node in used:
        found += _of_node(graph, values, node, root, target, moved)
    found += _held(graph, values, root, target, weight, used, moved)
    for node in moved:
        given = (graph.equations.get(node) or {}).get("coefficients")
        for parent in graph.parents(node) if given is not None else ():
            named = {coefficient_parent(str(k), graph.parents(node)) for k in given or ()}
            if parent not in named:
                text = say("causal.missing_coefficient", node=node, start=parent)
                found.append(Trouble("causal.missing_coefficient", "warning", text, (parent, node)))
    for column in rows_by:
        causes = graph.parents(column) if column in graph.net else ()
        if len(causes) > 1 or (column in graph.net and target in graph.above(column)):
            shown = listed([f'"{c}"' for c in causes])
            text = say("causal.collider_rows", node=column, causes=shown)
            found.append(Trouble("causal.collider_rows", "warning", text, None, column))
    outside = [c for c in model_columns if c not in graph.net and c not in (root, own_column)]
    if outside:
        shown = listed([f'"{c}"' for c in outside[:12]])
        if len(outside) > 12:
            shown += f" and {len(outside) - 12} more"
        text = say("causal.model_uses_outside", columns=shown)
        found.append(Trouble("causal.model_uses_outside", "warning", text))
    for column in model_columns:
        if column in graph.below(target):
            text = say("causal.model_uses_after", node=column, start=target, end=column)
            found.append(Trouble("causal.model_uses_after", "warning", text, None, column))
    return found


def _first_arrow(graph: Graph, node: str) -> tuple[str, str]:
    return next((e for e in graph.edges if e[1] == node), None) or next(
        e for e in graph.edges if e[0] == node
    )


def _of_node(
    graph: Graph,
    values: Mapping[str, Values],
    node: str,
    root: str,
    target: str,
    moved: Sequence[str],
) -> list[Trouble]:
    own = values[node]
    seen = own.values[np.isfinite(own.values)]
    start, end = _first_arrow(graph, node)
    found = []
    most = MOST_CATEGORIES if node in moved else MOST_PARENT_CATEGORIES
    if own.levels and not own.groups and len(own.levels) > most:
        code = "causal.many_categories" if node in moved else "causal.many_categories_parent"
        text = say(
            code, node=node, n=len(own.levels), attribute=root, start=start, end=end, most=most
        )
        found.append(Trouble(code, "refusal", text, (start, end), node))
    if len(seen) > 1 and seen.min() == seen.max():
        code = "causal.constant_target" if node == target else "causal.constant"
        text = say(code, node=node, n=len(seen), start=start, end=end)
        grade = "refusal" if node == target and target not in graph.equations else "warning"
        if node != root and len(seen) > 2:
            found.append(Trouble(code, grade, text, (start, end), node))
    stated = graph.equations.get(node) or {}
    if (
        node in moved
        and not own.levels
        and len(np.unique(seen)) > 2
        and stated.get("floor") is None
    ):
        share = float((seen == seen.min()).mean())
        if EDGE_SHARE <= share < 1 and len(seen) >= 100:
            lowest = f"{seen.min():g}"
            text = say("causal.sits_at_edge", share=percent(share), value=lowest, node=node)
            found.append(Trouble("causal.sits_at_edge", "note", text, (start, end), node))
    return found


def _held(
    graph: Graph,
    values: Mapping[str, Values],
    root: str,
    target: str,
    weight: NDArray[np.float64],
    used: Sequence[str],
    moved: Sequence[str],
) -> list[Trouble]:
    found = []
    group = values[root].values
    for node in used:
        if node in moved or node in (root, target) or root in graph.below(node):
            continue
        if values[node].levels:
            found += _held_texts(values[node], root, group, weight)
            continue
        own = values[node].values
        use = np.isfinite(own) & np.isfinite(group) & (weight > 0)
        sides = [use & (group > 0), use & (group == 0)]
        if min(int(s.sum()) for s in sides) < 20:
            continue
        means = [np.average(own[s], weights=weight[s]) for s in sides]
        spread = np.sqrt(np.mean([np.var(own[s]) for s in sides]))
        size = float((means[0] - means[1]) / spread) if spread > 0 else 0.0
        if abs(size) >= HELD_FROM:
            shown = number(size, digits=2, sign=True)
            text = say("causal.held_fixed", node=node, attribute=root, size=shown)
            found.append(Trouble("causal.held_fixed", "warning", text, (root, node), node))
    return found


def _held_texts(
    node: Values, root: str, group: NDArray[np.float64], weight: NDArray[np.float64]
) -> list[Trouble]:
    """A column of texts that is held fixed although the groups differ in it."""
    use = np.isfinite(node.values) & np.isfinite(group) & (weight > 0)
    sides = [use & (group > 0), use & (group == 0)]
    if min(int(s.sum()) for s in sides) < 20:
        return []
    counts = np.stack(
        [np.bincount(node.values[s].astype(int), minlength=len(node.levels)) for s in sides]
    )
    counts = counts[:, counts.sum(axis=0) > 0]
    if counts.shape[1] < 2:
        return []
    shares = level_differences(values=node, group=group, weight=weight, rows=use)
    level = max(shares, key=lambda k: (abs(shares[k]), k))
    small = float(stats.chi2_contingency(counts, correction=False).pvalue) >= HELD_LEVEL
    if small or abs(shares[level]) < HELD_SHARE:
        return []
    points = number(100 * shares[level], digits=0, sign=True)
    text = say("causal.held_texts", node=node.name, attribute=root, level=level, points=points)
    return [Trouble("causal.held_fixed", "warning", text, (root, node.name), node.name)]


def refusals(graph: Graph, troubles: Sequence[Trouble]) -> list[Problem]:
    """The troubles that forbid a graph, as problems with the place of their arrow."""
    return [
        Problem("", graph.arrow(*t.arrow) if t.arrow else f"{graph.place}.edges", t.text)
        for t in troubles
        if t.grade == "refusal"
    ]


def as_result(troubles: Sequence[Trouble]) -> list[dict[str, Any]]:
    """Troubles as plain values for a result."""
    return [
        {
            "code": t.code,
            "grade": t.grade,
            "text": t.text,
            "arrow": list(t.arrow) if t.arrow else None,
            "node": t.node,
            "figure": t.figure,
        }
        for t in troubles
    ]
