"""Step 0 as a person works on it: files in, roles and answers, readings, what is refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hands import button_called, click, focus, pick, press, settle, tab_to, write
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from gui.main_window import MainWindow
from gui.session import Session

ADULT = (
    "age, workclass, fnlwgt, education, education-num, marital-status, occupation, relationship, "
    "race, sex, capital-gain, capital-loss, hours-per-week, native-country, income"
)


def lines(page: Any) -> list[str]:
    return [one.text for one in page.found.lines]


def answer(page: Any, words: str) -> None:
    """Click the answer that begins so, of the first question that offers it."""
    settle()
    click(next(b for group in page.found.buttons for b in group if b.text().startswith(words)))


def change(page: Any, part: str, words: str) -> None:
    """Press Change beside the line that holds a part of its text, and choose from the menu."""
    place = next(i for i, text in enumerate(lines(page)) if part in text)
    click(page.found.buttons[place][0])
    if words:
        pick(page.found.menu, words)


def test_the_german_file_goes_in_by_four_clicks(
    case_window: MainWindow, session: Session, shared: Path, reopened: Callable[[], Session],
    page: Callable[[int], Any],
) -> None:  # fmt: skip
    at = page(0)
    assert at.drop_zone.isVisible() and at.ready()
    case_window.take_files([shared / "data" / "german_kaggle_risk.csv"])
    settle()
    item = session.state["items"][0]
    assert (item["role"], item["bytes"]) == ("all", 51106)
    assert at.items.rows["item-1"]._mono.text() == item["sha256"][:4] + " " + item["sha256"][4:8]
    names = [at.preview.role_at(i) for i in range(at.preview.model().columnCount())]
    assert names[:3] == ["id", "protected", "protected"] and names[-1] == "outcome"
    assert set(names[3:-1]) == {"feature"}
    assert at.ready() == "The 2 open questions have to be answered before you continue."
    answer(at, "A category")
    assert at.ready() == "The open question has to be answered before you continue."
    answer(at, "Yes, good")
    assert at.ready() == ""
    assert "“good” is the favourable outcome in “Risk”: 700 of 1,000 people have it." in lines(at)
    case_window.stepper_or_fail().go_on()
    assert case_window.stepper_or_fail().page.number == 1
    kept = reopened()
    assert kept.plan["outcome"] == {"column": "Risk", "favourable": ["good"]}
    assert kept.plan["id"] == "column 1"
    assert [e["column"] for e in kept.plan["protected"]] == ["Age", "Sex"]
    assert kept.state["items"][0]["reading"] == {}
    assert kept.views()[0].state in ("done", "done with warnings")
    assert kept.open_questions() == []


def test_no_bad_is_taken_at_its_word(
    case_window: MainWindow, session: Session, loans: Path, page: Callable[[int], Any]
) -> None:
    at = page(0)
    case_window.take_files([loans])
    answer(at, "No, bad")
    assert session.plan["outcome"]["favourable"] == ["bad"]
    assert session.undo()
    assert "outcome" not in session.plan
    settle()
    assert any(one.open and "Risk" in one.text for one in at.found.lines)


def test_a_marker_read_as_missing_and_back(
    case_window: MainWindow, session: Session, loans: Path, page: Callable[[int], Any]
) -> None:
    at = page(0)
    case_window.take_files([loans])
    assert session.table("item-1").frame["Region"].isna().sum() == 0
    answer(at, "A missing value")
    assert session.state["items"][0]["reading"]["missing"] == {"Region": ["?"]}
    assert session.table("item-1").frame["Region"].isna().sum() == 16
    change(at, "counts as missing", "")
    assert session.table("item-1").frame["Region"].isna().sum() == 0
    assert session.state["items"][0]["answers"] == {"intake.like_missing:Region:?": "category"}
    change(at, "“?” is written", "A missing value")
    assert session.table("item-1").frame["Region"].isna().sum() == 16


def test_roles_are_changed_in_the_table_and_undone(
    case_window: MainWindow, session: Session, loans: Path, page: Callable[[int], Any]
) -> None:
    at = page(0)
    case_window.take_files([loans])
    at.preview.open_menu("role:Savings")
    pick(at.preview.menu, "Left out")
    assert "Savings" not in session.plan["features"]
    assert {"Age", "Sex", "Region"} <= set(session.plan["features"])
    at.preview.open_menu("role:Region")
    pick(at.preview.menu, "Protected")
    assert [e["column"] for e in session.plan["protected"]] == ["Age", "Sex", "Region"]
    at.preview.open_menu("role:Savings")
    pick(at.preview.menu, "Score")
    assert session.plan["system"] == {"score": {"column": "Savings"}}
    for _ in range(3):
        assert session.undo()
    assert not set(session.plan) & {"features", "protected", "system"}
    assert at.preview.role_at(4) == "feature"


def test_another_outcome_asks_again_which_value_is_favourable(
    case_window: MainWindow, session: Session, loans: Path, page: Callable[[int], Any]
) -> None:
    at = page(0)
    case_window.take_files([loans])
    answer(at, "Yes, good")
    at.preview.open_menu("role:Region")
    pick(at.preview.menu, "Outcome")
    assert session.plan["outcome"] == {"column": "Region", "favourable": []}
    answer(at, "Choose…")
    dialog = at.dialog
    settle()
    assert not dialog.use.isEnabled()
    for value, side in (("north", "Favourable"), ("south", "Not favourable"), ("?", "Not known")):
        click(button_called(dialog, f"{value}: {side}"))
    click(dialog.use)
    assert session.plan["outcome"] == {
        "column": "Region", "favourable": ["north"], "unfavourable": ["south"],
    }  # fmt: skip
    assert "The outcome of 16 people is not known." in " ".join(lines(at))


def test_a_broken_file_says_why_and_loses_nothing(
    case_window: MainWindow, session: Session, loans: Path, tmp_path: Path,
    page: Callable[[int], Any],
) -> None:  # fmt: skip
    at = page(0)
    case_window.take_files([loans])
    answer(at, "A category")
    answer(at, "Yes, good")
    broken = tmp_path / "broken.csv"
    broken.write_bytes(b"")
    case_window.take_files([broken])
    settle()
    row = at.items.rows["item-2"]
    assert "empty" in row._problem_text.text() and row._problem.isVisible()
    assert "broken.csv" in at.ready()
    assert session.plan["outcome"]["favourable"] == ["good"]
    row.role.picked.emit("document")
    settle()
    assert at.ready() == ""
    row.unfold(True)
    click(row.out_button)
    assert [i["name"] for i in session.state["items"]] == ["loans.csv"]
    assert session.undo() and len(session.state["items"]) == 2


def test_a_file_that_is_no_table_is_refused_in_words(
    case_window: MainWindow, session: Session, tmp_path: Path, page: Callable[[int], Any]
) -> None:
    at = page(0)
    odd = tmp_path / "picture.csv"
    odd.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20)
    case_window.take_files([odd])
    assert at.items.rows["item-1"]._problem_text.text().startswith("picture.csv")
    assert at.ready()


def test_the_reading_is_overruled_and_the_rows_follow(
    case_window: MainWindow, session: Session, tmp_path: Path, page: Callable[[int], Any]
) -> None:
    at = page(0)
    file = tmp_path / "semicolons.csv"
    rows = [f"{n};{n % 7},{n % 10};{'yes' if n % 3 else 'no'}" for n in range(20, 60)]
    file.write_bytes(("Größe;Note;granted\n" + "\n".join(rows)).encode("cp1252"))
    case_window.take_files([file])
    assert list(session.table("item-1").frame.columns) == ["Größe", "Note", "granted"]
    row = at.items.rows["item-1"]
    row.unfold(True)
    click(row.read_button)
    dialog = at.dialog
    settle(50)
    assert dialog.preview.model().columnCount() == 3
    dialog.delimiter.set_value(",")
    dialog.delimiter.picked.emit(",")
    settle(400)
    assert dialog.preview.model().columnCount() == 2
    dialog.delimiter.set_value("")
    dialog.encoding.set_value("cp1252")
    dialog.encoding.picked.emit("cp1252")
    settle(400)
    assert dialog.preview.model().columnCount() == 3
    write(dialog.missing, "3,3, 4,4")
    click(dialog.use)
    assert session.state["items"][0]["reading"]["encoding"] == "cp1252"
    assert session.undo() and session.state["items"][0]["reading"] == {}


def test_a_wrong_reading_is_refused_in_the_dialog(
    case_window: MainWindow, session: Session, loans: Path, page: Callable[[int], Any]
) -> None:
    at = page(0)
    case_window.take_files([loans])
    at.ask_reading("item-1")
    dialog = at.dialog
    dialog.encoding.set_value("utf-16")
    dialog.encoding.picked.emit("utf-16")
    settle(400)
    assert not dialog.use.isEnabled() and "loans.csv" in dialog._said.text()
    click(button_called(dialog, "Cancel"))
    assert session.state["items"][0]["reading"] == {}


def test_adult_is_easy(
    case_window: MainWindow, session: Session, shared: Path, reopened: Callable[[], Session],
    page: Callable[[int], Any],
) -> None:  # fmt: skip
    at = page(0)
    case_window.take_files([shared / "data" / "adult.data", shared / "data" / "adult.test"])
    assert [i["role"] for i in session.state["items"]] == ["training", "test"]
    assert any("Cross validator" in text for text in lines(at))
    answer(at, "A missing value")  # of both files at once
    assert [set(i["reading"]["missing"]) for i in session.state["items"]] == [
        {"column 2", "column 7", "column 14"}
    ] * 2
    at.ask_reading("item-1")
    dialog = at.dialog
    dialog.names.setPlainText(ADULT)
    settle(400)
    click(dialog.use)
    first = session.state["items"][0]["reading"]
    assert first["columns"][9] == "sex" and set(first["missing"]) == {
        "workclass", "occupation", "native-country",
    }  # fmt: skip
    at.ask_reading("item-2")
    dialog = at.dialog
    dialog.names_from.set_value("item-1")
    dialog.names_from.picked.emit("item-1")
    settle(400)
    click(dialog.use)
    assert session.state["items"][1]["reading"]["columns"] == first["columns"]
    assert any(text.startswith("Are “>50K” and “>50K.” the favourable") for text in lines(at))
    answer(at, "Yes, these")
    assert set(session.plan["outcome"]["favourable"]) == {">50K", ">50K."}
    assert "11,687 of 48,842 people have one" in " ".join(lines(at))
    assert at.ready() == "", at.ready()
    case_window.stepper_or_fail().go_on()
    kept = reopened()
    assert kept.views()[0].state in ("done", "done with warnings")
    assert {"age", "race", "sex", "marital-status"} <= {e["column"] for e in kept.plan["protected"]}


def test_names_that_do_not_fit_are_told_at_once(
    case_window: MainWindow, session: Session, shared: Path, page: Callable[[int], Any]
) -> None:
    at = page(0)
    case_window.take_files([shared / "data" / "adult.data"])
    at.ask_reading("item-1")
    dialog = at.dialog
    dialog.names.setPlainText("age, workclass")
    settle(400)
    assert dialog.names_row.error().startswith("2 names are given and the file has 15 columns")
    assert not dialog.use.isEnabled()
    dialog.names.setPlainText(ADULT.replace("race", "age"))
    settle(400)
    assert "twice" in dialog.names_row.error()
    dialog.reject()


def test_a_joined_file_needs_its_key_and_names_the_unmatched(
    case_window: MainWindow, session: Session, loans: Path, tmp_path: Path,
    page: Callable[[int], Any],
) -> None:  # fmt: skip
    at = page(0)
    case_window.take_files([loans])
    answer(at, "A category")
    answer(at, "Yes, good")
    people = tmp_path / "people.csv"
    people.write_text(
        "person,disability\n" + "".join(f"p{n:03},{'yes' if n % 4 else 'no'}\n" for n in range(45))
    )
    case_window.take_files([people])
    row = at.items.rows["item-2"]
    row.role.set_value("join")
    row.role.picked.emit("join")
    settle()
    assert "Choose the column that holds the key" in at.ready()
    assert row.details.isVisible()
    row.key.set_value("person")
    row.key.picked.emit("person")
    settle()
    assert session.state["items"][1]["on"] == "person"
    told = " ".join(lines(at))
    assert "“p045”, “p046”, “p047”" in told
    assert at.ready() == ""
    at.preview.open_menu("role:person")
    assert at.hub.profile().roles.role_of("disability") == "protected"


def test_who_gave_a_file_is_kept_and_typing_survives_a_crash(
    case_window: MainWindow, session: Session, loans: Path, reopened: Callable[[], Session],
    page: Callable[[int], Any],
) -> None:  # fmt: skip
    at = page(0)
    case_window.take_files([loans])
    row = at.items.rows["item-1"]
    click(row.more)
    assert row.given_by.isVisible()
    write(row.given_by, "Example Bank")
    assert session.state["items"][0]["from"] == "Example Bank"
    focus(row.how)
    QTest.keyClicks(row.how, "by encrypted ma")
    settle(700)
    assert session.state["items"][0]["how"] == ""
    assert session.draft("step-0") == {"item-1.how": "by encrypted ma"}
    kept = reopened()
    stepper = case_window.stepper_or_fail()
    stepper.open_step(0)
    row = stepper.page.items.rows["item-1"]
    row.unfold(True)
    assert row.how.text() in ("by encrypted ma",)
    assert kept.state["items"][0]["from"] == "Example Bank"


def test_the_facts_are_entered_in_their_dialog(
    case_window: MainWindow, session: Session, page: Callable[[int], Any]
) -> None:
    at = page(0)
    click(at.facts_button)
    at.dialog.fields["system"].setText("Retail credit decision")
    at.dialog.keep()
    settle()
    assert session.facts["system"] == "Retail credit decision"
    assert at._facts["system"].text() == "Retail credit decision"


def test_the_keyboard_alone_is_enough(
    case_window: MainWindow, session: Session, loans: Path, page: Callable[[int], Any]
) -> None:
    at = page(0)
    case_window.take_files([loans])
    settle()
    focus(at.add_button)
    tab_to("A category")
    press(Qt.Key.Key_Space)
    tab_to("Yes, good")
    press(Qt.Key.Key_Space)
    assert session.plan["outcome"]["favourable"] == ["good"]
    focus(at.add_button)
    tab_to("First rows of")
    for _ in range(4):
        press(Qt.Key.Key_Right)
    press(Qt.Key.Key_Return)
    assert at.preview.menu is not None and at.preview.menu.isVisible()
    pick(at.preview.menu, "Left out")
    assert len(session.plan["features"]) < 6
    focus(at.add_button)
    tab_to("What loans.csv is for")
    press(Qt.Key.Key_Down)
    assert session.state["items"][0]["role"] == "training"


@pytest.mark.parametrize("scale", [100, 200])
def test_nothing_is_cut_or_nameless(
    case_window: MainWindow, loans: Path, page: Callable[[int], Any], look: Callable[..., None],
    scale: int,
) -> None:  # fmt: skip
    from test_window import cut, nameless

    at = page(0)
    case_window.take_files([loans])
    look(scale=scale)
    at.items.rows["item-1"].unfold(True)
    settle(250)
    assert nameless(at) == []
    assert cut(at) == []
    at.ask_reading("item-1")
    settle(80)
    assert nameless(at.dialog) == []
    at.dialog.reject()
