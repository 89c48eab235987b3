"""One file a case: acts, bytes, undo, copies, refusals."""

from __future__ import annotations

import errno
import hashlib
import io
import os
import shutil
import sqlite3
import stat
import subprocess
import sys
import threading
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.base.problems import Cancelled, Refused
from engine.base.watch import Progress, Watch
from engine.case import migrations
from engine.case.check import check
from engine.case.store import Case
from engine.procedure import acts

from .helpers import DATA, WHO, noise, small_case

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "audit.fairassay"


def test_everything_is_there_again(path: Path) -> None:
    with small_case(path) as case:
        state, head, trail = case.state, case.head(), case.trail()
        assert case.can_undo == "Undo: named it 2"
    assert os.listdir(path.parent) == [path.name]  # nothing lies about
    with Case.open(path) as case:
        assert not case.read_only and not case.damage
        assert (case.state, case.head(), case.trail()) == (state, head, trail)
        assert case.state["drafts"] == {"step-1": {"filter": "se"}}
        assert case.can_undo == "Undo: named it 2"
        case.undo(**WHO)
        assert case.state["case"]["system"] == "System 1"
        assert case.can_redo == "Redo: named it 2"
    with Case.open(path) as case:
        assert case.can_redo == "Redo: named it 2"
        case.redo(**WHO)
        assert case.state["case"]["system"] == "System 2"
        kinds = [event.kind for event in case.trail()]
        assert kinds == ["create", *["act"] * 4, "undo", "redo"]
        assert check(case).whole


def test_the_form_of_the_file(path: Path) -> None:
    small_case(path).close()
    db = sqlite3.connect(path)
    assert db.execute("PRAGMA application_id").fetchone()[0] == migrations.APPLICATION_ID
    assert db.execute("PRAGMA user_version").fetchone()[0] == migrations.newest()
    assert db.execute("PRAGMA journal_mode").fetchone()[0] == "delete"
    for act in ("UPDATE trail SET event = ''", "DELETE FROM trail"):
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            db.execute(act)
    db.close()


def test_the_same_acts_give_the_same_trail(tmp_path: Path) -> None:
    heads = []
    for name in ("a.fairassay", "b.fairassay"):
        with small_case(tmp_path / name) as case:
            heads.append(case.head())
    assert heads[0] == heads[1]


def test_bytes_come_out_bit_for_bit(path: Path, tmp_path: Path) -> None:
    """50 MB, half of which cannot be compressed, with memory that does not grow with it."""
    whole = noise(25_000_000) + b"age;sex\n" * 3_125_000
    original = tmp_path / "big.csv"
    original.write_bytes(whole)
    sha256 = hashlib.sha256(whole).hexdigest()
    del whole
    with Case.create(path, **WHO) as case:
        tracemalloc.start()
        kept = case.add_file(original)
        out = case.extract(kept.sha256, tmp_path, "again.csv")
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert (kept.sha256, kept.bytes, kept.name) == (sha256, 50_000_000, "big.csv")
        assert peak < 45_000_000
    assert subprocess.run(["cmp", original, out], check=False).returncode == 0
    assert path.stat().st_size < 28_000_000


@pytest.mark.parametrize("size", [0, 1, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, 9 << 20])
def test_sizes_around_a_piece(path: Path, size: int) -> None:
    data = noise(size)
    with Case.create(path, **WHO) as case:
        kept = case.add_bytes(io.BytesIO(data), "x")
        assert case.read(kept.sha256) == data
        again = case.add_bytes(io.BytesIO(data), "the same under another name")
        assert again.sha256 == kept.sha256
        assert len(case.connection.execute("SELECT id FROM blobs").fetchall()) == 1


def test_the_beginning_alone_comes_out_too(path: Path, tmp_path: Path) -> None:
    data = noise(3 << 20)
    with small_case(path) as case:
        kept = case.add_bytes(io.BytesIO(data), "a.bin")
        for size in (1, 1 << 20, (1 << 20) + 7, 9 << 20):
            out = case.extract_beginning(kept.sha256, tmp_path, "a.bin", size)
            assert out.read_bytes() == data[:size]


def test_taking_out_says_how_far_it_is_and_can_be_stopped(path: Path, tmp_path: Path) -> None:
    with small_case(path) as case:
        kept = case.add_bytes(io.BytesIO(noise(5 << 20)), "a.bin")
        seen: list[float] = []

        def report(progress: Progress) -> None:
            seen.append(progress.fraction or 0.0)

        case.extract(kept.sha256, tmp_path, "a.bin", Watch(report=report))
        assert seen == sorted(seen) and seen[-1] == 1.0 and len(seen) > 2
        stop = threading.Event()
        stop.set()
        with pytest.raises(Cancelled):
            case.extract(kept.sha256, tmp_path, "b.bin", Watch(stop=stop))
        assert not (tmp_path / "b.bin").exists() and not list(tmp_path.glob(".b*"))


