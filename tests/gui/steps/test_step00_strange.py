"""Strange files dropped on the window: each thing that is told of them has an answer to click."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import openpyxl
import pandas as pd
import pyreadstat
import pytest
from hands import choose, click, pick, settle
from PySide6.QtWidgets import QFileDialog

from gui.main_window import MainWindow
from gui.session import Session


@pytest.fixture
def dropped(case_window: MainWindow, page: Callable[[int], Any]) -> Callable[[Path], Any]:
    """Drops a file on the window and gives the first step's page."""

    def go(file: Path) -> Any:
        at = page(0)
        case_window.take_files([file])
        settle()
        return at

    return go


def place_of(at: Any, part: str) -> int:
    return next(i for i, line in enumerate(at.found.lines) if part in line.text)


def press(at: Any, part: str, words: str = "") -> None:
    """Press the button of a line, and choose from its menu where it has several answers."""
    click(at.found.buttons[place_of(at, part)][0])
    if words:
        pick(at.found.menu, words)
    settle(60)


def shown(at: Any, name: str) -> list[str]:
    """The cells of a column in the preview, below its role."""
    model = at.preview.model()
    names = [str(c) for c in at.session.table("item-1").frame.columns]
    return [str(model.index(r, names.index(name)).data() or "") for r in range(1, model.rowCount())]


def book(path: Path) -> Path:
    """A workbook with a merged region, an error, an unsaved formula and a hidden sheet."""
    made = openpyxl.Workbook()
    made.active.title = "people"
    rows = [["region", "age", "sum", "good"], ["N", 31, "#N/A", 1], [None, 40, "=1+1", 0]]
    for row in [*rows, ["S", 50, 3, 1], ["S", 51, 4, 0]]:
        made.active.append(row)
    made.active.merge_cells("A2:A3")
    for name, state in (("codes", "visible"), ("older", "hidden")):
        other = made.create_sheet(name)
        for row in (["code", name], [1, "a"], [2, "b"]):
            other.append(row)
        other.sheet_state = state
    made.save(path)
    return path


def test_what_a_workbook_hides_is_read_or_chosen(
    dropped: Callable[[Path], Any], tmp_path: Path, session: Session,
    reopened: Callable[[], Session],
) -> None:  # fmt: skip
    at = dropped(book(tmp_path / "book.xlsx"))
    for part in ("1 merged cell reaches", "1 formula has no saved value", "1 cell holds an error"):
        line = at.found.lines[place_of(at, part)]
        assert line.grade == "warning" and line.options[0].words == "I have read this"
        press(at, part)
        line = at.found.lines[place_of(at, part)]
        assert line.grade == "note" and not line.options
    assert session.undo() and at.found.lines[place_of(at, "holds an error")].options
    assert session.redo() and not at.found.lines[place_of(at, "holds an error")].options
    press(at, "hidden sheets", "Choose the sheet")
    dialog = at.dialog
    assert dialog.focusWidget() is dialog.sheet
    offered = [dialog.sheet.itemText(i) for i in range(dialog.sheet.count())][1:]
    assert offered == ["people", "codes", "older"]
    choose(dialog.sheet, "older")
    click(dialog.use)
    settle()
    assert list(session.table("item-1").frame.columns) == ["code", "older"]
    row = at.items.rows["item-1"]
    if row.details.isHidden():
        click(row.more)
    click(row.read_button)
    choose(at.dialog.sheet, "codes")
    click(at.dialog.use)
    assert list(session.table("item-1").frame.columns) == ["code", "codes"] and session.undo()
    again = reopened()
    assert again.state["items"][0]["reading"] == {"sheet": "older"}
    assert again.state["items"][0]["answers"]["intake.merged"] == "read"


