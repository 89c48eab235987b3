"""Workbooks: one sheet written out as a plain text table, and what of it comes out blank."""

from __future__ import annotations

import html
import re
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import python_calamine

from engine.base.nearest import mend
from engine.base.problems import Refused
from engine.base.watch import Watch
from engine.messages import say

from .formats import Opened, refuse
from .grids import Grid, Out, short
from .staging import MOST_COLUMNS

_MOST_CELLS = 80_000_000
_CELL = re.compile(rb'<c\b[^>]*?\br="([A-Z]{1,3})(\d{1,7})"[^>]*>\s*<(?:v|is|f)\b')
_ERROR = re.compile(rb'<c\b[^>]*?\bt="e"')
_UNSAVED = re.compile(rb"(?:</f>|<f\b[^>]*/>)\s*(?:<v>\s*</v>\s*|<v\s*/>\s*)?</c>")
"""A formula whose value was never saved: files made by programs that do not calculate."""


def from_workbook(
    *, opened: Opened, folder: Path, sheet: str | None, rows: int | None, watch: Watch
) -> Grid:
    """Write one sheet out; formulas count with the value that was saved, and never run.

    Raises
    ------
    Refused
        For an unknown sheet, an encrypted or damaged workbook, one without any cell.
    """
    try:
        return _sheet(opened, folder, sheet, rows, watch)
    except python_calamine.PasswordError as fault:
        raise refuse(opened.name, "encrypted") from fault
    except python_calamine.CalamineError as fault:
        raise refuse(opened.name, "damaged", why=short(fault)) from fault
    except Refused:
        raise
    except BaseException as fault:
        # zip, XML and memory faults, and the panics of the Rust library, which are no Exceptions
        raise refuse(opened.name, "damaged", why=short(fault)) from fault


def _sheet(opened: Opened, folder: Path, sheet: str | None, rows: int | None, watch: Watch) -> Grid:
    troubles = _scan(opened) if opened.kind == "xlsx" else {}
    watch.say(say("intake.reading", name=opened.name))
    with python_calamine.CalamineWorkbook.from_path(str(opened.path)) as book:
        tables = [
            m.name
            for m in book.sheets_metadata
            if m.typ == python_calamine.SheetTypeEnum.WorkSheet
            and m.visible == python_calamine.SheetVisibleEnum.Visible
        ] or list(book.sheet_names)
        hidden = [name for name in book.sheet_names if name not in tables and book.get_sheet_by_name(name).height]  # fmt: skip
        others = [n for n in book.sheet_names if n != sheet and book.get_sheet_by_name(n).height]
        if sheet is not None and sheet not in book.sheet_names:
            raise refuse(opened.name, "no_sheet", place="sheet", sheet=sheet, mend=mend(sheet, book.sheet_names, otherwise="its sheets are"))  # fmt: skip
        filled = []
        for name in tables if sheet is None else [sheet]:
            if book.get_sheet_by_name(name).height:
                filled.append(name)
        if not filled:
            raise refuse(opened.name, "no_cells")
        chosen = book.get_sheet_by_name(filled[0])
        out, width = Out(folder), chosen.width
        if width > MOST_COLUMNS:
            raise refuse(opened.name, "too_wide", count=width, most=MOST_COLUMNS)
        merged = _merged(chosen)
        for row, cells in enumerate(chosen.iter_rows(), start=(chosen.start or (0, 0))[0]):
            if row in merged.across and sum(cell != "" for cell in cells) > 1:
                merged.count += merged.across[row]
            if any(not isinstance(cell, str) or cell.strip() for cell in cells):
                out.row(cells)
                if rows is not None and out.rows > rows + 40:
                    break
                if out.rows % 10_000 == 0:
                    watch.say(say("intake.reading", name=opened.name))
    text = out.close()
    if not out.rows:
        raise refuse(opened.name, "no_cells")
    detected: dict[str, Any] = {"sheet": filled[0], "sheets": filled if sheet is None else [sheet]}
    if hidden and sheet is None:
        detected["hidden_sheets"] = hidden
    if others and sheet is not None:
        detected["other_sheets"] = others  # to be chosen instead
    if merged.count:
        detected["merged"] = merged.count
    for what, number in troubles.get(filled[0], {}).items():
        if number:
            detected[what] = number
    return Grid(text=text, width=width, names=None, detected=detected, worded=out.worded)


