"""Mutated files: sound seeds of every format that can be written here, and ways to break them.

As a program (``python -m tests.engine.intake.fuzzing KIND,KIND COUNT FIRST FOLDER LOG``) it reads
so many mutants of each format, from the first'th on, and writes a line for each into the log, so
that the test that started it sees which one ended or hung it.
"""

from __future__ import annotations

import gzip
import io
import json
import os
import resource
import signal
import sys
import time
import zipfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb
import numpy as np
import openpyxl
import pandas as pd
import pyreadstat

from engine.base.problems import Refused
from engine.base.watch import Watch
from engine.intake import apart
from engine.intake.read import read
from engine.plan.model import Source

from .oldbook import old_book
from .opendocument import open_document

MEMORY = 2 * 2**30
SECONDS = 20
KINDS = (
    "csv",
    "xlsx",
    "xls",
    "ods",
    "parquet",
    "jsonl",
    "sav",
    "xpt",
    "dta",
    "zip",
    "gz",
    "sas7bdat",
)
STORED = Path(__file__).resolve().parents[2] / "data" / "people.sas7bdat"
"""Nothing here can write SAS's own form, so a sound one is kept."""

TEXT = "name,age,good,when,amount\nAnna,31,yes,2020-01-02,1.5\nBjörn,40,no,2020-02-29,-2e3\n"
ROWS: list[list[object]] = [
    ["name", "age", "good"],
    *[[f"Person {i}", 20 + i, i % 2] for i in range(30)],
]
_ODD = (b"", b"\0", b"\xff" * 4, b"\x7f\xff\xff\xff", b"\xff\xff\xff\x7f", b'"', b"\n", b"\r", b",", b";", b"\t", b"\xfe\xff", b"-1", b"99999999999999999999", b"\x80", b"1e999", b"<", b"&#0;", b"[", b"{")  # fmt: skip


@cache
def seeds(kind: str) -> tuple[bytes, ...]:
    """Sound files of a format."""
    return {
        "csv": _csv, "xlsx": _xlsx, "xls": lambda: (old_book(ROWS),), "ods": lambda: (open_document(ROWS),),
        "parquet": _parquet, "jsonl": _jsonl, "sav": _statistics("sav"), "xpt": _statistics("xpt"),
        "dta": _statistics("dta"), "zip": _zip, "gz": lambda: (gzip.compress(_csv()[0], mtime=0),),
        "sas7bdat": lambda: (STORED.read_bytes(),),
    }[kind]()  # fmt: skip


def _csv() -> tuple[bytes, ...]:
    rows = "".join(f"Person {i},{20 + i % 50},{('yes', 'no')[i % 2]},2020-01-{1 + i % 28:02},{i}.5\n" for i in range(200))  # fmt: skip
    quoted = 'a;b\n"x; ""y""";"1.234,5"\n"two\nlines";"2,25"\n'
    runs = "  1  A11   6.5\n 12  A12  10.25\n  3  A11   1.0\n"
    return ((TEXT + rows).encode(), TEXT.encode("utf-16"), TEXT.encode("cp1252"), quoted.encode(), runs.encode())  # fmt: skip


def _xlsx() -> tuple[bytes, ...]:
    book = openpyxl.Workbook()
    assert book.active is not None
    for row in ROWS:
        book.active.append(row)
    book.active.append(["Sum", "=SUM(B2:B31)", None])
    book.create_sheet("More").append(["x", 1.5, True])
    box = io.BytesIO()
    book.save(box)
    return (box.getvalue(),)


def _parquet() -> tuple[bytes, ...]:
    made = []
    with TemporaryDirectory() as folder, duckdb.connect() as con:
        for coding in ("snappy", "zstd", "uncompressed"):
            path = Path(folder) / f"{coding}.parquet"
            con.execute(f"COPY (SELECT 'Person ' || i AS name, i AS age, i / 7 AS x, i % 2 = 0 AS good, DATE '2020-01-01' + i::INT AS day, [i, i] AS list FROM range(100) t(i)) TO '{path}' (FORMAT parquet, COMPRESSION {coding})")  # fmt: skip
            made.append(path.read_bytes())
    return tuple(made)


def _jsonl() -> tuple[bytes, ...]:
    rows = [{"name": f"Person {i}", "age": i, "x": [1, {"a": None}], "good": True} for i in range(50)]  # fmt: skip
    return ("\n".join(map(json.dumps, rows)).encode(), json.dumps({"people": rows}, indent=1).encode())  # fmt: skip


def _statistics(kind: str) -> Callable[[], tuple[bytes, ...]]:
    def make() -> tuple[bytes, ...]:
        frame = pd.DataFrame({"sex": [1, 2] * 30, "age": np.arange(60.0), "name": [f"Person {i}" for i in range(60)]})  # fmt: skip
        with TemporaryDirectory() as folder:
            path = Path(folder) / f"t.{kind}"
            if kind == "xpt":
                pyreadstat.write_xport(frame, str(path))
                return (path.read_bytes(),)
            write = pyreadstat.write_sav if kind == "sav" else pyreadstat.write_dta
            labels = {"sex": {1: "male", 2: "female"}}
            write(frame, str(path), variable_value_labels=labels)
            made = [path.read_bytes()]
            if kind == "sav":
                pyreadstat.write_sav(frame, str(path), variable_value_labels=labels, compress=True)
            else:
                pyreadstat.write_dta(frame, str(path), variable_value_labels=labels, version=8)
            return (*made, path.read_bytes())

    return make