def test_marks_that_differ_within_a_file(
    dropped: Callable[[Path], Any], tmp_path: Path, session: Session
) -> None:
    file = tmp_path / "marks.csv"
    rows = [f"{n}.5;{n},25;{n},234;{'yn'[n % 2]}" for n in range(1, 30)]
    file.write_text("a;b;x;good\n" + "\n".join(rows) + "\n")
    at = dropped(file)
    assert at.ready() and at.found.lines[place_of(at, "“x” holds numbers such as")].open
    button = next(
        b for b in at.found.buttons[place_of(at, "“x” holds")] if b.text() == "The other way"
    )
    before = session.table("item-1").frame["x"].iloc[0]
    click(button)
    settle()
    after = session.table("item-1").frame
    assert {before, after["x"].iloc[0]} == {1234, 1.234}
    assert after["a"].iloc[0] == 1.5 and after["b"].iloc[0] == 1.25
    assert session.undo() and session.table("item-1").frame["x"].iloc[0] == before
    click(next(b for b in at.found.buttons[place_of(at, "“x” holds")] if b.text() == "As read"))
    settle()
    other = next(line.text for line in at.found.lines if "other columns of the file" in line.text)
    press(at, other, "How it is read")
    assert at.dialog.focusWidget() is at.dialog.decimal
    at.dialog.reject()
    press(at, other, "Keep as text")
    name = other.split("“")[1].split("”")[0]
    assert session.state["items"][0]["reading"]["types"] == {name: "text"}
    assert session.undo()
    press(at, other, "I have read this")
    assert at.found.lines[place_of(at, other)].grade == "note"


def test_long_numbers_beside_decimals_lead_to_the_types(
    dropped: Callable[[Path], Any], tmp_path: Path
) -> None:
    file = tmp_path / "long.csv"
    file.write_text("id,good\n12345678901234567,1\n12345678901234568,0\n1.5,1\n7,0\n")
    at = dropped(file)
    press(at, "too long to be kept exactly", "How it is read")
    assert at.dialog.focusWidget() is at.dialog.preview
    at.dialog.reject()
    press(at, "too long to be kept exactly", "I have read this")
    assert at.found.lines[place_of(at, "too long")].grade == "note"


def test_moments_with_a_zone(dropped: Callable[[Path], Any], tmp_path: Path) -> None:
    file = tmp_path / "zoned.parquet"
    duckdb.sql(
        "SELECT TIMESTAMPTZ '2024-01-01 10:00:00+01' + to_hours(n) AS when, n % 2 AS good "
        "FROM range(30) t(n)"
    ).write_parquet(str(file))
    at = dropped(file)
    assert shown(at, "when")[0].startswith("2024-01-01 09:00")
    press(at, "time zone")
    assert not at.found.lines[place_of(at, "time zone")].options


@pytest.mark.parametrize(
    ("cells", "kind", "told", "answer", "then"),
    [
        (["12e3", "7e2", "45e1"], "number", "read as the number 12,000", "They name categories", "text"),
        (["12e3", "712", "451"], "text", "so the column stays text", "They are numbers", "number"),
        (["123 456", "7 890", "12"], "whole number", "read as the number 123,456", "They name categories", "text"),
        (["123 456", "123457", "12"], "text", "so the column stays text", "They are numbers", "whole number"),
    ],
)  # fmt: skip
def test_what_may_be_numbers_or_names_is_said(
    dropped: Callable[[Path], Any], tmp_path: Path, session: Session, cells: list[str],
    kind: str, told: str, answer: str, then: str,
) -> None:  # fmt: skip
    file = tmp_path / "codes.csv"
    file.write_text("code;good\n" + "".join(f"{c};{n % 2}\n" for n, c in enumerate(cells * 8)))
    at = dropped(file)
    assert session.table("item-1").detected["types"]["code"] == kind
    press(at, told, answer)
    assert session.table("item-1").detected["types"]["code"] == then
    assert session.undo() and session.table("item-1").detected["types"]["code"] == kind
    assert session.redo() and session.table("item-1").detected["types"]["code"] == then


