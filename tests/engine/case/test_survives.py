"""Killed, cut, flipped, edited: what was confirmed is there, and what is damaged is named."""

from __future__ import annotations

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from engine.base.problems import Refused
from engine.case import migrations
from engine.case.check import check, check_file, salvage
from engine.case.store import Case
from engine.case.trail import link
from engine.procedure import acts

from .helpers import DATA, WHO, small_case

ROOT = Path(__file__).resolve().parents[3]

AUDIT = """
import io, random, sys
from engine.case.store import Case
from engine.procedure import acts
who = {"who": "E", "when": "2026-11-24T10:00:00+01:00"}
case = Case.open(sys.argv[1], who="E")
assert not case.read_only and not case.damage, case.read_only_why
rng = random.Random(int(sys.argv[2]))
count = int(case.state["case"]["scope"] or 0)
print("ready", count, case.head(), flush=True)
while True:
    count += 1
    case.do(acts.set_value(("case", "scope"), str(count), words="counted", **who))
    print("act", count, case.head(), flush=True)
    if count % 3 == 0:
        data = rng.randbytes(1_500_000)
        kept = case.add_bytes(io.BytesIO(data), f"{count}.bin")
        case.do(acts.add_item(case.state, name=kept.name, bytes=kept.bytes,
                              sha256=kept.sha256, role="document", **who))
        print("item", count, case.head(), flush=True)
    if count % 5 == 0:
        case.do(acts.draft("page", {"n": count}))
        case.undo(**who)
        case.redo(**who)
        print("turned", count, case.head(), flush=True)
"""


