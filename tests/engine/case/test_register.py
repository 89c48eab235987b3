"""The office's register: numbers never repeat, changes are kept, several people take turns."""

from __future__ import annotations

import csv
import sqlite3
import subprocess
import sys
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from engine.base.problems import Refused
from engine.case.register import Entry, Register

ROOT = Path(__file__).resolve().parents[3]
WHO = {"who": "Decider", "when": "2026-11-24T10:41:00+01:00"}
FIRST = Entry(
    number="EAO-2026-0001",
    revision=1,
    kind="certificate",
    system="Retail credit decision 4.2",
    client="Example Bank",
    status="valid",
    decided="2026-11-23",
    issued="2026-11-24",
    expires="2027-11-24",
    next_check="2027-05-24",
    replaces="",
    why="",
    sha256="aa",
    issued_by="Decider",
)


@pytest.fixture
def register(tmp_path: Path) -> Register:
    made = Register(tmp_path / "office.register")
    made.enter(FIRST, **WHO)
    return made


def test_numbers_never_repeat(register: Register) -> None:
    assert register.next_number(prefix="EAO", year=2026) == "EAO-2026-0002"
    assert register.next_number(prefix="EAO", year=2027) == "EAO-2027-0001"
    with pytest.raises(Refused, match="in the register already"):
        register.enter(FIRST, **WHO)
    db = sqlite3.connect(register.path)
    with pytest.raises(sqlite3.IntegrityError):
        db.execute("DELETE FROM certificates")
    db.close()


def test_a_revision_says_what_it_replaces_and_why(register: Register) -> None:
    second = replace(FIRST, revision=2, replaces=FIRST.number)
    with pytest.raises(Refused, match="needs a reason"):
        register.enter(second, **WHO)
    register.enter(replace(second, why="A name was misspelt."), **WHO)
    by_revision = {entry.revision: entry for entry in register.search()}
    assert by_revision[1].status == "superseded" and by_revision[2].status == "valid"
    last = register.changes(FIRST.number, 1)[-1]
    assert "misspelt" in last.reason and last.who == "Decider"
    newest = register.get(FIRST.number)
    assert newest is not None and newest.revision == 2
    with pytest.raises(Refused, match="already"):
        register.enter(replace(second, revision=1, why="x"), **WHO)


def test_another_number_may_replace_it(register: Register) -> None:
    register.enter(
        replace(FIRST, number="EAO-2026-0002", replaces=FIRST.number, why="Rechecked."), **WHO
    )
    found = register.get(FIRST.number)
    assert found is not None and found.status == "superseded"


def test_status_search_and_expiry(register: Register) -> None:
    assert [e.number for e in register.search("RETAIL")] == [FIRST.number]
    assert [e.number for e in register.search("example b")] == [FIRST.number]
    assert register.search("nothing") == []
    assert register.search(today=date(2027, 11, 24))[0].status == "valid"
    assert register.search(today=date(2027, 11, 25), status="expired")
    register.set_status(FIRST.number, 1, "suspended", reason="Drift.", **WHO)
    assert register.search(today=date(2028, 1, 1))[0].status == "suspended"
    assert [c.status for c in register.changes(FIRST.number, 1)] == ["valid", "suspended"]
    with pytest.raises(Refused, match="not a status"):
        register.set_status(FIRST.number, 1, "lost", reason="", **WHO)
    with pytest.raises(Refused, match="has no certificate"):
        register.set_status("EAO-1", 1, "valid", reason="", **WHO)


def test_export_holds_words_and_runs_nothing(register: Register, tmp_path: Path) -> None:
    register.enter(
        replace(FIRST, number="EAO-2026-0002", client='=HYPERLINK("x")', system="Größe, Ελλάδα"),
        **WHO,
    )
    out = register.export_csv(tmp_path / "register.csv")
    rows = list(csv.DictReader(out.open(encoding="utf-8-sig", newline="")))
    assert rows[0]["Client"] == '\'=HYPERLINK("x")' and rows[0]["System"] == "Größe, Ελλάδα"
    assert rows[1]["Number"] == FIRST.number and len(rows) == 2


def test_what_is_no_register(tmp_path: Path) -> None:
    path = tmp_path / "x.register"
    assert Register(path).search() == [] and not path.exists()
    path.write_text("not a database, and long enough to be looked at as one" * 20)
    with pytest.raises(Refused, match="not a register"):
        Register(path).search()
    path.unlink()
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE t(x)")
    db.close()
    with pytest.raises(Refused, match="not a register"):
        Register(path).search()
    db = sqlite3.connect(path)
    db.execute("PRAGMA application_id = 0x46417267")
    db.execute("PRAGMA user_version = 9")
    db.close()
    with pytest.raises(Refused, match="newer"):
        Register(path).next_number(prefix="E", year=2026)


def test_several_auditors_take_turns(tmp_path: Path) -> None:
    """Four processes enter ten certificates each: forty numbers, none twice."""
    path = tmp_path / "office.register"
    code = f"""
import sys
from dataclasses import replace
from engine.base.problems import Refused
from engine.case.register import Entry, Register
first = {FIRST!r}
register = Register(sys.argv[1])
for _ in range(10):
    while True:
        number = register.next_number(prefix="EAO", year=2026)
        try:
            register.enter(replace(first, number=number), who=sys.argv[2], when="2026-11-24")
            break
        except Refused as refused:
            assert "already" in str(refused), refused
"""
    children = [
        subprocess.Popen([sys.executable, "-c", code, str(path), f"A{n}"], cwd=ROOT)
        for n in range(4)
    ]
    assert [child.wait(timeout=120) for child in children] == [0] * 4
    numbers = sorted(entry.number for entry in Register(path).search())
    assert numbers == [f"EAO-2026-{n:04d}" for n in range(1, 41)]


