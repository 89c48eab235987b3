"""What would settle what is not settled: how many times as many people, if values stay."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.base import wording
from engine.messages import say

from .words import Row, rows_of

MOST = 200.0
"""Above this many times the people, the values lie on an edge and no number settles them."""


def factor(row: Row) -> float | None:
    """How many times as many people would bring the whole interval to one side of the band.

    An interval narrows with the square root of the number of people, so the ratio of its reach
    beyond the value to the room that the value has, squared, is the factor needed.

    Returns
    -------
    float or None
        None where there is no interval, or the value lies on an edge.
    """
    low, high, value = row.measure.get("low"), row.measure.get("high"), row.value
    if value is None or low is None or high is None:
        return None
    floor, ceiling = row.band
    if floor < value < ceiling:
        need = max((value - low) / (value - floor), (high - value) / (ceiling - value))
    elif value > ceiling:
        need = (value - low) / (value - ceiling)
    elif value < floor:
        need = (high - value) / (floor - value)
    else:
        return None
    return float(max(1.0, need * need))


def people_needed(result: Mapping[str, Any]) -> str:
    """One sentence on the number of people that would settle the open metrics; empty if none."""
    open_rows = [row for row in rows_of(result) if row.verdict == "not settled"]
    if not open_rows:
        return ""
    factors = [(factor(row), row) for row in open_rows]
    known = sorted(
        ((f, place) for place, (f, _) in enumerate(factors) if f is not None and f <= MOST),
    )
    if not known:
        return say("paper.settle_none")
    # The number that settles half of them says more than the one for the last, which may lie
    # on an edge.
    settled = known[: max(1, min(len(known), (len(open_rows) + 1) // 2))]
    most, place = settled[-1]
    used = open_rows[place].measure.get("n") or {}
    total = sum(v for v in used.values() if v)
    row = open_rows[place]
    which = (
        say("paper.settle_one")
        if len(open_rows) == 1
        else say("paper.settle_some", n=len(settled), total=len(open_rows))
    )
    return say(
        "paper.settle",
        times=_times(most),
        which=which,
        needed=_round(total * most),
        used=wording.count(total),
        metric=row.title[0].lower() + row.title[1:],
        attribute=row.attribute,
    )


def _times(value: float) -> str:
    if value < 1.95:
        return say("paper.times", n=wording.number(value, digits=1))
    return say("paper.times", n=wording.count(round(value)))


def _round(value: float) -> str:
    """Two figures: more would pretend to know."""
    digits = max(0, len(str(int(value))) - 2)
    return wording.count(round(value / 10**digits) * 10**digits)
