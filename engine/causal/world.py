"""What would have been: abduction, action, prediction through a whole graph, for everybody."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .equations import Equation
from .graph import Graph

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class World:
    """A graph with its equations, and the people in it.

    Attributes
    ----------
    graph : Graph
    root, target : str
    moved : tuple of str
        Nodes that change with the attribute, causes first; with ``with_target`` false the target
        (the score of a model, which is asked anew) is not among them.
    equations : mapping of node to Equation
        Of the moved nodes.
    values : mapping of node to float array, shape (n,)
        As seen.
    """

    graph: Graph
    root: str
    target: str
    moved: tuple[str, ...]
    equations: Mapping[str, Equation]
    values: Mapping[str, Floats]

    @property
    def random(self) -> tuple[str, ...]:
        """The moved nodes whose noise is drawn."""
        return tuple(n for n in self.moved if self.equations[n].random)

    @property
    def constant(self) -> bool:
        """Whether the attribute moves every person alike."""
        return all(self.equations[n].constant_shift for n in self.moved)

    def of(self, rows: NDArray[np.int64]) -> World:
        """The same world with some of the people."""
        return World(
            self.graph, self.root, self.target, self.moved, self.equations,
            {k: v[rows] for k, v in self.values.items()},
        )  # fmt: skip

    def using(self, equations: Mapping[str, Equation]) -> World:
        """The same people under other equations."""
        return World(self.graph, self.root, self.target, self.moved, equations, self.values)


def abduct(world: World, chances: Mapping[str, Floats]) -> dict[str, Floats]:
    """The noise of every moved node.

    Parameters
    ----------
    world : World
    chances : mapping of node to float array, shape (n,) or (draws, n)
        Uniform numbers for the nodes whose noise is drawn.
    """
    noise = {}
    for node in world.moved:
        causes = {p: world.values[p] for p in world.graph.parents(node)}
        noise[node] = world.equations[node].noise(world.values[node], causes, chances.get(node))
    return noise


def act(
    world: World,
    noise: Mapping[str, Floats],
    other: Floats,
    held: Mapping[str, Floats] | None = None,
) -> dict[str, Floats]:
    """Set the attribute and recompute everything below it with the same noise.

    Parameters
    ----------
    world : World
    noise : mapping of node to float array
        From :func:`abduct`.
    other : float array, shape (n,)
        The group that each person is put into.
    held : mapping of node to float array, optional
        Nodes that do not follow but have these values.

    Returns
    -------
    dict of node to float array, shape (n,) or (draws, n)
        The moved nodes as they would have been.
    """
    now: dict[str, Floats] = {world.root: other}
    for node in world.moved:
        if held is not None and node in held:
            now[node] = held[node]
            continue
        causes = {p: now.get(p, world.values[p]) for p in world.graph.parents(node)}
        now[node] = world.equations[node].value(causes, noise[node])
    del now[world.root]
    return now


def part_way(
    world: World,
    then: Mapping[str, Floats],
    share: float,
    coin: Mapping[str, Floats],
    numbers: frozenset[str],
) -> dict[str, Floats]:
    """The nodes before the target, moved by a share of their way (0: not at all, 1: wholly).

    Numbers go that share of the way; categories are switched for that share of the people, by
    ``coin`` (uniform numbers, shape as the values).
    """
    out = {}
    for node in world.moved:
        if node == world.target:
            continue
        seen = world.values[node]
        if share == 0:
            out[node] = seen
        elif node in numbers:
            out[node] = seen + share * (then[node] - seen)
        else:
            out[node] = np.where(coin[node] < share, then[node], seen)
    return out
