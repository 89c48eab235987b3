"""Fits that are kept and gone on with, and processes that end when they are told to."""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from crossval_people import audited, cohort_of, simulated

from engine.base.canonical import canonical_json
from engine.base.kept import KeptFile
from engine.base.problems import Cancelled
from engine.base.watch import DONE, FAILED, UNSETTLED, WAITING, Progress, Watch
from engine.methods.crossval import fitting, kept, workers
from tests.engine import helpers

FAST = ["logistic_regression", "decision_tree", "k_nearest"]


def stopped_after(n: int, total: int) -> tuple[Watch, list[Progress]]:
    """A watch that asks for a stop after so many fits, and what it is told."""
    stop, seen = threading.Event(), []

    def report(progress: Progress) -> None:
        seen.append(progress)
        if progress.total == total and progress.done == n:
            stop.set()

    return Watch(report=report, stop=stop), seen


# kept fits


def test_a_stopped_run_goes_on_in_another_program_and_gives_the_same(tmp_path: Path) -> None:
    people = simulated(200, minority=0.4, seed=1)
    fitting.forget()
    straight = audited(people, models=FAST, k=4)
    fitting.forget()
    watch, seen = stopped_after(5, 12)
    watch.keep = KeptFile(tmp_path / ".case.kept", stamp="one")
    with pytest.raises(Cancelled):
        audited(people, models=FAST, k=4, watch=watch)
    last = seen[-1]
    assert last.grid is not None
    assert sum(row.count(DONE) for row in last.grid.values()) == 5
    assert sum(row.count(WAITING) for row in last.grid.values()) == 7
    fitting.forget()  # as if the program had been closed
    again = KeptFile(tmp_path / ".case.kept", stamp="one")
    told = kept.noted(again)
    assert told == {"grid": dict(last.grid), "done": 5, "total": 12}
    assert again.stamped() == "one"
    made: list[int] = []
    watch = Watch(report=lambda p: made.append(p.done) if p.total == 12 else None, keep=again)
    resumed = audited(people, models=FAST, k=4, watch=watch)
    assert made == list(range(6, 13))
    assert canonical_json(resumed.result) == canonical_json(straight.result)
    again.remove()
    assert not again.path.exists() and kept.noted(again) is None


def test_a_strange_piece_is_not_taken_for_a_fit(tmp_path: Path) -> None:
    """The right key and a right fingerprint, but decisions of other people, labels or sizes."""
    people = simulated(90, minority=0.4, seed=6)
    keep = KeptFile(tmp_path / "kept")
    fitting.forget()
    right = audited(people, models=["decision_tree"], k=3, watch=Watch(keep=keep))
    import sqlite3
    import zlib

    with sqlite3.connect(keep.path) as db:
        keys = [k for (k,) in db.execute("SELECT key FROM kept WHERE key LIKE 'fit %'")]
    db.close()
    head = json.dumps({"reason": "", "rounds": 0, "words": [], "people": 30}).encode()
    for body in (
        b"no bytes", zlib.compress(b"\0" * 10_000_000), zlib.compress(np.full(30, 7, "<i2").tobytes()),
    ):  # fmt: skip
        for key in keys:
            keep.put(key, head + b"\n" + body)
        keep.put(kept.NOTE, b"[1, 2]")
        assert kept.noted(keep) is None
        fitting.forget()
        again = audited(people, models=["decision_tree"], k=3, watch=Watch(keep=keep))
        assert again.result == right.result


