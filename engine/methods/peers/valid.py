"""What the data can carry: exact ranks, group effect, equivalence, balance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from .matching import Floats, Moments, Places, Stretches, count_below, means, moments


@dataclass(frozen=True)
class Ranks:
    """Exact ranks; NaN where a person has too few peers.

    ``share`` is the place among the peers (0 lowest, 1 highest, 0.5 the middle), ``p`` the exact
    two-sided p, ``adjusted`` by Benjamini and Hochberg over all persons tested.
    """

    n: Places
    below: Places
    equal: Places
    share: Floats
    p: Floats
    adjusted: Floats


def exact_ranks(
    *, stretches: Stretches, likelihood: Floats, own: Floats, tested: NDArray[np.bool_]
) -> Ranks:
    """The exact rank of each person's likelihood among the peers'.

    With nothing wrong a person is one of n + 1 exchangeable people, so the chance of a place at
    least this far out is ``2 min((1 + #lower or equal) / (n + 1), (1 + #higher or equal) /
    (n + 1))``. No draws, no normality; it can reach 5 % from 39 peers on.
    """
    n = stretches.n
    below, equal = count_below(stretches, likelihood, own)
    size = n + 1.0
    low = (1.0 + below + equal) / size
    high = (1.0 + n - below) / size
    p = np.where(tested, np.minimum(1.0, 2 * np.minimum(low, high)), np.nan)
    share = np.where(tested, (below + 0.5 * equal + 0.5) / size, np.nan)
    adjusted = np.full(len(own), np.nan)
    if tested.any():
        adjusted[tested] = stats.false_discovery_control(p[tested], method="bh")
    return Ranks(n, below, equal, share, p, adjusted)


def equivalence(*, own: Floats, peers: Moments, n: Places, margin: float) -> Floats:
    """p of two one-sided t tests that the peers' mean lies within a margin of one's own value.

    The margin is ``margin`` times one's own likelihood. Not being flagged is not being treated
    alike; a small p here is. NaN with fewer than 2 peers.
    """
    size = np.maximum(n, 2).astype(float)
    error = peers.sd * np.sqrt(size / (size - 1)) / np.sqrt(size)
    gap = peers.mean - own
    room = margin * np.abs(own)
    with np.errstate(divide="ignore", invalid="ignore"):
        lower = stats.t.sf((gap + room) / error, size - 1)
        upper = stats.t.cdf((gap - room) / error, size - 1)
        p = np.maximum(lower, upper)
    still = error <= 0
    p = np.where(still, np.where(np.abs(gap) < room, 0.0, 1.0), p)
    return np.where(n >= 2, p, np.nan)


@dataclass(frozen=True)
class Effect:
    """A group effect with its standard error; ``clipped`` rows had no likeness on the other side."""

    value: float
    error: float
    clipped: int

    def interval(self, confidence: float) -> tuple[float, float]:
        """Normal interval."""
        reach = float(stats.norm.isf((1 - confidence) / 2)) * self.error
        return self.value - reach, self.value + reach

    @property
    def p(self) -> float:
        """Two-sided p."""
        if self.error <= 0:
            return 1.0
        return float(2 * stats.norm.sf(abs(self.value) / self.error))


MOST_PROPENSITY = 0.99
"""A protected person beyond this has no one alike on the other side."""


def augmented_effect(
    *,
    outcome: Floats,
    protected: NDArray[np.bool_],
    propensity: Floats,
    expected: Floats,
) -> Effect:
    """Augmented inverse propensity weighting: effect of being protected on the protected.

    ``tau = mean[S (Y - m0)] / pi - mean[(1 - S) e / (1 - e) (Y - m0)] / pi`` with ``m0`` the
    outcome that unprotected people with the same features have, ``e`` the propensity and ``pi``
    the share of protected people. Right if either model is right.

    Parameters
    ----------
    outcome : float array, shape (n,)
        1 favourable, 0 not.
    protected : bool array, shape (n,)
    propensity, expected : float arrays, shape (n,)
        Both estimated without the person's own row.

    Source: Mercatanti and Li (2014), Annals of Applied Statistics 8, 2485-2508, section 3.
    """
    share = float(protected.mean())
    e = np.minimum(propensity, MOST_PROPENSITY)
    rest = outcome - expected
    odds = np.where(protected, 0.0, e / (1 - e))
    score = (np.where(protected, rest, 0.0) - odds * rest) / share
    value = float(score.mean())
    influence = score - np.where(protected, value / share, 0.0)
    error = float(influence.std(ddof=1) / np.sqrt(len(outcome)))
    return Effect(value, error, int(((propensity > MOST_PROPENSITY) & protected).sum()))


@dataclass(frozen=True)
class Balance:
    """Standardised mean differences of each place, persons less peers; NaN where nothing varies.

    ``untested`` sets the persons whom the published test leaves out against those it tests.
    """

    raw: Floats
    peers: Floats
    same_propensity: Floats
    untested: Floats


def balance(
    *,
    matrix: Floats,
    protected: NDArray[np.bool_],
    published: Stretches,
    published_tested: NDArray[np.bool_],
    like: Stretches,
    like_tested: NDArray[np.bool_],
) -> Balance:
    """How far persons and their peers differ in their features, in standard deviations.

    The unit is the root of the mean variance of the two groups before any matching, so that the
    columns can be compared.
    """
    width = matrix.shape[1]
    columns = np.full((4, width), np.nan)
    left_out = ~published_tested
    for place in range(width):
        mine, theirs = matrix[protected, place], matrix[~protected, place]
        unit = float(np.sqrt((mine.var() + theirs.var()) / 2))
        if unit <= 0:
            continue
        columns[0, place] = (mine.mean() - theirs.mean()) / unit
        for row, stretches, tested in ((1, published, published_tested), (2, like, like_tested)):
            if tested.any():
                peers = means(stretches, theirs)
                columns[row, place] = float((mine[tested] - peers[tested]).mean()) / unit
        if left_out.any() and published_tested.any():
            gap = float(mine[left_out].mean() - mine[published_tested].mean())
            columns[3, place] = gap / unit
    return Balance(columns[0], columns[1], columns[2], columns[3])


def spread_of_rates(
    *, stretches: Stretches, refused: Floats, members: NDArray[np.bool_]
) -> tuple[float | None, float | None]:
    """Mean and standard deviation, over the members of a class, of their peers' refusal rates."""
    rates = moments(stretches, refused).mean[members]
    rates = rates[np.isfinite(rates)]
    if not len(rates):
        return None, None
    return float(rates.mean()), float(rates.std())
