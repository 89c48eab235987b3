"""What a person does with mouse and keyboard, for the tests of the steps."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLineEdit, QMenu, QWidget

from gui.widgets.fields import Combo


def settle(ms: int = 30) -> None:
    """Let the window lay itself out."""
    QTest.qWait(ms)


def click(button: QWidget) -> None:
    """Click in the middle of a control that is on show."""
    settle()
    assert button.isVisible(), button
    assert button.isEnabled(), button
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    settle()


def focus(widget: QWidget) -> None:
    """Put the focus on a control of the active window."""
    widget.window().activateWindow()
    QTest.qWaitForWindowActive(widget.window())
    widget.setFocus()


def write(field: QLineEdit, text: str) -> None:
    """Type a text into a field in place of what is there, and leave it by the Tab key."""
    focus(field)
    field.selectAll()
    QTest.keyClicks(field, text) if text else QTest.keyClick(field, Qt.Key.Key_Delete)
    QTest.keyClick(field, Qt.Key.Key_Tab)
    settle()


def button_called(root: QWidget, words: str) -> QAbstractButton:
    """The button on show whose accessible name begins so."""
    found = [
        one
        for one in root.findChildren(QAbstractButton)
        if one.isVisible() and one.accessibleName().startswith(words)
    ]
    assert len(found) == 1, (words, [one.accessibleName() for one in found])
    return found[0]


def pick(menu: QMenu | None, words: str) -> None:
    """Choose the line of a menu that begins so."""
    assert menu is not None
    action: QAction = next(a for a in menu.actions() if a.text().startswith(words))
    action.trigger()
    menu.close()
    settle()


def choose(combo: Combo, words: str) -> None:
    """Open a list and click the line that begins so."""
    index = combo.findText(words, Qt.MatchFlag.MatchStartsWith)
    assert index >= 0, [combo.itemText(i) for i in range(combo.count())]
    combo.showPopup()
    settle(60)
    view = combo.view()
    rect = view.visualRect(view.model().index(index, 0))
    QTest.mouseMove(view.viewport(), rect.center())
    settle(60)
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=rect.center())
    settle(400)
    assert combo.currentText().startswith(words)


def press(key: Qt.Key, *, shift: bool = False) -> None:
    """Press a key where the focus is."""
    target = QApplication.focusWidget()
    assert target is not None
    held = Qt.KeyboardModifier.ShiftModifier if shift else Qt.KeyboardModifier.NoModifier
    QTest.keyClick(target, key, held)
    settle()


def tab_to(words: str, *, most: int = 120) -> QWidget:
    """Press Tab until the focus is on the control whose accessible name begins so."""
    seen = []
    for _ in range(most):
        at = QApplication.focusWidget()
        assert at is not None
        seen.append(at.accessibleName())
        if at.accessibleName().startswith(words):
            return at
        QTest.keyClick(at, Qt.Key.Key_Tab)
    raise AssertionError((words, seen))