@pytest.mark.parametrize("change", ["people", "folds", "seed", "outcome"])
def test_kept_fits_are_not_taken_for_other_work(tmp_path: Path, change: str) -> None:
    people = simulated(120, minority=0.4, seed=2)
    keep = KeptFile(tmp_path / "kept")
    fitting.forget()
    audited(people, models=["decision_tree"], k=3, watch=Watch(keep=keep))
    fitting.forget()
    plan, k = helpers.plan(people.attributes, resamples=200), 3
    whole = people.whole
    assert whole is not None and whole.outcome is not None
    if change == "people":
        frame = whole.frame.copy()
        frame.iloc[0, 0] += 0.5
        people = dataclasses.replace(people, whole=dataclasses.replace(whole, frame=frame))
    if change == "outcome":
        outcome = whole.outcome.copy()
        outcome[0] = 1 - outcome[0]
        people = dataclasses.replace(people, whole=dataclasses.replace(whole, outcome=outcome))
    if change == "folds":
        k = 4
    if change == "seed":
        plan = helpers.plan(people.attributes, resamples=200, seed=5)
    made: list[int] = []
    watch = Watch(report=lambda p: made.append(p.done) if p.total == k else None, keep=keep)
    audited(people, plan, models=["decision_tree"], k=k, watch=watch)
    assert made == list(range(1, k + 1))


def test_a_damaged_or_strange_file_costs_the_kept_fits_alone(tmp_path: Path) -> None:
    people = simulated(120, minority=0.4, seed=3)
    path = tmp_path / "kept"
    fitting.forget()
    audited(people, models=["decision_tree"], k=3, watch=Watch(keep=KeptFile(path)))
    import sqlite3

    with sqlite3.connect(path) as db:
        db.execute("UPDATE kept SET data = X'00' WHERE key LIKE 'fit %'")
    db.close()
    for spoil in (lambda: None, lambda: path.write_bytes(b"no database at all")):
        spoil()
        fitting.forget()
        made: list[int] = []
        watch = Watch(
            report=lambda p, made=made: made.append(p.done) if p.total == 3 else None,
            keep=KeptFile(path),
        )
        audited(people, models=["decision_tree"], k=3, watch=watch)
        assert made == [1, 2, 3]
    audited(
        people,
        models=["decision_tree"],
        k=3,
        watch=Watch(keep=KeptFile(tmp_path / "no" / "folder")),
    )


def test_cancel_ends_a_long_fit_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """One support vector machine takes long here; the stop comes while it learns."""
    rng = np.random.default_rng(4)
    n = 12_000
    frame = pd.DataFrame(rng.normal(size=(n, 40)), columns=[f"x{i}" for i in range(40)])
    people = cohort_of(
        frame, [helpers.attribute("g", "a", "b")], {"g": rng.choice(["a", "b"], n)},
        rng.integers(0, 2, n), features=list(frame.columns),
    )  # fmt: skip
    plain, ended = workers._Worker.end, []

    def end(self: Any) -> None:
        plain(self)
        ended.append(self.process)

    monkeypatch.setattr(workers._Worker, "end", end)
    monkeypatch.setattr(fitting, "LONG_FIT", 0.5)
    fitting.forget()
    stop = threading.Event()
    timer = threading.Timer(4.0, stop.set)
    timer.start()
    start = time.monotonic()
    with pytest.raises(Cancelled):
        audited(people, models=["svm"], k=5, processes=1, watch=Watch(stop=stop))
    assert time.monotonic() - start < 15
    assert ended and not any(process.is_alive() for process in ended)