def test_cancel_leaves_the_case_as_it_was(path: Path) -> None:
    watch = Watch()

    def stop(_: Progress) -> None:
        watch.stop.set()

    watch.report = stop
    with small_case(path) as case:
        before = case.state
        with pytest.raises(Cancelled):
            case.add_bytes(io.BytesIO(noise(30 << 20)), "big", watch)
        assert case.state == before
        assert case.connection.execute("SELECT count(*) FROM blobs").fetchone()[0] == 1
        assert check(case).whole


def test_the_window_records_while_a_job_keeps_a_file(path: Path) -> None:
    with Case.create(path, **WHO) as case:
        job = threading.Thread(target=lambda: case.add_bytes(io.BytesIO(noise(40 << 20)), "big"))
        job.start()
        done = 0
        while job.is_alive():
            case.do(acts.set_value(("case", "scope"), str(done), words="w", **WHO))
            done += 1
        job.join()
        assert done > 1 and check(case).whole


def test_half_received_files_are_swept(path: Path) -> None:
    small_case(path).close()
    db = sqlite3.connect(path)
    db.execute("INSERT INTO blobs VALUES (99, NULL, 0)")
    db.execute("INSERT INTO chunks VALUES (99, 0, 'none', x'00')")
    db.commit()
    db.close()
    with Case.open(path) as case:
        assert case.connection.execute("SELECT count(*) FROM chunks WHERE blob=99").fetchone() == (
            0,
        )


def test_results_and_their_tables(path: Path) -> None:
    with small_case(path) as case:
        assert case.get_result() is None
        case.put_result(
            result={"b": 1, "a": -0.0},
            tables={"tables/peers.csv": b"x\n"},
            plan_sha256="p",
            basis_sha256="b",
            **WHO,
        )
    with Case.open(path) as case:
        assert case.get_result() == {"a": 0.0, "b": 1}
        assert case.result_file("result.json") == b'{"a":0.0,"b":1}\n'
        assert case.result_file("tables/peers.csv") == b"x\n"
        assert case.result_file("tables/none.csv") is None
        names = case.state["result"]["files"]
        assert names["result.json"] == case.state["result"]["result_sha256"]


def test_a_second_window_reads_only(path: Path) -> None:
    with small_case(path) as case:
        with Case.open(path) as second:
            assert second.read_only
            assert "open elsewhere, by Evaluator" in second.read_only_why
            with pytest.raises(Refused, match="read only"):
                second.do(acts.note("x", **WHO))
            case.do(acts.set_value(("case", "system"), "Newer", words="w", **WHO))
            second.refresh()
            assert second.state["case"]["system"] == "Newer"
            assert second.can_undo is None
        # Closing the reader does not take the writer's hold away.
        with Case.open(path) as third:
            assert third.read_only
        case.do(acts.note("still mine", **WHO))
    with Case.open(path) as case:
        assert not case.read_only


def test_a_second_process_reads_only_until_the_first_ends(path: Path) -> None:
    small_case(path).close()
    code = (
        "import sys\nfrom engine.case.store import Case\n"
        "case = Case.open(sys.argv[1], who='Ann Lee')\nprint(case.read_only, flush=True)\n"
        "sys.stdin.readline()"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", code, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=ROOT,
        text=True,
    )
    assert child.stdout is not None and child.stdout.readline() == "False\n"
    with Case.open(path) as case:
        assert case.read_only and "by Ann Lee" in case.read_only_why
    child.kill()  # no chance to tidy up: the lock must not outlive it
    child.communicate()
    with Case.open(path) as case:
        assert not case.read_only


def test_a_copy(path: Path, tmp_path: Path) -> None:
    target = tmp_path / "copy.fairassay"
    with small_case(path) as case:
        case.save_copy(target)
        with pytest.raises(Refused, match="overwrite the case itself"):
            case.save_copy(path)
        head = case.head()
    with Case.open(target) as copy:
        assert copy.head() == head and not copy.read_only and check(copy).whole


# Refusals --------------------------------------------------------------------------------------


def refusal(path: Path, **how: bool) -> str:
    with pytest.raises(Refused) as refused:
        Case.open(path, **how)
    (problem,) = refused.value.problems
    assert problem.file == path.name
    return problem.text


def test_what_is_no_case(path: Path, tmp_path: Path) -> None:
    assert "no such file" in refusal(tmp_path / "none.fairassay")
    assert "a folder" in refusal(tmp_path)
    path.write_bytes(b"")
    assert "empty" in refusal(path)
    path.write_bytes(b"id,sex\n1,m\n" * 50)
    assert "not a case" in refusal(path)
    path.unlink()
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE t(x)")
    other.commit()
    other.close()
    assert "not a case" in refusal(path)
    path.write_bytes(b"SQLite format 3\0" + noise(5000))
    assert refusal(path)


def test_a_newer_version_is_refused_and_left_alone(path: Path) -> None:
    small_case(path).close()
    db = sqlite3.connect(path)
    db.execute("PRAGMA user_version = 99")
    db.commit()
    db.close()
    before = path.read_bytes()
    text = refusal(path)
    assert "newer FairAssay" in text and "99" in text
    assert path.read_bytes() == before
    assert os.listdir(path.parent) == [path.name]


