"""Fits that are kept and gone on with, what is known before a run, and one line an algorithm."""

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
from engine.fairness.tests import holm
from engine.methods.crossval import fitting, kept, workers
from engine.methods.crossval.figures import figures
from engine.methods.crossval.findings import findings, quotable, sections
from engine.methods.crossval.outlook import outlook
from engine.methods.crossval.settings import METHOD
from engine.models.standin import MODELS
from engine.plan.model import Outcome, Protected
from tests.engine import driving, helpers

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


# before a run


@pytest.mark.parametrize("scheme", ["shared model", "model per group"])
def test_what_is_known_before_a_run_is_what_the_run_does(scheme: str) -> None:
    people = simulated(300, minority=0.3, seed=6)
    given = {**METHOD.defaults(), "k": 5, "models": FAST, "scheme": scheme}
    plan = helpers.plan(people.attributes, resamples=200)
    ahead = outlook(cohort=people, plan=plan, settings=given, watch=Watch())
    seen: list[Progress] = []
    fitting.forget()
    done = audited(people, plan, models=FAST, k=5, scheme=scheme, watch=Watch(report=seen.append))
    fits = sum(m["fits"] for m in ahead["models"].values())
    assert {p.total for p in seen if p.total} == {fits}
    assert ahead["attributes"]["g"]["groups"] == done.result["attributes"]["g"]["groups"]
    assert ahead["attributes"]["g"]["advice"] == done.result["advice"]
    assert ahead["advised"] == done.result["advice"]["advised"]
    assert ahead["people"] == done.result["people"] == 300
    svm = {**given, "models": ["svm"], "svm_sample": 100}
    ahead = outlook(cohort=people, plan=plan, settings=svm, watch=Watch())
    assert ahead["models"]["svm"]["people"] == 100 and ahead["models"]["svm"]["sampled"]


def test_long_work_is_announced_before_the_first_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    from engine.methods.crossval import running

    people = simulated(120, minority=0.4, seed=7)
    monkeypatch.setattr(running, "SLOW", 0.01)
    seen: list[str] = []
    fitting.forget()
    done = audited(people, models=["svm"], k=3, watch=Watch(report=lambda p: seen.append(p.text)))
    told = next(i for i, words in enumerate(seen) if "square of the people" in words)
    assert told < next(i for i, words in enumerate(seen) if "fold 1 of 3" in words)
    assert any(w["code"] == "crossval.slow" for w in done.warnings)


# correction, order, words


def test_one_correction_goes_over_everything_shown() -> None:
    rng = np.random.default_rng(8)
    people = simulated(400, minority=0.4, seed=8, gap=0.8)
    whole = people.whole
    assert whole is not None
    two = [people.attributes[0], helpers.attribute("h", "p", "q")]
    groups = {
        "g": np.where(whole.codes["g"] == 0, "a", "b"), "h": rng.choice(["p", "q"], len(whole))
    }  # fmt: skip
    assert whole.outcome is not None
    both = cohort_of(whole.frame, two, groups, whole.outcome, features=people.features)
    done = audited(both, models=FAST, k=5, more_attributes=["h"]).result
    raw, told = [], []
    for attribute in done["attributes"].values():
        for model in attribute["models"].values():
            raw += [model[v]["p"] for v in ("TPR", "FPR", "FN_FP")]
            told += [model[v]["p_adjusted_all"] for v in ("TPR", "FPR", "FN_FP")]
            for one in model["pooled"].values():
                raw += [one["careful_p"], one["equivalence_p"]]
                told += [one["careful_p_adjusted"], one["equivalence_p_adjusted"]]
    assert len(raw) == 2 * 3 * 9
    assert told == pytest.approx(holm(raw), nan_ok=False)
    assert done["family"]["all"] == sum(p is not None for p in raw)
    for attribute in done["attributes"].values():
        for model in attribute["models"].values():
            for one in model["pooled"].values():
                assert one["smallest_gap_adjusted"] >= one["smallest_gap"]
                shown = one["careful_p_adjusted"] < 0.05
                assert (one["answer"] == "difference shown") == shown


