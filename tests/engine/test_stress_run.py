"""Stress tests on a result that stands give what the whole run gives, and a stop keeps its part."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.base.problems import Cancelled
from engine.base.watch import Progress, Watch
from engine.methods.asking import load_plan
from engine.methods.peers import stress as cells_of
from engine.plan.model import Plan
from engine.run import run
from engine.run.stress import Stressed, stress_tests
from engine.run.writing import csv_text
from engine.samples.built_in import write

QUICK = {"tune": False, "closed_form": True}


@pytest.fixture(scope="module")
def firms(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write("sme", tmp_path_factory.mktemp("firms"))


def asking(path: Path, **settings: Any) -> Plan:
    plan = load_plan(path)
    given = {**plan.methods["peers"], **QUICK, **settings}
    return dataclasses.replace(plan, methods={"peers": given})


def files_of(done: Any) -> dict[str, bytes]:
    return {f"tables/{k}.csv": csv_text(t).encode() for k, t in done.tables.items()}


@pytest.fixture(scope="module")
def bare(firms: Path) -> Any:
    return run(plan=asking(firms), base=firms.parent)


def test_same_bytes_as_the_whole_run_and_nothing_else_is_computed(
    firms: Path, bare: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = asking(firms, stress=["delta", "draws", "imbalance"], stress_repeats=1)
    plan = dataclasses.replace(
        plan, methods={"peers": {**plan.methods["peers"], "stress_levels": [30, 20]}}
    )
    whole = run(plan=plan, base=firms.parent)
    monkeypatch.setattr("engine.run.stress.run", _never)
    made = stress_tests(
        plan=plan, base=firms.parent, result=json.loads(bare.json), files=files_of(bare),
        watch=Watch(),
    )  # fmt: skip
    assert made.json == whole.json
    assert made.files == files_of(whole)
    assert (made.done, made.of) == (12, 12)


def _never(*_: Any, **__: Any) -> Any:
    raise AssertionError("computed the whole again")


def stopping_after(cells: int) -> Watch:
    watch = Watch()

    def report(progress: Progress) -> None:
        if progress.text.startswith("Stress test") and progress.done == cells:
            watch.stop.set()

    watch.report = report
    return watch


def test_a_stop_keeps_what_is_done_and_the_plan_says_so(
    firms: Path, bare: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = asking(firms, stress=["delta", "draws"])
    old, files = json.loads(bare.json), files_of(bare)
    part = stress_tests(
        plan=plan, base=firms.parent, result=old, files=files, watch=stopping_after(2)
    )
    assert (part.done, part.of) == (3, 10)  # the one that ran when the stop came is kept too
    kept = json.loads(part.json)
    assert kept["plan"]["methods"]["peers"]["stress_cells"] == 3
    assert kept["peers"]["stress_runs"] == {"done": 3, "of": 10, "reason": ""}
    assert [s["level"] for s in kept["peers"]["stress"]] == [
        "factor 0.2",
        "factor 0.3",
        "factor 0.4",
    ]
    # The case's own plan gives the very same result again.
    assert run(plan=part.plan, base=firms.parent).json == part.json
    # Going on makes only the other seven.
    made: list[str] = []
    monkeypatch.setattr(cells_of, "_entry", _counted(cells_of._entry, made))
    rest = stress_tests(plan=plan, base=firms.parent, result=kept, files=part.files, watch=Watch())
    assert (rest.done, rest.of, len(made)) == (10, 10, 7)
    monkeypatch.undo()
    assert rest.json == run(plan=plan, base=firms.parent).json


def _counted(work: Callable[..., Any], made: list[str]) -> Callable[..., Any]:
    def entry(*given: Any, **more: Any) -> Any:
        made.append(given[0])
        return work(*given, **more)

    return entry


def test_a_stop_before_the_first_test_is_a_stop(firms: Path, bare: Any) -> None:
    watch = Watch()
    watch.stop.set()
    with pytest.raises(Cancelled):
        stress_tests(
            plan=asking(firms, stress=["delta"]), base=firms.parent, result=json.loads(bare.json),
            files=files_of(bare), watch=watch,
        )  # fmt: skip


def test_whoever_gives_up_at_once_still_gets_what_is_done(firms: Path, bare: Any) -> None:
    handed: list[Callable[[], Stressed]] = []
    stress_tests(
        plan=asking(firms, stress=["delta"]), base=firms.parent, result=json.loads(bare.json),
        files=files_of(bare), watch=Watch(), ready=handed.append,
    )  # fmt: skip
    assert handed[0]().done == 4


def test_another_plan_other_data_or_no_result_runs_the_audit_first(
    firms: Path, bare: Any, tmp_path: Path
) -> None:
    wanted = asking(firms, stress=["delta"], extreme=0.2)
    whole = run(plan=wanted, base=firms.parent)
    for result, files in ((json.loads(bare.json), files_of(bare)), (None, {})):
        made = stress_tests(
            plan=wanted, base=firms.parent, result=result, files=files, watch=Watch()
        )
        assert made.json == whole.json
    fewer = write("sme", tmp_path)
    data = next(p for p in tmp_path.iterdir() if p.suffix == ".csv")
    data.write_text("\n".join(data.read_text("utf-8").splitlines()[:2001]) + "\n", "utf-8")
    made = stress_tests(
        plan=asking(fewer, stress=["delta"]), base=tmp_path, result=json.loads(bare.json),
        files=files_of(bare), watch=Watch(),
    )  # fmt: skip
    assert json.loads(made.json)["peers"]["n_protected"] < 1000


def test_shares_that_leave_no_one_are_an_entry_without_numbers(firms: Path) -> None:
    plan = asking(firms, stress=["imbalance"], stress_levels=[0.01], stress_repeats=1)
    done = run(plan=plan, base=firms.parent)
    [line] = done.result["peers"]["stress"]
    assert line["tested"] == 0 and line["unfair_share"] is None
