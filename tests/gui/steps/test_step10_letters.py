"""Letters that the paper cannot print are said at the field and on step 10, before printing."""

from __future__ import annotations

from PySide6.QtWidgets import QLineEdit

from gui.dialogs import FactsDialog
from gui.main_window import MainWindow
from tests.gui.grab import settle
from tests.gui.steps.test_step10 import decide, give_reasons, page_of


def test_at_the_field_where_it_was_typed(german_window: MainWindow) -> None:
    session = german_window.session
    assert session is not None
    dialog = FactsDialog(german_window, session)
    dialog.show()
    provider = dialog.fields["provider"]
    provider.setText("東京銀行")
    provider.editingFinished.emit()
    settle()
    said = dialog.rows["provider"].error()
    assert "東" in said and "Latin, Greek or Cyrillic" in said
    dialog.keep()
    settle()
    assert dialog.isVisible() and session.facts["provider"] != "東京銀行"
    provider.setText("Τράπεζα Тест Größe")
    provider.editingFinished.emit()
    settle()
    assert dialog.rows["provider"].error() == ""
    dialog.keep()
    settle()
    assert not dialog.isVisible() and session.facts["provider"] == "Τράπεζα Тест Größe"


def test_step_10_says_it_before_printing_and_does_not_sign(german_window: MainWindow) -> None:
    page = page_of(german_window)
    session = german_window.session
    assert session is not None
    decide(page)
    give_reasons(session)
    session.set(("issue", "number"), "E-1", "number")
    settle()
    assert page.letters.isHidden() and page.ready() == ""
    session.set(("case", "client"), "بنك المثال", "client")
    settle()
    assert page.letters.isVisible()
    assert "The client, “بنك المثال”" in page.letters.words()
    assert "right to left" in page.ready()
    scope = page.gaps.rows["scope"]
    assert isinstance(scope.field, QLineEdit)
    scope.field.setText("貸付")
    scope.field.editingFinished.emit()
    settle()
    assert "cannot be printed" in scope.error()
    session.set(("case", "client"), "Example Bank", "client")
    session.set(("case", "scope"), "Loans", "scope")
    settle()
    assert page.letters.isHidden() and page.ready() == ""
