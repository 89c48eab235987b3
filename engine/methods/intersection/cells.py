"""Crossed cells counted in one pass over the rows, hard and soft membership alike."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.base.watch import Watch
from engine.cohort.model import LEFT_OUT, UNKNOWN, Attribute, Sample

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class CellCounts:
    """Counts of crossed cells; arrays have one entry a cell, in the order of :attr:`keys`.

    Attributes
    ----------
    attributes : tuple of Attribute
    weight, favourable : float array
        Sum of weights of people with a known result, and of those with the favourable one.
    square : float array
        Sum of squared weights.
    mixed : float array
        Sum of squared weights, each times the probability of belonging (where there is one).
    rows : int array
        Rows that count with any weight.
    imputed : float array
        The part of ``weight`` that comes from people whose group is a probability, not a fact.
    sure, sure_favourable, doubtful, doubtful_favourable : float array
        People who surely belong, and people who may belong (probability or blank), by weight.
    margins : list of (float array, float array)
        For each attribute weight and favourable of its groups, whatever the others are.
    margin_rows : list of int array
    soft : bool
        Whether any attribute holds probabilities.
    weighted : bool
    """

    attributes: tuple[Attribute, ...]
    weight: Floats
    favourable: Floats
    square: Floats
    mixed: Floats
    rows: NDArray[np.int64]
    imputed: Floats
    sure: Floats
    sure_favourable: Floats
    doubtful: Floats
    doubtful_favourable: Floats
    margins: tuple[tuple[Floats, Floats], ...]
    margin_rows: tuple[NDArray[np.int64], ...]
    soft: bool
    weighted: bool

    @property
    def groups(self) -> list[dict[str, str]]:
        """The groups of each cell: attribute name to group key."""
        names = [a.name for a in self.attributes]
        keys = itertools.product(*([g.key for g in a.groups] for a in self.attributes))
        return [dict(zip(names, one, strict=True)) for one in keys]

    @property
    def keys(self) -> list[str]:
        """The cells' names, ``sex=F × ethnicity=Y``."""
        return [" × ".join(f"{a}={g}" for a, g in one.items()) for one in self.groups]

    @property
    def kish(self) -> Floats:
        """Kish's size of each cell."""
        return np.divide(
            self.weight**2, self.square, out=np.zeros_like(self.weight), where=self.square > 0
        )

    @property
    def size(self) -> Floats:
        """The people by whose number a cell is judged, whatever the weights' scale.

        Kish's size where people surely belong; the sum of the probabilities where they do not;
        with both, Kish's size of the people who may be expected in the cell.
        """
        return np.divide(
            self.weight**2, self.mixed, out=np.zeros_like(self.weight), where=self.mixed > 0
        )


@dataclass(frozen=True)
class _Copies:
    """Rows, each once for every group of a soft attribute to which it may belong."""

    code: NDArray[np.int64]
    row: NDArray[np.int64] | None
    share: Floats | None
    sure: NDArray[np.bool_] | None


def count_cells(
    *,
    attributes: Sequence[Attribute],
    sample: Sample,
    favourable: NDArray[np.int8],
) -> CellCounts:
    """Count the crossed cells of a sample.

    Parameters
    ----------
    attributes : sequence of Attribute
    sample : Sample
    favourable : int8 array, shape (n,)
        Decision or outcome: 1, 0, -1 unknown (not counted).

    Notes
    -----
    Several soft attributes are taken as independent given the person: the chance of a cell is the
    product of the chances of its groups.
    """
    shape = tuple(len(a.groups) + 2 for a in attributes)  # last two: blank, left out
    cells = math.prod(shape)
    copies = _copies(attributes, sample)
    state = favourable if copies.row is None else favourable[copies.row]
    known = 2 * cells
    code = copies.code * 2
    code += state
    code[state < 0] = known  # the unknown ones go behind the end
    weight = (
        sample.weight if copies.row is None or sample.weight is None else sample.weight[copies.row]
    )
    factor = copies.share
    if weight is not None:
        factor = weight if factor is None else factor * weight

    def counted(values: NDArray | None) -> Floats:
        found = np.bincount(code, values, minlength=known + 1)[:known]
        return np.asarray(found, dtype=np.float64).reshape(*shape, 2)

    if factor is None:
        plain = counted(None)
        sums = squares = mixed = seen = plain
    else:
        sums, squares = counted(factor), counted(factor * factor)
        mixed = sums if weight is None else counted(factor * weight)
        seen = counted(factor > 0)
    imputed = np.zeros_like(sums)
    if copies.sure is None:
        sure, possible = sums, sums
    else:
        assert factor is not None
        imputed = counted(np.where(copies.sure, 0.0, factor))
        sure = counted(copies.sure if weight is None else copies.sure * weight)
        possible = counted(weight)
    groups = tuple(slice(0, len(a.groups)) for a in attributes)
    inside = sums[groups]
    sure = sure[groups]
    possible = _possible(possible, attributes)
    doubtful = np.maximum(possible - sure, 0.0)
    flat = (-1, 2)
    margins, margin_rows = [], []
    axes = range(len(attributes))
    for axis, a in enumerate(attributes):
        others = tuple(i for i in axes if i != axis)
        total = sums.sum(axis=others)[: len(a.groups)]
        margins.append((total.sum(axis=-1), total[:, 1]))
        margin_rows.append(
            np.rint(seen.sum(axis=others)[: len(a.groups)].sum(axis=-1)).astype(np.int64)
        )
    return CellCounts(
        attributes=tuple(attributes),
        weight=inside.reshape(flat).sum(axis=1),
        favourable=inside.reshape(flat)[:, 1],
        square=squares[groups].reshape(flat).sum(axis=1),
        mixed=mixed[groups].reshape(flat).sum(axis=1),
        rows=np.rint(seen[groups].reshape(flat).sum(axis=1)).astype(np.int64),
        imputed=imputed[groups].reshape(flat).sum(axis=1),
        sure=sure.reshape(flat).sum(axis=1),
        sure_favourable=sure.reshape(flat)[:, 1],
        doubtful=doubtful.reshape(flat).sum(axis=1),
        doubtful_favourable=doubtful.reshape(flat)[:, 1],
        margins=tuple(margins),
        margin_rows=tuple(margin_rows),
        soft=copies.row is not None,
        weighted=sample.weight is not None,
    )


