"""The start page: audits taken off its list, the last self-test, and its two parts in a narrow window."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from gui.home import HomePage
from gui.settings import Settings


def listed(folder: Path, *names: str) -> Settings:
    settings = Settings()
    for name in names:
        file = folder / f"{name}.fairassay"
        file.touch()
        settings.remember_case({"path": str(file), "system": name, "opened": ""})
    return settings


def test_an_audit_is_taken_off_the_list_and_its_file_stays(qtbot, look, tmp_path: Path) -> None:
    settings = listed(tmp_path, "first", "second")
    page = HomePage(settings)
    qtbot.addWidget(page)
    with qtbot.waitActive(page):
        page.show()
    page.recent.setFocus()
    page.recent.selectRow(0)
    QTest.keyClick(page.recent, Qt.Key.Key_Delete)
    assert [one["system"] for one in settings["recent"]] == ["first"]
    assert [one["system"] for one in Settings()["recent"]] == ["first"]
    assert (tmp_path / "second.fairassay").exists()


def test_the_last_self_test_is_remembered(qtbot, look) -> None:
    settings = Settings()
    settings["selftest"] = {"when": "2026-11-27T09:00:00+01:00", "passed": True}
    page = HomePage(Settings())
    qtbot.addWidget(page)
    assert "Self-test of 27 November" in page._version.text()
    assert "every published figure reproduced" in page._version.text()


def test_both_parts_stand_in_one_column_where_room_is_scarce(
    qtbot, look: Callable[..., None], tmp_path: Path
) -> None:
    page = HomePage(listed(tmp_path, "first"))
    qtbot.addWidget(page)
    page.resize(1024, 640)
    page.show()
    look(scale=200)
    QTest.qWait(60)
    assert page._one.isVisible() and not page._left.isVisible()
    assert page._one.horizontalScrollBar().maximum() == 0
    assert page.new_card.width() > page.recent.width() * 0.8
    look(scale=100)
    QTest.qWait(60)
    assert page._left.isVisible() and page._right.isVisible() and not page._one.isVisible()