LONG = """
import multiprocessing, os, threading, time
import numpy as np
from engine.base.watch import Watch
from engine.methods.crossval.fitting import Job, Work
from engine.methods.crossval.workers import spread

def tell():
    while not multiprocessing.active_children():
        time.sleep(0.1)
    time.sleep(6)
    print(multiprocessing.active_children()[0].pid, flush=True)

if __name__ == "__main__":
    rng = np.random.default_rng(0)
    n = 20_000
    work = Work(rng.normal(size=(n, 30)), rng.integers(0, 2, n).astype(np.int16),
                (np.arange(n, dtype=np.int16) % 4,), 1)
    threading.Thread(target=tell, daemon=True).start()
    spread(work=work, jobs=[Job("svm", 0, 0)], processes=1, done=lambda *_: None, watch=Watch())
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="looks for the process as on Unix")
def test_a_killed_program_leaves_no_fit_behind(tmp_path: Path) -> None:
    (tmp_path / "long.py").write_text(LONG, encoding="utf-8")
    root = str(Path(__file__).resolve().parents[4])
    program = subprocess.Popen(
        [sys.executable, "long.py"], cwd=tmp_path, env={**os.environ, "PYTHONPATH": root},
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert program.stdout is not None
    child = int(program.stdout.readline())
    os.kill(child, 0)
    program.kill()
    program.wait(10)
    for _ in range(100):
        try:
            os.kill(child, 0)
        except ProcessLookupError:
            return
        state = Path(f"/proc/{child}/stat")
        if state.is_file() and state.read_text().split()[2] == "Z":
            return
        time.sleep(0.1)
    os.kill(child, 9)
    raise AssertionError("the fit went on without its program")


def test_without_room_for_files_the_fits_are_made_here(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device")

    people = simulated(90, minority=0.4, seed=7)
    fitting.forget()
    alone = audited(people, models=["decision_tree"], k=3, processes=1)
    fitting.forget()
    monkeypatch.setattr(workers.np, "save", full)
    assert audited(people, models=["decision_tree"], k=3, processes=2).result == alone.result


def test_a_fit_that_the_machine_lost_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    people = simulated(90, minority=0.4, seed=5)
    plain = fitting.make

    def full(model: str, *rest: Any) -> Any:
        raise MemoryError

    fitting.forget()
    monkeypatch.setattr(fitting, "make", full)
    lost = audited(people, models=["decision_tree"], k=3)
    assert "not enough memory" in lost.result["models"]["decision_tree"]["notes"][0]
    assert lost.result["fits"] == {"decision_tree": FAILED * 3}
    monkeypatch.setattr(fitting, "make", plain)
    found = audited(people, models=["decision_tree"], k=3)
    assert found.result["fits"] == {"decision_tree": DONE * 3}


def test_stopping_early_shows_in_the_grid() -> None:
    noisy = simulated(300, minority=0.5, seed=3, places=12)
    done = audited(noisy, models=["neural_network"], k=3)
    assert UNSETTLED in done.result["fits"]["neural_network"]


# processes


def test_the_number_of_processes_changes_nothing() -> None:
    people = simulated(260, minority=0.4, seed=13)
    seen: list[Progress] = []
    fitting.forget()
    alone = audited(people, watch=Watch(report=seen.append), models=FAST, k=4, processes=1)
    fits = [p for p in seen if p.total == 12]
    assert [p.done for p in fits] == list(range(1, 13))
    assert "Logistic regression: fold 1 of 4" in {p.text for p in fits}
    fitting.forget()
    two = audited(people, models=FAST, k=4, processes=2)
    fitting.forget()
    assert alone.result == two.result
    pd.testing.assert_frame_equal(alone.tables["folds"], two.tables["folds"])


def test_cancel_ends_the_processes_and_keeps_what_is_done() -> None:
    people = simulated(260, minority=0.4, seed=14)
    stop = threading.Event()
    done: list[int] = []

    def report(progress: Progress) -> None:
        if progress.total == 8 and progress.done:
            done.append(progress.done)
            if progress.done == 3:
                stop.set()

    fitting.forget()
    for processes in (1, 2):
        stop.clear()
        done.clear()
        with pytest.raises(Cancelled):
            audited(
                people, watch=Watch(report=report, stop=stop), processes=processes, k=4,
                models=["decision_tree", "k_nearest"],
            )  # fmt: skip
        stored = kept.in_memory()
        assert stored >= 3
        again: list[int] = []
        audited(
            people, models=["decision_tree", "k_nearest"], k=4,
            watch=Watch(report=lambda p, a=again: a.append(p.done) if p.total == 8 else None),
        )  # fmt: skip
        assert len(again) == 8 - stored
        fitting.forget()