def test_months_of_stata_in_a_zip(
    dropped: Callable[[Path], Any], tmp_path: Path, session: Session
) -> None:
    plain = tmp_path / "panel.dta"
    frame = pd.DataFrame({"month": [493, 494, -1], "day": [1, 2, 3], "good": [1, 0, 1]})
    pyreadstat.write_dta(frame, str(plain), variable_format={"month": "%tm", "day": "%tbnyse"})
    packed = tmp_path / "panel.zip"
    with zipfile.ZipFile(packed, "w") as archive:
        archive.write(plain, "panel.dta")
    at = dropped(packed)
    assert shown(at, "month")[:3] == ["2001-02-01", "2001-03-01", "1959-12-01"]
    press(at, "“month” holds months in Stata's own count")
    press(at, "that cannot be turned into dates")
    answers = session.state["items"][0]["answers"]
    assert answers == {"intake.periods:month": "read", "intake.periods_kept:day": "read"}
    row = at.items.rows["item-1"]
    if row.details.isHidden():
        click(row.more)
    click(row.out_button)
    settle()
    assert session.state["items"] == []
    assert session.undo() and session.state["items"][0]["answers"] == answers


def test_a_case_with_a_second_name_says_what_to_do_and_its_copy_is_changed(
    window: MainWindow, session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A backup by ``cp -al`` gives each file a second name."""
    path = session.path
    session.close()
    backup = tmp_path / "backup"
    backup.mkdir()
    os.link(path, backup / path.name)
    window.open_case(str(path))
    settle(60)
    made = window.session
    assert made is not None and made.read_only and "Save a copy" in made.read_only_words
    bar = window.stepper_or_fail()._read_only_place
    assert bar.isVisible()
    copy = tmp_path / "work.fairassay"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_a, **_k: (str(copy), ""))
    window.save_copy()
    settle(60)
    window.open_case(str(copy))
    settle(60)
    assert window.session is not None and not window.session.read_only
    assert not window.session.read_only_words
    window.close_session()
    (backup / path.name).unlink()  # an ordinary file again
    window.open_case(str(path))
    settle(60)
    assert window.session is not None and not window.session.read_only


def test_nothing_is_told_of_a_file_that_was_taken_out(
    dropped: Callable[[Path], Any], tmp_path: Path, session: Session
) -> None:
    """The next file has its place; it cannot be read, so nothing is known of it."""
    first, second = tmp_path / "first.csv", tmp_path / "second.csv"
    first.write_text("sep=;\nage;good\n" + "31;yes\n40;no\n" * 9)
    second.write_text("age;good\n")
    at = dropped(first)
    click(next(b for group in at.found.buttons for b in group if b.text() == "Yes, yes"))
    assert any("repeat an earlier row" in line.text for line in at.found.lines)
    row = at.items.rows["item-1"]
    click(row.more)
    click(row.out_button)
    at = dropped(second)
    assert session.table_problems(session.state["items"][0]["id"])
    assert [line.text for line in at.found.lines] == []
    assert "second.csv" in at.ready()


def test_names_of_other_columns_do_not_stop_the_preview(
    dropped: Callable[[Path], Any], tmp_path: Path
) -> None:
    file = tmp_path / "bars.csv"
    file.write_text("a;b;good\n" + "1|2;3;1\n4|5;6;0\n" * 9)
    at = dropped(file)
    row = at.items.rows["item-1"]
    click(row.more)
    click(row.read_button)
    dialog = at.dialog
    choose(dialog.header_line, "Already data")
    choose(dialog.delimiter, "bar")
    assert dialog.preview.isVisible() and dialog.preview.model().columnCount() == 2
    assert "3 names are given and the file has 2 columns" in dialog.names_row._error.text()
    assert not dialog.use.isEnabled()
    choose(dialog.delimiter, "semicolon")
    assert dialog.preview.model().columnCount() == 3 and dialog.use.isEnabled()
