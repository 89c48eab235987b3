"""Percentile bootstrap from the table of counts: the cost does not grow with the rows.

Each group keeps its size and its cells (outcome by decision) are drawn anew as one multinomial,
so recorded and decided counts of the same people move together. Weighted tables are drawn with
Kish's size. Over several attributes, which describe the same people, the crossed cells are drawn
as Poisson counts (a Poisson bootstrap of the rows, by cells) so that their dependence is kept.

A rate that is exactly 0 or 1 would come back in every resample and give an interval of no width;
half a person is therefore laid into such an empty cell before drawing.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .counts import Cells

HALF_A_PERSON = 0.5
LARGEST_UNDEFINED_SHARE = 0.05
"""With more undefined resamples than this share, an interval would be a tale of the rest."""
MAX_CROSSED = 20_000
"""With more crossed cells than this, attributes are drawn independently (and that is said)."""
_CHUNK = 4_000_000


def generator(seed: int, *parts: int | str) -> np.random.Generator:
    """A generator of its own for each purpose, the same on every machine.

    Texts enter by their CRC-32, so an attribute's draws do not depend on its place in the plan.
    """
    numbers = [zlib.crc32(p.encode()) if isinstance(p, str) else p for p in parts]
    return np.random.default_rng([seed, *numbers])


def smoothing(cells: NDArray[np.float64]) -> NDArray[np.float64]:
    """What is laid into empty cells before drawing, same shape ``(..., 2, 3)`` as the cells.

    Half a person where a decision rate among people with one outcome is exactly 0 or 1, and
    where a recorded rate is (there into the cell without a decision, which only recorded rates
    read).
    """
    added = np.zeros_like(cells)
    known = cells[..., :2]
    lonely = (known == 0) & (known.sum(axis=-1, keepdims=True) > 0)
    added[..., :2][lonely] = HALF_A_PERSON
    by_outcome = cells.sum(axis=-1)
    one_sided = (by_outcome == 0) & (by_outcome.sum(axis=-1, keepdims=True) > 0)
    added[..., 2][one_sided] = HALF_A_PERSON
    return added


def resample(
    *, sides: Sequence[Cells], resamples: int, rng: np.random.Generator
) -> NDArray[np.float64]:
    """Draw the cells of each side anew, its size held fixed.

    Parameters
    ----------
    sides : sequence of Cells
    resamples : int
    rng : numpy.random.Generator

    Returns
    -------
    float array of shape (len(sides), resamples, 2, 3)
        Drawn cells ``[outcome, decision]`` among people with a known outcome; zeros for a side
        without any.
    """
    drawn = np.zeros((len(sides), resamples, 2, 3))
    outcomes = np.zeros((len(sides), resamples, 2), dtype=np.int64)
    # Outcomes first, decisions given them: so recorded rates are drawn alike with and without
    # decisions beside them, and step 4 shows the interval that the result has.
    for place, side in enumerate(sides):
        if side.n > 0:
            size = max(1, round(side.effective_n))
            share = (side.weight[:2] * (size / side.n)).sum(axis=-1)
            share[share == 0] = HALF_A_PERSON  # as in smoothing, here for the recorded rate
            outcomes[place] = rng.multinomial(size, share / share.sum(), size=resamples)
    for place, side in enumerate(sides):
        if side.n <= 0:
            continue
        cells = side.weight[:2] * (max(1, round(side.effective_n)) / side.n)
        cells = cells + smoothing(cells)
        for outcome in np.flatnonzero(cells.sum(axis=-1)):
            used = np.flatnonzero(cells[outcome])
            count = outcomes[place, :, outcome]
            if len(used) == 1:
                drawn[place, :, outcome, used[0]] = count
                continue
            share = cells[outcome, used] / cells[outcome, used].sum()
            drawn[place, :, outcome, used] = rng.multinomial(count, share).T
    return drawn


@dataclass(frozen=True)
class Crossed:
    """The crossed cells of several attributes.

    Attributes
    ----------
    sides : int8 array of shape (cells, attributes)
        0 unprivileged, 1 privileged, 2 neither.
    state : int array of shape (cells,)
        ``3 * outcome + decision``, known outcomes only (0 to 5).
    weight, square : float array of shape (cells,)
    """

    sides: NDArray[np.int8]
    state: NDArray[np.int64]
    weight: NDArray[np.float64]
    square: NDArray[np.float64]


@dataclass(frozen=True)
class SideShares:
    """One attribute of each row: a hard side (0, 1, 2), or shares of the two sides."""

    hard: NDArray[np.int8] | None = None
    soft: NDArray[np.float64] | None = None
    """Shape (n, 2): probability of the unprivileged and of the privileged side."""


def cross(
    *,
    attributes: Sequence[SideShares],
    states: NDArray[np.int16],
    weight: NDArray[np.float64] | None = None,
) -> Crossed | None:
    """Cross the sides of several attributes with outcome and decision.

    Parameters
    ----------
    attributes : sequence of SideShares
    states : int16 array of shape (n,)
        :func:`engine.fairness.counts.state_index`; rows with an unknown outcome (6 and above)
        are left aside.
    weight : float array of shape (n,), optional

    Returns
    -------
    Crossed or None
        None where there would be more than :data:`MAX_CROSSED` cells.
    """
    soft = [a for a in attributes if a.soft is not None]
    if len(soft) > 3 or 3 ** len(attributes) > 2**50:
        return None
    code = np.zeros(len(states), dtype=np.int64)
    for a in attributes:
        code *= 3
        if a.hard is not None:
            code += a.hard
    code *= 9
    code += states
    share = weight
    for place, a in enumerate(attributes):
        if a.soft is None:
            continue
        step = 9 * 3 ** (len(attributes) - 1 - place)
        neither = np.clip(1.0 - a.soft.sum(axis=1), 0.0, 1.0)
        parts = [a.soft[:, 0], a.soft[:, 1], neither]
        repeat = len(code) // len(neither)
        code = np.concatenate([code + step * side for side in range(3)])
        old = np.ones(repeat * len(neither)) if share is None else share
        share = np.concatenate([old * np.tile(part, repeat) for part in parts])
    span = 9 * 3 ** len(attributes)
    if span <= 1_000_000:
        rows = np.bincount(code, minlength=span)
        values = np.flatnonzero(rows)
        sums = squares = rows[values].astype(np.float64)
        if share is not None:
            sums = np.bincount(code, share, minlength=span)[values].astype(np.float64)
            squares = np.bincount(code, share * share, minlength=span)[values].astype(np.float64)
    else:
        values, inverse, rows = np.unique(code, return_inverse=True, return_counts=True)
        sums = squares = rows.astype(np.float64)
        if share is not None:
            sums = np.bincount(inverse, share).astype(np.float64)
            squares = np.bincount(inverse, share * share).astype(np.float64)
    state = values % 9
    keep = (state < 6) & (sums > 0)
    values, sums, squares, state = values[keep], sums[keep], squares[keep], state[keep]
    if len(values) > MAX_CROSSED:
        return None
    rest = values // 9
    sides = np.empty((len(values), len(attributes)), dtype=np.int8)
    for place in reversed(range(len(attributes))):
        sides[:, place] = rest % 3
        rest //= 3
    return Crossed(sides, state, sums, squares)


def resample_crossed(
    *, crossed: Crossed, resamples: int, rng: np.random.Generator
) -> NDArray[np.float64]:
    """Draw crossed cells anew and add them up to the two sides of each attribute.

    Returns
    -------
    float array of shape (attributes, 2, resamples, 2, 3)
        For each attribute the unprivileged and the privileged side's cells.
    """
    cells, attributes = crossed.sides.shape
    result = np.zeros((attributes, 2, resamples, 2, 3))
    mean = crossed.weight**2 / np.where(crossed.square > 0, crossed.square, 1.0)
    scale = crossed.square / crossed.weight
    member = np.zeros((cells, attributes, 2, 6))
    for a in range(attributes):
        for side in (0, 1):
            mine = np.flatnonzero(crossed.sides[:, a] == side)
            member[mine, a, side, crossed.state[mine]] = 1.0
    flat = member.reshape(cells, attributes * 12)
    scaled = flat * scale[:, None]
    step = max(1, _CHUNK // max(1, cells))
    for start in range(0, resamples, step):
        n = min(step, resamples - start)
        drawn = rng.poisson(mean, size=(n, cells)) @ scaled
        shaped = drawn.reshape(n, attributes, 2, 2, 3)
        result[:, :, start : start + n] = np.moveaxis(shaped, 0, 2)
    totals = (crossed.weight @ flat).reshape(attributes, 2, 2, 3)
    squares = (crossed.square @ flat).reshape(attributes, 2, 2, 3)
    for a in range(attributes):
        for side in (0, 1):
            weight, square = float(totals[a, side].sum()), float(squares[a, side].sum())
            unit = square / weight if weight > 0 else 1.0  # weight of one effective person
            extra = smoothing(totals[a, side] / unit)
            for y, d in zip(*np.nonzero(extra), strict=True):
                result[a, side, :, y, d] += unit * rng.poisson(extra[y, d], size=resamples)
    return result


@dataclass(frozen=True)
class Interval:
    """Percentile bounds; both None where too many resamples are undefined."""

    low: float | None
    high: float | None
    undefined: float = 0.0
    """Share of resamples in which the statistic has no value."""


def percentile_interval(draws: NDArray[np.float64], *, confidence: float) -> Interval:
    """Percentile bounds of draws; NaN counts as undefined.

    Up to :data:`LARGEST_UNDEFINED_SHARE` of undefined draws the bounds are those of the defined
    ones; above it there are none.

    Examples
    --------
    >>> import numpy as np
    >>> found = percentile_interval(np.arange(101.0), confidence=0.9)
    >>> round(found.low, 9), round(found.high, 9), found.undefined
    (5.0, 95.0, 0.0)
    >>> percentile_interval(np.array([1.0, np.nan]), confidence=0.9).low is None
    True
    """
    known = np.isfinite(draws)
    undefined = 1.0 - float(known.mean()) if len(draws) else 1.0
    if undefined > LARGEST_UNDEFINED_SHARE:
        return Interval(None, None, undefined)
    tail = (1.0 - confidence) / 2
    low, high = np.quantile(draws[known] if undefined else draws, [tail, 1.0 - tail])
    return Interval(_tidy(low), _tidy(high), undefined)


def root_interval(draws: NDArray[np.float64], *, value: float, confidence: float) -> Interval:
    """Bounds of a root mean square (Bias Index), which noise alone pushes up.

    Squares of noisy gaps are too large on average, and those of resamples once more: every
    resample of an index of 0 lies above 0, so plain percentiles would never take in a true 0.
    The upper end is the percentile; from the square of the lower one the bias seen in the
    resamples is taken off, down to 0. Both ends take in the value itself. With many people, or a
    large index, the correction vanishes.

    By simulation (nominal 95 %, 500 and 5,000 people, one and two attributes) the score is taken
    in 95 to 98 % of the time, against 0 % by plain percentiles where nothing is wrong; taking the
    bias off twice gives up to 100 %.

    Examples
    --------
    >>> import numpy as np
    >>> found = root_interval(np.array([0.1, 0.2, 0.3] * 40), value=0.0, confidence=0.9)
    >>> found.low, found.high
    (0.0, 0.3)
    """
    plain = percentile_interval(draws, confidence=confidence)
    if plain.low is None or plain.high is None:
        return plain
    known = draws[np.isfinite(draws)]
    bias = max(0.0, float(np.mean(known**2)) - value**2)
    low = float(np.sqrt(max(0.0, plain.low**2 - bias)))
    return Interval(_tidy(min(low, value)), max(plain.high, value), plain.undefined)


def _tidy(value: float) -> float:
    return 0.0 if abs(value) < 1e-12 else float(value)