def test_a_result_read_from_its_file_says_the_same() -> None:
    """A file keeps keys sorted; columns, algorithms and groups must not move by it."""
    people = simulated(260, minority=0.4, seed=9, gap=1.0)
    whole = people.whole
    assert whole is not None
    # "z" is privileged and comes last by the alphabet
    one = helpers.attribute("g", "z", "01")
    groups = np.where(whole.codes["g"] == 0, "z", "01")
    assert whole.outcome is not None
    mine = cohort_of(whole.frame, [one], {"g": groups}, whole.outcome, features=people.features)
    plan = helpers.plan([one], resamples=200)
    done = audited(mine, plan, models=["svm", "decision_tree"], k=5)
    import io

    read = json.loads(canonical_json(done.result))
    tables = {
        stem: pd.read_csv(io.StringIO(table.to_csv(index=False)))
        for stem, table in done.tables.items()
    }
    assert quotable(read) == quotable(done.result)
    assert findings(result=read, plan=plan) == findings(result=done.result, plan=plan)
    assert sections(result=read, plan=plan) == sections(result=done.result, plan=plan)
    assert figures(result=read, tables=tables) == figures(result=done.result, tables=done.tables)
    grid = figures(result=read, tables=tables)[0]
    assert grid.row_names == ("Support vector machine", "Decision tree")  # type: ignore[attr-defined]
    definitions = read["models"]["svm"]["definitions"]
    named = dict(zip(grid.column_names, grid.cells[0], strict=True))  # type: ignore[attr-defined]
    for name, cell in named.items():
        assert cell.text == definitions[name[:1].lower() + name[1:]]["verdict"]


def test_what_went_wrong_is_named_in_the_grid(monkeypatch: pytest.MonkeyPatch) -> None:
    """A group of 3, a fit that fails, constant decisions, a stop before settling, a sample."""
    people = simulated(300, minority=0.3, seed=1, places=12)
    whole = people.whole
    assert whole is not None and whole.outcome is not None
    groups = np.where(whole.codes["g"] == 0, "a", "b").astype(object)
    groups[:3] = "c"
    outcome = whole.outcome.copy()
    outcome[:3] = 0
    one = helpers.attribute("g", "a", "b", "c")
    mine = cohort_of(whole.frame, [one], {"g": groups}, outcome, features=people.features)
    plain = fitting.make

    class Constant:
        def fit(self, x: Any, y: Any) -> Constant:
            return self

        def predict(self, x: Any) -> Any:
            return np.ones(len(x), np.int16)

    def make(model: str, *rest: Any) -> Any:
        if model == "k_nearest":
            raise ValueError("no room for neighbours")
        return Constant() if model == "decision_tree" else plain(model, *rest)

    fitting.forget()
    monkeypatch.setattr(fitting, "make", make)
    names = ["svm", "decision_tree", "k_nearest", "neural_network", "logistic_regression"]
    done = audited(mine, models=names, k=5, svm_sample=200)
    fitting.forget()
    grid = figures(result=done.result, tables=done.tables)[0]
    rows = dict(zip(grid.row_names, grid.cells, strict=True))  # type: ignore[attr-defined]
    assert list(rows) == [
        "Support vector machine (on 200 people)",
        "Decision tree (all decisions alike)",
        "Nearest neighbours (no decisions)",
        "Neural network (5 of 5 fits not settled)",
        "Logistic regression",
    ]
    last = [cell.text for cell in rows["Logistic regression"]]
    assert all(words.endswith(", without c") for words in (last[0], last[1], last[3]))
    assert {c.text for c in rows["Nearest neighbours (no decisions)"]} == {"not computable"}
    two = helpers.attribute("g", "a", "c")
    fitting.forget()
    small = cohort_of(
        whole.frame, [two], {"g": np.where(groups == "c", "c", "a")}, outcome,
        features=people.features,
    )  # fmt: skip
    done = audited(small, models=["logistic_regression"], k=5)
    grid = figures(result=done.result, tables=done.tables)[0]
    assert grid.cells[0][1].text == "not computable: nobody in c"  # type: ignore[attr-defined]