@dataclass
class _Merged:
    """Merged ranges that blank cells of the table: how many, and those to be judged by their row."""

    count: int
    across: dict[int, int]


def _merged(sheet: python_calamine.CalamineSheet) -> _Merged:
    """A range of several rows blanks cells; one of a single row may be a title or a header."""
    found = _Merged(0, {})
    for (top, _), (bottom, _) in sheet.merged_cell_ranges or []:
        if bottom > top:
            found.count += 1
        else:
            found.across[top] = found.across.get(top, 0) + 1
    return found


def _scan(opened: Opened) -> dict[str, dict[str, int]]:
    """Look through the sheets as they are stored, without laying them out.

    Returns
    -------
    dict
        Name of a sheet -> ``error_cells`` and ``unsaved_formulas``: cells that come out blank.

    Raises
    ------
    Refused
        For a sheet whose cells lie so far apart that laying it out would fill the memory.
    """
    found: dict[str, dict[str, int]] = {}
    with zipfile.ZipFile(opened.path) as archive:
        total = sum(member.file_size for member in archive.infolist())
        packed = sum(member.compress_size for member in archive.infolist())
        if total > 8 * 2**30 or (total > 256 * 2**20 and total > 400 * max(packed, 1)):
            raise refuse(opened.name, "bomb", size=total // 2**20, packed=max(1, packed // 1024))
        names = _stored_under(archive)
        for member in archive.infolist():
            if not re.fullmatch(r"xl/worksheets/[^/]+\.xml", member.filename):
                continue
            high, wide, errors, unsaved, rest = 0, 0, 0, 0, b""
            with archive.open(member) as part:
                while chunk := part.read(2**20):
                    whole = rest + chunk
                    end = whole.rfind(b"</c>") + 4
                    if end < 4:  # a single cell of more than a piece, or no cells yet
                        end = max(0, len(whole) - 512)
                    looked, rest = whole[:end], whole[end:]
                    for letters, row in _CELL.findall(looked):
                        high = max(high, int(row))
                        column = 0
                        for letter in letters:
                            column = 26 * column + letter - 64
                        wide = max(wide, column)
                    errors += len(_ERROR.findall(looked))
                    unsaved += len(_UNSAVED.findall(looked))
            if high * wide > _MOST_CELLS:
                raise refuse(opened.name, "too_spread", rows=f"{high:,}", columns=f"{wide:,}")
            name = names.get(member.filename, "")
            found[name] = {"error_cells": errors, "unsaved_formulas": unsaved}
    return found


def _stored_under(archive: zipfile.ZipFile) -> dict[str, str]:
    """Which sheet each part of the archive holds; what cannot be told is left out."""
    try:
        book = archive.read("xl/workbook.xml").decode("utf-8", "replace")
        links = archive.read("xl/_rels/workbook.xml.rels").decode("utf-8", "replace")
    except KeyError:
        return {}
    target = {}
    for link in re.findall(r"<Relationship\b[^>]*>", links):
        fields = dict(re.findall(r'(\w+)="([^"]*)"', link))
        place = fields.get("Target", "")
        target[fields.get("Id", "")] = place.lstrip("/") if place.startswith("/") else f"xl/{place}"
    names = {}
    for tag in re.findall(r"<sheet\b[^>]*>", book):
        fields = dict(re.findall(r'([\w:]+)="([^"]*)"', tag))
        names[target.get(fields.get("r:id", ""), "")] = html.unescape(fields.get("name", ""))
    return names
