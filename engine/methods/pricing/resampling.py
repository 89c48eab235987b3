"""Bootstrap and permutation of amounts, fast for millions of people.

*Quantiles* are drawn exactly at any size: the k-th smallest of n people drawn with replacement is
the amount at share U of the people, where U follows a Beta(k, n - k + 1) law.

*Means* are drawn person by person up to :data:`~.side.EXACT_UP_TO` people. Above, the people are
cut into blocks of neighbouring amounts, the extreme ones alone; how many people come from each
block is drawn exactly (multinomial), and only the sum within a block is drawn as normal. Mean and
variance of the resampled mean are thereby exact, and the part drawn as normal is stated
(``replaced_share``: usually well below one part in a thousand of the variance). Where the amounts
take few different values, each block is one value and nothing is replaced.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .side import EXACT_UP_TO, Blocks, Floats, Side, blocks_of

_CHUNK = 4_000_000
EXACT, BLOCKS = "exact", "blocks of neighbouring amounts"


def how_drawn(side: Side) -> str:
    """Whether the means of a side are drawn exactly or by blocks."""
    few = len(side) <= EXACT_UP_TO and side.effective <= EXACT_UP_TO
    return EXACT if few or not side.blocks().replaced else BLOCKS


def mean_draws(
    *, side: Side, resamples: int, rng: np.random.Generator, logs: bool = False
) -> tuple[Floats, Floats | None]:
    """Means of a side drawn anew with replacement, and of the logarithms of the same people.

    Parameters
    ----------
    side : Side
        At least one person.
    resamples : int
    rng : numpy.random.Generator
    logs : bool
        Whether the logarithms are wanted too; all amounts are then above 0.

    Returns
    -------
    pair of float array, shape (resamples,), and the same or None

    Examples
    --------
    >>> side = Side(np.array([1.0, 3.0]))
    >>> means, _ = mean_draws(side=side, resamples=1000, rng=np.random.default_rng(1))
    >>> sorted(set(means.tolist()))
    [1.0, 2.0, 3.0]
    """
    n = side.effective
    if len(side) <= EXACT_UP_TO and n <= EXACT_UP_TO:
        means = np.empty(resamples)
        kept = np.empty(resamples) if logs else None
        logged = np.log(side.values) if logs else None
        step = max(1, _CHUNK // n)
        for start in range(0, resamples, step):
            size = (min(step, resamples - start), n)
            if side.ends is None:
                place = rng.integers(0, len(side), size)
            else:
                place = np.searchsorted(side.ends, rng.random(size), side="right")
                np.minimum(place, len(side) - 1, out=place)
            means[start : start + size[0]] = side.values[place].mean(axis=1)
            if kept is not None and logged is not None:
                kept[start : start + size[0]] = logged[place].mean(axis=1)
        return means, kept
    blocks = side.blocks()
    drawn = rng.multinomial(n, blocks.share, size=resamples).astype(np.float64)
    return _block_means(blocks, drawn, n, rng), (
        _block_means(side.blocks("log"), drawn, n, rng) if logs else None
    )


def _block_means(blocks: Blocks, drawn: Floats, n: int, rng: np.random.Generator) -> Floats:
    found = drawn @ blocks.mean / n
    if blocks.replaced:
        found += np.sqrt(drawn @ blocks.variance) / n * rng.standard_normal(len(drawn))
    return np.asarray(found, dtype=np.float64)


def quantile_draws(
    *, side: Side, q: float, resamples: int, rng: np.random.Generator
) -> Floats:  # fmt: skip
    """A quantile of a side drawn anew with replacement, exactly, whatever the size.

    Returns
    -------
    float array, shape (resamples,)

    Source: order statistics of a uniform sample (David and Nagaraja, 2003, section 2.3).

    Examples
    --------
    >>> side = Side(np.array([1.0, 2.0, 3.0]))
    >>> draws = quantile_draws(side=side, q=0.5, resamples=2000, rng=np.random.default_rng(1))
    >>> bool(abs((draws == 2.0).mean() - 13 / 27) < 0.05)
    True
    """
    n = side.effective
    if side.ends is None:
        place = (n - 1) * q
        low = math.floor(place)
        part = place - low
        rank = low + 1
    else:
        place = n * q
        whole = abs(place - round(place)) < 1e-9
        rank = max(1, round(place) if whole else math.ceil(place))
        part = 0.5 if whole else 0.0
    first = rng.beta(rank, n - rank + 1, size=resamples)
    found = side.at(first)
    if part and rank < n:
        second = first + (1 - first) * rng.beta(1, n - rank, size=resamples)
        found = found + (side.at(second) - found) * part
    return np.asarray(found, dtype=np.float64)


def permutation_p(
    *,
    values: Floats,
    chosen: NDArray[np.bool_],
    weight: Floats | None,
    permutations: int,
    rng: np.random.Generator,
) -> float:
    """Two-sided permutation p of a gap of means: groups laid anew on the same amounts.

    The statistic is the sum, over the chosen side, of each person's (weighted) distance from the
    mean of all; without weights that is the gap of means itself, scaled. Up to
    :data:`~.side.EXACT_UP_TO` people they are shuffled one by one; above, by blocks of neighbouring
    amounts (multivariate hypergeometric) with the sum within a block drawn as normal.

    Parameters
    ----------
    values : float array, shape (n,)
    chosen : bool array, shape (n,)
        The unprivileged side; at least one person on either side.
    weight : float array, shape (n,), or None
    permutations : int
    rng : numpy.random.Generator

    Returns
    -------
    float
        ``(b + 1) / (B + 1)``, b permutations at least as far from 0.

    Examples
    --------
    >>> permutation_p(values=np.array([1.0, 1, 1, 1]), chosen=np.array([True, False, True, False]),
    ...               weight=None, permutations=99, rng=np.random.default_rng(1))
    1.0
    """
    distance = values - np.average(values, weights=weight)
    if weight is not None:
        distance = distance * weight
    observed = abs(float(distance[chosen].sum()))
    drawn = sums_of_shuffles(
        distance=distance, k=int(chosen.sum()), permutations=permutations, rng=rng
    )
    edge = 1e-9 * max(1.0, float(np.abs(distance).sum()))
    return float(((np.abs(drawn) >= observed - edge).sum() + 1) / (permutations + 1))


def sums_of_shuffles(
    *, distance: Floats, k: int, permutations: int, rng: np.random.Generator
) -> Floats:
    """Sums over k people drawn without replacement, many times over."""
    n = len(distance)
    if n <= EXACT_UP_TO:
        few = min(k, n - k)
        whole = float(distance.sum())
        sums = np.empty(permutations)
        for i in range(permutations):
            sums[i] = distance[rng.permutation(n)[:few]].sum()
        return sums if few == k else whole - sums
    ordered = np.sort(distance)

    blocks = blocks_of(ordered, ordered, None)
    drawn = rng.multivariate_hypergeometric(blocks.rows, k, size=permutations, method="marginals")
    drawn = drawn.astype(np.float64)
    found = drawn @ blocks.mean
    if blocks.replaced:
        others = np.maximum(blocks.rows - 1, 1)
        spread = (drawn * (blocks.rows - drawn)) @ (blocks.variance / others)
        found += np.sqrt(np.maximum(spread, 0.0)) * rng.standard_normal(permutations)
    return np.asarray(found, dtype=np.float64)


def permutation_p_within(
    *,
    values: Floats,
    chosen: NDArray[np.bool_],
    weight: Floats | None,
    strata: Sequence[NDArray[np.int64]],
    permutations: int,
    rng: np.random.Generator,
) -> tuple[float, float]:
    """Groups laid anew within strata only.

    Returns
    -------
    pair of float
        p of the overall gap being as far from 0 (what is left to the composition of the strata is
        part of it), and p of the gap at equal risk (each person's distance from the mean of the
        own stratum).
    """
    mass = np.ones(len(values)) if weight is None else weight
    outer = mass * (values - np.average(values, weights=weight))
    inner = np.zeros(len(values))
    drawn = np.zeros((2, permutations))
    for rows in strata:
        part = mass[rows] * (values[rows] - np.average(values[rows], weights=mass[rows]))
        inner[rows] = part
        mine = chosen[rows]
        k = int(mine.sum())
        one = sums_of_shuffles(distance=part, k=k, permutations=permutations, rng=rng)
        drawn[1] += one
        # the same shuffle seen from the mean of all: a shift by stratum, the same in each
        shift = float((outer[rows] - part).mean())
        drawn[0] += one + k * shift
    observed = np.array([outer[chosen].sum(), inner[chosen].sum()])
    edge = 1e-9 * max(1.0, float(np.abs(outer).sum()))
    hits = (np.abs(drawn) >= np.abs(observed)[:, None] - edge).sum(axis=1)
    first, second = (hits + 1) / (permutations + 1)
    return float(first), float(second)
