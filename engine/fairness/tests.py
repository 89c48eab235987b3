"""Tests of two rates that stand beside the metrics, and the correction for making several."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

from .counts import Cells

FOUR_FIFTHS = 0.8


@dataclass(frozen=True)
class TwoRates:
    """Favourable people among all on the two sides, and what the tests say of them.

    Attributes
    ----------
    z, z_p : float or None
        Two-proportion z with pooled variance, unprivileged less privileged; two-sided p.
    fisher_p : float or None
        Fisher's exact test, two-sided; None for weighted counts.
    four_fifths : bool or None
        Whether the ratio of the rates is at least 0.8; None where there is no ratio.
    flip_flop : bool or None
        Whether one more favourable unprivileged and one less favourable privileged person would
        turn a failed four-fifths rule into a passed one.
    shortfall : float or None
        How many more favourable unprivileged people equal rates would need; never below 0.
    """

    z: float | None
    z_p: float | None
    fisher_p: float | None
    four_fifths: bool | None
    flip_flop: bool | None
    shortfall: float | None


def two_proportion_z(
    *, favourable: tuple[float, float], n: tuple[float, float]
) -> tuple[float | None, float | None]:
    """Two-proportion z with pooled variance, first less second, and its two-sided p.

    None where a side is empty, or where all people have the same outcome (no variance).

    Source: Fleiss, Levin and Paik (2003), section 3.2, without continuity correction.

    Examples
    --------
    >>> z, p = two_proportion_z(favourable=(4, 8), n=(10, 10))
    >>> round(z, 6), round(p, 6)
    (-1.825742, 0.067889)
    """
    (a, b), (n_a, n_b) = favourable, n
    if n_a <= 0 or n_b <= 0:
        return None, None
    pooled = (a + b) / (n_a + n_b)
    variance = pooled * (1 - pooled) * (1 / n_a + 1 / n_b)
    if variance <= 0:
        return None, None
    z = (a / n_a - b / n_b) / math.sqrt(variance)
    z = 0.0 if abs(z) < 1e-12 else z
    return z, float(2 * stats.norm.sf(abs(z)))


def fisher_exact(*, favourable: tuple[float, float], n: tuple[float, float]) -> float | None:
    """Fisher's exact two-sided p of two counts (scipy); None where a side is empty.

    Examples
    --------
    >>> round(fisher_exact(favourable=(4, 8), n=(10, 10)), 6)
    0.169802
    """
    if n[0] <= 0 or n[1] <= 0:
        return None
    table = [[round(k), round(m) - round(k)] for k, m in zip(favourable, n, strict=True)]
    return min(1.0, float(stats.fisher_exact(table).pvalue))


def passes_four_fifths(*, favourable: tuple[float, float], n: tuple[float, float]) -> bool | None:
    """Whether the first rate is at least four fifths of the second, compared without dividing.

    None where a side is empty or the second rate is 0.

    Examples
    --------
    >>> passes_four_fifths(favourable=(4, 5), n=(10, 10))
    True
    """
    (a, b), (n_a, n_b) = favourable, n
    if n_a <= 0 or n_b <= 0 or b <= 0:
        return None
    return _at_least_four_fifths(a, n_a, b, n_b)


def _at_least_four_fifths(a: float, n_a: float, b: float, n_b: float) -> bool:
    left, right = 5 * a * n_b, 4 * b * n_a
    return left >= right - 1e-12 * max(1.0, abs(right))


def two_rates(
    *,
    favourable: tuple[float, float],
    n: tuple[float, float],
    effective_n: tuple[float, float] | None = None,
    weighted: bool = False,
) -> TwoRates:
    """Every test of two rates (unprivileged, privileged) in one go.

    Parameters
    ----------
    favourable, n : pair of float
        Counts, or sums of weights.
    effective_n : pair of float, optional
        Kish's sizes of weighted sides; the z is computed at these sizes.
    weighted : bool
        Whether the counts are sums of weights; Fisher's test then has no meaning.
    """
    (a, b), (n_a, n_b) = favourable, n
    passes = passes_four_fifths(favourable=favourable, n=n)
    flips: bool | None = None
    if passes is not None:
        flips = not passes and _at_least_four_fifths(min(a + 1, n_a), n_a, max(b - 1, 0.0), n_b)
    sizes = effective_n if weighted and effective_n is not None else n
    scaled = tuple(
        k * size / whole if whole > 0 else 0.0
        for k, size, whole in zip(favourable, sizes, n, strict=True)
    )
    z, z_p = two_proportion_z(favourable=(scaled[0], scaled[1]), n=sizes)
    shortfall = None
    if n_a > 0 and n_b > 0:
        shortfall = max(0.0, b / n_b * n_a - a)
        shortfall = 0.0 if shortfall < 1e-9 else shortfall
    return TwoRates(
        z=z,
        z_p=z_p,
        fisher_p=None if weighted else fisher_exact(favourable=favourable, n=n),
        four_fifths=passes,
        flip_flop=flips,
        shortfall=shortfall,
    )


def recorded_tests(*, unprivileged: Cells, privileged: Cells, weighted: bool) -> TwoRates:
    """:func:`two_rates` of the recorded outcomes."""
    return two_rates(
        favourable=(unprivileged.favourable, privileged.favourable),
        n=(unprivileged.n, privileged.n),
        effective_n=(unprivileged.effective_n, privileged.effective_n),
        weighted=weighted,
    )


def decision_tests(*, unprivileged: Cells, privileged: Cells, weighted: bool) -> TwoRates:
    """:func:`two_rates` of the decisions, among people with a known outcome and decision."""
    return two_rates(
        favourable=(unprivileged.selected, privileged.selected),
        n=(unprivileged.decided, privileged.decided),
        effective_n=(unprivileged.effective_decided, privileged.effective_decided),
        weighted=weighted,
    )


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Holm's step-down correction; tests that were not made (None) do not count.

    Source: Holm (1979), Scandinavian Journal of Statistics 6, 65-70.

    Examples
    --------
    >>> [round(p, 3) for p in holm([0.01, 0.04, 0.03])]
    [0.03, 0.06, 0.06]
    >>> holm([None, 0.02])
    [None, 0.02]
    """
    made = [(p, place) for place, p in enumerate(p_values) if p is not None]
    adjusted: list[float | None] = [None] * len(p_values)
    running = 0.0
    for rank, (p, place) in enumerate(sorted(made)):
        running = max(running, min(1.0, (len(made) - rank) * p))
        adjusted[place] = running
    return adjusted


