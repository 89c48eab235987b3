"""How far blank groups and unknown outcomes could move parity: bounds without any assumption."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from .counts import Cells

_GRID = 10_001


@dataclass(frozen=True)
class Range:
    """Lowest and highest value; None where there is no such end, with the reason's code.

    ``missing`` is ``""``, ``"no upper end"`` (a ratio to a rate that may be 0) or
    ``"nobody"`` (a side is empty in every reading).
    """

    low: float | None
    high: float | None
    missing: str = ""


@dataclass(frozen=True)
class Bounds:
    """Over the eight corners, and the true extremes over every way of filling the blanks."""

    corners: Range
    worst_case: Range


def parity_bounds(*, unprivileged: Cells, privileged: Cells, blank: Cells) -> dict[str, Bounds]:
    """Bounds of statistical parity difference and disparate impact.

    The eight corners: all people with a blank group on one side or the other; the unknown
    outcomes of each side all favourable or all not. The true extremes also split the people with
    a blank group by their outcome, which is what moves the metrics furthest.

    Returns
    -------
    dict with ``SPD`` and ``DI``

    Examples
    --------
    >>> import numpy as np
    >>> from engine.fairness.counts import count_table
    >>> codes = np.repeat(np.array([0, 1, -1], np.int16), 10)
    >>> outcome = np.array([1] * 6 + [0] * 4 + [1] * 4 + [0] * 6 + [1] * 9 + [0], np.int8)
    >>> table = count_table(groups=2, codes=codes, outcome=outcome)
    >>> found = parity_bounds(unprivileged=table.side(1), privileged=table.side(0),
    ...                       blank=table.blank)
    >>> round(found["DI"].corners.low, 6), round(found["DI"].corners.high, 6)
    (0.533333, 1.083333)
    """
    corners: list[tuple[float | None, float | None]] = []
    for to_unprivileged, low_filled, high_filled in product((True, False), repeat=3):
        low = unprivileged + blank if to_unprivileged else unprivileged
        high = privileged if to_unprivileged else privileged + blank
        corners.append((_filled(low, low_filled), _filled(high, high_filled)))
    extreme = _extremes(unprivileged, privileged, blank)
    return {
        "SPD": Bounds(_differences(corners), _differences(extreme)),
        "DI": Bounds(_ratios(corners), _ratios(extreme)),
    }


def _filled(cells: Cells, favourable: bool) -> float | None:
    whole = cells.n + cells.unknown_outcome
    if whole <= 0:
        return None
    return (cells.favourable + (cells.unknown_outcome if favourable else 0.0)) / whole


def _extremes(
    unprivileged: Cells, privileged: Cells, blank: Cells
) -> list[tuple[float | None, float | None]]:
    """Pairs of rates among which the true extremes are.

    The highest gap gives every blank person with a favourable outcome to the unprivileged side
    and every other to the privileged one; blank people whose outcome is unknown too may be
    either, and how many of them are is tried throughout.
    """
    unknown = blank.unknown_outcome
    whole = float(unknown).is_integer() and unknown <= 1_000_000
    split: NDArray[np.float64] = (
        np.arange(unknown + 1) if whole else np.linspace(0.0, unknown, _GRID)
    )
    favourable, unfavourable = blank.favourable, blank.n - blank.favourable
    pairs: list[tuple[float | None, float | None]] = []
    for winner, loser, turned in (
        (unprivileged, privileged, False),
        (privileged, unprivileged, True),
    ):
        top = winner.favourable + winner.unknown_outcome + favourable + split
        top_n = winner.n + winner.unknown_outcome + favourable + split
        bottom = np.full_like(split, loser.favourable)
        bottom_n = loser.n + loser.unknown_outcome + unfavourable + (unknown - split)
        good = (top_n > 0) & (bottom_n > 0)
        if not good.any():
            pairs.append((None, None))
            continue
        high = top[good] / top_n[good]
        low = bottom[good] / bottom_n[good]
        with np.errstate(divide="ignore"):
            ratio = np.where(low > 0, high / np.where(low > 0, low, 1.0), np.inf)
        for place in {int(np.argmax(high - low)), int(np.argmax(ratio))}:
            pair = (float(high[place]), float(low[place]))
            pairs.append((pair[1], pair[0]) if turned else pair)
    return pairs


def _differences(pairs: list[tuple[float | None, float | None]]) -> Range:
    values = [p - q for p, q in pairs if p is not None and q is not None]
    if not values:
        return Range(None, None, "nobody")
    return Range(_tidy(min(values)), _tidy(max(values)))


def _ratios(pairs: list[tuple[float | None, float | None]]) -> Range:
    known = [(p, q) for p, q in pairs if p is not None and q is not None]
    if not known:
        return Range(None, None, "nobody")
    values = [p / q for p, q in known if q > 0]
    if len(values) < len(known):
        return Range(_tidy(min(values)) if values else None, None, "no upper end")
    return Range(_tidy(min(values)), _tidy(max(values)))


def _tidy(value: float) -> float:
    return 0.0 if abs(value) < 1e-12 else float(value)
