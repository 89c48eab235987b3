"""Fixtures of the steps' tests: files to drop, and a window on a case that holds them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.case.store import Case
from gui.jobs import InPlaceJobs
from gui.main_window import MainWindow
from gui.session import Actor, Session
from gui.settings import Settings

MOMENT = "2026-11-24T10:41:00+01:00"


@pytest.fixture
def loans(tmp_path: Path) -> Path:
    """Forty-eight loan applicants: age, sex with a few blanks, a marker, and who repaid."""
    rows = ["person,Age,Sex,Region,Savings,Risk"]
    for n in range(48):
        sex = "" if n % 16 == 3 else ("male", "female", "male", "other")[n % 4]
        region = ("north", "south", "?")[n % 3]
        risk = "good" if n % 5 else "bad"
        rows.append(f"p{n:03},{20 + n},{sex},{region},{100 * n},{risk}")
    file = tmp_path / "loans.csv"
    file.write_text("\n".join(rows) + "\n")
    return file


@pytest.fixture
def reopened(session: Session, window: MainWindow) -> Callable[[], Session]:
    """Closes the case and opens its file again, as after a restart; gives the fresh session."""

    def again() -> Session:
        path = session.path
        window.close_session()
        if not session.case._closed:
            session.close()
        case = Case.open(path, who="")
        made = Session(
            case, jobs=InPlaceJobs(), settings=Settings(), actor=Actor("", "Evaluator"),
            clock=lambda: MOMENT,
        )  # fmt: skip
        window.show_session(made)
        return made

    return again


@pytest.fixture
def page(case_window: MainWindow) -> Callable[[int], Any]:
    """Opens a step of the case on show and gives its page."""

    def opened(number: int) -> Any:
        stepper = case_window.stepper_or_fail()
        stepper.open_step(number)
        return stepper.page

    return opened


@pytest.fixture
def upto(
    case_window: MainWindow, session: Session, loans: Path, page: Callable[[int], Any]
) -> Callable[[int], Any]:
    """Does every step before one, by acts, and opens it: age and sex, cut at 30, male privileged."""

    def done(number: int) -> Any:
        session.add_files([loans], role=lambda _path: "all")
        protected: list[dict[str, Any]] = [{"column": "Age"}, {"column": "Sex"}]
        if number > 2:
            protected[0]["privileged"] = {"at_least": 30}
            protected[1]["privileged"] = ["male"]
        answers = {"intake.like_missing:Region:?": "category"}
        session.set_many(
            [
                (("items", "item-1", "answers"), answers),
                (("plan", "outcome"), {"column": "Risk", "favourable": ["good"]}),
                (("plan", "protected"), protected),
            ],
            "chose",
        )
        for step in range(number):
            session.confirm(step)
        return page(number)

    return done
