"""A graph while it is drawn: changes that give a new graph in the plan's form, and its layout.

A variable without arrows is kept by its role, which may be empty, so that it is part of the plan
and of undo like any arrow.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Graph = dict[str, Any]
Edge = tuple[str, str]
Place = tuple[float, float]


def edges_of(graph: Mapping[str, Any]) -> list[Edge]:
    """The arrows, from cause to effect."""
    return [(str(a), str(b)) for a, b in graph.get("edges") or ()]


def nodes_of(graph: Mapping[str, Any]) -> list[str]:
    """Every variable once: those of arrows first, then those that have none yet.

    Examples
    --------
    >>> nodes_of({"edges": [["A", "B"]], "roles": {"C": "", "A": "protected"}})
    ['A', 'B', 'C']
    """
    named = [n for edge in edges_of(graph) for n in edge]
    return list(dict.fromkeys([*named, *map(str, graph.get("roles") or {})]))


def parents_of(graph: Mapping[str, Any], node: str) -> list[str]:
    """The causes of a variable in the order of their arrows."""
    return [a for a, b in edges_of(graph) if b == node]


def _with(graph: Mapping[str, Any], edges: Sequence[Edge], roles: Mapping[str, str]) -> Graph:
    """The graph with other arrows and roles; equations keep to the arrows that are left."""
    made: Graph = {**graph, "edges": [list(e) for e in edges]}
    at_arrows = {n for e in edges for n in e}
    equations = {}
    for node, given in (graph.get("equations") or {}).items():
        if node not in at_arrows:
            continue
        parents = [a for a, b in edges if b == node]
        equation = dict(given)
        if isinstance(equation.get("coefficients"), Mapping):
            equation["coefficients"] = {
                label: value
                for label, value in equation["coefficients"].items()
                if any(label == p or str(label).startswith(f"{p} = ") for p in parents)
            }
        equations[node] = equation
    accepted = {n: w for n, w in (graph.get("accepted") or {}).items() if n in at_arrows}
    for key in ("equations", "roles", "accepted"):
        made.pop(key, None)
    if accepted:
        made["accepted"] = accepted
    if equations:
        made["equations"] = equations
    if roles:
        made["roles"] = dict(roles)
    return made


def _roles(graph: Mapping[str, Any]) -> dict[str, str]:
    return {str(k): str(v) for k, v in (graph.get("roles") or {}).items()}


def with_edge(graph: Mapping[str, Any], start: str, end: str) -> Graph:
    """The graph with one more arrow.

    Examples
    --------
    >>> with_edge({"name": "g", "edges": []}, "A", "B")
    {'name': 'g', 'edges': [['A', 'B']]}
    """
    return _with(graph, list(dict.fromkeys([*edges_of(graph), (start, end)])), _roles(graph))


def without_edge(graph: Mapping[str, Any], start: str, end: str) -> Graph:
    """The graph with an arrow less; variables left without arrows stay."""
    kept = [e for e in edges_of(graph) if e != (start, end)]
    return _with(graph, kept, _kept(graph, kept, (start, end)))


def replaced_edge(graph: Mapping[str, Any], old: Edge, new: Edge) -> Graph:
    """The graph with an arrow in the place of another."""
    edges = list(dict.fromkeys(new if e == old else e for e in edges_of(graph)))
    return _with(graph, edges, _roles(graph))


def _kept(graph: Mapping[str, Any], edges: Sequence[Edge], ends: Sequence[str]) -> dict[str, str]:
    left = {n for e in edges for n in e}
    roles = _roles(graph)
    for node in ends:
        if node not in left:
            roles.setdefault(node, "")
    return roles


def with_node(graph: Mapping[str, Any], node: str) -> Graph:
    """The graph with one more variable, without arrows yet."""
    return _with(graph, edges_of(graph), {node: "", **_roles(graph)})


def without_node(graph: Mapping[str, Any], node: str) -> Graph:
    """The graph without a variable and its arrows."""
    gone = [e for e in edges_of(graph) if node in e]
    kept = [e for e in edges_of(graph) if node not in e]
    roles = _kept(graph, kept, [n for e in gone for n in e if n != node])
    roles.pop(node, None)
    return _with(graph, kept, roles)


def with_role(graph: Mapping[str, Any], node: str, role: str) -> Graph:
    """The graph with what a variable is said to be; an empty role says nothing."""
    roles = {**_roles(graph), node: role}
    if not role and any(node in e for e in edges_of(graph)):
        roles.pop(node)
    return _with(graph, edges_of(graph), roles)


def with_equation(graph: Mapping[str, Any], node: str, equation: Mapping[str, Any] | None) -> Graph:
    """The graph with an equation of a variable; None leaves it to be fitted."""
    equations = {**(graph.get("equations") or {}), node: dict(equation or {})}
    if equation is None:
        equations.pop(node)
    return _with({**graph, "equations": equations}, edges_of(graph), _roles(graph))


def with_accepted(graph: Mapping[str, Any], node: str, reason: str | None) -> Graph:
    """The graph with a channel counted as accepted, for a reason; None takes that back.

    Examples
    --------
    >>> with_accepted({"name": "g", "edges": [["A", "B"]]}, "B", "as agreed")["accepted"]
    {'B': 'as agreed'}
    """
    accepted = {**(graph.get("accepted") or {}), node: reason or ""}
    if reason is None:
        accepted.pop(node)
    return _with({**graph, "accepted": accepted}, edges_of(graph), _roles(graph))


def heads_of(graph: Mapping[str, Any], node: str, root: str) -> list[str]:
    """The earliest columns of the paths to a variable: the channels it is credited to.

    Examples
    --------
    >>> heads_of({"edges": [["A", "B"], ["B", "C"], ["D", "C"]]}, "C", "A")
    ['B', 'D']
    """
    found: list[str] = []
    seen: set[str] = set()
    waiting = [node]
    while waiting:
        one = waiting.pop(0)
        if one in seen:
            continue
        seen.add(one)
        causes = [p for p in parents_of(graph, one) if p != root]
        waiting += causes
        if not causes:
            found.append(one)
    return found


def form_of(equation: Mapping[str, Any] | None) -> str:
    """The form of an equation as :data:`gui.wizards.causal_words.FORMS` calls it.

    Examples
    --------
    >>> form_of(None), form_of({"kind": "linear", "coefficients": {}})
    ('', 'linear stated')
    """
    if not equation:
        return ""
    kind = str(equation.get("kind") or "")
    if kind == "additive noise":
        return str(equation.get("by") or "splines")
    return f"{kind} stated" if equation.get("coefficients") is not None else kind


def equation_with(
    form: str, parents: Sequence[str], fitted: Mapping[str, float] | None = None
) -> Graph | None:
    """The equation of a form; a stated one begins with the fitted numbers where there are any.

    Examples
    --------
    >>> equation_with("linear stated", ["A"], {"intercept": 1.0, "A": -2.0})
    {'kind': 'linear', 'intercept': 1.0, 'coefficients': {'A': -2.0}}
    """
    if not form:
        return None
    if form in ("splines", "gradient boosting"):
        return {"kind": "additive noise", "by": form}
    kind, _, stated = form.partition(" ")
    if not stated:
        return {"kind": kind}
    start = {label: round(value, 6) for label, value in (fitted or {}).items()}
    first = start.pop("intercept", 0)
    if not start or any(label not in parents for label in start):
        labels = [k for k in start if any(k == p or k.startswith(f"{p} = ") for p in parents)]
        start = {k: start[k] for k in labels} or {p: 0 for p in parents}
    return {"kind": kind, "intercept": first, "coefficients": start}


FEW, GAP, NARROW_GAP = 5, 26.0, 16.0
"""With more variables in a layer than a few they stand closer, so that words stay large."""

# Layout ----------------------------------------------------------------------------------------


def layers(nodes: Sequence[str], edges: Sequence[Edge]) -> dict[str, int]:
    """The layer of each variable: one more than the deepest of its causes; circles are cut.

    Examples
    --------
    >>> layers(["A", "B", "C"], [("A", "B"), ("B", "C"), ("A", "C")])
    {'A': 0, 'B': 1, 'C': 2}
    """
    left = {n: [a for a, b in edges if b == n and a != n] for n in nodes}
    depth = dict.fromkeys(nodes, 0)
    for _ in nodes:  # a longest path has at most as many steps; a circle stops here too
        changed = False
        for node in nodes:
            deep = max((depth[a] + 1 for a in left[node] if a in depth), default=0)
            if deep > depth[node] and deep < len(nodes):
                depth[node], changed = deep, True
        if not changed:
            break
    return depth


def arrange(
    nodes: Sequence[str],
    edges: Sequence[Edge],
    sizes: Mapping[str, tuple[float, float]],
    *,
    width: float,
    last: str = "",
    margin: float = 22.0,
) -> dict[str, Place]:
    """Centres of the variables in layers from cause to effect, with few crossings.

    Parameters
    ----------
    sizes : width and height of each variable
    width : the room that the layers share, in the same units
    last : the variable that stands alone at the end: what is compared
    """
    depth = layers(nodes, edges)
    after = {b for a, b in edges if a == last}
    if last in depth and not after:
        depth[last] = max([depth[n] for n in nodes if n != last], default=-1) + 1
    columns: dict[int, list[str]] = {}
    for node in nodes:
        columns.setdefault(depth[node], []).append(node)
    order = [columns[d] for d in sorted(columns)]
    for sweep in range(4):
        _sort(order, edges, back=bool(sweep % 2))
    gap = GAP if max(map(len, order), default=0) <= FEW else NARROW_GAP
    tall = max((sum(sizes[n][1] for n in c) + gap * (len(c) - 1) for c in order), default=0.0)
    wide = [max(sizes[n][0] for n in c) for c in order]
    room = max(width, sum(wide) + 2 * margin + 84 * (len(order) - 1))
    first, end = (
        margin + wide[0] / 2 if wide else 0.0,
        room - margin - (wide[-1] / 2 if wide else 0),
    )
    places: dict[str, Place] = {}
    for index, members in enumerate(order):
        share = index / (len(order) - 1) if len(order) > 1 else 0.5
        x = first + share * (end - first)
        high = sum(sizes[n][1] for n in members) + gap * (len(members) - 1)
        y = (tall - high) / 2
        for node in members:
            places[node] = (round(x, 1), round(y + sizes[node][1] / 2, 1))
            y += sizes[node][1] + gap
    return places


def _sort(order: list[list[str]], edges: Sequence[Edge], *, back: bool) -> None:
    """Put every variable near the middle of its neighbours in the layers already sorted."""
    place = {n: i - (len(c) - 1) / 2 for c in order for i, n in enumerate(c)}
    for column in reversed(order) if back else order:
        wish = {}
        for node in column:
            near = (
                [b for a, b in edges if a == node] if back else [a for a, b in edges if b == node]
            )
            known = [place[n] for n in near if n in place]
            wish[node] = sum(known) / len(known) if known else place[node]
        column.sort(key=lambda n: wish[n])
        for i, node in enumerate(column):
            place[node] = i - (len(column) - 1) / 2
