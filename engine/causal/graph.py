"""A causal graph as the plan states it, and what follows from its arrows alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import networkx as nx

from engine.base.nearest import mend
from engine.base.problems import Problem
from engine.messages import say

EQUATION_KEYS = ("kind", "intercept", "coefficients", "floor", "noise_sd", "by")
SMOOTHERS = ("splines", "gradient boosting")


@dataclass(frozen=True)
class Graph:
    """Arrows between columns, with the equations that the auditor states.

    Attributes
    ----------
    name : str
    edges : tuple of (str, str)
        From cause to effect, in the order of the plan.
    equations : mapping of node to mapping
        As in the plan; a node without one is fitted.
    roles : mapping of node to text
        ``historical``, ``socioeconomic``, ``behaviour``, ``proxy``, ``outcome`` or other words.
    place : str
        Where the plan holds it, for refusals.
    positions : mapping of node to (x, y)
        Where the auditor put the nodes, for its figure.
    accepted : mapping of node to text
        Channels that the auditor counts as accepted, with the reason given.
    """

    name: str
    edges: tuple[tuple[str, str], ...]
    equations: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    roles: Mapping[str, str] = field(default_factory=dict)
    place: str = ""
    positions: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    accepted: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def net(self) -> Any:
        """The graph as networkx knows it."""
        net = nx.DiGraph()
        net.add_edges_from(self.edges)
        return net

    @cached_property
    def nodes(self) -> tuple[str, ...]:
        """Every node, causes before effects."""
        return tuple(nx.topological_sort(self.net))

    def parents(self, node: str) -> tuple[str, ...]:
        """The direct causes of a node, in the order of its arrows."""
        return tuple(dict.fromkeys(a for a, b in self.edges if b == node))

    def above(self, node: str) -> frozenset[str]:
        """Every cause of a node, near or far."""
        return frozenset(nx.ancestors(self.net, node)) if node in self.net else frozenset()

    def below(self, node: str) -> frozenset[str]:
        """Everything that a node acts on, near or far."""
        return frozenset(nx.descendants(self.net, node)) if node in self.net else frozenset()

    def moved(self, attribute: str, target: str) -> tuple[str, ...]:
        """The nodes that change with the attribute and reach the target, causes first."""
        wanted = (self.above(target) | {target}) & self.below(attribute)
        return tuple(node for node in self.nodes if node in wanted)

    def used(self, attribute: str, target: str) -> tuple[str, ...]:
        """The nodes whose values are needed: the moved ones and their direct causes."""
        moved = self.moved(attribute, target)
        wanted = {attribute, target, *moved, *(p for node in moved for p in self.parents(node))}
        return tuple(node for node in self.nodes if node in wanted)

    def arrow(self, start: str, end: str) -> str:
        """The place of an arrow in the plan, for refusals: ``…edges[2]``."""
        where = self.edges.index((start, end)) if (start, end) in self.edges else None
        return f"{self.place}.edges" + ("" if where is None else f"[{where}]")

    def without_causes_of(self, node: str) -> Graph:
        """The same graph after an action on a node: the arrows into it are cut."""
        kept = tuple(e for e in self.edges if e[1] != node)
        equations = {k: v for k, v in self.equations.items() if k != node}
        return replace(self, edges=kept, equations=equations)


def read_graph(given: Mapping[str, Any], *, place: str, name: str) -> tuple[Graph, list[Problem]]:
    """A graph from its plan form, whose shape was checked already; problems of its equations.

    Parameters
    ----------
    given : mapping
        As in the plan.
    place : str
        Its place in the plan.
    name : str
        The name that it takes where it has none.

    Examples
    --------
    >>> graph, problems = read_graph({"name": "g", "edges": [["A", "E"], ["E", "Y"]]},
    ...     place="graphs[0]", name="graph 1")
    >>> graph.moved("A", "Y"), problems
    (('E', 'Y'), [])
    """
    equations = dict(given.get("equations") or {})
    places = given.get("positions") or {}
    places = {k: v for k, v in places.items() if _is_place(v)}
    graph = Graph(
        name=str(given.get("name") or name),
        edges=tuple(dict.fromkeys((str(a), str(b)) for a, b in given["edges"])),
        equations=equations,
        roles={str(k): str(v) for k, v in (given.get("roles") or {}).items()},
        place=place,
        positions={str(k): (float(v[0]), float(v[1])) for k, v in places.items()},
        accepted={str(k): str(v).strip() for k, v in (given.get("accepted") or {}).items()},
    )
    problems = []
    for node, equation in equations.items():
        where = f"{place}.equations.{node}"
        problems += [Problem("", where, text) for text in _wrong(node, equation, graph)]
    return graph, problems


def coefficient_parent(label: str, parents: tuple[str, ...]) -> str | None:
    """The parent that a coefficient belongs to: ``sex`` or, for one group, ``sex = F``."""
    if label in parents:
        return label
    return next((p for p in parents if label.startswith(f"{p} = ")), None)


def _wrong(node: str, equation: Mapping[str, Any], graph: Graph) -> list[str]:
    found = []
    for key in equation:
        if key not in EQUATION_KEYS:
            hint = mend(key, EQUATION_KEYS, otherwise="known are")
            found.append(say("causal.equation_key", node=node, key=key, mend=hint))
    parents = graph.parents(node)
    coefficients = equation.get("coefficients")
    if coefficients is not None and not isinstance(coefficients, Mapping):
        found.append(say("causal.coefficients_form", node=node))
        coefficients = {}
    for label, value in (coefficients or {}).items():
        if not _number(value):
            found.append(say("causal.coefficient_number", node=node, parent=label))
        if coefficient_parent(str(label), parents) is None:
            hint = mend(str(label), parents, otherwise="its causes are")
            found.append(say("causal.coefficient_parent", node=node, parent=label, mend=hint))
    for key in ("intercept", "floor", "noise_sd"):
        if equation.get(key) is not None and not _number(equation[key]):
            found.append(say("causal.equation_number", node=node, key=key))
    if equation.get("by") is not None and equation["by"] not in SMOOTHERS:
        hint = mend(str(equation["by"]), SMOOTHERS, otherwise="choose from")
        found.append(say("causal.smoother", node=node, mend=hint))
    kind = equation.get("kind")
    if kind == "additive noise" and coefficients:
        found.append(say("causal.no_coefficients", node=node))
    stated = coefficients is not None
    sd = equation.get("noise_sd")
    if stated and equation.get("floor") is not None and not (_number(sd) and float(sd or 0) > 0):
        found.append(say("causal.floor_needs_sd", node=node))
    return found


def _is_place(value: Any) -> bool:
    return isinstance(value, list | tuple) and len(value) == 2 and all(map(_number, value))


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e300
