"""Fixtures of the window's tests: fresh settings, jobs that run in place, a session on a folder."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtWidgets import QApplication

from gui.jobs import InPlaceJobs
from gui.main_window import MainWindow
from gui.session import Actor, Session
from gui.settings import Settings
from gui.theme import theme
from tests.gui.german import german, german_file, german_window

__all__ = ["german", "german_file", "german_window"]

MOMENT = "2026-11-24T10:41:00+01:00"


@pytest.fixture(autouse=True)
def fresh_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Settings in a folder of this test alone."""
    folder = tmp_path / "home"
    monkeypatch.setenv("FAIRASSAY_HOME", str(folder))
    return folder


@pytest.fixture(autouse=True)
def collected_in_the_windows_thread() -> Iterator[None]:
    """As in the program (gui/collector.py): a job's thread never destroys a window."""
    gc.disable()
    yield
    gc.collect()
    gc.enable()


@pytest.fixture
def look(qapp: QApplication) -> Iterator[Callable[..., None]]:
    """Sets appearance and text scale; light and 100 % again afterwards."""
    theme().use(appearance="light", scale=100)
    yield theme().use
    theme().use(appearance="light", scale=100)


@pytest.fixture
def jobs(qapp: QApplication) -> InPlaceJobs:
    """Jobs that run at once in the test's own thread."""
    return InPlaceJobs()


@pytest.fixture
def session(tmp_path: Path, jobs: InPlaceJobs, look: Callable[..., None]) -> Iterator[Session]:
    """A new case in the test's folder; the clock stands still."""
    from engine.case.store import Case

    case = Case.create(tmp_path / "case.fairassay", who="Evaluator", when=MOMENT)
    made = Session(
        case, jobs=jobs, settings=Settings(), actor=Actor("", "Evaluator"), clock=lambda: MOMENT
    )
    yield made
    if not made.case._closed:
        made.close()


@pytest.fixture
def window(qtbot, jobs: InPlaceJobs, look: Callable[..., None]) -> Iterator[MainWindow]:
    """The window on its start page, on show and active."""
    made = MainWindow(settings=Settings(), jobs=jobs)
    qtbot.addWidget(made)
    with qtbot.waitActive(made):
        made.show()
    yield made
    made.close()


@pytest.fixture
def case_window(window: MainWindow, session: Session) -> MainWindow:
    """The window with a new case open on its first step."""
    window.show_session(session)
    return window
