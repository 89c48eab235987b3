"""How groups and metrics of a certification are called, in one place for text and figures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.base.wording import interval, number

SUB = {
    "SPD": "Recorded outcomes, {u} less {p}",
    "DI": "Recorded outcomes, {u} ÷ {p}",
    "EOD": "Decided for, of recorded favourable, {p} less {u}",
    "EMOD": "Decided for, of recorded unfavourable, {p} less {u}",
    "AOD": "Mean of the two gaps, {u} less {p}",
}


def group_words(one: Mapping[str, Any], key: str) -> str:
    """The printed name of a group of an attribute's result, by its key."""
    return str(one["groups"].get(key, {}).get("words") or key)


def others(one: Mapping[str, Any]) -> str:
    """The unprivileged side of an attribute: its only group, or ``all others``."""
    groups = one["unprivileged"]
    return group_words(one, groups[0]) if len(groups) == 1 else "all others"


def privileged(one: Mapping[str, Any]) -> str:
    """The privileged side of an attribute."""
    return group_words(one, one["privileged"])


def heading(name: str, one: Mapping[str, Any], group: str | None = None) -> str:
    """``age: below 30 compared with at least 30``."""
    return f"{name}: {_who(one, group)} compared with {privileged(one)}"


def sub_line(metric: str, one: Mapping[str, Any], group: str | None = None) -> str:
    """Who less whom, and on what."""
    return SUB[metric].format(u=_who(one, group), p=privileged(one))


def _who(one: Mapping[str, Any], group: str | None) -> str:
    return others(one) if group is None else group_words(one, group)


def value_words(metric: str, value: float | None) -> str:
    """A metric's value with its sign; ratios have none."""
    return number(value, sign=metric in ("SPD", "EOD", "EMOD", "AOD"))


def interval_words(metric: str, one: Mapping[str, Any]) -> str:
    """The interval of a measure; empty where there is none."""
    return interval(one["low"], one["high"], sign=metric in ("SPD", "EOD", "EMOD", "AOD"))


def band_words(metric: str, band: list[float]) -> str:
    """A tolerance as ``−0.10 to +0.10`` or ``0.90 to 1.10``."""
    return interval(band[0], band[1], digits=2, sign=metric != "DI")
