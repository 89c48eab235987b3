"""Dates in whatever form they come, each form told; nothing is guessed where two readings fit."""

from __future__ import annotations

import datetime
import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from engine.base.problems import Problem, Refused
from engine.base.wording import count, listed
from engine.intake.values import keys_of
from engine.messages import say

PLACE = "methods.monitoring"
DAY_FIRST, MONTH_FIRST = "day first", "month first"
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_TIME = r"(?:[T ]\d{1,2}:\d{2}.*)?"
_FORMS: tuple[tuple[str, str, str], ...] = (
    ("2026-03-31", rf"(\d{{4}})[-/.](\d{{1,2}})[-/.](\d{{1,2}}){_TIME}", "ymd"),
    ("20260331", r"((?:19|20)\d{2})(\d{2})(\d{2})", "ymd"),
    ("31.03.2026", rf"(\d{{1,2}})\.(\d{{1,2}})\.(\d{{4}}){_TIME}", "dmy"),
    ("31/03/2026", rf"(\d{{1,2}})[-/](\d{{1,2}})[-/](\d{{4}}|\d{{2}}){_TIME}", "open"),
    ("31 March 2026", r"(\d{1,2})[-. ]+([A-Za-z]{3,9})\.?[-, ]+(\d{4})", "dMy"),
    ("March 31, 2026", r"([A-Za-z]{3,9})\.? +(\d{1,2}),? +(\d{4})", "Mdy"),
    ("March 2026", r"([A-Za-z]{3,9})\.?[- ]+(\d{4})", "My"),
    ("2026-03", r"(\d{4})[-/](\d{1,2})", "ym"),
    ("2026", r"((?:19|20)\d{2})", "y"),
)
"""Example, pattern and order of the parts; the first that fits is taken."""
COARSE = {"My": "month", "ym": "month", "y": "year"}
LENGTHS = ("day", "week", "month", "quarter", "year")


@dataclass(frozen=True)
class Dates:
    """Dates of the rows.

    Attributes
    ----------
    days : datetime64[D] array, shape (n,)
        NaT where there is none.
    forms : dict of example to rows
        How the dates are written.
    unread : int
        Cells that hold text that is no date.
    examples : list of str
        Some of these.
    """

    days: NDArray[np.datetime64]
    forms: dict[str, int]
    unread: int
    examples: list[str]


def read_dates(*, series: pd.Series, order: str, length: str) -> Dates:
    """Read a column of dates.

    Parameters
    ----------
    series : pandas.Series
    order : {"as the dates show", "day first", "month first"}
    length : str
        The length of a period; dates that name a month or a year only do for longer ones.

    Raises
    ------
    Refused
        Where day and month cannot be told apart, or dates are coarser than the periods.

    Examples
    --------
    >>> found = read_dates(series=pd.Series(["2026-01-31", "31.01.2026", "Jan 31, 2026"]),
    ...                    order="as the dates show", length="month")
    >>> bool((found.days == np.datetime64("2026-01-31")).all()), len(found.forms)
    (True, 3)
    """
    column = str(series.name)
    if pd.api.types.is_datetime64_any_dtype(series.dtype):
        plain = series.dt.tz_localize(None) if getattr(series.dtype, "tz", None) else series
        return Dates(plain.to_numpy().astype("datetime64[D]"), {}, 0, [])
    codes, keys = keys_of(series)
    matched = [_match(key) for key in keys]
    order = _order(keys, matched, order, column)
    days = np.full(len(keys) + 1, np.datetime64("NaT"), dtype="datetime64[D]")
    shapes: list[str] = []
    for i, one in enumerate(matched):
        shape = ""
        if one is not None:
            example, kind, parts = one
            found = _date(kind, parts, order)
            if found is not None:
                days[i] = np.datetime64(found)
                shape = example
                if LENGTHS.index(COARSE.get(kind, "day")) > LENGTHS.index(length if length in LENGTHS else "year"):  # fmt: skip
                    text = say(
                        "monitoring.coarse_date", column=column, value=keys[i], length=length
                    )
                    raise Refused(Problem("", f"{PLACE}.period", text))
        shapes.append(shape)
    counts = np.bincount(codes[codes >= 0], minlength=len(keys))
    forms: dict[str, int] = {}
    for shape, n in zip(shapes, counts, strict=True):
        if shape:
            forms[shape] = forms.get(shape, 0) + int(n)
    bad = [i for i, shape in enumerate(shapes) if not shape]
    return Dates(
        days[codes], forms, int(counts[bad].sum()) if bad else 0, [keys[i] for i in bad[:3]]
    )


def _match(key: str) -> tuple[str, str, tuple[str, ...]] | None:
    for example, pattern, kind in _FORMS:
        found = re.fullmatch(pattern, key)
        if found:
            return example, kind, found.groups()
    return None


def _order(keys: Sequence[str], matched: Sequence[Any], order: str, column: str) -> str:
    """Day or month first, for dates of which that is open."""
    open_ones = [(k, m[2]) for k, m in zip(keys, matched, strict=True) if m and m[1] == "open"]
    first = [k for k, parts in open_ones if int(parts[0]) > 12]
    second = [k for k, parts in open_ones if int(parts[1]) > 12]
    if first and second:
        text = say("monitoring.both_orders", column=column, first=first[0], second=second[0])
        raise Refused(Problem("", f"{PLACE}.date", text))
    if order != "as the dates show":
        wrong = second if order == DAY_FIRST else first
        if wrong:
            text = say("monitoring.wrong_order", column=column, value=wrong[0], order=order)
            raise Refused(Problem("", f"{PLACE}.date_order", text))
        return order
    if first:
        return DAY_FIRST
    if second:
        return MONTH_FIRST
    unlike = [k for k, parts in open_ones if parts[0] != parts[1]]
    if unlike:
        text = say("monitoring.open_order", column=column, value=unlike[0])
        raise Refused(Problem("", f"{PLACE}.date_order", text))
    return DAY_FIRST


