"""Within, outside, not settled: read from the whole interval against the band."""

from __future__ import annotations

EDGE = 1e-12
"""Rates leave crumbs of rounding: what lies on an edge lies within."""


def verdict(
    *,
    value: float | None,
    low: float | None,
    high: float | None,
    band: tuple[float | None, float | None],
) -> str:
    """Read an interval against a band, of which an end may be open (None).

    Examples
    --------
    >>> verdict(value=0.02, low=-0.05, high=0.09, band=(-0.1, 0.1))
    'within'
    >>> verdict(value=0.2, low=0.11, high=0.3, band=(-0.1, 0.1))
    'outside'
    >>> verdict(value=0.02, low=-0.3, high=0.3, band=(-0.1, 0.1))
    'not settled'
    >>> verdict(value=None, low=None, high=None, band=(-0.1, 0.1))
    'not computable'
    """
    if value is None:
        return "not computable"
    if low is None or high is None:
        return "not settled"
    if inside(low, band) and inside(high, band):
        return "within"
    bottom, top = band
    if (bottom is not None and high < bottom - EDGE) or (top is not None and low > top + EDGE):
        return "outside"
    return "not settled"


def inside(value: float, band: tuple[float | None, float | None]) -> bool:
    """Whether a single value lies in a band, edges included.

    Examples
    --------
    >>> inside(0.3 - 0.4, (-0.1, 0.1))
    True
    """
    bottom, top = band
    return (bottom is None or value >= bottom - EDGE) and (top is None or value <= top + EDGE)


def rows_needed(
    *,
    value: float | None,
    low: float | None,
    high: float | None,
    band: tuple[float | None, float | None],
    rows: int,
) -> int | None:
    """How many rows would settle a metric if its value stays: intervals shrink as ``1/sqrt(n)``.

    None where the value lies on an edge, where it is settled, or where there is no interval.

    Examples
    --------
    >>> rows_needed(value=0.029, low=-0.271, high=0.332, band=(-0.1, 0.1), rows=150)
    2732
    """
    if value is None or low is None or high is None:
        return None
    if verdict(value=value, low=low, high=high, band=band) != "not settled":
        return None
    bottom, top = band
    shrink = 1.0
    if inside(value, band):
        pairs = [
            (value - low, value - bottom if bottom is not None else None),
            (high - value, top - value if top is not None else None),
        ]
    elif bottom is not None and value < bottom:
        pairs = [(high - value, bottom - value)]
    else:
        pairs = [(value - low, value - top if top is not None else None)]
    for reach, room in pairs:
        if room is None or reach <= 0:
            continue
        if room <= EDGE:
            return None
        shrink = max(shrink, reach / room)
    needed = rows * shrink**2
    return int(-(-needed // 1)) if needed < 1e15 else None
