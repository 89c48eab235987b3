"""Causal graphs as lines of text: ``cause -> effect``; what lines cannot hold stays JSON."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from typing import Any

_ARROW = re.compile(r"\s*(?:->|→)\s*")


def graph_words(value: Any) -> str:
    """A graph, or a list of them, as lines.

    Examples
    --------
    >>> print(graph_words({"name": "g1", "edges": [["A", "E"], ["E", "score"]]}))
    g1:
    A -> E
    E -> score
    """
    if not value:
        return ""
    graphs = value if isinstance(value, list) else [value]
    if not all(_plain(graph) for graph in graphs):
        return json.dumps(value, ensure_ascii=False, indent=1)
    parts = []
    for graph in graphs:
        lines = [f"{graph['name']}:"] if graph.get("name") else []
        lines += [f"{cause} -> {effect}" for cause, effect in graph["edges"]]
        parts.append("\n".join(lines))
    return "\n".join(parts)


def _plain(graph: Any) -> bool:
    if not isinstance(graph, dict) or set(graph) - {"name", "edges"} or "edges" not in graph:
        return False
    names = [str(n) for edge in graph["edges"] for n in edge]
    return not any(re.search(r"->|→|\n", name) or name.endswith(":") for name in names)


def graph_from(given: str, *, several: bool) -> Any:
    """A graph (or a list of graphs) from lines or JSON.

    Raises
    ------
    ValueError
        For a line that is neither a name with a colon nor an arrow.

    Examples
    --------
    >>> graph_from("A -> B -> C", several=False)
    {'edges': [['A', 'B'], ['B', 'C']]}
    """
    if given[0] in "[{":
        found = json.loads(given)
        return found if isinstance(found, list) or not several else [found]
    graphs: list[dict[str, Any]] = []
    for line in (one.strip() for one in given.splitlines()):
        if not line:
            continue
        if line.endswith(":") and not _ARROW.search(line):
            graphs.append({"name": line[:-1].strip(), "edges": []})
            continue
        names = [name.strip() for name in _ARROW.split(line)]
        if len(names) < 2 or not all(names):
            raise ValueError(line)
        if not graphs:
            graphs.append({"edges": []})
        graphs[-1]["edges"] += [[a, b] for a, b in pairwise(names)]
    if not several and len(graphs) != 1:
        raise ValueError(given)
    return graphs if several else graphs[0]
