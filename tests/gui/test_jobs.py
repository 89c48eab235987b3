"""Jobs: progress, cancel, end now, faults; the window's thread goes on."""

from __future__ import annotations

import threading
import time

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QLabel
from shiboken6 import delete

from engine.base.problems import Cancelled, Problem, Refused
from engine.base.watch import Watch
from gui.jobs import InPlaceJobs, Job, Jobs, time_left
from gui.widgets.footer import Footer


def test_result_comes_back_in_the_windows_thread(qtbot) -> None:
    jobs, threads = Jobs(), []
    with qtbot.waitSignal(jobs.changed, check_params_cb=lambda job: job.state == "done"):
        jobs.start(
            "Counting",
            lambda watch: threading.current_thread().name,
            on_done=lambda name: threads.append((name, threading.current_thread())),
        )
    assert threads == [("Counting", threading.main_thread())]


class Page(QLabel):
    """A page that shows what a job found, and keeps it first."""

    def __init__(self, kept: list[str]) -> None:
        super().__init__()
        self.kept = kept

    def show_found(self, found: str) -> None:
        self.kept.append(found)
        self.setText(found)


@pytest.mark.parametrize("bound", [True, False])
def test_a_page_that_was_left_is_no_fault(qtbot, bound: bool) -> None:
    jobs, kept, faults = Jobs(), [], []
    jobs.crashed.connect(lambda _job, error: faults.append(error))
    page = Page(kept)
    done = page.show_found if bound else (lambda found: page.show_found(found))
    job = jobs.start("Making the result", lambda _watch: "found", on_done=done)
    delete(page)
    qtbot.waitUntil(lambda: job.state == "done", timeout=5000)
    qtbot.wait(20)
    assert kept == ["found"] and not faults and not jobs.running()


def test_a_fault_of_a_page_that_is_there_is_not_hidden(qtbot) -> None:
    page = QLabel()
    qtbot.addWidget(page)

    def broken(_found: object) -> None:
        page.setText("…")
        raise RuntimeError("ours")

    with pytest.raises(RuntimeError, match="ours"):
        InPlaceJobs().start("Making the result", lambda _watch: "found", on_done=broken)


def test_cancel_stops_at_a_named_point(qtbot) -> None:
    jobs, failed = Jobs(), []

    def work(watch: Watch) -> None:
        for n in range(10_000):
            watch.say("Comparing people with their peers", done=n, total=10_000)
            time.sleep(0.002)

    job = jobs.start("Peers", work, on_failed=failed.append)
    qtbot.waitUntil(lambda: job.done is not None and job.done > 0, timeout=5000)
    jobs.cancel(job)
    assert job.state == "stopping"
    qtbot.waitUntil(lambda: job.state == "cancelled", timeout=5000)
    assert isinstance(failed[0], Cancelled)


def test_end_now_ends_work_that_asks_for_nothing(qtbot) -> None:
    jobs = Jobs()

    def work(watch: Watch) -> None:
        while True:
            time.sleep(0.001)

    job = jobs.start("Fitting", work)
    jobs.cancel(job)
    jobs.end_now(job)
    assert job.state == "cancelled" and jobs.running() == []
    assert job.thread is not None
    job.thread.join(5)
    assert not job.thread.is_alive()


def test_refusals_and_faults_are_told_apart(qapp) -> None:
    jobs, crashed = InPlaceJobs(), []
    jobs.crashed.connect(lambda job, error: crashed.append(error))

    def refuse(watch: Watch) -> None:
        raise Refused(Problem("a.csv", "", "There is no such column."))

    def break_down(watch: Watch) -> None:
        raise ZeroDivisionError

    assert jobs.start("Reading", refuse).note == "There is no such column."
    assert crashed == []
    assert jobs.start("Reading", break_down).state == "failed"
    assert isinstance(crashed[0], ZeroDivisionError)


def test_reports_are_throttled(qtbot) -> None:
    jobs, seen = Jobs(), []
    jobs.changed.connect(lambda job: seen.append(job.fraction))

    def work(watch: Watch) -> None:
        for n in range(5000):
            watch.say("Counting", done=n, total=5000)

    job = jobs.start("Counting", work)
    qtbot.waitUntil(lambda: job.state == "done", timeout=10_000)
    assert len(seen) < 200


def test_the_windows_thread_is_never_stuck(qtbot) -> None:
    """Gaps between ticks of a 10 ms timer while a job computes; the machine may be busy."""
    jobs, gaps, last = Jobs(), [], [time.perf_counter()]

    def tick() -> None:
        now = time.perf_counter()
        gaps.append(now - last[0])
        last[0] = now

    timer = QTimer()
    timer.timeout.connect(tick)
    timer.start(10)

    def work(watch: Watch) -> int:
        total = 0
        for n in range(60):
            watch.say("Counting", done=n, total=60)
            total += sum(i * i for i in range(40_000))
        return total

    job = jobs.start("Counting", work)
    qtbot.waitUntil(lambda: job.state == "done", timeout=30_000)
    timer.stop()
    assert sorted(gaps)[int(0.95 * len(gaps))] < 0.1


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(None, ""), (18.0, "about 20 s left"), (1.0, "about 5 s left"), (70.0, "about 1 min left"), (300.0, "about 5 min left")],
)  # fmt: skip
def test_time_left_in_words(seconds: float | None, words: str) -> None:
    assert time_left(seconds) == words


def test_time_left_follows_from_what_is_done() -> None:
    job = Job(name="Peers", started=100.0, fraction=0.25)
    assert job.seconds_left(now=110.0) == pytest.approx(30.0)
    assert job.seconds_left(now=101.0) is None


def test_the_footer_shows_a_job_from_start_to_end(qtbot, look) -> None:
    footer = Footer()
    qtbot.addWidget(footer)
    job = Job(
        name="Comparing people with their peers",
        icon="users",
        done=92,
        total=201,
        fraction=92 / 201,
    )
    footer.show_job(job)
    assert footer._figures.text() == "92 of 201"
    assert footer._bar.value() == 458
    assert not footer._cancel.isHidden() and footer._end.isHidden()
    job.state = "stopping"
    footer.show_job(job)
    assert footer._cancel.isHidden() and not footer._end.isHidden()
    job.state = "done"
    footer.show_job(job)
    assert footer._job_text.text() == "Comparing people with their peers: done"
    footer.show_job(None)
    footer.set_page(hint="Groups chosen by the Evaluator", blocked="")
    assert footer.hint_text() == "Groups chosen by the Evaluator"
    footer.set_page(hint="", blocked="The open question has to be answered before you continue.")
    assert not footer.continue_button.isEnabled()
