"""A gap split along a graph, exactly: regressions that share one base.

Every mean difference between two groups passes through a least squares line with the group among
its causes: the gap of a node is the group's own slope plus, over its other causes, their gaps
times their slopes. Followed up to the causes that have no further cause but the attribute, this
is an identity in any data, so the parts add up to the gap to the last digits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.causal.design import Block
from engine.causal.fit import least_squares
from engine.causal.graph import Graph
from engine.causal.packets import Packets
from engine.causal.people import Values

Floats = NDArray[np.float64]
DIRECT = "direct"
UNEXPLAINED = "unexplained"


@dataclass(frozen=True)
class Columns:
    """The nodes above a target as columns of one matrix.

    Attributes
    ----------
    matrix : float array, shape (n, columns)
        The group (0 privileged, 1 unprivileged) first, then every node, the target last.
    places : mapping of node to list of column numbers
    root, target : str
    parents : mapping of node to tuple of str
        Of every node, without the root.
    """

    matrix: Floats
    places: Mapping[str, list[int]]
    root: str
    target: str
    parents: Mapping[str, tuple[str, ...]]


def columns_of(
    *,
    graph: Graph,
    values: Mapping[str, Values],
    root: str,
    target: str,
    side: Floats,
    rows: NDArray,
) -> Columns:
    """Lay out the nodes above the target for some of the people.

    Parameters
    ----------
    side : float array, shape (n,)
        0 privileged, 1 unprivileged.
    rows : bool array, shape (n,)
        People of whom everything is known.
    """
    nodes = [n for n in graph.nodes if n in graph.above(target) and n != root]
    blocks: list[Floats] = [side[rows]]
    places: dict[str, list[int]] = {}
    for node in [*nodes, target]:
        one = values[node]
        found = list(Block(node, one.levels, one.groups).columns(one.values[rows]))
        places[node] = list(range(len(blocks), len(blocks) + len(found)))
        blocks += found
    parents = {n: tuple(p for p in graph.parents(n) if p != root) for n in [*nodes, target]}
    return Columns(np.column_stack(blocks), places, root, target, parents)


def split(columns: Columns, weight: Floats) -> dict[tuple[str, str], float]:
    """The parts of the gap: ``direct``, ``unexplained`` (by mediator) and every channel.

    Returns
    -------
    dict
        Keys ``("direct", "")``, ``("unexplained", node)`` and ``("channel", node)``.
    """

    def slopes(node: str, causes: list[int]) -> Floats:
        matrix = columns.matrix[:, [0, *causes]]
        target = columns.matrix[:, columns.places[node]]
        found = [least_squares(matrix, target[:, k], weight)[0][1:] for k in range(target.shape[1])]
        return np.column_stack(found)[None]

    return {key: float(part[0]) for key, part in _follow(columns, slopes).items()}


def split_resampled(
    columns: Columns, weight: Floats, packets: Packets
) -> dict[tuple[str, str], Floats]:
    """The same parts in every resample, float arrays of shape (resamples,); NaN where none."""
    matrix = columns.matrix
    total = weight.sum()
    middle = weight @ matrix / total
    spread = np.sqrt(weight @ (matrix - middle) ** 2 / total)
    spread = np.where(spread > 0, spread, 1.0)
    products = packets.products(
        np.column_stack([np.ones(len(matrix)), (matrix - middle) / spread]), weight
    )
    sides = packets.drawn(np.column_stack([weight * matrix[:, 0], weight * (1 - matrix[:, 0])]))
    sound = (sides > 0).all(axis=1)

    def slopes(node: str, causes: list[int]) -> Floats:
        left = [0, 1, *(c + 1 for c in causes)]
        right = [c + 1 for c in columns.places[node]]
        inverse = np.linalg.pinv(products[:, left][:, :, left], rcond=1e-11, hermitian=True)
        beta = inverse @ products[:, left][:, :, right]
        scale = spread[columns.places[node]] / spread[[0, *causes]][:, None]
        return np.asarray(beta[:, 1:] * scale, dtype=np.float64)

    parts = _follow(columns, slopes)
    return {key: np.where(sound, part, np.nan) for key, part in parts.items()}


def _follow(
    columns: Columns, slopes: Callable[[str, list[int]], Floats]
) -> dict[tuple[str, str], Floats]:
    """Follow the gap of the target up to its earliest nodes."""
    memory: dict[str, dict[tuple[str, str], Floats]] = {}

    def parts_of(node: str) -> dict[tuple[str, str], Floats]:
        if node in memory:
            return memory[node]
        parents = columns.parents[node]
        causes = [c for p in parents for c in columns.places[p]]
        beta = slopes(node, causes)  # (resamples, 1 + causes, columns of the node)
        own = beta[:, 0]
        if node == columns.target:
            found = {(DIRECT, ""): own}
        elif not parents:
            found = {("channel", node): own}
        else:
            found = {(UNEXPLAINED, node): own}
        at = 1
        for parent in parents:
            width = len(columns.places[parent])
            carry = beta[:, at : at + width]
            at += width
            for key, part in parts_of(parent).items():
                moved = np.einsum("bi,bij->bj", part, carry)
                found[key] = found[key] + moved if key in found else moved
        memory[node] = found
        return found

    return {key: part[:, 0] for key, part in parts_of(columns.target).items()}
