"""The wizard of the cross-validated tests, worked by hand on the sample of German credit."""

from __future__ import annotations

import csv
import io
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCheckBox, QFileDialog

from engine.base.watch import DONE, FAILED, UNSETTLED, WAITING
from engine.methods.crossval import fitting
from gui.jobs import InPlaceJobs, Job, Jobs
from gui.main_window import MainWindow
from gui.session import Actor, Session
from gui.settings import Settings
from gui.widgets.fields import WholeSpin
from gui.wizards.crossval import Wizard
from gui.wizards.crossval_data import SAMPLE
from gui.wizards.crossval_grid import FitGrid
from gui.wizards.crossval_pages import TimeAhead, complete_words
from gui.wizards.crossval_words import duration
from tests.gui.conftest import MOMENT
from tests.gui.steps.hands import click, settle
from tests.gui.test_window import cut, nameless

QUICK = {"k": 4, "models": ["decision_tree", "logistic_regression"], "more_attributes": ["sex"]}


@pytest.fixture(scope="module")
def tested_file(german_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A case file with the German sample and quick cross-validated tests, run once."""
    from engine.case.store import Case

    target = tmp_path_factory.mktemp("crossval") / "german.fairassay"
    shutil.copy(german_file, target)
    made = Session(
        Case.open(target, who="Evaluator"), jobs=InPlaceJobs(),
        settings=Settings(target.with_name("settings.json")), actor=Actor("", "Evaluator"),
        clock=lambda: MOMENT,
    )  # fmt: skip
    made.set(("plan", "methods"), {"certification": {}, "crossval": dict(QUICK)}, "chose")
    job = made.run_audit()
    assert job.state == "done", job.note
    made.case.close()
    return target


def opened(window: MainWindow, path: Path, jobs: Jobs) -> Session:
    from engine.case.store import Case

    made = Session(
        Case.open(path, who="Evaluator"), jobs=jobs, settings=Settings(),
        actor=Actor("", "Evaluator"), clock=lambda: MOMENT,
    )  # fmt: skip
    window.show_session(made)
    window.activateWindow()
    assert QTest.qWaitForWindowActive(window)
    return made


@pytest.fixture
def tested(
    window: MainWindow, tested_file: Path, tmp_path: Path, jobs: InPlaceJobs,
    look: Callable[..., None],
) -> Iterator[MainWindow]:  # fmt: skip
    """The window with a copy of that case."""
    target = tmp_path / "german.fairassay"
    shutil.copy(tested_file, target)
    made = opened(window, target, jobs)
    yield window
    if not made.case._closed:
        made.close()


def wizard(window: MainWindow, page: str) -> Wizard:
    """The wizard, opened from the menu, on a page."""
    window.open_method("crossval")
    made = window.stepper_or_fail().page
    assert isinstance(made, Wizard)
    made.show_page(made.pages.index(page))
    made.result.finish()
    settle(60)
    return made


def tick(box: QCheckBox) -> None:
    """Tick or untick by the keyboard."""
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_Space)


def session_of(window: MainWindow) -> Session:
    assert window.session is not None
    return window.session


def asked(window: MainWindow) -> dict[str, Any]:
    found: dict[str, Any] = session_of(window).plan["methods"]["crossval"]
    return found


# Before the run -----------------------------------------------------------------------------------


def test_the_folds_come_from_the_people_and_the_advised_number_is_one_click(
    tested: MainWindow,
) -> None:
    page = wizard(tested, "Folds")
    panel = page._panels["Folds"]
    table = panel.tables.parts[0].view.model()
    assert [table.text(r, 0) for r in range(table.rowCount())] == [str(k) for k in range(2, 21)]
    marks = [table.text(r, table.columnCount() - 1) for r in range(table.rowCount())]
    assert marks.count("advised") == 1
    assert table.total_rows == {marks.index("advised")}
    # 1,000 people of the file: of the smallest cell of group and outcome every k is a whole share
    groups = page._ahead["attributes"]["age"]["groups"]  # type: ignore[index]
    for r, k in enumerate(range(2, 21)):
        for c, group in enumerate(groups.values(), start=1):
            wanted = f"{group['positives'] // k} and {group['negatives'] // k}"
            assert table.text(r, c) == wanted
    assert "Use 20 folds" in panel.bar._button.text()
    spin = page.fields["fewest"].row.field
    assert isinstance(spin, WholeSpin)
    spin.setValue(40)
    smallest = min(
        min(g["positives"], g["negatives"])
        for a in page._ahead["attributes"].values()  # type: ignore[index]
        for g in a["groups"].values()
    )
    assert page._ahead["advised"] == smallest // 40  # type: ignore[index]
    assert panel.bar.kind == "warning"
    click(panel.bar._button)
    assert asked(tested)["k"] == smallest // 40
    assert panel.bar.kind == "good"
    session_of(tested).undo()
    assert asked(tested)["k"] == 4


def test_people_are_counted_by_their_labels_and_attributes_are_ticked(tested: MainWindow) -> None:
    page = wizard(tested, "Data")
    panel = page._panels["Data"]
    assert "1,000 people have a known outcome" in panel.line.text()
    rows = panel.tables.parts[0].view.model()
    assert [rows.text(r, 0) for r in range(2)] == ["30 and over", "under 30"]
    assert len(panel.tables.parts) == 2
    boxes = page.fields["more_attributes"].row.field.findChildren(QCheckBox)
    assert [box.text() for box in boxes] == ["age", "sex"]
    tick(boxes[1])
    assert "more_attributes" not in asked(tested)
    assert len(panel.tables.parts) == 1
    crossed = page.fields["crossed"].row.field.findChildren(QCheckBox)
    tick(crossed[0])
    assert "at least two" in page.fields["crossed"].row.error()
    assert "crossed" not in asked(tested)
    tick(crossed[1])
    assert page.fields["crossed"].row.error() == ""
    assert asked(tested)["crossed"] == ["age", "sex"]
    names = [panel.tables.parts[1].view.model().text(r, 0) for r in range(4)]
    assert "age 30 and over × sex male" in names
    session_of(tested).set(("plan", "outcome"), None, "took the outcome away")
    assert panel.tables.parts == [] and panel.line.text()


def test_time_is_told_before_and_a_sample_is_one_click(tested: MainWindow) -> None:
    page = wizard(tested, "Algorithms")
    panel = page._panels["Algorithms"]
    assert isinstance(panel, TimeAhead)
    assert panel.line.text().startswith("8 fits, about ")
    table = panel.tables.parts[0].view.model()
    assert [table.text(r, 0) for r in range(2)] == ["Decision tree", "Logistic regression"]
    ahead = dict(page._ahead or {})
    ahead["models"] = {
        "svm": {"title": "Support vector machine", "fits": 20, "people": 48842, "sampled": False,
                "seconds": 9000.0}
    }  # fmt: skip
    panel.show_ahead({**ahead, "seconds": 9000.0, "sample_seconds": 90.0}, SAMPLE)
    assert "2.5 hours with all 48,842 people" in panel.bar.words()
    assert "5,000" in panel.bar._button.text()
    click(panel.bar._button)
    assert asked(tested)["svm_sample"] == SAMPLE
    assert duration(9000) == "2.5 hours" and duration(60) == "1 minute"


def test_the_question_says_what_each_choice_means(tested: MainWindow) -> None:
    page = wizard(tested, "Question")
    assert "decisions on these people" in page.means.text()
    page.fields["question"].row.field.set_value("the algorithm")
    page._changed(page.fields["question"])
    assert asked(tested)["question"] == "the algorithm"
    assert "training sets that overlap" in page.means.text()


# The run ------------------------------------------------------------------------------------------


def test_the_grid_fills_cancel_keeps_and_another_start_goes_on(
    window: MainWindow, tested_file: Path, tmp_path: Path, qtbot: Any, look: Callable[..., None]
) -> None:
    target = tmp_path / "german.fairassay"
    shutil.copy(tested_file, target)
    fitting.forget()
    jobs = Jobs()
    session = opened(window, target, jobs)
    session.set(("plan", "seed"), 77, "chose the seed")
    session.set(
        ("plan", "methods", "crossval"), {"k": 6, "models": ["random_forest", "decision_tree"]}, "chose"
    )  # fmt: skip
    page = wizard(window, "Running")
    running = page.running
    assert running is not None
    qtbot.waitUntil(lambda: running.grid.rows != {}, timeout=60_000)
    assert running.grid.rows == {"decision_tree": WAITING * 6, "random_forest": WAITING * 6}
    assert "12 fits" in running.line.text()
    click(running.run)
    assert running.cancel.isVisible()
    qtbot.waitUntil(
        lambda: sum(r.count(DONE) for r in running.grid.rows.values()) >= 2, timeout=120_000
    )
    click(running.cancel)
    qtbot.waitUntil(lambda: not jobs.running(), timeout=30_000)
    done = sum(r.count(DONE) for r in running.grid.rows.values())
    assert 2 <= done < 12
    assert f"{done} of 12 fits were done when the run stopped" in running.line.text()
    assert running.run.isVisible() and running.run.text() == "Go on"
    assert session.kept.path.is_file()
    assert session.kept.path.parent != target.parent  # others may write there
    click(running.forget)  # the first press asks only
    assert "without the kept fits" in running.forget.text() and session.kept.path.is_file()
    # the program is closed and started again
    session.close()
    fitting.forget()
    session = opened(window, target, jobs)
    page = wizard(window, "Running")
    running = page.running
    assert running is not None
    assert f"{done} of 12 fits were done" in running.line.text()
    assert sum(r.count(DONE) for r in running.grid.rows.values()) == done
    click(running.run)
    qtbot.waitUntil(lambda: not jobs.running() and session.result_current, timeout=120_000)
    settle(60)
    assert running.line.text() == "All 12 fits are done."
    assert running.result.isVisible() and not running.run.isVisible()
    assert not session.kept.path.exists()
    assert set(running.grid.rows.values()) == {DONE * 6}
    session.close()


def test_a_case_that_can_only_be_read_promises_nothing_and_loses_nothing(
    window: MainWindow, tested_file: Path, tmp_path: Path, jobs: InPlaceJobs
) -> None:
    """A run was stopped; somebody else looks at the case, or the person does from a sealed copy."""
    from engine.case.store import Case

    target = tmp_path / "german.fairassay"
    shutil.copy(tested_file, target)
    session = opened(window, target, jobs)
    session.set(("plan", "seed"), 78, "chose the seed")
    note = b'{"grid": {"decision_tree": "+..."}, "done": 1, "total": 4}'
    session.kept.put("crossval", note)
    running = wizard(window, "Running").running
    assert running is not None and running.run.text() == "Go on" and running.forget.isVisible()
    kept = session.kept
    session.close()
    closed = Session(Case.open(target, read_only=True), jobs=jobs, settings=Settings())
    window.show_session(closed)
    running = wizard(window, "Running").running
    assert running is not None
    assert running.grid.rows == {"decision_tree": DONE + WAITING * 3}
    assert not running.run.isVisible() and not running.forget.isVisible()
    assert "goes on" not in running.line.text()
    assert kept.get("crossval") == note
    kept.remove()
    closed.close()


def test_the_time_left_goes_by_the_fits_and_not_by_the_bar() -> None:
    job = Job("Running the audit", fraction=0.75, share=0.1, share_started=1000.0)
    job.started = 995.0
    assert job.seconds_left(now=1030.0) == pytest.approx(270.0)
    assert job.seconds_left(now=1001.0) is None
    job.share = 1.0
    assert job.seconds_left(now=1070.0) == pytest.approx(25.0)


def test_own_decisions_train_nothing_and_the_pages_say_so(tested: MainWindow) -> None:
    page = wizard(tested, "Data")
    page._ahead = {**(page._ahead or {}), "supplied": "given", "models": {}}
    page._show_ahead()
    assert "“given” are taken as out of fold" in page._panels["Data"].line.text()
    page.show_page(page.pages.index("Algorithms"))
    page._ahead = {**(page._ahead or {}), "supplied": "given", "models": {}}
    page._show_ahead()
    assert "Nothing is trained" in page._panels["Algorithms"].line.text()


def test_squares_say_what_they_are(look: Callable[..., None], qtbot: Any, tmp_path: Path) -> None:
    grid = FitGrid()
    qtbot.addWidget(grid)
    rows = {"svm": DONE + UNSETTLED + FAILED + WAITING, "odd": WAITING}
    grid.show_grid(rows, {"svm": "Support vector machine"})
    grid.resize(600, grid.sizeHint().height())
    words = [grid.words_at(grid._box(0, place).center()) for place in range(4)]
    assert [w.split(": ")[1] for w in words] == [
        "done", "done, stopped before it settled", "gave no decisions", "waiting",
    ]  # fmt: skip
    assert words[0] == "Support vector machine, fold 1: done"
    assert grid.words_at(QPointF(599, 1)) == ""
    assert "3 of 4 done" in grid.accessibleDescription()
    told = list(csv.reader(io.StringIO(grid.as_csv())))
    assert len(told) == 6 and told[3] == ["Support vector machine", "3", "gave no decisions"]
    assert complete_words({"svm": DONE * 3}) == "All 3 fits are done."
    assert "1 gave none" in complete_words({"svm": DONE * 2 + FAILED})
    assert complete_words({"svm": DONE}, each=False) == "All fits are done."
    many = {"svm": DONE * 100}
    grid.show_grid(many, {})
    assert grid._box(0, 99).right() < 600


# The result ---------------------------------------------------------------------------------------


def test_the_sentence_is_copied_and_everything_can_be_saved(
    tested: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = wizard(tested, "Result")
    settle(200)
    part = (session_of(tested).result or {})["crossval"]
    quote = page.result.quote
    answers = [
        one["answer"] for a in part["attributes"].values() for m in a["models"].values()
        for one in m["pooled"].values()
    ]  # fmt: skip
    assert f"Of {len(answers)} comparisons" in quote.sentence.text()
    click(quote.copy_button)
    assert QGuiApplication.clipboard().text() == quote.sentence.text()
    assert quote.copy_button.text() == "Copied"
    grid = page.result.answers.chart
    assert grid is not None and grid.key == "crossval_answers"
    assert len(page.result.figures) == len({f.chart.key for f in page.result.figures if f.chart})
    assert {f.chart.key for f in page.result.figures if f.chart} == set(
        session_of(tested).reading.charts("crossval")  # type: ignore[union-attr]
    )
    picture = tmp_path / "answers.svg"
    page.result.answers.save(str(picture), "svg")
    assert picture.read_bytes().startswith(b"<?xml")
    table = tmp_path / "table.csv"
    page.result.tables[0].view.export(str(table))
    assert "p after Holm" in table.read_text("utf-8-sig")
    assert nameless(page) == [] and cut(page) == []
    running = wizard(tested, "Running").running
    assert running is not None
    fits = tmp_path / "fits.csv"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *a, **k: (str(fits), ""))
    click(running.export)
    assert fits.read_text("utf-8-sig").count("\n") == 9
    refused: list[Any] = []
    session_of(tested).refused.connect(refused.append)
    running.save(str(tmp_path / "no" / "fits.csv"))
    assert len(refused) == 1


@pytest.mark.parametrize("scale", [100, 200])
def test_every_page_fits_and_is_named(
    tested: MainWindow, look: Callable[..., None], qtbot: Any, scale: int
) -> None:
    look(scale=scale)
    page = wizard(tested, "Question")
    for index, name in enumerate(page.pages[:-1]):
        page.show_page(index)
        qtbot.waitUntil(lambda: cut(page) == [], timeout=10_000)
        assert page.scroll.horizontalScrollBar().maximum() == 0, name
        assert nameless(page) == [], name
        assert "More about this method" in page.help_html()


def test_without_data_the_pages_say_what_is_missing(case_window: MainWindow) -> None:
    for name in ("Data", "Algorithms", "Folds"):
        page = wizard(case_window, name)
        assert "once the case holds data" in page._panels[name].line.text()
    running = wizard(case_window, "Running").running
    assert running is not None and running.line.text() and not running.run.isVisible()
    QApplication.processEvents()
