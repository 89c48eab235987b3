"""Everything that the graph editor shows, and how each graph looks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from . import causal_draft as draft
from .causal_data import MOST_ROWS, People, Start, Trial
from .causal_draft import Edge, Place
from .causal_panel import Shown
from .causal_scene import Face
from .causal_words import short, text


@dataclass(frozen=True)
class State:
    """Everything that the editor shows.

    ``graphs`` are in the plan's form; ``index`` is the open one; ``suggested`` says that nobody
    drew them yet; ``subs`` says what kind of column each variable is; ``trials`` holds what is
    known of every graph, for the view side by side.
    """

    graphs: tuple[Mapping[str, Any], ...] = ()
    index: int = 0
    suggested: bool = False
    start: Start | None = None
    trial: Trial = field(default_factory=Trial)
    subs: Mapping[str, str] = field(default_factory=dict)
    places: Mapping[str, Place] = field(default_factory=dict)
    several: bool = False
    closed: bool = False
    waiting: str = ""
    trials: tuple[Trial, ...] = ()
    people: People | None = None

    @property
    def graph(self) -> Mapping[str, Any]:
        """The open graph."""
        return self.graphs[self.index] if self.graphs else {"edges": []}

    @property
    def legend(self) -> str:
        """What the figures on the arrows are, and by whom."""
        people = self.people
        if people is not None and people.waits:
            return text("legend_waits", n=f"{people.total:,}")
        if not self.trial.labels:
            return text("legend_none")
        if people is not None and people.total:
            return text("legend_some", n=f"{MOST_ROWS:,}", total=f"{people.total:,}")
        return text("legend")

    def face(self, place: int) -> Face:
        """What one of the graphs shows."""
        graph = self.graphs[place] if self.graphs else {"edges": []}
        trial = self.trial if place == self.index else Trial()
        if place != self.index and place < len(self.trials):
            trial = self.trials[place]
        nodes, edges = draft.nodes_of(graph), draft.edges_of(graph)
        root = Shown(graph=graph, start=self.start).root
        target = self.start.target if self.start else ""
        direct = (root, target) if (root, target) in edges else None
        return Face(
            nodes=tuple(nodes), edges=tuple(edges), subs=self._subs(graph, nodes, root),
            special=frozenset({root, target}), labels=dict(trial.labels),
            remarks=_marks(trial, nodes, edges), direct=direct, direct_words=text("direct"),
        )  # fmt: skip

    def _subs(self, graph: Mapping[str, Any], nodes: Sequence[str], root: str) -> dict[str, str]:
        start, roles = self.start, graph.get("roles") or {}
        accepted = {} if self.several else graph.get("accepted") or {}
        found = {}
        for node in nodes:
            if node == root:
                found[node] = text("sub.protected")
            elif start is not None and node == start.target:
                known = {"outcome": "sub.outcome", "score": "sub.score", "model": "sub.score"}
                found[node] = text(known.get(start.kind, "sub.target"))
            else:
                role = str(roles.get(node) or "")
                found[node] = role or self.subs.get(node, "")
                if node in accepted:
                    parts = [p for p in (found[node], text("sub.accepted")) if p]
                    found[node] = " · ".join(parts)
        return found


def by_grade(trial: Trial) -> list[Mapping[str, Any]]:
    """The troubles of a graph, the gravest first."""
    order = {"refusal": 0, "warning": 1}
    return sorted(trial.troubles, key=lambda t: order.get(t["grade"], 2))


def _marks(
    trial: Trial, nodes: Sequence[str], edges: Sequence[Edge]
) -> dict[Edge | str, tuple[str, str]]:
    """Arrows and variables with a trouble: its grade and a few words, the gravest first."""
    found: dict[Edge | str, tuple[str, str]] = {}
    for one in by_grade(trial):
        at: Any = tuple(one["arrow"]) if one["arrow"] else one["node"]
        if isinstance(at, tuple) and at not in edges:
            at = one["node"]
        if one["grade"] != "note" and (at in edges or at in nodes):
            found.setdefault(at, (one["grade"], short(one["code"])))
    return found
