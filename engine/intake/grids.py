"""JSON and statistics files, written out as plain text tables for the stage."""

from __future__ import annotations

import csv
import datetime
import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyreadstat

from engine.base.watch import Watch
from engine.messages import say

from .encoding import LONGEST_FIELD, Text
from .formats import Opened, refuse
from .sniff import Dialect
from .staging import MOST_COLUMNS, Unread
from .stata import PERIODS, first_day, stata_forms, turns

_STATS_ROWS = 50_000
_EXACT = 2**53
_THOUSAND = re.compile(r"-?[1-9][0-9]{0,2}\.[0-9]{3}")


@dataclass
class Grid:
    """A table written out as text: where, how, its column names, and what is known beside.

    ``names`` is None where the first row has to be judged (a workbook may have no header).
    ``worded`` holds for each column the line (from 0) on which its last text begins; a column
    without text holds what the file itself stores as numbers, dates or truth values.
    """

    text: Text
    width: int
    names: tuple[str, ...] | None
    detected: dict[str, Any] = field(default_factory=dict)
    worded: dict[int, int] = field(default_factory=dict)

    def typed(self, *, names: Sequence[str], header: bool, skip: int) -> frozenset[str]:
        """The columns without text below the header: their numbers are the file's own."""
        first = skip + header
        return frozenset(n for place, n in enumerate(names) if self.worded.get(place, -1) < first)

    def dialect(self, *, header: bool, skip: int, first: tuple[str, ...]) -> Dialect:
        """The way in which all grids are written out."""
        return Dialect(delimiter=",", quote='"', escape='"', skip_lines=skip, header=header, first=first, width=self.width)  # fmt: skip


class Digits(str):
    """A number as its file writes it, digit by digit."""

    __slots__ = ()


class _Twice(Exception):
    """A record that names one field twice."""


