"""Stata's counts of months, quarters, weeks and half years, as the dates of their first days."""

from __future__ import annotations

import datetime
import re
from collections.abc import Collection, Iterable, Mapping
from typing import Any

PERIODS = {"%tm": 12, "%tq": 4, "%tw": 52, "%th": 2}
"""Form of display -> how many of its periods a year has; all are counted from 1960."""
_UNKNOWN = {"%tb", "%tg"}
"""Counts in a business calendar, or of nothing that the file names."""
_YEARS = range(datetime.MINYEAR, datetime.MAXYEAR + 1)


def stata_forms(types: Mapping[str, str], *, but: Collection[str] = ()) -> dict[str, str]:
    """Tell the columns that Stata counts in periods, by their forms of display.

    Parameters
    ----------
    types : mapping of column to its form, such as ``%tmMon_CCYY``
    but : collection of str
        Columns to be left alone, whose counts have labels.

    Returns
    -------
    dict of column to ``%tm``, ``%tq``, ``%tw``, ``%th``, or a form that no date can be told from

    Examples
    --------
    >>> stata_forms({"month": "%-tmMon_CCYY", "age": "%9.0g", "day": "%td"})
    {'month': '%tm'}
    """
    found = {}
    for name, form in types.items():
        made = re.match(r"%-?(t[a-zA-Z])", form or "")
        kind = f"%{made[1]}" if made else ""
        if name not in but and (kind in PERIODS or kind in _UNKNOWN):
            found[name] = kind
    return found


def first_day(value: Any, form: str) -> Any:
    """Turn one count into the date of its period's first day; what is none comes back as it is.

    Weeks are Stata's: the first begins on 1 January, the 52nd ends with the year.

    Examples
    --------
    >>> first_day(493.0, "%tm"), first_day(-1, "%tq")
    (datetime.date(2001, 2, 1), datetime.date(1959, 10, 1))
    """
    if not isinstance(value, int | float) or value != value or value % 1:
        return value
    parts = PERIODS[form]
    years, part = divmod(int(value), parts)
    year = 1960 + years
    if year not in _YEARS:
        return value
    if form == "%tw":
        return datetime.date(year, 1, 1) + datetime.timedelta(days=7 * part)
    return datetime.date(year, 1 + part * (12 // parts), 1)


def turns(values: Iterable[Any], form: str) -> bool:
    """Whether each of the counts is a period's, so that the column can be one of dates."""
    return all(value is None or first_day(value, form) is not value for value in values)
