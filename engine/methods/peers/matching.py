"""Who is whose peer, and what the peers' likelihoods look like, without a list of any peers.

Peers of a person are all unprotected people whose coefficient differs by less than delta
(Theorem 1). On sorted coefficients they are one stretch, so two binary searches name them and
prefix sums give their mean and spread: O((n + m) log m) for n protected and m unprotected people.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Places = NDArray[np.int64]


@dataclass(frozen=True)
class Stretches:
    """Each protected person's peers as a stretch ``low`` to ``high`` (not included) of ``order``.

    ``order`` sorts the unprotected people by coefficient; ``low`` and ``high`` have one entry a
    protected person.
    """

    order: Places
    low: Places
    high: Places

    @property
    def n(self) -> Places:
        """Number of peers of each protected person."""
        return self.high - self.low

    def of(self, person: int) -> Places:
        """Places of one person's peers among the unprotected people."""
        return self.order[self.low[person] : self.high[person]]


def identification_coefficient(*, propensity: Floats, protected: NDArray[np.bool_]) -> Floats:
    """The identification coefficient of each person (paper 000, equation 12).

    Parameters
    ----------
    propensity : float array, shape (n,)
        P(protected | features).
    protected : bool array, shape (n,)

    Returns
    -------
    float array, shape (n,)
        ``p / pi`` for the protected, ``(1 - p) / (1 - pi)`` for the others, where ``pi`` is the
        share of protected people.

    Examples
    --------
    >>> identification_coefficient(propensity=np.array([0.5, 0.2, 0.4, 0.1]),
    ...                            protected=np.array([True, False, False, False])).round(4)
    array([2.    , 1.0667, 0.8   , 1.2   ])
    """
    share = float(protected.mean())
    return np.where(protected, propensity / share, (1.0 - propensity) / (1.0 - share))


def find_peers(
    *, protected: Floats, unprotected: Floats, delta: float, strict: bool = True
) -> Stretches:
    """Find every protected person's peers (paper 000, Theorem 1 and Algorithm 1).

    Parameters
    ----------
    protected : float array, shape (n,)
    unprotected : float array, shape (m,)
        Coefficients (or any other one number by which people are compared).
    delta : float
        Largest difference; itself included only where ``strict`` is False.

    Notes
    -----
    ``a - delta`` and ``|a - b|`` round differently, so the edges found by binary search are
    moved until the exact predicate holds. Rounding keeps order, so the peers are one stretch.
    """
    order = np.argsort(unprotected, kind="stable")
    ordered = unprotected[order]
    new = np.ones(len(order), bool)
    new[1:] = ordered[1:] != ordered[:-1]
    values = ordered[new]
    starts = np.append(np.flatnonzero(new), len(order)).astype(np.int64)
    # Persons in order of their coefficient: neighbours look up neighbouring places in memory.
    turn = np.argsort(protected, kind="stable")
    protected = protected[turn]
    low = np.searchsorted(values, protected - delta, side="left")
    high = np.searchsorted(values, protected + delta, side="right")

    def near(place: Places) -> NDArray[np.bool_]:
        inside = (place >= 0) & (place < len(values))
        distance = np.abs(protected - values[np.clip(place, 0, max(len(values) - 1, 0))])
        return inside & ((distance < delta) if strict else (distance <= delta))

    if len(values):
        while (wider := near(low - 1)).any():
            low = low - wider
        while (narrower := (low < high) & ~near(low)).any():
            low = low + narrower
        while (wider := near(high)).any():
            high = high + wider
        while (narrower := (low < high) & ~near(high - 1)).any():
            high = high - narrower
    first, last = np.empty(len(turn), np.int64), np.empty(len(turn), np.int64)
    first[turn], last[turn] = starts[low], starts[np.maximum(high, low)]
    return Stretches(order.astype(np.int64), first, last)


@dataclass(frozen=True)
class Moments:
    """Mean and population standard deviation of the peers' values; NaN without a peer."""

    mean: Floats
    sd: Floats


