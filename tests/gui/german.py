"""The German sample as a case that has run, made once and copied for each test."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtTest import QTest

from gui.jobs import InPlaceJobs
from gui.main_window import MainWindow
from gui.session import Actor, Session
from gui.settings import Settings

MOMENT = "2026-11-24T10:41:00+01:00"
PASSPHRASE = "four words not one"


@pytest.fixture(scope="session")
def german_file(qapp, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A case file with the German sample run by a quick stand-in; steps 7 to 9 were looked at."""
    from engine.case.store import Case
    from gui.opening import fill_from_sample

    folder = tmp_path_factory.mktemp("german")
    case = Case.create(folder / "german.fairassay", who="Evaluator", when=MOMENT)
    made = Session(
        case, jobs=InPlaceJobs(), settings=Settings(folder / "settings.json"),
        actor=Actor("", "Evaluator"), clock=lambda: MOMENT,
    )  # fmt: skip
    fill_from_sample(made, "german", on_done=lambda: None)
    made.set_many(
        [
            (("plan", "resamples"), 60),
            (("plan", "system"), {"train": {"model": "logistic_regression"}}),
        ],
        "chose a quick stand-in",
    )
    job = made.run_audit()
    assert job.state == "done", job.note
    for step in (7, 8, 9):
        made.confirm(step)
    made.case.close()
    return folder / "german.fairassay"


@pytest.fixture
def german(
    german_file: Path, tmp_path: Path, jobs: InPlaceJobs, look: Callable[..., None]
) -> Iterator[Session]:
    """A session on a copy of that case."""
    from engine.case.store import Case

    target = tmp_path / "german.fairassay"
    shutil.copy(german_file, target)
    case = Case.open(target, who="Evaluator")
    made = Session(
        case, jobs=jobs, settings=Settings(), actor=Actor("", "Evaluator"), clock=lambda: MOMENT
    )
    made.refusals = []  # type: ignore[attr-defined]
    made.refused.connect(made.refusals.append)  # type: ignore[attr-defined]
    yield made
    if not made.case._closed:
        made.close()


@pytest.fixture
def german_window(window: MainWindow, german: Session) -> MainWindow:
    """The window with that case."""
    window.show_session(german)
    window.activateWindow()
    assert QTest.qWaitForWindowActive(window)
    return window
