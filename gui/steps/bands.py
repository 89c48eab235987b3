"""Numbers put into bands, and sides of a cut counted: small functions on counts by value."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import evidence_texts as texts

if TYPE_CHECKING:
    from .people import Counts

PRIVILEGED, UNPRIVILEGED, LEFT_OUT = "Privileged", "Unprivileged", "Left out"
MOST_BANDS = 8


@dataclass(frozen=True)
class Part:
    """People of a band, a value or a side; ``side`` is None where nothing is chosen yet."""

    label: str
    people: int
    known: int
    favourable: int
    side: str | None = None
    total: bool = False

    @property
    def rate(self) -> float | None:
        """The share of favourable outcomes among the known ones."""
        return self.favourable / self.known if self.known else None


def edges(low: float, high: float, cuts: list[float], *, whole: bool) -> list[float]:
    """Where bands begin: round numbers, and the cuts; the last edge lies above ``high``.

    Examples
    --------
    >>> edges(19, 75, [30], whole=True)
    [19, 30, 40, 50, 60, 70, 76]
    """
    span = high - low
    if span <= 0:
        return [low, high + 1]
    raw = span / (MOST_BANDS - 2)
    power = 10 ** math.floor(math.log10(raw))
    step = next(s * power for s in (1, 2, 2.5, 5, 10) if s * power >= raw)
    if whole:
        step = max(1, round(step))
    first = math.floor(low / step) + 1
    inner = [round(k * step, 10) for k in range(first, math.ceil(high / step) + 1)]
    inner = [e for e in inner if low < e <= high]
    if inner and inner[0] - low < step / 2:
        inner = inner[1:]
    if inner and high - inner[-1] < step / 2 - (1 if whole else 0):
        inner = inner[:-1]
    inner = [e for e in inner if all(abs(e - c) >= step / 4 for c in cuts)]
    inner += [c for c in cuts if low < c <= high]
    end = high + 1 if whole else math.nextafter(high, math.inf)
    made = sorted({low, *inner, end})
    return [int(e) if float(e).is_integer() else e for e in made]


def is_whole(counts: Counts) -> bool:
    """Whether all numbers of a column are whole."""
    assert counts.numbers is not None
    return bool((counts.numbers == counts.numbers.round()).all())


def cuts_of(rule: Mapping[str, Any] | None) -> list[float]:
    """The numbers at which a rule cuts."""
    if not rule:
        return []
    value = next(iter(rule.values()))
    return [float(v) for v in value] if isinstance(value, list | tuple) else [float(value)]


def plain(value: float) -> int | float:
    """A number as a plan writes it: whole where it is."""
    return int(value) if float(value).is_integer() else float(value)


def shown(value: float) -> str:
    """A number as a label writes it."""
    from engine.intake.values import value_key

    return value_key(float(value)).replace("-", "\u2212")


def rule_sides(rule: Mapping[str, Any]) -> tuple[str, str]:
    """How the two sides of a cut are called: ``30 and over``, ``Under 30``."""
    kind, value = next(iter(rule.items()))
    t = texts.text
    if kind == "between":
        low, high = value
        return f"{shown(low)} to under {shown(high)}", t("groups.outside")
    over, under = t("groups.and_over", value=shown(value)), t("groups.under", value=shown(value))
    return (over, under) if kind == "at_least" else (under, over)


def taken(rule: Mapping[str, Any], value: float) -> bool:
    """Whether a rule takes a number."""
    kind, limit = next(iter(rule.items()))
    if kind == "at_least":
        return value >= limit
    if kind == "below":
        return value < limit
    return bool(limit[0] <= value < limit[1])


def bands(counts: Counts, rule: Mapping[str, Any] | None) -> list[Part]:
    """The bands of a numeric column, each on one side of the cut."""
    numbers = counts.numbers
    assert numbers is not None
    if not len(numbers):
        return []
    whole = is_whole(counts)
    at = edges(float(numbers[0]), float(numbers[-1]), cuts_of(rule), whole=whole)
    made = []
    for low, high in itertools.pairwise(at):
        inside = (numbers >= low) & (numbers < high)
        last = high == at[-1]
        top = shown(high - 1) if whole else shown(float(numbers[-1])) if last else shown(high)
        label = shown(low) if whole and high - low == 1 else texts.text("groups.range", low=shown(low), high=top)  # fmt: skip
        side = None
        if rule:
            side = PRIVILEGED if taken(rule, low) else UNPRIVILEGED
        made.append(_part(counts, inside, label, side))
    return made


def sides(counts: Counts, rule: Mapping[str, Any]) -> list[Part]:
    """The two sides of a cut, the privileged first."""
    import numpy as np

    numbers = counts.numbers
    assert numbers is not None
    mask = np.array([taken(rule, float(v)) for v in numbers], dtype=bool)
    names = rule_sides(rule)
    return [
        _part(counts, mask, names[0], PRIVILEGED, total=True),
        _part(counts, ~mask, names[1], UNPRIVILEGED, total=True),
    ]


def _part(counts: Counts, mask: Any, label: str, side: str | None, *, total: bool = False) -> Part:
    return Part(
        label, int(counts.people[mask].sum()), int(counts.known[mask].sum()),
        int(counts.favourable[mask].sum()), side, total,
    )  # fmt: skip


def obeys(rule: Mapping[str, Any], key: str) -> bool:
    """Whether a number, given as its key, lies where a rule says (``x <= value < y``)."""
    try:
        value = float(key)
    except ValueError:
        return False
    low, high = rule.get("between") or (rule.get("at_least"), rule.get("below"))
    return (low is None or value >= float(low)) and (high is None or value < float(high))


def side_of(entry: Mapping[str, Any], key: str) -> str | None:
    """The side on which a value stands; None while nobody is privileged."""
    from engine.intake.values import same_value

    def within(values: Any) -> bool:
        return isinstance(values, list) and any(
            obeys(v, key) if isinstance(v, Mapping) else same_value(v, key) for v in values
        )

    if within(entry.get("privileged")):
        return PRIVILEGED
    if within(entry.get("left_out")):
        return LEFT_OUT
    if not entry.get("privileged"):
        return None
    others = entry.get("unprivileged")
    return UNPRIVILEGED if others is None or within(others) else LEFT_OUT


def values(counts: Counts, entry: Mapping[str, Any]) -> list[Part]:
    """Each value of a column with its side, the most people first."""
    made = [
        Part(
            key, int(counts.people[i]), int(counts.known[i]), int(counts.favourable[i]),
            side_of(entry, key),
        )
        for i, key in enumerate(counts.keys)
    ]  # fmt: skip
    return made if counts.numeric else sorted(made, key=lambda one: -one.people)


def pooled(parts: list[Part], side: str) -> Part:
    """All parts of a side together."""
    own = [one for one in parts if one.side == side and not one.total]
    return Part(
        side, sum(p.people for p in own), sum(p.known for p in own),
        sum(p.favourable for p in own), side, True,
    )  # fmt: skip
