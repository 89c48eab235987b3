"""The small table of counts from which every group metric, interval, test and bound is made.

One pass over the rows gives ``group x outcome x decision``; nothing later looks at a row again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

UNKNOWN_INDEX = 2
"""Index of an unknown outcome or decision on the last two axes of a table."""


def kish(weight: float, square: float) -> float:
    """Kish's effective size of weights: their sum squared over the sum of their squares.

    Source: Kish, Survey Sampling (1965), section 11.7.

    Examples
    --------
    >>> kish(weight=3.0, square=3.0)
    3.0
    >>> kish(weight=0.0, square=0.0)
    0.0
    """
    return weight * weight / square if square > 0 else 0.0


@dataclass(frozen=True)
class Cells:
    """Counts of one side of a comparison, shape (3, 3): outcome by decision.

    Index 0 is unfavourable, 1 favourable, 2 unknown (or not there at all).

    Attributes
    ----------
    rows : int array
        Rows that count, whatever their weight.
    weight, square : float array
        Sums of weights and of squared weights; equal to ``rows`` without weights.
    """

    rows: NDArray[np.int64]
    weight: NDArray[np.float64]
    square: NDArray[np.float64]

    @property
    def n(self) -> float:
        """Weight of people with a known outcome."""
        return float(self.weight[:2].sum())

    @property
    def favourable(self) -> float:
        """Weight of people whose recorded outcome is favourable."""
        return float(self.weight[1].sum())

    @property
    def n_rows(self) -> int:
        """Rows with a known outcome."""
        return int(self.rows[:2].sum())

    @property
    def unknown_outcome(self) -> float:
        """Weight of people whose outcome is not known."""
        return float(self.weight[2].sum())

    @property
    def unknown_rows(self) -> int:
        """Rows whose outcome is not known."""
        return int(self.rows[2].sum())

    @property
    def tp(self) -> float:
        """Recorded favourable and decided favourable."""
        return float(self.weight[1, 1])

    @property
    def fn(self) -> float:
        """Recorded favourable and decided unfavourable."""
        return float(self.weight[1, 0])

    @property
    def fp(self) -> float:
        """Recorded unfavourable and decided favourable."""
        return float(self.weight[0, 1])

    @property
    def tn(self) -> float:
        """Recorded unfavourable and decided unfavourable."""
        return float(self.weight[0, 0])

    @property
    def decided(self) -> float:
        """Weight of people with a known outcome and a known decision."""
        return float(self.weight[:2, :2].sum())

    @property
    def decided_rows(self) -> int:
        """Rows with a known outcome and a known decision."""
        return int(self.rows[:2, :2].sum())

    @property
    def selected(self) -> float:
        """Weight of those of :attr:`decided` whose decision is favourable."""
        return float(self.weight[:2, 1].sum())

    @property
    def effective_n(self) -> float:
        """Kish's size of the people with a known outcome."""
        return kish(float(self.weight[:2].sum()), float(self.square[:2].sum()))

    @property
    def effective_decided(self) -> float:
        """Kish's size of the people with a known outcome and a known decision."""
        return kish(self.decided, float(self.square[:2, :2].sum()))

    def __add__(self, other: Cells) -> Cells:
        return Cells(self.rows + other.rows, self.weight + other.weight, self.square + other.square)


@dataclass(frozen=True)
class CountTable:
    """Counts of a sample, shape (groups + 1, 3, 3): group, outcome, decision.

    The last group holds the people whose group is blank; those left out are not in the table.
    """

    rows: NDArray[np.int64]
    weight: NDArray[np.float64]
    square: NDArray[np.float64]
    weighted: bool = False
    """True where weights or soft membership make counts something else than rows."""

    @property
    def groups(self) -> int:
        """How many groups there are, the blank one not counted."""
        return len(self.rows) - 1

    def side(self, groups: int | Iterable[int]) -> Cells:
        """The cells of one group, or of several taken together."""
        chosen = [groups] if isinstance(groups, int) else list(groups)
        return Cells(
            self.rows[chosen].sum(axis=0),
            self.weight[chosen].sum(axis=0),
            self.square[chosen].sum(axis=0),
        )

    @property
    def blank(self) -> Cells:
        """The cells of the people whose group is not known."""
        return self.side(self.groups)