def _places(codes: NDArray[np.int16], groups: int) -> NDArray[np.int64]:
    """Codes with blanks and left out ones behind the groups (negative indexes do it)."""
    place = np.array([*range(groups), groups + 1, groups], dtype=np.int64)
    assert (UNKNOWN, LEFT_OUT) == (-1, -2)
    return place[codes]


def _copies(attributes: Sequence[Attribute], sample: Sample) -> _Copies:
    n = len(sample)
    row: NDArray[np.int64] | None = None
    share: Floats | None = None
    sure: NDArray[np.bool_] | None = None
    code = np.zeros(n, dtype=np.int64)
    for a in attributes:
        code *= len(a.groups) + 2
        if not a.soft:
            places = _places(sample.codes[a.name], len(a.groups))
            code += places if row is None else places[row]
            continue
        chances = sample.membership[a.name]
        blank = chances.sum(axis=1) == 0
        table = np.column_stack([chances, blank])  # the blank place behind the groups
        mine = table if row is None else table[row]
        at, group = np.nonzero(mine > 0)
        code = code[at] + group
        certain = mine[at, group] >= 1 - 1e-9
        share = mine[at, group] if share is None else share[at] * mine[at, group]
        sure = certain if sure is None else sure[at] & certain
        row = at if row is None else row[at]
    return _Copies(code, row, share, sure)


def _possible(table: Floats, attributes: Sequence[Attribute]) -> Floats:
    """People who may belong to each cell: those in it and those blank in any attribute."""
    for axis, a in enumerate(attributes):
        groups = len(a.groups)
        inside = np.take(table, range(groups), axis=axis)
        blank = np.take(table, [groups], axis=axis)
        table = inside + blank
    return table


def draw_hard(
    *,
    attributes: Sequence[Attribute],
    sample: Sample,
    favourable: NDArray[np.int8],
    draws: int,
    rng: np.random.Generator,
    watch: Watch,
) -> tuple[Floats, Floats, Floats]:
    """Lay every person into one group an attribute, by chance, many times over.

    Returns
    -------
    tuple of float arrays, shape (draws, cells)
        Weight, favourable weight and squared weight of each cell.
    """
    use = favourable >= 0
    cells = math.prod(len(a.groups) for a in attributes)
    weight = np.ones(int(use.sum())) if sample.weight is None else sample.weight[use]
    good = favourable[use] == 1
    fixed = np.zeros(len(good), dtype=np.int64)
    usable = np.ones(len(good), dtype=bool)
    soft: list[tuple[Floats, int]] = []
    step = cells
    for a in attributes:
        step //= len(a.groups)
        if a.soft:
            chances = sample.membership[a.name][use]
            usable &= chances.sum(axis=1) > 0
            soft.append((np.cumsum(chances, axis=1), step))
        else:
            codes = sample.codes[a.name][use].astype(np.int64)
            usable &= codes >= 0
            fixed += np.maximum(codes, 0) * step
    weight, good, fixed = weight[usable], good[usable], fixed[usable]
    edges = [(edge[usable], step) for edge, step in soft]
    sums = np.empty((3, draws, cells))
    for draw in range(draws):
        watch.say("Laying people into groups by their probabilities", done=draw, total=draws)
        code = fixed.copy()
        for edge, step in edges:
            # a total below 1 (several groups, some left out) leaves the rest of the chance outside
            found = (rng.random(len(edge))[:, None] >= edge).sum(axis=1)
            code = np.where((found < edge.shape[1]) & (code >= 0), code + found * step, -1)
        inside = code >= 0
        sums[0, draw] = np.bincount(code[inside], weight[inside], minlength=cells)
        sums[1, draw] = np.bincount(code[inside], (weight * good)[inside], minlength=cells)
        sums[2, draw] = np.bincount(code[inside], (weight**2)[inside], minlength=cells)
    return sums[0], sums[1], sums[2]
