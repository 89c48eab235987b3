"""Everything that was understood of a file is overruled by clicking, and the preview follows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from hands import button_called, choose, click, pick, settle, write
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from gui.main_window import MainWindow
from gui.session import Session

ROWS = [f"{n};{n},{n % 9}5;{'ja' if n % 3 else 'nein'};1.{200 + n}" for n in range(20, 50)]
GERMAN = "Alter;Größe;Kredit;Summe\n" + "\n".join(ROWS) + "\n"


@pytest.fixture
def opened(
    case_window: MainWindow, session: Session, page: Callable[[int], Any]
) -> Callable[[Path], Any]:
    """Drops a file and opens the dialog on how it is read, by its button."""

    def go(file: Path) -> Any:
        at = page(0)
        case_window.take_files([file])
        settle()
        row = at.items.rows["item-1"]
        if row.details.isHidden():
            click(row.more)
        click(row.read_button)
        settle(60)
        return at.dialog

    return go


def heads(dialog: Any) -> list[str]:
    model = dialog.preview.model()
    return [
        str(model.headerData(i, Qt.Orientation.Horizontal) or "").replace("\n", " ")
        for i in range(model.columnCount())
    ]


def column(dialog: Any, name: str) -> list[str]:
    """The type of a column, and its first cells, as they are shown."""
    model, at = dialog.preview.model(), heads(dialog).index(name)
    return [str(model.index(row, at).data() or "") for row in range(model.rowCount())]


def german(tmp_path: Path, text: str = GERMAN, codec: str = "cp1252") -> Path:
    file = tmp_path / "german.csv"
    file.write_bytes(text.encode(codec))
    return file


def kept(dialog: Any, session: Session) -> dict[str, Any]:
    click(dialog.use)
    settle()
    reading: dict[str, Any] = session.state["items"][0]["reading"]
    return reading


def test_delimiter(opened: Callable[[Path], Any], tmp_path: Path, session: Session) -> None:
    dialog = opened(german(tmp_path))
    assert heads(dialog) == ["Alter", "Größe", "Kredit", "Summe"]
    choose(dialog.delimiter, "comma")
    assert len(heads(dialog)) == 2
    choose(dialog.delimiter, "semicolon")
    assert heads(dialog) == ["Alter", "Größe", "Kredit", "Summe"]
    assert kept(dialog, session) == {"delimiter": ";"}


def test_encoding(opened: Callable[[Path], Any], tmp_path: Path, session: Session) -> None:
    dialog = opened(german(tmp_path))
    choose(dialog.encoding, "cp1251")
    assert heads(dialog)[1] == "GrцЯe"  # what these bytes are in the Cyrillic page
    choose(dialog.encoding, "cp1252")
    assert heads(dialog)[1] == "Größe"
    assert kept(dialog, session) == {"encoding": "cp1252"}


def test_header(opened: Callable[[Path], Any], tmp_path: Path, session: Session) -> None:
    dialog = opened(german(tmp_path))
    choose(dialog.header_line, "Already data")
    assert column(dialog, heads(dialog)[0])[1] == "Alter"  # the names have become a row
    choose(dialog.header_line, "Names of the columns")
    assert heads(dialog)[0] == "Alter"
    assert kept(dialog, session) == {"header": True}


def test_decimal_and_thousands(
    opened: Callable[[Path], Any], tmp_path: Path, session: Session
) -> None:
    dialog = opened(german(tmp_path))
    assert column(dialog, "Größe")[:2] == ["Number", "20.25"]
    assert column(dialog, "Summe")[:2] == ["Whole number", "1,220"]
    choose(dialog.decimal, "point")
    assert column(dialog, "Größe")[:2] == ["Text", "20,25"]
    assert column(dialog, "Summe")[:2] == ["Number", "1.22"]
    choose(dialog.decimal, "comma")
    assert column(dialog, "Summe")[:2] == ["Whole number", "1,220"]
    assert kept(dialog, session) == {"decimal": ","}


def test_types(opened: Callable[[Path], Any], tmp_path: Path, session: Session) -> None:
    file = tmp_path / "days.csv"
    rows = [f"{n % 3},0{1 + n % 9}/0{1 + n % 8}/2020,{n}" for n in range(40)]
    file.write_text("group,day,age\n" + "\n".join(rows) + "\n")
    dialog = opened(file)

    def say(name: str, words: str) -> None:
        index = dialog.preview.model().index(0, heads(dialog).index(name))
        spot = dialog.preview.visualRect(index).center()
        QTest.mouseClick(dialog.preview.viewport(), Qt.MouseButton.LeftButton, pos=spot)
        settle()
        pick(dialog.preview.menu, words)
        settle(400)

    assert column(dialog, "group")[0] == "Whole number" and column(dialog, "day")[0] == "Text"
    say("group", "Text")
    assert column(dialog, "group")[0] == "Text"
    say("day", "Date, the month before")
    assert column(dialog, "day")[1] == "2020-01-01" and column(dialog, "day")[2] == "2020-02-02"
    say("day", "Date, the day before")
    say("day", "Number")  # cannot be: said in words, and the table stays to be pressed again
    assert not dialog.use.isEnabled() and "which is no number" in dialog._said.text()
    say("day", "Date, the day before")
    wanted = {"types": {"group": "text", "day": "date, day first"}}
    assert kept(dialog, session) == wanted
    assert str(session.table("item-1").frame["day"].dtype).startswith("datetime64")
    assert session.undo() and session.state["items"][0]["reading"] == {}


def test_missing_markers(opened: Callable[[Path], Any], tmp_path: Path, session: Session) -> None:
    dialog = opened(german(tmp_path, GERMAN.replace("nein", "k.A.")))
    assert "k.A." in column(dialog, "Kredit")
    write(dialog.missing, "k.A., ?")
    settle(400)
    assert "k.A." not in column(dialog, "Kredit") and "" in column(dialog, "Kredit")
    assert kept(dialog, session) == {"missing": ["k.A.", "?"]}
    assert session.table("item-1").frame["Kredit"].isna().sum() == 10


def test_stray_lines(opened: Callable[[Path], Any], tmp_path: Path, session: Session) -> None:
    dialog = opened(german(tmp_path, "Bericht vom Mai\n\n" + GERMAN))
    assert heads(dialog)[0] == "Alter"
    field = dialog.skip.lineEdit()
    write(field, "3")
    settle(400)
    assert "Alter" not in heads(dialog)
    write(field, "2")
    settle(400)
    assert heads(dialog)[0] == "Alter"
    assert kept(dialog, session) == {"skip_lines": 2}


def test_sheet(opened: Callable[[Path], Any], tmp_path: Path, session: Session) -> None:
    book = openpyxl.Workbook()
    assert book.active is not None
    book.active.title = "Notes"
    for row in (["who", "note"], ["A", "x"], ["B", "y"]):
        book.active.append(row)
    people = book.create_sheet("People")
    for row in (["age", "good"], [31, 1], [40, 0]):
        people.append(row)
    file = tmp_path / "book.xlsx"
    book.save(file)
    dialog = opened(file)
    assert heads(dialog) == ["who", "note"]
    choose(dialog.sheet, "People")
    assert heads(dialog) == ["age", "good"]
    assert kept(dialog, session) == {"sheet": "People"}


def test_all_as_found_again(opened: Callable[[Path], Any], tmp_path: Path) -> None:
    dialog = opened(german(tmp_path))
    choose(dialog.delimiter, "comma")
    assert len(heads(dialog)) == 2
    click(button_called(dialog, "All as found"))
    settle(400)
    assert heads(dialog) == ["Alter", "Größe", "Kredit", "Summe"]


def test_numbers_that_name_categories_and_dates_in_doubt_have_answers(
    case_window: MainWindow, session: Session, page: Callable[[int], Any], tmp_path: Path
) -> None:
    at = page(0)
    file = tmp_path / "days.csv"
    rows = [f"{n % 4},0{1 + n % 9}/0{1 + n % 8}/2020,{'yn'[n % 2]}" for n in range(60)]
    file.write_text("region,day,good\n" + "\n".join(rows) + "\n")
    case_window.take_files([file])
    settle()

    def change(part: str, words: str) -> None:
        place = next(i for i, line in enumerate(at.found.lines) if part in line.text)
        click(at.found.buttons[place][0])
        if words:
            pick(at.found.menu, words)
        settle()

    change("numbers that name categories", "They name categories")
    change("whose order of day", "The month comes first")
    assert session.state["items"][0]["reading"]["types"] == {
        "region": "text", "day": "date, month first"
    }  # fmt: skip
    frame = session.table("item-1").frame
    assert str(frame["region"].dtype) == "category" and frame["day"].iloc[1].month == 2
    told = {line.text for line in at.found.lines if "as you said" in line.text}
    assert told == {
        "Read as text, as you said: “region” of days.csv.",
        "Read as date, the month before the day, as you said: “day” of days.csv.",
    }
    change("“region” of days.csv", "")  # Change leads to the dialog, where it is taken back
    settle(60)
    at.dialog.set_type("region", "")
    settle(400)
    assert kept(at.dialog, session)["types"] == {"day": "date, month first"}


def test_of_a_large_text_the_beginning_alone_is_taken_out(
    opened: Callable[[Path], Any], tmp_path: Path, session: Session,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    from gui.steps import reading_dialog

    file = german(tmp_path, "a;b\n" + "".join(f"{n};{n % 3}\n" for n in range(9000)))
    monkeypatch.setattr(reading_dialog, "BEGINNING", 20_000)
    whole = session.case.extract
    taken: list[str] = []
    monkeypatch.setattr(session.case, "extract", lambda *a: taken.append(a[1]) or whole(*a))
    dialog = opened(file)
    taken.clear()  # what the step itself read
    choose(dialog.delimiter, "semicolon")
    assert heads(dialog) == ["a", "b"] and column(dialog, "a")[1:4] == ["0", "1", "2"]
    assert taken == []
