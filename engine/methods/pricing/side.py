"""One side of a comparison: its amounts in ascending order, weights, and what is drawn from them."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

EXACT_UP_TO = 2_000
"""Up to so many people a side is drawn person by person."""
MIDDLE, TAIL = 256, 16
"""Above: blocks of neighbouring amounts in the middle, and so many single amounts at either end."""


@dataclass(frozen=True)
class Side:
    """Amounts of one side, ascending, all known.

    Attributes
    ----------
    values : float array, shape (n,)
    weight : float array, shape (n,), or None
        Weights, all above 0; None is 1 each.
    expected : float or None
        How many people may be expected on this side where they belong to it by probability.
    """

    values: Floats
    weight: Floats | None = None
    expected: float | None = None
    _blocks: dict[str, Blocks] = field(default_factory=dict, compare=False, repr=False)

    def __len__(self) -> int:
        return len(self.values)

    @cached_property
    def total(self) -> float:
        """Sum of weights."""
        return float(len(self.values)) if self.weight is None else float(self.weight.sum())

    @cached_property
    def effective(self) -> int:
        """How many people are drawn, at least 1: the rows, or Kish's size, or those expected.

        Probable people at Kish's size would count as if each were there for sure.
        """
        if self.weight is None:
            return len(self.values)
        if self.expected is not None:
            return max(1, round(self.expected))
        return max(1, round(self.total**2 / float((self.weight**2).sum())))

    @cached_property
    def ends(self) -> Floats | None:
        """Upper ends of the people's shares on a line from 0 to 1; None where all are equal."""
        if self.weight is None:
            return None
        ends = np.cumsum(self.weight)
        return np.asarray(ends / ends[-1], dtype=np.float64)

    def mean(self, values: Floats | None = None) -> float:
        """Weighted mean of the amounts, or of other values in the same order."""
        return float(np.average(self.values if values is None else values, weights=self.weight))

    def quantile(self, q: float) -> float:
        """Linear between neighbours as numpy does it; with weights the averaged step function.

        The median of unweighted amounts is the median either way.
        """
        if self.ends is None:
            return float(_sorted_quantile(self.values, q))
        place = int(np.searchsorted(self.ends, q - 1e-12))
        upper = int(np.searchsorted(self.ends, q + 1e-12))
        last = len(self.values) - 1
        return float((self.values[min(place, last)] + self.values[min(upper, last)]) / 2)

    def at(self, u: Floats) -> Floats:
        """The amounts at shares of the people: the inverse of the step function."""
        if self.ends is None:
            place = np.ceil(u * len(self.values)).astype(np.int64) - 1
        else:
            place = np.searchsorted(self.ends, u)
        return self.values[np.clip(place, 0, len(self.values) - 1)]

    def blocks(self, kind: str = "amount") -> Blocks:
        """Blocks of neighbouring amounts, of the amounts themselves or of their logarithms."""
        if kind not in self._blocks:
            values = np.log(self.values) if kind == "log" else self.values
            self._blocks[kind] = blocks_of(values, self.values, self.weight)
        return self._blocks[kind]


def _sorted_quantile(values: Floats, q: float) -> float:
    place = (len(values) - 1) * q
    low = math.floor(place)
    part = place - low
    if not part or low + 1 >= len(values):
        return float(values[low])
    below, above = float(values[low]), float(values[low + 1])
    # numpy's own way of interpolating, to the last digit
    return above - (above - below) * (1 - part) if part >= 0.5 else below + (above - below) * part


@dataclass(frozen=True)
class Blocks:
    """Neighbouring amounts taken together.

    Attributes
    ----------
    rows : int array, shape (k,)
    share : float array, shape (k,)
        Share of the weight.
    mean, variance : float array, shape (k,)
        Within the block.
    replaced : float
        The share of the whole variance that lies within blocks: what is drawn as normal.
    """

    rows: NDArray[np.int64]
    share: Floats
    mean: Floats
    variance: Floats
    replaced: float


def blocks_of(values: Floats, order_by: Floats, weight: Floats | None) -> Blocks:
    """Cut ascending values into blocks: equal amounts together where they are few kinds, else
    so that little variance is left within, with single people at both ends.

    Parameters
    ----------
    values : float array, shape (n,)
        What is averaged.
    order_by : float array, shape (n,)
        Ascending; equal entries have equal values.
    weight : float array, shape (n,), or None
    """
    n = len(values)
    steps = np.flatnonzero(np.diff(order_by)) + 1
    if len(steps) + 1 <= MIDDLE + 2 * TAIL or n <= MIDDLE + 2 * TAIL:
        starts = np.concatenate([[0], steps])
    else:
        # widths in proportion to density ** (-1/3) leave the least variance within blocks
        climb = np.cumsum(np.diff(order_by[TAIL : n - TAIL]) ** (2 / 3))
        middle = np.searchsorted(climb, np.linspace(0, climb[-1], MIDDLE, endpoint=False)) + TAIL
        starts = np.unique(np.concatenate([np.arange(TAIL), middle, np.arange(n - TAIL, n)]))
    starts = starts.astype(np.int64)
    rows = np.diff(np.append(starts, n))
    if weight is None:
        mass = rows.astype(np.float64)
        mean = np.add.reduceat(values, starts) / mass
        spread = np.add.reduceat((values - np.repeat(mean, rows)) ** 2, starts) / mass
    else:
        mass = np.add.reduceat(weight, starts)
        mean = np.add.reduceat(values * weight, starts) / mass
        spread = np.add.reduceat(weight * (values - np.repeat(mean, rows)) ** 2, starts) / mass
    share = mass / mass.sum()
    within = float(share @ spread)
    whole = within + float(share @ (mean - float(share @ mean)) ** 2)
    replaced = within / whole if whole > 0 else 0.0
    if replaced < 1e-15:  # crumbs of rounding within blocks of one value
        spread, replaced = np.zeros_like(spread), 0.0
    return Blocks(rows, share, mean, spread, replaced)
