"""What the register says of one paper; a number is taken before signing and entered after."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from engine.base.problems import Refused
from engine.case.register import APPLICATION_ID, Register
from engine.case.register_schema import STEPS
from engine.case.standing import standing

from .test_register import FIRST, ROOT, WHO

ASKED = {"number": FIRST.number, "revision": 1, "sha256": "aa", "today": date(2026, 12, 1)}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    made = tmp_path / "office.fairregister"
    Register(made).enter(FIRST, **WHO)
    return made


def test_a_valid_paper_stands(path: Path) -> None:
    before = path.read_bytes()
    found = standing(path, **ASKED)
    assert found.stands and found.status == "valid" and "valid" in found.lines[0]
    late = standing(path, **{**ASKED, "today": date(2028, 1, 1)})
    assert late.stands and late.status == "expired"
    assert path.read_bytes() == before


@pytest.mark.parametrize("status", ["suspended", "withdrawn"])
def test_what_was_taken_back_does_not(path: Path, status: str) -> None:
    Register(path).set_status(FIRST.number, 1, status, reason="The data were wrong", **WHO)
    found = standing(path, **ASKED)
    assert not found.stands and found.status == status
    assert status.upper() in found.lines[0]
    assert "The data were wrong" in found.lines[1] and "Decider" in found.lines[1]


def test_a_register_edited_by_hand_vouches_for_nothing(path: Path) -> None:
    """A withdrawn paper made valid again past the program."""
    Register(path).set_status(FIRST.number, 1, "withdrawn", reason="The data were wrong", **WHO)
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE certificates SET status = 'valid'")
    found = standing(path, **ASKED)
    assert not found.stands and found.status == "edited"
    assert "edited the file by hand" in found.lines[0]


def test_what_was_replaced_names_what_stands_in_its_place(path: Path) -> None:
    Register(path).enter(replace(FIRST, revision=2, sha256="bb", why="A misprint."), **WHO)
    found = standing(path, **ASKED)
    assert not found.stands and found.status == "superseded"
    assert found.lines[-1] == f"In its place stands {FIRST.number}, revision 2."
    assert standing(path, **{**ASKED, "revision": 2, "sha256": "bb"}).stands


def test_another_file_and_an_unknown_number(path: Path, tmp_path: Path) -> None:
    assert standing(path, **{**ASKED, "sha256": "ff"}).status == "other file"
    assert standing(path, **{**ASKED, "number": "EAO-2026-0009"}).status == "unknown"
    assert not standing(path, **{**ASKED, "revision": 7}).stands
    with pytest.raises(Refused, match="no such register"):
        standing(tmp_path / "missing.fairregister", **ASKED)
    (tmp_path / "x.fairregister").write_text("no register, but long enough" * 99)
    with pytest.raises(Refused, match="not a register"):
        standing(tmp_path / "x.fairregister", **ASKED)


def test_a_register_that_cannot_be_written_is_read(path: Path) -> None:
    path.chmod(0o400)
    path.parent.chmod(0o500)
    try:
        assert standing(path, **ASKED).stands
    finally:
        path.parent.chmod(0o700)


# Numbers -----------------------------------------------------------------------------------------


def test_a_number_taken_is_nobody_elses(path: Path) -> None:
    book = Register(path)
    asked = {"prefix": "EAO", "year": 2026, **WHO}
    first, second = book.take(holder="case 1", **asked), book.take(holder="case 2", **asked)
    assert (first, second) == ("EAO-2026-0002", "EAO-2026-0003")
    assert book.take(holder="case 1", **asked) == first
    assert book.next_number(prefix="EAO", year=2026) == "EAO-2026-0004"
    with pytest.raises(Refused, match="already"):
        book.reserve(first, 0, holder="case 2", **WHO)
    with pytest.raises(Refused, match="already"):
        book.enter(replace(FIRST, number=first, revision=0), holder="case 2", **WHO)
    book.reserve(first, 0, holder="case 1", **WHO)
    book.enter(replace(FIRST, number=first, revision=0), holder="case 1", **WHO)
    assert book.take(holder="case 1", **asked) == "EAO-2026-0004"
    db = sqlite3.connect(path)
    for act in ("DELETE FROM taken", "UPDATE taken SET holder = 'case 9'"):
        with pytest.raises(sqlite3.IntegrityError):
            db.execute(act)
    db.close()


def test_a_crash_after_the_signature_is_made_good(path: Path) -> None:
    """Number taken, file signed and kept, program gone: the entry is made when it comes back."""
    book = Register(path)
    number = book.take(prefix="EAO", year=2026, holder="case 1", **WHO)
    assert standing(path, **{**ASKED, "number": number, "revision": 0}).status == "unknown"
    entry = replace(FIRST, number=number, revision=0, sha256="cc")
    book.reserve(number, 0, holder="case 1", **WHO)
    book.enter(entry, holder="case 1", **WHO)
    book.enter(entry, holder="case 1", **WHO)
    assert [c.status for c in book.changes(number, 0)] == ["valid"]
    with pytest.raises(Refused, match="already"):
        book.enter(replace(entry, sha256="dd"), holder="case 1", **WHO)


def test_a_register_of_the_first_version_takes_numbers_too(tmp_path: Path) -> None:
    path = tmp_path / "old.fairregister"
    db = sqlite3.connect(path)
    for statement in STEPS[0]:
        db.execute(statement)
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    db.execute("PRAGMA user_version = 1")
    db.commit()
    db.close()
    book = Register(path)
    assert book.search() == []
    assert book.take(prefix="E", year=2026, holder="c", **WHO) == "E-2026-0001"
    assert book.take(prefix="E", year=2026, holder="d", **WHO) == "E-2026-0002"


def test_auditors_who_take_numbers_at_once_get_different_ones(tmp_path: Path) -> None:
    path = tmp_path / "office.fairregister"
    code = (
        "import sys; from engine.case.register import Register; book = Register(sys.argv[1])\n"
        "for n in range(10): print(book.take(prefix='EAO', year=2026, "
        "holder=f'{sys.argv[2]}-{n}', who='A', when='2026-11-24'))"
    )
    children = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(path), f"A{n}"],
            cwd=ROOT, stdout=subprocess.PIPE, text=True,
        )
        for n in range(3)
    ]  # fmt: skip
    found = [line for child in children for line in child.communicate(timeout=120)[0].split()]
    assert sorted(found) == [f"EAO-2026-{n:04d}" for n in range(1, 31)]
