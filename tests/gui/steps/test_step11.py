"""Step 11 as a person uses it: reasons for what was not supplied."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

from engine.procedure import decision
from gui.main_window import MainWindow
from gui.steps.step11_missing import Page
from tests.gui.grab import settle
from tests.gui.test_window import cut, nameless


def page_of(window: MainWindow) -> Page:
    window.stepper_or_fail().open_step(11)
    found = window.stepper_or_fail().page
    assert isinstance(found, Page)
    return found


def edit_of(page: Page, what: str) -> QLineEdit:
    field = page.fields[what].field
    assert isinstance(field, QLineEdit)
    return field


def test_each_gap_says_what_it_limits(german_window: MainWindow) -> None:
    page = page_of(german_window)
    session = german_window.session
    assert session is not None
    sheet = decision.missing_sheet(session.state)
    assert sheet and list(page.fields) == [one.what for one in sheet]
    for one in sheet:
        assert edit_of(page, one.what).accessibleDescription() == one.limits


def test_reasons_typed_are_acts_and_open_continue(german_window: MainWindow) -> None:
    page = page_of(german_window)
    session = german_window.session
    assert session is not None
    footer = german_window.stepper_or_fail().footer
    assert not footer.continue_button.isEnabled()
    for what in list(page.fields):
        edit = edit_of(page, what)
        edit.setFocus()
        QTest.keyClicks(edit, "Not given.")
        assert session.draft("step-11") == {what: "Not given."}
        QTest.keyClick(edit, Qt.Key.Key_Return)
        assert session.state["not_supplied"][what] == "Not given."
        assert session.draft("step-11") is None
    assert footer.continue_button.isEnabled()
    QTest.mouseClick(footer.continue_button, Qt.MouseButton.LeftButton)
    assert session.views()[11].state == "done"
    last = next(reversed(page.fields))
    session.undo()
    session.undo()
    assert not session.state["not_supplied"].get(last)


def test_half_a_reason_survives(german_window: MainWindow) -> None:
    page = page_of(german_window)
    session = german_window.session
    assert session is not None
    what = next(iter(page.fields))
    edit = edit_of(page, what)
    edit.setFocus()
    QTest.keyClicks(edit, "The cli")
    again = Page(session, german_window.stepper)
    again.refresh()
    assert edit_of(again, what).text() == "The cli"


@pytest.mark.parametrize("scale", [100, 200])
def test_names_and_room(german_window: MainWindow, look, scale: int) -> None:
    look(scale=scale)
    german_window.resize(1024, 700)
    page = page_of(german_window)
    settle(200)
    assert nameless(page) == [] and cut(page) == []
