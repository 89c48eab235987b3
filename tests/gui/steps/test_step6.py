"""Step 6: run, cancel, run again; out of date; the same bytes as the command line."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from audits import MOMENT, german, open_step, session_of, stored
from hands import click
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from gui.jobs import Jobs
from gui.main_window import MainWindow
from gui.session import Actor, Session
from gui.settings import Settings


@pytest.fixture
def threaded(qtbot, look, tmp_path: Path) -> Iterator[MainWindow]:
    """The window whose jobs run in threads, as they do for a person, with the sample open."""
    from engine.case.store import Case

    window = MainWindow(settings=Settings(), jobs=Jobs())
    qtbot.addWidget(window)
    with qtbot.waitActive(window):
        window.show()
    case = Case.create(tmp_path / "case.fairassay", who="Evaluator", when=MOMENT)
    window.show_session(
        Session(case, jobs=window.jobs, settings=Settings(), actor=Actor(), clock=lambda: MOMENT)
    )
    german(window)
    qtbot.waitUntil(lambda: bool(session_of(window).plan.get("protected")), timeout=60_000)
    session_of(window).set(("plan", "resamples"), 200, "chose resamples")
    qtbot.waitUntil(lambda: not window.jobs.running(), timeout=60_000)
    yield window
    window.close()


def test_running_shows_the_tally_and_is_seen_once(case_window: MainWindow) -> None:
    session = german(case_window)
    page = open_step(case_window, 6)
    footer = case_window.stepper_or_fail().footer
    assert footer.continue_button.text() == "Run the audit" and page.result.isHidden()
    assert session.state["seen"]["result"] is None
    click(footer.continue_button)
    kept = stored(session)
    assert kept["result"] is not None and kept["seen"]["result"]
    assert footer.continue_button.text() == "Continue"
    table = page.tables["age"].model()
    assert table.columns == ("", "30 and over", "under 30")
    assert table.text(0, 0) == "Favourable, decided for · true positives"
    counts = session.result["certification"]["attributes"]["age"]["groups"]["below 30"]["counts"]
    of = counts["tp"] + counts["fn"]
    assert table.text(0, 2).startswith(f"{counts['tp']} of {of},")
    click(footer.continue_button)
    assert case_window.stepper_or_fail().page.number == 7
    assert "6" in stored(session)["confirmed"]


def test_a_change_upstream_makes_the_result_out_of_date(case_window: MainWindow) -> None:
    session = german(case_window)
    page = open_step(case_window, 6)
    footer = case_window.stepper_or_fail().footer
    click(footer.continue_button)
    first = session.state["result"]["result_sha256"]
    session.set(("plan", "seed"), 5, "chose the seed")
    assert page.bar.isVisible() and "out of date" in page.bar.words()
    assert footer.continue_button.text() == "Run again"
    assert session.views()[6].state == "out of date"
    for number in (7, 8, 9):
        other = open_step(case_window, number)
        assert "out of date" in other.bar.words() and other.result.isVisible()
        assert not footer.continue_button.isEnabled()
    click(other.bar._button)
    assert case_window.stepper_or_fail().page.number == 6
    assert session.result_current and not page.bar.isVisible()
    assert session.state["result"]["result_sha256"] != first


def test_a_run_can_be_cancelled_and_run_again(threaded: MainWindow, qtbot) -> None:
    session = session_of(threaded)
    stepper = threaded.stepper_or_fail()
    open_step(threaded, 6)
    session.set(("plan", "resamples"), 2000, "chose resamples")
    stepper.footer.continue_button.click()
    job = next(job for job in threaded.jobs.running() if not job.quiet)
    assert not stepper.footer.continue_button.isEnabled()
    qtbot.waitUntil(stepper.footer._cancel.isVisible, timeout=10_000)
    stepper.footer._cancel.click()
    qtbot.waitUntil(lambda: job.state == "cancelled", timeout=60_000)
    assert session.state["result"] is None and session.state["seen"]["result"] is None
    qtbot.waitUntil(stepper.footer.continue_button.isEnabled, timeout=10_000)
    stepper.footer.continue_button.click()
    qtbot.waitUntil(lambda: session.state["result"] is not None, timeout=120_000)
    qtbot.waitUntil(lambda: stepper.page.result.isVisible(), timeout=10_000)
    assert session.state["seen"]["result"]


def test_the_window_is_not_stuck_during_a_run(threaded: MainWindow, qtbot, capsys) -> None:
    session = session_of(threaded)
    stepper = threaded.stepper_or_fail()
    open_step(threaded, 6)
    gaps: list[tuple[float, float]] = []
    last = [(time.perf_counter(), time.thread_time())]

    def tick() -> None:
        now = (time.perf_counter(), time.thread_time())
        gaps.append((now[0] - last[0][0], now[1] - last[0][1]))
        last[0] = now

    def longest() -> str:
        wall, own = (1000 * max(gap[k] for gap in gaps) for k in (0, 1))
        gaps.clear()
        return f"{wall:.0f} ms ({own:.0f} ms of its own work)"

    timer = QTimer()
    timer.setInterval(5)
    timer.timeout.connect(tick)
    timer.start()
    stepper.footer.continue_button.click()
    qtbot.waitUntil(lambda: session.state["result"] is not None, timeout=120_000)
    running = longest()
    for number in (7, 8, 9):
        stepper.open_step(number)
        qtbot.waitUntil(lambda: stepper.page.result.isVisible(), timeout=10_000)
        qtbot.wait(100)
    timer.stop()
    pages = longest()
    with capsys.disabled():
        print(f"\nlongest gap of the event loop: {running} in a run, {pages} as its pages open")


def test_the_result_has_the_bytes_of_the_command_line(
    case_window: MainWindow, tmp_path: Path
) -> None:
    import json

    from engine.cli import main
    from engine.samples import built_in

    session = german(case_window, resamples=60)
    open_step(case_window, 6)
    click(case_window.stepper_or_fail().footer.continue_button)
    file = built_in.write("german", tmp_path / "german")
    plan = json.loads(file.read_text())
    file.write_text(json.dumps({**plan, "resamples": 60}))
    assert main(["audit", str(file), "--out", str(tmp_path / "out")]) == 0
    ours = session.case.read(session.state["result"]["result_sha256"])
    assert ours == (tmp_path / "out" / "result.json").read_bytes()


def test_settings_of_the_run_are_acts(case_window: MainWindow) -> None:
    from audits import choose

    session = german(case_window)
    page = open_step(case_window, 6)
    choose(page.resamples, "2,000")
    choose(page.confidence, "90 %")
    kept = stored(session)["plan"]
    assert (kept["resamples"], kept["confidence"]) == (2000, 0.9)
    assert session.undo() and session.plan.get("confidence") != 0.9


def test_a_run_that_is_refused_says_so(case_window: MainWindow) -> None:
    from gui.dialogs import ProblemDialog

    session = german(case_window)
    session.set(("plan", "protected", 0, "column"), "agee", "chose a column")
    for number in (1, 2, 4):
        session.confirm(number)
    open_step(case_window, 6)
    click(case_window.stepper_or_fail().footer.continue_button)
    shown = [w for w in QApplication.topLevelWidgets() if isinstance(w, ProblemDialog)]
    assert session.state["result"] is None and any(w.isVisible() for w in shown)
    for one in shown:
        one.close()
