"""Values as text: one name for a value, whatever type a column or a plan gives it.

The cohort, joins and the window all compare values by these keys, so that ``1``, ``"1"`` and
``1.0`` name one value of a column of whole numbers and blanks around text never part a group.
"""

from __future__ import annotations

import datetime
import math
import re
import unicodedata
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

_NUMBER = re.compile(r"[+-]?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d{1,3})?")
_EXACT = 2**53
"""Above this a float no longer tells neighbouring whole numbers apart."""


def value_key(value: Any) -> str:
    """Name a single value: text without outer blanks, whole numbers without decimals.

    A missing value (None, NaN, NaT, pandas.NA) and blank text have the empty key.

    Examples
    --------
    >>> value_key(5), value_key(5.0), value_key(" 5 "), value_key(True), value_key(0.25)
    ('5', '5', '5', 'TRUE', '0.25')
    >>> value_key(float("nan"))
    ''
    """
    if value is None or value is pd.NA or value is pd.NaT:
        return ""
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, bool | np.bool_):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int | np.integer):
        return str(int(value))
    if isinstance(value, float | np.floating):
        return _float_key(float(value))
    if isinstance(value, np.datetime64 | datetime.date):
        return _date_key(pd.Timestamp(value))
    return str(value).strip()


def _float_key(value: float) -> str:
    if math.isnan(value):
        return ""
    if value.is_integer() and abs(value) < _EXACT:
        return str(int(value))
    return repr(value)


def _date_key(value: Any) -> str:
    if value is pd.NaT:
        return ""
    text: str = value.isoformat(sep=" ")
    return text.removesuffix(" 00:00:00")


def keys_of(series: pd.Series) -> tuple[NDArray[np.int32], list[str]]:
    """Code a column by its value keys.

    Parameters
    ----------
    series : pandas.Series
        A column of a :class:`~engine.intake.model.Table`'s frame, or a part of one.

    Returns
    -------
    codes : int32 array, shape (rows,)
        Index into ``keys``; -1 where the value is missing or blank.
    keys : list of str
        The keys that occur, each once: numbers and dates ascending, text in the order of the
        categories (first appearance in the file).

    Examples
    --------
    >>> codes, keys = keys_of(pd.Series(["M ", "F", None, "M"], dtype="category"))
    >>> keys, codes.tolist()
    (['F', 'M'], [1, 0, -1, 1])
    """
    kind = series.dtype
    if isinstance(kind, pd.CategoricalDtype):
        inner = np.asarray(series.cat.codes, dtype=np.int32)
        names = [value_key(category) for category in series.cat.categories]
    elif pd.api.types.is_numeric_dtype(kind) or pd.api.types.is_datetime64_any_dtype(kind):
        places, distinct = pd.factorize(series, sort=True)
        inner = places.astype(np.int32)
        names = [value_key(value) for value in distinct]
    else:
        places, distinct = pd.factorize(series)
        inner = places.astype(np.int32)
        names = [value_key(value) for value in distinct]
    return _merge(inner=inner, names=names)


_CURRENCIES = re.compile(
    r"[€$£¥₹₽₩₺₴]|\b(?:EUR|USD|GBP|CHF|JPY|CNY|INR|CAD|AUD|SEK|NOK|DKK|PLN|CZK|BRL|ZAR)\b"
)


def currencies_in(keys: list[str]) -> list[str]:
    """The currencies that stand in texts beside their amounts, sorted.

    Examples
    --------
    >>> currencies_in(["1,200 EUR", "$ 5", "7"])
    ['$', 'EUR']
    """
    return sorted({sign for key in keys for sign in _CURRENCIES.findall(key)})


def _merge(*, inner: NDArray[np.int32], names: list[str]) -> tuple[NDArray[np.int32], list[str]]:
    """Give values with the same key one code, and drop keys that no row holds."""
    used = np.zeros(len(names), dtype=bool)
    used[inner[inner >= 0]] = True
    keys: dict[str, int] = {}
    table = np.full(len(names) + 1, -1, dtype=np.int32)  # the last entry serves code -1
    for place, name in enumerate(names):
        if used[place] and name:
            table[place] = keys.setdefault(name, len(keys))
    return table[inner], list(keys)


def same_value(plan_value: Any, key: str) -> bool:
    """Say whether a value written in a plan names the value with this key.

    Outer blanks are forgiven; ``5``, ``"5"``, ``5.0`` and ``"5.0"`` all name ``5``, but ``"05"``
    does not; JSON true and the text ``true`` in any case name ``TRUE``.

    Examples
    --------
    >>> same_value(1.0, "1"), same_value("1.0", "1"), same_value("01", "1"), same_value(True, "TRUE")
    (True, True, False, True)
    """
    mine = value_key(plan_value)
    if mine == key:
        return True
    if not mine or not key:
        return False
    if mine.upper() == key.upper() and key.upper() in ("TRUE", "FALSE"):
        return True
    if _NUMBER.fullmatch(mine) and _NUMBER.fullmatch(key):
        left, right = float(mine), float(key)
        # A long id in digits must not match its neighbour by rounding.
        return left == right and abs(left) < _EXACT
    # An accented letter may be one character or two; nobody can see which.
    return unicodedata.normalize("NFC", mine) == unicodedata.normalize("NFC", key)
