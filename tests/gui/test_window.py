"""The window: names, keyboard, themes, text scale, what is dropped, what is remembered."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAction, QColor, QPalette
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QMenu, QWidget

from gui.jobs import InPlaceJobs
from gui.main_window import MainWindow
from gui.palette import DARK, LIGHT
from gui.paths import RESOURCES
from gui.session import Session
from gui.settings import Settings
from gui.steps import TITLES
from gui.theme import theme

UNICODE = "Καλημέρα Жюри Łódź “שלום” 中文 <b>&amp;</b> 🙂"


def nameless(root: QWidget) -> list[str]:
    """Focusable widgets that a screen reader could not name."""
    found = []
    for widget in [root, *root.findChildren(QWidget)]:
        if widget.focusPolicy() == Qt.FocusPolicy.NoFocus or widget.objectName().startswith("qt_"):
            continue
        face = QAccessible.queryAccessibleInterface(widget)
        name = face.text(QAccessible.Text.Name) if face else widget.accessibleName()
        if not name.strip():
            found.append(f"{type(widget).__name__} in {type(widget.parent()).__name__}")
    return found


def cut(root: QWidget) -> list[str]:
    """Labels and buttons on show whose words do not fit into them."""
    found = []
    for widget in root.findChildren(QWidget):
        if not widget.isVisible() or not isinstance(widget, QLabel | QAbstractButton):
            continue
        if isinstance(widget, QLabel) and (widget.wordWrap() or type(widget).__name__ == "Elided"):
            needed = widget.heightForWidth(widget.width()) if widget.wordWrap() else 0
            if needed > widget.height() + 2:
                found.append(f"{widget.text()[:40]!r} is {widget.height()} high and needs {needed}")
            continue
        text = widget.text()
        if (
            max(
                widget.fontMetrics().horizontalAdvance(line.replace("&", ""))
                for line in text.split("\n")
            )
            > widget.width() + 2
        ):
            found.append(f"{text[:40]!r}: {widget.width()}")
        if text and widget.fontMetrics().height() > widget.height() + 2:
            found.append(f"{text[:40]!r}: {widget.height()} high")
    return found


def test_every_focusable_part_of_the_start_page_has_a_name(window: MainWindow) -> None:
    assert nameless(window) == []


@pytest.mark.parametrize("number", range(len(TITLES)))
def test_every_focusable_part_of_every_page_has_a_name(
    case_window: MainWindow, number: int
) -> None:
    case_window.stepper_or_fail().open_step(number)
    assert nameless(case_window) == []


def test_dialogs_have_names(case_window: MainWindow) -> None:
    from gui import dialogs

    session = case_window.session
    assert session is not None
    for dialog in (
        dialogs.PersonDialog(case_window, case_window.settings),
        dialogs.FactsDialog(case_window, session),
        dialogs.TrailDialog(case_window, session),
        dialogs.AboutDialog(case_window),
        dialogs.HelpDialog(case_window),
        dialogs.CrashDialog(case_window, "step 3", "report.txt"),
    ):
        assert nameless(dialog) == []
        dialog.deleteLater()


def test_rows_of_the_list_say_number_title_and_state(case_window: MainWindow) -> None:
    index = case_window.stepper_or_fail().list.steps.index(8)
    assert (
        index.data(Qt.ItemDataRole.AccessibleTextRole)
        == "8, All metrics and the band, waits for step 7"
    )


def test_every_menu_opens_by_keyboard(case_window: MainWindow, qtbot) -> None:
    case_window.activateWindow()
    bar = case_window.menuBar()
    for action in bar.actions():
        letter = action.text()[action.text().index("&") + 1].lower()
        menu = action.menu()
        assert isinstance(menu, QMenu)
        QTest.keyClick(case_window, letter, Qt.KeyboardModifier.AltModifier)
        qtbot.waitUntil(menu.isVisible, timeout=2000)
        QTest.keyClick(menu, Qt.Key.Key_Escape)
        QTest.keyClick(bar, Qt.Key.Key_Escape)
        qtbot.waitUntil(lambda menu=menu: not menu.isVisible(), timeout=2000)


def test_shortcuts_are_each_used_once(case_window: MainWindow) -> None:
    keys = [
        key.toString()
        for action in case_window.findChildren(QAction)
        for key in action.shortcuts()
        if not key.isEmpty()
    ]
    assert len(keys) == len(set(keys)), sorted(keys)


def test_mnemonics_of_a_menu_differ(case_window: MainWindow) -> None:
    for top in case_window.menuBar().actions():
        menu = top.menu()
        assert isinstance(menu, QMenu)
        letters = [
            a.text()[a.text().index("&") + 1].lower()
            for a in menu.actions()
            if "&" in a.text().replace("&&", "")
        ]
        assert len(letters) == len(set(letters)), (top.text(), letters)


def test_continue_and_back_by_keyboard(case_window: MainWindow) -> None:
    stepper = case_window.stepper_or_fail()
    stepper.open_step(3)
    QTest.keyClick(case_window, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert stepper.page is not None and stepper.page.number == 2
    QTest.keyClick(case_window, Qt.Key.Key_5, Qt.KeyboardModifier.ControlModifier)
    assert stepper.page.number == 5


def test_the_theme_changes_at_run_time(window: MainWindow, look: Callable[..., None]) -> None:
    for appearance, palette in (("dark", DARK), ("light", LIGHT)):
        window.set_appearance(appearance)
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        assert app.palette().color(QPalette.ColorRole.Base) == QColor(palette.page)
        picture = window.grab().toImage()
        assert picture.pixelColor(900, 700) == QColor(palette.page)
        assert picture.pixelColor(20, 700) == QColor(palette.window)
    assert Settings()["appearance"] == "light"


@pytest.mark.parametrize("scale", [100, 200])
def test_no_words_are_cut(case_window: MainWindow, look: Callable[..., None], scale: int) -> None:
    case_window.resize(1280, 800)
    look(scale=scale)
    case_window.show_home()
    QApplication.processEvents()
    assert cut(case_window) == []
    case_window.show_case()
    for number in (0, 8, 12):
        case_window.stepper_or_fail().open_step(number)
        QApplication.processEvents()
        assert cut(case_window) == []


def test_text_scale_is_kept_and_applied(window: MainWindow, look: Callable[..., None]) -> None:
    small = window.home.new_card.height()
    window.set_scale(200)
    QApplication.processEvents()
    assert window.home.new_card.height() >= 1.9 * small
    assert Settings()["text_scale"] == 200
    assert theme().font("text").pointSizeF() == pytest.approx(19.5)


def test_the_panel_folds_by_itself_when_narrow_and_can_be_opened(case_window: MainWindow) -> None:
    stepper = case_window.stepper_or_fail()
    case_window.resize(1280, 800)
    QApplication.processEvents()
    assert not stepper.help.folded and stepper.help.width() == 248
    case_window.resize(1100, 750)
    QApplication.processEvents()
    assert stepper.help.folded and stepper.help.width() == 40
    stepper.help.fold_asked.emit(False)
    assert not stepper.help.folded
    assert stepper.footer.height() == 52


def test_names_in_any_script_are_shown_as_they_are(case_window: MainWindow) -> None:
    session, stepper = case_window.session, case_window.stepper_or_fail()
    assert session is not None
    assert session.set(("case", "system"), UNICODE, "named the system")
    assert stepper._system.whole() == UNICODE
    assert UNICODE in case_window.windowTitle()
    case_window.show_home()
    model = case_window.home.recent.model()
    assert UNICODE in model.text(0, 0)


def test_undo_and_redo_say_what_they_do(case_window: MainWindow) -> None:
    session = case_window.session
    assert session is not None
    session.set(("case", "system"), "Loans", "named the system")
    assert case_window.menus.undo.text() == "Undo: named the system"
    case_window.menus.undo.trigger()
    assert session.facts["system"] == ""
    assert case_window.menus.redo.text() == "Redo: named the system"
    case_window.menus.redo.trigger()
    assert session.facts["system"] == "Loans"


def test_the_corner_is_whole_as_soon_as_a_case_opens(case_window: MainWindow) -> None:
    corner = case_window.menus.bar.cornerWidget(Qt.Corner.TopRightCorner)
    QApplication.processEvents()
    assert corner.width() >= corner.sizeHint().width()
    assert corner.geometry().right() < case_window.menus.bar.width()


def test_files_dropped_on_a_page_become_items_and_are_read(
    case_window: MainWindow, tmp_path: Path
) -> None:
    file = tmp_path / "κατάλογος.csv"
    file.write_text("age,Risk\n30,good\n20,bad\n", encoding="utf-8")
    case_window.take_files([file])
    session = case_window.session
    assert session is not None
    assert [item["name"] for item in session.state["items"]] == [file.name]
    assert session.table("item-1") is not None


def test_a_case_that_is_none_is_refused_in_words(window: MainWindow, tmp_path: Path) -> None:
    from gui.dialogs import ProblemDialog

    file = tmp_path / "no.fairassay"
    file.write_text("this is no case")
    window.take_files([file])
    shown = [
        w for w in QApplication.topLevelWidgets() if isinstance(w, ProblemDialog) and w.isVisible()
    ]
    assert len(shown) == 1 and window.session is None
    shown[0].close()


def test_the_place_of_the_window_and_recent_cases_are_remembered(
    case_window: MainWindow, jobs: InPlaceJobs
) -> None:
    session = case_window.session
    assert session is not None
    path = str(session.path)
    case_window.resize(1024, 720)  # Qt keeps it to the screen, which is small offscreen
    case_window.close()
    settings = Settings()
    assert settings["geometry"]
    assert settings["recent"][0]["path"] == path
    again = MainWindow(settings=settings, jobs=jobs)
    assert (again.width(), again.height()) == (1024, 720)
    opened = again.open_case(path)
    assert opened is not None and opened.path == Path(path)
    again.close()


def test_a_second_window_on_the_same_case_reads_only(
    case_window: MainWindow, jobs: InPlaceJobs
) -> None:
    session = case_window.session
    assert session is not None
    other = MainWindow(settings=Settings(), jobs=jobs)
    second = other.open_case(str(session.path))
    assert second is not None and second.read_only
    assert other.stepper_or_fail()._read_only.words() == second.read_only_words != ""
    other.close()


def test_unreadable_settings_are_set_aside(fresh_home: Path) -> None:
    fresh_home.mkdir(parents=True, exist_ok=True)
    (fresh_home / "settings.json").write_text("{")
    assert Settings()["text_scale"] == 100
    assert (fresh_home / "settings.unreadable.json").exists()


def test_a_case_is_exported_checked_and_rescued(case_window: MainWindow, tmp_path: Path) -> None:
    import zipfile

    from gui import case_tools
    from gui.dialogs import NoticeDialog

    session = case_window.session
    assert session is not None
    session.set(("case", "system"), "Loans", "named the system")
    case_tools.export(case_window, str(tmp_path / "case.zip"))
    with zipfile.ZipFile(tmp_path / "case.zip") as archive:
        assert "SHA256SUMS" in archive.namelist()
    case_tools.check(case_window)
    notices = case_window.findChildren(NoticeDialog)
    assert len(notices) == 2
    for notice in notices:
        notice.close()
    target = tmp_path / "rescued.fairassay"
    case_tools.salvage(case_window, str(target))
    assert case_window.session is not None and case_window.session.path == target
    assert case_window.session.facts["system"] == "Loans"


def test_a_sample_opens_as_a_case_of_its_own(window: MainWindow) -> None:
    window.open_sample("german")
    assert window.session is not None
    assert window.session.facts["system"]
    assert window.stepper_or_fail().list.isEnabled()
    assert window.stepper_or_fail().page is not None


@pytest.mark.parametrize("scale", [100, 200])
def test_no_page_is_wider_than_the_window(
    german_window: MainWindow, look: Callable[..., None], scale: int
) -> None:
    look(scale=scale)
    wide = {}
    for size in ((1024, 700), (1280, 800))[scale > 100 :]:
        german_window.resize(*size)
        for number in range(len(TITLES)):
            german_window.stepper_or_fail().open_step(number)
            QTest.qWait(30)
            page = german_window.stepper_or_fail().page
            assert page is not None
            if (needs := page.content.minimumSizeHint().width()) > page.scroll.viewport().width():
                wide[size[0], number] = needs
    assert wide == {}


def test_f1_explains_the_page_on_show(case_window: MainWindow) -> None:
    for number, title in enumerate(TITLES):
        case_window.stepper_or_fail().open_step(number)
        case_window.activateWindow()
        assert QTest.qWaitForWindowActive(case_window)
        QTest.keyClick(case_window, Qt.Key.Key_F1)
        QApplication.processEvents()
        shown = case_window._help
        assert shown is not None and shown.isVisible()
        assert shown.browser.toPlainText().startswith(f"Step {number}: {title}")
        shown.close()


def test_every_link_of_the_help_leads_to_a_page() -> None:
    folder = RESOURCES / "help"
    pages = {file.name for file in folder.glob("*.md")}
    linked = set()
    for file in folder.glob("*.md"):
        found = re.findall(r"\]\(([\w-]+\.md)\)", file.read_text("utf-8"))
        assert set(found) <= pages, file.name
        linked |= set(found) if file.name == "index.md" else set()
    assert linked == pages - {"index.md"}


def test_a_page_is_laid_out_in_its_first_turn(german_window: MainWindow) -> None:
    for number in (10, 9, 3):
        german_window.stepper_or_fail().open_step(number)
        page = german_window.stepper_or_fail().page
        assert page is not None
        for _ in range(3):
            QApplication.processEvents()
        assert page.content.height() >= page.content.heightForWidth(page.content.width())


def test_a_copy_of_the_case_is_written(
    case_window: MainWindow, session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from PySide6.QtWidgets import QFileDialog

    copy = tmp_path / "copy.fairassay"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_a, **_k: (str(copy), ""))
    session.set(("case", "system"), "Example system", "named the system")
    case_window.save_copy()
    assert copy.exists()
    assert case_window.open_case(str(copy)).facts["system"] == "Example system"


def test_pages_are_made_ahead_once_the_program_is_ready(
    case_window: MainWindow, qtbot, monkeypatch: pytest.MonkeyPatch
) -> None:
    from gui import stepper as module

    stepper = case_window.stepper_or_fail()
    case_window.prepare_pages()
    QTest.qWait(40)
    assert len(stepper._pages) == 1  # not before all that pages need is loaded
    monkeypatch.setattr(module, "PREPARE_MS", 5)
    case_window.prepares_pages = True
    case_window.prepare_pages()
    qtbot.waitUntil(lambda: len(stepper._pages) == len(TITLES), timeout=10_000)
    assert stepper.page is not None and stepper.page.number == 0
