"""Every page at every size: nothing scrolls sideways but tables in themselves, no word is cut."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton, QToolButton, QWidget

from gui.main_window import MainWindow
from gui.widgets.basic import Elided
from gui.widgets.table import DataTable

SIZES = [(1280, 800, 100), (1920, 1080, 100), (1024, 700, 100), (1280, 800, 200), (1024, 700, 200)]


def cut_words(root: QWidget) -> Iterator[str]:
    """Labels, buttons and cells on show whose words do not fit, though none is shortened by plan."""
    for one in root.findChildren(QWidget):
        if not one.isVisible() or isinstance(one, Elided):
            continue
        if isinstance(one, QLabel) and one.textFormat() != Qt.TextFormat.RichText:
            words = one.text().split() if one.wordWrap() else [one.text()]
            wide = max((one.fontMetrics().horizontalAdvance(word) for word in words), default=0)
            if wide > one.width() + 1:
                yield one.text()
        elif isinstance(one, QPushButton | QToolButton):
            if one.text() and one.width() + 1 < one.sizeHint().width():
                yield one.text()
        elif isinstance(one, DataTable) and one.model().align.startswith("l"):
            metrics = one.fontMetrics()
            for row in range(one.model().rowCount()):
                for word in one.model().text(row, 0).split():
                    if metrics.horizontalAdvance(word) > one.columnWidth(0):
                        yield word


class Flashes(QObject):
    """What shows as a window of its own while pages are opened: none should."""

    def __init__(self, window: QWidget) -> None:
        super().__init__()
        self.window, self.found = window, []

    def eventFilter(self, one: QObject, event: QEvent) -> bool:
        shown = event.type() == QEvent.Type.Show and isinstance(one, QWidget) and one.isWindow()
        if shown and one is not self.window:
            self.found.append(one)
        return False


@pytest.mark.parametrize(("wide", "high", "scale"), SIZES)
def test_pages_fit_the_window(
    qapp,
    qtbot,
    german_window: MainWindow,
    look: Callable[..., None],
    wide: int,
    high: int,
    scale: int,
) -> None:
    look(scale=scale)
    german_window.resize(wide, high)
    stepper = german_window.stepper_or_fail()
    flashes = Flashes(german_window)
    qapp.installEventFilter(flashes)
    for number in range(13):
        stepper.open_step(number)
        QTest.qWait(25)
        page = stepper.page
        assert page is not None
        assert (german_window.width(), german_window.height()) == (wide, high), number
        bar = page.scroll.horizontalScrollBar()
        qtbot.waitUntil(lambda bar=bar: bar.maximum() == 0, timeout=2000)
        assert list(cut_words(german_window)) == [], number
        assert flashes.found == [], number
        assert qapp.activeWindow() is german_window, number
    qapp.removeEventFilter(flashes)


def test_the_list_of_steps_keeps_to_numbers_where_room_is_scarce(
    german_window: MainWindow, look: Callable[..., None]
) -> None:
    stepper = german_window.stepper_or_fail()
    assert not stepper.list.compact
    wide = stepper.list.width()
    look(scale=200)
    QTest.qWait(30)
    assert stepper.list.compact and stepper.list.width() < wide
    index = stepper.list.steps.index(8)
    assert index.data(Qt.ItemDataRole.ToolTipRole).startswith("All metrics and the band")
    button = next(b for b in stepper.findChildren(QToolButton) if "names of the steps" in b.accessibleName())  # fmt: skip
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    QTest.qWait(30)
    assert not stepper.list.compact and button.accessibleName().startswith("Hide")
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert stepper.list.compact
    look(scale=100)
    QTest.qWait(30)
    assert not stepper.list.compact and not button.isVisible()
