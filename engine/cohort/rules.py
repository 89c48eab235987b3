"""Numeric rules: who they take, and how they read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.intake.values import value_key
from engine.plan.model import Rule


def takes(rule: Rule, numbers: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which numbers a rule takes; blanks (NaN) never.

    Examples
    --------
    >>> takes({"between": [30, 60]}, np.array([29.0, 30.0, 60.0, np.nan])).tolist()
    [False, True, False, False]
    """
    kind, value = next(iter(rule.items()))
    if kind == "at_least":
        return numbers >= float(value)
    if kind == "below":
        return numbers < float(value)
    low, high = value
    return (numbers >= float(low)) & (numbers < float(high))


def words(rule: Rule) -> str:
    """A rule as a group's key.

    Examples
    --------
    >>> words({"at_least": 30}), words({"between": [30, 60.5]})
    ('at least 30', '30 to under 60.5')
    """
    kind, value = next(iter(rule.items()))
    if kind == "between":
        return f"{value_key(value[0])} to under {value_key(value[1])}"
    return f"{kind.replace('_', ' ')} {value_key(value)}"


def complement_words(entries: Sequence[Any]) -> str:
    """The key of everybody whom no entry takes.

    Examples
    --------
    >>> complement_words([{"at_least": 30}]), complement_words([{"between": [30, 60]}])
    ('below 30', 'not 30 to under 60')
    """
    if len(entries) == 1 and isinstance(entries[0], Mapping):
        kind, value = next(iter(entries[0].items()))
        if kind == "at_least":
            return f"below {value_key(value)}"
        if kind == "below":
            return f"at least {value_key(value)}"
    return "not " + ", ".join(entry_key(entry) for entry in entries)


def entry_key(entry: Any) -> str:
    """The group key of a plan's value or rule."""
    return words(entry) if isinstance(entry, Mapping) else value_key(entry)