def kill_and_look(path: Path, *, times: int, seed: int) -> int:
    """Kill a scripted audit at random moments; returns how many acts were done in all."""
    rng = random.Random(seed)
    total = 0
    for number in range(times):
        child = subprocess.Popen(
            [sys.executable, "-c", AUDIT, str(path), str(number)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=ROOT,
            text=True,
        )
        assert child.stdout is not None
        first = child.stdout.readline()
        assert first.startswith("ready"), child.communicate()[1]
        time.sleep(rng.uniform(0.0, 0.25))
        child.send_signal(signal.SIGKILL)
        lines = [first, *child.communicate()[0].splitlines()]
        said = [line for line in lines if len(line.split()) == 3 and len(line.split()[2]) == 64]
        _, count, head = said[-1].split()
        with Case.open(path) as case:
            assert not case.read_only and not case.damage
            # What was said to be done is done; at most the act that was under way came after it.
            trail = case.trail()
            hashes = [event.hash for event in trail]
            assert head in hashes
            assert len(hashes) - hashes.index(head) - 1 <= 3
            taken_back = trail[-1].kind == "undo"  # killed between the script's undo and redo
            assert int(case.state["case"]["scope"] or 0) >= int(count) - taken_back
            report = check(case)
            assert report.whole, report
            # Half received files are gone.
            whole = "SELECT count(*) FROM blobs WHERE sha256 IS NULL"
            assert case.connection.execute(whole).fetchone() == (0,)
            total = len(hashes)
    return total


def test_killed_at_random_moments(tmp_path: Path) -> None:
    path = tmp_path / "audit.fairassay"
    Case.create(path, **WHO).close()
    assert kill_and_look(path, times=20, seed=1) > 20


@pytest.mark.slow
def test_killed_two_hundred_times(tmp_path: Path) -> None:
    for part in range(5):
        path = tmp_path / f"audit-{part}.fairassay"
        Case.create(path, **WHO).close()
        kill_and_look(path, times=40, seed=100 + part)
        path.unlink()


def test_killed_while_being_made(tmp_path: Path) -> None:
    """A new case is there whole, or not at all; a second try works."""
    path = tmp_path / "audit.fairassay"
    code = (
        "import sys\nfrom engine.case.store import Case\nprint('go', flush=True)\n"
        "Case.create(sys.argv[1], who='E', when='2026-11-24T10:00:00+01:00')\n"
    )
    rng = random.Random(3)
    for _ in range(6):
        child = subprocess.Popen(
            [sys.executable, "-c", code, str(path)], stdout=subprocess.PIPE, cwd=ROOT
        )
        assert child.stdout is not None
        child.stdout.readline()
        time.sleep(rng.uniform(0, 0.02))
        child.kill()
        child.communicate()
        if not path.exists():
            Case.create(path, **WHO).close()
        with Case.open(path) as case:
            assert check(case).whole and not case.read_only
        path.unlink()


def test_power_cut_in_the_middle_of_a_commit(tmp_path: Path) -> None:
    """Replay the writes of one commit up to every page: old or new state, never a mixture."""
    path = tmp_path / "audit.fairassay"
    with small_case(path) as case:
        old_state = case.state
    old = path.read_bytes()
    # The journal as it lies on disk while the new pages go in.
    code = (
        "import os, shutil, sqlite3, sys\nfrom engine.case import blobs, store\n"
        "from engine.procedure import acts\n"
        "who = {'who': 'E', 'when': '2026-11-24T10:00:00+01:00'}\n"
        "case = store.Case.open(sys.argv[1])\ndb = case.connection\n"
        "db.execute('PRAGMA cache_size = 1')\ndb.execute('PRAGMA cache_spill = 1')\n"
        "db.execute('BEGIN IMMEDIATE')\n"
        "db.execute(\"UPDATE head SET state = ?\", ('x' * 400_000,))\n"
        "db.execute(\"INSERT INTO chunks VALUES (50, 0, 'none', zeroblob(300000))\")\n"
        "shutil.copy(sys.argv[1], sys.argv[1] + '.mid')\n"
        "shutil.copy(sys.argv[1] + '-journal', sys.argv[1] + '.mid-journal')\nos._exit(1)\n"
    )
    subprocess.run([sys.executable, "-c", code, str(path)], cwd=ROOT, check=False)
    middle = Path(f"{path}.mid").read_bytes()
    journal = Path(f"{path}.mid-journal").read_bytes()
    assert middle != old and journal[:8] == bytes.fromhex("d9d505f920a163d7")
    torn = tmp_path / "torn.fairassay"
    for cut in range(0, len(middle), 65536):
        torn.write_bytes(middle[:cut] + old[cut:])
        Path(f"{torn}-journal").write_bytes(journal)
        with Case.open(torn) as case:
            assert case.state == old_state and check(case).whole


def test_every_flipped_bit_is_named_or_harmless(tmp_path: Path) -> None:
    path = tmp_path / "audit.fairassay"
    with small_case(path, named=12) as case:
        state, trail = case.state, case.trail()
        sha256 = state["items"][0]["sha256"]
    whole = path.read_bytes()
    flipped = tmp_path / "flipped.fairassay"
    target = tmp_path / "salvaged.fairassay"
    rng = random.Random(5)
    named = saved = 0
    for _ in range(240):
        raw = bytearray(whole)
        raw[rng.randrange(len(raw))] ^= 1 << rng.randrange(8)
        flipped.write_bytes(raw)
        try:
            found = check_file(flipped).faults
        except Refused as refused:
            assert refused.problems[0].file == flipped.name
            named += 1
            continue
        if not found:  # the flip hit space that holds nothing: every word of the case is the same
            with Case.open(flipped) as case:
                assert (case.state, case.trail()) == (state, trail)
                assert case.read(sha256) == DATA
            continue
        named += 1
        assert all(fault.text and fault.place for fault in found)
        try:
            salvage(flipped, target, **WHO)
        except Refused:
            continue
        with Case.open(target) as case:
            assert not case.damage
            kinds = {fault.kind for fault in check(case).faults}
            assert kinds <= {"bytes"}
            assert case.state["case"] == state["case"] and case.state["items"] == state["items"]
            saved += kinds == set()
        target.unlink()
    assert named > 25 and saved > 8


def edited(path: Path, *statements: str) -> None:
    """Change a case as somebody with a database tool would."""
    db = sqlite3.connect(path)
    triggers = db.execute("SELECT name, sql FROM sqlite_master WHERE type='trigger'").fetchall()
    for name, _ in triggers:
        db.execute(f"DROP TRIGGER {name}")
    for statement in statements:
        db.execute(statement)
    for _, sql in triggers:
        db.execute(sql)
    db.commit()
    db.close()


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("UPDATE trail SET event = replace(event, 'System 1', 'System 9')", "Entry 4 "),
        ("UPDATE trail SET hash = upper(hash) WHERE seq = 3", "Entry 3 "),
        ("DELETE FROM trail WHERE seq = 3", "Entry 3 of the trail is missing"),
        ("DELETE FROM trail WHERE seq >= 4", "its end was cut"),
        ("UPDATE head SET hash = 'x'", "last fingerprint"),
        ("DELETE FROM head", "last fingerprint"),
    ],
)
def test_an_edited_or_cut_trail_is_found(tmp_path: Path, statement: str, words: str) -> None:
    path = tmp_path / "audit.fairassay"
    small_case(path).close()
    edited(path, statement)
    texts = [fault.text for fault in check_file(path).faults if fault.kind == "trail"]
    assert len(texts) == 1 and words in texts[0]
    with Case.open(path) as case:
        assert case.read_only and words in case.damage and "Salvage" in case.read_only_why
        if "head" not in statement or "UPDATE" in statement:
            assert case.state["case"]["system"] == "System 2"  # the last stored state is sound
        assert case.read(case.state["items"][0]["sha256"]) == DATA
    salvage(path, tmp_path / "new.fairassay", **WHO)
    with Case.open(tmp_path / "new.fairassay") as case:
        assert not case.read_only and check(case).whole
        assert "salvaged from audit.fairassay" in case.trail()[1].words
        case.do(acts.note("goes on", **WHO))