def test_a_strange_trigger_is_refused(path: Path) -> None:
    small_case(path).close()
    db = sqlite3.connect(path)
    db.execute("CREATE TRIGGER evil AFTER INSERT ON trail BEGIN DELETE FROM blobs; END")
    db.commit()
    db.close()
    assert "evil" in refusal(path)


def test_an_existing_file_is_never_overwritten(path: Path) -> None:
    path.write_text("mine")
    with pytest.raises(Refused, match="there already"):
        Case.create(path, **WHO)
    assert path.read_text() == "mine"
    with pytest.raises(Refused, match="is not there"):
        Case.create(path.parent / "none" / "x.fairassay", **WHO)


def test_a_closed_case_says_so(path: Path) -> None:
    case = small_case(path)
    case.close()
    case.close()
    for use in (case.trail, lambda: case.do(acts.note("x", **WHO)), lambda: case.has("x")):
        with pytest.raises(Refused, match="closed"):
            use()


def test_bytes_that_are_not_there(path: Path, tmp_path: Path) -> None:
    with small_case(path) as case:
        with pytest.raises(Refused, match="does not hold"):
            case.read("0" * 64)
        with pytest.raises(Refused, match="no such file"):
            case.add_file(tmp_path / "none.csv")
        assert not case.has("0" * 64)


@pytest.fixture
def tiny_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of one megabyte; needs root."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)]
    if shutil.which("mount") is None or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("a small disk cannot be mounted here")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def test_a_full_disk(tiny_disk: Path, tmp_path: Path) -> None:
    with small_case(tiny_disk / "audit.fairassay") as case:
        before, head = case.state, case.head()
        with pytest.raises(Refused, match="disk is full"):
            case.add_bytes(io.BytesIO(noise(4 << 20)), "big.csv")
        assert (case.state, case.head()) == (before, head)
        assert case.read(before["items"][0]["sha256"]) == DATA
        # Fill the rest; single acts are refused whole, and go on once there is room again.
        filler = tiny_disk / "filler"
        with pytest.raises(OSError), filler.open("wb", buffering=0) as file:
            while True:
                file.write(b"x" * 4096)
                file.flush()
        act = acts.set_value(("case", "scope"), "s" * 200_000, words="w", **WHO)
        with pytest.raises(Refused, match="disk is full"):
            case.do(act)
        assert (case.state, case.head()) == (before, head)
        with pytest.raises(Refused, match="disk is full"):
            case.save_copy(tiny_disk / "copy.fairassay")
        filler.unlink()
        case.do(act)
        assert check(case).whole
    with Case.open(tiny_disk / "audit.fairassay") as case:
        assert case.state["case"]["scope"] == "s" * 200_000
    with pytest.raises(OSError), (tiny_disk / "filler").open("wb", buffering=0) as file:
        while True:
            file.write(b"x" * 4096)
    with pytest.raises(Refused, match="disk is full"):
        Case.create(tiny_disk / "second.fairassay", **WHO)
    assert sorted(os.listdir(tiny_disk)) == ["audit.fairassay", "filler"]


def test_a_read_only_disk(tmp_path: Path) -> None:
    folder = tmp_path / "disk"
    folder.mkdir()
    small_case(folder / "audit.fairassay").close()
    if os.geteuid() == 0:
        bind = ["mount", "--bind", str(folder), str(folder)]
        again = ["mount", "-o", "remount,ro,bind", str(folder)]
        if subprocess.run(bind, capture_output=True).returncode:
            pytest.skip("a read-only disk cannot be mounted here")
        subprocess.run(again, check=True)
    else:
        folder.chmod(stat.S_IRUSR | stat.S_IXUSR)
        (folder / "audit.fairassay").chmod(stat.S_IRUSR)
    try:
        with Case.open(folder / "audit.fairassay") as case:
            assert case.read_only and "cannot be written" in case.read_only_why
            assert case.read(case.state["items"][0]["sha256"]) == DATA
            case.save_copy(tmp_path / "copy.fairassay")
            with pytest.raises(Refused, match="cannot be written"):
                case.extract(case.state["items"][0]["sha256"], folder, "x.csv")
        with pytest.raises(Refused, match="cannot be written"):
            Case.create(folder / "new.fairassay", **WHO)
    finally:
        if os.geteuid() == 0:
            subprocess.run(["umount", str(folder)], check=True)
        else:
            folder.chmod(stat.S_IRWXU)
    with Case.open(tmp_path / "copy.fairassay") as case:
        assert not case.read_only


def test_errors_of_the_disk_are_worded(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no small disk can be mounted: the layer below fails instead."""
    with small_case(path) as case:
        before = case.state

        def failing(*_: object, **__: object) -> str:
            raise OSError(errno.ENOSPC, "no space")

        with monkeypatch.context() as patch:
            patch.setattr("engine.case.opening.write_event", failing)
            with pytest.raises(Refused, match="disk is full"):
                case.do(acts.set_value(("case", "scope"), "x", words="w", **WHO))
        assert case.state == before and check(case).whole