class Out:
    """Writes rows as text, all quoted, and watches their length."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / f"grid-{len(list(folder.iterdir()))}.csv"
        self._file = self.path.open("w", encoding="utf-8", newline="", errors="replace")
        self._writer = csv.writer(self._file, lineterminator="\n", quoting=csv.QUOTE_ALL)
        self.longest = self.rows = self._line = 0
        self.worded: dict[int, int] = {}

    def row(self, values: Iterable[Any]) -> None:
        cells = []
        for place, value in enumerate(values):
            if isinstance(value, str) and not isinstance(value, Digits) and value.strip():
                self.worded[place] = self._line
            cells.append(cell_text(value))
        self.longest = max(self.longest, sum(map(len, cells)))
        self.rows += 1
        self._line += 1 + sum(cell.count("\n") + cell.count("\r") for cell in cells)
        self._writer.writerow(cells)

    def close(self) -> Text:
        self._file.close()
        return Text(path=self.path, encoding="utf-8", bom=False, longest=4 * self.longest)


def cell_text(value: Any) -> str:
    """Write one cell of a typed file as text; whole numbers have no decimals, dates are ISO.

    Examples
    --------
    >>> cell_text(5.0), cell_text(True), cell_text(None), cell_text(0.1)
    ('5', 'TRUE', '', '0.1')
    >>> cell_text(1.234)  # never taken for a thousand
    '1.2340'
    """
    if value is None:
        return ""
    if isinstance(value, Digits):
        return _unlike_thousands(value)
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float):
        if math.isnan(value):
            return ""
        if value.is_integer() and abs(value) < _EXACT:
            return str(int(value))
        return _unlike_thousands(repr(float(value)))
    if isinstance(value, datetime.datetime):
        return value.isoformat(sep=" ").removesuffix(" 00:00:00")
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    if isinstance(value, dict | list):
        return _json(value)
    if hasattr(value, "item"):  # a numpy scalar
        return cell_text(value.item()) if not hasattr(value, "nanosecond") else str(value)
    return "" if str(value) == "NaT" else str(value)


def _unlike_thousands(number: str) -> str:
    return f"{number}0" if _THOUSAND.fullmatch(number) else number


def _json(value: Any) -> str:
    """Write a nested value as JSON, its numbers digit by digit."""
    if isinstance(value, Digits):
        return str(value)
    if isinstance(value, dict):
        pairs = (
            f"{json.dumps(key, ensure_ascii=False)}: {_json(one)}" for key, one in value.items()
        )
        return "{" + ", ".join(pairs) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_json, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def short(fault: BaseException) -> str:
    """What a library says of a broken file, on one line."""
    return " ".join(str(fault).split())[:160] or type(fault).__name__


def from_json(
    *, opened: Opened, text: Text, folder: Path, rows: int | None, watch: Watch, unread: Unread
) -> Grid:
    """Write records out: one object a line, a list of objects, or one list under one key.

    Numbers keep their digits; nested objects and lists stay as JSON text.
    """
    names: dict[str, None] = {}
    for record in _records(opened, text, rows, watch, None):
        names.update(dict.fromkeys(record))
        if len(names) > MOST_COLUMNS:
            raise refuse(opened.name, "too_wide", count=len(names), most=MOST_COLUMNS)
    if not names:
        raise refuse(opened.name, "no_records")
    out = Out(folder)
    for record in _records(opened, text, rows, watch, unread):
        out.row(record.get(name) for name in names)
    return Grid(text=out.close(), width=len(names), names=tuple(names), worded=out.worded)


def _records(
    opened: Opened, text: Text, rows: int | None, watch: Watch, unread: Unread | None
) -> Iterator[Mapping[str, Any]]:
    for count, record in enumerate(_values(opened, text, unread, watch), start=1):
        if not isinstance(record, dict):
            raise refuse(opened.name, "no_records")
        yield record
        if rows is not None and count >= rows:
            return


def _values(opened: Opened, text: Text, unread: Unread | None, watch: Watch) -> Iterator[Any]:
    decoder = json.JSONDecoder(parse_float=Digits, parse_int=Digits, parse_constant=_constant, object_pairs_hook=_once)  # fmt: skip
    with text.path.open(encoding="utf-8-sig", errors="replace") as file:
        first = file.readline()
        while first and not first.strip():
            first = file.readline()
        try:
            by_line = isinstance(decoder.decode(first.strip()), dict)
            by_line = by_line and any(line.strip() for line in file)
        except _Twice:
            by_line = True
        except (ValueError, RecursionError):
            by_line = False
        file.seek(0)
        if by_line:
            for number, line in enumerate(file, start=1):
                if not line.strip():
                    continue
                try:
                    value = decoder.decode(line.strip())
                    if not isinstance(value, dict):
                        raise ValueError
                    yield value
                except (ValueError, RecursionError, _Twice) as fault:
                    if unread is not None and not opened.cut:
                        code = "unread_twice" if isinstance(fault, _Twice) else "unread_json"
                        unread.add(file=opened.name, line=number, text=line.rstrip("\n"), reason=say(f"intake.{code}"))  # fmt: skip
                if number % 10_000 == 0:
                    watch.say(say("intake.reading", name=opened.name))
            return
        yield from _stream(opened, file, decoder)


def _constant(text: str) -> str | None:
    """``NaN`` is how many programs write a missing number; infinity stays as text."""
    return None if text == "NaN" else text


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) < len(pairs):
        seen: set[str] = set()
        raise _Twice(next(name for name, _ in pairs if name in seen or seen.add(name)))  # type: ignore[func-returns-value]
    return record


def _stream(opened: Opened, file: Any, decoder: json.JSONDecoder) -> Iterator[Any]:
    """Decode objects one by one from a list or a sequence, without holding the whole file."""
    buffer, place, ended = file.read(2**16).lstrip(), 0, False
    listed = buffer.startswith("[")
    place = 1 if listed else 0
    while True:
        while place < len(buffer) and buffer[place] in " \t\r\n,":
            place += 1
        if place < len(buffer) and listed and buffer[place] == "]":
            return
        try:
            if place >= len(buffer):
                raise ValueError
            value, place = decoder.raw_decode(buffer, place)
        except RecursionError as fault:
            raise refuse(opened.name, "bad_json", place="") from fault
        except _Twice as fault:
            raise refuse(opened.name, "named_twice_json", field=str(fault)) from fault
        except ValueError as fault:
            more = "" if ended else file.read(max(2**16, len(buffer) - place))
            if not more:
                if opened.cut or (not listed and place >= len(buffer)):
                    return
                raise refuse(opened.name, "bad_json", place=f"character {file.tell():,}") from fault
            buffer, place = buffer[place:] + more, 0
            if len(buffer) > 4 * LONGEST_FIELD:
                raise refuse(opened.name, "bad_json", place="") from fault
            continue
        inner = [v for v in value.values() if _is_records(v)] if isinstance(value, dict) else []
        if not listed and len(inner) == 1 and len(value) <= 10:
            yield from inner[0]
        else:
            yield value


def _is_records(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(item, dict) for item in value)


def from_statistics(*, opened: Opened, folder: Path, rows: int | None, watch: Watch) -> Grid:
    """Write an SPSS, SAS or Stata file out; value labels become the values.

    The codes are kept beside, in ``detected["codes"]`` (column -> label -> code), not as a second
    column: a copy of a protected attribute or of the outcome among the features would leak it.
    Two codes with one label stay apart as ``label (code)``. Values that the file itself declares
    missing are missing.
    """
    read = {"sav": pyreadstat.read_sav, "dta": pyreadstat.read_dta, "xpt": pyreadstat.read_xport, "sas7bdat": pyreadstat.read_sas7bdat}[opened.kind]  # fmt: skip
    out = Out(folder)
    offset = 0
    labels: dict[str, dict[str, str]] = {}
    forms: dict[str, str] = {}
    turned: frozenset[str] = frozenset()
    while True:
        limit = _STATS_ROWS if rows is None else min(_STATS_ROWS, rows - offset)
        try:
            data, meta = read(str(opened.path), row_offset=offset, row_limit=limit, output_format="dict")  # fmt: skip
        except Exception as fault:  # whatever a broken file makes the library say
            raise refuse(opened.name, "damaged", why=short(fault)) from fault
        names = tuple(meta.column_names)
        if not names:
            raise refuse(opened.name, "no_cells")
        if None in names or len(set(names)) < len(names):
            raise refuse(opened.name, "damaged", why="the names of its columns cannot be read")
        if len(names) > MOST_COLUMNS:
            raise refuse(opened.name, "too_wide", count=len(names), most=MOST_COLUMNS)
        labels = labels or {
            name: _labels(meta.variable_value_labels.get(name, {})) for name in names
        }
        if opened.kind == "dta" and not offset:
            forms = stata_forms(meta.original_variable_types, but=[n for n in names if labels[n]])
            turned = _turned(opened.path, forms, rows)
        columns = []
        for name in names:
            known = labels[name]
            if name in turned:
                columns.append([first_day(value, forms[name]) for value in data[name]])
            else:
                columns.append(_labelled(data[name], known) if known else data[name])
        for cells in zip(*columns, strict=True):
            out.row(list(cells))
        got = len(columns[0])
        offset += got
        watch.say(say("intake.reading", name=opened.name))
        if got < limit or (rows is not None and offset >= rows):
            break
    codes = {name: {label: code for code, label in known.items()} for name, known in labels.items() if known}  # fmt: skip
    words = {k: v for k, v in (meta.column_names_to_labels or {}).items() if v}
    detected: dict[str, Any] = {"encoding": meta.file_encoding or "utf-8"}
    if codes:
        detected["codes"] = codes
    if words:
        detected["labels"] = words
    if forms:
        detected["periods"] = forms
    if getattr(meta, "missing_ranges", None):
        detected["declared_missing"] = sorted(meta.missing_ranges)
    return Grid(
        text=out.close(), width=len(names), names=names, detected=detected, worded=out.worded
    )


def _turned(path: Path, forms: Mapping[str, str], rows: int | None) -> frozenset[str]:
    """The columns of Stata's counts that are dates throughout; one odd count keeps all of them."""
    left, offset = {name: form for name, form in forms.items() if form in PERIODS}, 0
    limit = _STATS_ROWS if rows is None else min(_STATS_ROWS, rows)
    while left:
        data, _ = pyreadstat.read_dta(str(path), row_offset=offset, row_limit=limit, output_format="dict", usecols=list(left))  # fmt: skip
        got = len(next(iter(data.values())))
        left = {name: form for name, form in left.items() if turns(data[name], form)}
        offset += got
        if got < limit or rows is not None:
            break
    return frozenset(left)


def _labelled(values: Iterable[Any], known: Mapping[str, str]) -> list[Any]:
    """Labels in the place of codes; a code without one never passes for another's label."""
    labels = {label.strip() for label in known.values()}
    made = []
    for value in values:
        text = cell_text(value)
        if text in known:
            made.append(known[text])
        else:
            made.append(f"{text} (no label)" if text and text in labels else value)
    return made


def _labels(raw: Mapping[Any, str]) -> dict[str, str]:
    """Code text -> label, kept apart where two codes share one label."""
    shared = Counter(str(label).strip() for label in raw.values())
    made = {}
    for code, label in raw.items():
        text = cell_text(code)
        label = str(label)
        if label.strip() and label != text:
            made[text] = label if shared[label.strip()] == 1 else f"{label} ({text})"
    return made