def _zip() -> tuple[bytes, ...]:
    made = []
    for inner, name in ((_csv()[0], "t.csv"), (gzip.compress(_csv()[0], mtime=0), "t.csv.gz")):
        box = io.BytesIO()
        with zipfile.ZipFile(box, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(zipfile.ZipInfo(name), inner)
        made.append(box.getvalue())
    return tuple(made)


def mutant(*, kind: str, number: int) -> bytes:
    """The mutant of a format with this number: the same bytes every time."""
    rng = np.random.default_rng([KINDS.index(kind), number])
    sound = seeds(kind)[number % len(seeds(kind))]
    if kind in ("xlsx", "ods", "zip") and number % 3:
        return _inside_zip(sound, rng)
    if kind == "gz" and number % 2:
        return gzip.compress(_break(gzip.decompress(sound), rng), mtime=0)
    return _break(sound, rng)


def _inside_zip(sound: bytes, rng: np.random.Generator) -> bytes:
    """Break one member and pack it again: a broken byte outside would only fail its checksum."""
    box = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(sound)) as archive, zipfile.ZipFile(box, "w") as made:
        names = archive.namelist()
        sheets = [name for name in names if "sheet" in name or "content" in name or "shared" in name]  # fmt: skip
        struck = rng.choice(sheets if sheets and rng.random() < 0.7 else names)
        for name in names:
            content = archive.read(name)
            made.writestr(zipfile.ZipInfo(name), _break(content, rng) if name == struck else content)  # fmt: skip
    return box.getvalue()


def _break(sound: bytes, rng: np.random.Generator) -> bytes:
    content = bytearray(sound)
    for _ in range(int(rng.integers(1, 6))):
        size = max(1, len(content))
        # Headers and footers steer a reader: they are struck more often than their share.
        place = int(rng.choice([rng.integers(size), rng.integers(min(size, 400)), size - 1 - rng.integers(min(size, 400))]))  # fmt: skip
        way = rng.integers(7)
        if way == 0:
            content[place : place + 1] = bytes([int(rng.integers(256))])
        elif way == 1:
            content[place : place + 1] = bytes([content[place] ^ (1 << int(rng.integers(8)))] if content else b"x")  # fmt: skip
        elif way == 2:
            odd = _ODD[int(rng.integers(len(_ODD)))]
            content[place : place + len(odd)] = odd
        elif way == 3:
            content[place:place] = _ODD[int(rng.integers(len(_ODD)))] * int(rng.integers(1, 5))
        elif way == 4:
            del content[place : place + int(rng.integers(1, 40))]
        elif way == 5:
            piece = content[place : place + int(rng.integers(1, 200))]
            content[place:place] = piece * int(rng.integers(1, 4))
        elif rng.random() < 0.3:
            del content[place:]
    return bytes(content)


class Forked:
    """Stands for the reader child's process, by a fork: starting 20,000 of them takes an hour."""

    def __init__(self) -> None:
        reading, writing = os.pipe()
        self.pid = os.fork()
        if not self.pid:
            try:
                os.close(writing)
                with os.fdopen(reading, "rb") as asked:
                    apart.serve(json.loads(asked.read()))
                os._exit(0)
            finally:
                os._exit(1)
        os.close(reading)
        self.stdin = os.fdopen(writing, "wb")
        self.returncode: int | None = None

    def wait(self) -> int:
        if self.returncode is None:
            _, status, used = os.wait4(self.pid, 0)
            self.returncode = os.waitstatus_to_exitcode(status)
            assert used.ru_maxrss * 1024 < MEMORY
        return self.returncode

    def kill(self) -> None:
        if self.returncode is None:
            os.kill(self.pid, signal.SIGKILL)


def main(kinds: list[str], count: int, first: int, folder: Path, log: Path) -> None:
    """Read ``count`` mutants of each format, from the ``first``'th of all on."""
    apart.launch = Forked  # type: ignore[assignment]
    now = int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    limit = now + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with log.open("a") as said:
        for place in range(first, count * len(kinds)):
            kind, number = kinds[place // count], place % count
            path = folder / f"file.{kind}"
            path.write_bytes(mutant(kind=kind, number=number))
            # Either ends the process where it hangs; the clock's is longer, machines are shared.
            signal.setitimer(signal.ITIMER_PROF, SECONDS)
            signal.alarm(4 * SECONDS)
            start = time.monotonic()
            try:
                read(source=Source(path=(path.name,)), base=folder, watch=Watch())
                end = "table"
            except Refused as fault:
                ok = all(p.file and p.text and str(folder) not in p.text for p in fault.problems)
                end = f"refused {fault}" if ok else f"BAD {fault}"
            except BaseException as fault:
                end = f"BAD {type(fault).__name__}: {fault}"
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.alarm(0)
            taken = f"{time.monotonic() - start:.2f}"
            print(place, kind, number, taken, " ".join(end.split()), file=said, flush=True)


if __name__ == "__main__":
    main(sys.argv[1].split(","), int(sys.argv[2]), int(sys.argv[3]), Path(sys.argv[4]), Path(sys.argv[5]))  # fmt: skip