def state_index(
    *,
    n: int,
    outcome: NDArray[np.int8] | None,
    decision: NDArray[np.int8] | None,
) -> NDArray[np.int16]:
    """Number each row by outcome and decision: ``3 * outcome + decision``, unknown being 2.

    Parameters
    ----------
    n : int
        Number of rows, for the case that both arrays are missing.
    outcome, decision : int8 array of shape (n,), or None
        1 favourable, 0 unfavourable, -1 unknown; None means unknown throughout.

    Examples
    --------
    >>> import numpy as np
    >>> state_index(n=3, outcome=np.array([1, 0, -1], np.int8), decision=None).tolist()
    [5, 2, 8]
    """
    lookup = np.array([0, 1, UNKNOWN_INDEX], dtype=np.int16)  # [-1] is the last: unknown
    index = np.full(n, 3 * UNKNOWN_INDEX, np.int16) if outcome is None else 3 * lookup[outcome]
    if decision is None:
        return (index + np.int16(UNKNOWN_INDEX)).astype(np.int16, copy=False)
    return (index + lookup[decision]).astype(np.int16, copy=False)


def count_table(
    *,
    groups: int,
    codes: NDArray[np.int16] | None = None,
    membership: NDArray[np.float64] | None = None,
    outcome: NDArray[np.int8] | None = None,
    decision: NDArray[np.int8] | None = None,
    weight: NDArray[np.float64] | None = None,
    states: NDArray[np.int16] | None = None,
) -> CountTable:
    """Count a sample in one pass.

    Parameters
    ----------
    groups : int
        Number of groups.
    codes : int16 array of shape (n,)
        Group of each row; -1 blank (counted apart), -2 left out (not counted).
    membership : float array of shape (n, groups), optional
        In place of ``codes``: each row counts in each group with its probability; rows that are
        zero throughout count as blank.
    outcome, decision : int8 array of shape (n,), or None
        1 favourable, 0 unfavourable, -1 unknown.
    weight : float array of shape (n,), optional
        Weight of each row; None is 1.
    states : int16 array of shape (n,), optional
        :func:`state_index` of outcome and decision, where it was made before.

    Raises
    ------
    ValueError
        When neither ``codes`` nor ``membership`` is given.

    Examples
    --------
    >>> import numpy as np
    >>> table = count_table(groups=2, codes=np.array([0, 0, 1, -1], np.int16),
    ...                     outcome=np.array([1, 0, 1, 1], np.int8))
    >>> table.side(0).favourable, table.side(0).n, table.blank.favourable
    (1.0, 2.0, 1.0)
    """
    if membership is not None:
        return _soft_table(groups, membership, outcome, decision, weight, states)
    if codes is None:
        raise ValueError("codes or membership is needed")
    if states is None:
        states = state_index(n=len(codes), outcome=outcome, decision=decision)
    # The last two entries serve codes -2 (left out) and -1 (blank) by negative indexing.
    place = 9 * np.array([*range(groups), groups + 1, groups], dtype=np.int64)
    index = place[codes]
    index += states
    size = 9 * (groups + 2)
    shape = (groups + 2, 3, 3)
    rows: NDArray[np.int64] = np.bincount(index, minlength=size).reshape(shape)[: groups + 1]
    if weight is None:
        as_float = rows.astype(np.float64)
        return CountTable(rows, as_float, as_float)
    sums: NDArray[np.float64] = np.bincount(index, weight, minlength=size).astype(np.float64)
    squares: NDArray[np.float64] = np.bincount(index, weight * weight, minlength=size).astype(
        np.float64
    )
    return CountTable(
        rows,
        sums.reshape(shape)[: groups + 1],
        squares.reshape(shape)[: groups + 1],
        weighted=True,
    )


def _soft_table(
    groups: int,
    membership: NDArray[np.float64],
    outcome: NDArray[np.int8] | None,
    decision: NDArray[np.int8] | None,
    weight: NDArray[np.float64] | None,
    states: NDArray[np.int16] | None,
) -> CountTable:
    n = len(membership)
    if states is None:
        states = state_index(n=n, outcome=outcome, decision=decision)
    base = np.ones(n) if weight is None else weight
    blank = membership.sum(axis=1) == 0
    columns: Sequence[NDArray[np.float64]] = [membership[:, g] for g in range(groups)]
    parts = [*columns, blank.astype(np.float64)]
    rows = np.empty((groups + 1, 9), dtype=np.int64)
    sums = np.empty((groups + 1, 9))
    squares = np.empty((groups + 1, 9))
    for g, share in enumerate(parts):
        mine = share * base
        rows[g] = np.bincount(states, weights=(share > 0), minlength=9)
        sums[g] = np.bincount(states, weights=mine, minlength=9)
        squares[g] = np.bincount(states, weights=mine * mine, minlength=9)
    shape = (groups + 1, 3, 3)
    return CountTable(rows.reshape(shape), sums.reshape(shape), squares.reshape(shape), True)
