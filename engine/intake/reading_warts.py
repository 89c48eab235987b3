"""Warts of the reading: what the file's form leaves open."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from engine.base.wording import count, listed
from engine.messages import say

from .columns import GAP, Reading
from .model import Wart
from .staging import Unread

if TYPE_CHECKING:
    from .read import Part

_MARKS = {".": "point", ",": "comma"}
_PERIODS = {"%tm": "months", "%tq": "quarters", "%tw": "weeks", "%th": "half years"}
_ONE = ("no_header", "merged", "unsaved_formulas", "error_cells", "replaced")
"""What has words of its own for a single one."""
_PLAIN = ("utf-8", "utf-16", "utf-32", "utf-16-le", "utf-16-be", "ascii")


def quoted(names: Sequence[str], *, most: int = 6) -> str:
    """Names in quotes, joined as a person would; many are cut short with their number.

    Examples
    --------
    >>> quoted(["a", "b"])
    '"a" and "b"'
    """
    shown = [f'"{name}"' for name in names[:most]]
    if len(names) > most:
        return ", ".join(shown) + f" and {len(names) - most} more"
    return listed(shown)


def cells(n: int) -> str:
    """``1 cell``, ``577 cells``."""
    return "1 cell" if n == 1 else f"{count(n)} cells"


def wart(
    code: str,
    grade: str,
    *,
    column: str | None = None,
    number: int = 0,
    rows: tuple[int, ...] = (),
    suggestion: dict[str, Any] | None = None,
    **fields: object,
) -> Wart:
    """Make a wart from its message code."""
    form = "_one" if code in _ONE and str(fields["count"]) == "1" else ""
    text = say(f"intake.{code}{form}", **fields)
    return Wart(f"intake.{code}", grade, text, column, number, rows, suggestion or {})


def about_reading(
    *, parts: Sequence[Part], readings: Sequence[Reading], unread: Unread, rows: int, decimal: str
) -> list[Wart]:
    """Say what the files' form leaves open: header, encoding, unread rows, decimals, dates."""
    found: list[Wart] = []
    main = parts[0]
    for part in parts:
        if part.stray:
            code = "skipped_one" if len(part.stray) == 1 else "skipped"
            found.append(wart(code, "note", number=len(part.stray), count=len(part.stray), text=part.stray[0][:120]))  # fmt: skip
        encoding = str(part.detected.get("encoding", "utf-8"))
        if part.detected["format"] in ("csv", "json") and encoding.lower() not in _PLAIN:
            found.append(wart("foreign_encoding", "note", encoding=encoding, suggestion={"encoding": encoding}))  # fmt: skip
        if part.replaced:
            found.append(wart("replaced", "warning", number=part.replaced, count=count(part.replaced)))  # fmt: skip
    if not main.detected.get("header", True) and all(name.startswith("column ") for name in main.names):  # fmt: skip
        found.append(wart("no_header", "warning", count=len(main.names), suggestion={"header": False, "columns": list(main.names)}))  # fmt: skip
    if main.twice:
        verb = "is" if len(main.twice) == 1 else "are each"
        found.append(wart("named_twice", "warning", number=len(main.twice), names=quoted(main.twice), verb=verb))  # fmt: skip
    if main.unnamed:
        verb = "has" if len(main.unnamed) == 1 else "have"
        found.append(wart("unnamed", "note", column=main.unnamed[0], number=len(main.unnamed), names=quoted(main.unnamed), verb=verb))  # fmt: skip
    sheets = main.detected.get("sheets", [])
    if len(sheets) > 1:
        found.append(wart("sheets", "warning", number=len(sheets), count=len(sheets), names=quoted(sheets), suggestion={"sheet": sheets[0]}))  # fmt: skip
    if hidden := main.detected.get("hidden_sheets"):
        found.append(wart("hidden_sheets", "note", number=len(hidden), names=quoted(hidden), suggestion={"sheet": hidden[0]}))  # fmt: skip
    for code in ("merged", "unsaved_formulas", "error_cells"):
        if number := sum(part.detected.get(code, 0) for part in parts):
            found.append(wart(code, "warning", number=number, count=count(number)))
    if unread.count:
        total = rows + unread.count
        grade = "question" if unread.count > 0.01 * total else "warning"
        reasons = list(dict.fromkeys(row[3] for row in unread.rows))
        found.append(wart("unread", grade, number=unread.count, count=count(unread.count), total=count(total), reason=listed(reasons, last="or")))  # fmt: skip
    if utc := main.detected.get("utc"):
        verb = "holds" if len(utc) == 1 else "hold"
        found.append(wart("utc", "note", column=utc[0], number=len(utc), columns=quoted(utc), verb=verb))  # fmt: skip
    found.extend(_about_periods(main.detected.get("periods", {}), readings))
    for reading in readings:
        found.extend(_about_column(reading))
        if reading.decimal and not reading.typed and reading.decimal != decimal:
            own, other = _MARKS[reading.decimal], _MARKS[decimal]
            found.append(_named("decimal_other", "warning", reading, f'"{reading.name}"', number=reading.known, suggestion={"types": [reading.name]}, mark=own, other=other))  # fmt: skip
    return found


