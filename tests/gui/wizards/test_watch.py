"""The wizard of monitoring, worked by hand: files by period, levels, triggers."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from shiboken6 import isValid

from gui.main_window import MainWindow
from gui.session import Session
from gui.wizards.list_fields import LevelsField, SpansField
from gui.wizards.monitoring import Wizard
from tests.gui.grab import settle
from tests.gui.steps.hands import button_called, click, focus, write
from tests.gui.test_window import cut, nameless

sys.path.insert(0, str(Path(__file__).parents[2] / "engine" / "methods" / "monitoring"))
from monitoring_plans import year

LABELS = {"M": "men", "F": "women"}
LAST = {
    "intersection": {
        "cells": {
            f"sex={k}": {
                "groups": {"sex": k}, "rate": {"value": r}, "effective_n": 900,
                "ratio": {"value": r / 0.5, "low": r / 0.5 - 0.1, "high": r / 0.5 + 0.1},
            }
            for k, r in (("M", 0.5), ("F", 0.48))
        },
        "words": {"sex": LABELS},
    }
}  # fmt: skip


@pytest.fixture
def months(tmp_path: Path) -> list[Path]:
    """Two files, a period each."""
    frame = year({"M": [0.5] * 2, "F": [0.48, 0.2]}, n=100)
    files = []
    for month in ("2026-01", "2026-02"):
        files.append(tmp_path / f"{month}.csv")
        frame[frame.date.str[:7] == month].to_csv(files[-1], index=False)
    return files


@pytest.fixture
def watched(case_window: MainWindow, session: Session) -> Session:
    """A case whose plan watches decisions by sex; no file yet."""
    session.set_many(
        [
            (("plan", "protected"), [{"column": "sex", "privileged": ["M"], "labels": LABELS}]),
            (("plan", "outcome"), None),
            (("plan", "system"), {"prediction": {"column": "ok", "favourable": [1]}}),
            (("plan", "methods"), {"monitoring": {"simulated_years": 100}}),
        ],
        "chose",
    )
    for step in range(6):
        session.confirm(step)
    return session


def wizard(window: MainWindow, page: str) -> Wizard:
    window.open_method("monitoring")
    found = window.stepper_or_fail().page
    assert isinstance(found, Wizard)
    found.show_page(found.pages.index(page))
    settle()
    return found


def given(session: Session) -> dict[str, Any]:
    return dict(session.plan["methods"]["monitoring"])


def test_files_are_dropped_ordered_and_run(
    case_window: MainWindow, watched: Session, months: list[Path]
) -> None:
    page = wizard(case_window, "Periods")
    assert "No file of decisions yet" in page.files.said.text()
    case_window.take_files([months[1]])
    assert case_window.stepper_or_fail().page is page, "the drop stays in the wizard"
    page.files.add([months[0]])
    assert [i["name"] for i in page.files.files()] == ["2026-02.csv", "2026-01.csv"]
    settle()
    click(button_called(page, "Move 2026-01.csv up"))
    assert [i["name"] for i in page.files.files()] == ["2026-01.csv", "2026-02.csv"]
    date = page.fields["date"].row.field
    assert "date" in [date.itemData(i) for i in range(date.count())]  # type: ignore[attr-defined]
    settle()
    click(button_called(page, "Take out 2026-02.csv"))
    assert len(page.files.files()) == 1
    watched.undo()
    assert "2 files" in page.files.said.text()
    for step in (0, 1, 2, 4, 5):
        watched.confirm(step)
    assert watched.run_audit().state == "done"
    page = wizard(case_window, "Result")
    page.result.finish()
    said = " ".join(f.accessibleName() for f in page.result.findings)
    assert "2026-02: roll back." in said and "sex women" in said and "sex=F" not in said
    keys = [view.chart.key for view in page.result.figures]
    assert keys[:4] == [
        "monitoring_timeline", "monitoring_ratios", "monitoring_control", "monitoring_composition"
    ]  # fmt: skip
    page.show_page(page.pages.index("Triggers"))
    assert "not agreed beforehand" in page.agree.words() and "alarms a year" in page.alarms.text()


@pytest.mark.parametrize("name", ["monitoring", "peers"])
def test_a_wizard_that_was_left_hears_of_no_more_files(
    qtbot, case_window: MainWindow, watched: Session, months: list[Path], name: str
) -> None:
    case_window.open_method(name)
    left = case_window.stepper_or_fail().page
    case_window.stepper_or_fail().open_step(0)
    settle(50)
    assert not isValid(left)
    with qtbot.captureExceptions() as faults:
        watched.add_files(months, role=lambda _path: "test")
        settle(50)
    assert faults == [], "the page is gone and must not be asked"


def test_periods_of_ones_own_are_typed_and_read(case_window: MainWindow, watched: Session) -> None:
    page = wizard(case_window, "Periods")
    field = page.fields["periods"]
    assert isinstance(field, SpansField)
    click(button_called(page, "Add a period"))
    settle()
    name, start, end = field.grid._rows[0]
    focus(name)
    QTest.keyClicks(name, "Spring")
    QTest.keyClick(name, Qt.Key.Key_Tab)
    settle()
    assert "periods" not in given(watched) and field.row.error() == "", "still in the row"
    QTest.keyClicks(start, "2026-03-01")
    draft = watched.draft("wizard-monitoring")
    assert draft and "Spring" in draft["periods"], "half typed, kept"
    focus(end)
    QTest.keyClicks(end, "2026-05-xx")
    focus(page.toggle)
    settle()
    assert "is no day" in field.row.error() and "periods" not in given(watched)
    write(end, "2026-05-31")
    focus(page.toggle)
    settle()
    assert given(watched)["periods"] == [
        {"name": "Spring", "from": "2026-03-01", "to": "2026-05-31"}
    ]
    assert field.row.error() == "" and not watched.draft("wizard-monitoring")
    watched.undo()
    assert field.grid.cells() == []
    for odd in ("Spring: 2026", '["Spring"]', "[[1, 2, 3]]"):  # kept by another field
        field.show_text(odd)
    assert field.grid.cells() == []


def test_levels_come_from_the_last_audit(
    case_window: MainWindow, watched: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = wizard(case_window, "Compared with")
    assert not page.take.isEnabled() and "begun from the old certificate" in page.taken.text()
    monkeypatch.setattr(type(watched), "last_result", property(lambda _self: LAST))
    watched.set(("follows",), {"number": "EAO-2025-0007", "revision": 0, "sha256": ""}, "x")
    page = wizard(case_window, "Compared with")
    assert "EAO-2025-0007" in page.taken.text()
    click(page.take)
    assert given(watched)["certificate"] == "EAO-2025-0007"
    assert given(watched)["certified"]["sex=F"] == {
        "rate": 0.48, "ratio": 0.96, "low": 0.86, "high": 1.06, "n": 900
    }  # fmt: skip
    field = page.fields["certified"]
    assert isinstance(field, LevelsField)
    assert [cells[0] for cells in field.grid.cells()] == ["sex men", "sex women"]
    edit = field.grid._rows[1][1]
    edit.setText("many")
    field.grid.finished.emit()
    assert "is no number" in field.row.error()
    edit.setText("0.5")
    name = field.grid._rows[1][0]
    name.setText("")
    field.grid.finished.emit()
    assert "Name the crossing" in field.row.error()
    name.setText("sex women")
    field.grid.finished.emit()
    assert given(watched)["certified"]["sex=F"]["rate"] == 0.5


def test_triggers_go_into_the_governance_sheet(case_window: MainWindow, watched: Session) -> None:
    page = wizard(case_window, "Triggers")
    assert "before you look" in page.agree.words()
    watched.set(("plan", "methods", "monitoring", "agreed"), "Board, 3 November", "agreed")
    click(page.to_sheet)
    sheet = watched.state["governance"]
    assert sheet["agreed_by"] == "Board, 3 November"
    assert "below 0.60 once" in sheet["triggers"] and "99.7 % control limits" in sheet["triggers"]
    assert not page.to_sheet.isEnabled()
    watched.undo()
    assert "governance" not in watched.state and page.to_sheet.isEnabled()


@pytest.mark.parametrize(("scale", "name"), [(100, "Periods"), (200, "Compared with")])
def test_there_is_room(
    case_window: MainWindow, watched: Session, months: list[Path], look, scale: int, name: str
) -> None:
    look(scale=scale)
    case_window.resize(1024, 700)
    watched.add_files(months, role=lambda _path: "all")
    levels = {"sex=F": {"rate": 0.5, "ratio": 0.9, "low": 0.8, "high": 1.0, "n": 500}}
    watched.set(("plan", "methods", "monitoring", "certified"), levels, "given")
    page = wizard(case_window, name)
    settle(200)
    assert cut(page) == [] and nameless(page) == []
    assert page.scroll.horizontalScrollBar().maximum() == 0
