"""The sample of small firms with the peers method, run once for all tests of its wizard."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from gui.jobs import InPlaceJobs
from gui.main_window import MainWindow
from gui.session import Actor, Session
from gui.settings import Settings
from tests.gui.conftest import MOMENT

QUICK = {
    "tune": False,
    "order": {"risk": "lower is better", "written_plan": ["no", "yes"]},
    "intrinsic": ["legal_status"],
}


@pytest.fixture(scope="session")
def firms_file(qapp: QApplication, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A case file with the sample of small firms, run once."""
    from engine.case.store import Case
    from gui.opening import fill_from_sample

    folder = tmp_path_factory.mktemp("firms")
    case = Case.create(folder / "firms.fairassay", who="Evaluator", when=MOMENT)
    made = Session(
        case, jobs=InPlaceJobs(), settings=Settings(folder / "settings.json"),
        actor=Actor("", "Evaluator"), clock=lambda: MOMENT,
    )  # fmt: skip
    fill_from_sample(made, "sme", on_done=lambda: None)
    made.set(("plan", "methods"), {"certification": {}, "peers": dict(QUICK)}, "chose")
    job = made.run_audit()
    assert job.state == "done", job.note
    made.case.close()
    return folder / "firms.fairassay"


@pytest.fixture
def firms(
    window: MainWindow,
    firms_file: Path,
    tmp_path: Path,
    jobs: InPlaceJobs,
    look: Callable[..., None],
) -> Any:
    """The window with a copy of that case."""
    from engine.case.store import Case

    target = tmp_path / "firms.fairassay"
    shutil.copy(firms_file, target)
    case = Case.open(target, who="Evaluator")
    made = Session(
        case, jobs=jobs, settings=Settings(), actor=Actor("", "Evaluator"), clock=lambda: MOMENT
    )
    window.show_session(made)
    window.activateWindow()
    assert QTest.qWaitForWindowActive(window)
    yield window
    if not made.case._closed:
        made.close()