def test_a_rewritten_trail_is_found_by_the_paper(tmp_path: Path) -> None:
    """All hashes made anew: only the head printed on a certificate tells."""
    path = tmp_path / "audit.fairassay"
    with small_case(path) as case:
        printed = case.head()
        case.do(acts.note("issued", **WHO))
    db = sqlite3.connect(path)
    rows = db.execute("SELECT seq, event FROM trail ORDER BY seq").fetchall()
    db.close()
    previous, statements = "0" * 64, []
    for seq, event in rows:
        event = event.replace("System 1", "System 7")
        new = link(seq=seq, previous=previous, event=event)
        quoted = event.replace("'", "''")
        statements.append(
            f"UPDATE trail SET event='{quoted}', previous='{previous}', hash='{new}' WHERE seq={seq}"
        )
        previous = new
    edited(path, *statements, f"UPDATE head SET hash='{previous}'")
    assert check_file(path).whole
    kinds = [fault.kind for fault in check_file(path, witness=printed).faults]
    assert kinds == ["witness"]


def test_damaged_bytes_and_pages_are_named(tmp_path: Path) -> None:
    path = tmp_path / "audit.fairassay"
    small_case(path).close()
    db = sqlite3.connect(path)
    db.execute("UPDATE chunks SET data = zeroblob(length(data))")
    db.execute("UPDATE drafts SET fields = '{}'")
    db.execute("UPDATE head SET state = replace(state, 'System 2', 'System 8')")
    db.commit()
    db.close()
    report = check_file(path)
    found = {fault.kind: fault for fault in report.faults}
    assert set(found) == {"bytes", "draft", "state"}
    assert "people.csv" in found["bytes"].text and "step-1" in found["draft"].text
    with Case.open(path) as case:
        assert case.state["drafts"] == {} and case.state["case"]["system"] == "System 2"
        with pytest.raises(Refused, match=r"people\.csv are damaged"):
            case.extract(case.state["items"][0]["sha256"], tmp_path, "people.csv")
        assert "people.csv" not in os.listdir(tmp_path)


def test_the_stored_case_of_version_1_opens(tmp_path: Path) -> None:
    """A case written when version 1 was new: it must open for ever."""
    stored = ROOT / "tests" / "data" / "case-v1.fairassay"
    path = tmp_path / "old.fairassay"
    shutil.copy(stored, path)
    with Case.open(path) as case:
        assert not case.read_only and not case.damage and check(case).whole
        assert case.state["case"]["system"] == "System 2"
        assert case.state["drafts"] == {"step-1": {"filter": "se"}}
        assert case.read(case.state["items"][0]["sha256"]) == DATA
        assert [event.kind for event in case.trail()] == ["create", *["act"] * 4]
        case.do(acts.note("goes on", **WHO))


@pytest.mark.parametrize("read_only", [False, True])
def test_an_older_form_is_brought_up_to_date(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, read_only: bool
) -> None:
    path = tmp_path / "old.fairassay"
    small_case(path).close()
    before = path.read_bytes()

    def to_two(db: sqlite3.Connection) -> None:
        db.execute("CREATE TABLE extra (x TEXT) STRICT")

    monkeypatch.setattr(migrations, "STEPS", (*migrations.STEPS, to_two))
    with Case.open(path, read_only=read_only) as case:
        assert case.state["case"]["system"] == "System 2"
        assert case.connection.execute("PRAGMA user_version").fetchone() == (2,)
        assert check(case).whole
    assert (path.read_bytes() == before) is read_only


def test_a_migration_that_fails_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "old.fairassay"
    small_case(path).close()

    def broken(db: sqlite3.Connection) -> None:
        db.execute("CREATE TABLE extra (x TEXT) STRICT")
        db.execute("INSERT INTO nowhere VALUES (1)")

    with monkeypatch.context() as patch:
        patch.setattr(migrations, "STEPS", (*migrations.STEPS, broken))
        with pytest.raises(Refused):
            Case.open(path)
    with Case.open(path) as case:
        assert check(case).whole and not case.read_only
