"""Whether a causal graph in a plan is one: shape, kinds of equation, no cycle."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.base.nearest import mend
from engine.messages import say

KEYS = ("name", "edges", "equations", "roles", "positions", "accepted")
KINDS = ("linear", "logistic", "additive noise")


def wrong_graph(graph: Any) -> str | None:
    """What is wrong with a graph, or None.

    Examples
    --------
    >>> wrong_graph({"name": "g", "edges": [["A", "B"], ["B", "A"]]})
    'the arrows of graph "g" run in a circle: A, B, A; take one away'
    """
    if not isinstance(graph, Mapping):
        return say("methods.graph_object")
    for key in graph:
        if key not in KEYS:
            return say("methods.graph_key", key=key, mend=mend(key, KEYS, otherwise="known are"))
    name = graph.get("name") or ""
    edges = graph.get("edges")
    if not isinstance(edges, list) or not all(map(_is_edge, edges)):
        return say("methods.graph_edges", name=name)
    circle = _circle([(a, b) for a, b in edges])
    if circle:
        return say("methods.graph_cycle", name=name, circle=", ".join(circle))
    equations = graph.get("equations") or {}
    if not isinstance(equations, Mapping):
        return say("methods.graph_equations", name=name)
    nodes = list(dict.fromkeys(node for edge in edges for node in edge))
    accepted = graph.get("accepted") or {}
    if not isinstance(accepted, Mapping) or not all(isinstance(w, str) for w in accepted.values()):
        return say("methods.graph_accepted", name=name)
    for node in accepted:
        if node not in nodes:
            return say(
                "methods.graph_node", node=node, mend=mend(node, nodes, otherwise="nodes are")
            )
    roles = graph.get("roles") or {}
    if not isinstance(roles, Mapping) or not all(isinstance(w, str) for w in roles.values()):
        return say("methods.graph_roles", name=name)
    if not isinstance(graph.get("positions") or {}, Mapping):
        return say("methods.graph_positions", name=name)
    for node, equation in equations.items():
        if node not in nodes:
            return say(
                "methods.graph_node", node=node, mend=mend(node, nodes, otherwise="nodes are")
            )
        kind = equation.get("kind") if isinstance(equation, Mapping) else None
        if kind not in KINDS:
            hint = mend(str(kind), KINDS, otherwise="choose from")
            return say("methods.graph_kind", node=node, mend=hint)
    return None


def _is_edge(edge: Any) -> bool:
    return isinstance(edge, list) and len(edge) == 2 and all(isinstance(n, str) and n for n in edge)


def _circle(edges: list[tuple[str, str]]) -> list[str]:
    """The nodes of one cycle, its first again at the end; empty where there is none."""
    children: dict[str, list[str]] = {}
    for a, b in edges:
        children.setdefault(a, []).append(b)
    done: set[str] = set()
    for start in children:
        path: list[str] = []
        open_nodes = [(start, iter(children.get(start, ())))]
        path.append(start)
        while open_nodes:
            node, rest = open_nodes[-1]
            child = next(rest, None)
            if child is None:
                open_nodes.pop()
                path.pop()
                done.add(node)
            elif child in path:
                return [*path[path.index(child) :], child]
            elif child not in done:
                open_nodes.append((child, iter(children.get(child, ()))))
                path.append(child)
    return []