def test_groups_are_called_by_their_labels() -> None:
    people = simulated(200, minority=0.03, seed=10)
    one, two = people.attributes[0], helpers.attribute("h", "p", "q")
    whole = people.whole
    assert whole is not None and whole.outcome is not None
    rng = np.random.default_rng(1)
    groups = {"g": np.where(whole.codes["g"] == 0, "a", "b"), "h": rng.choice(["p", "q"], 200)}
    both = cohort_of(whole.frame, [one, two], groups, whole.outcome, features=people.features)
    protected = (
        Protected("g", "g", ("a",), labels={"a": "elders", "b": "youths"}),
        Protected("h", "h", ("p",), labels={"p": "locals", "q": "guests"}),
    )
    plan = helpers.plan([one, two], resamples=200, protected=protected)
    done = audited(both, plan, models=["decision_tree"], k=10, crossed=["g", "h"])
    assert any("g youths has 0 people" in w["text"] for w in done.warnings)
    tables = {t.title: t for s in sections(result=done.result, plan=plan) for t in s.tables}
    assert tables["People in a fold: g"].columns[1:3] == ("elders", "youths")
    assert {row[1] for row in tables["Rates by group"].rows} >= {"g elders × h guests"}
    assert set(done.tables["folds_advised"]["Group"]) >= {"elders", "g youths × h locals"}
    assert set(done.tables["folds"]["group"]) >= {"a", "b"}  # keys stay in the fixed table
    drawn = [c for c in figures(result=done.result, tables=done.tables) if "folds" in c.key]
    assert {s.name for c in drawn[0].charts for s in c.series} == {"elders", "youths"}  # type: ignore[attr-defined]


def test_several_outcomes_are_printed_against_decisions() -> None:
    rng = np.random.default_rng(11)
    n = 300
    x = rng.normal(size=n)
    value = np.where(x < -0.5, "low", np.where(x < 0.6, "middle", "high"))
    value = np.where(rng.random(n) < 0.2, rng.choice(["low", "middle", "high"], n), value)
    one = helpers.attribute("g", "a", "b")
    people = cohort_of(
        pd.DataFrame({"x": x, "y": pd.Categorical(value)}), [one],
        {"g": rng.choice(["a", "b"], n)}, (value == "high").astype(int), features=["x"],
    )  # fmt: skip
    asked = helpers.plan([one], resamples=100, outcome=Outcome(column="y", favourable=("high",)))
    done = audited(people, asked, models=["decision_tree"], k=5, classes="each")
    table = done.tables["confusion"]
    assert table["People"].sum() == n and len(table) == 2 * 3 * 3
    printed = next(
        t for s in sections(result=done.result, plan=asked) for t in s.tables
        if t.title == "Recorded against decided: Decision tree"
    )  # fmt: skip
    assert printed.columns == ("Group", "Recorded", "Decided high", "Decided low", "Decided middle")
    cells = [int(c) for row in printed.rows for c in row[2:]]
    assert cells == table["People"].tolist()


# one line an algorithm

ONE_LINE = """
import sys
from engine.models.algorithms import MODELS, Algorithm
MODELS["extra_trees"] = Algorithm("Extra trees", "sklearn.ensemble.ExtraTreesClassifier")
if __name__ == "__main__":
    from engine import cli
    sys.exit(cli.main(["audit", "plan.json", "--out", "out"]))
"""


def test_one_line_adds_an_algorithm(tmp_path: Path) -> None:
    rng = np.random.default_rng(12)
    n = 80
    pd.DataFrame(
        {"sex": rng.choice(["M", "F"], n), "income": rng.normal(size=n), "approved": rng.integers(0, 2, n)}
    ).to_csv(tmp_path / "people.csv", index=False)  # fmt: skip
    plan = driving.plan_of(
        methods={"crossval": {"k": 4, "models": ["extra_trees"]}}, features=["income"]
    )
    (tmp_path / "plan.json").write_text(json.dumps(plan), encoding="utf-8")
    (tmp_path / "more.py").write_text(ONE_LINE, encoding="utf-8")
    root = str(Path(__file__).resolve().parents[4])
    done = subprocess.run(
        [sys.executable, "more.py"], cwd=tmp_path, env={**os.environ, "PYTHONPATH": root},
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = driving.result_of(tmp_path / "out")["crossval"]
    assert found["models"]["extra_trees"]["title"] == "Extra trees"
    assert found["fits"] == {"extra_trees": "++++"}
    assert "extra_trees" not in MODELS
