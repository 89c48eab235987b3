"""Numbers in words, one way for window, paper and tables (the look: real minus, "a to b")."""

from __future__ import annotations

MINUS = "\u2212"


def number(value: float | None, *, digits: int = 3, sign: bool = False) -> str:
    """Write a number for a reader; None is an empty text, never 0.

    Examples
    --------
    >>> number(-0.11013)
    '−0.110'
    >>> number(0.0633, sign=True)
    '+0.063'
    >>> number(-0.0001)
    '0.000'
    """
    if value is None:
        return ""
    text = f"{value:,.{digits}f}"
    if float(text.replace(",", "")) == 0:
        return text.replace("-", "")
    text = text.replace("-", MINUS)
    return "+" + text if sign and value > 0 else text


def interval(low: float | None, high: float | None, *, digits: int = 3, sign: bool = False) -> str:
    """Write an interval as ``a to b``; empty where an end is unknown.

    Examples
    --------
    >>> interval(-0.171, -0.049)
    '−0.171 to −0.049'
    """
    if low is None or high is None:
        return ""
    return f"{number(low, digits=digits, sign=sign)} to {number(high, digits=digits, sign=sign)}"


def percent(share: float | None, *, digits: int = 1) -> str:
    """Write a share as per cent with a blank before the sign: ``63.1 %``."""
    return "" if share is None else f"{number(100 * share, digits=digits)} %"


def count(n: float | None) -> str:
    """Write a count with thousands marks; weighted counts keep one decimal.

    Examples
    --------
    >>> count(48842)
    '48,842'
    """
    if n is None:
        return ""
    return f"{n:,.0f}" if float(n).is_integer() else f"{n:,.1f}"


def people(n: float) -> str:
    """Write a number of people: ``1 person``, ``12 people``."""
    return "1 person" if n == 1 else f"{count(n)} people"


def p_value(p: float | None) -> str:
    """Write a p-value to three digits, and below that as ``below 0.001``."""
    if p is None:
        return ""
    return "below 0.001" if p < 0.001 else number(p)


def listed(parts: list[str] | tuple[str, ...], *, last: str = "and") -> str:
    """Join words as a person would: ``a, b and c``.

    Examples
    --------
    >>> listed(["age", "sex", "race"])
    'age, sex and race'
    """
    parts = list(parts)
    if len(parts) < 2:
        return "".join(parts)
    return ", ".join(parts[:-1]) + f" {last} " + parts[-1]