def test_only_what_may_follow_follows_and_each_change_has_a_reason(register: Register) -> None:
    who = {**WHO, "number": FIRST.number, "revision": 1}
    with pytest.raises(Refused, match="needs a reason"):
        register.set_status(status="suspended", reason=" ", **who)
    with pytest.raises(Refused, match="valid already"):
        register.set_status(status="valid", reason="x", **who)
    register.set_status(status="suspended", reason="Drift.", **who)
    register.set_status(status="valid", reason="Mended.", **who)
    register.set_status(status="withdrawn", reason="The data were wrong.", **who)
    with pytest.raises(Refused, match="Issue a new revision"):
        register.set_status(status="valid", reason="No.", **who)
    assert [c.status for c in register.changes(FIRST.number, 1)] == [
        "valid", "suspended", "valid", "withdrawn",
    ]  # fmt: skip


def test_an_entry_keeps_all_but_its_status(register: Register) -> None:
    with sqlite3.connect(register.path) as db:
        for column in ("number", "client", "sha256", "expires", "issued_by"):
            with pytest.raises(sqlite3.IntegrityError, match="keeps all but its status"):
                db.execute(f"UPDATE certificates SET {column} = 'x'")
    db.close()


def test_a_number_that_looks_the_same_is_the_same(register: Register) -> None:
    for number in ("eao-2026-0001", " EAO-2026-0001 ", "ＥＡＯ-2026-0001"):
        with pytest.raises(Refused, match="already"):
            register.reserve(number, 1, holder="case", **WHO)
    assert register.next_number(prefix="eao", year=2026) == "eao-2026-0002"


def test_every_word_is_looked_for_in_every_place(register: Register) -> None:
    register.enter(
        replace(FIRST, number="EAO-2026-0002", system="Größe", client="Τράπεζα Άλφα"), **WHO
    )
    assert [e.number for e in register.search("grosse τραπεζα")] == ["EAO-2026-0002"]
    assert [e.number for e in register.search("valid 0001 bank")] == [FIRST.number]
    assert register.search("0001 grosse") == []


def test_the_export_says_since_when_and_why(register: Register, tmp_path: Path) -> None:
    register.set_status(FIRST.number, 1, "withdrawn", reason="Wrong data.", **WHO)
    out = register.export_csv(tmp_path / "r.csv")
    row = next(csv.DictReader(out.open(encoding="utf-8-sig", newline="")))
    assert (row["Status"], row["Status since"], row["Why this status"]) == (
        "withdrawn", "2026-11-24", "Wrong data.",
    )  # fmt: skip


def test_a_register_of_an_older_version_is_brought_up(tmp_path: Path, register: Register) -> None:
    with sqlite3.connect(register.path) as db:  # as version 1 wrote it
        db.execute("DROP TRIGGER certificates_keep")
        db.execute("DROP TABLE taken")
        db.execute("PRAGMA user_version = 1")
    db.close()
    assert [e.number for e in register.search()] == [FIRST.number]
    taken = register.take(prefix="EAO", year=2026, holder="case", **WHO)
    assert taken == "EAO-2026-0002"
    with sqlite3.connect(register.path) as db, pytest.raises(sqlite3.IntegrityError):
        db.execute("UPDATE certificates SET client = 'x'")
    db.close()


def test_auditors_killed_in_the_middle_lose_and_repeat_no_number(tmp_path: Path) -> None:
    """Four processes take numbers and enter papers; two are killed at any moment."""
    path = tmp_path / "office.register"
    code = f"""
import sys
from dataclasses import replace
from engine.case.register import Entry, Register
first = {FIRST!r}
register = Register(sys.argv[1])
for n in range(int(sys.argv[3])):
    who = {{"who": sys.argv[2], "when": "2026-11-24"}}
    holder = f"{{sys.argv[2]}}-{{n}}"
    number = register.take(prefix="EAO", year=2026, holder=holder, **who)
    print(number, flush=True)
    register.reserve(number, 1, holder=holder, **who)
    register.enter(replace(first, number=number, sha256=holder), holder=holder, **who)
"""

    def started(name: str, times: int) -> subprocess.Popen[str]:
        words = [sys.executable, "-c", code, str(path), name, str(times)]
        return subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, text=True)

    steady = [started(name, 8) for name in ("A", "B")]
    short = [started(name, 10_000) for name in ("C", "D")]
    for child in short:
        assert child.stdout is not None
        child.stdout.readline()
        child.kill()
    said = [
        number for child in steady + short for number in child.communicate(timeout=120)[0].split()
    ]
    assert [child.returncode for child in steady] == [0, 0]
    assert len(said) == len(set(said)) >= 16
    entered = [entry.number for entry in Register(path).search()]
    assert len(entered) == len(set(entered)) >= 16
    db = sqlite3.connect(path)
    assert db.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
    taken = {number for (number,) in db.execute("SELECT number FROM taken")}
    db.close()
    assert set(entered) <= taken
    new = Register(path).take(prefix="EAO", year=2026, holder="E", **WHO)
    assert new not in taken
