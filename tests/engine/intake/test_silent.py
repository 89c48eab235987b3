"""Nothing is changed in silence: stored numbers, contradicting marks, labels, long ids, blanks."""

from __future__ import annotations

import json
import os
from pathlib import Path

import openpyxl
import pandas as pd
import pyreadstat
import pytest

from engine.base.watch import Watch
from engine.case.store import Case
from engine.intake import columns
from engine.intake.model import Table
from engine.intake.read import read
from engine.plan.model import Source


def _read(path: Path) -> Table:
    return read(source=Source(path=(path.name,)), base=path.parent, watch=Watch())


def _codes(table: Table) -> set[str]:
    return {wart.code.removeprefix("intake.") for wart in table.warts}


@pytest.mark.parametrize("kind", ["xlsx", "json", "sav", "dta"])
def test_a_stored_number_is_never_a_thousand(tmp_path: Path, kind: str) -> None:
    stored = [1.234, 2.345, 12.567]
    frame = pd.DataFrame({"said": ["0,5", "1,5", "2,5"], "stored": stored})
    path = tmp_path / f"t.{kind}"
    if kind == "xlsx":
        book = openpyxl.Workbook()
        for row in [list(frame), *frame.to_numpy().tolist()]:
            book.active.append(row)
        book.save(path)
    elif kind == "json":
        path.write_text("\n".join(json.dumps(row) for row in frame.to_dict("records")))
    else:
        {"sav": pyreadstat.write_sav, "dta": pyreadstat.write_dta}[kind](frame, str(path))
    found = _read(path).frame
    assert found["stored"].tolist() == stored and found["said"].tolist() == [0.5, 1.5, 2.5]


@pytest.mark.parametrize("text", ["id;x\na;1.234\nb;2.500\n", "a;b;x\n1.5;1,25;1,234\n2.5;2,25;2,500\n"])  # fmt: skip
def test_what_can_be_read_in_two_ways_is_asked(tmp_path: Path, text: str) -> None:
    path = tmp_path / "t.csv"
    path.write_text(text)
    asked = [w.column for w in _read(path).warts if w.code == "intake.decimal_in_doubt"]
    assert asked == ["x"]


def test_long_ids_beside_decimals_stay_apart(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("id,v\n12345678901234567,1\n12345678901234568,1\n1.5,1\n")
    table = _read(path)
    assert table.frame["id"].nunique() == 3 and "digits_lost" in _codes(table)


def test_a_label_never_passes_for_another_code(tmp_path: Path) -> None:
    path = tmp_path / "t.sav"
    pyreadstat.write_sav(pd.DataFrame({"g": [1.0, 2.0, 3.0]}), str(path), variable_value_labels={"g": {2: "1"}})  # fmt: skip
    assert _read(path).frame["g"].astype(str).tolist() == ["1 (no label)", "1", "3"]


def test_cells_that_come_out_blank_are_told(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    for row in (["region", "x", "y"], ["N", "#N/A", "=1+1"], [None, "#N/A", "=1+2"]):
        book.active.append(row)
    book.active.merge_cells("A2:A3")
    hidden = book.create_sheet("more")
    hidden.append(["a"])
    hidden.sheet_state = "hidden"
    path = tmp_path / "t.xlsx"
    book.save(path)
    table = _read(path)
    assert {"merged", "unsaved_formulas", "error_cells", "hidden_sheets"} <= _codes(table)
    assert table.detected["unsaved_formulas"] == table.detected["error_cells"] == 2


def test_a_record_that_names_a_field_twice_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text('{"a":1}\n{"a":1,"a":2}\n{"a":3}\n')
    table = _read(path)
    assert table.frame["a"].tolist() == [1, 3] and table.unread is not None


@pytest.mark.parametrize("link", [os.link, os.symlink])
def test_a_second_name_of_a_case_is_no_second_writer(tmp_path: Path, link: object) -> None:
    path, other = tmp_path / "a.fairassay", tmp_path / "b.fairassay"
    Case.create(path, who="E", when="2026-11-24T10:00:00+01:00").close()
    with Case.open(path):
        link(path, other)  # type: ignore[operator]
        with Case.open(other) as second:
            assert second.read_only and not second.damage


@pytest.mark.parametrize(
    ("cells", "kind", "told"),
    [
        ("12e3 7e2", "number", "exponent"), ("12e3 0.5 7", "number", "exponent"),
        ("12e3 712 9", "text", "exponent_kept"), ("1e+05 7", "number", ""), ("1 1e20", "number", "exponent"), ("1'234 12e3", "text", "exponent_kept"),
        ("123\u00a0456 7\u00a0890 12", "whole number", "gaps"), ("123'456 99999", "text", "gaps_kept"),
        ("1'234.5 1234.5", "number", ""), ("12 7", "whole number", ""),
    ],
)  # fmt: skip
@pytest.mark.parametrize("few", [20_000, 0])
def test_what_may_be_a_name_is_a_number_only_where_all_is_written_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cells: str, kind: str, told: str, few: int
) -> None:
    """``few`` 0 and no different words: the cells are looked at inside the database."""
    monkeypatch.setattr(columns, "_FEW_ROWS", few)
    monkeypatch.setattr(columns, "_FEW_WORDS", few)
    path = tmp_path / "t.csv"
    path.write_text("code;k\n" + "".join(f"{cell};a\n" for cell in cells.split(" ")))
    table = _read(path)
    assert table.detected["types"]["code"] == kind
    assert _codes(table) & {"exponent", "exponent_kept", "gaps", "gaps_kept"} == {told} - {""}
    if told in ("exponent", "gaps"):
        value = {"1": 1, "12e3": 12_000, "123\u00a0456": 123_456}[cells.split(" ")[0]]
        assert table.frame["code"].iloc[0] == value


def test_a_mark_that_was_said_is_taken_at_its_word(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("size;k\n20,25;a\n21,5;b\n")
    table = read(source=Source(path=(path.name,), decimal="."), base=tmp_path, watch=Watch())
    assert table.frame["size"].tolist() == ["20,25", "21,5"]
    path.write_text("a;b;x\n1.5;1,25;1,234\n2.5;2,25;2,500\n")  # both marks are in the file itself
    table = read(source=Source(path=(path.name,), decimal=","), base=tmp_path, watch=Watch())
    assert table.frame.to_numpy().tolist() == [[1.5, 1.25, 1.234], [2.5, 2.25, 2.5]]
    assert [w.column for w in table.warts if w.code == "intake.decimal_other"] == ["a"]
