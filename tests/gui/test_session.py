"""The session: acts, drafts, tables and the run, as the command line does it."""

from __future__ import annotations

from pathlib import Path

from engine.base.problems import Refused
from gui.opening import fill_from_sample
from gui.session import Session


def test_set_do_and_draft(session: Session) -> None:
    seen: list[int] = []
    session.changed.connect(lambda: seen.append(1))
    assert session.set(("case", "system"), "Loans", "named the system")
    assert session.facts["system"] == "Loans" and seen == [1]
    session.set_draft("step-3", {"difference": "0.0"})
    assert session.draft("step-3") == {"difference": "0.0"} and seen == [1]
    session.set_draft("step-3", None)
    assert session.draft("step-3") is None


def test_a_refused_act_is_told_and_changes_nothing(session: Session) -> None:
    told: list[Refused] = []
    session.refused.connect(told.append)
    before = session.state
    assert not session.set(("items", "item-9", "role"), "all", "said what a file is for")
    assert len(told) == 1 and session.state == before


def test_a_file_that_cannot_be_read_says_why(session: Session, tmp_path: Path) -> None:
    file = tmp_path / "empty.csv"
    file.write_bytes(b"")
    session.add_files([file])
    assert session.table("item-1") is None
    assert session.table_problems("item-1")


def test_the_sample_runs_to_the_same_result_as_the_command_line(
    session: Session, tmp_path: Path
) -> None:
    from engine.methods.asking import load_plan
    from engine.run import run
    from engine.samples import built_in

    fill_from_sample(session, "german", on_done=lambda: None)
    session.set(("plan", "resamples"), 50, "chose 50 resamples")
    job = session.run_audit()
    assert job.state == "done", job.note
    assert session.result_current and session.result is not None
    plan = built_in.write("german", tmp_path / "german")
    plan.write_text(plan.read_text().replace("{", '{"resamples": 50,', 1))
    other = run(plan=load_plan(plan), base=plan.parent)
    assert session.case.read(session.state["result"]["result_sha256"]) == other.json.encode()
    reading = session.reading
    assert reading is not None and reading.methods[0] == "certification"
    assert reading.charts("certification") and reading.sections("certification")
    session.set(("plan", "seed"), 1, "chose the seed")
    assert not session.result_current


def test_no_copy_of_the_files_stays_behind(session: Session, tmp_path: Path, monkeypatch) -> None:
    import tempfile

    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    file = tmp_path / "a.csv"
    file.write_text("age,Risk\n30,good\n20,bad\n")
    session.add_files([file])
    assert session.table("item-1") is not None
    assert list(folder.iterdir()) == []


def test_kept_pieces_that_nobody_came_back_to_go_with_the_next_run(session: Session) -> None:
    """They hold decisions about people; what is gone on with stays, however old."""
    import os

    from gui import paths

    own, old, new = session.kept.path, paths.cache() / "old.kept", paths.cache() / "new.kept"
    other = paths.cache() / "fonts.json"
    for file in (own, old, new, other):
        file.write_bytes(b"x")
    for file in (own, old, other):
        os.utime(file, (1, 1))
    paths.drop_old_kept(but=own)
    assert [f.exists() for f in (own, old, new, other)] == [True, False, True, True]
    for file in (own, new, other):
        file.unlink()