def wilson(*, favourable: float, n: float, confidence: float) -> tuple[float, float] | None:
    """Wilson's score interval of one rate; None for an empty group.

    Source: Wilson (1927), Journal of the American Statistical Association 22, 209-212.

    Examples
    --------
    >>> [round(x, 4) for x in wilson(favourable=8, n=10, confidence=0.95)]
    [0.4902, 0.9433]
    """
    if n <= 0:
        return None
    z = float(stats.norm.isf((1 - confidence) / 2))
    p = favourable / n
    centre = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return max(0.0, centre - half), min(1.0, centre + half)


def newcombe(
    *, favourable: tuple[float, float], n: tuple[float, float], confidence: float
) -> tuple[float, float] | None:
    """Newcombe's hybrid score interval of the difference first less second.

    Source: Newcombe (1998), Statistics in Medicine 17, 873-890, method 10.

    Examples
    --------
    >>> [round(x, 4) for x in newcombe(favourable=(56, 48), n=(70, 80), confidence=0.95)]
    [0.0524, 0.3339]
    """
    first = wilson(favourable=favourable[0], n=n[0], confidence=confidence)
    second = wilson(favourable=favourable[1], n=n[1], confidence=confidence)
    if first is None or second is None:
        return None
    p, q = favourable[0] / n[0], favourable[1] / n[1]
    low = p - q - math.hypot(p - first[0], second[1] - q)
    high = p - q + math.hypot(first[1] - p, q - second[0])
    return low, high


def katz(
    *, favourable: tuple[float, float], n: tuple[float, float], confidence: float
) -> tuple[float, float] | None:
    """Katz's log interval of the ratio first over second; None where a count is 0.

    Source: Katz, Baptista, Azen and Pike (1978), Biometrics 34, 469-474.
    """
    (a, b), (n_a, n_b) = favourable, n
    if min(a, b, n_a, n_b) <= 0:
        return None
    z = float(stats.norm.isf((1 - confidence) / 2))
    half = z * math.sqrt(max(0.0, 1 / a - 1 / n_a + 1 / b - 1 / n_b))
    ratio = (a / n_a) / (b / n_b)
    return float(ratio * np.exp(-half)), float(ratio * np.exp(half))
