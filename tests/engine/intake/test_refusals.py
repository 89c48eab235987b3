"""What cannot be read is refused with file, place and mend; nothing ends in a traceback."""

from __future__ import annotations

import gzip
import io
import threading
import zipfile
from pathlib import Path

import openpyxl
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from engine.base.problems import Cancelled, Refused
from engine.base.watch import Progress, Watch
from engine.intake import apart
from engine.intake.model import Table
from engine.intake.read import read
from engine.plan.model import Source

from .conftest import Reader
from .fuzzing import mutant


def _zip(*names: str) -> bytes:
    box = io.BytesIO()
    with zipfile.ZipFile(box, "w") as archive:
        for name in names:
            archive.writestr(name, "a,b\n1,2\n")
    return box.getvalue()


ENCRYPTED = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504) + "EncryptedPackage".encode("utf-16-le") + bytes(512)  # fmt: skip


@pytest.mark.parametrize(
    ("content", "how", "says"),
    [
        (b"", {}, "empty"),
        (b"\n\n  \n", {}, "empty"),
        (b"a,b\n", {}, "header and no rows"),
        (bytes(range(256)) * 40, {}, "neither text nor"),
        (b"%PDF-1.7 ...", {}, "a PDF"),
        (b"\x80\x04\x95abc", {}, "pickle"),
        (ENCRYPTED, {}, "password"),
        (_zip("a.csv", "b.csv"), {}, "2 files"),
        (_zip(), {}, "no file"),
        (gzip.compress(b"a,b\n1,2\n")[:-9], {}, "damaged"),
        (gzip.compress(bytes(200 * 2**20)), {}, "unfolds"),
        (b"a,b\n1,2\n", {"columns": ("x",)}, '"columns" names 1'),
        (b"a,b\n1,2\n", {"encoding": "utf-9"}, 'did you mean "utf-8"'),
        (b"a,b\n1,\xff\n", {"encoding": "utf-8"}, "cannot be read as"),
        (b"a,b\n1,2\n", {"format": "exel"}, "no format"),
        (b"a,b\n1,2\n", {"format": "parquet"}, "damaged"),
        (b"a,b\n1,2\n", {"format": "xlsx"}, "damaged"),
        (b"a,b\n1,2\n", {"format": "sav"}, "damaged"),
        (b"a,b\n1,2\n", {"missing": {"c": ("?",)}}, 'no column "c"'),
        (b"PAR1" + bytes(100), {}, "damaged"),
        (b"[1, 2, 3]", {"format": "json"}, "not a list of records"),
        (b'[{"a": 1}, {"a":', {}, "breaks off"),
        ((",".join(f"c{i}" for i in range(100_000)) + "\n").encode() * 3, {}, "at most 8,000"),
        (b'a,b\n1,"' + b"x" * (66 * 2**20) + b'"\n', {}, "64 MB"),
    ],
    ids=range(24),
)
def test_refusals(reader: Reader, content: bytes, how: dict[str, object], says: str) -> None:
    with pytest.raises(Refused) as fault:
        reader(content, name="given.dat", **how)
    assert says in str(fault.value)
    assert fault.value.problems[0].file == "given.dat"
    assert "/" not in fault.value.problems[0].text


def test_no_file_offers_near_names(reader: Reader, tmp_path: Path) -> None:
    (tmp_path / "german.csv").write_text("a\n1\n")
    with pytest.raises(Refused, match=r'did you mean "german\.csv"'):
        reader(tmp_path / "germna.csv")
    with pytest.raises(Refused, match="this is a folder"):
        reader(tmp_path)
    with pytest.raises(Refused, match="no folder"):
        reader(tmp_path / "nowhere" / "x.csv")


def test_unknown_sheet(reader: Reader, tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    assert book.active is not None
    book.active.title = "People"
    book.active.append(["a"])
    book.active.append([1])
    book.save(tmp_path / "b.xlsx")
    with pytest.raises(Refused, match='did you mean "People"'):
        reader(tmp_path / "b.xlsx", sheet="Peopel")


def test_a_reader_that_comes_to_no_end_is_ended(
    reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A mutant that sends the library into a loop (found by the fuzzing)."""
    monkeypatch.setattr(apart, "_LEAST_SECONDS", 1)
    with pytest.raises(Refused, match="comes to no end"):
        reader(mutant(kind="ods", number=100), name="t.ods")


def test_a_sheet_spread_over_the_whole_grid_is_refused(reader: Reader, tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    assert book.active is not None
    book.active["A1"] = "a"
    book.active["XFD1048576"] = 1
    book.save(tmp_path / "b.xlsx")
    with pytest.raises(Refused, match="1,048,576"):
        reader(tmp_path / "b.xlsx")


def test_files_of_one_source_must_have_the_same_columns(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("age,sex\n31,M\n")
    (tmp_path / "b.csv").write_text("age,gender\n40,F\n")
    with pytest.raises(Refused) as fault:
        read(source=Source(path=("a.csv", "b.csv")), base=tmp_path, watch=Watch())
    lines = [str(problem) for problem in fault.value.problems]
    assert lines[0].startswith('b.csv: column "sex"')
    assert lines[1].startswith('b.csv: column "gender"')


def test_reading_can_be_stopped(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("a,b\n" + "1,2\n" * 200_000)
    stop = threading.Event()

    def report(progress: Progress) -> None:
        if progress.text.startswith("Looking"):
            stop.set()

    with pytest.raises(Cancelled):
        read(source=Source(path=("a.csv",)), base=tmp_path, watch=Watch(report=report, stop=stop))


def test_nothing_is_left_in_the_temporary_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = tmp_path / "tmp"
    room.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(room))
    (tmp_path / "a.csv").write_text("a,b\n1,2\n")
    read(source=Source(path=("a.csv",)), base=tmp_path, watch=Watch())
    (tmp_path / "bad.csv").write_bytes(b"PAR1xx")
    with pytest.raises(Refused):
        read(source=Source(path=("bad.csv",)), base=tmp_path, watch=Watch())
    assert list(room.iterdir()) == []


SEEDS = [
    b'name,age,x\nAnna,31,"1,5"\nBo,40,"2,5"\n',
    "näme;age\nÄnna;31\nBo;40\n".encode("utf-16"),
    b'{"a": 1, "b": "x"}\n{"a": 2, "b": null}\n',
    _zip("a.csv"),
    gzip.compress(b"a,b\n1,2\n3,4\n"),
    b"  1  2  3\n 4  5  6\n",
]


@settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    seed=st.sampled_from(SEEDS),
    cuts=st.lists(st.tuples(st.floats(0, 1), st.binary(max_size=4), st.integers(0, 3)), max_size=5),
)
@example(seed=b"\r", cuts=[])
@example(seed=b'"', cuts=[])
@example(seed=b"\xff\xfe", cuts=[])
@example(seed=b"a\x00b\n1,2\n", cuts=[])
def test_broken_bytes_end_in_a_table_or_a_sentence(
    tmp_path_factory: pytest.TempPathFactory, seed: bytes, cuts: list[tuple[float, bytes, int]]
) -> None:
    content = bytearray(seed)
    for where, put, drop in cuts:
        place = int(where * len(content))
        content[place : place + drop] = put
    path = tmp_path_factory.mktemp("broken") / "file.bin"
    path.write_bytes(content)
    try:
        table = read(source=Source(path=(path.name,)), base=path.parent, watch=Watch())
    except Refused as fault:
        assert all(problem.file and problem.text for problem in fault.problems)
    else:
        assert isinstance(table, Table) and len(table.frame) > 0