def _about_periods(forms: Mapping[str, str], readings: Sequence[Reading]) -> list[Wart]:
    """Stata's counts of months, quarters, weeks and half years, turned into dates or not."""
    found = []
    turned = {reading.name for reading in readings if reading.type == "date"}
    empty = {reading.name for reading in readings if not reading.known}
    for form, what in _PERIODS.items():
        names = [name for name, one in forms.items() if one == form and name in turned]
        if names:
            verb = "holds" if len(names) == 1 else "hold"
            found.append(wart("periods", "note", column=names[0], number=len(names), columns=quoted(names), verb=verb, what=what))  # fmt: skip
    names = [name for name in forms if name not in turned | empty]
    if names:
        verb = "holds" if len(names) == 1 else "hold"
        kinds = listed(sorted({forms[name] for name in names}))
        found.append(wart("periods_kept", "warning", column=names[0], number=len(names), columns=quoted(names), verb=verb, forms=kinds))  # fmt: skip
    return found


def _about_column(reading: Reading) -> list[Wart]:
    name = f'"{reading.name}"'
    if reading.doubt == "decimal_in_doubt":
        example, other = ("1,234", ".") if reading.decimal == "," else ("1,234", ",")
        if "comma_group" not in reading.kinds:
            example = "1.234"
        meaning = "a decimal mark" if example[1] == reading.decimal else "a thousands mark"
        return [_named("decimal_in_doubt", "question", reading, name, number=reading.known, suggestion={"decimal": other}, example=example, meaning=meaning)]  # fmt: skip
    if reading.doubt in ("exponent_kept", "gaps_kept"):
        return [_named(reading.doubt, "note", reading, name, number=reading.known, suggestion={"types": [reading.name]}, example=reading.example)]  # fmt: skip
    if reading.example and not reading.typed and reading.type in ("number", "whole number"):
        code = "exponent" if "exponent" in reading.kinds else "gaps"
        return [_named(code, "note", reading, name, number=reading.known, suggestion={"types": [reading.name]}, example=reading.example, value=_as_number(reading.example))]  # fmt: skip
    if reading.doubt == "digits_lost":
        return [_named("digits_lost", "warning", reading, name, number=reading.known)]
    if reading.doubt == "date_in_doubt":
        known = {"types": [reading.name]} if set(reading.kinds) == {"either_slash"} else {}
        return [_named("date_in_doubt", "note", reading, name, number=reading.known, suggestion=known)]  # fmt: skip
    if reading.doubt == "text_among_numbers":
        number = reading.kinds.get("text", 0)
        odd = [value for value, _ in reading.odd]
        these = "that is" if len(odd) == 1 else "these are"
        return [
            _named(
                "text_among_numbers", "question", reading, name, number=number,
                suggestion={"missing": {reading.name: odd}}, odd=quoted(odd), count=cells(number), these=these,
            )
        ]  # fmt: skip
    return []


def _as_number(cell: str) -> str:
    """What a cell with an exponent or with gaps is read as.

    Examples
    --------
    >>> _as_number("12e3"), _as_number("1 234,5")
    ('12,000', '1,234.5')
    """
    return f"{float(re.sub(GAP, '', cell).replace(',', '.')):,.15g}"


def _named(code: str, grade: str, reading: Reading, name: str, *, number: int, suggestion: dict[str, Any] | None = None, **fields: object) -> Wart:  # fmt: skip
    text = say(f"intake.{code}", column=name, **fields)
    return Wart(f"intake.{code}", grade, text, reading.name, number, (), suggestion or {})