def moments(stretches: Stretches, values: Floats) -> Moments:
    """Mean and spread of ``values`` (one an unprotected person) over each person's peers."""
    centre = float(values.mean()) if len(values) else 0.0
    sorted_values = values[stretches.order] - centre
    first = np.concatenate(([0.0], np.cumsum(sorted_values)))
    second = np.concatenate(([0.0], np.cumsum(sorted_values**2)))
    n = stretches.n
    known = n > 0
    size = np.maximum(n, 1)
    mean = (first[stretches.high] - first[stretches.low]) / size
    square = (second[stretches.high] - second[stretches.low]) / size
    variance = np.maximum(square - mean**2, 0.0)
    # Of peers who are all alike, rounding leaves crumbs of the square of what was summed up.
    crumbs = 64 * np.finfo(float).eps * np.maximum(second[-1] / max(len(values), 1), mean**2)
    variance = np.where(variance <= crumbs, 0.0, variance)
    return Moments(
        np.where(known, mean + centre, np.nan), np.where(known, np.sqrt(variance), np.nan)
    )


def means(stretches: Stretches, values: Floats) -> Floats:
    """Mean of ``values`` over each person's peers; NaN without a peer."""
    first = np.concatenate(([0.0], np.cumsum(values[stretches.order])))
    n = stretches.n
    total = first[stretches.high] - first[stretches.low]
    return np.where(n > 0, total / np.maximum(n, 1), np.nan)


def count_below(stretches: Stretches, values: Floats, own: Floats) -> tuple[Places, Places]:
    """How many peers have a value below a person's own, and how many have one just as high.

    Parameters
    ----------
    stretches : Stretches
    values : float array, shape (m,)
        Of the unprotected people.
    own : float array, shape (n,)
        Of the protected people.

    Returns
    -------
    below, equal : int arrays, shape (n,)

    Notes
    -----
    A wavelet matrix, walked for all persons at once: the peers are a stretch by coefficient, the
    question is one by value, and counting both ways takes log2(m) steps of whole arrays.
    """
    m = len(values)
    rank = np.empty(m, np.int64)
    by_value = np.argsort(values[stretches.order], kind="stable")
    rank[by_value] = np.arange(m)
    ordered = values[stretches.order][by_value]
    left = np.searchsorted(ordered, own, side="left").astype(np.int64)
    right = np.searchsorted(ordered, own, side="right").astype(np.int64)
    # Questions in order of their stretch, both at once: near in memory, one walk.
    turn = np.argsort(stretches.low, kind="stable")
    low, high = np.tile(stretches.low[turn], 2), np.tile(stretches.high[turn], 2)
    counted = _count_ranks(rank, low, high, np.concatenate((left[turn], right[turn])))
    below, up_to = np.empty(len(own), np.int64), np.empty(len(own), np.int64)
    below[turn], up_to[turn] = counted[: len(own)], counted[len(own) :]
    return below, up_to - below


def _count_ranks(rank: Places, low: Places, high: Places, limit: Places) -> Places:
    """For each query the number of entries of ``rank[low:high]`` that are below ``limit``."""
    levels = len(rank).bit_length()
    current = rank.astype(np.int32)
    a, b = low.astype(np.int32), high.astype(np.int32)
    limit = limit.astype(np.int32)
    found = np.zeros(len(low), np.int32)
    for level in range(levels - 1, -1, -1):
        ones = (current >> level) & 1
        zeros_before = np.zeros(len(current) + 1, np.int32)
        np.cumsum(1 - ones, out=zeros_before[1:])
        zeros = zeros_before[-1]
        a_zero, b_zero = zeros_before[a], zeros_before[b]
        up = ((limit >> level) & 1).astype(bool)
        found += np.where(up, b_zero - a_zero, 0)
        a = np.where(up, zeros + a - a_zero, a_zero)
        b = np.where(up, zeros + b - b_zero, b_zero)
        mask = ones.astype(bool)
        current = np.concatenate((current[~mask], current[mask]))
    return found.astype(np.int64)