def _date(kind: str, parts: tuple[str, ...], order: str) -> datetime.date | None:
    if kind == "open":
        kind = "dmy" if order == DAY_FIRST else "mdy"
    found = {"d": 1, "m": 1}
    for letter, text in zip(kind, parts, strict=True):
        if letter == "M":
            name = text[:3].lower()
            if name not in _MONTHS:
                return None
            found["m"] = _MONTHS.index(name) + 1
        else:
            found[letter] = int(text)
    year = found["y"] + 2000 if found["y"] < 100 else found["y"]
    try:
        return datetime.date(year, found["m"], found["d"])
    except ValueError:
        return None


@dataclass(frozen=True)
class Periods:
    """Periods in their order, and the place of each row.

    Attributes
    ----------
    names : tuple of str
    place : int array, shape (n,)
        -1 for rows that belong to none.
    a_year : float
        How many periods a year has.
    """

    names: tuple[str, ...]
    place: NDArray[np.int64]
    a_year: float


A_YEAR = {"day": 365.25, "week": 365.25 / 7, "month": 12.0, "quarter": 4.0, "year": 1.0}


def by_calendar(days: NDArray[np.datetime64], length: str) -> Periods:
    """Rows by day, week, month, quarter or year; a period without rows between others stays.

    Examples
    --------
    >>> found = by_calendar(np.array(["2026-01-31", "2026-03-01"], "datetime64[D]"), "month")
    >>> found.names, found.place.tolist()
    (('2026-01', '2026-02', '2026-03'), [0, 2])
    """
    known = ~np.isnat(days)
    place = np.full(len(days), -1, dtype=np.int64)
    if not known.any():
        return Periods((), place, A_YEAR[length])
    numbers = _number(days[known], length)
    low = int(numbers.min())
    place[known] = numbers - low
    names = tuple(_name(n, length) for n in range(low, int(numbers.max()) + 1))
    return Periods(names, place, A_YEAR[length])


def _number(days: NDArray[np.datetime64], length: str) -> NDArray[np.int64]:
    if length == "day":
        return days.astype(np.int64)
    if length == "week":  # 1 January 1970 was a Thursday; weeks begin on Mondays
        return np.floor_divide(days.astype(np.int64) + 3, 7)
    months = days.astype("datetime64[M]").astype(np.int64)
    return np.floor_divide(months, {"month": 1, "quarter": 3, "year": 12}[length])


def _name(number: int, length: str) -> str:
    start = datetime.date(1970, 1, 1)
    if length == "day":
        return (start + datetime.timedelta(days=number)).isoformat()
    if length == "week":
        iso = (start + datetime.timedelta(days=7 * number - 3)).isocalendar()
        return f"{iso.year}-W{iso.week:02d}"
    months = number * {"month": 1, "quarter": 3, "year": 12}[length]
    year, month = 1970 + months // 12, months % 12 + 1
    if length == "month":
        return f"{year}-{month:02d}"
    return f"{year}-Q{(month - 1) // 3 + 1}" if length == "quarter" else str(year)


def by_own(days: NDArray[np.datetime64], asked: Any) -> Periods:
    """Rows by periods that the auditor named, both ends included.

    Raises
    ------
    Refused
        Where the list has another form, or two periods overlap.
    """
    where = f"{PLACE}.periods"
    spans: list[tuple[Any, Any, str]] = []
    try:
        for one in asked:
            start = np.datetime64(datetime.date.fromisoformat(one["from"]))
            end = np.datetime64(datetime.date.fromisoformat(one["to"]))
            spans.append((start, end, str(one.get("name") or f"{one['from']} to {one['to']}")))
    except (TypeError, KeyError, ValueError, AttributeError):
        raise Refused(Problem("", where, say("monitoring.periods_form"))) from None
    if not spans:
        raise Refused(Problem("", where, say("monitoring.periods_form")))
    spans.sort(key=lambda span: span[0])
    for start, end, name in spans:
        if end < start:
            text = say("monitoring.period_backwards", name=name)
            raise Refused(Problem("", where, text))
    for (_, end, name), (start, _, other) in itertools.pairwise(spans):
        if start <= end:
            text = say("monitoring.overlap", first=name, second=other, start=str(start), end=str(end))  # fmt: skip
            raise Refused(Problem("", where, text))
    names = [name for _, _, name in spans]
    if len(set(names)) < len(names):
        raise Refused(Problem("", where, say("monitoring.same_name")))
    place = np.full(len(days), -1, dtype=np.int64)
    for i, (start, end, _) in enumerate(spans):
        place[(days >= start) & (days <= end)] = i
    long = float(np.median([(end - start).astype(int) + 1 for start, end, _ in spans]))
    return Periods(tuple(names), place, 365.25 / long)


def forms_told(found: Dates) -> str:
    """How the dates are written, with the number of rows of each form."""
    return listed([f"as {form} ({count(n)})" for form, n in found.forms.items()])
