"""Step 0 with files that are large, wide, or full of lines that cannot be read."""

from __future__ import annotations

import csv
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hands import button_called, click, pick, settle
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog

from engine.case.store import Case
from gui.jobs import Jobs
from gui.main_window import MainWindow
from gui.session import Actor, Session
from gui.settings import Settings

MOMENT = "2026-11-24T10:41:00+01:00"


def test_every_line_that_cannot_be_read_is_copied_and_exported(
    case_window: MainWindow, session: Session, page: Callable[[int], Any], tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """1,500 lines, more than are shown; one of them long, one that a spreadsheet would run."""
    at = page(0)
    bad = [f"{n},{'x' * 400 if n == 7 else '=1+1' if n == 8 else 'y'}" for n in range(1500)]
    good = [f"{n},{n % 7},{n % 2}" for n in range(4000)]
    file = tmp_path / "ragged.csv"
    file.write_text("\n".join(["a,b,c", *good, *bad]) + "\n")
    case_window.take_files([file])
    settle()
    place = next(i for i, line in enumerate(at.found.lines) if "cannot be read" in line.text)
    click(next(b for b in at.found.buttons[place] if b.text() == "Look at them"))
    dialog = at.dialog
    assert dialog.table.model().rowCount() == 1000
    out = tmp_path / "unread.csv"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_a, **_k: (str(out), ""))
    click(button_called(dialog, "Export all"))
    with out.open(encoding="utf-8-sig", newline="") as written:
        rows = list(csv.reader(written))
    assert rows[0] == ["Line", "Text", "Why"] and len(rows) == 1501
    assert [row[1] for row in rows[1:]] == bad and rows[1][0] == "4002"
    click(button_called(dialog, "Copy"))
    copied = QGuiApplication.clipboard().text().splitlines()
    assert len(copied) == 1501 and "x" * 400 in copied[8]
    monkeypatch.setattr(
        QFileDialog, "getSaveFileName", lambda *_a, **_k: (str(tmp_path / "no" / "x.csv"), "")
    )
    click(button_called(dialog, "Export all"))
    assert "Choose another place" in dialog._said.text()


def test_a_wide_table_is_shown_by_hundreds_of_columns(
    case_window: MainWindow, session: Session, page: Callable[[int], Any], tmp_path: Path
) -> None:
    """Laying a thousand columns out side by side held the window for a minute."""
    at = page(0)
    file = tmp_path / "wide.csv"
    names = ",".join(f"c{n}" for n in range(250))
    rows = [",".join(str((n + m) % 5) for n in range(250)) for m in range(20)]
    file.write_text("\n".join([names, *rows]) + "\n")
    case_window.take_files([file])
    settle()
    assert at.preview.model().columnCount() == 100 and at.columns.isVisible()
    assert at.columns.currentText() == "Columns 1 to 100"
    at.columns.setCurrentIndex(2)
    at.columns.activated.emit(2)
    assert at.preview.model().columnCount() == 50
    at.preview.open_menu("role:c249")
    pick(at.preview.menu, "Left out")
    settle()
    # The columns on show stay while a role is changed.
    assert at.preview.role_at(49) == "left out" and at.columns.value() == 200


def test_first_rows_are_shown_while_a_file_is_kept(
    window: MainWindow, tmp_path: Path, qtbot: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = Case.create(tmp_path / "case.fairassay", who="E", when=MOMENT)
    session = Session(
        case, jobs=Jobs(), settings=Settings(), actor=Actor("", "E"), clock=lambda: MOMENT
    )
    window.show_session(session)
    at = window.stepper_or_fail().page
    file = tmp_path / "people.csv"
    file.write_text("age,good\n" + "".join(f"{n},{n % 2}\n" for n in range(20, 90)))
    go, real = threading.Event(), case.add_file

    def slow(*given: Any) -> Any:
        assert go.wait(20)
        return real(*given)

    monkeypatch.setattr(case, "add_file", slow)
    window.take_files([file])
    qtbot.waitUntil(lambda: at.preview.isVisible(), timeout=15_000)
    assert not session.state["items"] and at.preview.model().columnCount() == 2
    assert at._preview_note.text() == "First rows of people.csv, while it is kept and read"
    go.set()
    qtbot.waitUntil(lambda: at.preview.has_roles, timeout=20_000)
    assert at._preview_note.text().startswith("First 6 of 70 rows")
    assert at.early.newest() is None
    qtbot.waitUntil(lambda: not session.jobs.running(), timeout=10_000)
    window.close_session()
    session.close()


def test_a_reading_that_was_stopped_can_be_started_again(
    case_window: MainWindow, session: Session, loans: Path, page: Callable[[int], Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    from engine.base.watch import Cancelled
    from gui import engine_calls

    at = page(0)

    def stopped(*_given: Any) -> Any:
        raise Cancelled

    with monkeypatch.context() as patch:
        patch.setattr(engine_calls, "read_table", stopped)
        case_window.take_files([loans])
        settle()
        row = at.items.rows["item-1"]
        assert "its reading was stopped" in row._problem_text.text()
        assert "loans.csv" in at.ready()
    click(row.mend)
    assert row.mend.text() == "Change how it is read" and not row._problem.isVisible()
    assert session.table("item-1") is not None
