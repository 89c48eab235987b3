"""Stress tests on their page: progress, Cancel that keeps what is done, and the rest after it."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox

from gui.jobs import Jobs
from gui.main_window import MainWindow
from gui.wizards.peers import STRESS
from gui.wizards.peers_pages import cells
from tests.gui.steps.hands import click, focus
from tests.gui.wizards.peers_hands import part_of, wizard


def test_stress_tests_run_on_their_page_and_their_result_is_kept(firms: MainWindow) -> None:
    page = wizard(firms, STRESS)
    assert not page.stress.run.isEnabled() and "has run yet" in page.stress.bar.words()
    box = page.fields["stress"].row.field.findChildren(QCheckBox)[2]
    focus(box)
    QTest.keyClick(box, Qt.Key.Key_Space)
    assert page.session.plan["methods"]["peers"]["stress"] == ["draws"]
    assert page.stress.cells.text().startswith("6 ")
    page.scroll.ensureWidgetVisible(page.stress.run)
    click(page.stress.run)
    page.stress.result.finish()
    assert page.session.result_current
    kept = part_of(page)["stress"]
    assert [one["level"] for one in kept][:2] == ["N = 10, K = 30", "N = 30, K = 30"]
    assert page.stress.result.tables[0].view.model().rowCount() == 6
    assert page.stress.bar.isHidden()


@pytest.mark.parametrize("at_once", [False, True])
def test_cancel_keeps_the_tests_that_are_done_and_the_rest_can_follow(
    firms: MainWindow, qtbot: Any, monkeypatch: pytest.MonkeyPatch, at_once: bool
) -> None:
    from engine.methods.peers import stress
    from engine.run import rerun

    page = wizard(firms, STRESS)
    page.session.set(
        ("plan", "methods", "peers", "stress"), ["delta", "draws"], "chose stress tests"
    )
    assert page.session.result_current is False and page._stands()
    assert page.stress.cells.text() == "10 runs of the published test."
    third, go = threading.Event(), threading.Event()
    whole, made = stress._entry, []

    def held(*given: Any) -> Any:
        made.append(given[1])
        if len(made) == 3:
            third.set()
            go.wait(30)
        return whole(*given)

    monkeypatch.setattr(stress, "_entry", held)
    threads = Jobs()
    page.session.jobs = threads
    threads.changed.connect(page._job_changed)
    click(page.stress.run)
    assert page.stress.cancel.isVisible() and not page.stress.run.isVisible()
    qtbot.waitUntil(third.is_set, timeout=60_000)
    qtbot.waitUntil(lambda: page.stress.progress.value() > 0, timeout=30_000)
    assert "2 of 10" in page.stress.now.whole()
    [job] = [j for j in threads.running() if not j.quiet]
    click(page.stress.cancel)
    assert "Stopping" in page.stress.now.whole()
    if at_once:  # End now: the test that runs is lost, the others are kept
        threads.end_now(job)
        qtbot.waitUntil(lambda: page.session.result_current, timeout=60_000)
    go.set()
    done = 2 if at_once else 3
    qtbot.waitUntil(lambda: page.session.result_current, timeout=60_000)
    qtbot.waitUntil(lambda: not threads.running(), timeout=60_000)
    assert part_of(page)["stress_runs"]["done"] == done
    assert page.session.plan["methods"]["peers"]["stress_cells"] == done
    assert page.stress.run.isVisible() and not page.stress.cancel.isVisible()
    assert page.stress.cells.text() == f"{done} of 10 runs are done and kept."
    assert page.stress.run.text() == f"Run the other {10 - done}"
    page.stress.result.finish()
    assert page.stress.result.tables[0].view.model().rowCount() == done
    sentences = [one.accessibleName() for one in page.stress.result.findings]
    assert any(f"{done} of 10 runs were made" in said for said in sentences)
    if not at_once:
        assert rerun.rerun(page.session.path).identical
    monkeypatch.undo()
    click(page.stress.run)
    qtbot.waitUntil(lambda: page.session.result_current and not threads.running(), timeout=60_000)
    assert part_of(page)["stress_runs"] == {"done": 10, "of": 10, "reason": ""}
    assert "stress_cells" not in page.session.plan["methods"]["peers"]
    assert rerun.rerun(page.session.path).identical


def test_a_new_choice_of_the_method_runs_the_audit_before_the_tests(firms: MainWindow) -> None:
    page = wizard(firms, STRESS)
    given = page.session.plan["methods"]["peers"]
    page.session.set(
        ("plan", "methods", "peers"), {**given, "stress": ["draws"], "extreme": 0.2}, "chose"
    )
    assert not page._stands() and "audit runs first" in page.stress.cells.text()
    click(page.stress.run)
    assert page.session.result_current
    assert part_of(page)["test"]["extreme"] == 0.2 and len(part_of(page)["stress"]) == 6


def test_cells_count_the_runs() -> None:
    given = {
        "stress": ["imbalance", "delta", "draws", "models"], "stress_levels": [], "stress_repeats": 5,
    }  # fmt: skip
    assert cells(given) == 30 + 4 + 6 + 6
    part = {
        "n_protected": 41, "n_unprotected": 59, "models": {"prediction": {"model": "supplied score"}}
    }  # fmt: skip
    assert cells(given, part) == 30 + 4 + 6 + 3
    few = {**part, "n_protected": 10, "n_unprotected": 90}
    assert cells({**given, "stress": ["imbalance"]}, few) == 5  # only 5 % is left above 2 %
    assert cells({**given, "stress": ["imbalance"], "stress_levels": [20, 10]}, few) == 10
