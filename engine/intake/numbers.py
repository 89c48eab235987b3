"""Numbers are staged as numbers where their text can be given back from them, to the letter.

Eight bytes take the place of a text of any length, and such a cell needs no second look: its form
is known. All other cells stay text, so that nothing is lost whatever a column holds further down.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice

from .sniff import Dialect, csv_reader, physical_lines

_ROWS = 1000
_WHOLE = re.compile(r"-?(0|[1-9][0-9]{0,17})")
_POINT = re.compile(r"-?(0|[1-9][0-9]*)\.[0-9]+")
_LARGEST = 10**18


def likely_numbers(*, sample: str, dialect: Dialect) -> dict[int, str]:
    """Tell which columns are worth staging as numbers, from the beginning of a text table.

    Returns
    -------
    dict of int to str
        Place of the column -> ``BIGINT`` or ``DOUBLE``. A wrong guess costs time and nothing else.
    """
    lines = physical_lines(sample)[dialect.skip_lines :]
    reader = csv_reader(lines, delimiter=dialect.delimiter, quote=dialect.quote, escape=dialect.escape, runs=dialect.runs, blank_before_quote=dialect.blank_before_quote)  # fmt: skip
    rows = [row for row in islice(reader, _ROWS) if len(row) == dialect.width][dialect.header :]
    return dict(_judged(zip(*rows, strict=True)))


def _judged(columns: Iterable[Sequence[str]]) -> Iterable[tuple[int, str]]:
    for place, column in enumerate(columns):
        cells = [cell for cell in column if cell]
        for kind, form in (("BIGINT", _WHOLE), ("DOUBLE", _POINT)):
            if cells and sum(bool(form.fullmatch(cell)) for cell in cells) > 0.6 * len(cells):
                yield place, kind


def staged(*, source: str, order: Sequence[int], numbers: Mapping[int, str]) -> str:
    """SQL: the columns of a source in the given order, numbers apart.

    Column ``k`` becomes ``ck``; where it is among the numbers (by its place in the source), ``nk``
    holds what gives its text back and ``ck`` the other cells, one of the two being null.

    Examples
    --------
    >>> staged(source="t", order=[1, 0], numbers={})
    'SELECT c1 AS c0, c0 AS c1 FROM t'
    """
    if not numbers:
        picked = ", ".join(f"c{place} AS c{new}" for new, place in enumerate(order))
        return f"SELECT {picked} FROM {source}"
    tried, proved, last = [], [], []
    for new, place in enumerate(order):
        tried.append(f"c{place} AS c{new}")
        proved.append(f"c{new}")
        if place not in numbers:
            last.append(f"c{new}")
            continue
        tried.append(f"TRY_CAST(c{place} AS {numbers[place]}) AS t{new}")
        proved.append(f"CASE WHEN {_gives_back(f't{new}', f'c{new}', numbers[place])} THEN t{new} END AS n{new}")  # fmt: skip
        last.append(f"n{new}, CASE WHEN n{new} IS NULL THEN c{new} END AS c{new}")
    inner = f"SELECT {', '.join(tried)} FROM {source}"
    middle = f"SELECT {', '.join(proved)} FROM ({inner})"
    return f"SELECT {', '.join(last)} FROM ({middle})"


def _gives_back(number: str, text: str, kind: str) -> str:
    same = f"CAST({number} AS VARCHAR) = {text}"
    if kind == "BIGINT":
        return f"{number} > -{_LARGEST} AND {number} < {_LARGEST} AND {same}"
    # 1.234 may be a thousand: such cells are judged as text, with all others of their column
    return f"isfinite({number}) AND {same} AND NOT (abs({number}) >= 1 AND abs({number}) < 1000 AND {text} LIKE '%.___')"  # fmt: skip
