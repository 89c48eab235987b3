"""How groups, answers and numbers are written wherever a person reads of the tests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.base.wording import interval, number

from .answers import EQUIVALENT, NONE, SHOWN, UNDECIDED

GRADE = {
    SHOWN: "shown",
    EQUIVALENT: "ruled out",
    UNDECIDED: "not settled",
    NONE: "not computable",
}
"""The grade, and the word of a mark, of each answer."""


def called(attribute: Mapping[str, Any], key: str) -> str:
    """A group's name in words; ``attribute`` is its part of the result."""
    return str(attribute["groups"][key]["words"])


def points(value: float | None, *, sign: bool = True) -> str:
    """A difference of rates in points of a hundred.

    Examples
    --------
    >>> points(0.1234), points(0.1234, sign=False), points(None)
    ('+12.3', '12.3', '')
    """
    return number(None if value is None else 100 * value, digits=1, sign=sign)


def ends(one: Mapping[str, Any]) -> str:
    """An interval in points of a hundred; in words where there is none."""
    if one["low"] is None or one["high"] is None:
        return "no interval"
    return interval(100 * one["low"], 100 * one["high"], digits=1, sign=True)
