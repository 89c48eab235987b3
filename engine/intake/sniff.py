"""How a text table is written: delimiter, quotes, stray first lines, header or none."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t", "pipe": "|", "blank": " "}
_ORDER = (",", ";", "\t", "|", " ")
_MOST_SKIPPED = 30
_RECORDS = 400
_NUMBERISH = re.compile(
    r"[+-]?(\d+([.,]\d+)?|[.,]\d+|\d{1,3}([., '\u00a0\u202f]\d{3})+([.,]\d+)?)([eE][+-]?\d+)?\s?%?"
)
_SEP = re.compile(r"sep=.?", re.I)
"""The first line by which spreadsheet programs are told the delimiter."""
_DATEISH = re.compile(r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}([ T]\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?)?")


@dataclass(frozen=True)
class Dialect:
    """How a text table is written.

    Attributes
    ----------
    delimiter : str
        One character; a blank stands for one or more blanks where ``runs`` is true.
    quote, escape : str
        One character each, or empty where there is none.
    skip_lines : int
        Physical lines before the header or the first row.
    header : bool
    first : tuple of str
        The cells of the header, or of the first row where there is no header.
    width : int
        The number of columns.
    runs : bool
        Several blanks in a row count as one delimiter.
    blank_before_quote : bool
        Quotes follow a blank (``1, "a, b"``); such blanks are no part of the value.
    rows_seen : int
        Records below the header in the sample that was looked at.
    """

    delimiter: str
    quote: str
    escape: str
    skip_lines: int
    header: bool
    first: tuple[str, ...]
    width: int
    runs: bool = False
    blank_before_quote: bool = False
    rows_seen: int = 0


@dataclass(frozen=True)
class _Split:
    delimiter: str
    quote: str
    escape: str
    runs: bool
    ahead: bool
    records: list[list[str]]
    lines: list[int]  # physical line on which each record begins, from 0
    width: int
    agreeing: float
    clean: float


def sniff(
    *,
    text: str,
    delimiter: str | None = None,
    header: bool | None = None,
    skip_lines: int | None = None,
) -> Dialect:
    """Tell how a text table is written from its beginning; what is given is taken as it is.

    Parameters
    ----------
    text : str
        The beginning of the file, up to the end of a line where it was cut.
    delimiter : str or None
        One character, or one of ``comma``, ``semicolon``, ``tab``, ``pipe``, ``blank``.
    header : bool or None
    skip_lines : int or None

    Returns
    -------
    Dialect

    Examples
    --------
    >>> found = sniff(text="report of May\\n\\nage;income\\n31;1,5\\n40;2,5\\n")
    >>> found.delimiter, found.skip_lines, found.header, found.first
    (';', 2, True, ('age', 'income'))
    """
    if delimiter is not None:
        delimiter = DELIMITERS.get(delimiter, delimiter)
    if skip_lines is not None:
        text = "".join(physical_lines(text)[skip_lines:])
    given = skip_lines or 0
    best = _best(text, delimiter)
    start = 0 if skip_lines is not None else _first_record(best)
    records = [row for row in best.records[start:] if not _empty(row)]
    at = next(
        (line for row, line in zip(best.records[start:], best.lines[start:], strict=True) if not _empty(row)),
        0,
    )  # fmt: skip
    width = len(records[0]) if records else 1
    modal = _modal_width(records)
    named = header if header is not None else _has_header(records)
    if not named and modal > width:
        width = modal
    first = tuple(records[0]) if records else ()
    if named and width == modal + 1 and first and first[-1].strip() == "":
        width, first = modal, first[:-1]  # a header line that ends in a delimiter
    if modal == width + 1 and all(row[-1] == "" for row in records if len(row) == modal):
        modal = width  # rows that end in a delimiter
    if named and modal == width + 1:
        # R writes row names without a name for their column.
        width, first = modal, ("", *first)
    return Dialect(
        delimiter=best.delimiter,
        quote=best.quote,
        escape=best.escape,
        skip_lines=given + at,
        header=named,
        first=first,
        width=width,
        runs=best.runs,
        blank_before_quote=best.ahead,
        rows_seen=len(records) - bool(named),
    )


def physical_lines(text: str) -> list[str]:
    """Split at line feeds and carriage returns alone, keeping them.

    Examples
    --------
    >>> physical_lines("a\\x0bb\\r\\nc")
    ['a\\x0bb\\r\\n', 'c']
    """
    return list(io.StringIO(text, newline=""))


def csv_reader(
    lines: Iterable[str],
    *,
    delimiter: str,
    quote: str,
    escape: str,
    runs: bool,
    blank_before_quote: bool,
) -> Any:
    """Make the standard reader for a way of writing; used on the sample and on odd files."""
    if runs:
        lines = (line.strip(" \r\n") for line in lines)
    return csv.reader(
        lines,
        delimiter=delimiter,
        quotechar=quote or None,
        quoting=csv.QUOTE_MINIMAL if quote else csv.QUOTE_NONE,
        doublequote=escape == quote,
        escapechar=None if escape == quote or not escape else escape,
        skipinitialspace=blank_before_quote or runs,
    )


def _empty(row: Sequence[str]) -> bool:
    return not row or (len(row) == 1 and not row[0].strip())


def _modal_width(records: Sequence[Sequence[str]]) -> int:
    widths = Counter(len(row) for row in records[1:] or records)
    return max(widths, key=lambda width: (widths[width], width), default=1)


def _best(text: str, delimiter: str | None) -> _Split:
    """Try each delimiter and way of quoting; the most regular table of clean cells wins."""
    candidates = [delimiter] if delimiter is not None else list(_ORDER)
    splits = [
        _split(text, one, '"', "\\" if '\\"' in text and '""' not in text else '"')
        for one in candidates
    ]
    if "'" in text and '"' not in text:
        splits += [_split(text, one, "'", "'") for one in candidates if one != " "]
    if delimiter is not None:
        return max(splits, key=lambda split: (split.agreeing, split.quote == '"'))
    several = [split for split in splits if split.width > 1 and split.agreeing > 0.5]
    if not several:
        return splits[0]  # one column

    def merit(split: _Split) -> tuple[float, int]:
        worth = split.agreeing * (0.25 + 0.75 * split.clean)
        if split.delimiter == " ":
            worth *= 0.7 if split.agreeing > 0.95 else 0.1  # blanks stand in text of every kind
        if split.quote == "'":
            worth *= 0.98
        return round(worth, 3), split.width

    chosen = max(several, key=merit)
    return chosen if chosen.delimiter != " " or chosen.agreeing > 0.95 else splits[0]


def _split(text: str, delimiter: str, quote: str, escape: str) -> _Split:
    ahead = bool(
        delimiter != " "
        and re.search(rf"(?:{re.escape(delimiter)}|^) +{quote}[^{quote}\n]*{quote} *(?:{re.escape(delimiter)}|$)", text, re.M)
    )  # fmt: skip
    runs = delimiter == " " and bool(re.search(r"\S  +\S|^ +\S", text, re.M))
    reader = csv_reader(
        physical_lines(text),
        delimiter=delimiter,
        quote=quote,
        escape=escape,
        runs=runs,
        blank_before_quote=ahead,
    )
    records: list[list[str]] = []
    lines: list[int] = []
    at = 0
    try:
        for row in reader:
            records.append(row)
            lines.append(at)
            at = reader.line_num
            if len(records) > _RECORDS:
                break
    except csv.Error:
        pass  # the faulty row shows again, with its reason, when the whole file is read
    body = [row for row in records if not _empty(row)]
    widths = Counter(len(row) for row in body)
    width = max(widths, key=lambda n: (widths[n] * (n > 1), n), default=1)
    agreeing = widths[width] / len(body) if body else 0.0
    cells = [cell.strip() for row in body[:100] if len(row) == width for cell in row]
    clean = sum(map(_clean, cells)) / len(cells) if cells else 0.0
    return _Split(delimiter, quote, escape, runs, ahead, records, lines, width, agreeing, clean)


def _clean(cell: str) -> bool:
    """A blank, a number, a date, or words that hold no other delimiter."""
    if not cell or _NUMBERISH.fullmatch(cell) or _DATEISH.fullmatch(cell):
        return True
    return not any(mark in cell for mark in ";\t|,")


def _first_record(split: _Split) -> int:
    """Skip stray first lines: those that do not have the width of the table that follows."""
    body = [row for row in split.records if not _empty(row)]
    wide = _modal_width(body)
    if wide < 2:
        return 0
    for place, row in enumerate(split.records[:_MOST_SKIPPED]):
        if _empty(row) or (place == 0 and _SEP.fullmatch(split.delimiter.join(row).strip())):
            continue
        if len(row) in (wide, wide - 1, wide + 1) and (len(row) > 1 or wide < 2):
            later = [len(other) for other in split.records[place + 1 : place + 6] if not _empty(other)]  # fmt: skip
            filled = sum(bool(cell.strip()) for cell in row)
            padded = filled <= 1 < len(row) and wide > 2  # a title, padded with delimiters
            if not padded and (not later or wide in later):
                return place
    return 0


def _has_header(records: Sequence[Sequence[str]]) -> bool:
    """Hold the first row against the columns below it, each column with one vote."""
    if not records:
        return False
    first, body = records[0], records[1:]
    names = [cell.strip() for cell in first]
    filled = [name for name in names if name]
    if not filled or (any(_NUMBERISH.fullmatch(name) for name in filled) and not body):
        return False
    if not body:
        return True
    votes = 0
    for place, name in enumerate(names):
        cells = [row[place].strip() for row in body if place < len(row)]
        cells = [cell for cell in cells if cell]
        if not cells or not name:
            continue
        numbers = sum(bool(_NUMBERISH.fullmatch(cell) or _DATEISH.fullmatch(cell)) for cell in cells)  # fmt: skip
        named_number = bool(_NUMBERISH.fullmatch(name) or _DATEISH.fullmatch(name))
        if numbers >= 0.8 * len(cells):
            votes += -2 if named_number else 2
        elif name in cells:
            votes -= 2
        elif named_number:
            votes -= 1
        elif len(set(cells)) <= 0.5 * len(cells):
            votes += 1
    if votes == 0:
        return len(set(names)) == len(names) and not any(map(_NUMBERISH.fullmatch, filled))
    return votes > 0
